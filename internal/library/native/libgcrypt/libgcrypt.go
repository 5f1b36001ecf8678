//go:build linux && (amd64 || arm64)

// Package libgcrypt measures libgcrypt 1.8 and later by its own interface:
//
//	cipher.go  modes and AEADs, a mix of message sizes, and messages handed over in pieces
//	setup.go   what comes before the first message
//	hash.go    hashes and keyed hashes
//	aead.go    a handle in the shape of crypto/cipher, for many goroutines, streams and the collector
//	cases.go   what is asked of it, and its numbers of ciphers, modes and hashes
package libgcrypt

import (
	"errors"
	"os"
	"runtime"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/object"
	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// DisableHWF is the variable that names CPU features which libgcrypt shall not
// use, separated by commas: it has no such variable of its own.
const DisableHWF = "CRYPTOGAUGE_GCRYPT_DISABLE_HWF"

// Commands of gcry_control and of the functions like it, of gcrypt.h.
const (
	ctlReset                  = 4
	ctlFinalize               = 5
	ctlDisableSecmem          = 37
	ctlInitializationFinished = 38
	ctlDisableHWF             = 63
)

// Library is an opened libgcrypt.
type Library struct {
	functions map[string]uintptr
	version   string
	vectors   provider.Vectors
}

// functions are the symbols that are called; memcpy is the C library's.
var functions = []string{"gcry_check_version", "gcry_control", "gcry_strerror", "memcpy",
	"gcry_cipher_open", "gcry_cipher_close", "gcry_cipher_setkey", "gcry_cipher_setiv", "gcry_cipher_setctr", "gcry_cipher_ctl",
	"gcry_cipher_encrypt", "gcry_cipher_decrypt", "gcry_cipher_authenticate", "gcry_cipher_gettag", "gcry_cipher_checktag",
	"gcry_md_open", "gcry_md_close", "gcry_md_reset", "gcry_md_write", "gcry_md_read",
	"gcry_mac_open", "gcry_mac_close", "gcry_mac_setkey", "gcry_mac_ctl", "gcry_mac_write", "gcry_mac_read"}

// Open finds the functions in a shared object and initialises the library.
func Open(o *object.Object, v provider.Vectors) (*Library, error) {
	found, err := o.Symbols(functions...)
	if err != nil {
		return nil, err
	}
	l := &Library{functions: found, vectors: v}
	return l, l.initialise()
}

// initialise does what the manual demands (Libgcrypt Reference Manual 2.4): the
// version is asked for before anything else, but for features of the CPU, which
// are looked for then. Keys of a laboratory need no locked memory.
func (l *Library) initialise() error {
	if features := os.Getenv(DisableHWF); features != "" {
		name := binding.CString(features)
		code := l.call("gcry_control", ctlDisableHWF, call.Bytes(name), 0)
		runtime.KeepAlive(name)
		if int32(code) != 0 {
			return reason.New("variable-refused", DisableHWF, features, l.refused("gcry_control", int32(code)))
		}
	}
	if l.version = binding.GoString(l.call("gcry_check_version", 0)); l.version == "" {
		return reason.New("gcry-no-version")
	}
	for _, command := range []uintptr{ctlDisableSecmem, ctlInitializationFinished} {
		if code := int32(l.call("gcry_control", command, 0)); code != 0 {
			return l.refused("gcry_control", code)
		}
	}
	return nil
}

// Version is "1.10.1".
func (l *Library) Version() string { return l.version }

// call calls a function once, where its time is nobody's concern.
func (l *Library) call(name string, args ...uintptr) uintptr {
	return call.Purego.Bind(l.functions[name]).Call(args...)
}

// newCall is a call of a function that returns a gcry_error_t.
func (l *Library) newCall(name string, args ...uintptr) call.Call {
	return call.New(l.functions[name], call.Zero, args...)
}

// refused says in libgcrypt's words what a function returned.
func (l *Library) refused(function string, code int32) error {
	return reason.New("function-says", function, binding.GoString(l.call("gcry_strerror", uintptr(code))), code&0xffff)
}

// run runs a program; an error names the function that failed.
func (l *Library) run(p call.Path, program call.Program, n int) error {
	err := p.Run(program, n)
	f, failed := errors.AsType[*call.Failure](err)
	if !failed {
		return err
	}
	function := "a function"
	for name, address := range l.functions {
		if address == program[f.Call].Func {
			function = name
		}
	}
	if f.Short {
		return provider.Incorrect("says-wrote", function, f.Word, f.Want)
	}
	return l.refused(function, f.Result)
}

// On is the library as it is called by one path.
func (l *Library) On(p call.Path, s result.Subject) provider.Provider { return on{l, p, s} }

type on struct {
	*Library
	path    call.Path
	subject result.Subject
}

func (o on) Subject() result.Subject { return o.subject }

var errLoop = provider.Absent("c-loop")

func (o on) Open(c result.Case) (provider.Operation, error) {
	if !offers(c) {
		return nil, provider.Absent("not-offered", "libgcrypt", c.Name()+" "+c.Operation)
	}
	switch {
	case c.Operation == "schedule":
		return o.openSchedule(c)
	case c.Operation == "new", c.Operation == "new+encrypt":
		return o.openConstruct(c)
	case (c.Operation == streaming.Operation || provider.Concurrent(c)) && isAEAD(c):
		if o.path.InC() {
			return nil, errLoop
		}
		op, _, err := binding.Shaped(c, o.vectors, o.aead(c))
		return op, err
	case c.Operation == "hash", c.Operation == "mac":
		return o.openHash(c)
	}
	return o.openCipher(c)
}

// OpenScenario opens what needs a handle in the shape of crypto/cipher.
func (o on) OpenScenario(c result.Case) (provider.Scenario, error) {
	_, _, collected := provider.BuffersOf(c)
	if !offers(c) || !isAEAD(c) || c.Operation != algorithm.Arrival && !(collected && c.Operation == "encrypt") {
		return nil, provider.Absent("not-offered", "libgcrypt", c.Name()+" "+c.Operation)
	}
	if o.path.InC() {
		return nil, errLoop
	}
	return binding.ShapedScenario(c, o.vectors, o.aead(c))
}

func isAEAD(c result.Case) bool { return c.Mode == "GCM" || c.Algorithm == "ChaCha20-Poly1305" }

// Implementation: libgcrypt tells which CPU features it has seen, not what it runs.
func (on) Implementation(result.Case) string { return "unknown" }

func (on) ConstantTime(result.Case) result.ConstantTime {
	return reason.Timing("unknown", "kernel-inside")
}

func (o on) Note(c result.Case) string {
	hash := c.Operation == "hash"
	switch {
	case c.Operation == "schedule":
		return "gcry_cipher_setkey on an open handle"
	case c.Operation == "new":
		return "gcry_cipher_open, gcry_cipher_setkey, and gcry_cipher_close of the one before"
	case c.Operation == "new+encrypt":
		return "gcry_cipher_open and gcry_cipher_setkey for each message, which is sealed, then gcry_cipher_close"
	case c.Operation == streaming.Operation:
		return streaming.Note(c, o.vectors)
	case provider.Concurrent(c), c.Operation == algorithm.Arrival:
		return "a handle serves one goroutine at a time: as many are kept as were needed at once"
	case hash && !o.path.InC():
		return "gcry_md_read shows the digest inside the handle; it is copied out in Go"
	case hash:
		return "gcry_md_read shows the digest inside the handle; it is copied out by memcpy"
	case slices.Contains([]string{"encrypt", "decrypt"}, c.Operation) && c.Parameter("way") == wayOneshot:
		return "GCRYCTL_FINALIZE, then the message in one call"
	}
	return ""
}
