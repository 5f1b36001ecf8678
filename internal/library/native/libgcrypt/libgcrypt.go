//go:build linux && (amd64 || arm64)

// Package libgcrypt measures libgcrypt 1.8 and later by its own interface.
package libgcrypt

import (
	"cmp"
	"os"
	"runtime"
	"strings"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/object"
	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Commands of gcry_control and of the functions like it, of gcrypt.h.
const (
	ctlReset                  = 4
	ctlFinalize               = 5
	ctlDisableSecmem          = 37
	ctlInitializationFinished = 38
	ctlDisableHWF             = 63
	ctlSetCCMLengths          = 69
)

type Library struct{ *cbinding.Library }

// Open finds the functions in a shared object and initialises the library.
func Open(o *object.Object, v provider.Vectors) (*Library, error) {
	const name = "libgcrypt"
	l := &Library{&cbinding.Library{Object: o, Vectors: v, Name: name, Title: name, Since: "1.8", Success: call.Zero}}
	l.Says = func(function string, result any) error {
		code, _ := result.(int32)
		return reason.New("function-says", function, cbinding.GoString(l.Call("gcry_strerror", uintptr(code))), code&0xffff)
	}
	l.Refuses = func(what string, f *cbinding.Fault) error {
		if strings.HasSuffix(f.Function, "_open") {
			return provider.Unsupported("version-has-no-since", l.Title, l.Release, what, f)
		}
		return provider.Unsupported("version-says", l.Title, l.Release, f)
	}
	if err := o.Has("gcry_check_version", "gcry_control", "gcry_strerror"); err != nil {
		return nil, err
	}
	return l, l.initialise()
}

// initialise does what the manual demands (Libgcrypt Reference Manual 2.4): the
// version is asked for before anything else, but for features of the CPU, which
// are looked for then. Keys of a laboratory need no locked memory.
func (l *Library) initialise() error {
	s := l.Session(call.Purego)
	if features := os.Getenv(parameter.DisableHWF); features != "" {
		if s.Do("gcry_control", ctlDisableHWF, s.Text(features), 0); s.Err != nil {
			return reason.New("variable-refused", parameter.DisableHWF, features, s.Err)
		}
	}
	if l.Release = cbinding.GoString(l.Call("gcry_check_version", 0)); l.Release == "" {
		return reason.New("gcry-no-version")
	}
	s.Do("gcry_control", ctlDisableSecmem, 0)
	s.Do("gcry_control", ctlInitializationFinished, 0)
	runtime.KeepAlive(s)
	return s.Err
}

func (l *Library) On(p call.Path, s result.Subject) []provider.Provider {
	return []provider.Provider{on{cbinding.Provider{Library: l.Library, Path: p, As: s, Kind: kindOf,
		Handle: openHandle,
		InGo:   []cbinding.Kind{cbinding.Setup},
		Opens: map[cbinding.Kind]cbinding.Opening{
			cbinding.Cipher: openCipher, cbinding.Schedule: openSchedule, cbinding.Setup: openSetup,
			cbinding.Hash: openHash, cbinding.MAC: openMAC, cbinding.Random: openRandom,
		}}}}
}

type on struct{ cbinding.Provider }

func kindOf(c result.Case) cbinding.Kind {
	kind := cbinding.KindOf(c)
	if kind.Hashes() && hashNumbers[c.Algorithm] == 0 {
		return cbinding.None
	}
	return kind
}

// Implementation: libgcrypt tells which CPU features it has seen, not what it runs.
func (on) Implementation(result.Case) string { return "unknown" }

func (on) ConstantTime(result.Case) result.ConstantTime {
	return reason.Timing("unknown", "kernel-inside")
}

func (o on) Note(c result.Case) string {
	switch kind := kindOf(c); {
	case kind == cbinding.Random:
		return "gcry_create_nonce, for what is public and must not repeat"
	case kind == cbinding.Schedule:
		return "gcry_cipher_setkey on an open handle"
	case kind == cbinding.Setup && c.Operation == algorithm.New:
		return "gcry_cipher_open, gcry_cipher_setkey, and gcry_cipher_close of the one before"
	case kind == cbinding.Setup:
		return "gcry_cipher_open and gcry_cipher_setkey for each message, which is sealed, then gcry_cipher_close"
	case kind == cbinding.Stream:
		return streaming.Note(c, o.Vectors)
	case kind == cbinding.Many:
		return "a handle serves one goroutine at a time: as many are kept as were needed at once"
	case kind == cbinding.Hash && o.Path.InC():
		return "gcry_md_read shows the digest inside the handle; it is copied out by memcpy"
	case kind == cbinding.Hash:
		return "gcry_md_read shows the digest inside the handle; it is copied out in Go"
	case kind == cbinding.Cipher && parameter.Way.In(c.Parameters) == parameter.Oneshot:
		return "GCRYCTL_FINALIZE, then the message in one call"
	}
	return ""
}

// hashNumbers are enum gcry_md_algos, and of keyed hashes enum gcry_mac_algos.
var hashNumbers = map[algorithm.Name]uintptr{algorithm.MD5: 1, algorithm.SHA1: 2, algorithm.SHA256: 8,
	algorithm.SHA512: 10, algorithm.SHA3of256: 313, algorithm.BLAKE2b512: 318, algorithm.SM3: 326,
	algorithm.HMACSHA256: 101, algorithm.HMACSM3: 128}

// openHash makes a handle whose state is reset for each message, which is written and
// its digest read. The digest stands in the handle, at the same place each time, and is
// copied from there: in Go, or in the loop in C by memcpy.
func openHash(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	md := s.Make("gcry_md_close", "gcry_md_open", hashNumbers[c.Algorithm], 0)
	f := loop.Foreign{Want: v.Digest, Out: provider.PlacedLike(v.Digest, len(v.Digest), len(v.Digest))}
	p := s.Program()
	p.AddBy(call.Any, "gcry_md_reset", md)
	p.AddBy(call.Any, "gcry_md_write", md, s.Bytes(v.Plaintext), uintptr(len(v.Plaintext)))
	p.AddBy(call.Any, "gcry_md_read", md, 0)
	if s.Err == nil {
		s.Err = s.Run(call.Purego, p.Calls, 1)
	}
	place := &p.Calls[2].Result
	if s.Err == nil && *place == 0 {
		s.Err = reason.New("gcry-no-digest")
	}
	if s.Path.InC() {
		p.AddBy(call.Any, "memcpy", s.Bytes(f.Out), *place, uintptr(len(f.Out))) // the C library's
		return p.Operation(c.Name(), f)
	}
	return s.Operation(c.Name(), func(n int) error {
		for range n {
			if err := s.Path.Run(p.Calls, 1); err != nil {
				return err
			}
			copy(f.Out, unsafe.Slice(*(**byte)(unsafe.Pointer(place)), len(f.Out)))
		}
		return nil
	}, f)
}

// openRandom is gcry_create_nonce, the generator for what is public and must not repeat.
func openRandom(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	return s.Drawing(c, v, func(p *cbinding.Program, out []byte) {
		p.AddBy(call.Any, "gcry_create_nonce", p.Bytes(out), uintptr(len(out)))
	})
}

// openMAC sets the key before, as the hash is keyed in every library.
func openMAC(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	mac, size := s.Make("gcry_mac_close", "gcry_mac_open", hashNumbers[c.Algorithm], 0, 0), s.Word()
	s.Do("gcry_mac_setkey", mac, s.Bytes(v.Key), uintptr(len(v.Key)))
	f := loop.Foreign{Want: v.Digest, Out: s.RoomLike(v.Digest, len(v.Digest))}
	want := uint64(len(f.Out))
	p := s.Program()
	p.Add("gcry_mac_ctl", mac, ctlReset, 0, 0)
	p.Add("gcry_mac_write", mac, s.Bytes(v.Plaintext), uintptr(len(v.Plaintext)))
	p.Add("gcry_mac_read", mac, s.Bytes(f.Out), call.Word(size)).Setting(size, want).Expecting(size, want)
	return p.Operation(c.Name(), f)
}

// Numbers of gcrypt.h: enum gcry_cipher_algos, enum gcry_cipher_modes. One block is ECB;
// what has no mode has one by its name.
var (
	cipherNumbers = map[algorithm.Name]uintptr{algorithm.AES128: 7, algorithm.AES192: 8, algorithm.AES256: 9,
		algorithm.SM4: 318, algorithm.ChaCha20: 316, algorithm.ChaCha20Poly1305: 316}
	modeNumbers = map[string]uintptr{algorithm.ECB: 1, algorithm.OneBlock: 1, algorithm.CFB: 2, algorithm.CBC: 3,
		algorithm.ChaCha20: 4, algorithm.OFB: 5, algorithm.CTR: 6, algorithm.CCM: 8, algorithm.GCM: 9,
		algorithm.ChaCha20Poly1305: 10}
)

func numbersOf(c result.Case) (cipher, mode uintptr) {
	return cipherNumbers[c.Algorithm], modeNumbers[cmp.Or(c.Mode, c.Algorithm)]
}

// newHandle makes a gcry_cipher_hd_t and schedules the key.
func newHandle(s *cbinding.Session, c result.Case, key []byte) uintptr {
	cipher, mode := numbersOf(c)
	h := s.Make("gcry_cipher_close", "gcry_cipher_open", cipher, mode, 0)
	s.Do("gcry_cipher_setkey", h, s.Bytes(key), uintptr(len(key)))
	return h
}

// pattern is how a message is handed over: in pieces of so many bytes, 0 for all at
// once, and after having said that the end is in the next one.
type pattern struct {
	piece    int
	finalize bool
}

func patternOf(c result.Case) (pattern, error) {
	piece, way := parameter.Call.In(c.Parameters), parameter.Way.In(c.Parameters)
	switch {
	case piece == 0:
		return pattern{}, nil
	case way == parameter.Oneshot && piece >= c.Bytes:
		return pattern{finalize: true}, nil
	case way == parameter.Update && algorithm.WholeBlocks(c.Mode) && piece%cbinding.BlockSize != 0:
		return pattern{}, provider.Unsupported("gcry-blocks", c.Mode)
	case way == parameter.Update:
		return pattern{piece: int(piece)}, nil
	}
	return pattern{}, provider.Absent("not-offered", "libgcrypt", c.Parameters)
}

// adding appends what a message takes: its IV, its additional data, the data in pieces,
// the tag. CCM wants to know their lengths before them (Libgcrypt Reference Manual, "Working
// with cipher handles").
func adding(h uintptr, c result.Case, d loop.Direction, how pattern) func(*cbinding.Program, cbinding.Message) {
	setIV, crypt := "gcry_cipher_setiv", "gcry_cipher_encrypt"
	if c.Mode == algorithm.CTR {
		setIV = "gcry_cipher_setctr"
	}
	if d == loop.Decrypt {
		crypt = "gcry_cipher_decrypt"
	}
	return func(p *cbinding.Program, m cbinding.Message) {
		bytes := func(function string, b []byte) { p.Add(function, h, call.Bytes(b), uintptr(len(b))) }
		if len(m.Nonce) > 0 {
			bytes(setIV, m.Nonce)
		}
		n := min(len(m.In), len(m.Out))
		if c.Mode == algorithm.CCM {
			lengths := []uint64{uint64(n), uint64(len(m.AAD)), cbinding.TagSize}
			p.Keep(lengths)
			p.Add("gcry_cipher_ctl", h, ctlSetCCMLengths, call.Word(&lengths[0]), uintptr(8*len(lengths)))
		}
		if len(m.AAD) > 0 {
			bytes("gcry_cipher_authenticate", m.AAD)
		}
		if how.finalize {
			p.Add("gcry_cipher_ctl", h, ctlFinalize, 0, 0)
		}
		for at, end := 0, -1; end < n; at = end {
			if end = n; how.piece > 0 {
				end = min(at+how.piece, n)
			}
			p.Add(crypt, h, call.Bytes(m.Out[at:end]), uintptr(end-at), call.Bytes(m.In[at:end]), uintptr(end-at))
		}
		switch {
		case cbinding.Seals(c) && d == loop.Encrypt:
			bytes("gcry_cipher_gettag", m.Out[n:])
		case cbinding.Seals(c):
			bytes("gcry_cipher_checktag", m.In[n:])
		}
	}
}

func openCipher(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	how, err := patternOf(c)
	if err != nil {
		return nil, err
	}
	return messages(s, newHandle(s, c, v.Key), c, cbinding.DirectionOf(c), v, how)
}

func messages(s *cbinding.Session, h uintptr, c result.Case, d loop.Direction, v *provider.Vector, how pattern) (
	provider.Operation, error) {
	return s.Messages(c.Name(), d, v, cbinding.TagOf(c), 0, s.InOrder(adding(h, c, d, how)))
}

func openHandle(s *cbinding.Session, c result.Case, key []byte, d loop.Direction) (*cbinding.Handle, error) {
	w := &cbinding.OneWay{Program: s.Program(), Direction: d, Nonce: 1, AAD: 1}
	w.Point = func(rest call.Program, out, in, tag, n uintptr) {
		text := rest[0].Args[1:5]
		text[0], text[1], text[2], text[3] = out, n, in, n
		rest[1].Args[1] = tag
	}
	return w.Begin(adding(newHandle(s, c, key), c, d, pattern{})).Handle(c.Name())
}

// openSchedule schedules the key in an open handle, again and again.
func openSchedule(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	c.Mode = algorithm.ECB
	h := newHandle(s, c, v.Key)
	set := func(key []byte) *cbinding.Program {
		p := s.Program()
		p.Add("gcry_cipher_setkey", h, s.Bytes(key), uintptr(len(key)))
		return p
	}
	other := set(make([]byte, len(v.Key)))
	return set(v.Key).Operation(c.Name(), loop.Foreign{Accept: func([]byte) error {
		if err := works(s, h, c, v); err != nil {
			return reason.New("scheduled-key", err)
		}
		return other.Times(1) // so that only a schedule can make it right again
	}})
}

// works lets a handle encrypt and decrypt the vector's message, and judges both.
func works(s *cbinding.Session, h uintptr, c result.Case, v *provider.Vector) error {
	for _, d := range []loop.Direction{loop.Encrypt, loop.Decrypt} {
		op, err := messages(s.Session(call.Purego), h, c, d, v, pattern{})
		if err != nil {
			return err
		}
		if err := cmp.Or(op.Run(1), op.Check(), op.Close()); err != nil {
			return err
		}
	}
	return nil
}

// openSetup makes an AEAD ready for messages, again and again, each in the place of the
// one before, and lets it seal one where the case wants that.
func openSetup(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	newHandle(s, c, v.Key) // which refuses now what it would refuse later
	cipher, mode := numbersOf(c)
	h, p, freeing := s.Word(), s.Program(), s.Program()
	p.Add("gcry_cipher_open", call.Word(h), cipher, mode, 0)
	p.Add("gcry_cipher_setkey", 0, s.Bytes(v.Key), uintptr(len(v.Key)))
	freeing.AddBy(call.Any, "gcry_cipher_close", 0)
	f := loop.Foreign{}
	if c.Operation == algorithm.NewEncrypt {
		f = loop.Foreign{Want: v.Ciphertext, Tag: cbinding.TagSize, Out: s.RoomLike(v.Ciphertext, len(v.Ciphertext))}
		adding(0, c, loop.Encrypt, pattern{})(p, cbinding.Message{Nonce: v.Nonce, AAD: v.AAD, In: v.Plaintext, Out: f.Out})
	}
	drop := func() error {
		if freeing.Calls[0].Args[0] = uintptr(*h); *h == 0 {
			return nil
		}
		*h = 0
		return s.Path.Run(freeing.Calls, 1)
	}
	s.Own(drop)
	run := func(n int) error {
		for range n {
			if err := drop(); err != nil {
				return err
			}
			if err := s.Path.Run(p.Calls[:1], 1); err != nil {
				*h = 0
				return s.Explain(p.Calls, err)
			}
			for i := range p.Calls[1:] {
				p.Calls[1+i].Args[0] = uintptr(*h)
			}
			if err := s.Path.Run(p.Calls[1:], 1); err != nil {
				return s.Explain(p.Calls[1:], err)
			}
		}
		return nil
	}
	if c.Operation == algorithm.NewEncrypt {
		return s.Operation(c.Name(), func(n int) error { return cmp.Or(run(n), drop()) }, f)
	}
	f.Accept = func([]byte) error {
		if *h == 0 {
			return reason.New("no-handle")
		}
		if err := cmp.Or(works(s, uintptr(*h), c, v), drop()); err != nil {
			return reason.New("made-last", err)
		}
		return nil
	}
	return s.Operation(c.Name(), run, f)
}
