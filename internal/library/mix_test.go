package library

import (
	"crypto/cipher"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

var traffic = provider.Setting{Seed: 5, Mix: []result.SizeShare{{Bytes: 0, Weight: 3}, {Bytes: 17, Weight: 5}, {Bytes: 64, Weight: 60}, {Bytes: 1350, Weight: 28}, {Bytes: 4096, Weight: 4}}}

// replayed is a case that replays n messages of the traffic.
func replayed(c result.Case, n int) result.Case {
	for _, size := range seeded.DrawMix(traffic.Seed, traffic.Mix, n) {
		c.Bytes += int64(size)
	}
	c.Parameters = seeded.MixParameters(c.Parameters, n)
	return c
}

func TestReplay(t *testing.T) {
	for i, algorithms := range [][]string{{"AES-128", "AES-256"}, {"ChaCha20-Poly1305"}, {"SM4"}, {"SM4"}, nil, {"SM4"}} {
		var cs []result.Case
		for _, a := range algorithms {
			for _, op := range bothWays {
				switch a {
				case "ChaCha20-Poly1305":
					cs = append(cs, replayed(result.Case{Algorithm: a, Operation: op}, 40))
				case "SM4":
					cs = append(cs, replayed(result.Case{Algorithm: a, Mode: "CBC+HMAC-SM3", Operation: op, Parameters: parameter.PKCS7Padding}, 40))
					fallthrough
				default:
					cs = append(cs, replayed(result.Case{Algorithm: a, Mode: "GCM", Operation: op}, 40))
				}
			}
		}
		if len(cs) == 0 {
			continue
		}
		judge := judge.New(traffic)
		providertest.Run(t, library(i)(judge), cs)
		for _, c := range cs {
			if err := providertest.Verify(library(i)(judge), c); err != nil {
				t.Errorf("library %d: %s %s: %v", i, c.Name(), c.Operation, err)
			}
			if err := providertest.Sensitive(library(i), judge, c); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestReplayIsRefused(t *testing.T) {
	right := replayed(result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt"}, 40)
	other := right
	other.Bytes++
	bare := replayed(result.Case{Algorithm: "AES-128", Mode: "CTR", Operation: "encrypt"}, 40)
	long := provider.Setting{Seed: 5, Mix: []result.SizeShare{{Bytes: 33 << 20, Weight: 1}, {Bytes: 34 << 20, Weight: 1}}}
	tooLong := result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt", Bytes: 67 << 20, Parameters: seeded.MixParameters("", 2)}
	for _, test := range []struct {
		setting provider.Setting
		c       result.Case
		says    string
	}{
		{provider.Setting{Seed: 5}, right, "no histogram"},
		{traffic, other, "bytes, not "},
		{traffic, bare, "does not authenticate"},
		{long, tooLong, "the most that is held in memory"},
	} {
		_, err := provider.Prepare(library(0)(judge.New(test.setting)), test.c)
		if !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want unsupported with %q", test.c.Parameters, err, test.says)
		}
	}
}

// TestReplayJudgesEveryMessage: whichever message comes out wrong, by one bit, the
// check finds it and says which; and an Open that does not verify is found too.
func TestReplayJudgesEveryMessage(t *testing.T) {
	judge := judge.New(traffic)
	c := replayed(result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt"}, 40)
	v := vector(t, judge, c)
	if len(v.Messages) != 5 || len(v.Sequence) != 40 {
		t.Fatalf("%d messages in a sequence of %d", len(v.Messages), len(v.Sequence))
	}
	b, err := newAES(v.Key)
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range v.Messages {
		for _, d := range []loop.Direction{loop.Encrypt, loop.Decrypt} {
			if d == loop.Decrypt && len(m.Plaintext) == 0 {
				continue // nothing comes out of it
			}
			op := loop.NewAEAD(wrongAt{gcm, len(m.Plaintext)}, d, v)
			if err := op.Run(1); err != nil {
				t.Fatal(err)
			}
			if err := op.Check(); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("of %d bytes: ", len(m.Plaintext))) {
				t.Errorf("direction %d, one bit off in the message of %d bytes: %v", d, len(m.Plaintext), err)
			}
			if err := op.Check(); err == nil {
				t.Error("a second Check without a Run passes")
			}
		}
	}
	op := loop.NewAEAD(trusting{gcm}, loop.Decrypt, v)
	if err := op.Run(1); err != nil {
		t.Fatal(err)
	}
	if err := op.Check(); err == nil || !strings.Contains(err.Error(), "tampered text was opened") {
		t.Errorf("tags are not verified: %v", err)
	}
}

// wrongAt is right but for messages of one size.
type wrongAt struct {
	cipher.AEAD
	size int
}

func (a wrongAt) Seal(dst, nonce, plaintext, aad []byte) []byte {
	out := a.AEAD.Seal(dst, nonce, plaintext, aad)
	if len(plaintext) == a.size {
		out[len(out)-1] ^= 1
	}
	return out
}

func (a wrongAt) Open(dst, nonce, sealed, aad []byte) ([]byte, error) {
	out, err := a.AEAD.Open(dst, nonce, sealed, aad)
	if err == nil && len(out) == a.size {
		out[0] ^= 1
	}
	return out, err
}

// trusting opens whatever it is given.
type trusting struct{ cipher.AEAD }

func (a trusting) Open(dst, nonce, sealed, aad []byte) ([]byte, error) {
	body := sealed[:len(sealed)-a.Overhead()]
	resealed := a.Seal(nil, nonce, body, aad) // GCM's key stream undoes itself
	return append(dst, resealed[:len(body)]...), nil
}

// TestReplayTakesWhatIsProven: a second worker, told the digest, has the same
// messages; told a wrong one, it asks the reference.
func TestReplayTakesWhatIsProven(t *testing.T) {
	c := replayed(result.Case{Algorithm: "SM4", Mode: "CBC+HMAC-SM3", Operation: "decrypt", Parameters: parameter.PKCS7Padding}, 12)
	first := judge.New(traffic)
	v := vector(t, first, c)
	digest, ok := first.Digest(c)
	if !ok {
		t.Fatal("no digest")
	}
	for _, told := range []string{digest, strings.Repeat("0", 64)} {
		second := judge.New(traffic)
		if err := second.Prove(c, told); err != nil {
			t.Fatal(err)
		}
		w := vector(t, second, c)
		for i := range v.Messages {
			if string(w.Messages[i].Ciphertext) != string(v.Messages[i].Ciphertext) {
				t.Errorf("message %d differs", i)
			}
		}
		if got, _ := second.Digest(c); got != digest {
			t.Errorf("the digest is %s, want %s", got, digest)
		}
	}
}
