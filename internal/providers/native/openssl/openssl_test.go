//go:build linux && (amd64 || arm64)

package openssl

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/providers"
	"github.com/cryptogauge/cryptogauge/internal/providers/catalog"
	"github.com/cryptogauge/cryptogauge/internal/providers/native/call"
	"github.com/cryptogauge/cryptogauge/internal/providers/native/object"
	"github.com/cryptogauge/cryptogauge/provider"
	"github.com/cryptogauge/cryptogauge/provider/providertest"
	"github.com/cryptogauge/cryptogauge/result"
)

// found are the libraries that the tests are of: this system's, or that of the
// variable, for another version.
const variable = "CRYPTOGAUGE_TEST_LIBCRYPTO"

// open opens the library on each path. In CI there must be one.
func open(t testing.TB) (*object.Object, *providers.Judge) {
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
	return o, providers.NewJudge(provider.Setting{Seed: 1, Mix: mix})
}

func library(t testing.TB) (*Library, *providers.Judge) {
	t.Helper()
	o, judge := open(t)
	l, err := Open(o, judge)
	if err != nil {
		t.Fatal(err)
	}
	return l, judge
}

func byPath(l *Library, p call.Path) provider.Provider {
	return l.On(p, result.Subject{Library: "openssl", Version: l.Version(), CallPath: p.Name})
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
	sealing  = slices.Concat(cases(blocks, []string{"GCM"}, []string{"encrypt"}, none, 0), cases([]string{"ChaCha20-Poly1305"}, none, []string{"encrypt"}, none, 0))
)

// conformance are the cases by which part of the library does them.
func conformance(judge *providers.Judge) map[string][]result.Case {
	sizes := append(provider.Boundaries(16), 1000, 1024, 4097)
	mixed := func(parameters string) []string { return []string{provider.MixParameters(parameters, 7)} }
	all := 0
	for _, n := range provider.DrawMix(1, judge.Setting().Mix, 7) {
		all += n
	}
	return map[string][]result.Case{
		"modes": slices.Concat(cases(blocks, []string{"ECB", "CBC", "CFB", "OFB", "CTR", "GCM"}, bothWays, none, sizes...),
			cases([]string{"ChaCha20", "ChaCha20-Poly1305"}, none, bothWays, none, sizes...),
			cases(blocks, []string{provider.OneBlock}, bothWays, none, 16)),
		"composites": slices.Concat(cases(allAES, []string{"CBC+HMAC-SHA-256"}, bothWays, []string{provider.Padding}, sizes...),
			cases([]string{"SM4"}, []string{"CBC+HMAC-SM3"}, bothWays, []string{provider.Padding}, sizes...)),
		"mixes": slices.Concat(cases(blocks, []string{"GCM"}, bothWays, mixed(""), all), cases([]string{"ChaCha20-Poly1305"}, none, bothWays, mixed(""), all),
			cases([]string{"SM4"}, []string{"CBC+HMAC-SM3"}, bothWays, mixed(provider.Padding), all)),
		"ways": slices.Concat(cases([]string{"AES-128", "SM4"}, []string{"ECB", "CBC", "CFB", "OFB", "CTR", "GCM"}, []string{"encrypt"},
			[]string{"call=1,way=update", "call=7,way=update", "call=16,way=update", "call=100,way=update", "call=4096,way=update", "call=4096,way=oneshot"}, 16, 256, 4096),
			cases([]string{"ChaCha20", "ChaCha20-Poly1305"}, none, []string{"encrypt"}, []string{"call=7,way=update", "call=4096,way=oneshot"}, 1, 4096)),
		"batches": slices.Concat(cases([]string{"AES-128"}, []string{"CTR", "GCM"}, []string{"encrypt"}, []string{"batch=64"}, 64),
			cases([]string{"SHA-256"}, none, []string{"hash"}, []string{"batch=64"}, 64)),
		"setup": slices.Concat(cases(blocks, none, []string{"schedule"}, none, 0),
			cases(blocks, []string{"GCM"}, []string{"new"}, none, 0), cases(blocks, []string{"GCM"}, []string{"new+encrypt"}, none, 64, 1024),
			cases([]string{"ChaCha20-Poly1305"}, none, []string{"new"}, none, 0), cases([]string{"ChaCha20-Poly1305"}, none, []string{"new+encrypt"}, none, 64)),
		"digests": slices.Concat(cases([]string{"MD5", "SHA-256", "SHA3-256", "BLAKE2b-512", "SM3"}, none, []string{"hash"}, none, append(sizes, provider.Boundaries(64)...)...),
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
		"goroutines": slices.Concat(cases([]string{"AES-128"}, []string{"GCM"}, []string{"encrypt"},
			[]string{"goroutines=3,holding=shared,request=2", "goroutines=2,holding=own,request=2", "goroutines=2,holding=new,request=1", "goroutines=2,holding=pool,request=1"}, 64),
			cases([]string{"ChaCha20-Poly1305"}, none, []string{"encrypt"}, []string{"goroutines=3,holding=shared,request=2"}, 64)),
		"streams": slices.Concat(cases([]string{"AES-256"}, []string{"GCM"}, []string{"stream"}, []string{"chunk=4096,io=memory"}, 1<<20),
			cases([]string{"ChaCha20-Poly1305"}, none, []string{"stream"}, []string{"chunk=4096,io=memory"}, 1<<20)),
	}
}

// TestConformance: every path does rightly what it offers and reads its input.
func TestConformance(t *testing.T) {
	l, judge := library(t)
	for name, all := range conformance(judge) {
		t.Run(name, func(t *testing.T) {
			for _, p := range call.Paths() {
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

func sensitive(t *testing.T, l *Library, p call.Path, judge *providers.Judge, offered []result.Case) {
	t.Helper()
	with := func(v provider.Vectors) provider.Provider {
		other := Library{object: l.object, version: l.version, cpu: l.cpu, vectors: v, functions: l.functions, fetched: l.fetched}
		return byPath(&other, p)
	}
	for _, c := range offered {
		if _, fixed := provider.FixedBytes(c); c.Bytes == 0 && !fixed || c.Operation == "generate" || strings.HasPrefix(c.Operation, "session") || c.Operation == "stream" || c.Operation == "encapsulate" || c.Parameter("message") == "0" {
			continue
		}
		if err := providertest.Sensitive(with, judge, c); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}
