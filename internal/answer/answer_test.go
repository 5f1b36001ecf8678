package answer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/result"
)

// sheet builds documents by hand, as Build would.
type sheet struct{ doc document.Document }

func (s *sheet) row(library, mode, operation string, rate float64) string {
	r := document.Row{ID: fmt.Sprintf("modes/SM4-%s/%s/%s", mode, operation, library), Experiment: "modes", Algorithm: "SM4",
		Mode: mode, Operation: operation, Bytes: 16384, Library: library, Version: "v1", Status: result.OK,
		ConstantTime: result.ConstantTime{Value: "yes", Basis: "instructions"}, BytesPerSecond: &rate}
	s.doc.Rows = append(s.doc.Rows, r)
	return r.ID
}

func (s *sheet) compare(base, other string, ratio, low, high float64, verdict string) {
	s.doc.Comparisons = append(s.doc.Comparisons, document.Comparison{ID: base + " ~ " + other, Base: base, Other: other,
		Ratio: ratio, Low: &low, High: &high, Verdict: verdict, Headline: true, Level: 0.9995, Blocks: 17})
}

// usual is what a run on a common machine shows.
func usual() *sheet {
	s := &sheet{}
	for _, lib := range []string{"gmsm", "tjfoc"} {
		id := map[string]string{}
		for _, m := range []string{"ECB", "CBC", "GCM", "CBC+HMAC-SM3"} {
			for _, op := range []string{"encrypt", "decrypt"} {
				id[m+op] = s.row(lib, m, op, 1e8)
			}
		}
		s.compare(id["CBCencrypt"], id["ECBencrypt"], 12.41, 12.1, 12.9, "faster")
		s.compare(id["CBCdecrypt"], id["ECBdecrypt"], 1.001, 0.996, 1.004, "same")
		s.compare(id["CBC+HMAC-SM3encrypt"], id["GCMencrypt"], 5.1, 5.0, 5.2, "faster")
		s.compare(id["CBC+HMAC-SM3decrypt"], id["GCMdecrypt"], 2.7, 2.6, 2.8, "faster")
		s.compare(id["CBCencrypt"], id["CBCdecrypt"], 1.02, 0.99, 1.06, "inconclusive")
	}
	return s
}

func texts(d *document.Document, l layout.Lang) string {
	var all []string
	for _, a := range d.Answers {
		all = append(all, a.Text.In(l))
	}
	return strings.Join(all, "\n")
}

func TestSentencesSayWhatTheComparisonsSay(t *testing.T) {
	d := &usual().doc
	Add(d)
	for _, want := range []string{
		"gmsm, encryption of 16 KiB: SM4-ECB is 12.4 times as fast as CBC (12.1–12.9); ECB computes blocks in parallel",
		"gmsm, decryption of 16 KiB: SM4-ECB is as fast as CBC (within 0.5 %)",
		"Use SM4-GCM of gmsm instead of ECB",
		"GCM encryption is 5.10 times as fast as CBC+HMAC-SM3 (5.00–5.20), GCM decryption is 2.70 times",
		"decryption is not shown to be faster or slower than encryption (0.990–1.060 times as fast, inconclusive)",
	} {
		if !strings.Contains(texts(d, layout.English), want) {
			t.Errorf("no sentence says %q in:\n%s", want, texts(d, layout.English))
		}
	}
	for _, want := range []string{"gmsm，加密 16 KiB：SM4-ECB 的速度是 CBC 的 12.4 倍（12.1–12.9）", "与 CBC 一样快", "快慢无法判定", "请用 gmsm 的 SM4-GCM 代替 ECB"} {
		if !strings.Contains(texts(d, layout.Chinese), want) {
			t.Errorf("没有一句写着 %q：\n%s", want, texts(d, layout.Chinese))
		}
	}
}

// TestLayoutHolds: see checkLayout.
func TestLayoutHolds(t *testing.T) {
	d := &usual().doc
	Add(d)
	checkLayout(t, d)
}

// checkLayout demands what holds of every experiment: sentences rest on rows or
// comparisons that are in the document, rows have a cell for every column, and every
// text is in both languages.
func checkLayout(t *testing.T, d *document.Document) {
	t.Helper()
	checkChinese(t, d)
	checkWidth(t, d)
	known := map[string]bool{}
	for _, r := range d.Rows {
		known[r.ID] = true
	}
	for _, c := range d.Comparisons {
		known[c.ID] = true
	}
	for _, a := range d.Answers {
		if len(a.Evidence) == 0 {
			t.Errorf("no evidence: %s", a.Text.EN)
		}
		for _, e := range a.Evidence {
			if !known[e] {
				t.Errorf("%q rests on %q, which is not there", a.Text.EN, e)
			}
		}
		if strings.Contains(a.Text.EN+a.Text.ZH, "%!") {
			t.Errorf("%q, %q", a.Text.EN, a.Text.ZH)
		}
	}
	for _, l := range d.Layouts {
		for _, tab := range append(slices.Clone(l.Headline), l.Tables...) {
			for i, r := range tab.Rows {
				if len(r.Cells) != len(tab.Columns) {
					t.Errorf("%s: row %d has %d cells for %d columns", tab.Title.EN, i, len(r.Cells), len(tab.Columns))
				}
			}
		}
	}
}

