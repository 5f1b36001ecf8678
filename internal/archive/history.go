package archive

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// History gives the course of each case and subject on each machine, its points in order of time. Points of runs
// at the same instant keep the order in which they were filed. What measures the laboratory, and the sides of comparisons,
// which are something else each time, have no history.
func (a *Archive) History(ctx context.Context, f Filter) ([]Series, error) {
	tracks, err := a.tracks(ctx, f)
	if err != nil {
		return nil, a.failed(err)
	}
	labels, err := a.labels(ctx)
	if err != nil {
		return nil, a.failed(err)
	}
	for number, t := range tracks {
		if parameter.Side(t.Subject.Environment) != "" || t.Twin > 1 {
			delete(tracks, number)
		}
	}
	if err := a.bounded(ctx, tracks, f); err != nil {
		return nil, a.failed(err)
	}
	all := []Series{}
	for chunk := range slices.Chunk(numbers(tracks), atOnce) {
		points, err := a.points(ctx, chunk, f)
		if err != nil {
			return nil, a.failed(err)
		}
		for _, number := range chunk {
			if s := points[number]; s != nil {
				t := tracks[number]
				s.Machine, s.Label, s.Experiment, s.Case, s.Subject = t.Machine, labels[t.Machine], t.Experiment, t.Case, t.Subject
				for i := range s.Points {
					s.Points[i].Implementation = t.Subject.Implementation
				}
				all = append(all, *s)
			}
		}
	}
	return joined(all), nil
}

// mostPoints are about a gigabyte of memory.
const mostPoints = 4_000_000

// bounded refuses a history that takes too much memory, and nobody reads.
func (a *Archive) bounded(ctx context.Context, tracks map[int64]*track, f Filter) error {
	total := 0
	for chunk := range slices.Chunk(numbers(tracks), atOnce) {
		var w where
		w.between("started", f.Since, f.Until)
		var n int
		if err := a.db.QueryRowContext(ctx, "SELECT count(*) FROM cells WHERE track IN ("+listOf(chunk)+") AND "+w.String(), w.args...).Scan(&n); err != nil {
			return err
		}
		total += n
	}
	if total > mostPoints {
		return language.Errorf("that is %d points of %d series, too many to hold; ask for fewer cases, machines or days",
			"共 %d 个点、%d 个序列，数量过多；请减少测试项、机器或天数", total, len(tracks))
	}
	return nil
}

// joined makes one series of those that differ in the implementation alone, where no run has two of them: the library
// chose another kernel at some time. Where a run has several, each is a subject of its own.
func joined(all []Series) []Series {
	type who struct {
		machine, experiment string
		what                result.Case
		subject             result.Subject
	}
	groups := map[who][]int{}
	of := func(s *Series) who {
		w := who{s.Machine, s.Experiment, s.Case, s.Subject}
		w.subject.Implementation = ""
		return w
	}
	for i := range all {
		groups[of(&all[i])] = append(groups[of(&all[i])], i)
	}
	kept := all[:0:0]
	for i := range all {
		group := groups[of(&all[i])]
		switch {
		case len(group) == 1 || !apart(all, group):
			kept = append(kept, all[i])
		case group[0] == i:
			kept = append(kept, join(all, group))
		}
	}
	return kept
}

// apart says whether no run has two of these series.
func apart(all []Series, group []int) bool {
	runs := map[string]bool{}
	for _, i := range group {
		for _, p := range all[i].Points {
			if runs[p.Run] {
				return false
			}
			runs[p.Run] = true
		}
	}
	return true
}

func join(all []Series, group []int) Series {
	s := all[group[0]]
	s.Points = slices.Clone(s.Points)
	for _, i := range group[1:] {
		s.Points = append(s.Points, all[i].Points...)
		s.Exhibit = s.Exhibit || all[i].Exhibit
	}
	slices.SortStableFunc(s.Points, func(a, b Point) int { return a.Time.Compare(b.Time) })
	s.Subject.Implementation = s.Points[len(s.Points)-1].Implementation
	return s
}

func (a *Archive) labels(ctx context.Context) (map[string]string, error) {
	labels := map[string]string{}
	err := each(ctx, a.db, func(rows *sql.Rows) error {
		var key, label string
		err := rows.Scan(&key, &label)
		labels[key] = label
		return err
	}, "SELECT key, label FROM machines")
	return labels, err
}

