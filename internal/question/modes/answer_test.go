package modes

import (
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// usual is what a run on a common machine shows.
func usual() *answertest.Sheet {
	s := &answertest.Sheet{}
	for _, lib := range []string{"gmsm", "tjfoc"} {
		id := map[string]string{}
		for _, m := range []string{"ECB", "CBC", "GCM", "CBC+HMAC-SM3"} {
			for _, op := range []string{"encrypt", "decrypt"} {
				id[m+op] = s.Row(lib, m, op, 1e8)
			}
		}
		s.Compare(id["CBCencrypt"], id["ECBencrypt"], 12.41, 12.1, 12.9, "faster")
		s.Compare(id["CBCdecrypt"], id["ECBdecrypt"], 1.001, 0.996, 1.004, "same")
		s.Compare(id["CBC+HMAC-SM3encrypt"], id["GCMencrypt"], 5.1, 5.0, 5.2, "faster")
		s.Compare(id["CBC+HMAC-SM3decrypt"], id["GCMdecrypt"], 2.7, 2.6, 2.8, "faster")
		s.Compare(id["CBCencrypt"], id["CBCdecrypt"], 1.02, 0.99, 1.06, "inconclusive")
	}
	return s
}

func TestSentencesSayWhatTheComparisonsSay(t *testing.T) {
	d := &usual().Doc
	answer.Add(d, []answer.Question{Question})
	for _, want := range []string{
		"gmsm, encryption of 16 KiB: SM4-ECB is 12.4 times as fast as CBC (12.1–12.9); ECB computes blocks in parallel",
		"gmsm, decryption of 16 KiB: SM4-ECB is as fast as CBC (within 0.5 %)",
		"Use SM4-GCM (gmsm) for encryption of 16 KiB: 5.10 times as fast (5.00–5.20) as SM4-CBC+HMAC-SM3 (gmsm); a nonce must never repeat under one key.",
		"decryption is not shown to be faster or slower than encryption (0.990–1.060 times as fast, inconclusive)",
	} {
		if !strings.Contains(answertest.Texts(d, layout.English), want) {
			t.Errorf("no sentence says %q in:\n%s", want, answertest.Texts(d, layout.English))
		}
	}
	for _, want := range []string{"gmsm，加密 16 KiB：SM4-ECB 的速度是 CBC 的 12.4 倍（12.1–12.9）", "与 CBC 一样快", "快慢无法判定", "请用 gmsm 的 SM4-GCM：速度是 gmsm SM4-CBC+HMAC-SM3 的 5.10 倍（5.00–5.20）"} {
		if !strings.Contains(answertest.Texts(d, layout.Chinese), want) {
			t.Errorf("没有一句写着 %q：\n%s", want, answertest.Texts(d, layout.Chinese))
		}
	}
}

// TestECBOrCBC: who names the two has the answer first, and that ECB gives something away with it.
func TestECBOrCBC(t *testing.T) {
	for modes, first := range map[string]bool{"ecb,CBC,GCM": true, "CBC,GCM": false} {
		d := &usual().Doc
		d.Command = []string{"run", "modes", "--modes", modes}
		answer.Add(d, []answer.Question{Question})
		got := d.Layouts[0].Answers[1].Text // behind the caution of a run that did not count equal blocks
		if strings.HasPrefix(got.EN, "ECB or CBC (gmsm, SM4, 16 KiB): ECB encryption is 12.4 times as fast as CBC (12.1–12.9), elsewhere 12.4 (tjfoc); decryption is as fast as CBC") != first ||
			strings.HasPrefix(got.ZH, "ECB 还是 CBC（gmsm，SM4，16 KiB）：ECB 加密的速度是 CBC 的 12.4 倍（12.1–12.9），在别的库中为 12.4（tjfoc）；解密与 CBC 一样快") != first {
			t.Errorf("%s: %q, %q", modes, got.EN, got.ZH)
		}
	}
}

// TestBrought: what a worker of the user's brings stands on the first screen, beside a built-in library.
func TestBrought(t *testing.T) {
	s := usual()
	id := s.Row("pycryptography", "CFB", "encrypt", 1e7)
	answer.Add(&s.Doc, []answer.Question{Question})
	table := s.Doc.Layouts[0].Headline[0]
	if len(table.Rows) != 1 || table.Rows[0].RowID != id || table.Title.EN != "Operations of your workers" {
		t.Errorf("%+v", table)
	}
	d := &usual().Doc
	answer.Add(d, []answer.Question{Question})
	if title := d.Layouts[0].Headline[0].Title.EN; title == table.Title.EN {
		t.Errorf("%q, and nobody named a worker", title)
	}
}

// TestLayoutHolds: see checkLayout.
func TestLayoutHolds(t *testing.T) {
	d := &usual().Doc
	answer.Add(d, []answer.Question{Question})
	answertest.CheckLayout(t, d)
}

// TestNoSentenceWithoutAnInterval: point estimates make no answer, and what is weak is said all the same.
func TestNoSentenceWithoutAnInterval(t *testing.T) {
	s := usual()
	for i := range s.Doc.Comparisons {
		c := &s.Doc.Comparisons[i]
		c.Low, c.High, c.Level, c.Blocks = nil, nil, 0, 4
	}
	answer.Add(&s.Doc, []answer.Question{Question})
	if len(s.Doc.Answers) != 2 || s.Doc.Answers[0].Mark != layout.Unclear || !strings.HasPrefix(s.Doc.Answers[1].Text.EN, "ECB reveals") ||
		!strings.Contains(s.Doc.Answers[0].Text.EN, "Each comparison has 4 blocks (worker restarts); a verdict takes at least 8.") {
		t.Errorf("answers: %s", answertest.Texts(&s.Doc, layout.English))
	}
}

func TestIncorrectIsNamedOnce(t *testing.T) {
	s := &answertest.Sheet{}
	for _, op := range []string{"init+encrypt", "init+decrypt"} {
		s.Row("tjfoc", "GCM", op, 1)
		r := s.Doc.Rows[len(s.Doc.Rows)-1]
		r.Status, r.Implementation, r.BytesPerSecond = result.Incorrect, "helpers", nil
		r.Reason = "the tag is wrong from byte 16 of the output on (tag byte 0); the body is right, and " +
			"tampered text was opened without an error: one bit of the tag flipped, in byte 16"
	}
	s.Row("gmsm", "GCM", "encrypt", 1e9)
	answer.Add(&s.Doc, []answer.Question{Question})
	got := answertest.Texts(&s.Doc, layout.English)
	if strings.Count(got, "Do not use Sm4GCM of tjfoc v1 (its GCM in one call), whose output is wrong: it computes a wrong tag and it decrypts tampered ciphertext without an error.") != 1 {
		t.Errorf("got:\n%s", got)
	}
	if zh := answertest.Texts(&s.Doc, layout.Chinese); !strings.Contains(zh, "算错认证标签") || strings.Contains(zh, "tag is wrong") {
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
		{1.032, 1.02, 1.045, "faster", "is 3.2 % faster than X (2.0–4.5 %)", "比 X 快 3.2%（2.0–4.5%）"},
		{0.968, 0.955, 0.98, "slower", "is 3.2 % slower than X (2.0–4.5 %)", "比 X 慢 3.2%（2.0–4.5%）"},
		{1, 0.998, 1.002, "same", "is as fast as X (within 0.5 %)", "与 X 一样快（差异在 0.5% 以内）"},
		{1.01, 0.98, 1.04, "inconclusive", "is not shown to be faster or slower than X (0.980–1.040 times as fast, inconclusive)", "与 X 相比快慢无法判定（速度比 0.980–1.040）"},
		{0.83, 0.7, 0.99, "inconclusive", "is not shown to be faster or slower than X (0.70–0.990 times as fast, too few blocks for a verdict)",
			"与 X 相比快慢无法判定（速度比 0.70–0.990，数据组太少，不足以判定）"},
		{0.0125, 0.01, 0.02, "inconclusive", "takes about 80.0 times as long as X (50.0–100, too few blocks for a verdict)",
			"耗时约是 X 的 80.0 倍（50.0–100，数据组太少，不足以判定）"},
		{1.3, 1.2, 1.5, "inconclusive", "is about 1.30 times as fast as X (1.20–1.50, too few blocks for a verdict)",
			"的速度约是 X 的 1.30 倍（1.20–1.50，数据组太少，不足以判定）"},
	} {
		c := &document.Comparison{Ratio: tt.ratio, Low: &tt.low, High: &tt.high, Verdict: tt.verdict}
		if got := answer.Versus(c, layout.Same("X")); got.EN != tt.en || got.ZH != tt.zh {
			t.Errorf("%g: %q, %q", tt.ratio, got.EN, got.ZH)
		}
	}
}

// TestChineseIsChinese: no text of the layout is left in English by oversight, and
// none has spaces between Chinese characters.
func TestChineseIsChinese(t *testing.T) {
	d := &usual().Doc
	answer.Add(d, []answer.Question{Question})
	answertest.CheckChinese(t, d)
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
	for _, m := range []string{"ECB", "CBC", "CFB", "OFB", "CTR", "GCM", "CCM", "CBC+HMAC", "ChaCha20-Poly1305"} {
		if !known[m] {
			t.Errorf("no properties of %s", m)
		}
	}
}

// TestTablesLineUp: every row has a cell for every column.
func TestTablesLineUp(t *testing.T) {
	d := &usual().Doc
	answer.Add(d, []answer.Question{Question})
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

// TestNewIsLast: the engine stands behind a kernel of an established library that appears after it, and is marked.
func TestNewIsLast(t *testing.T) {
	s := &answertest.Sheet{}
	for _, r := range [][2]string{{"go", "CBC"}, {"cryptogauge", "CBC"}, {"botan", "CTR"}, {"cryptogauge", "CTR"}} {
		s.Row(r[0], r[1], "encrypt", 1e9)
		row := s.Doc.Rows[len(s.Doc.Rows)-1]
		row.Algorithm, row.ID = "AES-128", "modes/AES-128/"+r[0]+"/"+r[1]
	}
	answer.Add(&s.Doc, []answer.Question{Question})
	tables := 0
	for _, l := range s.Doc.Layouts {
		for _, tab := range append(slices.Clone(l.Tables), l.Headline...) {
			if !strings.HasPrefix(tab.Title.EN, "Other ciphers") {
				continue
			}
			tables++
			var libraries []string
			for _, r := range tab.Rows {
				libraries = append(libraries, r.Cells[1].Text.EN)
				if r.Cells[1].New != (r.Cells[1].Text.EN == "cryptogauge") {
					t.Errorf("%s is marked as new, %v", r.Cells[1].Text.EN, r.Cells[1].New)
				}
			}
			if want := []string{"go", "botan", "cryptogauge", "cryptogauge"}; !slices.Equal(libraries, want) {
				t.Errorf("the table lists %v, want %v", libraries, want)
			}
		}
	}
	if tables == 0 {
		t.Error("no table of other ciphers")
	}
}

// TestTitleNamesWhatWasMeasured: a cipher that was not measured is not in the title.
func TestTitleNamesWhatWasMeasured(t *testing.T) {
	d := &usual().Doc
	aes := slices.ContainsFunc(d.Rows, func(r *document.Row) bool { return strings.HasPrefix(r.Algorithm, "AES") })
	answer.Add(d, []answer.Question{Question})
	if title := d.Layouts[0].Title.EN; strings.Contains(title, "AES") != aes || !strings.HasPrefix(title, "Modes of operation: SM4") {
		t.Error(title)
	}
}
