package signatures

import (
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// usualSignatures and plannedExchange are what runs of these show.
func usualSignatures() *answertest.Sheet {
	s := &answertest.Sheet{}
	for _, op := range []string{"sign", "verify"} {
		base := s.Time("signatures", "go", "ECDSA-P-256", "", op, "", 30e3)
		s.Times(base, s.Time("signatures", "go", "RSA-3072", algorithm.PSS, op, "", 2.8e6), 0.01)
		s.Times(base, s.Time("signatures", "go", "Ed25519", "", op, "", 20e3), 1.5)
		sm2 := s.Time("signatures", "gmsm", "SM2", "", op, "", 25e3)
		s.Times(base, sm2, 1.2)
		s.Times(base, s.Time("signatures", "gmsm", "ML-DSA-44", "", op, "", 90e3), 0.33)
		s.Times(sm2, s.Time("signatures", "tjfoc", "SM2", "", op, "", 250e3), 0.1)
		s.Times(sm2, s.Time("signatures", "gmsm", "SM2", "", op, "za=precomputed", 22e3), 1.14)
		s.Times(s.Time("signatures", "go", "ECDSA-P-256", "", op, "busy=1", 30e3), s.Time("signatures", "go", "ECDSA-P-256", "", op, "busy=2", 40e3), 0.75)
	}
	return s
}

func TestSignatureSentences(t *testing.T) {
	s := usualSignatures()
	answer.Add(&s.Doc, []answer.Question{Question})
	answertest.Says(t, &s.Doc, layout.English, "sign with an elliptic curve, not with RSA-3072 (in go): RSA-3072 signing takes 100 times as long as ECDSA P-256",
		"SM2 in gmsm compared with ECDSA P-256 in Go",
		"a signature has 2420 bytes (ECDSA P-256: 72), a public key 1312 (ECDSA P-256: 65); in gmsm against go, with keys prepared beforehand, signing takes 3.0",
		"SM2 in tjfoc: signing takes 10.0 times as long as in gmsm", "With all 2 CPUs busy, per CPU: signing with ECDSA-P-256 takes 1.33 times as long")
	answertest.Says(t, &s.Doc, layout.Chinese, "请用椭圆曲线签名，不要用 RSA-3072（go 的实现）：", "签名 2420 字节", "ZA 只计算一次")
}

// TestSignatureLayout: see checkKeyPairLayout.
func TestSignatureLayout(t *testing.T) {
	s := usualSignatures()
	answer.Add(&s.Doc, []answer.Question{Question})
	answertest.CheckKeyPairLayout(t, &s.Doc)
}
