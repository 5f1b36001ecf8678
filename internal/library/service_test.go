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
	vectors := judge.New(provider.Setting{Seed: 1, Client: asking.InProcess})
	offered := map[result.Case][]string{}
	for _, p := range Go(vectors) {
		for _, c := range casesOf(t, "service") {
			for _, c.Bytes = range []int64{1, 1 << 10, 100_000} {
				op, err := provider.Prepare(p, c)
				if errors.Is(err, errors.ErrUnsupported) {
					continue
				}
				if err != nil {
					t.Errorf("%s, %+v: %v", p.Subject().Library, c, err)
					continue
				}
				if err := errors.Join(op.Run(20), op.Check(), op.Run(1), op.Check(), op.Close()); err != nil {
					t.Errorf("%s, %+v: %v", p.Subject().Library, c, err)
				}
				if c.Bytes == 1 {
					offered[c] = append(offered[c], p.Subject().Library)
				}
			}
		}
	}
	for _, c := range casesOf(t, "service") {
		c.Bytes = 1
		if len(offered[c]) == 0 {
			t.Errorf("nobody offers %+v", c)
		}
	}
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
