package messages

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

// packets builds documents of the experiment messages by hand.
type packets struct {
	doc        document.Document
	parameters string // of the rows that follow
}

func (p *packets) row(c choice, op string, bytes int64, ns float64) string {
	r := &document.Row{Experiment: "messages", Algorithm: c.algorithm, Mode: c.mode, Operation: op, Bytes: bytes, Parameters: p.parameters,
		Library: c.library, Version: "v1", Implementation: "fast", Status: result.OK, ConstantTime: result.ConstantTime{Value: "yes", Basis: "instructions"}}
	if c.withoutAES {
		r.Environment, r.Implementation, r.ConstantTime = parameter.WithoutAES, "generic tables", result.ConstantTime{Value: "no", Basis: "tables"}
	}
	low, high, rate, allocs := ns*0.99, ns*1.01, float64(bytes)/ns*1e9, 2.0
	r.NsPerOp, r.BytesPerSecond, r.AllocsPerOp = &document.Estimate{Median: ns, Low: &low, High: &high}, &rate, &allocs
	r.ID = fmt.Sprintf("messages/%s/%s/%d/%s/%s", answer.CaseName(c.algorithm, c.mode), op, bytes, c.library, r.Implementation)
	p.doc.Rows = append(p.doc.Rows, r)
	return r.ID
}

func (p *packets) compare(base, other string, ratio float64, verdict string) string {
	low, high := ratio*0.98, ratio*1.02
	id := base + " -> " + other
	p.doc.Comparisons = append(p.doc.Comparisons, document.Comparison{ID: id, Base: base, Other: other,
		Ratio: ratio, Low: &low, High: &high, Verdict: verdict, Headline: true, Level: 0.9997, Blocks: 17})
	return id
}

func (p *packets) cross(c document.Crossover) { p.doc.Crossovers = append(p.doc.Crossovers, c) }

// ordinary is what a machine with AES instructions shows, sealing 64 and 1350
// bytes; verdicts and ratios are those of AES-128-GCM against ChaCha20-Poly1305.
func ordinary(ratios [2]float64, verdicts [2]string) *packets {
	p := &packets{}
	for i, n := range []int64{64, 1350} {
		id := map[choice]string{}
		for _, c := range []choice{aes128, aes128Soft, chacha, sm4GCM, sm4GCMSoft, sm4CBC} {
			id[c] = p.row(c, "encrypt", n, 100+float64(n))
		}
		p.compare(id[chacha], id[aes128], ratios[i], verdicts[i])
		p.compare(id[aes128Soft], id[chacha], 5+float64(i), "faster")
		p.compare(id[sm4CBC], id[sm4GCM], 3.5, "faster")
		p.compare(id[aes128], id[sm4GCM], 0.25, "slower")
		p.compare(id[aes128Soft], id[aes128], 20, "faster")
	}
	return p
}

