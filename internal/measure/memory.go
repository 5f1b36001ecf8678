package measure

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/result"
)

// Memory is a sink that keeps what is measured as a run, without a file: what reads runs reads it too.
type Memory struct{ result.Run }

func keep[T any](list *[]T, x T) error {
	*list = append(*list, x)
	return nil
}

func (m *Memory) Trial(t result.TrialInfo) error     { return keep(&m.Trials, t) }
func (m *Memory) Opened(o result.Opened) error       { return keep(&m.Run.Opened, o) }
func (m *Memory) Closed(c result.Closed) error       { return keep(&m.Run.Closed, c) }
func (m *Memory) Status(c result.StatusChange) error { return keep(&m.Statuses, c) }
func (m *Memory) Sample(s result.Sample) error       { return keep(&m.Samples, s) }
func (m *Memory) Record(r result.Record) error       { return keep(&m.Records, r) }

func (m *Memory) Group(g result.Group) error {
	g.Trials = slices.Clone(g.Trials)
	return keep(&m.Groups, g)
}
