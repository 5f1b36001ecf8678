//go:build linux && (amd64 || arm64)

package botan_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/providers"
	"github.com/cryptogauge/cryptogauge/internal/providers/catalog"
	"github.com/cryptogauge/cryptogauge/internal/providers/native/botan"
	"github.com/cryptogauge/cryptogauge/internal/providers/native/call"
	"github.com/cryptogauge/cryptogauge/internal/providers/native/object"
	"github.com/cryptogauge/cryptogauge/provider"
	"github.com/cryptogauge/cryptogauge/provider/providertest"
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

// each runs a test for every library, by every call path and implementation: pick
// returns the provider of vectors.
func each(t *testing.T, test func(t *testing.T, judge *providers.Judge, pick func(provider.Vectors) provider.Provider, s result.Subject)) {
	for _, o := range objects(t) {
		judge := providers.NewJudge(provider.Setting{Seed: 1})
		for _, p := range call.Paths() {
			for _, implementation := range append([]string{""}, catalog.BotanWorkarounds()...) {
				pick := func(v provider.Vectors) provider.Provider {
					l, err := botan.Open(o, v)
					if err != nil {
						t.Fatal(err)
					}
					s := result.Subject{Library: "botan", Version: l.Version(), CallPath: p.Name}
					if implementation == "" {
						return l.On(p, s)
					}
					at := slices.IndexFunc(l.Workarounds(p, s), func(p provider.Provider) bool { return p.Subject().Implementation == implementation })
					return l.Workarounds(p, s)[at]
				}
				s := pick(judge).Subject()
				t.Run(strings.Join([]string{s.Version, p.Name, implementation}, "/"), func(t *testing.T) { test(t, judge, pick, s) })
			}
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
	sizes        = append(provider.Boundaries(16), 256, 1000, 4096, 4097)
)

func messages() []result.Case {
	return slices.Concat(cases(blockCiphers, []string{"ECB", "CBC", "CFB", "OFB", "CTR", "GCM"}, bothWays, sizes...),
		cases(blockCiphers, []string{"block"}, bothWays, 16), cases(chachas, []string{""}, bothWays, sizes...))
}

func TestMessages(t *testing.T) {
	each(t, func(t *testing.T, judge *providers.Judge, pick func(provider.Vectors) provider.Provider, s result.Subject) {
		begun := time.Now()
		providertest.Run(t, pick(judge), messages())
		t.Log(time.Since(begun))
		for _, c := range messages() {
			if c.Bytes == 0 || c.Bytes > 256 || (c.Mode == "ECB" || c.Mode == "CBC") && c.Bytes%16 != 0 {
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

func BenchmarkProof(b *testing.B) {
	for _, o := range objects(b) {
		judge := providers.NewJudge(provider.Setting{Seed: 1})
		for _, p := range call.Paths() {
			for _, name := range catalog.BotanWorkarounds() {
				for _, c := range cases([]string{"AES-128", "SM4"}, []string{"CTR", "GCM"}, bothWays[:1], 1024) {
					b.Run(p.Name+"/"+name+"/"+c.Name(), func(b *testing.B) {
						for range b.N {
							l, err := botan.Open(o, judge)
							if err != nil {
								b.Fatal(err)
							}
							s := result.Subject{Library: "botan", Version: l.Version(), CallPath: p.Name}
							for _, w := range l.Workarounds(p, s) {
								if w.Subject().Implementation == name {
									op, err := w.Open(c)
									if err == nil {
										op.Close()
									}
								}
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
	for _, c := range slices.Concat(cases(blockCiphers[:1], []string{"ECB", "CBC", "CFB", "OFB", "CTR", "GCM"}, operations, bytes),
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
	each(t, func(t *testing.T, judge *providers.Judge, pick func(provider.Vectors) provider.Provider, s result.Subject) {
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
		judge := providers.NewJudge(provider.Setting{Seed: 1})
		l, err := botan.Open(o, judge)
		if err != nil {
			b.Fatal(err)
		}
		for _, p := range call.Paths() {
			s := result.Subject{Library: "botan", Version: l.Version(), CallPath: p.Name}
			for _, c := range chunks(bothWays[:1], 4096) {
				if c.Parameter("call") == "4096" {
					benchmark(b, l.On(p, s), c)
				}
			}
			for _, w := range l.Workarounds(p, s) {
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
