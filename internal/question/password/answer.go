package password

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

var Question = answer.Question{Name: "password", Narrowing: []string{"--algorithms", "--libraries"},
	Layout: layOut,
	Asks:   layout.Text{EN: "Which parameters for password hashing on this server?", ZH: "本机上口令杂凑应取什么参数？"}}

// layOut lays out the strongest parameters of each algorithm that keep the budget, and what they cost.
func layOut(v *answer.View) layout.Layout {
	p := newView(v)
	return layout.Layout{
		Line:  answer.FirstSaid(p.line()),
		Title: layout.Text{EN: "Password hashing for a budget", ZH: "给定预算下的口令杂凑"},
		Answers: answer.Said(slices.Concat([]*layout.Answer{answer.Short(p.advice())}, document.Mapped(p.choices, p.keeps),
			[]*layout.Answer{p.accuracy(), p.hashes()})...),
		Headline: answer.NonEmpty(p.table()),
		Tables:   answer.NonEmpty(p.costs(), p.measured()),
		Charts:   p.charts(),
		Next: []layout.Next{
			answer.Run("password --time 500ms --memory 128MiB --logins 5", "your own budget", "自定义预算"),
			answer.Run("password", "the choices measured, with every CPU busy too", "实测所选参数，以及全部 CPU 繁忙时的开销"),
		},
	}
}

type view struct {
	*answer.View
	budget  result.LoginBudget
	choices []*choice
}

// choice is what keeps the budget of one algorithm and library.
type choice struct {
	scheme
	who        string
	rows       []*document.Row // alone, in the run's order
	kept, next string          // parameters; empty where none do, or none are stronger
	known      bool            // whether the run says which parameters keep the budget
	busy       *document.Row   // of kept, with every CPU busy; nil where it was not measured
}

func newView(v *answer.View) *view {
	p := &view{View: v, budget: Usual}
	if v.Doc.Run != nil && v.Doc.Run.Header.Logins != nil {
		p.budget = *v.Doc.Run.Header.Logins
	}
	key := func(r *document.Row) [2]string { return [2]string{r.Algorithm, r.Who()} }
	for _, rows := range document.Grouped(v.Rows, key) {
		s, known := schemeOf(rows[0].Algorithm)
		if !known {
			continue
		}
		c := &choice{scheme: s, who: rows[0].Who(), rows: answer.Select(rows, func(r *document.Row) bool { return !parameter.Busy.Has(r.Parameters) })}
		if len(c.points()) == 0 {
			continue
		}
		most := slices.Max(document.Mapped(c.points(), func(k point) float64 { return c.work(k.parameters) }))
		c.kept, c.next, c.known = s.choose(p.budget, most, c.cost)
		c.busy = answer.First(rows, func(r *document.Row) bool {
			return parameter.Busy.Has(r.Parameters) && parameter.Without(r.Parameters, parameter.Busy) == c.kept
		})
		p.choices = append(p.choices, c)
	}
	slices.SortStableFunc(p.choices, func(a, b *choice) int { return rank(a.name) - rank(b.name) })
	return p
}

// rank is the order of [schemes], in which they are advised: what takes memory comes first.
func rank(name algorithm.Name) int {
	return slices.IndexFunc(schemes(), func(s scheme) bool { return s.name == name })
}

func (c *choice) points() (known []point) {
	for _, r := range c.rows {
		if ns, ok := answer.Nanoseconds(r); ok {
			k := point{parameters: r.Parameters, ns: ns}
			if e := r.NsPerOp; e.Low != nil && e.High != nil {
				k.low, k.high = *e.Low, *e.High
			}
			known = append(known, k)
		}
	}
	return known
}

// row is the row of parameters, or nil.
func (c *choice) row(parameters string) *document.Row {
	return answer.First(c.rows, func(r *document.Row) bool { return r.Parameters == parameters && parameters != "" })
}

// cost is what a login takes: as measured, else as predicted.
func (c *choice) cost(parameters string) (ns float64, ok bool) {
	if ns, ok := answer.Nanoseconds(c.row(parameters)); ok {
		return ns, true
	}
	f, ok := c.predicted(parameters)
	return f.ns, ok
}

