package library

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/result"
)

func handshakes() (cs []result.Case) {
	for _, exchange := range []string{"X25519", "P-256", "X25519MLKEM768"} {
		for _, certificate := range []string{"RSA-2048", "RSA-4096", "ECDSA-P-256", "Ed25519"} {
			for _, resumed := range []parameter.Answer{parameter.No, parameter.Yes} {
				for _, transport := range []parameter.Connection{parameter.InMemory, parameter.TCP} {
					cs = append(cs, result.Case{Algorithm: algorithm.TLS13, Mode: exchange + "+" + certificate, Operation: algorithm.Handshake,
						Parameters: parameter.Join(parameter.Resumed.Is(resumed), parameter.Transport.Is(transport))})
				}
			}
		}
	}
	return cs
}

// TestHandshakes: each is done rightly, and recorded by side and in bytes.
func TestHandshakes(t *testing.T) {
	judge := judge.New(provider.Setting{Seed: 1})
	p := library(0)(judge)
	lean := slices.DeleteFunc(handshakes(), func(c result.Case) bool { return testing.Short() && !strings.HasSuffix(c.Mode, "ECDSA-P-256") })
	providertest.Run(t, p, lean)
	for _, c := range lean {
		op, err := provider.Prepare(p, c)
		if err != nil {
			t.Fatal(err)
		}
		if err := op.Run(3); err != nil {
			t.Fatal(err)
		}
		r, err := op.(provider.Recorder).Record()
		if err != nil || len(r.Histograms) != 1 || r.Histograms[0].Name != "latency" {
			t.Errorf("%s: %v, %v", c.Name(), r.Histograms, err)
		}
		metrics := map[string]float64{}
		for _, m := range r.Metrics {
			metrics[m.Name] = m.Value
		}
		server, client := metrics["bytes_to_server"], metrics["bytes_to_client"]
		if server < 200 || client < 200 || strings.HasPrefix(c.Mode, "X25519MLKEM768") != (server > 1200) ||
			c.Parameter("resumed") == "no" && client < 600 {
			t.Errorf("%s %s: %g bytes to the server, %g to the client", c.Name(), c.Parameters, server, client)
		}
		if (parameter.Transport.In(c.Parameters) == parameter.InMemory) != (metrics["server_cpu_ns"] > 0 && metrics["client_cpu_ns"] > 0) {
			t.Errorf("%s %s: CPU by side: %v", c.Name(), c.Parameters, metrics)
		}
		if again, err := op.(provider.Recorder).Record(); err != nil || len(again.Metrics) != 0 {
			t.Errorf("%s: recorded twice: %v, %v", c.Name(), again.Metrics, err)
		}
		if err := op.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestUnknownHandshakes(t *testing.T) {
	p := library(0)(judge.New(provider.Setting{Seed: 1}))
	good := handshakes()[0]
	for _, change := range []func(*result.Case){
		func(c *result.Case) { c.Mode = "X448+RSA-2048" },
		func(c *result.Case) { c.Mode = "X25519+DSA" },
		func(c *result.Case) { c.Mode = "X25519" },
		func(c *result.Case) { c.Bytes = 1 },
		func(c *result.Case) { c.Parameters = "" },
		func(c *result.Case) { c.Parameters = "resumed=no,transport=pigeon" },
		func(c *result.Case) { c.Parameters = "resumed=perhaps,transport=tcp" },
	} {
		c := good
		change(&c)
		if err := providertest.Verify(p, c); !errors.Is(err, provider.ErrAbsent) {
			t.Errorf("%+v: %v, want absent", c, err)
		}
	}
}

// TestEmptyHandshakes: the same flights without TLS.
func TestEmptyHandshakes(t *testing.T) {
	var cs []result.Case
	for _, transport := range []parameter.Connection{parameter.InMemory, parameter.TCP} {
		cs = append(cs, result.Case{Algorithm: "empty", Operation: algorithm.Handshake, Parameters: parameter.Transport.Is(transport)})
	}
	providertest.Run(t, Harness(judge.New(provider.Setting{Seed: 1}))[0], cs)
}
