//go:build linux && (amd64 || arm64)

package openssl

import (
	stdcipher "crypto/cipher"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/fence"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// aead is a cipher in the shape of Go's, which many goroutines may use at once.
//
// A context of EVP holds the message that it is at and serves one caller at a time,
// so an aead keeps as many as were needed at once: a call takes one that is idle, or
// makes one, and puts it back. A call allocates nothing. What Go's collector finds
// dead it has the library free.
type aead struct{ *contexts }

type contexts struct {
	lib  *Library
	path call.Path
	evp  uintptr
	key  []byte

	first atomic.Pointer[keyed] // the idle one of an aead that is used by one goroutine at a time
	mu    sync.Mutex
	idle  []*keyed
}

// newAEAD returns what makes the case's cipher under a key.
func (o on) newAEAD(c result.Case) func(key []byte) (stdcipher.AEAD, error) {
	name, _ := cipherName(c.Algorithm, c.Mode)
	return fence.Sealing(func(key []byte) (stdcipher.AEAD, error) {
		evp, err := o.fetch("EVP_CIPHER_fetch", name)
		if err != nil {
			return nil, err
		}
		a := &aead{&contexts{lib: o.Library, path: o.path, evp: evp, key: slices.Clone(key)}}
		first, err := a.newContext() // a library that refuses does so now
		if err != nil {
			return nil, err
		}
		a.first.Store(first)
		runtime.AddCleanup(a, (*contexts).free, a.contexts)
		return a, nil
	})
}

func (p *contexts) free() {
	all := p.idle
	if first := p.first.Load(); first != nil {
		all = append(all, first)
	}
	for _, x := range all {
		x.free()
	}
}

func (p *contexts) take() (*keyed, error) {
	if x := p.first.Swap(nil); x != nil {
		return x, nil
	}
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		x := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return x, nil
	}
	p.mu.Unlock()
	return p.newContext()
}

func (p *contexts) give(x *keyed) {
	if p.first.CompareAndSwap(nil, x) {
		return
	}
	p.mu.Lock()
	p.idle = append(p.idle, x)
	p.mu.Unlock()
}

// keyed is a context in each direction that was asked for, and the calls of
// a message, whose addresses and lengths are those of the last.
type keyed struct {
	owner   *contexts
	sealing *oneWay
	opening *oneWay // nil until something is opened
}

// oneWay are the calls of a direction: the IV, the additional data, the message, and
// what makes or checks the tag.
type oneWay struct {
	ctx    uintptr
	calls  call.Program
	length *uint64

	tagAt, finalAt int // the places of the call with the tag, and of the other of the last two
}

const ( // their places
	atIV = iota
	atAAD
	atText
	atEnd // two calls
)

func (p *contexts) newContext() (*keyed, error) {
	s, err := p.newWay(loop.Encrypt)
	return &keyed{owner: p, sealing: s}, err
}

func (p *contexts) newWay(d loop.Direction) (*oneWay, error) {
	w, a := &oneWay{length: new(uint64), finalAt: atEnd, tagAt: atEnd + 1}, p.lib.arena(p.path)
	w.ctx = a.object("", "EVP_CIPHER_CTX_new")
	direction := uintptr(1)
	if d == loop.Decrypt {
		direction = 0
		w.tagAt, w.finalAt = w.finalAt, w.tagAt
	}
	a.one("EVP_CipherInit_ex", w.ctx, p.evp, 0, a.bytes(p.key), 0, direction)
	m := a.program()
	m.add("EVP_CipherInit_ex", call.One, w.ctx, 0, 0, 0, 0, unchanged)
	m.add("EVP_CipherUpdate", call.One, w.ctx, 0, call.Word(w.length), 0, 0)
	m.add("EVP_CipherUpdate", call.One, w.ctx, 0, call.Word(w.length), 0, 0)
	tag := func(what uintptr) { m.add("EVP_CIPHER_CTX_ctrl", call.One, w.ctx, what, tagSize, 0) }
	if d == loop.Decrypt {
		tag(ctrlSetTag)
	}
	m.add("EVP_CipherFinal_ex", call.One, w.ctx, 0, call.Word(w.length))
	if d == loop.Encrypt {
		tag(ctrlGetTag)
	}
	if a.err != nil {
		return nil, a.failed()
	}
	w.calls = m.calls
	w.calls[atText] = w.calls[atText].Expecting(w.length, 0) // the length of each message
	return w, nil
}

