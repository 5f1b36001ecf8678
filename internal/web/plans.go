package web

import (
	"context"
	"net/http"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/decide"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// listedPlans is how many a page lists: the run of each is read whole, once.
const listedPlans = 10

type plansPage struct {
	frame
	Found language.Text
	Plans []planRow
	Older string
}

type planRow struct {
	archive.Run
	decided
	Says []remark
}

// decided is what a plan says.
type decided struct {
	Name    string        // of the workload
	Line    language.Text // the choice and the CPUs that it takes; empty where the run does not say what it was for
	Steps   []decidedStep
	Checked remark
}

type decidedStep struct {
	Name   language.Text
	Picked language.Text
}

// planned remembers what was decided: a run file never changes.
type planned struct {
	mu sync.Mutex
	of map[string]decided
}

// mostPlanned is how many decisions are remembered.
const mostPlanned = 500

func newPlanned() *planned { return &planned{of: map[string]decided{}} }

func (s *Server) listPlans(v *visit, a *archive.Archive) error {
	ctx := v.r.Context()
	q := archive.RunQuery{Suite: decide.ExperimentName, Limit: listedPlans}
	if after := v.query().Get("after"); after != "" {
		last, err := a.Find(ctx, after)
		if err != nil {
			return err
		}
		q.After = &last
	}
	runs, total, err := a.Runs(ctx, q)
	if err != nil {
		return err
	}
	page := plansPage{frame: v.frame(partPlans, language.Text{EN: "Plans", ZH: "计划"}),
		Found: layout.Counted(total, "plan", "个计划")}
	for _, r := range runs {
		d, err := s.decided(ctx, a, r)
		if err != nil {
			return err
		}
		page.Plans = append(page.Plans, planRow{Run: r, decided: d, Says: says(r)})
	}
	if len(runs) == listedPlans {
		page.Older = page.with("after", runs[len(runs)-1].ID)
	}
	return v.show(http.StatusOK, "plans", page)
}

func (s *Server) decided(ctx context.Context, a *archive.Archive, r archive.Run) (decided, error) {
	beside, _, err := a.Runs(ctx, archive.RunQuery{SecondOf: r.ID})
	if err != nil {
		return decided{}, err
	}
	key := r.ID
	for _, b := range beside {
		key += b.ID
	}
	s.plans.mu.Lock()
	d, known := s.plans.of[key]
	s.plans.mu.Unlock()
	if known {
		return d, nil
	}
	if d, err = s.decide(ctx, a, r, beside); err != nil {
		return d, err
	}
	s.plans.mu.Lock()
	defer s.plans.mu.Unlock()
	if len(s.plans.of) >= mostPlanned {
		clear(s.plans.of)
	}
	s.plans.of[key] = d
	return d, nil
}

func (s *Server) decide(ctx context.Context, a *archive.Archive, r archive.Run, beside []archive.Run) (d decided, err error) {
	select {
	case s.builds <- struct{}{}:
		defer func() { <-s.builds }()
	case <-ctx.Done():
		return d, ctx.Err()
	}
	doc, checks, err := s.documents(ctx, a, r, beside)
	if err != nil {
		return d, err
	}
	made := decisionOf(doc, checks)
	if made == nil {
		return d, nil
	}
	d.Name, d.Line = made.Workload.Name, made.Headline()
	for _, step := range made.Steps {
		name := language.Same(step.Name)
		if step.Name == string(step.Need) { // nobody gave it another
			name = step.Need.Text()
		}
		d.Steps = append(d.Steps, decidedStep{name, step.Picked()})
	}
	d.Checked = checkedText(made)
	return d, nil
}

// checkedText says what the chosen steps showed when they ran together.
func checkedText(d *decide.Decision) remark {
	if d.Check == nil {
		return remark{"unclear", language.Text{EN: "not checked together", ZH: "未合并核对"}}
	}
	switch d.Check.Outcome {
	case decide.Held:
		return remark{"choose", language.Text{EN: "checked together: the prediction holds", ZH: "已合并核对：预测成立"}}
	case decide.Off:
		return remark{"beware", language.Text{EN: "checked together: the prediction is off", ZH: "已合并核对：与预测不符"}}
	}
	return remark{"unclear", language.Text{EN: "checked together: undecided", ZH: "已合并核对：无法判定"}}
}
