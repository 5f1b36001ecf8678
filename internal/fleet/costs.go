package fleet

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/fleet/price"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Case is what is done, and what it costs on each machine.
type Case struct {
	result.Case // without the number of busy CPUs
	Rows        []Row
}

// Row is a subject's case on a machine, as its last run has it.
type Row struct {
	Machine *Machine
	Subject result.Subject
	Busy    int                // CPUs that did the same at once; 0 where it ran alone
	CPU     *document.Estimate // nanoseconds of CPU time an operation; nil where there is no number
	Cost    *document.Estimate // of a million operations; nil without a number or a price
	Status  result.Status
	Why     layout.Text // why there is no number

	Run        string
	Started    time.Time
	Confidence string
}

// Full says whether every CPU of the machine was busy.
func (r Row) Full() bool { return r.Busy >= r.Machine.whole() }

// Costs reads what the cases of a selection cost on each machine of a store.
func Costs(ctx context.Context, s Store, p *price.List, sel plan.Selection) (*Report, error) {
	r, err := newReport(ctx, s, p)
	if err != nil {
		return nil, err
	}
	cells, err := s.Latest(ctx, archive.CellQuery{Filter: archive.Filter{Sizes: sel.Sizes}})
	if err != nil {
		return nil, err
	}
	cells = slices.DeleteFunc(cells, func(c archive.Cell) bool {
		return c.Exhibit || c.Harness || c.Subject.Environment != "" || c.Subject.CallPath == subject.CLoop || untimed(c)
	})
	if cells, err = narrowed(cells, sel); err != nil {
		return nil, err
	}
	r.gather(cells)
	r.keep(func(m *Machine) bool {
		return slices.ContainsFunc(cells, func(c archive.Cell) bool { return c.Machine == m.Key })
	})
	return r, nil
}

// narrowed keeps what a selection asks for. A word that names nothing in the store is a mistake.
func narrowed(cells []archive.Cell, sel plan.Selection) ([]archive.Cell, error) {
	var cases []result.Case
	var libraries []string
	for _, c := range cells {
		if !slices.Contains(cases, c.Case) {
			cases = append(cases, c.Case)
		}
		if !slices.Contains(libraries, c.Subject.Library) {
			libraries = append(libraries, c.Subject.Library)
		}
	}
	slices.Sort(libraries)
	if len(cells) > 0 {
		if err := sel.Validate([]plan.Experiment{{Cases: cases}}); err != nil {
			return nil, language.Errorf("in the store: %w", "存储中：%s", err)
		}
	}
	for _, word := range sel.Libraries {
		if len(cells) > 0 && !slices.ContainsFunc(libraries, func(name string) bool { return strings.EqualFold(name, word) }) {
			return nil, language.Errorf("in the store: unknown library %q; there are: %s", "存储中：未知的密码库 %q；现有：%s",
				word, strings.Join(libraries, ", "))
		}
	}
	kept := slices.DeleteFunc(cells, func(c archive.Cell) bool {
		return !sel.Keeps(c.Case) || len(sel.Libraries) > 0 && !slices.ContainsFunc(sel.Libraries, func(name string) bool {
			return strings.EqualFold(name, c.Subject.Library)
		})
	})
	if len(kept) == 0 {
		return nil, language.Error("no run in the store has such a case; cryptogauge history lists those that there are",
			"存储中没有这样的测试项；cryptogauge history 可列出现有的测试项")
	}
	return kept, nil
}

// place is where a cell belongs: a case, and in it a machine and a subject, whatever its version and kernel.
type place struct {
	of      result.Case
	machine string
	by      result.Subject
}

// gather makes rows of cells: of what was measured alone and on busy CPUs, one.
func (r *Report) gather(cells []archive.Cell) {
	var order []place
	at := map[place][]archive.Cell{}
	for _, c := range cells {
		p := place{c.Case, c.Machine, c.Subject}
		p.of.Parameters, p.by.Version, p.by.Implementation = parameter.Without(p.of.Parameters, parameter.Busy), "", ""
		if at[p] == nil {
			order = append(order, p)
		}
		at[p] = append(at[p], c)
	}
	slices.SortStableFunc(order, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.of.Name(), b.of.Name()), cmp.Compare(a.of.Operation, b.of.Operation), cmp.Compare(a.of.Bytes, b.of.Bytes),
			cmp.Compare(a.of.Parameters, b.of.Parameters))
	})
	for _, p := range order {
		if r.machine(p.machine) == nil { // filed after machines were listed
			continue
		}
		if n := len(r.Cases); n == 0 || r.Cases[n-1].Case != p.of {
			r.Cases = append(r.Cases, Case{Case: p.of})
		}
		c := &r.Cases[len(r.Cases)-1]
		c.Rows = append(c.Rows, newRows(r.machine(p.machine), at[p])...)
	}
	for _, c := range r.Cases {
		slices.SortStableFunc(c.Rows, inOrder)
	}
}

