package service

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

// requests is a run of services, made by hand.
func requests() *answertest.Sheet {
	s := &answertest.Sheet{}
	row := func(protection algorithm.Mode, connections parameter.Reuse, bytes int64, ns, wall float64) string {
		id := s.Time("service", "go", algorithm.HTTP, protection, algorithm.Serve, parameter.Connections.Is(connections), ns)
		r := s.Doc.Rows[len(s.Doc.Rows)-1]
		r.Bytes, r.WallNsPerOp, r.ID = bytes, &document.Estimate{Median: wall}, id+answer.SizeText(bytes)
		return r.ID
	}
	plain := row(algorithm.Cleartext, parameter.KeptOnes, 1<<10, 20e3, 20.2e3)
	kept := row(algorithm.ByTLS, parameter.KeptOnes, 1<<10, 25e3, 30e3)
	plainLong := row(algorithm.Cleartext, parameter.KeptOnes, 1<<20, 200e3, 200e3)
	keptLong := row(algorithm.ByTLS, parameter.KeptOnes, 1<<20, 400e3, 400e3)
	plainNew := row(algorithm.Cleartext, parameter.NewOnes, 1<<10, 60e3, 61e3)
	anew := row(algorithm.ByTLS, parameter.NewOnes, 1<<10, 300e3, 301e3)
	mutual := row(algorithm.ByMutual, parameter.NewOnes, 1<<10, 400e3, 401e3)
	hybrid := row(algorithm.ByHybrid, parameter.NewOnes, 1<<10, 360e3, 361e3)
	chinese := row(algorithm.ByTLCP, parameter.NewOnes, 1<<10, 900e3, 901e3)
	resumed := row(algorithm.ByTLS, parameter.ResumedOnes, 1<<10, 150e3, 151e3)
	aes := row(algorithm.AES256GCM, parameter.KeptOnes, 1<<10, 21e3, 21e3)
	signed := row(algorithm.AES256GCM+"+"+algorithm.Ed25519, parameter.KeptOnes, 1<<10, 40e3, 60e3)
	s.Times(plain, aes, 20.0/21)
	s.Times(plain, signed, 0.5)
	s.Times(aes, signed, 21.0/40)
	s.Times(plain, kept, 0.8)
	s.Times(plainLong, keptLong, 0.5)
	s.Times(plainNew, anew, 0.2)
	s.Times(kept, anew, 25.0/300)
	s.Times(anew, mutual, 0.75)
	keptMutual := row(algorithm.ByMutual, parameter.KeptOnes, 1<<10, 24.4e3, 30e3)
	s.Times(plain, keptMutual, 20/24.4)
	s.Times(plainNew, mutual, 60.0/400)
	s.Times(anew, hybrid, 300.0/360)
	s.Times(anew, chinese, 300.0/900)
	s.Times(anew, resumed, 2)
	return s
}

func TestServiceSentences(t *testing.T) {
	d := &requests().Doc
	answer.Add(d, []answer.Question{Question})
	for lang, wants := range map[layout.Lang][]string{
		layout.English: {
			"With connections kept and answers of 1 KiB, TLS takes 20 % (19–21 %) of the server's CPU: a request takes 25.0 µs, without TLS 20.0 µs.",
			"Keep connections open: a new one with TLS for each request takes 12.0 times (11.9–12.1) as much CPU as kept ones; TLS is 80 % (80–80 %) of it.",
			"Client certificates, CPU of the server per request: over new connections +33 % (+32 to +35 %).",
			"X25519MLKEM768, which withstands quantum computers, in the place of X25519, CPU of the server per request: over new connections +20 % (+19 to +21 %).",
			"Claims of a published report on services (statements/published.yaml), for a request with an answer of 1 KiB: " +
				"“mutual TLS costs 18 % of the CPU” over kept connections holds here: 18 % (17–19 %); " +
				"“mutual TLS costs 18 % of the CPU” over new connections does not hold here: 85 % (85–85 %); " +
				"“a hybrid handshake costs 37 % more” over new connections does not hold here: +20 % (+19 to +21 %).",
			"TLCP (gmtls, no longer maintained) in the place of TLS 1.3, CPU of the server per request: over new connections +200 % (+197 to +203 %).",
			"A new connection that resumes a session is 2.00 times as fast as one with a full handshake (1.98–2.02).",
			"Where the application seals answers of 1 KiB (no TLS), it spends this share of the request's CPU on sealing: AES-256-GCM (go) 5 % (4–6 %); " +
				"on sealing and signing: AES-256-GCM + Ed25519 (go) 50 % (50–50 %).",
			"A signature beside the seal, CPU of the server per request: Ed25519 +90 % (+89 to +92 %).",
			"Of longer answers over kept connections TLS takes: 1 MiB 50 % (50–50 %).",
		},
		layout.Chinese: {"保持连接、响应为 1 KiB 时，TLS 占服务器 CPU 的 20%（19–21%）；每个请求 25.0 µs，不用 TLS 为 20.0 µs。",
			"客户端证书，服务器每个请求的 CPU：新建连接：+33%（+32% 至 +35%）。",
			"响应（1 KiB）由应用加密而不用 TLS 时，占请求 CPU 的比例——仅加密：AES-256-GCM（go）5%（4–6%）；加密并签名：AES-256-GCM + Ed25519（go）50%（50–50%）。"},
	} {
		for _, want := range wants {
			if !strings.Contains(answertest.Texts(d, lang), want) {
				t.Errorf("%s lacks %q:\n%s", lang, want, answertest.Texts(d, lang))
			}
		}
	}
	line := d.Layouts[0].Line.Text.EN
	if want := "Keep connections open: TLS then takes 20 % (19–21 %) of a server's CPU (answers of 1 KiB); " +
		"a new one per request takes 12.0 times (11.9–12.1) the CPU of a kept one."; line != want {
		t.Errorf("the line is %q", line)
	}
}

