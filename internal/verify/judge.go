package verify

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/statement"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Verdict is what becomes of a statement. It comes from intervals, never from a point.
type Verdict string

const (
	Holds         Verdict = "holds"               // the whole interval is inside
	Contradicted  Verdict = "contradicted"        // the whole interval is outside
	Undecided     Verdict = "undecided"           // the interval reaches over an end of the range
	Impossible    Verdict = "impossible"          // contradicted, and no machine of this kind could
	NotMeasurable Verdict = "not measurable here" // for a reason
)

// verdicts are in the order in which they are shown: what is otherwise first.
var verdicts = []Verdict{Contradicted, Impossible, Undecided, NotMeasurable, Holds}

// Judged is a statement with its verdict.
type Judged struct {
	statement.Statement
	Verdict Verdict
	Text    layout.Text   // what is true, and why it is not decided or not measured
	Bound   layout.Text   // of an impossible one: the argument
	Took    float64       // seconds that the run took
	Given   time.Duration // of which it was given so many
	Longer  float64       // seconds more that would decide it; 0 where that is not known or no time would
	Budget  time.Duration // that is worth the blocks that would decide it, see [Blocks]; 0 where no time would
	Found   []Found
	Rows    []string // ids of the rows that it rests on
	Compare string   // id of the comparison; empty where it rests on none
	Choices []Choice // of the plan that it is about, by step
	claimed *claimed // what becomes of a choice that it claims; nil where it claims none
	reused  bool     // the run was made for something else
}

// Found is a quantity that was measured, and the range that it should lie in.
type Found struct {
	What        string
	Value       float64
	Low, High   *float64 // of its interval; nil where there is none
	Level       float64  // of that
	Asked       statement.Range
	FloorLeeway float64 // share by which the interval was widened for noise: no time makes that less
}

// verdict is a quantity's own.
func (f Found) verdict() Verdict {
	switch {
	case f.Low == nil || f.High == nil:
		return Undecided
	case f.Asked.Holds(*f.Low, *f.High):
		return Holds
	case f.Asked.Excludes(*f.Low, *f.High):
		return Contradicted
	}
	return Undecided
}

// judge holds statements against one document.
type judge struct {
	doc    *document.Document
	trials []result.Trial // of the rows, in their order
	reused bool           // the run was made for something else
	libs   []result.Library

	workloads []*Workload
}

// Reuse says whether a run was made for the statements or is used again.
type Reuse int

const (
	Measured Reuse = iota
	Reused
)

// Judge judges every statement. The errors are those of selectors that name several rows of
// a run that is used again, the same row twice, or a library that there is not.
func Judge(statements []statement.Statement, d *document.Document, of Reuse, workloads ...*Workload) (all []Judged, problems []error) {
	j := judge{doc: d, reused: of == Reused, libs: d.Libraries, workloads: workloads}
	for _, r := range d.Rows {
		j.trials = append(j.trials, trialOf(r))
	}
	for _, s := range statements {
		v, err := j.statement(s)
		for _, sel := range s.Selectors() {
			if unknown := unknownLibrary(sel, j.trials); unknown != nil {
				err = unknown
			}
		}
		if err != nil {
			problems = append(problems, err)
		}
		all = append(all, v)
	}
	return all, problems
}

func trialOf(r *document.Row) result.Trial {
	return result.Trial{
		Subject: result.Subject{Library: r.Library, Version: r.Version, Implementation: r.Implementation, CallPath: r.CallPath, Environment: r.Environment},
		Case:    r.Case()}
}

// asked says whether a row is among those that statements name: of a run that was made for
// them, the candidates of plans are not.
func (j judge) asked(i int) bool {
	r := j.doc.Rows[i]
	return r.Library != subject.Harness && !r.Missing() && (j.reused || r.Experiment == experiment || r.Experiment == experimentEveryCPU)
}

