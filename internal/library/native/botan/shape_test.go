//go:build linux && (amd64 || arm64)

package botan_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/bench"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// shaped are the cases that ask for an AEAD in the shape of Go's.
func shaped() (cs []result.Case) {
	for _, c := range []result.Case{{Algorithm: "AES-128", Mode: "GCM"}, {Algorithm: "SM4", Mode: "GCM"}, {Algorithm: "ChaCha20-Poly1305"}} {
		for _, holding := range parameter.Holding.Words {
			c.Operation, c.Parameters = "encrypt", parameter.Join(parameter.Goroutines.Is(5), parameter.Holding.Is(holding), parameter.Request.Is(4))
			cs = append(cs, providertest.Sizes(c, 0, 1, 64, 1024)...)
		}
		c.Operation, c.Parameters = "stream", "chunk=5000,io=memory"
		cs = append(cs, providertest.Sizes(c, 12345)...)
	}
	return cs
}

func TestShaped(t *testing.T) {
	each(t, func(t *testing.T, judge *judge.Judge, pick func(provider.Vectors) provider.Provider, s result.Subject) {
		p := pick(judge)
		for _, c := range shaped() {
			err := providertest.Verify(p, c)
			offered := s.CallPath != "c-loop" && (s.Implementation == "" || s.Implementation == "oneshot")
			if offered && err != nil || !offered && !errors.Is(err, provider.ErrAbsent) {
				t.Errorf("%s %s %s of %d bytes: %v", c.Name(), c.Operation, c.Parameters, c.Bytes, err)
			}
			if offered && c.Bytes == 64 {
				if err := providertest.Sensitive(pick, judge, c); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// TestScenarios: requests that arrive, the collector, and keys that are drawn.
func TestScenarios(t *testing.T) {
	each(t, func(t *testing.T, judge *judge.Judge, pick func(provider.Vectors) provider.Provider, s result.Subject) {
		for _, c := range []result.Case{
			{Algorithm: "AES-128", Mode: "GCM", Operation: algorithm.Arrival, Bytes: 256, Parameters: "load=50,request=1"},
			{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt", Bytes: 256, Parameters: "buffers=fresh,heap=0"},
			{Algorithm: "RSA-1024", Operation: "generate", Parameters: "draws=2"},
			{Algorithm: "RSA-2048", Mode: "PSS-SHA-256", Operation: "sign", Parameters: "buffers=reused,heap=0"},
			{Algorithm: "RSA-2048", Mode: "OAEP-SHA-256", Operation: "decrypt", Parameters: "buffers=fresh,heap=0"},
			{Algorithm: "ECDSA-P-256", Operation: "sign", Parameters: "buffers=fresh,heap=0"},
			{Algorithm: "SM2", Operation: "sign", Parameters: "buffers=fresh,heap=0"},
			{Algorithm: "X25519", Operation: "agree", Parameters: "buffers=pool,heap=0"},
		} {
			scenario, err := provider.PrepareScenario(pick(judge), c)
			shape := s.CallPath != "c-loop" && (s.Implementation == "" || s.Implementation == "oneshot" && c.Mode == "GCM")
			if c.Operation == "generate" {
				shape = s.Implementation == ""
			}
			if !shape {
				if !errors.Is(err, provider.ErrAbsent) {
					t.Errorf("%s %s: %v, want absent", c.Name(), c.Operation, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s %s: %v", c.Name(), c.Operation, err)
				continue
			}
			budget := provider.Budget{Seconds: 0.002, Sample: func(f func() (int64, error)) (result.Sample, error) {
				begun := time.Now()
				n, err := f()
				took := int64(time.Since(begun))
				return result.Sample{Calls: n, Thread: took, Process: took, Wall: took, Cycles: -1}, err
			}}
			if _, err := scenario.Measure(context.Background(), budget); err != nil {
				t.Errorf("%s %s: %v", c.Name(), c.Operation, err)
			}
			if err := errors.Join(scenario.Check(), scenario.Close()); err != nil {
				t.Errorf("%s %s: %v", c.Name(), c.Operation, err)
			}
		}
	})
}

// TestBusy: key pairs on several CPUs at once, each with objects of its own.
func TestBusy(t *testing.T) {
	each(t, func(t *testing.T, judge *judge.Judge, pick func(provider.Vectors) provider.Provider, s result.Subject) {
		for _, op := range []string{"sign", "verify"} {
			err := providertest.Verify(bench.OnEveryCPU([]provider.Provider{pick(judge)})[0], result.Case{Algorithm: "ECDSA-P-256", Operation: op, Parameters: "busy=2"})
			if s.Implementation == "" && err != nil || s.Implementation != "" && !errors.Is(err, provider.ErrAbsent) {
				t.Errorf("%s: %v", op, err)
			}
		}
	})
}

// TestMix: a sequence of messages of many sizes is one call.
func TestMix(t *testing.T) {
	setting := provider.Setting{Seed: 1, Mix: []result.SizeShare{{Bytes: 64, Weight: 2}, {Bytes: 300, Weight: 1}, {Bytes: 1024, Weight: 1}}}
	judge, sum := judge.New(setting), 0
	for _, n := range seeded.DrawMix(setting.Seed, setting.Mix, 10) {
		sum += n
	}
	for _, o := range objects(t) {
		for _, pick := range picks(t, o) {
			p := pick(judge)
			for _, c := range cases([]string{"AES-128", "SM4"}, []string{"GCM", "CCM"}, bothWays, sum) {
				c.Parameters = seeded.MixParameters("", 10)
				err := providertest.Verify(p, c)
				offered := slices.Contains([]string{"", "oneshot", "coalesced"}, p.Subject().Implementation) &&
					(c.Mode != "CCM" || p.Subject().Implementation == "")
				if offered && err != nil || !offered && !errors.Is(err, provider.ErrAbsent) {
					t.Errorf("%s %s %s: %v", p.Subject().CallPath, p.Subject().Implementation, c.Operation, err)
				}
			}
		}
	}
}

// withAAD gives every message additional data, and the judge's tag no longer holds.
type withAAD struct{ provider.Vectors }

func (w withAAD) Vector(c result.Case) (*provider.Vector, error) {
	v, err := w.Vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	wrong := *v
	wrong.AAD = []byte("additional")
	return &wrong, nil
}

// TestAdditionalData: additional data are authenticated.
func TestAdditionalData(t *testing.T) {
	each(t, func(t *testing.T, judge *judge.Judge, pick func(provider.Vectors) provider.Provider, s result.Subject) {
		for _, c := range slices.Concat(cases([]string{"AES-128"}, []string{"GCM"}, bothWays, 64), cases([]string{"AES-128"}, []string{"GCM"}, []string{"new+encrypt"}, 64)) {
			err := providertest.Verify(pick(withAAD{judge}), c)
			if errors.Is(err, provider.ErrAbsent) {
				continue
			}
			if err == nil || c.Operation == "encrypt" && !strings.Contains(err.Error(), "tag") {
				t.Errorf("%s: %v", c.Operation, err)
			}
		}
	})
}
