package archive

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/result"
)

// statuses and clocks are written to stores by their place in these lists.
var (
	statuses = []result.Status{result.OK, result.Incorrect, result.Unsupported, result.Crashed, result.Unstable}
	clocks   = []string{"", string(result.ThreadClock), string(result.ProcessClock), string(result.WallClock)}
)

// otherStatus is one that this program does not know.
const otherStatus result.Status = "other"

func statusNumber(s result.Status) int64 {
	if i := slices.Index(statuses, s); i >= 0 {
		return int64(i)
	}
	return int64(len(statuses))
}

func statusOf(number int64) result.Status {
	if number >= 0 && number < int64(len(statuses)) {
		return statuses[number]
	}
	return otherStatus
}

func clockOf(number int64) string {
	if number >= 0 && number < int64(len(clocks)) {
		return clocks[number]
	}
	return ""
}

// value is what a pointer points to, or nil.
func value(f *float64) any {
	if f == nil {
		return nil
	}
	return *f
}

// estimated are the columns of an estimate: median, low, high, level, clock.
func estimated(e *document.Estimate) (ns, low, high any, level float64, clock int64) {
	if e == nil {
		return nil, nil, nil, 0, 0
	}
	return e.Median, value(e.Low), value(e.High), e.Level, int64(max(0, slices.Index(clocks, e.Clock)))
}

// tables are the rows of runs that are filed, whose own rows and files are there.
func (a *Archive) tables(entries []*entry) []table {
	return []table{a.cellsTable(entries), metricsTable(entries), comparisonsTable(entries), distributionsTable(entries)}
}

// spread gives what all runs have of a kind as one list: the run of item i, and its place in that run.
func spread(entries []*entry, count func(*entry) int) (total int, at func(i int) (*entry, int)) {
	starts := make([]int, len(entries))
	for i, e := range entries {
		starts[i] = total
		total += count(e)
	}
	return total, func(i int) (*entry, int) {
		k, exact := slices.BinarySearch(starts, i)
		if !exact {
			k--
		}
		for k+1 < len(starts) && starts[k+1] == i { // runs without any
			k++
		}
		return entries[k], i - starts[k]
	}
}

func (e *entry) numbered(i int) int64 { return e.run.number<<trialBits | int64(i) }

func (a *Archive) cellsTable(entries []*entry) table {
	total, at := spread(entries, func(e *entry) int { return len(e.cells) })
	columns := strings.Fields("id run track started version status flags ns ns_low ns_high level clock " +
		"bytes_per_second cycles_per_byte allocs samples blocks warnings")
	row := make([]any, len(columns))
	return table{"cells", columns, total, func(i int) []any {
		e, k := at(i)
		c := &e.cells[k]
		ns, low, high, level, clock := estimated(c.ns)
		return append(row[:0], e.numbered(k), e.run.number, c.number, e.run.Started.UnixMicro(), c.versionNumber,
			statusNumber(c.status), c.flags, ns, low, high, level, clock, value(c.rate), value(c.cycles), value(c.allocs),
			int64(c.samples), int64(c.blocks), int64(c.doubts))
	}}
}

func metricsTable(entries []*entry) table {
	total, at := spread(entries, func(e *entry) int { return len(e.metrics) })
	return table{"metrics", strings.Fields("cell name unit value low high level"), total, func(i int) []any {
		e, k := at(i)
		m := &e.metrics[k]
		return []any{e.numbered(m.trial), m.name, clean(m.Unit), m.Value, value(m.Low), value(m.High), m.Level}
	}}
}

func comparisonsTable(entries []*entry) table {
	total, at := spread(entries, func(e *entry) int { return len(e.pairs) })
	return table{"comparisons", strings.Fields("id base other ratio low high level verdict headline"), total, func(i int) []any {
		e, k := at(i)
		p := &e.pairs[k]
		return []any{e.numbered(k), e.numbered(p.base), e.numbered(p.other), p.Ratio, value(p.Low), value(p.High), p.Level, p.Verdict, bits[p.Headline]}
	}}
}

