//go:build linux && (amd64 || arm64)

package cbinding

import (
	"cmp"
	"encoding/asn1"
	"io"
	"math/big"
	"runtime"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// tamperedTail is the end of a signature or a ciphertext, in which a flipped bit leaves
// it one, though not a valid one.
const tamperedTail = 16

// LongestCiphertext is of RSA with 8192 bits, and longer than SM2's of a key.
const LongestCiphertext = 1024

// Signing appends the calls that sign or verify a text: the last of what signs leaves the signature
// and its length, what verifies reads it.
type Signing func(p *Program, text, signature []byte, size *uint64) *call.Call

// Signature signs or verifies what the vector says is signed: a digest, or of schemes
// that hash themselves a message.
func (s *Session) Signature(c result.Case, v *provider.Vector, add Signing) (provider.Operation, error) {
	p := s.Program()
	if c.Operation == algorithm.Sign {
		out, size := s.Room(len(v.Signature)+s.Keys.Slack), s.Word()
		add(p, v.Signed, out, size).Setting(size, uint64(len(out)))
		return p.Operation(c.Name(), loop.Foreign{Out: out, Size: size, Accept: v.Accept})
	}
	add(p, v.Signed, v.Signature, nil)
	text, signature, other := slices.Clone(v.Signed), slices.Clone(v.Signature), s.Program()
	add(other, text, signature, nil)
	tail := signature[len(signature)-tamperedTail:]
	return p.Operation(c.Name(), loop.Foreign{
		Blank: true, Sealed: slices.Concat(text, tail), Tagged: tamperedTail,
		Open: func(tampered []byte) error {
			copy(tail, tampered[copy(text, tampered):])
			return other.Times(1)
		},
	})
}

type Transporting func(p *Program, in, out []byte) *call.Call

// Transport encrypts under a public key or decrypts with a private one. Both calls read
// at the word how much room there is, and leave there how much they wrote.
func (s *Session) Transport(c result.Case, v *provider.Vector, size *uint64, encrypt, decrypt Transporting) (
	provider.Operation, error) {
	f := loop.Foreign{Out: s.Room(LongestCiphertext), Size: size}
	program := func(add Transporting, in []byte) *Program {
		p := s.Program()
		add(p, in, f.Out).Setting(size, LongestCiphertext)
		return p
	}
	p := program(encrypt, v.Plaintext)
	s.Fail(p.Times(1)) // which refuses a message that is too long for the padding
	accept, sealed := v.Accept, v.Ciphertext
	if c.Algorithm == algorithm.SM2 {
		sealed = SM2ToDER(sealed)
		accept = func(der []byte) error {
			raw, err := SM2FromDER(der)
			if err != nil {
				return err
			}
			return v.Accept(raw)
		}
	}
	if c.Operation == algorithm.Encrypt {
		f.Accept = accept
		return p.Operation(c.Name(), f)
	}
	f.Want = v.Plaintext
	if c.Mode != algorithm.PKCS1v15 { // which finds most changes and promises nothing
		in := slices.Clone(sealed)
		other := program(decrypt, in)
		f.Sealed, f.Tagged = sealed, tamperedTail
		f.Open = func(tampered []byte) error {
			copy(in, tampered)
			return other.Times(1)
		}
	}
	return program(decrypt, sealed).Operation(c.Name(), f)
}

// Turn makes one text of another with a private key, and says how long it is.
type Turn func(out, in []byte) (uint64, error)

// Turn is one by a function that takes what is before, out, its size, in, its size, and
// what is behind.
func (x *Caller) Turn(function string, object uintptr, behind ...uintptr) Turn {
	args := append([]uintptr{object, 0, x.Size, 0, 0}, behind...)
	return func(out, in []byte) (uint64, error) {
		*x.size = uint64(len(out))
		args[1], args[3], args[4] = call.Bytes(out), call.Bytes(in), uintptr(len(in))
		err := x.Try(function, args...)
		runtime.KeepAlive(out)
		return *x.size, err
	}
}

// Keyed asks what a turn costs Go's garbage collector: a signature, a decryption or an
// agreement. A library in C writes into the caller's
// buffers, so the caller chooses every one; the first is the session's, before the library
// is given memory of Go's.
func (s *Session) Keyed(c result.Case, v *provider.Vector, turn Turn) (provider.Scenario, error) {
	op := loop.Buffered{In: v.Signed, Out: len(v.Signature) + s.Keys.Slack, Check: v.Accept}
	switch c.Operation {
	case algorithm.Decrypt:
		op = loop.Buffered{In: v.Ciphertext, Out: LongestCiphertext, Check: loop.MustBe(v.Plaintext, 0)}
	case algorithm.Agree:
		op = loop.Buffered{In: v.Peer, Out: len(v.Secret), Check: loop.MustBe(v.Secret, 0)}
	}
	room := op.Out
	op.Call = func(out, in []byte) ([]byte, error) {
		if cap(out) < room {
			out = make([]byte, room)
		}
		n, err := turn(out[:room], in)
		runtime.KeepAlive(in)
		runtime.KeepAlive(s)
		if err == nil {
			err = Filled(n, room)
		}
		if err != nil {
			return nil, err
		}
		return out[:n], nil
	}
	var scenario provider.Scenario
	if s.Err == nil {
		_, err := op.Call(s.Room(room), op.In)
		s.Fail(cmp.Or(err, s.Outputs.Check()))
		scenario, err = loop.NewGC(c, op)
		s.Fail(err)
	}
	return s.Scenario(c.Name(), scenario)
}

// Draws is the generation of RSA keys, each a draw of the library's own randomness.
func (s *Session) Draws(c result.Case, v *provider.Vector, generate func() (*KeyPair, error),
	der func(*KeyPair) ([]byte, error)) (provider.Scenario, error) {
	each := parameter.Draws.In(c.Parameters)
	if each == 0 {
		s.Err = provider.Absent("parameters", c.Operation, "draws=N", c.Parameters)
	}
	return s.Scenario(c.Name(), &loop.Draws[*KeyPair]{
		Each:     each,
		Generate: func(io.Reader) (*KeyPair, error) { return generate() },
		Judge: func(k *KeyPair) error {
			private, err := der(k)
			runtime.KeepAlive(k)
			if err != nil {
				return err
			}
			return v.Accept(private)
		},
		Source: func(int) io.Reader { return nil },
	})
}

// Keys are how a library has key pairs.
type Keys struct {
	Free string                                                      // the function that frees one
	Read func(s *Session, c result.Case, v *provider.Vector) uintptr // the vector's private key
	// Halves are a pair as the judge reads it: of a curve the private number and the point, or the
	// private and public bytes of what has no more. Nobody times that.
	Halves func(s *Session, name algorithm.Name, key uintptr) (private, public []byte)
	Slack  int // by how much a signature of two numbers in DER can be longer than another
}

func (l *Library) Halves(name algorithm.Name, key uintptr) (private, public []byte, err error) {
	s := l.Session(call.Purego)
	defer s.Close()
	private, public = l.Keys.Halves(s, name, key)
	return slices.Clone(private), slices.Clone(public), cmp.Or(s.Err, s.Outputs.Check())
}

// Accept has a key judged that was made.
func (l *Library) Accept(c result.Case, v *provider.Vector, key uintptr) error {
	private, public, err := l.Halves(c.Algorithm, key)
	if err != nil {
		return err
	}
	return v.Accept(slices.Concat(private, public))
}

// KeyPair is freed when Go's collector finds it dead.
type KeyPair struct{ Handle uintptr }

func (l *Library) pair(handle uintptr) *KeyPair {
	k := &KeyPair{handle}
	runtime.AddCleanup(k, func(handle uintptr) { l.Call(l.Keys.Free, handle) }, handle)
	return k
}

// readPair takes over a key pair that is made in a session of its own.
func (l *Library) readPair(name algorithm.Name, private []byte) (*KeyPair, error) {
	s := l.Session(call.Purego)
	key := l.Keys.Read(s, result.Case{Algorithm: name}, &provider.Vector{Key: private})
	if s.Err != nil {
		return nil, s.Refused("the private key")
	}
	s.free = s.free[:len(s.free)-1] // which is the key's
	return l.pair(key), s.Close()
}

// Pair is Object for functions that leave a key pair.
func (x *Caller) Pair(name string, args ...uintptr) (*KeyPair, error) {
	key, err := x.Object(name, args...)
	if err != nil {
		return nil, err
	}
	return x.pair(key), nil
}

// Steps are those of a key exchange, as a library does them.
type Steps struct {
	*Library
	Of       algorithm.Name
	Generate func() (*KeyPair, error)
	Public   func(*KeyPair) ([]byte, error)                 // what is sent, until the next step
	Agree    func(k *KeyPair, reply []byte) ([]byte, error) // likewise
	// Encapsulate is the second party's step of a KEM; of Diffie-Hellman, which has none,
	// that party generates a pair too.
	Encapsulate func(public []byte) (secret, reply []byte, err error)
}

// Exchange is one of these steps, without a derivation.
func (s *Steps) Exchange() loop.Exchange {
	of := func(k *KeyPair, err error) (loop.PrivateHalf, error) { return half{k, s}, err }
	e := loop.Exchange{
		Generate:    func() (loop.PrivateHalf, error) { return of(s.Generate()) },
		Read:        func(private []byte) (loop.PrivateHalf, error) { return of(s.readPair(s.Of, private)) },
		Encapsulate: s.Encapsulate,
	}
	if e.Encapsulate == nil {
		e.Encapsulate = func(public []byte) (secret, reply []byte, err error) {
			own, err := e.Generate()
			if err != nil {
				return nil, nil, err
			}
			secret, err = own.Decapsulate(public)
			return secret, own.Public(), err
		}
	}
	return e
}

type half struct {
	*KeyPair
	*Steps
}

func (h half) Private() []byte {
	private, _, err := h.Halves(h.Of, h.Handle)
	return h.read(private, err)
}

func (h half) Public() []byte { return h.read(h.Steps.Public(h.KeyPair)) }

// read copies what was read of the pair; loop.PrivateHalf has no error, so it panics with one.
func (h half) read(b []byte, err error) []byte {
	runtime.KeepAlive(h.KeyPair)
	if err != nil {
		panic(err)
	}
	return slices.Clone(b)
}

func (h half) Decapsulate(reply []byte) ([]byte, error) {
	secret, err := h.Agree(h.KeyPair, reply)
	runtime.KeepAlive(h.KeyPair)
	runtime.KeepAlive(reply)
	return slices.Clone(secret), err
}

// Exchange is the operation of a step. Each makes objects that the next is given, so Go
// calls the library step by step.
func (s *Session) Exchange(c result.Case, v *provider.Vector, e loop.Exchange) (op provider.Operation, err error) {
	if s.Err == nil {
		op, s.Err = loop.OpenExchange(e, c, v)
	}
	return s.With(c.Name(), op)
}

// sm2Ciphertext is that of GM/T 0009-2012 §7.2, which libraries in C write; the judge's is
// C1‖C3‖C2 of GB/T 32918.4.
type sm2Ciphertext struct {
	X, Y   *big.Int
	C3, C2 []byte
}

const coordinate, digestSize = 32, 32

// SM2ToDER writes a ciphertext of the judge's as libraries in C read it.
func SM2ToDER(raw []byte) []byte {
	x, y, rest := raw[1:1+coordinate], raw[1+coordinate:1+2*coordinate], raw[1+2*coordinate:]
	der, _ := asn1.Marshal(sm2Ciphertext{new(big.Int).SetBytes(x), new(big.Int).SetBytes(y),
		rest[:digestSize], rest[digestSize:]}) // numbers and bytes can always be written
	return der
}

func SM2FromDER(der []byte) ([]byte, error) {
	var s sm2Ciphertext
	rest, err := asn1.Unmarshal(der, &s)
	if err != nil || len(rest) > 0 || !isCoordinate(s.X) || !isCoordinate(s.Y) {
		return nil, reason.New("sm2-der")
	}
	point := append([]byte{4}, make([]byte, 2*coordinate)...)
	s.X.FillBytes(point[1 : 1+coordinate])
	s.Y.FillBytes(point[1+coordinate:])
	return slices.Concat(point, s.C3, s.C2), nil
}

func isCoordinate(n *big.Int) bool { return n != nil && n.Sign() >= 0 && n.BitLen() <= 8*coordinate }
