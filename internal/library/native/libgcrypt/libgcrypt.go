//go:build linux && (amd64 || arm64)

// Package libgcrypt measures libgcrypt 1.8 and later by its own interface.
package libgcrypt

import (
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

func (l *Library) On(p call.Path, s result.Subject) cbinding.Described {
	return on{cbinding.Provider{Library: l.Library, Path: p, As: s, Kind: kindOf,
		AEAD: func(c result.Case) loop.NewAEADFunc { return l.newAEAD(p, c) },
		InGo: []cbinding.Kind{cbinding.Setup},
		Opens: map[cbinding.Kind]cbinding.Opening{
			cbinding.Cipher: openCipher, cbinding.Schedule: openSchedule, cbinding.Setup: openSetup,
			cbinding.Hash: openHash, cbinding.MAC: openMAC, cbinding.Random: openRandom,
		}}}
}

type on struct{ cbinding.Provider }

func kindOf(c result.Case) cbinding.Kind {
	kind := cbinding.KindOf(c)
	switch {
	case kind == cbinding.Hash || kind == cbinding.MAC:
		if hashNumbers[c.Algorithm] == 0 {
			return cbinding.None
		}
	case kind == cbinding.Composite || kind == cbinding.Exposed:
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
