package compare

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// planted builds runs of sides with planted times.
type planted struct {
	*documenttest.Fixture
	versions []string
}

func plant(versions ...string) *planted {
	p := &planted{documenttest.NewFixture(15, 5), versions}
	p.Run.Header.Suite, p.Run.Header.Command = Name, []string{"compare", "gmsm@" + versions[0]}
	p.Run.Header.Compared = &result.Compared{Tolerance: 0.03}
	for i, v := range versions {
		p.Run.Header.Compared.Sides = append(p.Run.Header.Compared.Sides, result.Side{Side: letter(i), Name: "gmsm@" + v})
	}
	return p
}

func letter(i int) string { return string(rune('A' + i)) }

func (p *planted) on(side int, c result.Case, ns float64) int {
	return p.Trial(Name, c, result.Subject{Library: "gmsm", Version: p.versions[side], Implementation: "avx2",
		Environment: parameter.WithSide("", letter(side))}, documenttest.Plan{NS: ns})
}

// add adds a case with its time on each side, 0 where the side does not have it.
func (p *planted) add(mode string, ns ...float64) (trials []int) {
	c := documenttest.SM4(mode, 1024)
	var pairs []result.Pair
	for i, t := range ns {
		if t == 0 {
			continue
		}
		trials = append(trials, p.on(i, c, t))
		if n := len(trials); n > 1 {
			pairs = append(pairs, result.Pair{Base: trials[0], Other: trials[n-1], Headline: true})
			if n > 2 {
				pairs = append(pairs, result.Pair{Base: trials[n-2], Other: trials[n-1], Headline: true})
			}
		}
	}
	p.Group(Name, mode, "", trials, pairs...)
	return trials
}

func (p *planted) document() *document.Document { return document.Build(p.End()) }

func answered(d *document.Document) *document.Document {
	answer.Add(d, []answer.Question{Question})
	return d
}

func holds(t *testing.T, d *document.Document, en, zh string) {
	t.Helper()
	all := d.Layouts[0].Line.Text.EN + "\n" + answertest.Texts(d, layout.English)
	if !strings.Contains(all, en) {
		t.Errorf("nothing says %q in:\n%s", en, all)
	}
	all = d.Layouts[0].Line.Text.ZH + "\n" + answertest.Texts(d, layout.Chinese)
	if !strings.Contains(all, zh) {
		t.Errorf("nothing says %q in:\n%s", zh, all)
	}
	answertest.CheckLayout(t, d)
}

// TestConsent: what is faster or the same, or a little slower, speaks for the upgrade.
func TestConsent(t *testing.T) {
	p := plant("v0.43.0", "v0.44.0")
	p.add("CTR", 1000, 625)
	p.add("CBC", 1000, 1000)
	p.add("ECB", 1000, 1012)
	d := answered(p.document())
	j := Judge(d)
	if j.Failed() || j.Open() || len(j.Slow()) > 0 {
		t.Errorf("%+v", j)
	}
	holds(t, d, "You may upgrade from gmsm v0.43.0 to v0.44.0: of 3 cases none is slower by more than 3 %; 1 slower by less; 1 faster, most of all SM4-CTR encryption, 1 KiB: 1.60 times as fast (",
		"可以从 gmsm v0.43.0 升级到 v0.44.0：3 项中没有一项慢 3% 以上；1 项略慢；1 项更快，最明显的是 SM4-CTR 加密，1 KiB：速度为 1.60 倍（")
	if verdicts := []State{j.Cases[0].State, j.Cases[1].State, j.Cases[2].State}; verdicts[0] != Slower || verdicts[1] != Same || verdicts[2] != Faster {
		t.Errorf("%v: want the worst first", verdicts)
	}
	if line := d.Answers[0]; line.Text != d.Layouts[0].Line.Text || line.Experiment != Name {
		t.Errorf("a program reads first: %+v", line)
	}
}

