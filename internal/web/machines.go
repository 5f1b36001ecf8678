package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/archive/history"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

const (
	mostMachines = 8  // side by side
	mostHeadline = 24 // cases that are
	mostLooked   = 5  // runs of a machine in which libraries and headline comparisons are looked for
)

type machinesPage struct {
	frame
	Machines []machineRow
	Left     int // that are not shown
	Why      language.Text
	Rows     []sideRow
}

type machineRow struct {
	archive.Machine
	Count     language.Text
	Newest    archive.Run
	Libraries []string // with their versions
	Checks    []checkRow
	headlines []what
}

type checkRow struct {
	archive.Check
	Class string
	Says  language.Text
	Run   string // the last of its runs; empty where none was filed
}

// sideRow is a case by a library, with what each machine takes.
type sideRow struct {
	Case  language.Text
	Who   string
	Href  string
	Cells []sideCell
}

type sideCell struct {
	Text language.Text
	Span string // its interval
	Run  string
	Low  bool // confidence in that run is low
}

// machines sets them side by side.
func (s *Server) machines(v *visit, a *archive.Archive) error {
	ctx := v.r.Context()
	all, err := a.Machines(ctx)
	if err != nil {
		return err
	}
	checks, err := a.LatestChecks(ctx)
	if err != nil {
		return err
	}
	page := machinesPage{frame: v.frame(partMachines, language.Text{EN: "Machines side by side", ZH: "各机器并列"}), Why: unpaired}
	page.Left = max(0, len(all)-mostMachines)
	for _, m := range all[:min(len(all), mostMachines)] {
		row, err := machineOf(ctx, a, m, checks)
		if err != nil {
			return err
		}
		page.Machines = append(page.Machines, row)
	}
	if page.Rows, err = sideBySide(ctx, a, page.Machines); err != nil {
		return err
	}
	return v.show(http.StatusOK, "machines", page)
}

// unpaired is why nothing is said to be faster.
var unpaired = language.Text{
	EN: "Each column is the last run of that case on that machine. Runs on two machines were not made in turns, so load, neighbours, " +
		"clock rate and day differ between them beyond any interval: nothing here says that one machine is faster.",
	ZH: "每列为该机器上最近一次测得的数值。不同机器上的运行并非交替进行，负载、相邻租户、主频与日期的差别都不在区间之内，因此这里不判定哪台机器更快。",
}

func machineOf(ctx context.Context, a *archive.Archive, m archive.Machine, checks []archive.Check) (row machineRow, err error) {
	row = machineRow{Machine: m, Count: layout.Counted(m.Runs, "run", "次运行")}
	runs, _, err := a.Runs(ctx, archive.RunQuery{Machine: m.Key, Limit: mostLooked})
	if err != nil || len(runs) == 0 {
		return row, err
	}
	row.Newest = runs[0]
	for _, r := range runs {
		cells, err := a.Cells(ctx, archive.CellQuery{Run: r.ID})
		if err != nil {
			return row, err
		}
		row.addLibraries(cells)
		if len(row.headlines) == 0 {
			if row.headlines, err = headlinesOf(ctx, a, r.ID, cells); err != nil {
				return row, err
			}
		}
	}
	slices.Sort(row.Libraries)
	for _, c := range checks {
		if c.Machine == m.Key {
			row.Checks = append(row.Checks, checkOf(c))
		}
	}
	return row, nil
}

// addLibraries adds those that newer runs did not have.
func (row *machineRow) addLibraries(cells []archive.Cell) {
	known := map[string]bool{}
	for _, name := range row.Libraries {
		library, _, _ := strings.Cut(name, " ")
		known[library] = true
	}
	for _, c := range cells {
		name := c.Subject.Library + " " + strings.TrimPrefix(c.Subject.Version, "go")
		if c.Subject.Version != "" && !c.Harness && c.Subject.Library != subject.Harness && !known[c.Subject.Library] && !slices.Contains(row.Libraries, name) {
			row.Libraries = append(row.Libraries, name)
		}
	}
}

// checkWords are the verdicts of a check, as package check says them.
var checkWords = map[string]language.Text{
	"fine":         {EN: "fine", ZH: "通过"},
	"failed":       {EN: "failed", ZH: "未通过"},
	"wrong":        {EN: "wrong output", ZH: "输出错误"},
	"inconclusive": {EN: "inconclusive", ZH: "无法判定"},
	"refused":      {EN: "baseline refused", ZH: "基线不可比"},
	"interrupted":  {EN: "interrupted", ZH: "已中断"},
}

