package exchange

import (
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

func plannedExchange() *answertest.Sheet {
	s := &answertest.Sheet{}
	row := func(library, algorithm, op string, ns float64) string {
		return s.Time("exchange", library, algorithm, "", op, "", ns)
	}
	for _, op := range []string{"generate", "encapsulate", "decapsulate", "session"} {
		x, hybrid := row("go", "X25519", op, 50e3), row("go", "X25519MLKEM768", op, 100e3)
		s.Times(x, hybrid, 0.5)
	}
	row("go", "X25519", "session-key", 1e3)
	p, kem := row("go", "ECDH-P-256", "session", 140e3), row("go", "ML-KEM-768", "session", 190e3)
	s.Times(p, "exchange/X25519//session//go", 0.72)
	s.Times("exchange/X25519//session//go", kem, 0.95)
	s.Times(p, row("gmsm", "SM2-exchange", "session", 240e3), 0.58)
	s.Times(kem, row("gmsm", "ML-KEM-768", "session", 60e3), 3.2)
	return s
}

func TestExchangeSentences(t *testing.T) {
	s := plannedExchange()
	answer.Add(&s.Doc, []answer.Question{Question})
	answertest.Says(t, &s.Doc, layout.English, "Exchange keys with X25519MLKEM768", "The whole exchange takes 2.00 times as long as X25519 (1.98–2.02)", "2336 bytes are sent, X25519 needs 64",
		"SM2 key exchange in gmsm (it also authenticates both parties): the whole exchange takes 1.72 times as long", "ML-KEM-768 in gmsm: the whole exchange is 3.20 times as fast as in go",
		"with HKDF takes 1.00 µs; for both parties that is 4.0 % of an X25519 exchange")
	answertest.Says(t, &s.Doc, layout.Chinese, "请用 X25519MLKEM768 交换密钥", "传输 2336 字节，X25519 只需 64 字节", "同时认证双方身份")
}

// TestExchangeLayout: see checkKeyPairLayout.
func TestExchangeLayout(t *testing.T) {
	s := plannedExchange()
	answer.Add(&s.Doc, []answer.Question{Question})
	answertest.CheckKeyPairLayout(t, &s.Doc)
}
