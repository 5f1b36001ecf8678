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
	for _, g := range planStartup(Experiment().Narrowed(selection, plantest.Offered(Experiment()))) {
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
	case c.Operation == algorithm.Unwrap:
		return 90e3
	}
	return 50e3
}

// TestTokens: each that was named unwraps the key, in every way that it knows, and nothing else asks it; without one
// the report says how to name one.
func TestTokens(t *testing.T) {
	other := plantest.Token
	other.Version = "HSM-1.0"
	const full = `
SoftHSM-2.6 RSA-2048-OAEP-SHA-256 unwrap
HSM-1.0 RSA-2048-OAEP-SHA-256 unwrap
SoftHSM-2.6 RSA-2048-OAEP-SHA-1 unwrap
HSM-1.0 RSA-2048-OAEP-SHA-1 unwrap`
	for _, s := range []plan.Selection{{}, {Short: true}} {
		offers := plantest.Offered(Experiment())
		for _, who := range []result.Subject{plantest.Token, other} {
			for _, c := range unwraps() {
				offers = append(offers, plan.Offer{Subject: who, Case: c})
			}
		}
		var said []string
		for _, g := range planStartup(Experiment().Narrowed(s, offers)) {
			for _, tr := range g.Trials {
				if tr.Subject.Library == plantest.Token.Library {
					said = append(said, tr.Subject.Version+" "+tr.Case.Name()+" "+tr.Case.Operation)
				}
			}
		}
		want := "SoftHSM-2.6 AES-256-KW unwrap\nHSM-1.0 AES-256-KW unwrap"
		if !s.Short {
			want += full
		}
		if got := strings.Join(said, "\n"); got != want {
			t.Errorf("%+v:\n%s\nwant\n%s", s, got, want)
		}
	}
	m := answertest.NewTimings(12)
	m.Trial("startup", plantest.Token, plan.Of(algorithm.AES256, algorithm.KeyWrap, algorithm.Unwrap), 90e3)
	m.Trial("startup", plantest.Token, plan.Of(algorithm.RSA2048, algorithm.OAEPSHA1, algorithm.Unwrap), 2e6)
	for block := range 12 {
		m.Run.Records = append(m.Run.Records, result.Record{Trial: 0, Block: block, Metrics: []result.Metric{{Name: logIn, Value: 3e6, Unit: "ns"}}})
	}
	d := m.Document(Question)
	answertest.CheckLayout(t, d)
	answertest.Says(t, d, layout.English, "The key is unwrapped once per start, which adds: token (AES-256-KW) 90.0 µs after 3.00 ms to log in, token (RSA-2048-OAEP, SHA-1) 2.00 ms.")
	answertest.Says(t, d, layout.Chinese, "令牌（AES-256-KW）：登录 3.00 ms 后 90.0 µs")
	if holder(d.Rows[0]).EN != "who has the token and its PIN" {
		t.Errorf("the key is opened by %s", holder(d.Rows[0]).EN)
	}
	if next := d.Layouts[0].Next[1].Command; strings.Contains(next, "pkcs11") {
		t.Errorf("a token is there, and next is %s", next)
	}
	if next := aRun(plan.Selection{}, 400).Layouts[0].Next[1].Command; !strings.Contains(next, "--library pkcs11=") {
		t.Errorf("no token is there, and next is %s", next)
	}
}

func TestAnswers(t *testing.T) {
	d := aRun(plan.Selection{}, 400)
	answertest.CheckLayout(t, d)
	answertest.Says(t, d, layout.English, "1,000 secrets of 1 KiB (AES-256-GCM, go): open them at start. The first request is served after 500 µs (",
		"uses on; a service that opens each on its first use",
		"100,000 secrets of 64 B (AES-256-GCM, go): a start takes 50.0 ms opened at start and 10.0 ms opened on use; opening at start pays from about ",
		"The key is unwrapped once per start, which adds: HPKE-X25519 50.0 µs", "passphrase (Argon2id) 30.0 ms",
		"times as fast as one that opens them (", "can read plain secrets; sealed ones")
	answertest.Says(t, d, layout.Chinese, "1,000 条机密，每条 1 KiB（AES-256-GCM，go）：请在启动时解密", "口令（Argon2id）：30.0 ms", "都能读到明文机密")
	line := d.Layouts[0].Line
	if want := "Open secrets at start: 1,000 of 1 KiB take 400 µs; pays from about "; !strings.HasPrefix(line.Text.EN, want) ||
		!strings.HasSuffix(line.Text.EN, " uses on.") || len(line.Text.EN) > 85 || line.Mark != layout.Choose {
		t.Errorf("%s: %s", line.Mark, line.Text.EN)
	}
	short := aRun(plan.Selection{Short: true}, 400)
	answertest.CheckLayout(t, short)
	answertest.Says(t, short, layout.English, "open them at start", " uses on; a service that opens each on its first use")
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