// TestConfirmation: what looks slower counts once a second run says so too.
func TestConfirmation(t *testing.T) {
	first := func() *document.Document {
		p := plant("v0.43.0", "v0.44.0")
		p.add("CBC", 1000, 1200)
		p.add("CTR", 1000, 1000)
		return p.document()
	}
	d := answered(first())
	if j := Judge(d); j.Failed() || !j.Open() || len(j.Slow()) != 1 || j.Slow()[0].Mode != "CBC" || j.Cases[0].State != Unrepeated {
		t.Errorf("without a second run: %+v", j)
	}
	holds(t, d, "It is not decided whether you may upgrade from gmsm v0.43.0 to v0.44.0: of 2 cases, 1 looks slower and was not measured again",
		"能否从 gmsm v0.43.0 升级到 v0.44.0 尚不能判定：2 项中，1 项看似更慢而未复测")
	for _, c := range []struct {
		again  float64
		state  State
		failed bool
		en, zh string
	}{
		{1190, Regressed, true,
			"Do not upgrade from gmsm v0.43.0 to v0.44.0: 1 of 2 cases is slower by more than 3 %, which a second run confirms; the worst is SM4-CBC encryption, 1 KiB: 1.20 times as long",
			"不要从 gmsm v0.43.0 升级到 v0.44.0：2 项中有 1 项慢 3% 以上，复测已确认；最严重的是 SM4-CBC 加密，1 KiB：耗时为 1.20 倍"},
		{1000, Unconfirmed, false, "and a second run does not confirm it", "但复测未确认"},
		{1020, Unconfirmed, false, "a second run does not confirm it", "复测未确认"},
	} {
		second := plant("v0.43.0", "v0.44.0")
		second.add("CBC", 1000, c.again)
		d := first()
		d.Repeat(second.document())
		answered(d)
		if j := Judge(d); j.Cases[0].State != c.state || j.Failed() != c.failed || j.Open() == c.failed {
			t.Errorf("%v again: %+v", c.again, j)
		}
		holds(t, d, c.en, c.zh)
	}
}

// TestDifferentOutputs: a speed of two different things is none.
func TestDifferentOutputs(t *testing.T) {
	p := plant("v0.43.0", "v0.44.0")
	p.add("CBC", 1000, 1000)
	for i, trial := range p.add("CTR", 1000, 2000) {
		p.Run.Trials[trial].Digest = strings.Repeat(letter(i), 64)
	}
	for _, trial := range p.add("ECB", 1000, 1000) {
		p.Run.Trials[trial].Digest, p.Run.Trials[trial].Unchecked = strings.Repeat("e", 64), true
	}
	d := answered(p.document())
	j := Judge(d)
	if j.Cases[0].State != Differs || j.Cases[0].Comparison != nil || len(d.Comparisons) != 2 || j.Failed() || !j.Open() {
		t.Errorf("%+v", j)
	}
	holds(t, d, "Outputs differ in 1 case: SM4-CTR encryption, 1 KiB. The sides do not compute the same there, so their speeds are not compared.",
		"有 1 项的输出不同：SM4-CTR 加密，1 KiB。")
	holds(t, d, "Unchecked: the output of 1 case is held against nothing.", "未核对：1 项的输出没有可对照者。")
	holds(t, d, "of 3 cases, outputs differ in 1 (SM4-CTR encryption, 1 KiB first)", "1 项输出不同")
}

// TestEnds: a wrong output speaks against a side, a crash leaves it open, and what one side alone has is
// said and decides nothing.
func TestEnds(t *testing.T) {
	p := plant("v0.43.0", "v0.44.0")
	p.add("CBC", 1000, 1000)
	p.Group(Name, "alone", "", []int{p.on(0, documenttest.SM4("OFB", 1024), 1000), p.on(1, documenttest.SM4("CFB", 1024), 1000)})
	d := answered(p.document())
	if j := Judge(d); j.Failed() || j.Open() || j.count(Only) != 2 {
		t.Errorf("%+v", j)
	}
	holds(t, d, "2 cases are on one side alone. SM4-OFB encryption, 1 KiB: only in v0.43.0; SM4-CFB encryption, 1 KiB: only in v0.44.0.",
		"有 2 项仅一方具有。SM4-OFB 加密，1 KiB：仅 v0.43.0 有；SM4-CFB 加密，1 KiB：仅 v0.44.0 有。")
	holds(t, d, "1 case is gone, SM4-OFB", "1 项不再提供，首先是 SM4-OFB")

	p = plant("v0.43.0", "v0.44.0")
	p.add("CBC", 1000, 1000)
	p.Status(p.add("CTR", 1000, 1000)[1], result.Crashed, "its worker died: signal: segmentation fault")
	d = answered(p.document())
	if j := Judge(d); j.Failed() || !j.Open() || j.Cases[0].State != Lost {
		t.Errorf("%+v", j)
	}
	holds(t, d, "1 has no number on one of the sides (SM4-CTR encryption, 1 KiB)", "1 项在一方没有数值")
	holds(t, d, "No number: SM4-CTR encryption, 1 KiB: on v0.44.0 the worker crashed:", "没有数值：SM4-CTR 加密，1 KiB：v0.44.0 上工作进程崩溃：")

	p = plant("v0.43.0", "v0.44.0")
	p.add("CBC", 1000, 1000)
	p.Status(p.add("CTR", 1000, 500)[1], result.Incorrect, "the output is wrong from byte 16 on")
	d = answered(p.document())
	if j := Judge(d); !j.Failed() || j.Cases[0].State != Wrong {
		t.Errorf("%+v", j)
	}
	holds(t, d, "Do not upgrade from gmsm v0.43.0 to v0.44.0: 1 of 2 cases is wrong in its output, SM4-CTR encryption, 1 KiB first.",
		"不要从 gmsm v0.43.0 升级到 v0.44.0：2 项中有 1 项输出错误")
	holds(t, d, "Wrong output where gmsm v0.43.0 is right, in 1 case", "gmsm v0.43.0 正确而另一方输出错误，共 1 项")
	if strings.Contains(answertest.Texts(d, layout.English), "side=") {
		t.Error("a sentence names a side by its letter")
	}
}