// newRows are those of cells of one place: one for each version and kernel that the last run has, since what ran before
// an update runs no more.
func newRows(m *Machine, cells []archive.Cell) (rows []Row) {
	last := slices.MaxFunc(cells, func(a, b archive.Cell) int { return a.Started.Compare(b.Started) })
	var made []result.Subject
	for _, c := range cells {
		if c.Run != last.Run || slices.Contains(made, c.Subject) {
			continue
		}
		made = append(made, c.Subject)
		same := slices.DeleteFunc(slices.Clone(cells), func(o archive.Cell) bool { return o.Subject != c.Subject })
		rows = append(rows, newRow(m, same, last))
	}
	return rows
}

// newRow is that of cells of one subject. Of those with a number the one with the most busy CPUs counts, and then the
// last. A wrong output in the last run counts more than any number.
func newRow(m *Machine, cells []archive.Cell, last archive.Cell) Row {
	chosen := slices.MaxFunc(cells, func(a, b archive.Cell) int {
		return cmp.Or(cmp.Compare(wrong(a, last.Run), wrong(b, last.Run)), cmp.Compare(number(a), number(b)), cmp.Compare(busy(a), busy(b)),
			a.Started.Compare(b.Started))
	})
	r := Row{Machine: m, Subject: chosen.Subject, Busy: busy(chosen), Status: chosen.Status, Run: chosen.Run, Started: chosen.Started,
		Confidence: chosen.Confidence}
	r.CPU, r.Why = cpuTime(chosen)
	r.Cost = m.cost(r.CPU)
	return r
}

// wrong is 2 of a cell whose output was wrong in a run, 1 of one whose code was wrong there elsewhere, else 0.
func wrong(c archive.Cell, run string) int {
	switch {
	case c.Run != run:
		return 0
	case c.Status == result.Incorrect:
		return 2
	case c.Withheld:
		return 1
	}
	return 0
}

func busy(c archive.Cell) int { return parameter.Busy.In(c.Case.Parameters) }

// untimed says of a cell that it is a scenario's, which is right and has other figures than a time.
func untimed(c archive.Cell) bool { return c.Status == result.OK && !c.Withheld && c.NsPerOp == nil }

// number is 1 of a cell that has a CPU time, else 0.
func number(c archive.Cell) int {
	if cpu, _ := cpuTime(c); cpu != nil {
		return 1
	}
	return 0
}

// cpuTime is that of an operation, or why there is none: a time on the wall clock has waiting in it, and other work
// may have had the CPU meanwhile.
func cpuTime(c archive.Cell) (*document.Estimate, layout.Text) {
	metric, counted := c.Metrics[document.CPUPerCall]
	switch {
	case c.Status != result.OK || c.Withheld:
		return nil, (&document.Row{Status: c.Status, Withheld: c.Withheld}).StatusText()
	case c.NsPerOp.Clock != string(result.WallClock):
		return c.NsPerOp, layout.Text{}
	case counted:
		return &document.Estimate{Median: metric.Value, Low: metric.Low, High: metric.High, Level: metric.Level,
			Clock: string(result.ProcessClock)}, layout.Text{}
	}
	return nil, layout.Text{EN: "wall clock only", ZH: "只有实际耗时"}
}

// rank is where a row stands: costs of full machines, of lone loops, times without a price, and what has no number.
func (r Row) rank() int {
	switch {
	case r.CPU == nil:
		return 3
	case r.Cost == nil:
		return 2
	case !r.Full():
		return 1
	}
	return 0
}

// inOrder sorts rows by cost. Times without a price have no order.
func inOrder(a, b Row) int {
	if n := cmp.Compare(a.rank(), b.rank()); n != 0 || a.Cost == nil {
		return n
	}
	return cmp.Compare(a.Cost.Median, b.Cost.Median)
}
