package archive

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/result"
)

// tracks are what the filter has of what was ever measured, by number.
func (a *Archive) tracks(ctx context.Context, f Filter) (map[int64]*track, error) {
	found := map[int64]*track{}
	w := f.where()
	err := each(ctx, a.db, func(rows *sql.Rows) error {
		var number int64
		t := &track{}
		c, s := &t.Case, &t.Subject
		if err := rows.Scan(&number, &t.Machine, &t.Experiment, &c.Algorithm, &c.Mode, &c.Operation, &c.Bytes, &c.Parameters,
			&s.Library, &s.Version, &s.Implementation, &s.CallPath, &s.Runtime, &s.Environment, &t.Twin); err != nil {
			return err
		}
		if f.matches(t.Case) {
			found[number] = t
		}
		return nil
	}, `SELECT t.id, m.key, t.experiment, t.algorithm, t.mode, t.operation, t.bytes, t.parameters,
		t.library, t.version, t.implementation, t.call_path, t.runtime, t.environment, t.twin
		FROM tracks t JOIN machines m ON m.id = t.machine WHERE `+w.String(), w.args...)
	return found, err
}

// numbers are those of tracks, in the order in which they are shown.
func numbers(tracks map[int64]*track) []int64 {
	list := make([]int64, 0, len(tracks))
	for number := range tracks {
		list = append(list, number)
	}
	slices.SortFunc(list, func(a, b int64) int { return cmp.Or(tracks[a].compare(tracks[b]), cmp.Compare(a, b)) })
	return list
}

func (t *track) compare(o *track) int {
	c, d, s, u := t.Case, o.Case, t.Subject, o.Subject
	return cmp.Or(strings.Compare(t.Experiment, o.Experiment), strings.Compare(c.Name(), d.Name()), strings.Compare(c.Operation, d.Operation),
		cmp.Compare(c.Bytes, d.Bytes), strings.Compare(c.Parameters, d.Parameters), strings.Compare(s.Library, u.Library), strings.Compare(s.Version, u.Version),
		strings.Compare(s.Implementation, u.Implementation), strings.Compare(s.CallPath, u.CallPath), strings.Compare(t.Machine, o.Machine))
}

// listOf is a list of numbers as SQL has it. They are the store's own, and no text of a run file.
func listOf(numbers []int64) string {
	var b strings.Builder
	for i, n := range numbers {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatInt(n, 10))
	}
	return b.String()
}

// atOnce is how many numbers a query lists.
const atOnce = 2000

const cellColumns = `c.id, c.track, c.started, c.status, c.flags, c.ns, c.ns_low, c.ns_high, c.level, c.clock,
	c.bytes_per_second, c.cycles_per_byte, c.allocs, c.samples, c.blocks, c.warnings, v.version, r.sha256, r.confidence
	FROM cells c JOIN versions v ON v.id = c.version JOIN runs r ON r.id = c.run`

// estimate reads the columns of one.
type estimate struct {
	ns, low, high *float64
	level         float64
	clock         int64
}

func (e *estimate) estimate() *document.Estimate {
	if e.ns == nil {
		return nil
	}
	return &document.Estimate{Median: *e.ns, Low: e.low, High: e.high, Level: e.level, Clock: clockOf(e.clock)}
}

// scanCell reads a cell, but for its row's ID where it has a twin.
func scanCell(rows *sql.Rows, tracks map[int64]*track) (number int64, c Cell, err error) {
	var track, started, status, flags int64
	var e estimate
	var version string
	err = rows.Scan(&number, &track, &started, &status, &flags, &e.ns, &e.low, &e.high, &e.level, &e.clock,
		&c.BytesPerSecond, &c.CyclesPerByte, &c.AllocsPerOp, &c.Samples, &c.Blocks, &c.Warnings, &version, &c.Run, &c.Confidence)
	t, known := tracks[track]
	if err != nil || !known {
		return 0, c, err
	}
	c.Trial, c.Started = int(number&(1<<trialBits-1)), micro(started)
	c.Machine, c.Experiment, c.Case, c.Subject = t.Machine, t.Experiment, t.Case, t.Subject
	c.Subject.Version = version
	c.Status, c.NsPerOp = statusOf(status), e.estimate()
	c.Withheld, c.Exhibit, c.Harness = flags&flagWithheld != 0, flags&flagExhibit != 0, flags&flagLaboratory != 0
	c.Row = t.Experiment + "/" + result.Trial{Subject: c.Subject, Case: c.Case}.ID()
	if t.Twin > 1 { // as document.UniqueIDs names it
		c.Row += "#" + strconv.Itoa(t.Twin)
	}
	return number, c, nil
}