// checkWidth demands that no line of a report is wider than its terminal, in columns.
func checkWidth(t *testing.T, d *document.Document) {
	t.Helper()
	for _, columns := range []int{40, 60, 80, 100} {
		for _, options := range []render.Options{{Lang: layout.English}, {Lang: layout.Chinese}, {Lang: layout.English, Quick: true}, {Lang: layout.Chinese, Quick: true}} {
			options.Width = columns
			var out strings.Builder
			if err := render.WriteText(&out, []*document.Document{d}, options); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(out.String()) {
				if w := columnsOf(strings.TrimSuffix(line, "\n")); w > columns {
					t.Errorf("%s, %d columns: %d: %s", options.Lang, columns, w, line)
				}
			}
		}
	}
}

// columnsOf counts the columns of a line: two for Chinese and its punctuation.
func columnsOf(line string) (n int) {
	for _, r := range line {
		n++
		if unicode.Is(unicode.Han, r) || '\u3000' <= r && r <= '\u303f' || '\uff01' <= r && r <= '\uff60' {
			n++
		}
	}
	return n
}

// TestNoSentenceWithoutAnInterval: point estimates make no answer.
func TestNoSentenceWithoutAnInterval(t *testing.T) {
	s := usual()
	for i := range s.doc.Comparisons {
		s.doc.Comparisons[i].Low, s.doc.Comparisons[i].High, s.doc.Comparisons[i].Blocks = nil, nil, 5
	}
	Add(&s.doc)
	if len(s.doc.Answers) != 1 || s.doc.Answers[0].Mark != layout.Unclear ||
		!strings.Contains(s.doc.Answers[0].Text.EN, "Each comparison has 5 blocks (worker restarts); for 10 headline comparisons, judged together at 99 %, it takes at least 12.") {
		t.Errorf("answers: %s", texts(&s.doc, layout.English))
	}
}

// TestOneBlockIsSaid: a run that was cut short in its first block says so, whatever
// its experiment, and names flags that the experiment takes.
func TestOneBlockIsSaid(t *testing.T) {
	s := &sheet{}
	for i := range 3 {
		s.doc.Rows = append(s.doc.Rows, document.Row{ID: fmt.Sprint("streaming/", i), Experiment: "streaming", Library: "go", Algorithm: "AES-256", Mode: "GCM",
			Operation: "stream", Parameters: "chunk=4096,io=memory", Status: result.Unstable, Blocks: i % 2})
	}
	Add(&s.doc)
	if len(s.doc.Answers) != 1 || s.doc.Answers[0].Text.EN != "No numbers. "+
		"Run longer (raise --budget or --blocks if you set one), or measure less with --algorithms, --chunks or --libraries. "+
		"The rows have at most 1 block (worker restarts); an interval takes at least 8." {
		t.Errorf("answers: %s", texts(&s.doc, layout.English))
	}
	s.doc.Answers, s.doc.Layouts = nil, nil
	s.doc.Rows = append(s.doc.Rows, document.Row{ID: "scenario", Experiment: "streaming", Library: "go", Algorithm: "AES-256", Mode: "GCM",
		Operation: "stream", Parameters: "chunk=4096,io=memory", Status: result.OK, Loop: "scenario", Blocks: 1})
	Add(&s.doc)
	if len(s.doc.Answers) != 1 || !strings.HasPrefix(s.doc.Answers[0].Text.EN, "No verdicts. ") ||
		!strings.HasSuffix(s.doc.Answers[0].Text.EN, " The rows have at most 1 block (worker restarts); an interval takes at least 8.") {
		t.Errorf("beside a scenario: %s", texts(&s.doc, layout.English))
	}
}

