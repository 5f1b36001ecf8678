package answer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// Advice is a choice that a question advises on, whatever part of it was measured: of
// rows that do the same the best that is secure, set against each other one.
type Advice struct {
	Job  layout.Text // "encrypting 1 KiB"
	Rows []*document.Row
	Name func(*document.Row) layout.Text // without the library: "SM4-GCM"
	// Prefer is what goes before speed: rows of which the first of them is true, then those of the next; and Gain is what
	// who leaves one of the rest for one of these gains, beside what its weaknesses end. Empty: nothing.
	Prefer []func(*document.Row) bool
	Gain   layout.Text
	// Ways says that the rows differ in how a library is called; else the everyday way is meant.
	Ways bool
	// Contrast says that the question is about the difference: a row that nothing was
	// measured beside answers nothing.
	Contrast bool
	// Sized says that the answer depends on the job so much that the line names it, too: in few words, if there are.
	Sized  bool
	Brief  layout.Text
	Usual  func(*document.Row) bool             // what most have now, which is told of first; nil: nothing is
	Costs  func(best *document.Row) layout.Text // nil: nothing that is worth a word
	Secure layout.Text                          // what to measure where nothing secure was
	If     layout.Text                          // what must be so that one of them is chosen: "it must be RSA"; empty: nothing
	// Apart says what to do, by how much it pays and what to see to in sentences of their own, and of the same choice
	// at other sizes the first ratio too; nil: all is one sentence.
	Apart []Advice
}

// Lack is what is wrong with a row whatever its speed, and what who leaves it gains.
type Lack struct{ Is, Gain layout.Text }

var lacks = map[algorithm.Weakness]Lack{
	algorithm.EqualBlocks: {layout.Text{EN: "equal blocks stay visible", ZH: "相同分组可见"},
		layout.Text{EN: "equal blocks no longer show", ZH: "不再暴露相同分组"}},
	algorithm.NoIntegrity: {layout.Text{EN: "changes go undetected", ZH: "发现不了篡改"},
		layout.Text{EN: "changes are detected", ZH: "能发现篡改"}},
	algorithm.BrokenMD5: {layout.Text{EN: "collisions take seconds to make", ZH: "数秒即可构造碰撞"},
		layout.Text{EN: "no collisions are known", ZH: "没有已知碰撞"}},
	algorithm.BrokenSHA1: {layout.Text{EN: "collisions have been made", ZH: "已有实际碰撞"},
		layout.Text{EN: "no collisions are known", ZH: "没有已知碰撞"}},
	algorithm.ShortKey: {layout.Text{EN: "the key is too short", ZH: "密钥太短"},
		layout.Text{EN: "the key is long enough", ZH: "密钥长度足够"}},
	algorithm.PaddingOracle: {layout.Text{EN: "decryption can be a padding oracle", ZH: "解密可被用作填充预言机（padding oracle）"},
		layout.Text{EN: "Bleichenbacher's padding oracle is ruled out", ZH: "不受 Bleichenbacher 填充预言机（padding oracle）攻击"}},
	algorithm.ReusedKey: {layout.Text{EN: "one key for many messages", ZH: "多条消息共用密钥"},
		layout.Text{EN: "each message has a key of its own", ZH: "每条消息各用一个密钥"}},
	algorithm.LittleMemory: {layout.Text{EN: "graphics cards guess many passwords at once", ZH: "显卡可同时试大量口令"},
		layout.Text{EN: "each guess takes memory", ZH: "每次猜测都要占用内存"}},
	algorithm.Compressed: {layout.Text{EN: "lengths reveal the content", ZH: "长度会泄露内容"},
		layout.Text{EN: "lengths reveal nothing", ZH: "长度不泄露内容"}},
}

// weaknessOf is the first of a row's weaknesses; empty where it has none.
func weaknessOf(r *document.Row) algorithm.Weakness { return cmp.Or(r.Weaknesses()...) }