// Cells gives the cells of one run in their order, or of all runs in order of time: see [CellQuery].
func (a *Archive) Cells(ctx context.Context, q CellQuery) ([]Cell, error) {
	var w where
	if q.Run == "" {
		w.between("c.started", q.Since, q.Until)
	} else {
		r, err := a.Find(ctx, q.Run)
		if err != nil {
			return nil, err
		}
		if len(q.Machines) == 0 {
			q.Machines = []string{r.Machine}
		}
		first := r.number << trialBits
		w.add("c.id >= ? AND c.id < ?", first, first+1<<trialBits)
	}
	tracks, err := a.tracks(ctx, q.Filter)
	if err != nil {
		return nil, a.failed(err)
	}
	return a.cells(ctx, tracks, "SELECT "+cellColumns+" WHERE "+w.String()+" AND c.track IN (%s)", w.args)
}

// Latest gives the last cell of each case and subject on each machine: of subjects, without regard to their version,
// nor to their implementation where the library has chosen another one since.
// What a partial run had not measured yet takes nobody's place.
func (a *Archive) Latest(ctx context.Context, q CellQuery) ([]Cell, error) {
	tracks, err := a.tracks(ctx, q.Filter)
	if err == nil {
		err = a.withoutReplaced(ctx, tracks)
	}
	if err != nil {
		return nil, a.failed(err)
	}
	var w where
	w.between("l.started", q.Since, q.Until)
	return a.cells(ctx, tracks, "SELECT "+cellColumns+` JOIN tracks t ON t.id = c.track WHERE t.id IN (%s) AND c.id = (SELECT l.id
		FROM cells l WHERE l.track = t.id AND l.flags & `+strconv.Itoa(flagUnmeasured)+` = 0 AND `+w.String()+`
		ORDER BY l.started DESC, l.id DESC LIMIT 1)`, w.args)
}

// withoutReplaced leaves out the implementations that others have taken the place of: these began after they ended.
func (a *Archive) withoutReplaced(ctx context.Context, tracks map[int64]*track) error {
	groups := map[track][]int64{}
	for number, t := range tracks {
		alike := *t
		alike.Subject.Implementation = ""
		groups[alike] = append(groups[alike], number)
	}
	var several []int64
	for _, group := range groups {
		if len(group) > 1 {
			several = append(several, group...)
		}
	}
	begin, end := map[int64]int64{}, map[int64]int64{}
	for chunk := range slices.Chunk(several, atOnce) {
		err := each(ctx, a.db, func(rows *sql.Rows) error {
			var number, first, last int64
			err := rows.Scan(&number, &first, &last)
			begin[number], end[number] = first, last
			return err
		}, "SELECT track, min(started), max(started) FROM cells WHERE track IN ("+listOf(chunk)+") GROUP BY track")
		if err != nil {
			return err
		}
	}
	for _, group := range groups {
		for _, number := range group {
			if slices.ContainsFunc(group, func(other int64) bool { return begin[other] > end[number] }) {
				delete(tracks, number)
			}
		}
	}
	return nil
}

