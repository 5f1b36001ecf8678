package measure

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/result"
)

// Memory is a sink that keeps what is measured as a run, without a file: what reads runs reads it too.
type Memory struct{ result.Run }

// Trial and the methods after it implement [Sink].
func (m *Memory) Trial(t result.TrialInfo) error {
	m.Trials = append(m.Trials, t)
	return nil
}

func (m *Memory) Group(g result.Group) error {
	g.Trials = slices.Clone(g.Trials)
	m.Groups = append(m.Groups, g)
	return nil
}

func (m *Memory) Opened(o result.Opened) error {
	m.Run.Opened = append(m.Run.Opened, o)
	return nil
}

func (m *Memory) Closed(c result.Closed) error {
	m.Run.Closed = append(m.Run.Closed, c)
	return nil
}

func (m *Memory) Status(c result.StatusChange) error {
	m.Statuses = append(m.Statuses, c)
	return nil
}

func (m *Memory) Sample(s result.Sample) error {
	m.Samples = append(m.Samples, s)
	return nil
}

func (m *Memory) Record(r result.Record) error {
	m.Records = append(m.Records, r)
	return nil
}