func TestMessagesChoice(t *testing.T) {
	for _, test := range []struct {
		ratios   [2]float64
		verdicts [2]string
		mark     layout.Mark
		en, zh   string
	}{
		{[2]float64{1.5, 1.8}, [2]string{"faster", "faster"}, layout.Choose,
			"With AES instructions, choose AES-128-GCM (go): for 64 B sealing is 1.50 times as fast as ChaCha20-Poly1305 (xcrypto) (1.47–1.53), for 1350 B 1.80 times (1.76–1.84).",
			"有 AES 指令时请选择 AES-128-GCM（go）：加密 64 B 时的速度是 ChaCha20-Poly1305（xcrypto）的 1.50 倍（1.47–1.53），1350 B 时为 1.80 倍（1.76–1.84）。"},
		{[2]float64{0.5, 0.4}, [2]string{"slower", "slower"}, layout.Choose,
			"With AES instructions, choose ChaCha20-Poly1305 (xcrypto). AES-128-GCM (go) in comparison: for 64 B sealing takes 2.00 times as long as " +
				"ChaCha20-Poly1305 (xcrypto) (1.96–2.04), for 1350 B 2.50 times (2.45–2.55).",
			"有 AES 指令时请选择 ChaCha20-Poly1305（xcrypto）。AES-128-GCM（go）与之相比：加密 64 B 时耗时是 ChaCha20-Poly1305（xcrypto）的 2.00 倍（1.96–2.04），1350 B 时为 2.50 倍（2.45–2.55）。"},
		{[2]float64{0.5, 1.5}, [2]string{"slower", "faster"}, layout.Beware,
			"With AES instructions, the choice depends on the size. AES-128-GCM (go): for 64 B sealing takes 2.00 times as long as ChaCha20-Poly1305 (xcrypto) " +
				"(1.96–2.04), for 1350 B sealing is 1.50 times as fast as",
			"如何选择取决于消息长度"},
		{[2]float64{1.05, 1.06}, [2]string{"faster", "faster"}, layout.Choose,
			"for 64 B sealing is 5.0 % faster than ChaCha20-Poly1305 (xcrypto) (2.9–7.1 %), for 1350 B 6.0 % (3.9–8.1 %).", "比 ChaCha20-Poly1305（xcrypto）快 5.0%"},
		{[2]float64{1, 1}, [2]string{"same", "same"}, layout.Plain, "both are equally fast", "速度相当"},
		{[2]float64{1, 1}, [2]string{"inconclusive", "inconclusive"}, layout.Unclear, "With AES instructions, it is inconclusive which is faster", "哪个更快无法判定"},
		{[2]float64{1.5, 1}, [2]string{"faster", "inconclusive"}, layout.Beware, "the choice depends on the size", "取决于消息长度"},
	} {
		d := &ordinary(test.ratios, test.verdicts).doc
		answer.Add(d, []answer.Question{Question})
		i := slices.IndexFunc(d.Answers, func(a layout.Answer) bool { return strings.Contains(a.Text.EN, test.en) })
		if i < 0 || d.Answers[i].Mark != test.mark || !strings.Contains(d.Answers[i].Text.ZH, test.zh) {
			t.Errorf("%v: no answer %q, %q in:\n%s\n%s", test.verdicts, test.en, test.zh, answertest.Texts(d, layout.English), answertest.Texts(d, layout.Chinese))
		}
		for _, want := range []string{
			"Without AES instructions, choose ChaCha20-Poly1305 (xcrypto): for 64 B sealing is 5.00 times as fast as AES-128-GCM (go) (4.90–5.10), for 1350 B " +
				"6.00 times (5.88–6.12); without AES instructions AES uses table lookups",
			"For SM4, choose SM4-GCM (gmsm)",
			"SM4-GCM (gmsm): for 64 B sealing takes 4.00 times as long as AES-128-GCM (go)",
			"Effect of AES instructions on AES-128-GCM (go): for 64 B sealing is 20.0 times as fast as without AES instructions",
		} {
			if !strings.Contains(answertest.Texts(d, layout.English), want) {
				t.Errorf("no sentence says %q in:\n%s", want, answertest.Texts(d, layout.English))
			}
		}
	}
}

// TestMessagesWithoutInstructions: where the kernels are the same with AES
// instructions and without, nothing is said of the instructions.
func TestMessagesWithoutInstructions(t *testing.T) {
	p := ordinary([2]float64{0.5, 0.5}, [2]string{"slower", "slower"})
	for i := range p.doc.Rows {
		p.doc.Rows[i].Implementation = "generic tables"
	}
	answer.Add(&p.doc, []answer.Question{Question})
	got := answertest.Texts(&p.doc, layout.English)
	if !strings.Contains(got, "No library used AES instructions here") || !strings.Contains(got, "As this program ran, choose ChaCha20-Poly1305") ||
		strings.Contains(got, "With AES instructions, choose") || strings.Contains(got, "Effect of AES instructions") {
		t.Errorf("got:\n%s", got)
	}
}

