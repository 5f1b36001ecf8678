package answer

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// time adds a row that has a time and no rate.
func (s *sheet) time(experiment, library, algorithm, mode, operation, parameters string, ns float64) string {
	low, high := ns*0.99, ns*1.01
	r := document.Row{ID: strings.Join([]string{experiment, algorithm, mode, operation, parameters, library}, "/"), Experiment: experiment,
		Algorithm: algorithm, Mode: mode, Operation: operation, Parameters: parameters, Library: library, Version: "v1", Status: result.OK,
		ConstantTime: result.ConstantTime{Value: "yes", Basis: "arithmetic"}, NsPerOp: &document.Estimate{Median: ns, Low: &low, High: &high}}
	s.doc.Rows = append(s.doc.Rows, r)
	return r.ID
}

// times adds a comparison whose interval is 2 % wide.
func (s *sheet) times(base, other string, ratio float64) {
	verdict := "faster"
	if ratio < 1 {
		verdict = "slower"
	}
	s.compare(base, other, ratio, ratio*0.99, ratio*1.01, verdict)
}

// usualRSA is what a run of rsa on a common machine shows.
func usualRSA() *sheet {
	s := &sheet{}
	lengths := map[string]float64{"RSA-1024": 0.3e6, "RSA-2048": 1e6, "RSA-3072": 2.8e6, "RSA-4096": 6e6}
	for _, a := range []string{"RSA-1024", "RSA-2048", "RSA-3072", "RSA-4096"} {
		ns := lengths[a]
		sign := s.time("rsa", "go", a, pss, "sign", "", ns)
		verify := s.time("rsa", "go", a, pss, "verify", "", ns/32)
		s.times(sign, verify, 32)
		bare := s.time("rsa", "go", a, pss, "sign", "crt=no", 2.8*ns)
		s.times(bare, sign, 2.8)
		if a != "RSA-2048" {
			s.times("rsa/RSA-2048/"+pss+"/sign//go", sign, 1e6/ns)
			continue
		}
		oaepEncrypt, oaepDecrypt := s.time("rsa", "go", a, oaep, "encrypt", "", 31e3), s.time("rsa", "go", a, oaep, "decrypt", "", 1e6)
		s.times(oaepDecrypt, oaepEncrypt, 32)
		s.compare(s.time("rsa", "go", a, pkcs1, "encrypt", "", 31e3), oaepEncrypt, 1.001, 0.997, 1.004, "same")
		s.compare(s.time("rsa", "go", a, pkcs1, "decrypt", "", 1e6), oaepDecrypt, 1.001, 0.997, 1.004, "same")
	}
	generate := s.time("rsa", "go", "RSA-2048", "", "generate", "draws=6", 54e6)
	p95 := 166e6
	s.doc.Distributions = append(s.doc.Distributions, document.Distribution{RowID: generate, Unit: "ns", P50: 54e6, P90: 137e6, P95: &p95, Max: 316e6, Count: 90, Mean: 66e6})
	s.doc.Fits = append(s.doc.Fits, document.Fit{RowIDs: []string{"rsa/RSA-2048/" + pss + "/sign//go"}, Model: document.ModelPower, OK: true, RMS: 0.02,
		Terms: map[string]float64{"exponent": 2.85, "exponent_low": 2.8, "exponent_high": 2.9, "factor_ns": 1}})
	return s
}

func says(t *testing.T, d *document.Document, l layout.Lang, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(texts(d, l), w) {
			t.Errorf("no sentence says %q in:\n%s", w, texts(d, l))
		}
	}
}

func TestRSASentences(t *testing.T) {
	s := usualRSA()
	Add(&s.doc)
	says(t, &s.doc, layout.English,
		"at 2048 bits signing takes 32.0 (31.7–32.3) times as long as verifying, and decrypting takes 32.0 (31.7–32.3) times as long as encrypting; one CPU makes 1000 signatures per second.",
		"signing with 4096 bits takes 6.00 (5.94–6.06) times as long as with 2048 bits",
		"doubling the length makes it ×7.21 (the fitted exponent is 2.85, 2.80–2.90)",
		"Encrypt with OAEP", "OAEP encryption is as fast as v1.5 (within 0.5 %)",
		"not by the mean (66.0 ms): the time is random. At 2048 bits p50 is 54.0 ms, p90 137 ms, p95 166 ms, the longest of 90 keys 316 ms.",
		"signing without the primes (no CRT) takes 2.80 (2.77–2.83) times as long", "Do not use 1024-bit keys")
	says(t, &s.doc, layout.Chinese, "2048 比特时签名耗时是验签的 32.0 (31.7–32.3) 倍", "拟合指数 2.85，2.80–2.90", "p95 166 ms", "不要使用 1024 比特密钥")
}