func (j judge) statement(s statement.Statement) (Judged, error) {
	v := Judged{Statement: s, Verdict: NotMeasurable, Given: j.given(), reused: j.reused}
	switch s.Kind {
	case statement.Latency:
		err := j.latency(&v)
		return v, err
	case statement.Status:
		j.status(&v)
		return v, nil
	case statement.Plan:
		j.plan(&v)
		return v, nil
	case statement.Unmeasured:
		v.Text = layout.Same(s.Reason)
		return v, nil
	}
	var sides [][]*document.Row
	for _, sel := range s.Selectors() {
		rows, why, err := j.rows(sel)
		if err != nil || len(rows) == 0 {
			v.Text = why
			return v, err
		}
		sides = append(sides, rows)
	}
	if s.Kind == statement.Ratio {
		if sides[0][0] == sides[1][0] {
			return v, s.Than.Place.Errorf("both sides name the same row", "两侧是同一行")
		}
		j.ratio(&v, sides[0], sides[1])
	} else {
		j.row(&v, sides[0])
	}
	v.conclude(j)
	return v, nil
}

// rows are those of one trial: a run holds it several times where experiments share it. why
// says what leaves a selector without a row.
func (j judge) rows(sel statement.Selector) (rows []*document.Row, why layout.Text, err error) {
	var own []result.Trial // one each
	for i, t := range j.trials {
		if j.asked(i) && !slices.Contains(own, t) {
			own = append(own, t)
		}
	}
	fit := told(sel.One(own))
	switch len(fit) {
	case 0:
		return nil, j.missing(sel), nil
	case 1:
	default:
		return nil, why, sel.Several(fit)
	}
	for i, t := range j.trials {
		if t == fit[0] {
			rows = append(rows, j.doc.Rows[i])
		}
	}
	return rows, why, nil
}

// told leaves out trials that never told their kernel, since the time was over before, where the
// same one did so elsewhere in the run.
func told(fit []result.Trial) []result.Trial {
	return slices.DeleteFunc(slices.Clone(fit), func(t result.Trial) bool {
		return t.Subject.Implementation == "" && slices.ContainsFunc(fit, func(other result.Trial) bool {
			if other.Subject.Implementation == "" {
				return false
			}
			other.Subject.Implementation = ""
			return other == t
		})
	})
}

// missing says why a run has no row as a selector says.
func (j judge) missing(sel statement.Selector) layout.Text {
	name := sel.Get("library")
	for _, l := range j.libs {
		if l.Library == name && l.Missing != "" {
			return layout.Say("%s: %s", "%s：%s", name, reason.Said(l.Missing, l.Cause))
		}
	}
	if j.reused {
		return layout.Text{EN: "this run has no such row; without --run it is measured", ZH: "该次运行没有这一行；不带 --run 则现测"}
	}
	if kernel := sel.Get("implementation"); kernel != "" {
		var ran []string
		for _, t := range sel.Without("implementation").One(j.trials) {
			if name := t.Subject.Implementation; name != "" && !slices.Contains(ran, name) {
				ran = append(ran, name)
			}
		}
		if len(ran) > 0 {
			return layout.Say("%s does not run here; this machine runs %s", "%s 未在本机运行；本机运行的是 %s", kernel, strings.Join(ran, ", "))
		}
		return layout.Say("%s does not run here", "%s 未在本机运行", kernel)
	}
	return layout.Text{EN: "it was not measured in the time given", ZH: "在给定时间内未能测到"}
}

// best is the first of some rows that has a number, else the first.
func best(rows []*document.Row) *document.Row {
	for _, r := range rows {
		if r.Status == result.OK {
			return r
		}
	}
	return rows[0]
}

// unmeasured says why a row has no number that can be judged; ok where it has one.
func (v *Judged) unmeasured(r *document.Row) (no bool) {
	switch {
	case r.Status == result.OK && !r.Withheld:
		return false
	case r.Status == result.Unstable && !r.Withheld:
		v.Verdict = Undecided
		v.Text = layout.Say("%s: %s. %s", "%s：%s。%s", r.StatusText(), answer.ReasonOf(r), v.moreTime())
		return true
	}
	v.Text = layout.Say("%s: %s", "%s：%s", r.StatusText(), answer.ReasonOf(r))
	return true
}