func lackOf(r *document.Row) Lack { return lacks[weaknessOf(r)] }

// LackOf is what is wrong with what has a weakness.
func LackOf(w algorithm.Weakness) Lack { return lacks[w] }

func (l Lack) none() bool { return l.Is.EN == "" }

// rival is a row beside the advised one.
type rival struct {
	row  *document.Row
	lack Lack
	gain layout.Text          // of who leaves it for the advised one
	c    *document.Comparison // of the advised row's speed with this one's; nil where they can't be compared
	less bool                 // what goes before speed speaks against it
}

// open says that nothing speaks for the advised row: no verdict, and nothing that this one lacks.
func (r rival) open() bool {
	return !r.less && r.c.Verdict == "inconclusive" && (r.lack.none() || r.c.TooFewBlocks())
}

// forbidden says that standards disallow the rival: who has the choice does not weigh it.
func (r rival) forbidden() bool { return r.lack == lacks[algorithm.ShortKey] }

// faster says that the rival is faster than the advised row, as far as it was measured.
func (r rival) faster() bool { return r.c != nil && r.c.Ratio < 1 }

// Advise names the best secure row with its ratio against each other, in one sentence or a few; the
// line is for the screen that all questions share. It is nil where no row has a number.
func (v *View) Advise(a Advice) (line *layout.Answer, whole []*layout.Answer) {
	rows := a.answerable(v)
	if len(rows) == 0 {
		return nil, nil
	}
	if !a.Ways {
		rows = v.inGoFirst(rows)
	}
	best := rows[0]
	switch {
	case !lackOf(best).none():
		return v.nothingSecure(a, rows)
	case IsNew(v.Name(best)):
		return v.onlyNew(a, rows)
	}
	rivals := v.against(a, rows)
	established := v.established(rivals)
	known := slices.ContainsFunc(established, func(r rival) bool { return r.c != nil && r.c.Low != nil })
	rivals = Select(rivals, func(r rival) bool { return r.c != nil }) // others did not take turns with it
	c, rivals := v.withC(a, rows, rivals)
	l, others := v.advised(a, best, rivals, c)
	if a.Costs != nil {
		l.Costs = a.Costs(best)
	}
	short := l
	if a.Sized {
		brief := a
		brief.Job = cmp.Or(a.Brief, a.Job)
		short.Do = brief.forJob(l.Do, rivals)
	}
	said := short.Answer()
	if !known && (len(established) > 0 || a.Contrast) { // point estimates make no answer
		return &said, nil
	}
	l.Pays, l.Do = others, a.forJob(v.aloneOrWithC(a, best, &l, c), rivals)
	if a.Apart != nil && len(v.established(rivals)) > 0 {
		return &said, v.apart(a, best, rivals, c)
	}
	all := l.whole(v.wrongHere())
	for _, r := range rivals {
		v.Caution(&all, weaknessOf(r.row))
	}
	return &said, []*layout.Answer{&all}
}

// against are the first of some rows' rivals, each compared with it where it took turns with it, what is faster than it first.
func (v *View) against(a Advice, rows []*document.Row) (rivals []rival) {
	best := rows[0]
	for _, r := range rows[1:] {
		x := rival{row: r, lack: lackOf(r), less: a.rank(r) > a.rank(best)}
		if x.gain = x.lack.Gain; x.lack.none() && x.less && a.rank(r) == len(a.Prefer) {
			x.gain = a.Gain
		}
		rivals = append(rivals, x)
	}
	rivals = v.few(a.told(best, rivals))
	v.setAgainst(best, rivals)
	if len(rivals) > 1 { // where there is little room, the last are left out
		slices.SortStableFunc(rivals[1:], Behind(func(r rival) bool { return !r.faster() || r.forbidden() }))
	}
	return rivals
}