func TestIncorrectIsNamedOnce(t *testing.T) {
	s := &sheet{}
	for _, op := range []string{"init+encrypt", "init+decrypt"} {
		s.row("tjfoc", "GCM", op, 1)
		r := &s.doc.Rows[len(s.doc.Rows)-1]
		r.Status, r.Implementation, r.BytesPerSecond = result.Incorrect, "helpers", nil
		r.Reason = "the tag is wrong from byte 16 on, and tampered text was opened without an error"
	}
	s.row("gmsm", "GCM", "encrypt", 1e9)
	Add(&s.doc)
	got := texts(&s.doc, layout.English)
	if strings.Count(got, "Do not use SM4-GCM of tjfoc v1 (helpers), whose output is wrong: it computes a wrong tag, it decrypts tampered ciphertext without an error.") != 1 {
		t.Errorf("got:\n%s", got)
	}
	if zh := texts(&s.doc, layout.Chinese); !strings.Contains(zh, "算错认证标签") || strings.Contains(zh, "tag is wrong") {
		t.Errorf("得到：\n%s", zh)
	}
}

func TestVersus(t *testing.T) {
	for _, tt := range []struct {
		ratio, low, high float64
		verdict, en, zh  string
	}{
		{12.41, 12.1, 12.9, "faster", "is 12.4 times as fast as X (12.1–12.9)", "的速度是 X 的 12.4 倍（12.1–12.9）"},
		{0.06, 0.05, 0.0625, "slower", "takes 16.7 times as long as X (16.0–20.0)", "耗时是 X 的 16.7 倍（16.0–20.0）"},
		{1.032, 1.02, 1.045, "faster", "is 3.2 % faster than X (2.0–4.5 %)", "比 X 快 3.2 %（2.0–4.5 %）"},
		{0.968, 0.955, 0.98, "slower", "is 3.2 % slower than X (2.0–4.5 %)", "比 X 慢 3.2 %（2.0–4.5 %）"},
		{1, 0.998, 1.002, "same", "is as fast as X (within 0.5 %)", "与 X 一样快（差异在 0.5 % 以内）"},
		{1.01, 0.98, 1.04, "inconclusive", "is not shown to be faster or slower than X (0.980–1.040 times as fast, inconclusive)", "与 X 相比快慢无法判定（速度比 0.980–1.040）"},
	} {
		c := &document.Comparison{Ratio: tt.ratio, Low: &tt.low, High: &tt.high, Verdict: tt.verdict}
		if got := versus(c, layout.Same("X")); got.EN != tt.en || got.ZH != tt.zh {
			t.Errorf("%g: %q, %q", tt.ratio, got.EN, got.ZH)
		}
	}
}

// TestChineseIsChinese: no text of the layout is left in English by oversight, and
// none has spaces between Chinese characters.
func TestChineseIsChinese(t *testing.T) {
	d := &usual().doc
	Add(d)
	checkChinese(t, d)
}

// betweenHan finds a space that stands between two Chinese characters.
var betweenHan = regexp.MustCompile(`(\p{Han}|[，。：；（）、]) +(\p{Han}|[，。：；（）、])`)

func checkChinese(t *testing.T, d *document.Document) {
	t.Helper()
	hasHan := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	}
	for _, l := range d.Layouts {
		all := []layout.Text{l.Title, l.Question}
		for _, tab := range append(slices.Clone(l.Tables), l.Headline...) {
			all = append(all, tab.Title, tab.Caption)
		}
		for _, c := range l.Charts {
			all = append(all, c.Title, c.Caption)
		}
		for _, a := range l.Answers {
			all = append(all, a.Text)
		}
		for _, text := range all {
			if text == (layout.Text{}) { // a table without a caption
				continue
			}
			if !hasHan(text.ZH) || hasHan(text.EN) {
				t.Errorf("EN %q, ZH %q", text.EN, text.ZH)
			}
			if betweenHan.MatchString(text.ZH) {
				t.Errorf("a space stands between Chinese characters: %q", text.ZH)
			}
		}
	}
}

// TestModeTableIsComplete: each mode that is measured has its properties.
func TestModeTableIsComplete(t *testing.T) {
	known := map[string]bool{}
	for _, p := range properties {
		known[p.mode] = true
		for _, text := range []layout.Text{p.errors, p.integrity, p.iv, p.use} {
			if text.EN == "" || text.ZH == "" {
				t.Errorf("%s: a property is missing in a language", p.mode)
			}
		}
	}
	for _, m := range []string{"ECB", "CBC", "CFB", "OFB", "CTR", "GCM", "CBC+HMAC", "ChaCha20-Poly1305"} {
		if !known[m] {
			t.Errorf("no properties of %s", m)
		}
	}
}

// TestTablesLineUp: every row has a cell for every column.
func TestTablesLineUp(t *testing.T) {
	d := &usual().doc
	Add(d)
	for _, l := range d.Layouts {
		for _, tab := range append(slices.Clone(l.Tables), l.Headline...) {
			for i, r := range tab.Rows {
				if len(r.Cells) != len(tab.Columns) {
					t.Errorf("%s: row %d has %d cells for %d columns", tab.Title.EN, i, len(r.Cells), len(tab.Columns))
				}
			}
		}
	}
}
