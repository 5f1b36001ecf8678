package service_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/asking"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

func caseOf(mode algorithm.Mode, connections parameter.Reuse, bytes int64) result.Case {
	return result.Case{Algorithm: algorithm.HTTP, Mode: mode, Operation: algorithm.Serve, Bytes: bytes,
		Parameters: parameter.Connections.Is(connections)}
}

// maker is a library that seals nothing.
var maker = service.Maker{Library: "go"}

// TestServes: every kind of connection answers, is judged right, and only once for each Run.
func TestServes(t *testing.T) {
	vectors := judge.New(provider.Setting{Seed: 1, Client: asking.InProcess})
	sizes := []int64{1, 1 << 10, 100_000}
	if testing.Short() {
		sizes = sizes[1:2]
	}
	for _, mode := range []algorithm.Mode{algorithm.Cleartext, algorithm.ByTLS, algorithm.ByMutual, algorithm.ByHybrid} {
		for _, connections := range []parameter.Reuse{parameter.KeptOnes, parameter.NewOnes, parameter.ResumedOnes} {
			for _, bytes := range sizes {
				c := caseOf(mode, connections, bytes)
				op, err := maker.Open(c, vectors)
				if none := mode == algorithm.Cleartext && connections == parameter.ResumedOnes; none {
					if !errors.Is(err, provider.ErrAbsent) {
						t.Errorf("%+v: %v, want that it is absent", c, err)
					}
					continue
				}
				if err != nil {
					t.Fatalf("%+v: %v", c, err)
				}
				if op.Check() == nil {
					t.Errorf("%+v: right before it ran", c)
				}
				for _, n := range []int{1, 40, 3} {
					if err := errors.Join(op.Run(n), op.Run(n), op.Check()); err != nil {
						t.Errorf("%+v: %v", c, err)
					}
					if op.Check() == nil {
						t.Errorf("%+v: right without a run", c)
					}
				}
				if err := op.Close(); err != nil {
					t.Errorf("%+v: %v", c, err)
				}
			}
		}
	}
}

func TestOtherCasesAreAbsent(t *testing.T) {
	vectors := judge.New(provider.Setting{Seed: 1, Client: asking.InProcess})
	right := caseOf(algorithm.ByTLS, parameter.KeptOnes, 10)
	for _, change := range []func(*result.Case){
		func(c *result.Case) { c.Mode = "" }, func(c *result.Case) { c.Bytes = 0 }, func(c *result.Case) { c.Bytes = service.MostBytes + 1 },
		func(c *result.Case) { c.Parameters = "" }, func(c *result.Case) { c.Parameters += ",goroutines=2" },
		func(c *result.Case) { c.Operation = algorithm.Handshake },
		func(c *result.Case) { c.Mode = algorithm.ByTLCP }, func(c *result.Case) { c.Mode = algorithm.AES256GCM }, // which the library lacks
	} {
		c := right
		change(&c)
		if _, err := maker.Open(c, vectors); !errors.Is(err, provider.ErrAbsent) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if _, err := maker.Open(right, judge.New(provider.Setting{Seed: 1})); !errors.Is(err, errors.ErrUnsupported) || errors.Is(err, provider.ErrAbsent) {
		t.Errorf("without a client: %v", err)
	}
}

// lying is a client that answers orders with what is planted.
type lying struct {
	io.Reader
	orders strings.Builder
}

func (l *lying) Write(b []byte) (int, error) { return l.orders.Write(b) }
func (l *lying) Close() error                { return nil }

// TestClientThatFails: what it says, that it ends, and requests that it never sent are errors.
func TestClientThatFails(t *testing.T) {
	for answers, want := range map[string]string{
		``:                                 "client's process ended",
		`{"failed":"no route to host"}`:    "no route to host",
		"{}\n" + `{"failed":"wrong body"}`: "wrong body",
		"{}\n" + `{"right":9}`:             "9 right answers of 10",
		"{}\n" + `{"right":10}`:            "answered 0 requests",
		"{}\n" + `not JSON`:                "speaking to the client",
	} {
		vectors := judge.New(provider.Setting{Seed: 1, Client: func() (io.ReadWriteCloser, error) {
			return &lying{Reader: strings.NewReader(answers)}, nil
		}})
		op, err := maker.Open(caseOf(algorithm.ByMutual, parameter.KeptOnes, 10), vectors)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(op.Run(10), op.Check()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", answers, err, want)
		}
		op.Close()
	}
}

// TestNoClient: where it can't be started, the server is gone too.
func TestNoClient(t *testing.T) {
	vectors := judge.New(provider.Setting{Seed: 1, Client: func() (io.ReadWriteCloser, error) { return nil, errors.New("no processes left") }})
	op, err := maker.Open(caseOf(algorithm.Cleartext, parameter.NewOnes, 10), vectors)
	if err != nil {
		t.Fatal(err)
	}
	if err := op.Run(1); err == nil || !strings.Contains(err.Error(), "no processes left") {
		t.Errorf("%v", err)
	}
	if err := op.Close(); err != nil {
		t.Error(err)
	}
}

// TestUnderLoad: a case with a load is a scenario that gives the latency of every request, and is judged right.
func TestUnderLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("serves under load for two seconds")
	}
	vectors := judge.New(provider.Setting{Seed: 1, Client: asking.InProcess})
	for _, connections := range []parameter.Reuse{parameter.KeptOnes, parameter.NewOnes, parameter.ResumedOnes} {
		c := caseOf(algorithm.ByTLS, connections, 1<<10)
		c.Parameters = parameter.With(c.Parameters, parameter.Load.Is(50))
		if _, err := maker.Open(c, vectors); !errors.Is(err, provider.ErrAbsent) {
			t.Errorf("%+v is an operation: %v", c, err)
		}
		s, err := maker.OpenScenario(c, vectors)
		if err != nil {
			t.Fatal(err)
		}
		if s.Check() == nil {
			t.Error("right before it ran")
		}
		for block := range 2 {
			r, err := s.Measure(t.Context(), provider.Budget{Seconds: 0.3, Block: block})
			if err := errors.Join(err, s.Check()); err != nil {
				t.Fatalf("%+v: %v", c, err)
			}
			got := map[string]float64{}
			for _, m := range r.Metrics {
				got[m.Name] = m.Value
			}
			if asked := got["rate_reached"] / 2; got["rate_asked"] < 0.99*asked || got["rate_asked"] > 1.01*asked || asked <= 0 {
				t.Errorf("%+v: %v", c, got)
			}
			if _, saturated := got["saturated_rate"]; saturated != (got["server_busy"] >= service.BusyEnough) {
				t.Errorf("%+v: %v", c, got)
			}
			for _, name := range []string{"errors_refused", "errors_reset", "errors_timeout", "errors_wrong_body", "errors_other"} {
				if n, there := got[name]; !there || n > 0 {
					t.Errorf("%+v: %s %v", c, name, got)
				}
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := maker.OpenScenario(caseOf(algorithm.ByTLS, parameter.KeptOnes, 10), vectors); !errors.Is(err, provider.ErrAbsent) {
		t.Errorf("a case without a load: %v", err)
	}
}