func (j judge) row(v *Judged, rows []*document.Row) {
	r := best(rows)
	v.Rows = []string{r.ID}
	if v.unmeasured(r) {
		return
	}
	for _, b := range v.Bounds {
		f := Found{What: b.What, Asked: b.Range, FloorLeeway: j.doc.NoiseFloor}
		ok := false
		switch {
		case b.Metric:
			ok = f.metric(j.doc, r)
		case b.What == "rate":
			ok = f.rate(r)
		default:
			ok = f.time(r)
		}
		if !ok {
			v.Found, v.Verdict = nil, NotMeasurable
			v.Text = lacks(r, b)
			return
		}
		v.Found = append(v.Found, f)
	}
}

// lacks says that a row has no such quantity, and what it has where a metric was asked for.
func lacks(r *document.Row, b statement.Bound) layout.Text {
	names := slices.Sorted(maps.Keys(r.Metrics))
	switch m, there := r.Metrics[b.What]; {
	case b.What == "rate" && !b.Metric && r.NsPerOp != nil:
		return layout.Text{EN: "this operation has no message, so no rate in bytes: state it per second, as 3000/s..", ZH: "该操作没有消息，也就没有以字节计的速率：请按每秒次数书写，如 3000/s.."}
	case !b.Metric || len(names) == 0:
		return layout.Say("this row has no %s", "该行没有 %s", b.What)
	case there && m.Unit == string(statement.Number):
		return layout.Say("%s of this row is a number without a unit", "该行的 %s 是没有单位的数", b.What)
	case there:
		return layout.Say("%s of this row is counted in %s, not in %s", "该行的 %s 以 %s 计，而非 %s", b.What, m.Unit, string(b.Range.Unit))
	}
	return layout.Say("this row has no %s; it has %s", "该行没有 %s；有 %s", b.What, strings.Join(names, ", "))
}

func (f *Found) time(r *document.Row) bool {
	if r.NsPerOp == nil {
		return false
	}
	f.Value, f.Low, f.High, f.Level = r.NsPerOp.Median, r.NsPerOp.Low, r.NsPerOp.High, r.NsPerOp.Level
	return true
}

// rate is the reciprocal of the time, of bytes where those are asked for.
func (f *Found) rate(r *document.Row) bool {
	work := 1e9
	if f.Asked.Unit == statement.BytesPerSecond {
		work *= float64(r.Bytes)
	}
	if work == 0 || !f.time(r) {
		return false
	}
	f.Value = work / f.Value
	if f.Low != nil && f.High != nil {
		low, high := work / *f.High, work / *f.Low
		f.Low, f.High = &low, &high
	}
	return true
}

// metric is a scenario's. A range without a unit is in the metric's, and a share is of what has none.
// One that sums up a histogram has no interval: the windows have.
func (f *Found) metric(doc *document.Document, r *document.Row) bool {
	m, there := r.Metrics[f.What]
	fits := map[statement.Unit]bool{statement.Number: true, statement.Unit(m.Unit): true, statement.Share: m.Unit == string(statement.Number)}
	if !there || !fits[f.Asked.Unit] {
		return false
	}
	f.Value, f.Low, f.High, f.Level = m.Value, m.Low, m.High, m.Level
	f.Asked.Unit, f.FloorLeeway = statement.Unit(m.Unit), 0
	if f.Low == nil {
		f.windows(doc, r.Trial, f.What) // keeps what there is where they are too few
	}
	return true
}

// ratio compares the rows of a group in which both took turns.
func (j judge) ratio(v *Judged, rows, than []*document.Row) {
	r, base := best(rows), best(than)
	v.Rows = []string{r.ID, base.ID}
	if v.unmeasured(r) || v.unmeasured(base) {
		return
	}
	for _, r := range rows {
		for _, base := range than {
			c := j.doc.Compare(base, r, 1)
			if c == nil {
				continue
			}
			v.Rows, v.Compare = []string{r.ID, base.ID}, c.ID
			if unranked := j.doc.Unranked(r.Experiment); unranked != (layout.Text{}) {
				v.Verdict, v.Text = Undecided, unranked
				return
			}
			v.Found = []Found{v.found(c, j.doc.NoiseFloor)}
			return
		}
	}
	v.Text = layout.Text{EN: "the two rows did not take turns in this run, so they can't be compared", ZH: "这两行在该次运行中未交替测量，不能比较"}
}

