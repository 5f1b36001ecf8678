package library

import (
	"errors"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/abnormal"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestAbnormalInputs: every library does with every abnormal input what it must, by what the reference says; but for
// what is known to be wrong of a library, which the questions exhibit and nobody gives such inputs.
func TestAbnormalInputs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	p := worker.InProcess(Bench)
	defer p.Stop()
	hello, err := p.Hello(t.Context(), provider.Setting{Seed: 7}, -1)
	if err != nil {
		t.Fatal(err)
	}
	seen, tried := map[result.Trial]bool{}, 0
	for _, e := range question.All() {
		for _, c := range e.Cases {
			for _, who := range hello.Subjects {
				if at := (result.Trial{Subject: who, Case: c}); seen[at] {
					continue
				} else {
					seen[at] = true
				}
				for _, i := range abnormal.Inputs(c, who) {
					got, err := p.Try(t.Context(), who, i)
					if fault := (*worker.Fault)(nil); errors.As(err, &fault) {
						continue // it does not offer the case
					}
					if tried++; err != nil || i.Judge(got.Outcome, who) != abnormal.Right {
						t.Errorf("%s %s %s %s, %d bytes %s: %s (%s), %v", who.Library, who.Implementation, i.Name(), i.Operation, i.Bytes, i.Change, got.Outcome, got.Text, err)
					}
				}
			}
		}
	}
	if tried < 300 {
		t.Errorf("%d inputs were tried", tried)
	}
}