// forJob says for what something is to be chosen.
func (a Advice) forJob(do layout.Text, rivals []rival) layout.Text {
	joined := "%[2]s%[1]s"
	if len(rivals) == 0 { // it names, and asks nobody for anything
		joined = "%[2]s，%[1]s"
	}
	return layout.Say("%s for %s", joined, do, a.Job)
}

// told puts rivals in the order in which they are told of: what most have now, what is
// weak, what lacks something else, and the others; what nobody may use any more only where there is nothing else.
// Who is told of Go alone hears of other libraries in Go first.
func (a Advice) told(best *document.Row, rivals []rival) []rival {
	place := func(r rival) int {
		return slices.Index([]bool{r.forbidden(), a.Usual != nil && a.Usual(r.row), !r.lack.none(), r.gain.EN != "", !r.less, true}, true)
	}
	far := Behind(func(r rival) bool { return inC(r.row) && !inC(best) })
	slices.SortStableFunc(rivals, func(x, y rival) int { return cmp.Or(place(x)-place(y), far(x, y)) })
	return rivals[max(0, slices.IndexFunc(rivals, func(r rival) bool { return !r.forbidden() })):]
}

// mostRivals is how many rows a sentence names one by one; of more it names the best of
// each library.
const mostRivals = 8

func (v *View) few(rivals []rival) (kept []rival) {
	type kind struct {
		library string
		lack    Lack
	}
	for _, same := range document.Grouped(rivals, func(r rival) kind { return kind{v.Name(r.row), r.lack} }) {
		if len(rivals) > mostRivals {
			same = same[:1]
		}
		kept = append(kept, same...)
	}
	return kept
}

// answerable are the rows that have a number, by everyday ways of calling where there are such: the one to advise first.
func (a Advice) answerable(v *View) []*document.Row {
	rows := Select(a.Rows, IsTimed)
	everyday := Select(rows, func(r *document.Row) bool { return Primary(v.Name(r)) && !CalledOtherwise(v.Name(r)) })
	if len(everyday) > 0 && !a.Ways {
		rows = everyday
	}
	slices.SortStableFunc(rows, func(x, y *document.Row) int { return a.order(v, x, y) })
	return rows
}

// order puts what may be advised first, then what is better, then what is faster.
func (a Advice) order(v *View, x, y *document.Row) int {
	unchecked := Behind(func(r *document.Row) bool { return r.Info != nil && r.Info.Unchecked })
	weak := Behind(func(r *document.Row) bool { return !lackOf(r).none() })
	untried := Behind(func(r *document.Row) bool { return IsNew(v.Name(r)) })
	return cmp.Or(unchecked(x, y), weak(x, y), untried(x, y), a.rank(x)-a.rank(y), cmp.Compare(perByte(x), perByte(y)))
}

// rank is which preference a row meets first; behind them all where it meets none.
func (a Advice) rank(r *document.Row) int {
	for i, is := range a.Prefer {
		if is(r) {
			return i
		}
	}
	return len(a.Prefer)
}

func perByte(r *document.Row) float64 { return r.NsPerOp.Median / float64(max(r.Bytes, 1)) }

// named is a row with its library, for the middle of a sentence.
func (a Advice) named(v *View, r *document.Row) layout.Text {
	if name := v.Name(r); IsNew(name) {
		return layout.Say("%[2]s (%[1]s, new)", "%s %s（新）", name, a.Name(r))
	}
	return layout.Say("%[2]s (%[1]s)", "%s %s", v.Name(r), a.Name(r))
}

