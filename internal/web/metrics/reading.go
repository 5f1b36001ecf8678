package metrics

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/archive/history"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

const (
	searched = 60 * 24 * time.Hour // of how long a time runs are searched for changes
	recent   = 14 * 24 * time.Hour // for how long a slowdown is told of
)

// reading is what was read of a store. It is never changed.
type reading struct {
	machines []archive.Machine
	checks   []archive.Check
	cells    []named
	versions [][]string // machine, library, version
	leftOut  int

	totals    archive.Totals
	slowdowns []slowdown
	searched  bool // the slowdowns are those of these runs
}

// named is a cell with the labels of its series.
type named struct {
	labels []string
	archive.Cell
}

// slowdown is a case that became slower, and is slower still.
type slowdown struct {
	labels []string // with the version before
	since  time.Time
	ratio  float64
}

func readStore(ctx context.Context, s Store, c Config) (*reading, error) {
	r := &reading{}
	var err error
	if r.machines, err = s.Machines(ctx); err != nil {
		return nil, err
	}
	checks, err := s.LatestChecks(ctx)
	if err != nil {
		return nil, err
	}
	seen := distinct{}
	r.checks = slices.DeleteFunc(checks, func(c archive.Check) bool { return !seen.add(clean(c.Machine, c.Suite)) })
	if r.totals, err = s.Totals(ctx); err != nil {
		return nil, err
	}
	cells, err := s.Latest(ctx, archive.CellQuery{})
	if err != nil {
		return nil, err
	}
	r.add(cells, c.MaxCases)
	return r, nil
}

// add keeps the cells that have a number, the newest first, and of those with the same labels one.
func (r *reading) add(cells []archive.Cell, most int) {
	slices.SortStableFunc(cells, func(a, b archive.Cell) int {
		return cmp.Or(b.Started.Compare(a.Started), strings.Compare(a.Run, b.Run), cmp.Compare(a.Trial, b.Trial))
	})
	seen, versions := distinct{}, distinct{}
	for _, c := range cells {
		if c.Harness || c.Exhibit || c.NsPerOp == nil || !positive(c.NsPerOp.Median) || parameter.Side(c.Subject.Environment) != "" {
			continue
		}
		labels := caseLabels(c.Machine, c.Experiment, c)
		switch {
		case len(r.cells) >= most || !seen.add(labels):
			r.leftOut++
			continue
		case c.Subject.Version != "":
			if v := clean(c.Machine, c.Subject.Library, c.Subject.Version); versions.add(v) {
				r.versions = append(r.versions, v)
			}
		}
		r.cells = append(r.cells, named{labels, c})
	}
}

func positive(f float64) bool { return f > 0 && !math.IsInf(f, 0) }

func caseLabels(machine, experiment string, c archive.Cell) []string {
	s, of := c.Subject, c.Case
	return clean(machine, experiment, of.Algorithm, of.Mode, of.Operation, strconv.FormatInt(of.Bytes, 10), of.Parameters,
		s.Library, s.Version, s.Implementation, s.CallPath, s.Runtime, s.Environment)
}

// longestLabel is how many characters a label has at most: run files may come from anywhere.
const longestLabel = 200

// clean makes labels of texts: UTF-8, as the format demands, and not too long.
func clean(texts ...string) []string {
	for i, text := range texts {
		text = strings.ToValidUTF8(text, "\ufffd")
		if runes := []rune(text); len(runes) > longestLabel {
			text = string(runes[:longestLabel-1]) + "…"
		}
		texts[i] = text
	}
	return texts
}

// distinct are lists of labels, each of which a registry takes once.
type distinct map[string]bool

func (d distinct) add(labels []string) bool {
	key := strings.Join(labels, "\x00")
	if d[key] {
		return false
	}
	d[key] = true
	return true
}

// findSlowdowns searches the courses of all cases: those whose newest change of speed made them slower.
func findSlowdowns(ctx context.Context, s Store, c Config) ([]slowdown, error) {
	series, err := s.History(ctx, archive.Filter{Since: c.Now().Add(-searched)})
	if err != nil {
		return nil, err
	}
	var found []slowdown
	seen := distinct{}
	for _, course := range history.Newest(history.Analyse(series)) {
		i := slices.IndexFunc(course.Changes, func(c history.Change) bool { return c.Kind == history.Slower || c.Kind == history.Faster })
		if i < 0 || course.Changes[i].Kind != history.Slower || len(found) >= c.MaxCases {
			continue
		}
		last, change := course.Points[len(course.Points)-1], course.Changes[i]
		of := archive.Cell{Case: course.Case, Subject: course.Subject}
		of.Subject.Version = last.Version
		labels := append(caseLabels(course.Machine, course.Experiment, of), clean(versionBefore(course, change))...)
		if seen.add(labels) {
			found = append(found, slowdown{labels, change.Time, change.Ratio})
		}
	}
	return found, nil
}

// versionBefore is the library's before a change.
func versionBefore(c history.Course, change history.Change) string {
	for _, p := range c.Points {
		if p.Run == change.Before {
			return p.Version
		}
	}
	return ""
}