// latency holds the 99th percentile of the latency at a rate of arrivals to its bound: the median over
// the run's windows, with its interval.
func (j judge) latency(v *Judged) error {
	var own []result.Trial // that requests were made of
	rows := map[result.Trial]*document.Row{}
	for i, t := range j.trials {
		plain := t
		plain.Case.Operation, plain.Case.Parameters = algorithm.Encrypt, ""
		if t.Case == atRate(plain.Case, v.At) {
			own, rows[plain] = append(own, plain), j.doc.Rows[i]
		}
	}
	fit := v.Row.One(own)
	switch {
	case len(fit) > 1:
		return v.Row.Several(fit)
	case len(fit) == 0:
		v.Text = j.unserved(v)
		return nil
	}
	r := rows[fit[0]]
	if v.Rows = []string{r.ID}; v.unmeasured(r) {
		return nil
	}
	f := Found{What: v.Bounds[0].What, Asked: v.Bounds[0].Range}
	if kept, of := f.windows(j.doc, r.Trial, latencyMetric); 2*kept < of || f.Low == nil && kept < of { // most, or enough to leave no interval
		v.Verdict = Undecided
		v.Text = layout.Say("the generator of requests kept its schedule in %d of %d windows: other programs, or too high a rate",
			"%[2]d 个测量窗口中，压测程序只在 %[1]d 个按计划发出请求：其他程序占用 CPU，或速率过高", kept, of)
		return nil
	} else if kept == 0 {
		v.Text = layout.Text{EN: "it was not measured in the time given", ZH: "在给定时间内未能测到"}
		return nil
	}
	v.Found = []Found{f}
	v.conclude(j)
	return nil
}

// unserved says why no requests arrived.
func (j judge) unserved(v *Judged) layout.Text {
	switch {
	case j.reused || absentFrom(j.libs, v.Row.Get("library")):
		return j.missing(v.Row)
	case v.At < fewestArrivals:
		return layout.Say("fewer than %d arrivals a second are too few for a 99th percentile in seconds", "每秒少于 %d 次到达，数秒内测不出第 99 百分位", fewestArrivals)
	}
	return layout.Text{EN: "requests arrive at a rate for ciphers that authenticate alone, with operation: encrypt and without parameters",
		ZH: "目前只有认证加密可按到达速率测量，须写 operation: encrypt，且不带 parameters"}
}

func absentFrom(libs []result.Library, name string) bool {
	return slices.ContainsFunc(libs, func(l result.Library) bool { return l.Library == name && l.Missing != "" })
}

// windows reads a metric of a trial's windows, of those whose output was checked at their end. It says
// how many have it, of all: a window that did not keep its schedule has no latency.
func (f *Found) windows(doc *document.Document, trial int, metric string) (kept, of int) {
	all, of := doc.Readings(trial, metric), len(doc.Records(trial))
	if len(all) == 0 {
		return 0, of
	}
	f.Value = stat.Median(all)
	if iv, _ := stat.MedianInterval(all, stat.RowLevel); iv.Level >= stat.LeastLevel {
		f.Low, f.High, f.Level = &iv.Low, &iv.High, min(iv.Level, stat.RowLevel)
	}
	return len(all), of
}

