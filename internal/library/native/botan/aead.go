//go:build linux && (amd64 || arm64)

package botan

import (
	stdcipher "crypto/cipher"
	"runtime"
	"slices"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/fence"
	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// aead is a cipher in the shape of Go's, which many goroutines may use at once. A
// botan_cipher_t holds the message that it is at, so an aead keeps as many of a
// direction as were needed at once: a call takes one that is idle, or makes one, and
// puts it back. What Go's collector finds dead is destroyed.
type aead struct{ *handles }

type handles struct {
	lib  *Library
	path call.Path
	mode mode
	way  string
	key  []byte

	mu   sync.Mutex
	idle [2][]*shaped // by direction
}

// shaped is a keyed cipher with the calls of a message, whose addresses and lengths
// are those of the last.
type shaped struct {
	*cipher
	first, last call.Program
	additional  bool // the last message had additional data, which would stay
}

// newAEAD returns what makes a case's cipher under a key.
func (o on) newAEAD(c result.Case) func(key []byte) (stdcipher.AEAD, error) {
	m := mode{algorithm: c.Algorithm, mode: c.Mode}
	m.name, _ = cipherName(c.Algorithm, c.Mode)
	way := handings[o.subject.Implementation].way
	return fence.Sealing(func(key []byte) (stdcipher.AEAD, error) {
		if err := o.proofs.of(o.path, m, way); err != nil {
			return nil, err
		}
		a := &aead{&handles{lib: o.Library, path: o.path, mode: m, way: way, key: slices.Clone(key)}}
		x, err := a.take(loop.Encrypt) // a library that refuses does so now
		if err != nil {
			return nil, err
		}
		a.give(x)
		runtime.AddCleanup(a, (*handles).free, a.handles)
		return a, nil
	})
}

func (p *handles) take(d loop.Direction) (*shaped, error) {
	p.mu.Lock()
	if idle := p.idle[d]; len(idle) > 0 {
		x := idle[len(idle)-1]
		p.idle[d] = idle[:len(idle)-1]
		p.mu.Unlock()
		return x, nil
	}
	p.mu.Unlock()
	m := p.mode
	m.direction = d
	k, err := p.lib.newCipher(p.path, m, p.key)
	if err != nil {
		return nil, err
	}
	empty := message{aad: []byte{0}}
	x := &shaped{cipher: k, first: k.start(empty), last: call.Program{k.update(flagFinal, nil, nil)}}
	if p.way == byUpdate {
		x.first = append(x.first, k.update(0, nil, nil))
	}
	return x, nil
}

func (p *handles) give(x *shaped) {
	p.mu.Lock()
	p.idle[x.direction] = append(p.idle[x.direction], x)
	p.mu.Unlock()
}

func (p *handles) free() {
	for _, x := range slices.Concat(p.idle[loop.Encrypt], p.idle[loop.Decrypt]) {
		_ = x.close()
	}
}

// The places of the calls, and of what changes among their arguments.
const (
	atAAD, atStart, atUpdate              = 0, 1, 2
	argument, size                        = 1, 2
	outArgument, room, inArgument, inSize = 2, 3, 5, 6
)

// run does a message: update with as much as it takes, and FINAL with the rest, or
// all of it with FINAL. It allocates nothing.
func (x *shaped) run(out, in, nonce, aad []byte) error {
	x.first[atStart].Args[argument], x.first[atStart].Args[size] = call.Bytes(nonce), uintptr(len(nonce))
	from, to := atStart, atUpdate
	if len(aad) > 0 || x.additional {
		from, x.additional = atAAD, len(aad) > 0
		x.first[atAAD].Args[argument], x.first[atAAD].Args[size] = call.Bytes(aad), uintptr(len(aad))
	}
	body := len(in) - x.held()
	if len(x.first) > atUpdate && body > 0 {
		to = atUpdate + 1
		x.hand(&x.first[atUpdate], out, in[:body])
	}
	if err := x.path.Run(x.first[from:to], 1); err != nil {
		return x.lib.explain(x.first[from:to], err)
	}
	taken, wrote := 0, 0
	if to > atUpdate {
		if taken, wrote = int(*x.consumed), int(*x.written); taken < 0 || taken > body || wrote < 0 || wrote > taken {
			return provider.Incorrect("says-took-wrote", "botan_cipher_update", *x.consumed, body,
				*x.written)
		}
	}
	x.hand(&x.last[0], out[wrote:], in[taken:])
	if err := x.path.Run(x.last, 1); err != nil {
		return x.lib.explain(x.last, err)
	}
	if wrote+int(*x.written) != len(out) {
		return provider.Incorrect("says-wrote", "botan_cipher_update", *x.written, len(out)-wrote)
	}
	return nil
}

func (x *shaped) hand(c *call.Call, out, in []byte) {
	c.Args[outArgument], c.Args[room] = call.Bytes(out), uintptr(len(out))
	c.Args[inArgument], c.Args[inSize] = call.Bytes(in), uintptr(len(in))
}

var errNonce = reason.New("nonce-length")

func (a *aead) NonceSize() int { return 12 }
func (a *aead) Overhead() int  { return tagSize }

// Seal panics where the library fails, which of a keyed cipher nobody has seen.
func (a *aead) Seal(dst, nonce, plaintext, aad []byte) []byte {
	n := len(plaintext) + tagSize
	dst = slices.Grow(dst, n)
	out := dst[len(dst) : len(dst)+n]
	if err := a.crypt(loop.Encrypt, out, plaintext, nonce, aad); err != nil {
		panic(reason.New("sealing", len(plaintext), err))
	}
	return dst[:len(dst)+n]
}

func (a *aead) Open(dst, nonce, sealed, aad []byte) ([]byte, error) {
	n := len(sealed) - tagSize
	if n < 0 {
		return nil, reason.New("shorter-than-tag")
	}
	dst = slices.Grow(dst, n)
	out := dst[len(dst) : len(dst)+n]
	if err := a.crypt(loop.Decrypt, out, sealed, nonce, aad); err != nil {
		clear(out) // what was not authentic is nobody's to read
		return nil, err
	}
	return dst[:len(dst)+n], nil
}

func (a *aead) crypt(d loop.Direction, out, in, nonce, aad []byte) error {
	if len(nonce) != a.NonceSize() {
		return errNonce
	}
	x, err := a.take(d)
	if err != nil {
		return err
	}
	err = x.run(out, in, nonce, aad)
	runtime.KeepAlive(out)
	runtime.KeepAlive(in)
	runtime.KeepAlive(nonce)
	runtime.KeepAlive(aad)
	runtime.KeepAlive(a)
	a.give(x)
	return err
}

// openMany is the cipher as many goroutines hold it.
func (o on) openMany(c result.Case) (provider.Operation, error) {
	v, err := o.vectors.Vector(provider.Alone(c))
	if err != nil {
		return nil, err
	}
	return loop.NewParallel(o.newAEAD(c), c, v)
}

func (o on) openArrival(c result.Case) (provider.Scenario, error) {
	v, err := o.vectors.Vector(provider.Alone(c))
	if err != nil {
		return nil, err
	}
	return loop.NewArrival(o.newAEAD(c), c, v)
}

func (o on) openStream(c result.Case) (provider.Operation, error) {
	return streaming.Open(c, o.vectors, o.newAEAD(c))
}

// openSetup makes ciphers in Go's shape: of a loop in C none can be told from
// another.
func (o on) openSetup(c result.Case) (provider.Operation, error) {
	v, err := o.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	if c.Operation == "new" {
		return loop.NewConstruct(o.newAEAD(c), v), nil
	}
	return loop.NewFreshSeal(o.newAEAD(c), v), nil
}