func (x *keyed) free() {
	for _, w := range []*oneWay{x.sealing, x.opening} {
		if w != nil {
			x.owner.lib.call("EVP_CIPHER_CTX_free", w.ctx)
		}
	}
}

// run sets the addresses and lengths of a message and makes its calls.
func (w *oneWay) run(path call.Path, out, in, iv, aad, tag uintptr, n, additional int) error {
	w.calls[atIV].Args[4] = iv
	w.calls[atAAD].Args[3], w.calls[atAAD].Args[4] = aad, uintptr(additional)
	w.calls[atText].Args[1], w.calls[atText].Args[3], w.calls[atText].Args[4] = out, in, uintptr(n)
	w.calls[atText].After[0].Value = uintptr(n)
	w.calls[w.tagAt].Args[3] = tag
	w.calls[w.finalAt].Args[1] = out + uintptr(n)
	if additional > 0 {
		return miscounted(path.Run(w.calls, 1))
	}
	if err := path.Run(w.calls[:atAAD], 1); err != nil {
		return err
	}
	return miscounted(path.Run(w.calls[atText:], 1))
}

// miscounted words the failure of a call that says that it wrote another length than the
// message's.
func miscounted(err error) error {
	if f, ok := errors.AsType[*call.Failure](err); ok && f.Short {
		return provider.Incorrect("says-wrote", "EVP_CipherUpdate", f.Word, f.Want)
	}
	return err
}

func (a *aead) NonceSize() int { return 12 }
func (a *aead) Overhead() int  { return tagSize }

// Seal panics where the library fails, which nobody has seen of a keyed context.
func (a *aead) Seal(dst, nonce, plaintext, aad []byte) []byte {
	n := len(plaintext)
	dst = slices.Grow(dst, n+tagSize)
	out := dst[len(dst) : len(dst)+n+tagSize]
	x, err := a.take()
	if err == nil && len(nonce) != a.NonceSize() {
		err = errNonce
	}
	if err != nil {
		panic(err)
	}
	start := call.Bytes(out)
	err = x.sealing.run(a.path, start, call.Bytes(plaintext), call.Bytes(nonce), call.Bytes(aad), start+uintptr(n), n, len(aad))
	runtime.KeepAlive(plaintext)
	runtime.KeepAlive(nonce)
	runtime.KeepAlive(aad)
	runtime.KeepAlive(out)
	a.give(x)
	if err != nil {
		panic(reason.New("sealing", n, err))
	}
	return dst[:len(dst)+n+tagSize]
}

var (
	errNonce = reason.New("nonce-length")
	errTag   = reason.New("tag-refused")
)

func (a *aead) Open(dst, nonce, sealed, aad []byte) ([]byte, error) {
	n := len(sealed) - tagSize
	if n < 0 || len(nonce) != a.NonceSize() {
		return nil, errTag
	}
	x, err := a.take()
	if err != nil {
		return nil, err
	}
	defer a.give(x)
	if x.opening == nil {
		if x.opening, err = a.newWay(loop.Decrypt); err != nil {
			return nil, err
		}
	}
	dst = slices.Grow(dst, n)
	out := dst[len(dst) : len(dst)+n]
	in := call.Bytes(sealed)
	err = x.opening.run(a.path, call.Bytes(out), in, call.Bytes(nonce), call.Bytes(aad), in+uintptr(n), n, len(aad))
	runtime.KeepAlive(sealed)
	runtime.KeepAlive(nonce)
	runtime.KeepAlive(aad)
	runtime.KeepAlive(out)
	if err != nil {
		clear(out) // what was not authentic is nobody's to read
		a.lib.call("ERR_clear_error")
		if errors.Is(err, provider.ErrIncorrect) {
			return nil, err
		}
		return nil, errTag
	}
	return dst[:len(dst)+n], nil
}

// openMany is the cipher as many goroutines hold it.
func (o on) openMany(c result.Case) (provider.Operation, error) {
	if !provider.Concurrent(c) {
		return nil, provider.Absent("not-offered", "openssl", c.Name()+" "+c.Operation)
	}
	v, err := o.vectors.Vector(provider.Alone(c))
	if err != nil {
		return nil, err
	}
	return loop.NewParallel(o.newAEAD(c), c, v)
}
