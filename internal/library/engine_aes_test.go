package library

import (
	"errors"
	"slices"
	"testing"

	"github.com/cryptogauge/cryptogauge/aes"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/engine"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/result"
)

// oursOfAES says whether a provider is the engine's AES.
func oursOfAES(p provider.Provider) bool {
	s := p.Subject()
	return s.Library == "cryptogauge" && slices.Contains(aes.Implementations(), s.Implementation)
}

// TestEngineAES: every kernel of package aes does rightly what the standard library offers of AES, and nothing else.
// Where there is no kernel the standard library is not measured a second time.
func TestEngineAES(t *testing.T) {
	setting := provider.Setting{Seed: 1, Dir: t.TempDir()}
	place, all := 0, engine.Providers(judge.New(setting))
	for _, p := range all {
		if oursOfAES(p) {
			place++
		}
	}
	if want := len(aes.Implementations()) - 1; place != want {
		t.Errorf("%d kernels of AES are measured, want %d", place, want)
	}
	cs := slices.Concat(cases(allAES, append(modesOfAES, "CCM"), bothWays, append(providertest.Boundaries(16), 1000, 1024, 4096, 4097)...),
		cases(allAES, []string{"block"}, bothWays, 16), cases(allAES, []string{""}, []string{"schedule"}, 0),
		cases(allAES, []string{"GCM"}, []string{"new"}, 0), cases(allAES, []string{"GCM"}, []string{"new+encrypt"}, 64, 1024),
		streams("AES-256", "GCM"), parallel("AES-256", "GCM", 5, parameter.Holding.Words...))
	for i, p := range all {
		if !oursOfAES(p) {
			continue
		}
		t.Run(p.Subject().Implementation, func(t *testing.T) {
			open := func(v provider.Vectors) provider.Provider { return engine.Providers(v)[i] }
			j := judge.New(setting)
			providertest.Run(t, open(j), cs)
			for _, c := range cs {
				if c.Bytes == 0 || c.Bytes > 1<<20 || c.Bytes%16 != 0 && refusesPartialBlocks(c) {
					continue
				}
				if err := providertest.Sensitive(open, j, c); err != nil {
					t.Error(err)
				}
			}
			for _, c := range cases([]string{"SM4", "ChaCha20-Poly1305", "MD5"}, []string{"", "GCM"}, []string{"encrypt", "hash"}, 64) {
				if _, err := provider.Prepare(p, c); !errors.Is(err, provider.ErrAbsent) {
					t.Errorf("%s %s: %v, want absent", c.Name(), c.Operation, err)
				}
			}
			if _, err := provider.PrepareScenario(p, result.Case{Algorithm: "AES-128", Mode: "CTR", Operation: "exposure", Bytes: 1 << 20}); err != nil {
				t.Errorf("exposure: %v", err)
			}
		})
	}
}