// advised are what to use and by how much it pays: against each other row, what they lack
// in common said once, then against our engine. Of the line each has what it lacks.
func (v *View) advised(a Advice, best *document.Row, rivals []rival, inC *rival) (l Summary, whole []layout.Text) {
	l = Summary{Mark: layout.Choose, Do: a.briefly(v, best, inC), Evidence: []string{best.ID}}
	others := v.established(rivals)
	open := len(others) > 0 && others[0].open()
	for _, same := range document.Grouped(others, kindOf(others)) {
		for i, r := range same {
			part := Ratio(r.c, a.named(v, r.row))
			l.Evidence = append(l.Evidence, Evidence(r.c)...)
			gained := part
			if r.gain.EN != "" {
				gained = layout.Say("%s, and %s", "%s，并且%s", part, r.gain)
			}
			l.Pays = append(l.Pays, gained)
			if i > 0 && !small(r.c) {
				if number, ok := Again(same[i-1].c, r.c); ok {
					much := "fast"
					if r.c.Verdict == "slower" {
						much = "long"
					}
					part = layout.Say("%s as %[3]s as %[2]s", "%[2]s 的 %[1]s", number, a.named(v, r.row), much)
				}
			}
			if i == len(same)-1 && r.gain.EN != "" {
				part = layout.Say("%s, and %s", "%s，并且%s", part, r.gain)
			}
			whole = append(whole, part)
		}
	}
	if len(others) == 0 {
		l.Mark = layout.Plain
		took := layout.Say("it takes %s", "耗时 %s", timeOf(best))
		if len(rivals) == 0 { // no choice: nothing to advise
			l.Do = layout.Say("%s (%s)", "%[2]s 的 %[1]s", a.Name(best), v.Name(best))
			took = layout.Say("%s; it was compared with no other", "%s；没有可与之比较的其他实现", took)
		}
		l.Pays = append(l.Pays, took)
		whole = l.Pays
	}
	if inC != nil {
		l.Evidence = append(l.Evidence, Evidence(inC.c)...)
	}
	if name, ratio, c := v.ours(a, rivals, layout.Text{EN: "that", ZH: a.named(v, best).ZH}); c != nil {
		whole = append(whole, trusted(name, ratio, c))
		if mine := v.ByID[c.Other]; a.Name(mine) == a.Name(best) {
			name = Label(v.Name(mine))
		}
		l.Pay(layout.Say("%s: %s", "%s：%s", name, ratio), c)
	}
	if open {
		l.Mark = layout.Unclear
	}
	return l, whole
}

// kindOf tells rivals apart of which what they lack is not said once: the first, and those that are faster, keep
// their place before the others.
func kindOf(rivals []rival) func(rival) any {
	type kind struct {
		gain          layout.Text
		first, faster bool
	}
	some := slices.ContainsFunc(rivals, rival.faster)
	return func(r rival) any {
		return kind{r.gain, some && r.row == rivals[0].row, r.faster()}
	}
}

// established are the rivals that are not of our engine.
func (v *View) established(rivals []rival) []rival {
	return Select(rivals, func(r rival) bool { return !IsNew(v.Name(r.row)) })
}

// ours is what our engine does beside the advised row; no comparison where it was not measured.
func (v *View) ours(a Advice, rivals []rival, best layout.Text) (name, ratio layout.Text, c *document.Comparison) {
	i := slices.IndexFunc(rivals, func(r rival) bool { return IsNew(v.Name(r.row)) && r.lack.none() })
	if i < 0 {
		return name, ratio, nil
	}
	c = turned(rivals[i].c)
	return a.named(v, rivals[i].row), Ratio(c, best), c
}

// trusted says what our engine does, and where that is tempting that it is new.
func trusted(name, ratio layout.Text, c *document.Comparison) layout.Text {
	text := layout.Say("%s: %s", "%s：%s", name, ratio)
	if c.Verdict == "faster" {
		text = layout.Say("%s; choose it once you trust new code", "%s；它是新实现，信任之后再选用", text)
	}
	return text
}