// found is the ratio as the statement puts it: how many times as fast, or as slow.
func (v *Judged) found(c *document.Comparison, floor float64) Found {
	f := Found{What: "by", Value: c.Ratio, Low: c.Low, High: c.High, Level: c.Level, FloorLeeway: floor}
	if v.Direction == statement.Slower {
		f.Value = 1 / f.Value
		if f.Low != nil && f.High != nil {
			low, high := 1 / *c.High, 1 / *c.Low
			f.Low, f.High = &low, &high
		}
	}
	switch {
	case len(v.Bounds) > 0:
		f.Asked = v.Bounds[0].Range
	case v.Direction == statement.Same:
		f.Asked = statement.Range{Low: 1 / (1 + stat.Margin), High: 1 + stat.Margin, Unit: statement.Number}
	default:
		f.Asked = statement.Range{Low: 1 + stat.Margin, High: math.Inf(1), Unit: statement.Number}
	}
	return f
}

// conclude gives the verdict that follows from what was found: the worst of it.
func (v *Judged) conclude(j judge) {
	var all []Verdict
	for _, f := range v.Found {
		all = append(all, f.verdict())
	}
	if v.claimed != nil {
		all = append(all, v.claimed.verdict)
	}
	switch {
	case len(all) == 0:
		return
	case slices.Contains(all, Contradicted):
		v.Verdict = Contradicted
	case slices.Contains(all, Undecided):
		v.Verdict = Undecided
	default:
		v.Verdict = Holds
	}
	switch v.Verdict {
	case Contradicted:
		if v.Bound = j.impossible(v); v.Bound != (layout.Text{}) {
			v.Verdict = Impossible
		}
	case Undecided:
		j.longer(v)
	}
	v.Text = v.words()
	if v.Verdict == Contradicted && j.usesEveryCPU(v) {
		v.Text = layout.Say("%s (CPUs of this machine: %d)", "%s（本机有 %d 个 CPU）", v.Text, j.doc.CPUs())
	}
}

// usesEveryCPU says whether a row of the statement does: how many there are is then part of the answer.
func (j judge) usesEveryCPU(v *Judged) bool {
	return v.Kind != statement.Plan && slices.ContainsFunc(j.doc.Rows, func(r *document.Row) bool {
		return slices.Contains(v.Rows, r.ID) && r.Group >= 0 && j.doc.Run.Groups[r.Group].EveryCPU
	})
}

// mostLonger is how many times longer than it took is still worth saying.
const mostLonger = 1000

// longer estimates what would decide the statement: an interval's width falls with the root of
// the blocks, but for what it was widened by for noise. It stays 0 where no time would do, or
// too much.
func (j judge) longer(v *Judged) {
	if j.doc.Seconds == nil || len(v.Rows) == 0 {
		return
	}
	times := 1.0
	for _, f := range v.Found {
		if f.verdict() != Undecided || f.Low == nil || f.High == nil {
			continue
		}
		need := math.Inf(1)
		for _, end := range []float64{f.Asked.Low, f.Asked.High} {
			if end < *f.Low || *f.High < end {
				continue
			}
			reach, room := math.Log(*f.High/f.Value), math.Log(end/f.Value)
			if end < f.Value {
				reach, room = math.Log(f.Value / *f.Low), math.Log(f.Value/end)
			}
			floor := math.Log1p(f.FloorLeeway)
			if room > floor && reach > floor {
				need = min(need, math.Pow((reach-floor)/(room-floor), 2))
			}
		}
		times = max(times, need)
	}
	if blocks := float64(j.doc.Row(v.Rows[0]).Blocks); times > 1 && times <= mostLonger {
		v.Budget = time.Duration(float64(Usual) * times * max(1, blocks/float64(Form.Blocks)))
		if j.reused {
			return // what else was measured took most of its time
		}
		v.Took, v.Longer = *j.doc.Seconds, (times-1)**j.doc.Seconds
		const reserve = 1.1 // that the estimate may be short by
		v.Budget = max(v.Budget, time.Duration(reserve*times*v.Took*float64(time.Second)))
	}
}

// given is the time that the run was given: what was typed, or the usual.
func (j judge) given() time.Duration {
	for _, f := range document.TypedFlags(j.doc.Run.Header.Command, "budget") {
		if d, err := time.ParseDuration(f.Value); err == nil {
			return d
		}
	}
	return Usual
}

