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
	for _, mode := range algorithm.Protections() {
		for _, connections := range []parameter.Reuse{parameter.KeptOnes, parameter.NewOnes, parameter.ResumedOnes} {
			for _, bytes := range []int64{1, 1 << 10, 100_000} {
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