// apart says in sentences of their own what to do, by how much that pays compared with what is told of
// first, at other sizes too, and what to see to; its speed over the others'; what is wrong; and what our engine does.
func (v *View) apart(a Advice, best *document.Row, rivals []rival, inC *rival) []*layout.Answer {
	others := v.established(rivals)
	l, _ := v.advised(a, best, others, inC)
	l.Do, l.Costs = v.aloneOrWithC(a, best, &l, inC), a.Costs(best)
	said := []*layout.Answer{v.first(a, best, others[0], l), v.overOthers(a, best, others)}
	safety := v.wrongHere()
	if safety.EN = strings.TrimSpace(safety.EN); safety.EN != "" {
		said = append(said, &layout.Answer{Mark: layout.Beware, Text: safety, Evidence: []string{best.ID}, Echo: true})
	}
	if name, ratio, c := v.ours(a, rivals, a.named(v, best)); c != nil {
		said = append(said, &layout.Answer{Mark: MarkOf(c), Text: layout.Say("%s.", "%s。", trusted(name, ratio, c)), Evidence: Evidence(c)})
	}
	return said
}

// first is what to do, with the ratio against what is told of first, also at other sizes.
func (v *View) first(a Advice, best *document.Row, r rival, l Summary) *layout.Answer {
	do := Summary{Mark: l.Mark, Do: a.forJob(l.Do, []rival{r}), Pays: l.Pays[:1], Costs: l.Costs, Beside: l.Beside,
		Evidence: append([]string{best.ID}, Evidence(r.c)...)}
	if r.open() {
		do.Mark = layout.Unclear
	}
	for _, there := range a.Apart {
		c := v.alike(there, best, r.row)
		if c == nil || c.Low == nil {
			continue
		}
		part, again := Again(r.c, c)
		if !again {
			part = layout.Say("%s times as fast (%s)", "%s 倍（%s）", Factor(c.Ratio), limitsAndDoubt(c))
		}
		do.Pay(layout.Say("at %s %s", "%s 时为 %s", SizeText(v.ByID[c.Other].Bytes), part), c)
	}
	said := do.whole(layout.Text{})
	return v.Caution(&said, weaknessOf(r.row))
}

// alike is the comparison of a choice at another size that is between the same as two rows, where the same is best.
func (v *View) alike(there Advice, best, other *document.Row) *document.Comparison {
	same := func(x, y *document.Row) bool { return v.Sizeless(x) == v.Sizeless(y) }
	rows := there.answerable(v)
	if len(rows) == 0 || !same(rows[0], best) {
		return nil
	}
	for _, r := range v.against(there, rows) {
		if same(r.row, other) {
			return r.c
		}
	}
	return nil
}

// limitsAndDoubt is a comparison's interval, and why it decides nothing where it does not.
func limitsAndDoubt(c *document.Comparison) layout.Text {
	switch {
	case c.Low == nil || c.High == nil:
		return layout.Text{EN: "too few blocks", ZH: "数据组太少"}
	case c.Verdict == "inconclusive":
		return layout.Say("%s, %s", "%s，%s", Limits(c), Open(c))
	}
	return layout.Same(Limits(c))
}

// overOthers is the advised row's speed over that of the others but for the first, which has been told; what they
// lack in common is said once.
func (v *View) overOthers(a Advice, best *document.Row, others []rival) *layout.Answer {
	var said Clauses
	type kind struct {
		gain   layout.Text
		faster bool
	}
	for _, same := range document.Grouped(others[1:], func(r rival) kind { return kind{r.gain, r.faster()} }) {
		var parts []layout.Text
		for _, r := range same {
			within := limitsAndDoubt(r.c)
			if r.c.Verdict == "slower" {
				within = layout.Say("%s, slower", "%s，更慢", within)
			}
			parts = append(parts, layout.Say("%s %s (%s)", "%s %s（%s）", a.named(v, r.row), Factor(r.c.Ratio), within))
			said.Evidence = append(said.Evidence, Evidence(r.c)...)
		}
		group := List(parts)
		if gain := same[0].gain; gain.EN != "" && gain != others[0].gain {
			group = layout.Say("%s, and %s", "%s，并且%s", group, gain)
		}
		said.Parts = append(said.Parts, group)
	}
	mark := layout.Choose
	if slices.ContainsFunc(others[1:], func(r rival) bool { return !r.faster() }) {
		mark = layout.Plain
	}
	return said.Sentence(mark, "%s compared with the others (speed ratio, %s): %s.", "%s 与其他各项的速度比（%s）：%s。",
		a.named(v, best), a.Job, Semicolons(said.Parts))
}

