//go:build linux && (amd64 || arm64)

package botan_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/catalog"
	"github.com/cryptogauge/cryptogauge/internal/library/native/botan"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/object"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/result"
)

// objects are the libraries to test: those that lie where the catalog looks, and
// those that BOTAN_OBJECTS names, separated by colons. In CI there must be one.
func objects(t testing.TB) (all []*object.Object) {
	t.Helper()
	paths := strings.FieldsFunc(os.Getenv("BOTAN_OBJECTS"), func(r rune) bool { return r == ':' })
	for _, l := range catalog.Libraries() {
		if l.Name == "botan" && len(paths) == 0 {
			paths = l.Find()
		}
	}
	for _, path := range paths {
		o, err := object.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, o)
	}
	if len(all) == 0 && os.Getenv("CI") != "" {
		t.Fatal("there is no libbotan")
	}
	if len(all) == 0 {
		t.Skip("there is no libbotan")
	}
	return all
}

// on is a library by a call path, everyday and around.
func on(t testing.TB, o *object.Object, v provider.Vectors, p call.Path) []provider.Provider {
	t.Helper()
	l, err := botan.Open(o, v)
	if err != nil {
		t.Fatal(err)
	}
	return l.On(p, result.Subject{Library: "botan", Version: l.Version(), CallPath: p.Name})
}

// picks make a library's providers of vectors: each call path, in short the first, everyday and around.
func picks(t testing.TB, o *object.Object) (all []func(provider.Vectors) provider.Provider) {
	paths := call.Paths()
	if testing.Short() {
		paths = paths[:1]
	}
	for _, p := range paths {
		for i := range on(t, o, nil, p) {
			all = append(all, func(v provider.Vectors) provider.Provider { return on(t, o, v, p)[i] })
		}
	}
	return all
}

// each runs a test for every library, by every call path and implementation.
func each(t *testing.T, test func(t *testing.T, judge *judge.Judge, pick func(provider.Vectors) provider.Provider, s result.Subject)) {
	for _, o := range objects(t) {
		judge := judge.New(provider.Setting{Seed: 1})
		for _, pick := range picks(t, o) {
			s := pick(judge).Subject()
			t.Run(strings.Join([]string{s.Version, s.CallPath, s.Implementation}, "/"), func(t *testing.T) { test(t, judge, pick, s) })
		}
	}
}

func cases(algorithms, modes, operations []string, sizes ...int) (cs []result.Case) {
	for _, a := range algorithms {
		for _, m := range modes {
			for _, o := range operations {
				cs = append(cs, providertest.Sizes(result.Case{Algorithm: a, Mode: m, Operation: o}, sizes...)...)
			}
		}
	}
	return cs
}

var (
	bothWays     = []string{"encrypt", "decrypt"}
	blockCiphers = []string{"AES-128", "AES-192", "AES-256", "SM4"}
	chachas      = []string{"ChaCha20", "ChaCha20-Poly1305"}
)

// sizes are the lengths of messages, in bytes.
func sizes() []int { return append(providertest.Boundaries(16), 256, 1000, 4096, 4097) }

func messages() []result.Case {
	return slices.Concat(cases(blockCiphers, []string{"ECB", "CBC", "CFB", "OFB", "CTR", "GCM", "CCM"}, bothWays, sizes()...),
		cases(blockCiphers, []string{"block"}, bothWays, 16), cases(chachas, []string{""}, bothWays, sizes()...))
}

func TestMessages(t *testing.T) {
	each(t, func(t *testing.T, judge *judge.Judge, pick func(provider.Vectors) provider.Provider, s result.Subject) {
		providertest.Run(t, pick(judge), messages())
		for _, c := range messages() {
			if c.Bytes != 16 && c.Bytes != 256 {
				continue
			}
			if err := providertest.Sensitive(pick, judge, c); err != nil && !errors.Is(err, errors.ErrUnsupported) {
				t.Error(err)
			}
		}
		if s.Implementation == "" {
			for _, c := range messages() {
				_, err := provider.Prepare(pick(judge), c)
				if partial := (c.Mode == "ECB" || c.Mode == "CBC") && c.Bytes%16 != 0; (err == nil) == partial {
					t.Errorf("%s %s of %d bytes: %v", c.Name(), c.Operation, c.Bytes, err)
				}
			}
		}
	})
}