// cells gives those of a query over lists of tracks, which stand for its %s, in order of time and of their run.
func (a *Archive) cells(ctx context.Context, tracks map[int64]*track, query string, args []any) ([]Cell, error) {
	cells := []Cell{}
	at := map[int64]int{} // number → index
	for chunk := range slices.Chunk(numbers(tracks), atOnce) {
		err := each(ctx, a.db, func(rows *sql.Rows) error {
			number, c, err := scanCell(rows, tracks)
			if err == nil {
				at[number] = len(cells)
				cells = append(cells, c)
			}
			return err
		}, fmt.Sprintf(query, listOf(chunk)), args...)
		if err != nil {
			return nil, a.failed(err)
		}
	}
	if err := a.addMetrics(ctx, cells, at); err != nil {
		return nil, a.failed(err)
	}
	slices.SortStableFunc(cells, func(a, b Cell) int {
		return cmp.Or(a.Started.Compare(b.Started), strings.Compare(a.Run, b.Run), cmp.Compare(a.Trial, b.Trial))
	})
	return cells, nil
}

// addMetrics gives cells what scenarios measured of them.
func (a *Archive) addMetrics(ctx context.Context, cells []Cell, at map[int64]int) error {
	all := make([]int64, 0, len(at))
	for number := range at {
		all = append(all, number)
	}
	slices.Sort(all)
	for chunk := range slices.Chunk(all, atOnce) {
		err := each(ctx, a.db, func(rows *sql.Rows) error {
			var number int64
			var name string
			var m document.Metric
			if err := rows.Scan(&number, &name, &m.Unit, &m.Value, &m.Low, &m.High, &m.Level); err != nil {
				return err
			}
			c := &cells[at[number]]
			if c.Metrics == nil {
				c.Metrics = map[string]document.Metric{}
			}
			c.Metrics[name] = m
			return nil
		}, "SELECT cell, name, unit, value, low, high, level FROM metrics WHERE cell IN ("+listOf(chunk)+")")
		if err != nil {
			return err
		}
	}
	return nil
}

// Comparisons gives those of one run, in their order.
func (a *Archive) Comparisons(ctx context.Context, run string) ([]Comparison, error) {
	r, err := a.Find(ctx, run)
	if err != nil {
		return nil, err
	}
	list := []Comparison{}
	first := r.number << trialBits
	err = each(ctx, a.db, func(rows *sql.Rows) error {
		c := Comparison{Run: r.ID}
		var base, other, headline int64
		err := rows.Scan(&base, &other, &c.Ratio, &c.Low, &c.High, &c.Level, &c.Verdict, &headline)
		c.Base, c.Other, c.Headline = int(base-first), int(other-first), headline != 0
		list = append(list, c)
		return err
	}, "SELECT base, other, ratio, low, high, level, verdict, headline FROM comparisons WHERE id >= $1 AND id < $2 ORDER BY id", first, first+1<<trialBits)
	return list, a.failed(err)
}

// Distributions gives those of one run, in the order of its cells.
func (a *Archive) Distributions(ctx context.Context, run string) ([]Distribution, error) {
	r, err := a.Find(ctx, run)
	if err != nil {
		return nil, err
	}
	list := []Distribution{}
	first := r.number << trialBits
	err = each(ctx, a.db, func(rows *sql.Rows) error {
		d := Distribution{Run: r.ID}
		var cell int64
		err := rows.Scan(&cell, &d.Name, &d.Unit, &d.P50, &d.P90, &d.P95, &d.P99, &d.P999, &d.Max, &d.Mean, &d.Count, &d.Histogram)
		d.Trial = int(cell - first)
		list = append(list, d)
		return err
	}, "SELECT cell, name, unit, p50, p90, p95, p99, p999, most, mean, count, histogram FROM distributions WHERE cell >= $1 AND cell < $2 ORDER BY cell, name",
		first, first+1<<trialBits)
	if err != nil {
		return nil, a.failed(err)
	}
	return list, a.rowsOf(ctx, r, list)
}

// rowsOf names the rows that distributions are of.
func (a *Archive) rowsOf(ctx context.Context, r Run, list []Distribution) error {
	cells, err := a.Cells(ctx, CellQuery{Run: r.ID})
	if err != nil {
		return err
	}
	rows := map[int]string{}
	for _, c := range cells {
		rows[c.Trial] = c.Row
	}
	for i := range list {
		list[i].RowID = rows[list[i].Trial]
	}
	return nil
}