func TestMessagesCrossovers(t *testing.T) {
	p := ordinary([2]float64{1.5, 1.5}, [2]string{"faster", "faster"})
	find := func(c choice) string {
		for _, r := range p.doc.Rows {
			if r.Library == c.library && r.Mode == c.mode && r.Algorithm == c.algorithm && isWithoutAES(r) == c.withoutAES {
				return r.ID
			}
		}
		return ""
	}
	low, high := 214.0, 1054.0
	evidence := []string{p.doc.Comparisons[0].ID}
	sizes := []int64{16, 64, 4096}
	p.cross(document.Crossover{A: find(aes128), B: find(chacha), Kind: document.Never, Sizes: sizes, Comparisons: evidence})
	p.cross(document.Crossover{A: find(sm4GCMSoft), B: find(sm4CBC), Kind: document.Overtakes, Bytes: &document.Estimate{Median: 559, Low: &low, High: &high},
		Between: []int64{64, 4096}, Sizes: sizes, Comparisons: evidence})
	p.cross(document.Crossover{A: find(aes128Soft), B: find(sm4GCMSoft), Kind: document.Overtakes, Bytes: &document.Estimate{Median: 559},
		Between: []int64{64, 4096}, Sizes: sizes, Comparisons: evidence})
	p.cross(document.Crossover{A: find(aes128), B: find(sm4GCM), Kind: document.Level, Sizes: sizes, Comparisons: evidence})
	p.cross(document.Crossover{A: find(sm4GCM), B: find(sm4CBC), Kind: document.Undecided, Sizes: sizes, Comparisons: evidence})
	answer.Add(&p.doc, []answer.Question{Question})
	for _, want := range []string{
		"Sealing: ChaCha20-Poly1305 (xcrypto) was never faster than AES-128-GCM (go) (measured from 16 B to 4 KiB).",
		"Sealing: below about 559 B SM4-GCM (gmsm, without AES instructions) is faster, above it SM4-CBC+HMAC-SM3 (gmsm) (214–1054 B; interpolated between the measured 64 B and 4 KiB).",
		"Sealing: AES-128-GCM (go, without AES instructions) is faster at 64 B and SM4-GCM (gmsm, without AES instructions) at 4 KiB.",
		"Sealing: SM4-GCM (gmsm) and AES-128-GCM (go) are equally fast at every measured size",
		"Sealing: inconclusive whether SM4-CBC+HMAC-SM3 (gmsm) becomes faster than SM4-GCM (gmsm) between 16 B and 4 KiB.",
	} {
		if !strings.Contains(answertest.Texts(&p.doc, layout.English), want) {
			t.Errorf("no sentence says %q in:\n%s", want, answertest.Texts(&p.doc, layout.English))
		}
	}
	table := slices.IndexFunc(p.doc.Layouts[0].Tables, func(tab layout.Table) bool { return strings.HasPrefix(tab.Title.EN, "Crossovers") })
	if table < 0 || len(p.doc.Layouts[0].Tables[table].Rows) != 5 {
		t.Errorf("the table of crossovers is missing or short")
	}
}

// mixture is a run that replayed a histogram.
func mixture() *packets {
	p := &packets{parameters: "messages=1000,sizes=mix"}
	p.doc.Run = &result.Run{Header: result.Header{Mix: []result.SizeShare{{Bytes: 64, Weight: 6}, {Bytes: 1350, Weight: 4}}}}
	id := map[choice]string{}
	for _, c := range []choice{aes128, aes128Soft, chacha, sm4GCM} {
		id[c] = p.row(c, "encrypt", 580_000, 250_000)
	}
	p.compare(id[chacha], id[aes128], 1.5, "faster")
	return p
}

// TestMessagesOfAMix: times are those of a message, not of a call.
func TestMessagesOfAMixAreSaid(t *testing.T) {
	d := &mixture().doc
	answer.Add(d, []answer.Question{Question})
	for _, want := range []string{
		"With AES instructions, choose AES-128-GCM (go): for your mix of messages sealing is 1.50 times as fast",
		"On your mix of sizes (580 B on average), sealing one message with AES-128-GCM (go) takes 250 ns (248–252 ns), and 1 GB 431 ms (427–435 ms).",
	} {
		if !strings.Contains(answertest.Texts(d, layout.English), want) {
			t.Errorf("no sentence says %q in:\n%s", want, answertest.Texts(d, layout.English))
		}
	}
	l := d.Layouts[0]
	mix := l.Tables[0]
	if cells := mix.Rows[0].Cells; cells[3].Text.EN != "250 ns" || cells[4].Text.EN != "431 ms" || cells[5].Text.EN != "2.32 GB/s" {
		t.Errorf("the mix's table begins with %+v", cells)
	}
	if !strings.Contains(mix.Caption.EN, "1000 messages") || !strings.Contains(mix.Caption.EN, "580 B on average, the histogram's mean is 578 B") {
		t.Errorf("the caption is %q", mix.Caption.EN)
	}
}

