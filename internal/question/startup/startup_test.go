package startup

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/plan/plantest"
	"github.com/cryptogauge/cryptogauge/result"
)

// aRun is a run in which a secret takes 100 ns to read, some to open, and 20 ns to look up.
func aRun(selection plan.Selection, open float64) *document.Document {
	m := answertest.NewTimings(12)
	for _, g := range planStartup(selection, plantest.Offered(Experiment())) {
		var trials []int
		for _, tr := range g.Trials {
			trials = append(trials, m.Trial("startup", tr.Subject, tr.Case, taking(tr.Case, open)))
		}
		var pairs []result.Pair
		for _, p := range g.Pairs {
			pairs = append(pairs, result.Pair{Base: trials[p.Base], Other: trials[p.Other], Headline: p.Headline})
		}
		m.Group("startup", trials, pairs...)
	}
	return m.Document(Question)
}

func taking(c result.Case, open float64) float64 {
	n, opened := float64(parameter.Secrets.In(c.Parameters)), parameter.Opened.In(c.Parameters)
	switch {
	case c.Operation == algorithm.StartUp && opened == parameter.AtStart:
		return n * (100 + open)
	case c.Operation == algorithm.StartUp:
		return n * 100
	case c.Operation == algorithm.UseSecret && opened == parameter.OnUse:
		return 20 + open
	case c.Operation == algorithm.UseSecret:
		return 20
	case c.Algorithm == algorithm.Argon2id:
		return 30e6
	}
	return 50e3
}

func TestAnswers(t *testing.T) {
	d := aRun(plan.Selection{}, 400)
	answertest.CheckLayout(t, d)
	answertest.Says(t, d, layout.English, "1,000 secrets of 1 KiB (AES-256-GCM, go): open them at start. The first request is served after 500 µs, where each is opened on use after ",
		"uses on; opening on first use",
		"100,000 secrets of 64 B (SM4-GCM, gmsm): a start takes 50.0 ms opened at start and 10.0 ms opened on use; opening at start pays from about ",
		"The key is unwrapped once a start, which adds: HPKE-X25519 50.0 µs", "passphrase (Argon2id) 30.0 ms",
		"times as fast as one that opens them (", "Plain secrets lie open")
	answertest.Says(t, d, layout.Chinese, "1,000 条机密，每条 1 KiB（AES-256-GCM，go）：请在启动时解密", "口令（Argon2id）：30.0 ms", "明文机密对任何能读到该文件")
	line := d.Layouts[0].Line
	if want := "Open secrets at start: 1,000 of 1 KiB take 500 µs; pays from "; !strings.HasPrefix(line.Text.EN, want) ||
		!strings.HasSuffix(line.Text.EN, " uses on.") || len(line.Text.EN) > 85 || line.Mark != layout.Choose {
		t.Errorf("%s: %s", line.Mark, line.Text.EN)
	}
	short := aRun(plan.Selection{Short: true}, 400)
	answertest.CheckLayout(t, short)
	answertest.Says(t, short, layout.English, "open them at start")
}

// TestOpeningForNothing: where a start that opens takes no longer, it pays from the first use on.
func TestOpeningForNothing(t *testing.T) {
	d := aRun(plan.Selection{Short: true}, 0.001)
	answertest.CheckLayout(t, d)
	for _, a := range d.Answers {
		if strings.Contains(a.Text.EN, "from about") {
			t.Errorf("%s", a.Text.EN)
		}
	}
}

// TestShapes bounds configurations, and has those that the answer is about.
func TestShapes(t *testing.T) {
	for _, s := range []plan.Selection{{}, {Short: true}, {Sizes: []int64{1, 1 << 20}}, {Short: true, Sizes: []int64{1 << 20}}, {Sizes: []int64{1 << 30}}} {
		all := shapes(s)
		if len(all) == 0 && (len(s.Sizes) == 0 || s.Sizes[0] < 1<<30) {
			t.Errorf("%+v: no configuration", s)
		}
		for _, sh := range all {
			if sh.secrets*sh.each > mostBytes || parameter.Beyond(configuration(result.Case{}, sh.secrets, sh.each, parameter.Never).Parameters,
				parameter.Secrets, parameter.Each, parameter.Opened) != "" {
				t.Errorf("%+v: %+v", s, sh)
			}
		}
	}
	if m := main(shapes(plan.Selection{})); m != (shape{usual, usualSize}) {
		t.Errorf("the answer is about %+v", m)
	}
	if got := rounded(0.4) + " " + rounded(7.6) + " " + rounded(99) + " " + rounded(104) + " " + rounded(8372) + " " + rounded(99_999); got != "0 8 99 100 8,400 100,000" {
		t.Error(got)
	}
}
