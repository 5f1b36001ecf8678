package rsa

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// usualRSA is what a run of rsa on a common machine shows.
func usualRSA() *answertest.Sheet {
	s := &answertest.Sheet{}
	lengths := map[string]float64{"RSA-1024": 0.3e6, "RSA-2048": 1e6, "RSA-3072": 2.8e6, "RSA-4096": 6e6}
	for _, a := range []string{"RSA-1024", "RSA-2048", "RSA-3072", "RSA-4096"} {
		ns := lengths[a]
		sign := s.Time("rsa", "go", a, algorithm.PSS, "sign", "", ns)
		verify := s.Time("rsa", "go", a, algorithm.PSS, "verify", "", ns/32)
		s.Times(sign, verify, 32)
		bare := s.Time("rsa", "go", a, algorithm.PSS, "sign", "crt=no", 2.8*ns)
		s.Times(bare, sign, 2.8)
		if a != "RSA-2048" {
			s.Times("rsa/RSA-2048/"+algorithm.PSS+"/sign//go", sign, 1e6/ns)
			continue
		}
		oaepEncrypt, oaepDecrypt := s.Time("rsa", "go", a, algorithm.OAEP, "encrypt", "", 31e3), s.Time("rsa", "go", a, algorithm.OAEP, "decrypt", "", 1e6)
		s.Times(oaepDecrypt, oaepEncrypt, 32)
		s.Compare(s.Time("rsa", "go", a, algorithm.PKCS1v15, "encrypt", "", 31e3), oaepEncrypt, 1.001, 0.997, 1.004, "same")
		s.Compare(s.Time("rsa", "go", a, algorithm.PKCS1v15, "decrypt", "", 1e6), oaepDecrypt, 1.001, 0.997, 1.004, "same")
	}
	generate := s.Time("rsa", "go", "RSA-2048", "", "generate", "draws=6", 54e6)
	p95 := 166e6
	s.Doc.Distributions = append(s.Doc.Distributions, document.Distribution{RowID: generate, Unit: "ns", P50: 54e6, P90: 137e6, P95: &p95, Max: 316e6, Count: 90, Mean: 66e6})
	s.Doc.Fits = append(s.Doc.Fits, document.Fit{RowIDs: []string{"rsa/RSA-2048/" + algorithm.PSS + "/sign//go"}, Model: document.ModelPower, OK: true, RMS: 0.02,
		Terms: map[string]float64{"exponent": 2.85, "exponent_low": 2.8, "exponent_high": 2.9, "factor_ns": 1}})
	return s
}

func TestRSASentences(t *testing.T) {
	s := usualRSA()
	answer.Add(&s.Doc, []answer.Question{Question})
	answertest.Says(t, &s.Doc, layout.English,
		"at 2048 bits signing takes 32.0 (31.7–32.3) times as long as verifying, and decrypting takes 32.0 (31.7–32.3) times as long as encrypting; one CPU makes 1000 signatures per second.",
		"If it must be RSA, use RSA-2048 PSS (go) for signing: ",
		"A longer key takes longer (times as long as at 2048 bits): signing 2.80 (2.77–2.83) at 3072 bits, 6.00 (5.94–6.06) at 4096 bits; doubling",
		"doubling the length makes signing ×7.21 (the fitted exponent is 2.85, 2.80–2.90); verifying and generating a key: measured at 2048 bits alone",
		"Encrypt with OAEP", "Speed of OAEP over v1.5 at 2048 bits: encryption 1.001 times (0.997–1.004, same), ",
		"Of 90 keys of 2048 bits, generating one took 54.0 ms (p50), 137 ms (p90), 166 ms (p95), and 316 ms at most: make keys ahead of need. "+
			"The time is random: plan by the tail, not by the mean (66.0 ms).",
		"signing without the primes (no CRT) takes 2.80 (2.77–2.83) times as long", "Do not use 1024-bit keys")
	answertest.Says(t, &s.Doc, layout.Chinese, "2048 比特时签名耗时是验签的 32.0 倍（31.7–32.3）", "拟合指数 2.85，2.80–2.90", "p95 为 166 ms", "不要使用 1024 比特密钥")
}