func TestMessagesLayoutHolds(t *testing.T) {
	for _, p := range []*packets{ordinary([2]float64{1.5, 1}, [2]string{"faster", "same"}), mixture()} {
		d := &p.doc
		answer.Add(d, []answer.Question{Question})
		answertest.CheckLayout(t, d)
		l := d.Layouts[0]
		short := 0
		for _, a := range l.Answers {
			if a.Short {
				short++
			}
		}
		if short < 1 || short > 4 {
			t.Errorf("%d answers are for the quick screen", short)
		}
	}
}

// TestKernelsWithoutAESInstructionsAreOneLine: where turning AES instructions off
// leaves the kernel as it was, the tables have one line, which says that there is
// nothing to turn off.
func TestKernelsWithoutAESInstructionsAreOneLine(t *testing.T) {
	p := ordinary([2]float64{1.5, 1.8}, [2]string{"faster", "faster"})
	soft := sm4CBC
	soft.withoutAES = true
	for _, n := range []int64{64, 1350} {
		p.row(soft, "encrypt", n, 150+float64(n))
		p.doc.Rows[len(p.doc.Rows)-1].Implementation = "fast" // as its twin
	}
	answer.Add(&p.doc, []answer.Question{Question})
	for _, tab := range append(slices.Clone(p.doc.Layouts[0].Headline), p.doc.Layouts[0].Tables...) {
		got := map[string][]string{}
		for _, r := range tab.Rows {
			got[r.Cells[0].Text.EN] = append(got[r.Cells[0].Text.EN], r.Cells[2].Text.EN)
		}
		if len(tab.Columns) < 3 || tab.Columns[2].Title.EN != "AES instr." {
			continue
		}
		if !slices.Equal(got["SM4-CBC+HMAC-SM3"], []string{"–"}) || !slices.Equal(got["SM4-GCM"], []string{"yes", "no"}) {
			t.Errorf("%s: %v", tab.Title.EN, got)
		}
	}
}

// TestNonces: a drawn nonce is told as a share of drawing and sealing, by what both intervals allow.
func TestNonces(t *testing.T) {
	p := ordinary([2]float64{1.5, 1.5}, [2]string{"faster", "faster"})
	nonce := choice{"go", nonceDrawn.Algorithm, nonceDrawn.Mode, false}
	p.row(nonce, nonceDrawn.Operation, 12, 164)
	answer.Add(&p.doc, []answer.Question{Question})
	answertest.CheckLayout(t, &p.doc)
	for _, want := range []string{"A random nonce for each message (go) takes 164 ns.", "to generate it and to seal with AES-128-GCM: 50 % (49–50 %) at 64 B, 10 % (10–10 %) at 1350 B."} {
		if !strings.Contains(answertest.Texts(&p.doc, layout.English), want) {
			t.Errorf("no sentence says %q in:\n%s", want, answertest.Texts(&p.doc, layout.English))
		}
	}
	if zh := answertest.Texts(&p.doc, layout.Chinese); !strings.Contains(zh, "每条消息生成一个随机 nonce（go）需 164 ns") {
		t.Errorf("得到：\n%s", zh)
	}
	if tables := p.doc.Layouts[0].Tables; !slices.ContainsFunc(tables, func(t layout.Table) bool { return strings.HasPrefix(t.Title.EN, "A random nonce") && len(t.Rows) == 1 }) {
		t.Error("there is no table of nonces")
	}
	for i := range p.doc.Rows { // without intervals nothing is said
		p.doc.Rows[i].NsPerOp.Low = nil
	}
	p.doc.Layouts, p.doc.Answers = nil, nil
	answer.Add(&p.doc, []answer.Question{Question})
	if got := answertest.Texts(&p.doc, layout.English); strings.Contains(got, "A random nonce") {
		t.Errorf("without an interval: %s", got)
	}
}