// others are all that is not a message, and how much of it there is in the loop in C.
func others() []result.Case {
	composites := slices.Concat(cases(blockCiphers[:3], []string{"CBC+HMAC-SHA-256"}, bothWays, sizes()...), cases(blockCiphers[3:], []string{"CBC+HMAC-SM3"}, bothWays, sizes()...))
	for i := range composites {
		composites[i].Parameters = parameter.PKCS7Padding
	}
	return slices.Concat(composites,
		cases([]string{"MD5", "SHA-256", "SHA3-256", "BLAKE2b-512", "SM3"}, []string{""}, []string{"hash"}, sizes()...),
		cases([]string{"HMAC-SHA-256", "HMAC-SM3"}, []string{""}, []string{"mac"}, sizes()...),
		cases([]string{"HKDF-SHA-256"}, []string{""}, []string{"derive"}, 1, 32, 1000),
		cases(blockCiphers, []string{""}, []string{"schedule"}, 0),
		cases(blockCiphers, []string{"GCM"}, []string{"new"}, 0), cases(chachas[1:], []string{""}, []string{"new"}, 0),
		cases(blockCiphers, []string{"GCM"}, []string{"new+encrypt"}, sizes()...), cases(chachas[1:], []string{""}, []string{"new+encrypt"}, sizes()...),
		cases([]string{"RSA-2048"}, []string{"OAEP-SHA-256", "PKCS1v15"}, bothWays, 0),
		cases([]string{"RSA-2048"}, []string{"PKCS1v15-SHA-256", "PSS-SHA-256"}, []string{"sign", "verify"}, 0),
		cases([]string{"ECDSA-P-256", "ECDSA-P-384", "Ed25519", "SM2"}, []string{""}, []string{"sign", "verify", "generate"}, 0),
		cases([]string{"SM2"}, []string{""}, bothWays, 0),
		cases([]string{"ECDH-P-256", "X25519"}, []string{""}, []string{"agree"}, 0),
		cases([]string{"ECDH-P-256", "ECDH-P-384", "X25519"}, []string{""},
			[]string{"generate", "encapsulate", "decapsulate", "session", "session-key"}, 0))
}

// isKeyPair says that a case has no size because it has a key pair.
func isKeyPair(c result.Case) bool {
	_, fixed := algorithm.FixedBytes(c.Algorithm, c.Mode, c.Operation)
	return fixed
}

// inLoop says what a loop in C can do.
func inLoop(c result.Case) bool {
	switch c.Operation {
	case "new", "new+encrypt", "generate", "encapsulate", "decapsulate", "session", "session-key":
		return false
	}
	return true
}

func TestOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	each(t, func(t *testing.T, judge *judge.Judge, pick func(provider.Vectors) provider.Provider, s result.Subject) {
		if s.Implementation != "" {
			return
		}
		p := pick(judge)
		var offered []result.Case
		for _, c := range others() {
			if !inLoop(c) && s.CallPath == "c-loop" {
				if _, err := provider.Prepare(p, c); !errors.Is(err, provider.ErrAbsent) {
					t.Errorf("%s %s: %v, want absent", c.Name(), c.Operation, err)
				}
				continue
			}
			offered = append(offered, c)
			if err := providertest.Verify(p, c); err != nil {
				t.Errorf("%s %s of %d bytes: %v", c.Name(), c.Operation, c.Bytes, err)
			}
			if c.Operation == "generate" || c.Operation == "session" || c.Operation == "encapsulate" || c.Operation == "decapsulate" ||
				c.Bytes == 0 && !isKeyPair(c) {
				continue // what is made is judged by itself, and nothing has no bit to flip
			}
			if err := providertest.Sensitive(pick, judge, c); err != nil {
				t.Errorf("%s %s of %d bytes: %v", c.Name(), c.Operation, c.Bytes, err)
			}
		}
		if err := providertest.SideBySide(p, offered); err != nil {
			t.Error(err)
		}
	})
}

func BenchmarkProof(b *testing.B) {
	for _, o := range objects(b) {
		judge := judge.New(provider.Setting{Seed: 1})
		for _, p := range call.Paths() {
			for i, w := range on(b, o, judge, p)[1:] {
				for _, c := range cases([]string{"AES-128", "SM4"}, []string{"CTR", "GCM"}, bothWays[:1], 1024) {
					b.Run(p.Name+"/"+w.Subject().Implementation+"/"+c.Name(), func(b *testing.B) {
						for range b.N {
							if op, err := on(b, o, judge, p)[1+i].Open(c); err == nil {
								op.Close()
							}
						}
					})
				}
			}
		}
	}
}