// TestRSAKeepsQuiet: what is not decided, or drawn too seldom, is not said.
func TestRSAKeepsQuiet(t *testing.T) {
	s := usualRSA()
	for i := range s.Doc.Comparisons {
		s.Doc.Comparisons[i].Verdict = "inconclusive"
	}
	s.Doc.Distributions[0].Count = 30
	answer.Add(&s.Doc, []answer.Question{Question})
	for _, never := range []string{"times as long as verifying", "doubling", "p95", "takes 2.80"} {
		if strings.Contains(answertest.Texts(&s.Doc, layout.English), never) {
			t.Errorf("%q is said:\n%s", never, answertest.Texts(&s.Doc, layout.English))
		}
	}
	answertest.Says(t, &s.Doc, layout.English, "encryption 1.001 times (0.997–1.004, inconclusive)")
}

// TestRSAGrows: what was measured at every length is told of every length, and that no power law holds.
func TestRSAGrows(t *testing.T) {
	s := usualRSA()
	for i, a := range []string{"RSA-3072", "RSA-4096"} {
		ratio := float64(i + 2)
		s.Times("rsa/RSA-2048/"+algorithm.PSS+"/verify//go", "rsa/"+a+"/"+algorithm.PSS+"/verify//go", 1/ratio)
		row := s.Time("rsa", "go", a, "", "generate", "draws=6", 54e6*ratio)
		s.Doc.Distributions = append(s.Doc.Distributions, document.Distribution{RowID: row, Unit: "ns", P50: 54e6 * ratio, Count: 90})
	}
	s.Doc.Fits[0].OK, s.Doc.Fits[0].RMS = false, 0.3
	answer.Add(&s.Doc, []answer.Question{Question})
	answertest.Says(t, &s.Doc, layout.English, "verifying 2.00 (1.98–2.02) at 3072 bits, 3.00 (2.97–3.03) at 4096 bits; "+
		"generating a key (p50) about 2.00 at 3072 bits, about 3.00 at 4096 bits; no one exponent describes the growth of signing: a power law misses by 30 %.")
	answertest.Says(t, &s.Doc, layout.Chinese, "验签 3072 比特时 2.00 倍（1.98–2.02）", "生成密钥（p50） 3072 比特时约 2.00 倍")
	if strings.Contains(answertest.Texts(&s.Doc, layout.English), "measured at 2048 bits alone") {
		t.Error("what was measured at every length is said to be of one")
	}
}

// TestRSALayout: see checkKeyPairLayout.
func TestRSALayout(t *testing.T) {
	s := usualRSA()
	answer.Add(&s.Doc, []answer.Question{Question})
	answertest.CheckKeyPairLayout(t, &s.Doc)
}

// TestRSAEveryLibraryAndLength: the small table has a line for each library that was measured, and says why a cell of it is
// empty; the advice does not weigh what is forbidden before what is not.
func TestRSAEveryLibraryAndLength(t *testing.T) {
	s := usualRSA()
	s.Time("rsa", "openssl", "RSA-2048", algorithm.PSS, "sign", "", 0.6e6)
	answer.Add(&s.Doc, []answer.Question{Question})
	l, libraries := s.Doc.Layouts[0], 0
	for _, row := range l.Headline[0].Rows {
		if row.Cells[1].Text.EN == "openssl" {
			libraries++
		}
		for _, c := range row.Cells[2:] {
			if c.Text.EN == "–" && (len(c.Footnotes) != 1 || !strings.Contains(c.Footnotes[0].EN, "cryptogauge run rsa")) {
				t.Errorf("%s %s: nothing says why it is empty: %+v", row.Cells[0].Text.EN, row.Cells[1].Text.EN, c)
			}
		}
	}
	if libraries != 1 {
		t.Errorf("%d lines of openssl", libraries)
	}
	if text := l.Answers[0].Text.EN; strings.Contains(text, "RSA-1024") && strings.Index(text, "RSA-1024") < strings.Index(text, "RSA-3072") {
		t.Errorf("what is forbidden is weighed first: %s", text)
	}
}