// TestUndecided: an interval that reaches below the tolerance decides nothing, and the command that would is named.
func TestUndecided(t *testing.T) {
	p := plant("v0.43.0", "v0.44.0")
	p.Run.Header.Budget = 60
	c := documenttest.SM4("CBC", 1024)
	a, b := p.on(0, c, 1000), p.on(1, c, 1000)
	p.Plans[a].Spread, p.Plans[b].Spread = 0.3, 0.3
	p.Group(Name, "CBC", "", []int{a, b}, result.Pair{Base: a, Other: b, Headline: true})
	d := answered(p.document())
	if j := Judge(d); j.Failed() || !j.Open() || j.Cases[0].State != Undecided {
		t.Errorf("%+v", j)
	}
	holds(t, d, "of 1 case, 1 may be slower by more than 3 % (SM4-CBC encryption, 1 KiB)", "1 项不能排除慢 3% 以上")
	if next := d.Layouts[0].Next; len(next) != 1 || !strings.Contains(next[0].Command, "cryptogauge compare gmsm@v0.43.0 --budget 4m") {
		t.Errorf("%+v", next)
	}
}

// TestWide: where it may be much faster it is not said that there is no difference.
func TestWide(t *testing.T) {
	p := plant("v0.43.0", "v0.44.0")
	c := documenttest.SM4("CBC", 1024)
	a, b := p.on(0, c, 1080), p.on(1, c, 1000)
	p.Plans[a].Spread, p.Plans[b].Spread = 0.3, 0.3
	p.Group(Name, "CBC", "", []int{a, b}, result.Pair{Base: a, Other: b, Headline: true})
	d := answered(p.document())
	if j := Judge(d); j.Open() || j.count(Close) != 1 {
		t.Fatalf("%+v, %v", j, *j.Cases[0].Comparison)
	}
	holds(t, d, "is not slower by more than 3 % in 1 case; whether it is faster is undecided", "1 项未慢 3% 以上，是否更快未能判定")
}

// TestSecondDecides: what the first run leaves open the second may decide, but not against a side by itself.
func TestSecondDecides(t *testing.T) {
	open := func(spread, ns float64) *document.Document {
		p := plant("v0.43.0", "v0.44.0")
		c := documenttest.SM4("CBC", 1024)
		a, b := p.on(0, c, 1000), p.on(1, c, ns)
		p.Plans[a].Spread, p.Plans[b].Spread = spread, spread
		p.Group(Name, "CBC", "", []int{a, b}, result.Pair{Base: a, Other: b, Headline: true})
		p.add("CTR", 1000, 1000)
		return p.document()
	}
	for _, c := range []struct {
		ns     float64
		state  State
		second bool
	}{{1000, Same, true}, {1012, Slower, true}, {1200, Undecided, false}} {
		d := open(0.3, 1000)
		if j := Judge(d); len(j.Unclear()) != 1 || len(j.Slow()) != 0 {
			t.Fatalf("the first run: %+v", j)
		}
		d.Repeat(open(0.002, c.ns))
		answered(d)
		if j := Judge(d); len(j.in(c.state)) == 0 || j.Failed() || j.Open() == c.second {
			t.Errorf("%v ns again: %+v", c.ns, j)
		}
		if c.second {
			holds(t, d, "The first run left 1 case undecided that a second run decides: SM4-CBC encryption, 1 KiB.",
				"首次运行未能判定而由复测判定的有 1 项：SM4-CBC 加密，1 KiB。")
		}
	}
}