// most is the upper end of the interval of what a login takes, or what it takes where there is no interval.
func (c *choice) most(parameters string) float64 {
	if row := c.row(parameters); c.measured(parameters) {
		return *cmp.Or(row.NsPerOp.High, &row.NsPerOp.Median)
	}
	f, _ := c.predicted(parameters)
	return f.high
}

// predicted is what the cheaper calls say.
func (c *choice) predicted(parameters string) (f span, ok bool) {
	cheaper := slices.DeleteFunc(c.points(), func(p point) bool { return c.work(p.parameters) >= c.work(parameters) })
	if len(cheaper) == 0 {
		cheaper = c.points()
	}
	return c.foresee(cheaper, parameters)
}

func (c *choice) unknown() bool { return !c.known }

func (c *choice) measured(parameters string) bool { return answer.IsTimed(c.row(parameters)) }

// took words what a login takes: "184 ms", "about 184 ms (180–189 ms)" where it is predicted, nothing where it can't be.
func (c *choice) took(parameters string) layout.Text {
	ns, ok := c.cost(parameters)
	switch f, _ := c.predicted(parameters); {
	case !ok:
		return layout.Text{}
	case !c.measured(parameters):
		return layout.Say("about %s (%s)", "约 %s（%s）", layout.FormatTime(ns), answer.Ranging(f.low, f.high))
	}
	return layout.Same(layout.FormatTime(ns))
}

// each is the CPU time of a login while all CPUs are busy, or alone where that was not measured.
func (c *choice) each() (ns float64) {
	if ns, ok := answer.Nanoseconds(c.busy); ok {
		return ns
	}
	ns, _ = c.cost(c.kept)
	return ns
}

// enough says whether the choice is as strong as OWASP asks for.
func (c *choice) enough() bool { return c.kept != "" && c.strong(c.kept, c.minimum) }

func (c *choice) evidence() []string {
	return answer.IDs(answer.Present(append(slices.Clip(c.rows), c.busy)))
}

func (p *view) cpus(c *choice) float64 { return p.budget.PerSecond * c.each() * 1e-9 }

// rate is how often users log in, by the shortest unit of time in which that is a whole number: "20", per second.
func (p *view) rate() (number string, u unitOfTime) {
	const exact = 1e-9 // to which a rate was divided when it was read
	for _, u := range units() {
		n := p.budget.PerSecond * u.seconds
		if whole := math.Round(n); whole > 0 && math.Abs(n-whole) < exact*n {
			return layout.FormatThousands(int64(whole)), u
		}
	}
	return strconv.FormatFloat(p.budget.PerSecond, 'g', 6, 64), units()[0]
}

// more says where a rate takes more CPUs than this machine has, and what it bears.
func (p *view) more(c *choice) layout.Text {
	have := p.Doc.CPUs()
	if have == 0 || p.cpus(c) <= float64(have) {
		return layout.Text{}
	}
	return layout.Say(" This machine has %s: about %s logins per second.", "本机有 %s，每秒约可处理 %s 次登录。",
		answer.CPUs(have), layout.FormatNumber(float64(have)*1e9/c.each()))
}

func (c *choice) called(parameters string) layout.Text {
	return layout.Say("%s (%s)", "%s（%s）", c.name, c.say(parameters))
}

func (p *view) allowed() layout.Text {
	return layout.Say("%s and %s", "%s、%s", layout.FormatTime(p.budget.Seconds*1e9), layout.FormatSize(p.budget.Memory))
}

// chosen is the first choice that is as strong as OWASP asks for. Where nothing can be chosen it is nil, and beside it
// stands what is said instead.
func (p *view) chosen() (*choice, *layout.Answer) {
	c := answer.First(p.choices, (*choice).enough)
	names, ids := p.preferred(c, (*choice).unknown)
	switch {
	case len(names) > 0: // nobody knows what an algorithm takes that comes before
		return nil, &layout.Answer{Mark: layout.Unclear, Evidence: ids, Text: layout.Say(
			"Nothing is chosen: %s can't be predicted from this run; %s.", "暂无结论：本次运行无法预测 %s 的耗时；%s。",
			answer.List(names), p.again())}
	case c == nil && len(p.choices) > 0:
		return nil, p.none()
	}
	return c, nil
}