// TestRSAKeepsQuiet: what is not decided, or drawn too seldom, is not said.
func TestRSAKeepsQuiet(t *testing.T) {
	s := usualRSA()
	for i := range s.doc.Comparisons {
		s.doc.Comparisons[i].Verdict = "inconclusive"
	}
	s.doc.Distributions[0].Count = 30
	s.doc.Fits[0].OK, s.doc.Fits[0].RMS = false, 0.3
	Add(&s.doc)
	for _, never := range []string{"times as long as verifying", "doubling", "p95", "takes 2.80"} {
		if strings.Contains(texts(&s.doc, layout.English), never) {
			t.Errorf("%q is said:\n%s", never, texts(&s.doc, layout.English))
		}
	}
	says(t, &s.doc, layout.English, "No one exponent describes the growth: a power law misses by 30 %.", "is not shown to be faster or slower than v1.5")
}

// usualSignatures and plannedExchange are what runs of these show.
func usualSignatures() *sheet {
	s := &sheet{}
	for _, op := range []string{"sign", "verify"} {
		base := s.time("signatures", "go", "ECDSA-P-256", "", op, "", 30e3)
		s.times(base, s.time("signatures", "go", "RSA-3072", pss, op, "", 2.8e6), 0.01)
		s.times(base, s.time("signatures", "go", "Ed25519", "", op, "", 20e3), 1.5)
		sm2 := s.time("signatures", "gmsm", "SM2", "", op, "", 25e3)
		s.times(base, sm2, 1.2)
		s.times(base, s.time("signatures", "gmsm", "ML-DSA-44", "", op, "", 90e3), 0.33)
		s.times(sm2, s.time("signatures", "tjfoc", "SM2", "", op, "", 250e3), 0.1)
		s.times(sm2, s.time("signatures", "gmsm", "SM2", "", op, "za=precomputed", 22e3), 1.14)
		s.times(s.time("signatures", "go", "ECDSA-P-256", "", op, "busy=1", 30e3), s.time("signatures", "go", "ECDSA-P-256", "", op, "busy=2", 40e3), 0.75)
	}
	return s
}

func plannedExchange() *sheet {
	s := &sheet{}
	row := func(library, algorithm, op string, ns float64) string {
		return s.time("exchange", library, algorithm, "", op, "", ns)
	}
	for _, op := range []string{"generate", "encapsulate", "decapsulate", "session"} {
		x, hybrid := row("go", "X25519", op, 50e3), row("go", "X25519MLKEM768", op, 100e3)
		s.times(x, hybrid, 0.5)
	}
	row("go", "X25519", "session-key", 1e3)
	p, kem := row("go", "ECDH-P-256", "session", 140e3), row("go", "ML-KEM-768", "session", 190e3)
	s.times(p, "exchange/X25519//session//go", 0.72)
	s.times("exchange/X25519//session//go", kem, 0.95)
	s.times(p, row("gmsm", "SM2-exchange", "session", 240e3), 0.58)
	s.times(kem, row("gmsm", "ML-KEM-768", "session", 60e3), 3.2)
	return s
}

func TestSignatureSentences(t *testing.T) {
	s := usualSignatures()
	Add(&s.doc)
	says(t, &s.doc, layout.English, "sign with an elliptic curve, not with RSA-3072: RSA-3072 signing takes 100 times as long as ECDSA P-256",
		"SM2 in gmsm compared with ECDSA P-256 in Go", "a signature has 2420 bytes (ECDSA P-256: 72), a public key 1312 (ECDSA P-256: 65)",
		"SM2 in tjfoc: signing takes 10.0 times as long as in gmsm", "With all 2 CPUs busy, per CPU: signing with ECDSA-P-256 takes 1.33 times as long")
	says(t, &s.doc, layout.Chinese, "请用椭圆曲线签名，不要用 RSA-3072", "签名 2420 字节", "ZA 只计算一次")
}

func TestExchangeSentences(t *testing.T) {
	s := plannedExchange()
	Add(&s.doc)
	says(t, &s.doc, layout.English, "Exchange keys with X25519MLKEM768", "The whole exchange takes 2.00 times as long as X25519 (1.98–2.02)", "2336 bytes are sent, X25519 needs 64",
		"SM2 key exchange in gmsm (it also authenticates both parties): the whole exchange takes 1.72 times as long", "ML-KEM-768 in gmsm: the whole exchange is 3.20 times as fast as in go",
		"with HKDF takes 1.00 µs; for both parties that is 4.0 % of an X25519 exchange")
	says(t, &s.doc, layout.Chinese, "请用 X25519MLKEM768 交换密钥", "传输 2336 字节，X25519 只需 64 字节", "同时认证双方身份")
}

// TestKeyPairLayouts: texts are in both languages, tables line up, sentences name
// evidence that is there, and few of them are for the quick screen.
func TestKeyPairLayouts(t *testing.T) {
	for _, s := range []*sheet{usualRSA(), usualSignatures(), plannedExchange()} {
		d := &s.doc
		Add(d)
		checkLayout(t, d)
		short := 0
		for _, a := range d.Answers {
			if a.Short {
				short++
			}
		}
		if short < 2 || short > 4 {
			t.Errorf("%s has %d sentences on the quick screen", d.Layouts[0].Experiment, short)
		}
		if len(d.Layouts[0].Charts) < 2 {
			t.Errorf("%s has %d charts", d.Layouts[0].Experiment, len(d.Layouts[0].Charts))
		}
	}
}