func timeOf(r *document.Row) layout.Text {
	return MetricTime(document.Metric{Value: r.NsPerOp.Median, Low: r.NsPerOp.Low, High: r.NsPerOp.High})
}

// whole says all of a summary, and what is wrong.
func (l Summary) whole(wrong layout.Text) layout.Answer {
	parts := slices.Concat(l.Pays, []layout.Text{l.Costs, l.Beside})
	parts = Select(parts, func(t layout.Text) bool { return t.EN != "" })
	text := layout.Say("%s: %s", "%s：%s", l.guessed(), Semicolons(parts))
	return layout.Answer{Mark: l.Mark, Text: layout.Say("%s.%s", "%s。%s", text, wrong), Evidence: l.Evidence}
}

// Chosen are the advice on some choices: the line of the first that was a choice, and the
// sentences of all that were; where none was, what is said of the first row.
func (v *View) Chosen(all ...Advice) (line *layout.Answer, whole []*layout.Answer) {
	var alone *layout.Answer
	var sentence []*layout.Answer
	for _, a := range all {
		contrast := a
		contrast.Contrast = true
		said, chosen := v.Advise(contrast)
		switch {
		case chosen != nil:
			line, whole = cmp.Or(line, said), append(whole, chosen...)
		case alone == nil:
			alone, sentence = v.Advise(a)
		}
	}
	if len(whole) == 0 {
		return alone, sentence
	}
	return line, whole
}

// Beside leaves out of the sentences on a choice that there was none, where the question says
// something else.
func Beside(said []layout.Answer, chosen []*layout.Answer) []layout.Answer {
	for _, a := range Said(chosen...) {
		if len(said) == 0 || a.Mark != layout.Plain {
			said = append(said, a)
		}
	}
	return said
}

// wrongHere says which code of this question must never be used, once.
func (v *View) wrongHere() (text layout.Text) {
	if v.warned {
		return text
	}
	v.warned = true
	for _, rows := range v.Doc.Wrong() {
		if rows[0].Experiment == v.Experiment {
			text = layout.Say("%s %s is wrong: never use it.", "%s%s 结果错误，切勿使用。", text, wrongName(rows[0]))
		}
	}
	return text
}

// nothingSecure says that nothing secure was measured, and what to measure.
func (v *View) nothingSecure(a Advice, rows []*document.Row) (line *layout.Answer, whole []*layout.Answer) {
	best := rows[0]
	said := layout.Answer{Mark: layout.Stop, Evidence: IDs(rows), Text: layout.Say(
		"Nothing measured here for %s is to be recommended: with %s %s. Measure %s as well.%s",
		"%s：所测各项都不宜推荐：%s %s。请加测%s。%s", a.Job, a.named(v, best), lackOf(best).Is, a.Secure, v.wrongHere())}
	v.Caution(&said, weaknessOf(best))
	return &said, []*layout.Answer{&said}
}

// onlyNew names our engine where nothing else that is secure was measured, which is too
// new to be advised alone.
func (v *View) onlyNew(a Advice, rows []*document.Row) (line *layout.Answer, whole []*layout.Answer) {
	best := rows[0]
	said := layout.Answer{Mark: layout.Plain, Evidence: []string{best.ID}, Text: layout.Say(
		"%[3]s takes %[2]s for %[1]s; add an established library to --libraries to compare it with.%[4]s",
		"%[3]s：%[1]s耗时 %[2]s；请在 --libraries 中加上成熟的库作比较。%[4]s",
		a.Job, timeOf(best), a.named(v, best), v.wrongHere())}
	return &said, []*layout.Answer{&said}
}