// TestTooFewBlocks: an interval of a lower level than a verdict takes speaks for no side.
func TestTooFewBlocks(t *testing.T) {
	p := &planted{documenttest.NewFixture(7, 5), []string{"v0.43.0", "v0.44.0"}}
	p.Run.Header.Suite, p.Run.Header.Compared = Name, &result.Compared{Tolerance: 0.03, Sides: []result.Side{{Side: "A"}, {Side: "B"}}}
	p.add("CBC", 1000, 1000)
	d := p.document()
	if j := Judge(d); d.Comparisons[0].Low == nil || j.Cases[0].State != Undecided || len(j.Unclear()) != 1 {
		t.Errorf("%+v", j)
	}
	p.Run.Header.Budget, p.Run.Header.Reserved, p.Run.Header.Whole = 6, 4, 30
	p.Run.Header.Command = []string{"compare", "gmsm@v0.43.0", "gmsm@v0.44.0", "--budget", "10s"}
	d = answered(p.document())
	holds(t, d, "of 1 case, 1 has too few blocks for a verdict (SM4-CBC encryption, 1 KiB); give more time (--budget 60s).",
		"1 项数据组太少，不足以判定（首先是 SM4-CBC 加密，1 KiB）；请给出更多时间（--budget 60s）。")
	holds(t, d, "is undecided in 1 case. SM4-CBC encryption, 1 KiB: about 0.999 times as fast; too few blocks for a verdict.",
		"有 1 项未能判定。SM4-CBC 加密，1 KiB：速度约为 0.999 倍；数据组太少，不足以判定。")
}

// TestInterrupted: of rows that have no number yet it is said that their blocks are too few.
func TestInterrupted(t *testing.T) {
	p := &planted{documenttest.NewFixture(2, 5), []string{"v0.43.0", "v0.44.0"}}
	p.Run.Header.Suite, p.Run.Header.Compared = Name, &result.Compared{Tolerance: 0.03, Sides: []result.Side{{Side: "A"}, {Side: "B"}}}
	p.add("CBC", 1000, 1000)
	d := answered(p.document())
	if j := Judge(d); len(d.Comparisons) != 0 || j.Cases[0].State != Undecided || len(j.Unclear()) != 0 {
		t.Errorf("%+v, %+v", d.Comparisons, j)
	}
	holds(t, d, "SM4-CBC encryption, 1 KiB: too few blocks for a verdict.", "SM4-CBC 加密，1 KiB：数据组太少，不足以判定。")
	p = plant("v0.43.0", "v0.44.0") // before both sides had opened the first case
	p.Group(Name, "CBC", "", []int{p.on(0, documenttest.SM4("CBC", 1024), 1000)})
	d = answered(p.document())
	holds(t, d, "Nothing was compared: no case was measured on two sides.", "未作任何对比：没有一个测试项在两方都有测量。")
}

// TestSkipped: a benchmark that skips itself on both sides decides nothing, and is said; on one side it has no number.
func TestSkipped(t *testing.T) {
	for sides, want := range map[int]State{2: Skipped, 1: Lost} {
		p := plant("v0.43.0", "v0.44.0")
		p.add("CBC", 1000, 1000)
		for _, trial := range p.add("CTR", 1000, 1000)[2-sides:] {
			p.Status(trial, result.Crashed, "it skips itself: needs a server")
			p.Run.Statuses[len(p.Run.Statuses)-1].Cause = reason.Cause("bench-skipped-saying", reason.Foreign("needs a server"))
		}
		d := answered(p.document())
		j := Judge(d)
		if j.count(want) != 1 || j.Open() != (want == Lost) {
			t.Errorf("on %d: %+v", sides, j)
		}
		if want == Skipped {
			holds(t, d, "of 1 case none is slower", "1 项中没有一项慢")
			holds(t, d, "1 case is skipped on both sides. SM4-CTR encryption, 1 KiB: it skips itself: needs a server.",
				"有 1 项双方均跳过。SM4-CTR 加密，1 KiB：")
		}
	}
}