// TestSaturation: a rate counts where the server was busy, and else the client limits.
func TestSaturation(t *testing.T) {
	rows := requests().Doc.Rows
	if got := saturated(rows[0]).Text.EN; got != "49505" {
		t.Errorf("99 %% busy: %q", got)
	}
	if got := saturated(rows[1]).Text.EN; got != answer.Dash().Text.EN {
		t.Errorf("83 %% busy: %q", got)
	}
}

// TestShares: what is not shown to differ has no share, but a bound.
func TestShares(t *testing.T) {
	bound := func(x float64) *float64 { return &x }
	for _, test := range []struct {
		verdict          string
		ratio, low, high float64
		want             string
	}{
		{"slower", 0.9, 0.88, 0.92, "10 % (8–12 %)"}, {"same", 0.999, 0.998, 1.001, "less than 0.5 %"},
		{"inconclusive", 0.95, 0.89, 1.02, "at most 11 %"},
		{"inconclusive", 0.95, 0.89, 0.999, "about 5 % (0–11 %, inconclusive)"},
	} {
		c := &document.Comparison{Verdict: test.verdict, Ratio: test.ratio, Low: bound(test.low), High: bound(test.high)}
		if got := share(c).EN; got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}

// TestAdds: no difference is said to be found only where a large one is ruled out.
func TestAdds(t *testing.T) {
	for want, limits := range map[string][2]float64{"no difference found (−2 to +3 %)": {0.971, 1.02}, "inconclusive (−21 to +94 %)": {0.516, 1.26}} {
		c := &document.Comparison{Verdict: "inconclusive", Ratio: 1, Low: &limits[0], High: &limits[1]}
		if got := adds(c).EN; got != want {
			t.Errorf("%v: %q, want %q", limits, got, want)
		}
	}
}

// TestServiceWithoutRows: a run cut short says what it can, and no more.
func TestServiceWithoutRows(t *testing.T) {
	s := requests()
	s.Doc.Rows, s.Doc.Comparisons = s.Doc.Rows[:1], nil
	answer.Add(&s.Doc, []answer.Question{Question})
	if texts := answertest.Texts(&s.Doc, layout.English); strings.Contains(texts, "TLS takes") {
		t.Errorf("%s", texts)
	}
}

// TestClaims: a claim holds where the whole interval lies within 5 % of it, and fails where none of it does.
func TestClaims(t *testing.T) {
	bound := func(x float64) *float64 { return &x }
	for _, test := range []struct {
		low, high float64 // of how many times as long it takes
		want      string
	}{
		{1.21, 1.23, "holds here"}, {1.1, 1.2, "does not hold here"}, {1.3, 1.4, "does not hold here"},
		{1.19, 1.21, "can't be decided here"}, {1.1, 1.3, "can't be decided here"},
	} {
		c := &document.Comparison{Low: bound(1 / test.high), High: bound(1 / test.low)}
		if got := claims[0].verdict(c).EN; got != test.want {
			t.Errorf("%v: %q", test, got)
		}
	}
}

// TestCardsUseTheWordsOfTables: a comparison has a name either way round.
func TestCardsUseTheWordsOfTables(t *testing.T) {
	charts, d := 0, &requests().Doc
	for i := range d.Comparisons {
		d.Comparisons[i].Headline = true
	}
	answer.Add(d, []answer.Question{Question})
	for _, chart := range d.Layouts[0].Charts {
		for _, r := range chart.Ratios {
			charts++
			first, second, _ := strings.Cut(r.Label.EN, " / ")
			if r.Reverse.EN != second+" / "+first || strings.Contains(r.Reverse.EN, "=") {
				t.Errorf("%q, turned round %q", r.Label.EN, r.Reverse.EN)
			}
		}
	}
	if charts == 0 {
		t.Error("no ratio is drawn")
	}
}