// setAgainst compares each rival with the best row: as the plan declared, and the others
// together.
func (v *View) setAgainst(best *document.Row, rivals []rival) {
	var open []*rival
	var rows []*document.Row
	for i := range rivals {
		r := &rivals[i]
		if r.c = v.declaredEither(r.row, best); r.c == nil {
			open, rows = append(open, r), append(rows, r.row)
		}
	}
	for i, c := range v.Doc.CompareEach(rows, best) {
		open[i].c = v.add(c)
	}
}

// declaredEither is a comparison of the speed of other with base's that the plan declared, or
// the other way round.
func (v *View) declaredEither(base, other *document.Row) *document.Comparison {
	if c := v.Declared(base, other); c != nil {
		return c
	}
	if c := v.Declared(other, base); c != nil {
		return turned(c)
	}
	return nil
}

// add puts a comparison, where there is one, beside those that the plan declared.
func (v *View) add(c *document.Comparison) *document.Comparison {
	if c != nil {
		v.Pairs[[2]string{c.Base, c.Other}] = c
		v.added = append(v.added, c)
	}
	return c
}

// Against compares the speed of other with base's: as the plan declared, or the other way
// round, or else as one of a family of such comparisons; nil where they can't be compared.
func (v *View) Against(base, other *document.Row, family int) *document.Comparison {
	c := v.declaredEither(base, other)
	if c == nil && base != nil && other != nil {
		c = v.add(v.Doc.Compare(base, other, family))
	}
	return c
}

// turned is a comparison the other way round, by the same name.
func turned(c *document.Comparison) *document.Comparison {
	t := *c
	t.Base, t.Other, t.Ratio = c.Other, c.Base, 1/c.Ratio
	if c.Low != nil && c.High != nil {
		low, high := 1/(*c.High), 1/(*c.Low)
		t.Low, t.High = &low, &high
	}
	t.Verdict = cmp.Or(map[string]string{"faster": "slower", "slower": "faster"}[c.Verdict], c.Verdict)
	return &t
}

// unanswered is the line of a question that has none of its own: what is missing.
func (v *View) unanswered(why *layout.Answer) *layout.Answer {
	if why != nil {
		few := layout.Text{EN: "Inconclusive: too few blocks (worker restarts) were measured for an answer", ZH: "无法判定：测得的数据组太少，不足以作答"}
		more := layout.Say("%s; raise --budget.", "%s；请调大 --budget。", few)
		switch {
		case v.Doc.Partial:
			more = layout.Say("%s. %s", "%s。%s", few, toItsEnd)
		case v.Doc.Suite == document.QuickSuite: // whose last lines say what to do about all that is left open
			more = layout.Say("%s.", "%s。", few)
		}
		return &layout.Answer{Mark: layout.Unclear, Evidence: why.Evidence, Text: more}
	}
	a := &layout.Answer{Mark: layout.Unclear, Evidence: IDs(v.Rows),
		Text: layout.Text{EN: "No number: nothing that was asked could be measured here.", ZH: "没有数值：所要求的各项在本机都无法测量。"}}
	if r := v.First(IsTimed); r != nil {
		a = &layout.Answer{Mark: layout.Plain, Evidence: []string{r.ID}, Text: layout.Say("%s (%s) takes %s; nothing was measured beside it.",
			"%[2]s 的 %[1]s 耗时 %[3]s；没有其他可比较的结果。", PrimitiveName(r), Label(v.Name(r)), timeOf(r))}
	} else if r := v.First(func(r *document.Row) bool { return r.Status != result.OK && r.Reason != "" }); r != nil {
		a.Text = layout.Say("No answer from what was measured: %s: %s.", "所测各项不足以作答：%s：%s。", v.Name(r), ReasonOf(r))
	}
	return a
}
