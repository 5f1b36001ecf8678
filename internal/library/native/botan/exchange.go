//go:build linux && (amd64 || arm64)

package botan

import (
	"errors"
	"io"
	"runtime"
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// caller calls Botan by a path where Go decides what comes next: one goroutine at a
// time. What it makes is destroyed when Go's collector finds it dead, or at once
// where that is known.
type caller struct {
	lib   *Library
	path  call.Path
	bound map[string]*call.Func
	at    *uint64 // where objects are written
	size  *uint64
	rng   uintptr
	names map[string][]byte
}

// caller makes one that uses a session's random numbers.
func (s *session) caller() *caller {
	return &caller{lib: s.lib, path: s.path, bound: map[string]*call.Func{}, at: s.Word(), size: s.Word(), rng: s.random(), names: map[string][]byte{}}
}

// do calls a function that returns 0 where it succeeds.
func (x *caller) do(name string, args ...uintptr) error {
	f := x.bound[name]
	if f == nil {
		fn, err := x.lib.find(name)
		if err != nil {
			return err
		}
		f = x.path.Bind(fn)
		x.bound[name] = f
	}
	if code := int32(f.Call(args...)); code != 0 {
		return x.lib.failed(name, code)
	}
	return nil
}

// text is a C string, made once.
func (x *caller) text(t string) uintptr {
	b, ok := x.names[t]
	if !ok {
		b = binding.CString(t)
		x.names[t] = b
	}
	return call.Bytes(b)
}

// keyPair is a botan_privkey_t.
type keyPair struct{ handle uintptr }

func (x *caller) own(handle uintptr) *keyPair {
	k := &keyPair{handle}
	lib := x.lib
	runtime.AddCleanup(k, func(handle uintptr) { _ = lib.try("botan_privkey_destroy", handle) }, handle)
	return k
}

// create makes a key.
//
//	int botan_privkey_create(botan_privkey_t *key, const char *algo_name, const char *algo_params, botan_rng_t rng)
func (x *caller) create(algorithm string) (key uintptr, err error) {
	name, parameters := generated(algorithm)
	*x.at = 0
	err = x.do("botan_privkey_create", call.Word(x.at), x.text(name), x.text(parameters), x.rng)
	return uintptr(*x.at), err
}

// generate makes one that is destroyed some time after nobody has it any more.
func (x *caller) generate(algorithm string) (*keyPair, error) {
	key, err := x.create(algorithm)
	if err != nil {
		return nil, err
	}
	return x.own(key), nil
}

// openGeneration makes a key in each call.
func (o on) openGeneration(c result.Case, v *provider.Vector) (provider.Operation, error) {
	s := o.session()
	x := s.caller()
	if s.Err == nil {
		_, s.Err = x.generate(c.Algorithm) // one that refuses does so now
	}
	if s.Err != nil {
		return nil, s.refused(c.Name())
	}
	var last uintptr // destroyed when the next is made, in the same time
	free := func() error {
		if last == 0 {
			return nil
		}
		defer func() { last = 0 }()
		return x.do("botan_privkey_destroy", last)
	}
	s.Own(free)
	op := loop.NewGenerate(func() (key uintptr, err error) {
		if err = free(); err == nil {
			key, err = x.create(c.Algorithm)
		}
		last = key
		return key, err
	}, func(key uintptr) error {
		private, public, err := o.halves(c.Algorithm, key)
		if err != nil {
			return err
		}
		return v.Accept(slices.Concat(private, public))
	})
	return s.Operation(op), nil
}

// openDraws is the generation of RSA keys, each a draw of the system's randomness.
//
//	int botan_privkey_rsa_get_privkey(botan_privkey_t key, uint8_t out[], size_t *out_len, uint32_t flags)
func (o on) openDraws(c result.Case) (provider.Scenario, error) {
	each, err := strconv.Atoi(c.Parameter("draws"))
	if err != nil || each < 1 {
		return nil, provider.Absent("parameters", c.Operation, "draws=N", c.Parameters)
	}
	v, err := o.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	s := o.session()
	x := s.caller()
	if s.Err != nil {
		return nil, s.refused(c.Name())
	}
	const longestKey = 1 << 13
	der := s.Room(longestKey)
	return s.Scenario(loop.NewDraws(loop.Draws[*keyPair]{
		Each:     each,
		Generate: func(io.Reader) (*keyPair, error) { return x.generate(c.Algorithm) },
		Judge: func(k *keyPair) error {
			*x.size = uint64(len(der))
			err := o.try("botan_privkey_rsa_get_privkey", k.handle, call.Bytes(der), call.Word(x.size), 0)
			runtime.KeepAlive(k)
			if err := errors.Join(err, binding.Filled(*x.size, len(der)), s.Outputs.Check()); err != nil {
				return err
			}
			return v.Accept(der[:*x.size])
		},
		Source: func(int) io.Reader { return nil },
	}), result.ThreadClock), nil
}

// openExchange is a step of a key exchange. Each makes objects that the next is
// given, so Go calls them one by one.
func (o on) openExchange(c result.Case, v *provider.Vector) (provider.Operation, error) {
	s := o.session()
	p := &party{caller: s.caller(), algorithm: c.Algorithm, buffer: s.Room(longestHalf),
		session: s.Room(provider.SessionBytes)}
	var op provider.Operation
	if s.Err == nil {
		op, s.Err = loop.OpenExchange(loop.Exchange{Generate: p.begin, Encapsulate: p.answer, Read: p.read, Derive: p.derive}, c, v)
	}
	if s.Err != nil {
		return nil, s.refused(c.Name())
	}
	return s.Operation(op), nil
}

// party does the steps of one algorithm.
type party struct {
	*caller
	algorithm string
	buffer    []byte // what was sent or agreed on last
	session   []byte // and what was derived of it
}

// longestHalf is longer than what any curve sends or agrees on.
const longestHalf = 256

// half is a key pair between the steps.
type half struct {
	*keyPair
	p *party
}

func (p *party) begin() (loop.PrivateHalf, error) {
	k, err := p.generate(p.algorithm)
	return half{k, p}, err
}

// read makes a key pair of the private bytes that the judge has.
func (p *party) read(private []byte) (loop.PrivateHalf, error) {
	s := &session{lib: p.lib, path: call.Purego}
	key := s.privateKey(result.Case{Algorithm: p.algorithm}, private, nil)
	if s.Err != nil {
		return nil, s.refused("the private key")
	}
	s.Disown() // the key, which outlives the session
	return half{p.own(key), p}, s.Close()
}

// Private is what the judge reads, and nobody times.
func (h half) Private() []byte {
	private, _, err := h.p.lib.halves(h.p.algorithm, h.handle)
	runtime.KeepAlive(h.keyPair)
	if err != nil {
		panic(err)
	}
	return private
}

// Public is what is sent.
//
//	int botan_pk_op_key_agreement_export_public(botan_privkey_t key, uint8_t out[], size_t *out_len)
func (h half) Public() []byte {
	p := h.p
	*p.size = longestHalf
	err := p.do("botan_pk_op_key_agreement_export_public", h.handle, call.Bytes(p.buffer), call.Word(p.size))
	runtime.KeepAlive(h.keyPair)
	if err = errors.Join(err, binding.Filled(*p.size, longestHalf)); err != nil {
		panic(err)
	}
	return slices.Clone(p.buffer[:*p.size])
}

// Decapsulate agrees on the secret of the pair and what the other party sent.
func (h half) Decapsulate(reply []byte) ([]byte, error) {
	p := h.p
	if err := p.do("botan_pk_op_key_agreement_create", call.Word(p.at), h.handle, p.text("Raw"), 0); err != nil {
		return nil, err
	}
	agreement := uintptr(*p.at)
	*p.size = longestHalf
	err := p.do("botan_pk_op_key_agreement", agreement, call.Bytes(p.buffer), call.Word(p.size), call.Bytes(reply), uintptr(len(reply)), 0, 0)
	runtime.KeepAlive(reply)
	runtime.KeepAlive(h.keyPair)
	if err := errors.Join(err, p.do("botan_pk_op_key_agreement_destroy", agreement), binding.Filled(*p.size,
		longestHalf)); err != nil {
		return nil, err
	}
	return slices.Clone(p.buffer[:*p.size]), nil
}

// answer is the second party's step.
func (p *party) answer(public []byte) (secret, reply []byte, err error) {
	own, err := p.begin()
	if err != nil {
		return nil, nil, err
	}
	secret, err = own.Decapsulate(public)
	return secret, own.Public(), err
}

// derive is HKDF with SHA-256 as sessions have it.
func (p *party) derive(secret []byte) ([]byte, error) {
	err := p.do("botan_kdf", p.text("HKDF(SHA-256)"), call.Bytes(p.session), uintptr(len(p.session)),
		call.Bytes(secret), uintptr(len(secret)), 0, 0,
		p.text(provider.SessionInfo), uintptr(len(provider.SessionInfo)))
	runtime.KeepAlive(secret)
	return slices.Clone(p.session), err
}
