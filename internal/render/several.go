package render

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// Several runs are set side by side, a column a machine. They were not made in
// turns, so nothing here compares one column with another.

// mostMachines is how many columns a terminal has room for.
const mostMachines = 5

func (p *painter) several(docs []*document.Document) []string {
	lines := wrap(p.say(NoVerdictBetweenMachines), p.Width)
	for i, d := range docs {
		lines = append(lines, "", p.bold(p.say(machineName(i))))
		lines = append(lines, p.head(d, 3)...)
		lines = append(lines, p.answers(shortAnswers(d.Answers[len(d.WrongOutputs):]))...)
	}
	notes := &footnotes{}
	for _, t := range sideBySide(docs, mostMachines) {
		lines = below(lines, p.table(t, notes))
	}
	return p.claimed(append(lines, p.notes(notes)...))
}

func machineName(i int) layout.Text {
	return layout.Say("machine %s", "机器 %s", machineLetter(i))
}

// machineLetter names the machines A, B, … Z, then 27, 28, …
func machineLetter(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return strconv.Itoa(i + 1)
}

func shortAnswers(all []layout.Answer) (short []layout.Answer) {
	for _, a := range all {
		if a.Listings = nil; a.Short { // they stand where the question is answered in full
			short = append(short, a)
		}
	}
	return short
}

// sideBySide makes one table an experiment, with at most so many machines; more
// machines make more tables.
func sideBySide(docs []*document.Document, most int) (tables []layout.Table) {
	for _, rows := range document.Grouped(namedRows(docs), func(r namedRow) string { return r.Experiment }) {
		var things [][]*document.Row // each on all machines, nil where one has it not
		for _, same := range document.Grouped(rows, func(r namedRow) string { return r.name }) {
			thing := make([]*document.Row, len(docs))
			for _, r := range same {
				thing[r.machine] = r.Row
			}
			things = append(things, thing)
		}
		for from := 0; from < len(docs); from += most {
			to := min(from+most, len(docs))
			t := layout.Table{
				Title:   titleOf(rows[0].Experiment),
				Columns: []layout.Column{columnCase, columnLibrary},
			}
			for i := from; i < to; i++ {
				t.Columns = append(t.Columns, layout.Column{Title: machineName(i), Numeric: true})
			}
			for _, all := range things {
				t.Rows = append(t.Rows, rowsAcross(all, from, to)...)
			}
			tables = append(tables, t)
		}
	}
	return tables
}

// rowsAcross sets one thing on the machines from:to: its rate or time, or where
// it has neither, each of its metrics.
func rowsAcross(all []*document.Row, from, to int) (out []layout.TableRow) {
	present := some(slices.Clone(all)...)
	metrics := map[string]document.Metric{}
	for _, r := range present {
		if onlyMetrics(r) {
			maps.Copy(metrics, r.Metrics)
		}
	}
	if len(metrics) == 0 {
		return []layout.TableRow{rowAcross(all[from:to], present[0], "", speedCell)}
	}
	for _, name := range slices.Sorted(maps.Keys(metrics)) {
		out = append(out, rowAcross(all[from:to], present[0], name, func(r *document.Row) layout.Cell {
			m, ok := r.Metrics[name]
			if !ok {
				return r.ValueCell("–")
			}
			return cell(joined(layout.FormatNumber(m.Value), unitName(m)))
		}))
	}
	return out
}

func rowAcross(rows []*document.Row, named *document.Row, metric string, value func(*document.Row) layout.Cell) layout.TableRow {
	what := joined(caseName(named), named.SizeName(), metric)
	t := layout.TableRow{RowID: named.ID, Cells: []layout.Cell{cell(what), subjectCell(named)}}
	for _, r := range rows {
		shown := layout.Cell{Text: layout.Same("–"), Faint: true}
		if r != nil {
			shown = value(r)
		}
		t.Cells = append(t.Cells, shown)
	}
	return t
}

func speedCell(r *document.Row) layout.Cell {
	if r.BytesPerSecond != nil {
		return r.ValueCell(layout.FormatRate(*r.BytesPerSecond))
	}
	return r.TimeCell()
}

// namedRow is a row of one of several machines, by a name that the same thing has on every machine.
type namedRow struct {
	*document.Row
	machine int
	name    string
}

// namedRows names every row of a library: its ID without version and implementation, which differ between
// machines. Where a run has several of one name, these come back in.
func namedRows(docs []*document.Document) (rows []namedRow) {
	name := func(r *document.Row, details int) string {
		return strings.Join([]string{r.Experiment, r.Algorithm, r.Mode, r.Operation, strconv.FormatInt(r.Bytes, 10),
			r.Parameters, r.Library, r.CallPath, r.Environment, r.Implementation, r.Version}[:9+details], "/")
	}
	crowded := map[string]bool{} // the names that some document gives to more than one row
	for _, d := range docs {
		seen := map[string]bool{}
		for _, r := range d.OfLibraries() {
			for details := range 2 {
				n := name(r, details)
				crowded[n] = crowded[n] || seen[n]
				seen[n] = true
			}
		}
	}
	for i, d := range docs {
		ids := document.UniqueIDs{}
		for _, r := range d.OfLibraries() {
			details := 0
			for details < 2 && crowded[name(r, details)] {
				details++
			}
			rows = append(rows, namedRow{r, i, ids.Name(name(r, details))})
		}
	}
	return rows
}