// points are those of tracks, by track.
func (a *Archive) points(ctx context.Context, tracks []int64, f Filter) (map[int64]*Series, error) {
	var w where
	w.between("c.started", f.Since, f.Until)
	w.conditions = append(w.conditions, "c.track IN ("+listOf(tracks)+")")
	found, shared := map[int64]*Series{}, sharing{}
	err := each(ctx, a.db, func(rows *sql.Rows) error {
		var number, started, status, flags, partial int64
		var e estimate
		var p Point
		var second, confidence, version, kernel, golang, tool, microcode sql.RawBytes
		if err := rows.Scan(&number, &started, &status, &flags, &e.ns, &e.low, &e.high, &e.level, &e.clock, &p.Run, &second, &partial,
			&confidence, &version, &kernel, &golang, &tool, &microcode); err != nil {
			return err
		}
		if flags&(flagLaboratory|flagUnmeasured) != 0 {
			return nil
		}
		p.Time, p.Status, p.Withheld, p.NsPerOp, p.Partial = micro(started), statusOf(status), flags&flagWithheld != 0, e.estimate(), partial != 0
		p.SecondOf = shared.text(second)
		p.Confidence, p.Version, p.Kernel = shared.text(confidence), shared.text(version), shared.text(kernel)
		p.Go, p.Tool, p.Microcode = shared.text(golang), shared.text(tool), shared.text(microcode)
		s := found[number]
		if s == nil {
			s = &Series{}
			found[number] = s
		}
		s.Points = append(s.Points, p)
		s.Exhibit = s.Exhibit || flags&flagExhibit != 0
		return nil
	}, `SELECT c.track, c.started, c.status, c.flags, c.ns, c.ns_low, c.ns_high, c.level, c.clock, r.sha256, r.second_of, r.partial,
		r.confidence, v.version, k.kernel, k.go, k.tool, k.microcode
		FROM cells c JOIN runs r ON r.id = c.run JOIN versions v ON v.id = c.version JOIN conditions k ON k.id = r.condition
		WHERE `+w.String()+` ORDER BY c.track, c.started, c.id`, w.args...)
	return found, err
}

// sharing makes one string of equal texts: a history says the same of most of its points.
type sharing map[string]string

func (s sharing) text(b []byte) string {
	if known, ok := s[string(b)]; ok { // which copies nothing
		return known
	}
	text := string(b)
	s[text] = text
	return text
}

// Cases lists the cases that were measured, without those of the laboratory, in alphabetical order.
func (a *Archive) Cases(ctx context.Context, f Filter) ([]CaseCount, error) {
	tracks, err := a.tracks(ctx, f)
	if err != nil {
		return nil, a.failed(err)
	}
	last, timed := map[int64]int64{}, map[int64]bool{}
	err = each(ctx, a.db, func(rows *sql.Rows) error {
		var number, started int64
		var has bool
		err := rows.Scan(&number, &started, &has)
		last[number], timed[number] = started, has
		return err
	}, `SELECT t.id, coalesce((SELECT c.started FROM cells c WHERE c.track = t.id ORDER BY c.started DESC, c.id DESC LIMIT 1), 0),
		EXISTS (SELECT 1 FROM cells c WHERE c.track = t.id AND c.ns IS NOT NULL) FROM tracks t`)
	if err != nil {
		return nil, a.failed(err)
	}
	return countCases(tracks, last, timed, f), nil
}

func countCases(tracks map[int64]*track, last map[int64]int64, timed map[int64]bool, f Filter) []CaseCount {
	type of struct {
		experiment string
		what       result.Case
	}
	counts := []CaseCount{}
	at := map[of]int{}
	subjects, machines := map[of]map[result.Subject]bool{}, map[of]map[string]bool{}
	for _, number := range numbers(tracks) {
		t, when := tracks[number], micro(last[number])
		if t.Subject.Library == subject.Harness || last[number] == 0 || when.Before(f.Since) || !f.Until.IsZero() && !when.Before(f.Until) {
			continue
		}
		k := of{t.Experiment, t.Case}
		i, known := at[k]
		if !known {
			i = len(counts)
			at[k], subjects[k], machines[k] = i, map[result.Subject]bool{}, map[string]bool{}
			counts = append(counts, CaseCount{Experiment: t.Experiment, Case: t.Case})
		}
		subjects[k][t.Subject], machines[k][t.Machine] = true, true
		c := &counts[i]
		c.Timed = c.Timed || timed[number]
		c.Subjects, c.Machines, c.Last = len(subjects[k]), len(machines[k]), later(c.Last, when)
	}
	slices.SortStableFunc(counts, func(a, b CaseCount) int { return strings.Compare(a.Experiment, b.Experiment) })
	return counts
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
