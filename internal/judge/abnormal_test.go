package judge

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/abnormal"
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestAbnormalTexts: what Go's GCM opens of what the judge gives is the judge's plaintext, and it opens nothing that was
// changed; afterwards the judge gives cases as they are.
func TestAbnormalTexts(t *testing.T) {
	j := New(provider.Setting{Seed: 7})
	c := result.Case{Algorithm: algorithm.AES128, Mode: algorithm.GCM, Operation: algorithm.Decrypt}
	inGo := result.Subject{CallPath: "go"}
	lengths := map[abnormal.Change][2]int{abnormal.WrongTag: {64, 80}, abnormal.CutText: {63, 79}, abnormal.CutEnd: {64, 79}, abnormal.NoTag: {0, 15}}
	for _, i := range abnormal.Inputs(c, inGo) {
		done := j.Abnormal(i)
		v, err := j.Vector(i.Case)
		done()
		if err != nil {
			t.Fatalf("%d %s: %v", i.Bytes, i.Change, err)
		}
		b, err := aes.NewCipher(v.Key)
		if err != nil {
			t.Fatal(err)
		}
		a, err := cipher.NewGCM(b)
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Open(nil, v.Nonce, v.Ciphertext, v.AAD)
		switch {
		case i.Refused() && err == nil:
			t.Errorf("%s: it opens", i.Change)
		case !i.Refused() && (err != nil || !bytes.Equal(got, v.Plaintext) || int64(len(got)) != i.Bytes):
			t.Errorf("%d bytes: %x, %v", i.Bytes, got, err)
		}
		if want, changed := lengths[i.Change]; changed && (len(v.Plaintext) != want[0] || len(v.Ciphertext) != want[1]) {
			t.Errorf("%s: %d of %d bytes", i.Change, len(v.Plaintext), len(v.Ciphertext))
		}
	}
	cbc := result.Case{Algorithm: algorithm.SM4, Mode: algorithm.CBC, Operation: algorithm.Encrypt, Bytes: 17}
	done := j.Abnormal(abnormal.Input{Case: cbc})
	v, err := j.Vector(cbc)
	if done(); err != nil || len(v.Plaintext) != 17 || len(v.Ciphertext) != 17 {
		t.Errorf("no whole blocks: %+v, %v", v, err)
	}
	if _, err := j.Vector(cbc); err == nil {
		t.Error("the judge goes on giving what no mode takes")
	}
}