func distributionsTable(entries []*entry) table {
	total, at := spread(entries, func(e *entry) int { return len(e.histograms) })
	columns := strings.Fields("cell name unit p50 p90 p95 p99 p999 most mean count histogram")
	return table{"distributions", columns, total, func(i int) []any {
		e, k := at(i)
		d := &e.histograms[k]
		var encoded any
		if d.encoded != nil {
			encoded = d.encoded
		}
		return []any{e.numbered(d.trial), d.Name, d.Unit, d.P50, d.P90, value(d.P95), value(d.P99), value(d.P999), d.Max, d.Mean, d.Count, encoded}
	}}
}

// number finds the numbers of what the runs refer to, and adds what is new. What nobody refers to in the end, since
// the runs were not filed, does no harm.
func (a *Archive) number(ctx context.Context, entries []*entry) error {
	machines, conditions, versions, tracks := newNames(), newNames(), newNames(), newNames()
	for _, e := range entries {
		m, c := e.machine, e.condition
		machines.add(m.Key, m.Label, m.Arch, m.CPU, m.CPUs, m.Hypervisor, m.Product)
		conditions.add(keyOf(c), c.Kernel, c.Go, c.Tool, c.Microcode)
	}
	if err := a.names(ctx, "machines", machineColumns, machines); err != nil {
		return err
	}
	if err := a.names(ctx, "conditions", "key kernel go tool microcode", conditions); err != nil {
		return err
	}
	keys := map[track]string{}
	for _, e := range entries {
		for i := range e.cells {
			t := e.cells[i].track
			versions.add(e.cells[i].version)
			if keys[t] != "" {
				continue
			}
			keys[t] = keyOf(t)
			c, s := t.Case, t.Subject
			tracks.add(keys[t], a.numberOf("machines", t.Machine), t.Experiment, c.Algorithm, c.Mode, c.Operation, c.Bytes, c.Parameters,
				s.Library, s.Version, s.Implementation, s.CallPath, s.Runtime, s.Environment, t.Twin)
		}
	}
	if err := a.names(ctx, "versions", "version", versions); err != nil {
		return err
	}
	if err := a.names(ctx, "tracks", "key machine experiment algorithm mode operation bytes parameters library version implementation "+
		"call_path runtime environment twin", tracks); err != nil {
		return err
	}
	for _, e := range entries {
		for i := range e.cells {
			c := &e.cells[i]
			c.number, c.versionNumber = a.numberOf("tracks", keys[c.track]), a.numberOf("versions", c.version)
		}
	}
	return nil
}

const machineColumns = "key label arch cpu cpus hypervisor product"

// names are rows that others refer to, by their key, which is the first column.
type names map[string][]any

func newNames() names { return names{} }

func (n names) add(key string, rest ...any) {
	if _, known := n[key]; !known {
		n[key] = append([]any{key}, rest...)
	}
}

// numberOf is the number of a row that was found or added.
func (a *Archive) numberOf(table, key string) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.cached[table+" "+key]
}

// names finds the numbers of rows, and adds those that are new, in a transaction of their own that is short.
func (a *Archive) names(ctx context.Context, table, columns string, rows names) error {
	for key := range rows {
		if a.numberOf(table, key) != 0 {
			delete(rows, key)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	found := map[string]int64{}
	err := a.write(ctx, func(_ *sql.Conn, tx *sql.Tx) error {
		return findOrAdd(ctx, tx, table, strings.Fields(columns), rows, found)
	})
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for key, number := range found {
		a.cached[table+" "+key] = number
	}
	return nil
}

func findOrAdd(ctx context.Context, tx *sql.Tx, table string, columns []string, rows names, found map[string]int64) error {
	find, err := tx.PrepareContext(ctx, "SELECT id FROM "+table+" WHERE "+columns[0]+" = $1")
	if err != nil {
		return err
	}
	add, err := tx.PrepareContext(ctx, "INSERT INTO "+table+" ("+strings.Join(columns, ", ")+") VALUES ("+placeholders(1, len(columns))+
		") ON CONFLICT ("+columns[0]+") DO NOTHING")
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(rows)) { // in the same order everywhere, so that no two writers wait for each other
		var number int64
		err := find.QueryRowContext(ctx, key).Scan(&number)
		if errors.Is(err, sql.ErrNoRows) {
			if _, err = add.ExecContext(ctx, rows[key]...); err == nil {
				err = find.QueryRowContext(ctx, key).Scan(&number)
			}
		}
		if err != nil {
			return err
		}
		found[key] = number
	}
	return nil
}
