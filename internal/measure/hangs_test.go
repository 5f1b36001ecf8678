package measure

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// hangsAt is a world whose library "bad" never returns from a verb.
func hangsAt(t *testing.T, verb string) *world {
	w := newWorld(t)
	w.plant = func(v string, c result.Case, _ int) error {
		if v == verb && c.Algorithm == "bad" {
			return errHangs
		}
		return nil
	}
	return w
}

func badTrial(mode string) plan.Trial {
	t := trialOf("bad", mode)
	t.Case.Algorithm = "bad"
	return t
}

// TestHangingLibraryIsGivenUp: whatever call of it hangs, a library is waited for
// twice in a run and no more; each of its rows says why it has no result, and the other
// libraries have all of theirs, in this plan and in the next.
func TestHangingLibraryIsGivenUp(t *testing.T) {
	for _, verb := range []string{"open", "ready", "run", "check", "close", "measure"} {
		t.Run(verb, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, s := hangsAt(t, verb), &tape{}
				lab := &Lab{Start: w.start, Sink: s}
				begun := time.Now()
				for run := range 2 {
					var groups []plan.Group
					for i := range 10 {
						bad := badTrial(fmt.Sprint(run, i))
						if verb == "measure" {
							bad.Case.Operation = "scenario"
							bad.Window = time.Second
						}
						groups = append(groups, groupOf(trialOf("good", fmt.Sprint(run, i)), bad))
					}
					if o, err := lab.Run(context.Background(), planOf(groups...), small); err != nil || o.Blocks != small.Blocks {
						t.Fatalf("%+v, %v", o, err)
					}
				}
				s.well(t)
				if took, most := time.Since(begun), mostHangs*(small.Deadline+patience*time.Second); took > most {
					t.Errorf("it took %v, and two waits are %v", took, most)
				}
				reasons := map[string]int{}
				for who, f := range s.fates() {
					if who[:4] == "good" && (f.status != result.OK || f.closed != small.Blocks) {
						t.Errorf("%s: %+v", who, f)
					} else if who[:3] == "bad" && f.status != result.Crashed {
						t.Errorf("%s: %+v", who, f)
					} else if who[:3] == "bad" {
						reasons[f.reason]++
					}
				}
				if reasons[reason.English(reason.Cause(reason.GivenUp))] != 18 || len(reasons) != 2 {
					t.Errorf("reasons %v", reasons)
				}
			})
		})
	}
}

// TestHungStartIsWaitedForOnce: a worker that does not greet costs one wait, beside
// the others that start; one that does not, in the next plan, the last.
func TestHungStartIsWaitedForOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s, starts := newWorld(t), &tape{}, 0
		lab := &Lab{Sink: s, Start: func(k plan.WorkerKey) (Worker, error) {
			if k.Library != "bad" {
				return w.start(k)
			}
			starts++
			time.Sleep(time.Minute)
			return nil, fmt.Errorf("starting a worker: %w", &worker.Died{Reason: "no answer", Hung: true})
		}}
		begun := time.Now()
		for range 4 {
			if _, err := lab.Run(context.Background(), planOf(groupOf(trialOf("good", "x"), badTrial("x"), badTrial("y"))), small); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(begun); starts != 2 || took > 2*time.Minute {
			t.Errorf("%d starts in %v", starts, took)
		}
	})
}

// TestLimitHoldsWithHangs: within the limit and a tenth, and the wait that was begun.
func TestLimitHoldsWithHangs(t *testing.T) {
	for _, verb := range []string{"open", "run", "close"} {
		synctest.Test(t, func(t *testing.T) {
			w := hangsAt(t, verb)
			w.sample = func(result.Case, int, *result.Sample) { time.Sleep(50 * time.Millisecond) }
			c := small
			c.Budget, c.Limit, c.Deadline, c.Blocks = 20*time.Second, 20*time.Second, 3*time.Second, 1000
			begun := time.Now()
			s, o, err := w.lab(context.Background(), planOf(groupOf(trialOf("good", "x"), badTrial("x"), badTrial("y"), badTrial("z"))), c)
			took := time.Since(begun)
			if err != nil || o.Cause.Code == "" || took < 10*time.Second || took > 22*time.Second+c.Deadline {
				t.Errorf("%s: %v, %+v, %v", verb, took, o, err)
			}
			if f := s.fates()["good x"]; f.closed < 20 {
				t.Errorf("%s: the other library has %+v", verb, f)
			}
		})
	}
}

// TestSlowIsNoHang: a row that takes long is waited for as long as it was thought to
// take, under the shortest budget.
func TestSlowIsNoHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.sample = func(c result.Case, _ int, s *result.Sample) { s.Wall = int64(9 * time.Second) }
		slow := trialOf("a", "x")
		slow.Window = 10 * time.Second
		large := trialOf("b", "y")
		large.Case.Bytes = 1 << 30
		c := small
		c.Budget, c.Limit, c.Deadline = time.Second, time.Second, 3*time.Second
		if _, _, err := w.lab(context.Background(), planOf(groupOf(slow), groupOf(large)), c); err != nil {
			t.Fatal(err)
		}
		for verb, least := range map[string]time.Duration{"run": 20 * time.Second, "ready": 20 * time.Second, "open": 40 * time.Second} {
			if w.deadline[verb] < least {
				t.Errorf("%s had %v, want %v", verb, w.deadline[verb], least)
			}
		}
	})
}

// TestInterruptIsNoHang: a call that the user broke off says nothing of its library.
func TestInterruptIsNoHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := hangsAt(t, "run")
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(time.Second, cancel)
		lab := &Lab{Start: w.start, Sink: &tape{}}
		if o, err := lab.Run(ctx, planOf(groupOf(badTrial("x"))), small); err != nil || !o.Interrupted {
			t.Fatalf("%+v, %v", o, err)
		}
		if len(lab.Hangs.calls) != 0 {
			t.Errorf("%v", lab.Hangs.calls)
		}
	})
}

// TestOnlyHangsCount: a crash is none.
func TestOnlyHangsCount(t *testing.T) {
	var h Hangs
	k := badTrial("x").Worker()
	for range 5 {
		h.Note(k, crash())
		h.Note(k, errors.New("refused"))
		h.Note(k, nil)
	}
	if h.GivenUp(k) {
		t.Error("given up after crashes")
	}
}

// TestWhatWasNotReached: a budget that ends within the first block leaves no trial without a word.
func TestWhatWasNotReached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.sample = func(result.Case, int, *result.Sample) { time.Sleep(time.Second) }
		c := small
		c.Budget = 2 * time.Second
		s, o, err := w.lab(t.Context(), planOf(groupOf(trialOf("a", "x"), trialOf("b", "x")), groupOf(trialOf("c", "x"))), c)
		if err != nil || o.Blocks != 0 {
			t.Fatalf("%+v, %v", o, err)
		}
		var names []string
		for i, x := range s.Trials {
			if x.Index != i {
				t.Errorf("trial %d has the index %d", i, x.Index)
			}
			names = append(names, x.Subject.Library)
		}
		if !slices.Equal(names, []string{"a", "b", "c"}) {
			t.Errorf("declared are %q", names)
		}
	})
}
