//go:build linux && (amd64 || arm64)

package openssl

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/bench"
	"github.com/cryptogauge/cryptogauge/internal/library/catalog"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/object"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// found are the libraries that the tests are of: this system's, or that of the
// variable, for another version.
const variable = "CRYPTOGAUGE_TEST_LIBCRYPTO"

// open opens the library on each path. In CI there must be one.
func open(t testing.TB) (*object.Object, *judge.Judge) {
	t.Helper()
	paths := catalog.Libraries()[0].Find()
	if path := os.Getenv(variable); path != "" {
		paths = []string{path}
	}
	if len(paths) == 0 {
		if os.Getenv("CI") != "" {
			t.Fatal("there is no OpenSSL, and in CI there must be")
		}
		t.Skip(catalog.Libraries()[0].Missing())
	}
	o, err := object.Open(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	mix := []result.SizeShare{{Bytes: 0, Weight: 1}, {Bytes: 40, Weight: 4}, {Bytes: 1350, Weight: 3}}
	return o, judge.New(provider.Setting{Seed: 1, Mix: mix})
}

func openLibrary(t testing.TB) (*Library, *judge.Judge) {
	t.Helper()
	o, judge := open(t)
	l, err := Open(o, judge)
	if err != nil {
		t.Fatal(err)
	}
	return l, judge
}

func byPath(l *Library, p call.Path) provider.Provider {
	return bench.OnEveryCPU(l.On(p, result.Subject{Library: "openssl", Version: l.Version(), CallPath: p.Name}))[0]
}

func cases(algorithms, modes, operations, parameters []string, sizes ...int) (cs []result.Case) {
	for _, a := range algorithms {
		for _, m := range modes {
			for _, o := range operations {
				for _, p := range parameters {
					cs = append(cs, providertest.Sizes(result.Case{Algorithm: a, Mode: m, Operation: o, Parameters: p}, sizes...)...)
				}
			}
		}
	}
	return cs
}

var (
	none     = []string{""}
	bothWays = []string{"encrypt", "decrypt"}
	signs    = []string{"sign", "verify"}
	allAES   = []string{"AES-128", "AES-192", "AES-256"}
	blocks   = append(slices.Clone(allAES), "SM4")
)

// conformance are the cases by which part of the library does them.
func conformance(judge *judge.Judge) map[string][]result.Case {
	sizes := append(providertest.Boundaries(16), 1000, 1024, 4097)
	mixed := func(parameters string) []string { return []string{seeded.MixParameters(parameters, 7)} }
	all := 0
	for _, n := range seeded.DrawMix(1, judge.Setting().Mix, 7) {
		all += n
	}
	return map[string][]result.Case{
		"modes": slices.Concat(cases(blocks, []string{"ECB", "CBC", "CFB", "OFB", "CTR", "GCM", "CCM"}, bothWays, none, sizes...),
			cases([]string{"ChaCha20", "ChaCha20-Poly1305"}, none, bothWays, none, sizes...),
			cases(blocks, []string{algorithm.OneBlock}, bothWays, none, 16)),
		"composites": slices.Concat(cases(allAES, []string{"CBC+HMAC-SHA-256"}, bothWays, []string{parameter.PKCS7Padding}, sizes...),
			cases([]string{"SM4"}, []string{"CBC+HMAC-SM3"}, bothWays, []string{parameter.PKCS7Padding}, sizes...)),
		"mixes": slices.Concat(cases(blocks, []string{"GCM", "CCM"}, bothWays, mixed(""), all), cases([]string{"ChaCha20-Poly1305"}, none, bothWays, mixed(""), all),
			cases([]string{"SM4"}, []string{"CBC+HMAC-SM3"}, bothWays, mixed(parameter.PKCS7Padding), all)),
		"ways": slices.Concat(cases([]string{"AES-128", "SM4"}, []string{"ECB", "CBC", "CFB", "OFB", "CTR", "GCM", "CCM"}, []string{"encrypt"},
			[]string{"call=1,way=update", "call=7,way=update", "call=16,way=update", "call=100,way=update", "call=4096,way=update", "call=4096,way=oneshot"}, 16, 256, 4096),
			cases([]string{"ChaCha20", "ChaCha20-Poly1305"}, none, []string{"encrypt"}, []string{"call=7,way=update", "call=4096,way=oneshot"}, 1, 4096)),
		"setup": slices.Concat(cases(blocks, none, []string{"schedule"}, none, 0),
			cases(blocks, []string{"GCM"}, []string{"new"}, none, 0), cases(blocks, []string{"GCM"}, []string{"new+encrypt"}, none, 64, 1024),
			cases([]string{"ChaCha20-Poly1305"}, none, []string{"new"}, none, 0), cases([]string{"ChaCha20-Poly1305"}, none, []string{"new+encrypt"}, none, 64)),
		"digests": slices.Concat(cases([]string{"MD5", "SHA-256", "SHA3-256", "BLAKE2b-512", "SM3"}, none, []string{"hash"}, none, append(sizes, providertest.Boundaries(64)...)...),
			cases([]string{"HMAC-SHA-256", "HMAC-SM3"}, none, []string{"mac"}, none, sizes...),
			cases([]string{"HKDF-SHA-256"}, none, []string{"derive"}, none, 1, 32, 100, 8160)),
		"RSA": slices.Concat(cases([]string{"RSA-1024", "RSA-2048"}, []string{"OAEP-SHA-256", "PKCS1v15"}, bothWays, []string{"", "message=0", "message=20"}, 0),
			cases([]string{"RSA-1024", "RSA-2048"}, []string{"PSS-SHA-256", "PKCS1v15-SHA-256"}, signs, none, 0),
			cases([]string{"RSA-2048"}, []string{"OAEP-SHA-256"}, []string{"decrypt"}, []string{"crt=no"}, 0),
			cases([]string{"RSA-2048"}, []string{"PSS-SHA-256"}, []string{"sign"}, []string{"crt=no"}, 0)),
		"curves": slices.Concat(cases([]string{"ECDSA-P-256", "ECDSA-P-384", "Ed25519", "SM2", "ML-DSA-44", "ML-DSA-65"}, none, append([]string{"generate"}, signs...), none, 0),
			cases([]string{"SM2"}, none, signs, []string{"za=precomputed"}, 0), cases([]string{"SM2"}, none, bothWays, none, 0),
			cases([]string{"ECDH-P-256", "X25519"}, none, []string{"agree"}, none, 0)),
		"busy": cases([]string{"ECDSA-P-256"}, none, signs, []string{"busy=2"}, 0),
		"exchanges": cases([]string{"ECDH-P-256", "ECDH-P-384", "X25519", "ML-KEM-768", "ML-KEM-1024", "X25519MLKEM768"}, none,
			[]string{"generate", "encapsulate", "decapsulate", "session", "session-key"}, none, 0),
		"envelopes": slices.Concat(cases([]string{algorithm.Envelope}, []string{"RSA-2048-OAEP+AES-256-GCM", "RSA-4096-OAEP+AES-256-GCM", "SM2+SM4-GCM"}, []string{"seal", "open"}, none, 0, 100, 4096),
			cases([]string{algorithm.Envelope}, []string{"AES-256-GCM", "SM4-GCM"}, []string{"seal", "open"}, []string{parameter.ReusedKey}, 0, 100, 4096)),
		"goroutines": slices.Concat(cases([]string{"AES-128"}, []string{"GCM"}, []string{"encrypt"},
			[]string{"goroutines=3,holding=shared,request=2", "goroutines=2,holding=own,request=2", "goroutines=2,holding=new,request=1", "goroutines=2,holding=pool,request=1"}, 64),
			cases([]string{"ChaCha20-Poly1305"}, none, []string{"encrypt"}, []string{"goroutines=3,holding=shared,request=2"}, 64)),
		"streams": slices.Concat(cases([]string{"AES-256"}, []string{"GCM"}, []string{"stream"}, []string{"chunk=4096,io=memory"}, 1<<20),
			cases([]string{"ChaCha20-Poly1305"}, none, []string{"stream"}, []string{"chunk=4096,io=memory"}, 1<<20)),
	}
}

// TestConformance: every path does rightly what it offers and reads its input.
func TestConformance(t *testing.T) {
	l, judge := openLibrary(t)
	paths := call.Paths()
	if testing.Short() {
		paths = paths[:1]
	}
	for name, all := range conformance(judge) {
		t.Run(name, func(t *testing.T) {
			for _, p := range paths {
				if offered := offers(l, p, all); len(offered) > 0 {
					providertest.Run(t, byPath(l, p), offered)
					sensitive(t, l, p, judge, offered)
				}
			}
		})
	}
}

// offers keeps the cases that a path opens. What it may not open is
// stated in TestWhatIsOpened.
func offers(l *Library, p call.Path, all []result.Case) (opened []result.Case) {
	for _, c := range all {
		op, err := byPath(l, p).Open(c)
		if errors.Is(err, errors.ErrUnsupported) {
			continue
		}
		if err == nil {
			op.Close()
		}
		opened = append(opened, c)
	}
	return opened
}

// with is the library with other vectors.
func with(t *testing.T, l *Library, v provider.Vectors) *Library {
	t.Helper()
	other, err := Open(l.Object, v)
	if err != nil {
		t.Fatal(err)
	}
	return other
}

func sensitive(t *testing.T, l *Library, p call.Path, judge *judge.Judge, offered []result.Case) {
	t.Helper()
	other := func(v provider.Vectors) provider.Provider {
		return byPath(with(t, l, v), p)
	}
	for _, c := range offered {
		if testing.Short() && c.Bytes > 64 {
			continue
		}
		if _, fixed := algorithm.FixedBytes(c.Algorithm, c.Mode, c.Operation); c.Bytes == 0 && !fixed ||
			c.Operation == "generate" || strings.HasPrefix(c.Operation, "session") || c.Operation == "stream" || c.Operation == "encapsulate" || c.Parameter("message") == "0" {
			continue
		}
		if err := providertest.Sensitive(other, judge, c); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

// TestWhatIsOpened proves that no case of the conformance is left out but those that
// the library's version or the path can't have.
func TestWhatIsOpened(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	l, judge := openLibrary(t)
	for name, all := range conformance(judge) {
		for _, p := range call.Paths() {
			for _, c := range all {
				op, err := byPath(l, p).Open(c)
				if err == nil {
					op.Close()
				}
				if want := refusedFor(l, p, c); (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
					t.Errorf("%s, %s: %s %s %s of %d bytes: %v; want %q", name, p.Name, c.Name(), c.Operation, c.Parameters, c.Bytes, err, want)
				}
			}
		}
	}
}

// refusedFor is what the reason for refusing a case must say.
func refusedFor(l *Library, p call.Path, c result.Case) string {
	lattice := strings.HasPrefix(c.Algorithm, "ML-") || strings.Contains(c.Algorithm, "MLKEM")
	goes := c.Parameter("goroutines") != "" || slices.Contains([]string{"stream", "seal", "open", "encapsulate", "decapsulate", "session", "session-key"}, c.Operation) ||
		c.Operation == "generate" && kindOf(c) == cbinding.Exchange
	switch {
	case goes && p.InC():
		return "here Go decides what comes next"
	case (c.Algorithm == "SM4" && c.Mode == "GCM" || strings.HasSuffix(c.Mode, "SM4-GCM")) && l.minor() < 1:
		return "has no SM4-GCM"
	case c.Mode == "CCM" && c.Parameter("way") == "update" && parameter.Call.In(c.Parameters) < c.Bytes:
		return "in one call"
	case c.Algorithm == "SM4" && c.Mode == "CCM" && l.minor() < 1:
		return "has no SM4-CCM"
	case lattice && l.minor() < 5:
		return "has no ML-"
	case (c.Mode == "ECB" || c.Mode == "CBC") && c.Bytes%16 != 0:
		return "takes whole blocks"
	case c.Parameter("way") == "oneshot" && c.Bytes > 4096:
		return "can't be shorter"
	}
	return ""
}

// TestScenarios: what a loop of calls can't ask is measured and judged.
func TestScenarios(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	l, _ := openLibrary(t)
	collected := []string{"buffers=fresh,heap=0", "buffers=reused,heap=0", "buffers=pool,heap=0"}
	all := slices.Concat(cases([]string{"AES-256"}, []string{"GCM"}, []string{"encrypt"}, collected, 1024),
		cases([]string{"RSA-2048"}, []string{"PSS-SHA-256"}, []string{"sign"}, collected, 0),
		cases([]string{"RSA-2048"}, []string{"OAEP-SHA-256"}, []string{"decrypt"}, collected, 0),
		cases([]string{"ECDSA-P-256", "SM2"}, none, []string{"sign"}, collected, 0),
		cases([]string{"ECDH-P-256", "X25519"}, none, []string{"agree"}, collected, 0),
		cases([]string{"AES-256"}, []string{"GCM"}, []string{"arrival"}, []string{"load=50,request=4"}, 1024),
		cases([]string{"ChaCha20-Poly1305"}, none, []string{"arrival"}, []string{"load=50,request=4"}, 1024),
		cases([]string{"AES-128", "SM4"}, []string{"ECB", "CBC", "CTR"}, []string{"exposure"}, none, loop.ExposureBytes),
		cases([]string{"RSA-1024"}, none, []string{"generate"}, []string{"draws=2"}, 0))
	for _, c := range all {
		for _, p := range call.Paths() {
			err := measured(byPath(l, p), c)
			if p.InC() && errors.Is(err, provider.ErrAbsent) && c.Operation != "exposure" && c.Operation != "generate" {
				continue
			}
			if err != nil {
				t.Errorf("%s: %s %s %s: %v", p.Name, c.Name(), c.Operation, c.Parameters, err)
			}
		}
	}
}

func measured(p provider.Provider, c result.Case) error {
	s, err := provider.PrepareScenario(p, c)
	if err != nil {
		return err
	}
	defer s.Close()
	if s.Check() == nil {
		return errors.New("a Check before anything was measured passes")
	}
	sample := func(f func() (int64, error)) (result.Sample, error) {
		begun := time.Now()
		calls, err := f()
		took := int64(time.Since(begun))
		return result.Sample{Calls: calls, Thread: took, Process: took, Wall: took, Cycles: -1}, err
	}
	if _, err := s.Measure(context.Background(), provider.Budget{Seconds: 0.01, Block: 1, Sample: sample}); err != nil {
		return err
	}
	return s.Check()
}

// lying hands out vectors whose judge is shown another output than there was.
type lying struct{ provider.Vectors }

func (l lying) Vector(c result.Case) (*provider.Vector, error) {
	v, err := l.Vectors.Vector(c)
	if err != nil || v.Accept == nil {
		return v, err
	}
	wrong := *v
	wrong.Accept = func(got []byte) error {
		got = slices.Clone(got)
		got[len(got)-1] ^= 1
		return v.Accept(got)
	}
	return &wrong, nil
}

// TestJudged: outputs that are random go to the judge, and what it says counts.
func TestJudged(t *testing.T) {
	l, judge := openLibrary(t)
	other := with(t, l, lying{judge})
	for _, p := range call.Paths() {
		for _, c := range slices.Concat(cases([]string{"ECDSA-P-256", "Ed25519", "SM2"}, none, []string{"sign", "generate"}, none, 0),
			cases([]string{"RSA-2048"}, []string{"PSS-SHA-256", "PKCS1v15-SHA-256"}, []string{"sign"}, none, 0),
			cases([]string{"RSA-2048"}, []string{"OAEP-SHA-256"}, []string{"encrypt"}, none, 0), cases([]string{"SM2"}, none, []string{"encrypt"}, none, 0),
			cases([]string{"X25519", "ECDH-P-256"}, none, []string{"generate", "encapsulate", "session"}, none, 0)) {
			err := providertest.Verify(byPath(other, p), c)
			if err == nil || errors.Is(err, errors.ErrUnsupported) && !p.InC() {
				t.Errorf("%s: %s %s: %v, though the judge was shown a wrong output", p.Name, c.Name(), c.Operation, err)
			}
		}
	}
}

// TestNoAllocation: a kept AEAD takes nothing from Go's heap.
func TestNoAllocation(t *testing.T) {
	l, _ := openLibrary(t)
	for _, p := range call.Paths() {
		a, err := l.On(p, result.Subject{})[0].(on).AEAD(result.Case{Algorithm: "AES-128", Mode: "GCM"})(make([]byte, 16))
		if err != nil {
			t.Fatal(err)
		}
		message, nonce := make([]byte, 64, 128), make([]byte, 12)
		sealed := a.Seal(nil, nonce, message, nil)
		if n := testing.AllocsPerRun(100, func() {
			message = a.Seal(message[:0], nonce, message[:64], nil)[:64]
			if _, err := a.Open(message[:0], nonce, sealed, nil); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %.1f allocations", p.Name, n)
		}
	}
}

// TestReasons: a failure names the function and OpenSSL's own reason.
func TestReasons(t *testing.T) {
	l, _ := openLibrary(t)
	_, err := byPath(l, call.Purego).Open(result.Case{Algorithm: "RSA-1024", Mode: "OAEP-SHA-256", Operation: "encrypt", Parameters: "message=100"})
	if !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "EVP_PKEY_encrypt returned") || !strings.Contains(err.Error(), "data too large for key size") {
		t.Errorf("100 bytes for a key of 1024 bits: %v", err)
	}
}

// TestRandom: both draws are new each time, on every path.
func TestRandom(t *testing.T) {
	l, judge := openLibrary(t)
	for _, p := range call.Paths() {
		for mode, n := range map[string]int64{"nonce": 12, "iv": 16} {
			c := result.Case{Algorithm: "random", Mode: mode, Operation: "draw", Bytes: n}
			if err := providertest.Verify(byPath(with(t, l, judge), p), c); err != nil {
				t.Errorf("%s, %s: %v", p.Name, mode, err)
			}
		}
	}
}
