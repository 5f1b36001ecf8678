package suite

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// discover asks for the libraries, and keeps those that were asked for.
func (s *Suite) discover(ctx context.Context) ([]result.Subject, error) {
	asked := s.cfg.Selection.Libraries
	wanted := func(library string) bool {
		return library == subject.Harness || len(asked) == 0 ||
			slices.ContainsFunc(asked, func(name string) bool { return strings.EqualFold(name, library) })
	}
	found, err := s.workers.Discover(ctx, wanted)
	if err != nil {
		return nil, err
	}
	s.libraries, s.counter = found.Libraries, found.Counter
	for _, name := range asked {
		if !slices.ContainsFunc(found.Known, func(known string) bool { return strings.EqualFold(known, name) }) {
			return nil, language.Errorf("unknown library %q; there are: %s", "没有名为 %q 的密码库；现有：%s", name, strings.Join(found.Known, ", "))
		}
	}
	return found.Subjects, nil
}

// asked leaves out the subjects that no experiment asks, and the libraries of them; what a foreign worker lacks is said.
func (s *Suite) asked(all []result.Subject) []result.Subject {
	kept := slices.DeleteFunc(slices.Clone(all), func(sub result.Subject) bool {
		return !slices.ContainsFunc(s.cfg.Experiments, func(e plan.Experiment) bool {
			return slices.Contains(e.Subjects(s.cfg.Selection, all), sub)
		})
	})
	brought := s.workers.brought()
	s.libraries = slices.DeleteFunc(s.libraries, func(l result.Library) bool {
		return (l.Missing == "" || !brought[l.Library]) && !slices.ContainsFunc(kept, func(sub result.Subject) bool { return sub.Library == l.Library })
	})
	return kept
}

// enquiry is what one subject is asked: the cases of the experiments that ask it.
type enquiry struct {
	result.Subject
	cases []result.Case
	own   []result.Case // that its worker brings, with their sizes
}

// probe asks each library, in a worker of its own, which cases it offers. The
// libraries are asked side by side; the offers keep the subjects' order.
func (s *Suite) probe(ctx context.Context, subjects []result.Subject) (plan.Offers, error) {
	var all []enquiry
	questions := 0
	for _, sub := range subjects {
		q := enquiry{sub, s.casesFor(sub, subjects), s.ownCases(sub)}
		all, questions = append(all, q), questions+len(q.cases)+len(q.own)
	}
	told := s.telling(questions)
	offers, err := sideBySide(all, func(q enquiry) (plan.Offers, error) { return s.probeSubject(ctx, q, told) })
	return slices.Concat(offers...), err
}

func (s *Suite) casesFor(sub result.Subject, all []result.Subject) (cases []result.Case) {
	if sub.Library == subject.Harness {
		return plan.SelfCases()
	}
	for _, e := range s.cfg.Experiments {
		if !slices.Contains(e.Subjects(s.cfg.Selection, all), sub) {
			continue
		}
		for _, c := range e.Narrow(s.cfg.Selection) {
			if !slices.Contains(cases, c) { // several experiments ask for some
				cases = append(cases, c)
			}
		}
	}
	return cases
}

// ownCases are those that the worker of a subject brings, as far as an experiment measures them.
func (s *Suite) ownCases(sub result.Subject) (cases []result.Case) {
	for _, e := range s.cfg.Experiments {
		for _, c := range e.Brought(s.cfg.Selection, s.workers.found[keyOf(plan.WorkerOf(sub))].cases) {
			if !slices.Contains(cases, c) {
				cases = append(cases, c)
			}
		}
	}
	return cases
}

func (s *Suite) telling(of int) func(library string) {
	if s.cfg.Probing == nil {
		return func(string) {}
	}
	var mu sync.Mutex
	answered := 0
	return func(library string) {
		mu.Lock()
		defer mu.Unlock()
		answered++
		s.cfg.Probing(library, min(answered, of), of)
	}
}

// probeBytes is the message size at which a case is probed: any cipher takes it,
// and a library that changes kernels with size runs its usual one.
const probeBytes = 1024

func probed(c result.Case) result.Case {
	c.Bytes = probeBytes
	if n, fixed := algorithm.FixedBytes(c.Algorithm, c.Mode, c.Operation); fixed {
		c.Bytes = n
	}
	return c
}

func (s *Suite) probeSubject(ctx context.Context, q enquiry, told func(library string)) (plan.Offers, error) {
	sub, cases := q.Subject, slices.Concat(q.cases, q.own)
	sized := slices.Clone(cases)
	for i, c := range q.cases {
		if sub.Library != subject.Harness || c.Algorithm != algorithm.Empty {
			sized[i] = probed(c)
		}
	}
	var offers plan.Offers
	unopened := plan.Offers{{Subject: sub, Case: plan.Unopened}}
	if s.workers.missing(sub) {
		return unopened, nil
	}
	answered := false
	err := s.workers.probe(ctx, sub, sized, func(i int, a worker.About, err error) {
		told(sub.Library)
		if errors.Is(err, errUnanswered) {
			return // nobody knows whether it has it
		}
		answered = true
		// One that dies will die again when it is measured, and be reported there.
		if fault := (*worker.Fault)(nil); !errors.As(err, &fault) || fault.Kind != worker.Absent {
			offers = append(offers, plan.Offer{Subject: sub, Case: cases[i], Loop: a.Loop, Own: i >= len(q.cases)})
		}
	})
	if err == nil && !answered && len(cases) > 0 {
		return unopened, nil
	}
	return offers, err
}

// timedSamples is how many calls are timed of a case, of which the shortest counts: nobody else's work is in it.
const timedSamples = 3

// timed are the cases whose times experiments must know before they plan, with those times: each of them by who
// offers something of the same algorithm and operation. Cases that a library can't do are left out.
func (s *Suite) timed(ctx context.Context, offers plan.Offers) (all plan.Offers, err error) {
	for _, e := range s.cfg.Experiments {
		if e.Timed == nil {
			continue
		}
		for _, c := range e.Timed(e.Narrowed(s.cfg.Selection, offers)) {
			alike := func(o plan.Offer) bool {
				return o.Case.Algorithm == c.Algorithm && o.Case.Mode == c.Mode && o.Case.Operation == c.Operation
			}
			for _, who := range plan.OneEach(offers.Who(alike)) {
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

// time is how long a call of a trial takes of CPU time, in a worker of its own.
func (w *Workers) time(ctx context.Context, t result.Trial) (took time.Duration, err error) {
	p, _, err := w.Start(ctx, plan.WorkerOf(t.Subject))
	if err != nil {
		return 0, err
	}
	defer p.Stop()
	ctx, cancel := context.WithTimeout(ctx, w.deadline)
	defer cancel()
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
