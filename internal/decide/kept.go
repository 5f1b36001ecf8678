package decide

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// A plan's run keeps the workload that it was made for, so that the same is asked of the runs of other machines.

// Keep is a workload as a run's header holds it.
func (w *Workload) Keep() (json.RawMessage, error) { return json.Marshal(w) }

// Kept reads the workload of a run's header. A run file may be anybody's.
func Kept(h result.Header) (*Workload, error) {
	if len(h.Workload) == 0 {
		return nil, language.Error("the run holds no workload: it is of no plan, or of an older cryptogauge; give the workload file",
			"该运行不含工作负载：它不是 plan 的运行，或由较早版本的 cryptogauge 生成；请给出工作负载文件")
	}
	w := &Workload{}
	strict := json.NewDecoder(bytes.NewReader(h.Workload))
	strict.DisallowUnknownFields()
	if err := strict.Decode(w); err != nil {
		return nil, language.Error("the workload in the run can't be read: it is of another cryptogauge; give the workload file",
			"无法读取该运行中的工作负载：它由其他版本的 cryptogauge 生成；请给出工作负载文件")
	}
	if len(w.Steps) == 0 || !within(w.Rate, 0, MostRate) || !within(w.Limits.Utilization, 0, 1) ||
		slices.ContainsFunc(w.Steps, func(s Step) bool { return !s.sane() }) {
		return nil, language.Error("the workload in the run makes no sense; give the workload file", "该运行中的工作负载不合理；请给出工作负载文件")
	}
	for i := range w.Steps {
		if err := w.Steps[i].Check(); err != nil {
			return nil, err
		}
	}
	return w, w.Check()
}

// within says of a number whether it lies between two, which what is no number does not.
func within(x, least, most float64) bool { return x >= least && x <= most }

// sane says whether a step is one that a workload file could have.
func (s *Step) sane() bool {
	_, err := ParseName(s.Name)
	return err == nil && slices.Contains(Needs, s.Need) && within(s.Per, leastNumber, math.MaxInt32) && within(s.Rate, 0, MostRate) &&
		within(s.Resumed, 0, 1) && len(s.Sizes) <= plan.MaxHistogramRows && !slices.ContainsFunc(s.Sizes, func(x result.SizeShare) bool {
		return x.Bytes < 0 || x.Bytes > plan.MaxSize || !within(x.Weight, math.SmallestNonzeroFloat64, math.MaxFloat64/plan.MaxHistogramRows)
	})
}

// Wants says whether a case is a part of a way to meet one of a workload's needs, alone or with CPUs busy.
func (w *Workload) Wants(c result.Case) bool {
	c.Parameters = parameter.Without(c.Parameters, parameter.Busy)
	return slices.ContainsFunc(w.Steps, func(s Step) bool {
		return slices.ContainsFunc(s.variants(), func(v variant) bool {
			return slices.ContainsFunc(v.parts, func(p part) bool { return p.Case == c })
		})
	})
}

// Picked names what was chosen for a step; nothing where no candidate is left.
func (c *Choice) Picked() layout.Text {
	if c.Chosen == nil {
		return layout.Text{}
	}
	return c.Chosen.text()
}
