package worker

import (
	"context"
	"errors"

	"github.com/cryptogauge/cryptogauge/internal/abnormal"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Tried is what a library did with an abnormal input, and in its own words why.
type Tried struct {
	Outcome abnormal.Outcome `json:"outcome"`
	Text    string           `json:"text,omitempty"`
	result.Cause
}

type abnormalJudge interface {
	Abnormal(abnormal.Input) (done func())
}

func (s *server) try(q request) (reply, error) {
	p, err := s.find(q)
	if err != nil {
		return reply{}, err
	}
	j, ok := s.Judge.(abnormalJudge)
	if !ok {
		return reply{}, newFault(Failed, "unknown-verb", q.Do)
	}
	input := abnormal.Input{Case: *q.Case, Change: q.Change}
	defer j.Abnormal(input)()
	tried, err := try(p, input)
	return reply{Tried: tried}, err
}

func try(p provider.Provider, i abnormal.Input) (*Tried, error) {
	op, err := provider.Prepare(p, i.Case)
	if errors.Is(err, errors.ErrUnsupported) { // by the laboratory's binding, before the library was given anything
		return nil, err
	}
	if err == nil {
		defer op.Close()
		err = provider.Guard(func() error { return op.Run(1) })
	}
	outcome := abnormal.Refused
	switch _, panicked := errors.AsType[*provider.Panic](err); {
	case panicked:
		outcome = abnormal.Panicked
	case errors.Is(err, provider.ErrIncorrect) && !i.Refused(): // it says that it wrote another number of bytes
		outcome = abnormal.Wrong
	case err == nil && !i.Refused():
		outcome, err = abnormal.Wrong, provider.Guard(op.Check)
	}
	if err == nil {
		return &Tried{Outcome: abnormal.Accepted}, nil
	}
	return &Tried{outcome, oneLine(err.Error()), reason.Of(err)}, nil
}

// Try gives a library an abnormal input. A fault says that it could not be given it.
func (p *Process) Try(ctx context.Context, s result.Subject, i abnormal.Input) (Tried, error) {
	s.Environment = parameter.WithoutSide(s.Environment)
	r, err := p.call(ctx, request{Do: "try", Subject: &s, Case: &i.Case, Change: i.Change})
	switch {
	case err != nil:
		return Tried{}, err
	case r.Tried == nil || !r.Tried.Outcome.Known():
		return Tried{}, p.nonsense("about-nothing", "try")
	}
	return *r.Tried, nil
}
