package library

import (
	"errors"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/asking"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestServices: of every case of services each library that offers it answers, and is judged right.
func TestServices(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	vectors := judge.New(provider.Setting{Seed: 1, Client: asking.InProcess})
	offered, sizes := map[result.Case]int{}, []int64{1, 100_000}
	for _, p := range Go(vectors) {
		for _, c := range casesOf(t, "service") {
			for _, c.Bytes = range sizes {
				err := serves(t, p, c)
				if err == nil || errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, provider.ErrAbsent) { // with a reason
					offered[c]++
				} else if !errors.Is(err, errors.ErrUnsupported) {
					t.Errorf("%s, %+v: %v", p.Subject().Library, c, err)
				}
			}
		}
	}
	for _, c := range casesOf(t, "service") {
		for _, c.Bytes = range sizes {
			if offered[c] == 0 {
				t.Errorf("nobody offers %+v", c)
			}
		}
	}
}

// serves has a library serve a case, as a scenario or an operation.
func serves(t *testing.T, p provider.Provider, c result.Case) error {
	s, err := provider.PrepareScenario(p, c)
	if err == nil {
		_, err = s.Measure(t.Context(), provider.Budget{Seconds: 0.1})
		return errors.Join(err, s.Check(), s.Close())
	}
	if !errors.Is(err, provider.ErrAbsent) {
		return err
	}
	op, err := provider.Prepare(p, c)
	if err != nil {
		return err
	}
	return errors.Join(op.Run(5), op.Check(), op.Run(1), op.Check(), op.Close())
}

func casesOf(t *testing.T, experiment string) []result.Case {
	t.Helper()
	for _, e := range question.All() {
		if e.Name == experiment {
			return e.Cases
		}
	}
	t.Fatalf("there is no experiment %s", experiment)
	return nil
}