func checkOf(c archive.Check) checkRow {
	row := checkRow{Check: c, Says: cmp.Or(checkWords[c.Verdict], language.Same(c.Verdict)),
		Class: map[archive.Severity]string{archive.SeverityPage: "stop", archive.SeverityTicket: "beware", archive.SeverityNote: "unclear",
			archive.SeverityNone: "choose"}[c.Severity]}
	if n := len(c.Runs); n > 0 {
		row.Run = c.Runs[n-1]
	}
	return row
}

// what is a case of a subject, without its version.
type what struct {
	experiment string
	of         result.Case
	subject    result.Subject
}

func whatOf(c archive.Cell) what {
	s := c.Subject
	s.Version, s.Implementation = "", ""
	return what{c.Experiment, c.Case, s}
}

// sideBySide sets the cases that headline comparisons are of beside each other, those first that most machines have.
func sideBySide(ctx context.Context, a *archive.Archive, machines []machineRow) (rows []sideRow, err error) {
	var wanted []what
	var cases []string
	for _, m := range machines {
		for _, w := range m.headlines {
			if !slices.Contains(wanted, w) {
				wanted, cases = append(wanted, w), append(cases, pattern(w.of))
			}
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	last := map[what]map[string]archive.Cell{}
	cells, err := a.Latest(ctx, archive.CellQuery{Filter: archive.Filter{Cases: cases}})
	if err != nil {
		return nil, err
	}
	for _, c := range cells {
		w := whatOf(c)
		if last[w] == nil {
			last[w] = map[string]archive.Cell{}
		}
		last[w][c.Machine] = c // the latest comes last
	}
	slices.SortStableFunc(wanted, func(x, y what) int { return len(last[y]) - len(last[x]) })
	for _, w := range wanted[:min(len(wanted), mostHeadline)] {
		rows = append(rows, sideOf(w, last[w], machines))
	}
	return rows, nil
}

// headlinesOf are the cases that headline comparisons of a run are of.
func headlinesOf(ctx context.Context, a *archive.Archive, run string, cells []archive.Cell) (found []what, err error) {
	comparisons, err := a.Comparisons(ctx, run)
	if err != nil {
		return nil, err
	}
	for _, c := range cells {
		headline := slices.ContainsFunc(comparisons, func(x archive.Comparison) bool { return x.Headline && (x.Base == c.Trial || x.Other == c.Trial) })
		if w := whatOf(c); headline && !c.Harness && !slices.Contains(found, w) {
			found = append(found, w)
		}
	}
	return found, nil
}

func sideOf(w what, on map[string]archive.Cell, machines []machineRow) sideRow {
	series := archive.Series{Experiment: w.experiment, Case: w.of, Subject: w.subject}
	row := sideRow{Case: history.Case(series), Who: history.Who(series, nil), Href: frame{}.courseOf(pattern(w.of))}
	for _, m := range machines {
		cell := sideCell{Text: language.Same("–")}
		if c, measured := on[m.Key]; measured {
			cell = cellText(series, c)
		}
		row.Cells = append(row.Cells, cell)
	}
	return row
}

func cellText(s archive.Series, c archive.Cell) sideCell {
	cell := sideCell{Run: c.Run, Low: c.Confidence == document.TrustLow}
	if c.NsPerOp == nil {
		cell.Text = (&document.Row{Status: c.Status, Withheld: c.Withheld}).StatusText()
		return cell
	}
	cell.Text = language.Same(history.Speed(s, c.NsPerOp.Median))
	if c.NsPerOp.Low != nil && c.NsPerOp.High != nil {
		cell.Span = spanOf(s, *c.NsPerOp.Low, *c.NsPerOp.High)
	}
	return cell
}

// spanOf is an interval as its value is read; a unit that both ends have stands once.
func spanOf(s archive.Series, low, high float64) string {
	from, to := layout.FormatTime(low), layout.FormatTime(high)
	if s.Case.Bytes > 0 {
		n := float64(s.Case.Bytes) * 1e9
		from, to = layout.FormatRate(n/high), layout.FormatRate(n/low)
	}
	number, unit, _ := strings.Cut(from, " ")
	if strings.HasSuffix(to, " "+unit) {
		from = number
	}
	return from + "–" + to
}
