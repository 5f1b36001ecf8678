package library

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// gcCases are what garbage collection is measured for, without the buffers.
var gcCases = []result.Case{
	{Algorithm: "AES-256", Mode: "GCM", Operation: "encrypt", Bytes: 1000},
	{Algorithm: "SM4", Mode: "GCM", Operation: "encrypt", Bytes: 1000},
	{Algorithm: "RSA-2048", Mode: "PSS-SHA-256", Operation: "sign"},
	{Algorithm: "RSA-2048", Mode: "OAEP-SHA-256", Operation: "decrypt"},
	{Algorithm: "ECDSA-P-256", Operation: "sign"},
	{Algorithm: "SM2", Operation: "sign"},
	{Algorithm: "ECDH-P-256", Operation: "agree"},
	{Algorithm: "X25519", Operation: "agree"},
}

// otherInput hands out vectors whose input does not belong to their output.
type otherInput struct{ provider.Vectors }

func (o otherInput) Vector(c result.Case) (*provider.Vector, error) {
	v, err := o.Vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	other := *v
	in := &other.Plaintext
	switch c.Operation {
	case "sign":
		in = &other.Signed
	case "decrypt":
		in = &other.Ciphertext
	case "agree":
		in = &other.Peer
	}
	*in = slices.Clone(*in)
	(*in)[len(*in)/2] ^= 0x10
	return &other, nil
}

// measureOnce opens a scenario, measures a millisecond of it and checks it.
func measureOnce(p provider.Provider, c result.Case) error {
	s, err := provider.PrepareScenario(p, c)
	if err != nil {
		return err
	}
	defer s.Close()
	if s.Check() == nil {
		return errors.New("a Check before Measure passes")
	}
	if _, err := s.Measure(context.Background(), provider.Budget{Seconds: 0.001, Sample: wallClock}); err != nil {
		return err
	}
	if err := s.Check(); err != nil {
		return err
	}
	if s.Check() == nil {
		return errors.New("a second Check passes")
	}
	return nil
}

func wallClock(f func() (int64, error)) (result.Sample, error) {
	start := time.Now()
	calls, err := f()
	took := int64(time.Since(start))
	return result.Sample{Calls: calls, Thread: took, Wall: took}, err
}

// TestGCCases: every library that has an operation answers for it with all
// ways to have buffers, and the output of another input is caught.
func TestGCCases(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	judge := judge.New(provider.Setting{Seed: 1})
	answered := map[string]int{}
	libraries := withCiphers(judge)
	for i, lie := range withCiphers(otherInput{judge}) {
		p := libraries[i]
		for _, c := range gcCases {
			for _, buffers := range []parameter.Buffering{parameter.Reused, parameter.Fresh, parameter.Recycled} {
				c.Parameters = parameter.Join(parameter.Buffers.Is(buffers), parameter.Heap.Is(0))
				err := measureOnce(p, c)
				if errors.Is(err, provider.ErrAbsent) {
					continue
				}
				answered[c.Name()]++
				if err != nil {
					t.Errorf("%s %s: %v", result.Trial{Subject: p.Subject(), Case: c}.ID(), c.Parameters, err)
				}
				if err := measureOnce(lie, c); err == nil {
					t.Errorf("%s %s: the output of another input passes", result.Trial{Subject: p.Subject(), Case: c}.ID(), c.Parameters)
				}
			}
		}
	}
	for _, c := range gcCases {
		if answered[c.Name()] < 3 {
			t.Errorf("%s %s: nobody answers", c.Name(), c.Operation)
		}
	}
}

// TestGCKernels: the kernel and the words of an operation are its own,
// whatever the buffers.
func TestGCKernels(t *testing.T) {
	judge := judge.New(provider.Setting{Seed: 1})
	for _, p := range withCiphers(judge) {
		d := p.(provider.Describer)
		for _, c := range gcCases {
			with := c
			with.Parameters = "buffers=fresh,heap=0"
			if a, b := d.Implementation(c), d.Implementation(with); a != b {
				t.Errorf("%s of %s: %q, with buffers %q", c.Name(), p.Subject().Library, a, b)
			}
			if !reflect.DeepEqual(d.ConstantTime(c), d.ConstantTime(with)) {
				t.Errorf("%s of %s: constant time differs", c.Name(), p.Subject().Library)
			}
		}
	}
}