// TestTogether: two runs that each find something slower, and leave open whether by more than the tolerance, may
// decide that together.
func TestTogether(t *testing.T) {
	run := func(spread, ns float64) *document.Document {
		p := plant("v0.43.0", "v0.44.0")
		c := documenttest.SM4("CBC", 1024)
		a, b := p.on(0, c, 1000), p.on(1, c, ns)
		p.Plans[a].Spread, p.Plans[b].Spread = spread, spread
		p.Group(Name, "CBC", "", []int{a, b}, result.Pair{Base: a, Other: b, Headline: true})
		return p.document()
	}
	for _, c := range []struct {
		first, again float64 // ns
		state        State
	}{
		{1050, 1050, Regressed},
		{1050, 1035, Undecided}, // slower twice, and perhaps by less
		{1050, 1000, Close},     // slower once: the second run acquits it
		{1026, 1070, Undecided}, // slower in the second alone
	} {
		d := run(0.025, c.first)
		if j := Judge(d); j.Cases[0].State != Undecided {
			t.Fatalf("%v ns: the first run: %+v", c.first, j.Cases[0].Comparison)
		}
		d.Repeat(run(0.024, c.again))
		j := Judge(d).Cases[0]
		if j.State != c.state {
			t.Errorf("%v ns, then %v: %s, want %s: %+v", c.first, c.again, j.State, c.state, j.Comparison)
		}
		if both := d.Comparisons[0].Again.Both; both == nil || both.Blocks != 30 || c.state == Regressed && *j.Comparison.High != both.High {
			t.Errorf("%v ns, then %v: the table shows %+v, both runs say %+v", c.first, c.again, j.Comparison, both)
		}
	}
}

// TestChain: of several sides it is said where it changed.
func TestChain(t *testing.T) {
	p := plant("v0.42.0", "v0.43.0", "v0.44.0")
	p.add("CTR", 1000, 1000, 600)
	p.add("CBC", 1000, 1000, 1000)
	p.add("ECB", 1000, 1250, 1250)
	p.add("GCM", 0, 1000, 500)
	d := answered(p.document())
	holds(t, d, "Where it changed. v0.42.0 to v0.43.0: 1 of 3 cases slower; v0.43.0 to v0.44.0: 2 of 4 cases faster.",
		"变化出现在哪一步：v0.42.0 到 v0.43.0：3 项中 1 项变慢；v0.43.0 到 v0.44.0：4 项中 2 项变快。")
	table := d.Layouts[0].Tables[0]
	if table.Title.EN != "Where it changed" || len(table.Rows) != 3 || len(table.Columns) != 3 {
		t.Errorf("%+v", table)
	}
	if j := Judge(d); j.count(Unrepeated) != 2 || len(j.Slow()) != 1 || j.count(Only) != 2 {
		t.Errorf("%+v", j)
	}
}

// TestNull: the first side against itself is said, and takes part in no verdict.
func TestNull(t *testing.T) {
	p := plant("v0.43.0", "v0.44.0")
	c := documenttest.SM4("CBC", 1024)
	a, b, null := p.on(0, c, 1000), p.on(1, c, 1000), p.on(0, c, 1000)
	p.Group(Name, "CBC", "", []int{a, b, null}, result.Pair{Base: a, Other: b, Headline: true}, result.Pair{Base: a, Other: null})
	d := answered(p.document())
	if j := Judge(d); len(j.Cases) != 1 || j.Open() {
		t.Errorf("%+v", j)
	}
	holds(t, d, "gmsm v0.43.0 against itself: of 1 case this machine calls none different", "gmsm v0.43.0 与自身对比：1 项中本机没有把任何一项判为不同")

	p = plant("v0.43.0")
	a, null = p.on(0, c, 1000), p.on(0, c, 1100)
	p.Group(Name, "CBC", "", []int{a, null}, result.Pair{Base: a, Other: null, Headline: true})
	d = answered(p.document())
	holds(t, d, "this machine calls 1 of 1 case different, where nothing differs", "本机把 1 项中的 1 项判为不同")
}

// TestLabels: sides are called what they say of themselves, and else what was typed.
func TestLabels(t *testing.T) {
	of := func(versions ...string) string {
		p := plant(versions...)
		p.add("CBC", 1000, 1000)
		return answered(p.document()).Layouts[0].Title.EN
	}
	for got, want := range map[string]string{
		of("v0.43.0", "v0.44.0"): "gmsm v0.43.0, gmsm v0.44.0 compared",
		of("git:main", "."):      "gmsm git:main, gmsm ./ compared",
		of("v0.44.0", "v0.44.0"): "gmsm v0.44.0 (A), gmsm v0.44.0 (B) compared",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	p := plant("git:main", ".")
	p.add("CBC", 1000, 1000)
	holds(t, answered(p.document()), "You may change from gmsm git:main to gmsm ./: of 1 case none", "可以从 gmsm git:main 换成 gmsm ./：1 项中")
}