// ended counts how the rows of a statement ended, and keeps the first of each kind.
type ended struct {
	count map[result.Status]int
	first map[result.Status]*document.Row
	open  int // that were not checked in the time given
}

// endings are those of the rows that fit. A row's speed may be unstable and its output checked all the
// same; a number is withheld since the row's code was wrong elsewhere.
func (j judge) endings(v *Judged) ended {
	e := ended{map[result.Status]int{}, map[result.Status]*document.Row{}, 0}
	for i, r := range j.doc.Rows {
		if !j.asked(i) || len(v.Row.All(j.trials[i:i+1])) == 0 {
			continue
		}
		status := r.Status
		switch {
		case r.Withheld:
			status = result.Incorrect
		case status == result.Unstable && !j.doc.Checked(i):
			e.open++
			continue
		case status == result.Unstable:
			status = result.OK
		}
		e.count[status]++
		e.first[status] = cmp.Or(e.first[status], r)
		v.Rows = append(v.Rows, r.ID)
	}
	return e
}

// status judges how all rows that fit ended. A row that is not supported here says nothing of
// whether others would be right.
func (j judge) status(v *Judged) {
	e, wanted, of := j.endings(v), result.Status(v.Status), v.Row.String()
	word := document.VerdictText(v.Status)
	all, wrong := 0, 0
	var first *document.Row
	for _, status := range []result.Status{result.Incorrect, result.Crashed, result.OK, result.Unsupported} {
		if status == result.Unsupported && wanted != result.Unsupported {
			continue
		}
		n := e.count[status]
		if all += n; status != wanted && n > 0 {
			wrong, first = wrong+n, cmp.Or(first, e.first[status])
		}
	}
	refused := e.count[result.Unsupported]
	switch {
	case wrong > 0:
		v.Verdict = Contradicted
		v.Text = layout.Say("%d of %d rows of %s are not %s: %s", "%[3]s 的 %[2]d 行中有 %[1]d 行不是“%[4]s”：%[5]s", wrong, all, of, word, endOf(first))
	case all == 0 && e.open == 0:
		v.Text = j.missing(v.Row)
		if refused > 0 {
			v.Text = layout.Say("none of the %d rows of %s is supported here: %s", "%[2]s 的 %[1]d 行在本机均不支持：%[3]s", refused, of,
				answer.ReasonOf(e.first[result.Unsupported]))
		}
	case all == 0:
		v.Verdict = Undecided
		v.Text = layout.Say("none of the %d rows of %s was checked in the time given. %s", "%[2]s 的 %[1]d 行在给定时间内均未检查。%[3]s", e.open, of, v.moreTime())
	case e.open > 0:
		v.Verdict = Undecided
		v.Text = layout.Say("%d of %d rows of %s were not checked in the time given; the others are %s. %s",
			"%[3]s 的 %[2]d 行中有 %[1]d 行在给定时间内未检查；其余均为“%[4]s”。%[5]s", e.open, all+e.open, of, word, v.moreTime())
	default:
		v.Verdict = Holds
		v.Text = layout.Say("all %d rows of %s are %s", "%[2]s 的全部 %[1]d 行均为“%[3]s”", all, of, word)
		if all == 1 {
			v.Text = layout.Say("the one row of %s is %s", "%s 只有一行，为“%s”", of, word)
		}
		if refused > 0 && wanted != result.Unsupported {
			v.Text = layout.Say("%s; not supported here: %d more", "%s；另有 %d 行在本机不支持", v.Text, refused)
		}
	}
}

// endOf says how a row ended, and why.
func endOf(r *document.Row) layout.Text {
	words := []string{r.Who(), result.Case{Algorithm: r.Algorithm, Mode: r.Mode}.Name(), r.Operation, r.SizeName(), r.Parameters, r.Implementation}
	name := strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
	if why := answer.ReasonOf(r); why != (layout.Text{}) {
		return layout.Say("%s is %s: %s", "%s 为“%s”：%s", name, r.StatusText(), why)
	}
	return layout.Say("%s is %s", "%s 为“%s”", name, r.StatusText())
}
