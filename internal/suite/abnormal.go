package suite

import (
	"context"
	"errors"

	"github.com/cryptogauge/cryptogauge/internal/abnormal"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// Tried is what a library did with an abnormal input.
type Tried struct {
	Subject result.Subject
	Input   abnormal.Input
	worker.Tried
}

// Judgement says whether that was as it must be.
func (t Tried) Judgement() abnormal.Judgement { return t.Input.Judge(t.Outcome, t.Subject) }

// Why is what the library said.
func (t Tried) Why() language.Text { return reason.Said(t.Text, t.Cause) }

// TryAbnormal gives every library of the plan the abnormal inputs of its cases, each once and untimed. What a library's
// binding can't hand over is left out.
func (s *Suite) TryAbnormal(ctx context.Context) (all []Tried, err error) {
	inputs, order := map[result.Subject][]abnormal.Input{}, []result.Subject{}
	for _, t := range s.distinct() {
		if _, there := inputs[t.Subject]; !there {
			order = append(order, t.Subject)
		}
		inputs[t.Subject] = append(inputs[t.Subject], abnormal.Inputs(t.Case, t.Subject)...)
	}
	for _, who := range order {
		tried, err := s.workers.try(ctx, who, inputs[who])
		if all = append(all, tried...); err != nil {
			return all, err
		}
	}
	return all, ctx.Err()
}

// distinct are the trials of the plan, each case of a library once: neither sizes nor exhibits, which are known to be
// wrong, nor a library's own loop in C beside the way in which programs call it, nor workers of other people's.
func (s *Suite) distinct() (all []result.Trial) {
	seen := map[result.Trial]bool{}
	s.each(func(g plan.Group, t plan.Trial) {
		t.Case.Bytes = 0
		looped := t.Subject.CallPath == subject.CLoop
		if g.Kind == "" && !t.Exhibit && !looped && !seen[t.Trial] && !s.workers.foreign(plan.WorkerOf(t.Subject)) {
			seen[t.Trial] = true
			all = append(all, t.Trial)
		}
	})
	return all
}

// try gives a library one input after the other. A worker that dies is an outcome too; the next input is given to a
// fresh one, until there have been so many hangs that the library is given up: what it was not given is left out. Its
// rows are measured all the same, since their inputs are none of these.
func (w *Workers) try(ctx context.Context, who result.Subject, inputs []abnormal.Input) (all []Tried, err error) {
	if len(inputs) == 0 || w.missing(who) {
		return nil, nil
	}
	key := plan.WorkerOf(who)
	p := w.unlessGivenUp(ctx, key)
	defer func() {
		if p != nil {
			p.Stop()
		}
	}()
	for _, i := range inputs {
		if p == nil {
			break
		}
		call, cancel := context.WithTimeout(ctx, w.deadline)
		tried, err := p.Try(call, who, i)
		cancel()
		if ctx.Err() != nil {
			break
		}
		w.hangsOnOdd.Note(key, err)
		died := (*worker.Died)(nil)
		switch {
		case errors.As(err, &died):
			all = append(all, Tried{who, i, worker.Tried{Outcome: abnormal.Crashed, Text: died.Error(), Cause: died.AsCause()}})
			p.Stop()
			p = w.unlessGivenUp(ctx, key)
		case err == nil:
			all = append(all, Tried{who, i, tried})
		}
	}
	return all, ctx.Err()
}

// unlessGivenUp starts a worker of a library that was not given up; nil where it was, or does not start, of which its
// rows say why.
func (w *Workers) unlessGivenUp(ctx context.Context, key plan.WorkerKey) *worker.Process {
	if w.hangs.GivenUp(key) || w.hangsOnOdd.GivenUp(key) {
		return nil
	}
	p, _, err := w.Start(ctx, key)
	if ctx.Err() == nil {
		w.hangs.Note(key, err) // without any input
	}
	return p
}