// chunks are a message in calls of several sizes, by every way.
func chunks(operations []string, bytes int) (cs []result.Case) {
	for _, c := range slices.Concat(cases(blockCiphers[:1], []string{"ECB", "CBC", "CFB", "OFB", "CTR", "GCM", "CCM"}, operations, bytes),
		cases([]string{"SM4"}, []string{"CTR"}, operations, bytes), cases(chachas, []string{""}, operations, bytes)) {
		for _, size := range []string{"16", "64", "100", "256", "1000", "4096", "65536"} {
			for _, way := range []string{"update", "final", "oneshot", "blocks"} {
				c.Parameters = "call=" + size + ",way=" + way
				cs = append(cs, c)
			}
		}
	}
	return cs
}

// offersWay says which of them there must be.
func offersWay(c result.Case, implementation string) bool {
	whole := c.Parameter("call") == "4096" || c.Parameter("call") == "65536"
	keyStream := c.Mode == "CTR" || c.Mode == "OFB" || c.Algorithm == "ChaCha20"
	way := c.Parameter("way")
	if c.Mode == "CCM" { // which has the everyday way alone
		return implementation == "" && way == "oneshot" && whole
	}
	switch implementation {
	case "":
		return way == "update" && c.Mode != "ECB" || way == "final" && keyStream || way == "oneshot" && whole && c.Mode != "ECB" ||
			way == "blocks" && (c.Mode == "CTR" || c.Mode == "ECB")
	case "ctr-bypass":
		return c.Mode == "CTR" && (way == "update" || way == "blocks")
	case "final":
		return keyStream && (way == "update" || way == "final")
	case "oneshot":
		return whole && (c.Mode == "GCM" || c.Algorithm == "ChaCha20-Poly1305") && (way == "update" || way == "oneshot")
	}
	return way == "update" && c.Mode != "ECB"
}

func TestChunks(t *testing.T) {
	each(t, func(t *testing.T, judge *judge.Judge, pick func(provider.Vectors) provider.Provider, s result.Subject) {
		p := pick(judge)
		for _, c := range chunks(bothWays, 4096) {
			err := providertest.Verify(p, c)
			if offered := offersWay(c, s.Implementation); offered && err != nil || !offered && !errors.Is(err, provider.ErrAbsent) {
				t.Errorf("%s %s %s: %v", c.Name(), c.Operation, c.Parameters, err)
			}
		}
	})
}

func BenchmarkWays(b *testing.B) {
	for _, o := range objects(b) {
		judge := judge.New(provider.Setting{Seed: 1})
		for _, p := range call.Paths() {
			ways := on(b, o, judge, p)
			for _, c := range chunks(bothWays[:1], 4096) {
				if c.Parameter("call") == "4096" {
					benchmark(b, ways[0], c)
				}
			}
			for _, w := range ways[1:] {
				for _, c := range messages() {
					if c.Bytes == 4096 && c.Operation == "encrypt" {
						benchmark(b, w, c)
					}
				}
			}
		}
	}
}

func benchmark(b *testing.B, p provider.Provider, c result.Case) {
	op, err := provider.Prepare(p, c)
	if err != nil {
		return
	}
	defer op.Close()
	s := p.Subject()
	b.Run(strings.Join([]string{s.Version, s.CallPath, s.Implementation, c.Name(), c.Parameters}, "/"), func(b *testing.B) {
		if err := op.Run(b.N); err != nil {
			b.Fatal(err)
		}
	})
}

// TestRandom: both draws are new each time, on every path, and no workaround has them.
func TestRandom(t *testing.T) {
	each(t, func(t *testing.T, judge *judge.Judge, pick func(provider.Vectors) provider.Provider, s result.Subject) {
		for mode, n := range map[string]int64{"nonce": 12, "iv": 16} {
			c := result.Case{Algorithm: "random", Mode: mode, Operation: "draw", Bytes: n}
			err := providertest.Verify(pick(judge), c)
			if s.Implementation == "" && err != nil || s.Implementation != "" && !errors.Is(err, provider.ErrAbsent) {
				t.Errorf("%s: %v", mode, err)
			}
		}
	})
}
