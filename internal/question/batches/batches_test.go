package batches

import (
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/plan/plantest"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

var ours = result.Subject{Library: subject.Engine, Version: "devel", Implementation: "avx512", CallPath: "go"}

// offered says who offers a case: the established libraries one after the other, we in lanes.
func offered(c result.Case) result.Subject {
	switch {
	case parameter.Way.In(c.Parameters) == parameter.Lanes, parameter.Way.In(c.Parameters) == parameter.LanesNew:
		return ours
	case c.Algorithm != algorithm.HMACSHA256:
		return plantest.GMSM
	}
	return plantest.GoLibrary
}

func offers() (o plan.Offers) {
	for _, c := range batchCases() {
		o = append(o, plan.Offer{Subject: offered(c), Case: c, Loop: "batch"})
	}
	return o
}

// Each trial is planned once, each comparison is between the ways of the same work, and ours is the other.
func TestPlan(t *testing.T) {
	for _, s := range []plan.Selection{{}, {Short: true}, {Sizes: []int64{1, 100, 5000}}, {Algorithms: []string{algorithm.HMACSM3}}} {
		planned, headlines := map[result.Trial]bool{}, 0
		groups := planBatches(Experiment().Narrowed(s, offers()))
		for _, g := range groups {
			for _, trial := range g.Trials {
				if planned[trial.Trial] {
					t.Errorf("%+v: %s is planned twice", s, trial.ID())
				}
				planned[trial.Trial] = true
			}
			for _, p := range g.Pairs {
				base, other := g.Trials[p.Base], g.Trials[p.Other]
				if base.Case.Algorithm != other.Case.Algorithm || base.Case.Bytes != other.Case.Bytes || base.Subject.Library == subject.Engine ||
					parameter.Keys.In(base.Case.Parameters) != parameter.Keys.In(other.Case.Parameters) {
					t.Errorf("%s is compared with %s", base.ID(), other.ID())
				}
				if p.Headline {
					headlines++
				}
			}
		}
		if len(planned) == 0 || headlines == 0 || headlines > 17 {
			t.Errorf("%+v: %d trials, %d headline comparisons", s, len(planned), headlines)
		}
	}
	without := planBatches(Experiment().Narrowed(plan.Selection{}, slices.DeleteFunc(offers(), func(o plan.Offer) bool { return o.Subject != ours })))
	for _, g := range without {
		if len(g.Pairs) > 0 {
			t.Errorf("%s: lanes are compared with nothing", g.Name)
		}
	}
}

// measured is the document of a plan in which lanes take a tenth of the time, and new states twice.
func measured(s plan.Selection) *document.Document {
	m := answertest.NewTimings(15)
	for _, g := range planBatches(Experiment().Narrowed(s, offers())) {
		var trials []int
		for _, x := range g.Trials {
			ns := 500 * float64(parameter.Messages.In(x.Case.Parameters)) * (1 + float64(x.Case.Bytes)/1e5)
			switch parameter.Way.In(x.Case.Parameters) {
			case parameter.Lanes, parameter.LanesNew:
				ns /= 10
			case parameter.New:
				ns *= 2
			}
			trials = append(trials, m.Trial("batches", x.Subject, x.Case, ns))
		}
		var pairs []result.Pair
		for _, p := range g.Pairs {
			pairs = append(pairs, result.Pair{Base: trials[p.Base], Other: trials[p.Other], Headline: p.Headline})
		}
		m.Group("batches", trials, pairs...)
	}
	return m.Document(Question)
}

func TestAnswers(t *testing.T) {
	d := measured(plan.Selection{Short: true})
	answertest.CheckLayout(t, d)
	for language, wants := range map[layout.Lang][]string{
		layout.English: {"64 messages in one call, in SIMD lanes (new;", "HMAC-SM3 of 64 B under one key", "as gmsm; under a key each",
			"Use HMAC-SM3, kept and Reset (gmsm) for 64 messages of 64 B", "choose it once you trust new code",
			"Keep an HMAC for each key and Reset it",
			"64 messages encrypted in one call, in SIMD lanes (new; package sm4)", "SM4-GCM of 64 B, raw keys, compared with a new cipher for each: 20"},
		layout.Chinese: {"64 条消息一次调用", "各用一个密钥为", "信任之后再选用", "请为每个密钥保留一个 HMAC 并 Reset", "64 条消息一次调用加密", "64 B 的 SM4-CBC，复用 cipher 实例，同一密钥：速度是 gmsm 的 10"},
	} {
		got := answertest.Texts(d, language)
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("no sentence says %q in:\n%s", want, got)
			}
		}
	}
	l := d.Layouts[0]
	if got := l.Line.Text.EN; !strings.HasPrefix(got, "Reset a kept HMAC-SHA-256 (go): 2") ||
		!strings.Contains(got, "; SIMD lanes (new): 10.0 (10.0–10.0) times that, for HMAC-SM3 10.0 (10.0–10.1) times.") {
		t.Errorf("the line on the quick screen: %s", got)
	}
	if len(l.Headline) != 1 || len(l.Tables) != 1 || len(l.Charts) != 1 {
		t.Fatalf("%d headline tables, %d tables, %d charts", len(l.Headline), len(l.Tables), len(l.Charts))
	}
	rows := l.Headline[0].Rows
	if n := len(rows); n != 16 {
		t.Errorf("%d lines in the first table", n)
	}
	seen := map[string]bool{} // the algorithms of which ours stood
	for i, r := range rows {
		name := r.Cells[0].Text.EN
		isOurs := strings.Contains(r.RowID, subject.Engine)
		if seen[name] = seen[name] || isOurs; seen[name] && !isOurs {
			t.Errorf("line %d, %s: ours come after the established ones", i, r.RowID)
		}
	}
	if len(seen) != len(jobs) {
		t.Errorf("ours stand in lines of %d algorithms", len(seen))
	}
}

func TestAnswersInFull(t *testing.T) {
	d := measured(plan.Selection{})
	answertest.CheckLayout(t, d)
	l := d.Layouts[0]
	if len(l.Tables) != len(Experiment().Full.Sizes)+len(otherMessages) || len(l.Charts) != 2 {
		t.Fatalf("%d tables, %d charts", len(l.Tables), len(l.Charts))
	}
	for _, s := range l.Charts[1].Series {
		if len(s.Points) != len(Experiment().Full.Sizes) {
			t.Errorf("%s: %d points", s.Name.EN, len(s.Points))
		}
		for i, p := range s.Points {
			if p.X != float64(Experiment().Full.Sizes[i]) {
				t.Errorf("%s: point %d at %v bytes", s.Name.EN, i, p.X)
			}
		}
	}
}