// preferred are the algorithms that are advised before a choice, of some kind, with their evidence.
func (p *view) preferred(c *choice, are func(*choice) bool) (names []layout.Text, ids []string) {
	for _, o := range p.choices {
		if o == c {
			break
		}
		if are(o) {
			names, ids = append(names, layout.Same(o.name)), append(ids, o.evidence()...)
		}
	}
	return names, ids
}

func (p *view) again() layout.Text {
	if answer.InFull(p.Doc) {
		return layout.Text{EN: "run it again on an idle machine", ZH: "请在空闲的机器上重新运行"}
	}
	return layout.Text{EN: "run it in full: cryptogauge run password", ZH: "请完整运行：cryptogauge run password"}
}

// line is what to choose, and how many CPUs it takes.
func (p *view) line() *layout.Answer {
	c, instead := p.chosen()
	if c == nil {
		return instead
	}
	number, unit := p.rate()
	mark, may := p.certain(c)
	return &layout.Answer{Mark: mark, Evidence: c.evidence(), Text: layout.Say(
		"%[1]s: %[2]s of %[3]s%[8]s; %[4]s logins/%[5]s take %[7]s CPUs.", "%[1]s：%[2]s，上限 %[3]s%[8]s；%[6]s %[4]s 次登录需 %[7]s 个 CPU。",
		c.called(c.kept), c.took(c.kept), layout.FormatTime(p.budget.Seconds*1e9), number, unit.name, unit.per, layout.FormatNumber(p.cpus(c)), may)}
}

// certain is the mark of a choice, and what is said of it where the interval of its time reaches beyond the budget.
func (p *view) certain(c *choice) (layout.Mark, layout.Text) {
	if c.most(c.kept) <= p.budget.Seconds*1e9 {
		return layout.Choose, layout.Text{}
	}
	return layout.Unclear, layout.Text{EN: ", which it may exceed", ZH: "，有可能超出"}
}

// none says that the budget has room for nothing that is strong enough, and for what it would take.
func (p *view) none() *layout.Answer {
	ids := slices.Concat(document.Mapped(p.choices, (*choice).evidence)...)
	fits := func(c *choice) bool { return c.memory(c.minimum[0]) <= p.budget.Memory }
	least := cmp.Or(answer.First(p.choices, fits), p.choices[0])
	return &layout.Answer{Mark: layout.Beware, Evidence: ids, Text: layout.Say("Too weak: nothing reaches OWASP's minimum within %s%s.",
		"强度不足：%s 以内没有算法达到 OWASP 的最低要求%s。", p.allowed(), least.taking("; %s takes %s", "；%s 需 %s", least.called(least.minimum[0]), least.minimum[0]))}
}

// taking words what parameters take, under a name, where that is known.
func (c *choice) taking(en, zh string, called layout.Text, parameters string) layout.Text {
	took := c.took(parameters)
	if parameters == "" || took == (layout.Text{}) {
		return layout.Text{}
	}
	return layout.Say(en, zh, called, took)
}

// advice says what to do, what it costs all CPUs, and what is next.
func (p *view) advice() *layout.Answer {
	c, instead := p.chosen()
	if c == nil {
		return instead
	}
	memory := layout.FormatSize(c.memory(c.kept))
	number, unit := p.rate()
	mark, may := p.certain(c)
	return &layout.Answer{Mark: mark, Evidence: c.evidence(), Text: layout.Say(
		"Hash passwords with %[1]s: a login takes %[2]s of the %[3]s allowed%[10]s; %[4]s logins %[5]s keep %[6]s CPUs busy, each with %[7]s of memory for its login.%[8]s%[9]s",
		"口令杂凑请用 %[1]s：每次登录 %[2]s，上限 %[3]s%[10]s；%[5]s %[4]s 次登录占满 %[6]s 个 CPU，每个正在进行的登录占 %[7]s 内存。%[8]s%[9]s",
		c.called(c.kept), c.took(c.kept), layout.FormatTime(p.budget.Seconds*1e9),
		number, unit.per, layout.FormatNumber(p.cpus(c)), memory, p.more(c), p.second(c), may)}
}

