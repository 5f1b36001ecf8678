package suite

import (
	"context"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// timedSamples is how many calls are timed of a case, of which the shortest counts: nobody else's work is in it.
const timedSamples = 3

// timed are the cases whose times experiments must know before they plan, with those times: each of them by who
// offers something of the same algorithm and operation. Cases that a library can't do are left out.
func (s *Suite) timed(ctx context.Context, offers plan.Offers) (all plan.Offers, err error) {
	for _, e := range s.cfg.Experiments {
		if e.Timed == nil {
			continue
		}
		for _, c := range e.Timed(s.cfg.Selection) {
			for _, who := range plan.OneEach(alike(offers, c)) {
				took, err := s.workers.time(ctx, result.Trial{Subject: who, Case: c})
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				if err == nil {
					all = append(all, plan.Offer{Subject: who, Case: c, Call: took})
				}
			}
		}
	}
	return all, nil
}

func alike(offers plan.Offers, c result.Case) (who []result.Subject) {
	for _, o := range offers {
		if o.Case.Algorithm == c.Algorithm && o.Case.Mode == c.Mode && o.Case.Operation == c.Operation && !slices.Contains(who, o.Subject) {
			who = append(who, o.Subject)
		}
	}
	return who
}

// time is how long a call of a trial takes of CPU time, in a worker of its own.
func (w *Workers) time(ctx context.Context, t result.Trial) (took time.Duration, err error) {
	p, _, err := w.Start(ctx, plan.WorkerOf(t.Subject))
	if err != nil {
		return 0, err
	}
	defer p.Stop()
	ctx, cancel := context.WithTimeout(ctx, w.deadline)
	defer cancel()
	return timeCalls(ctx, p, t)
}

func timeCalls(ctx context.Context, p *worker.Process, t result.Trial) (took time.Duration, err error) {
	const handle = 1
	if _, err := p.Open(ctx, handle, t, 0, ""); err != nil {
		return 0, err
	}
	if _, err := p.Ready(ctx, handle, 1, 0); err != nil {
		return 0, err
	}
	for range timedSamples {
		s, err := p.Run(ctx, handle, 1)
		if err != nil {
			return 0, err
		}
		if one := time.Duration(s.Process); took == 0 || one < took {
			took = one
		}
	}
	return took, p.Close(ctx, handle)
}
