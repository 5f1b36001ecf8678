package abnormal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

var (
	inGo = result.Subject{Library: subject.Go, CallPath: "go"}
	inC  = result.Subject{Library: subject.OpenSSL, CallPath: subject.Cgo}
)

func TestInputs(t *testing.T) {
	switched := inGo
	switched.Environment = "GODEBUG=cpu.aes=off"
	for _, c := range []struct {
		c    result.Case
		who  result.Subject
		want string // bytes with the change, those in brackets refused
	}{
		{result.Case{Algorithm: algorithm.SM4, Mode: algorithm.ECB, Operation: algorithm.Encrypt}, inGo, "0 (1) (15) (17) (100)"},
		{result.Case{Algorithm: algorithm.AES128, Mode: algorithm.CBC, Operation: algorithm.Decrypt}, inC, "0 (1) (15) (17) (100)"},
		{result.Case{Algorithm: algorithm.AES128, Mode: algorithm.CTR, Operation: algorithm.Decrypt, Bytes: 1 << 20}, inGo, "0 1 15 17"},
		{result.Case{Algorithm: algorithm.ChaCha20, Operation: algorithm.Encrypt}, inGo, "0 1 15 17"},
		{result.Case{Algorithm: algorithm.AES128, Mode: algorithm.GCM, Operation: algorithm.Encrypt}, inGo, "0 1 15 17"},
		{result.Case{Algorithm: algorithm.AES128, Mode: algorithm.GCM, Operation: algorithm.Decrypt}, inGo,
			"0 1 15 17 (64 wrong-tag) (64 cut-text) (64 cut-end) (64 no-tag)"},
		{result.Case{Algorithm: algorithm.ChaCha20Poly1305, Operation: algorithm.Decrypt}, inC, "0 1 15 17 (64 wrong-tag) (64 cut-text)"},
		{result.Case{Algorithm: algorithm.SM4, Mode: algorithm.CBCHMACSM3, Operation: algorithm.Encrypt, Parameters: parameter.PKCS7Padding}, inGo, "0 1 15 17"},
		{result.Case{Algorithm: algorithm.SHA512, Operation: algorithm.Hash}, inGo, "0 1 127 129"},
		{result.Case{Algorithm: algorithm.HMACSM3, Operation: algorithm.MAC}, inGo, "0 1 63 65"},
		{result.Case{Algorithm: algorithm.SHA3of256, Operation: algorithm.Hash}, inGo, "0 1 135 137"},
		{result.Case{Algorithm: algorithm.AES128, Mode: algorithm.GCM, Operation: algorithm.Decrypt}, switched, ""},
		{result.Case{Algorithm: algorithm.AES128, Mode: algorithm.OneBlock, Operation: algorithm.Encrypt}, inGo, ""},
		{result.Case{Algorithm: algorithm.AES128, Mode: algorithm.GCM, Operation: algorithm.Stream}, inGo, ""},
		{result.Case{Algorithm: algorithm.AES128, Mode: algorithm.GCM, Operation: algorithm.Encrypt, Parameters: "goroutines=8"}, inGo, ""},
		{result.Case{Algorithm: algorithm.RSA2048, Mode: algorithm.OAEP, Operation: algorithm.Decrypt}, inGo, ""},
	} {
		var got []string
		for _, i := range Inputs(c.c, c.who) {
			text := strings.TrimSpace(fmt.Sprintf("%d %s", i.Bytes, i.Change))
			if i.Refused() {
				text = "(" + text + ")"
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s %s: %v, want %s", c.c.Name(), c.c.Operation, got, c.want)
		}
	}
}

func TestJudge(t *testing.T) {
	cbc := Input{Case: result.Case{Algorithm: algorithm.SM4, Mode: algorithm.CBC, Operation: algorithm.Encrypt, Bytes: 15}}
	none := Input{Case: result.Case{Algorithm: algorithm.SM4, Mode: algorithm.CBC, Operation: algorithm.Encrypt}}
	tag := Input{result.Case{Algorithm: algorithm.SM4, Mode: algorithm.GCM, Operation: algorithm.Decrypt, Bytes: 64}, WrongTag}
	for _, c := range []struct {
		i    Input
		who  result.Subject
		want [5]Judgement // of Decided
	}{
		{none, inGo, [5]Judgement{Right, TooLittle, Rough, Bad, Rough}},
		{cbc, inGo, [5]Judgement{TooMuch, Right, Right, Bad, Rough}},
		{cbc, inC, [5]Judgement{TooMuch, Right, Rough, Bad, Rough}},
		{tag, inGo, [5]Judgement{TooMuch, Right, Rough, Bad, Rough}},
	} {
		for n, o := range Decided() {
			if got := c.i.Judge(o, c.who); got != c.want[n] || !o.Known() {
				t.Errorf("%s %d %s by %s: %s, want %s", c.i.Name(), c.i.Bytes, o, c.who.Library, got, c.want[n])
			}
		}
	}
	if Outcome("").Known() || Outcome("maybe").Known() {
		t.Error("a worker may answer anything")
	}
}