// second says of a choice that takes no memory why it is not one that does.
func (p *view) second(c *choice) layout.Text {
	names, _ := p.preferred(c, (*choice).hard)
	if c.hard() || len(names) == 0 {
		return layout.Text{}
	}
	return layout.Say(" It takes next to no memory, which helps an attacker, but within this budget %s would be too weak.",
		"它几乎不占内存，有利于攻击者；但在此预算内 %s 强度不足。", answer.List(names))
}

// keeps says what keeps the budget, whether that is enough, and what the next step would take.
func (p *view) keeps(c *choice) *layout.Answer {
	a := &layout.Answer{Mark: layout.Plain, Evidence: c.evidence()}
	switch {
	case c.unknown():
		a.Mark = layout.Unclear
		a.Text = layout.Say("%s can't be predicted from this run; %s.", "本次运行无法预测 %s 的耗时；%s。", c.name, p.again())
		return a
	case c.kept == "":
		a.Mark = layout.Beware
		a.Text = layout.Say("%s: no parameters stay within %s; even the weakest, %s, takes %s.", "%s：没有参数能保持在 %s 以内；最弱的 %s 也需 %s。",
			c.name, p.allowed(), c.say(c.next), c.took(c.next))
		return a
	}
	var weak layout.Text
	if !c.enough() {
		a.Mark = layout.Beware
		asks := layout.Text{EN: "OWASP asks for", ZH: "OWASP 至少要求"}
		if c.name == algorithm.PBKDF2SM3 {
			asks = layout.Text{EN: "OWASP says nothing of SM3; for SHA-256 it asks for", ZH: "OWASP 未提及 SM3，对 SHA-256 至少要求"}
		}
		weak = layout.Say(" Too weak: %s %s at least%s.", "强度不足：%s %s%s。", asks,
			c.say(c.minimum[0]), c.taking("%s, which takes %s", "%s，需 %s", layout.Text{}, c.minimum[0]))
	}
	over := c.taking("; the next step, %s, takes %s and exceeds it", "；再强一级（%s）需 %s，超出预算", c.say(c.next), c.next)
	var may layout.Text
	if mark, _ := p.certain(c); mark == layout.Unclear {
		may = layout.Text{EN: ", which may exceed it", ZH: "，有可能超出"}
	}
	a.Text = layout.Say("%s: the strongest setting that should keep the budget is %s: %s%s%s.%s",
		"%s 预计在预算内最强的参数是 %s：%s%s%s。%s", c.name, c.say(c.kept), c.took(c.kept), may, over, weak)
	return a
}

func (p *view) accuracy() *layout.Answer {
	var said answer.Clauses
	for _, c := range p.choices {
		if off, ok := c.off(); ok {
			said.Add(layout.Say("%s %s", "%s %s", c.name, signed(off)), c.row(c.kept).ID)
		}
	}
	return said.Sentence(layout.Plain, "What cheaper parameters predicted, against what was measured: %s.", "由较弱参数预测的耗时与实测之差：%s。", said.Join())
}

// off is by which share the prediction of what is chosen misses what was measured.
func (c *choice) off() (share float64, ok bool) {
	ns, measured := answer.Nanoseconds(c.row(c.kept))
	predicted, known := c.predicted(c.kept)
	return predicted.ns/ns - 1, measured && known
}

// signed prints a share with its sign: "+1.2 %".
func signed(share float64) string {
	return strings.Replace(fmt.Sprintf("%+.1f %%", 100*share), "-", "−", 1)
}

func (p *view) hashes() *layout.Answer {
	for _, c := range slices.Backward(p.Headlines()) { // more of them first
		base, other := p.ByID[c.Base], p.ByID[c.Other]
		if base.Algorithm != algorithm.PBKDF2SHA256 || other.Algorithm != algorithm.PBKDF2SM3 || c.Low == nil {
			continue
		}
		return &layout.Answer{Mark: answer.MarkOf(c), Evidence: answer.Evidence(c), Text: layout.Say("At %s iterations %s (%s) %s.", "%s 次迭代时 %s（%s）%s。",
			layout.FormatThousands(parameter.Iterations.In(base.Parameters)), other.Algorithm, answer.Label(other.Who()),
			answer.Versus(c, layout.Say("%s (%s)", "%s（%s）", base.Algorithm, answer.Label(base.Who()))))}
	}
	return nil
}
