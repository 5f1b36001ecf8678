package loop

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/result"
)

func testBlock(t testing.TB) cipher.Block {
	t.Helper()
	b, err := aes.NewCipher(make([]byte, 16))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func testETM(t testing.TB) *encryptThenMAC {
	t.Helper()
	a, err := EncryptThenMAC(testBlock(t), sha256.New, bytes.Repeat([]byte{5}, 32))
	if err != nil {
		t.Fatal(err)
	}
	return a.(*encryptThenMAC)
}

// TestEncryptThenMACByHand puts the same together step by step.
func TestEncryptThenMACByHand(t *testing.T) {
	a, iv := testETM(t), bytes.Repeat([]byte{3}, 16)
	for _, n := range append(providertest.Boundaries(16), 1000) {
		plaintext := provider.Data(1, parameter.Random, n)
		fill := 16 - n%16
		padded := append(slices.Clone(plaintext), bytes.Repeat([]byte{byte(fill)}, fill)...)
		want := make([]byte, len(padded))
		cipher.NewCBCEncrypter(testBlock(t), iv).CryptBlocks(want, padded)
		mac := hmac.New(sha256.New, bytes.Repeat([]byte{5}, 32))
		mac.Write(iv)
		mac.Write(want)
		want = mac.Sum(want)

		got := a.Seal([]byte("prefix"), iv, plaintext, nil)
		if !bytes.Equal(got, append([]byte("prefix"), want...)) {
			t.Errorf("%d bytes: sealed differs", n)
		}
		opened, err := a.Open([]byte("prefix"), iv, want, nil)
		if err != nil || !bytes.Equal(opened, append([]byte("prefix"), plaintext...)) {
			t.Errorf("%d bytes: opened differs: %v", n, err)
		}
		storage := make([]byte, n, n+64)
		copy(storage, plaintext)
		if got := a.Seal(storage[:0], iv, storage, nil); !bytes.Equal(got, want) {
			t.Errorf("%d bytes: sealed in place differs", n)
		}
		if got, err := a.Open(want[:0], iv, want, nil); err != nil || !bytes.Equal(got, plaintext) {
			t.Errorf("%d bytes: opened in place differs: %v", n, err)
		}
	}
}

func TestEncryptThenMACRefuses(t *testing.T) {
	a, iv := testETM(t), bytes.Repeat([]byte{3}, 16)
	sealed := a.Seal(nil, iv, provider.Data(1, parameter.Text, 40), nil)
	for i := range len(sealed) * 8 {
		sealed[i/8] ^= 1 << (i % 8)
		if _, err := a.Open(nil, iv, sealed, nil); err == nil {
			t.Fatalf("bit %d flipped, and it opens", i)
		}
		sealed[i/8] ^= 1 << (i % 8)
	}
	for n := range sealed {
		if _, err := a.Open(nil, iv, sealed[:n], nil); err == nil {
			t.Fatalf("cut to %d bytes, and it opens", n)
		}
	}
	if _, err := a.Open(nil, bytes.Repeat([]byte{4}, 16), sealed, nil); err == nil {
		t.Error("another IV, and it opens")
	}
	if _, err := a.Open(nil, iv, sealed, []byte("aad")); err == nil {
		t.Error("additional data that was not sealed, and it opens")
	}
}

// TestEncryptThenMACData: additional data is bound, and can't be passed off as
// ciphertext, which is what the padding before its length is for.
func TestEncryptThenMACData(t *testing.T) {
	a, iv := testETM(t), bytes.Repeat([]byte{3}, 16)
	for n := 1; n < 40; n++ {
		aad := provider.Data(1, parameter.Random, n)
		sealed := a.Seal(nil, iv, []byte("message"), aad)
		if _, err := a.Open(nil, iv, sealed, aad); err != nil {
			t.Fatalf("%d bytes of data: %v", n, err)
		}
		if _, err := a.Open(nil, iv, sealed, aad[:n-1]); err == nil {
			t.Errorf("%d bytes of data, one cut off, and it opens", n)
		}
		ciphertext, tag := sealed[:16], sealed[16:]
		moved := slices.Concat(ciphertext, aad, make([]byte, -n&15), []byte{0, 0, 0, 0, 0, 0, byte(n * 8 >> 8), byte(n * 8)}, tag)
		if _, err := a.Open(nil, iv, moved, nil); err == nil {
			t.Errorf("%d bytes of data passed off as ciphertext, and it opens", n)
		}
	}
}

// TestLoopsDontAllocate: what a call allocates is what the library allocates in it.
func TestLoopsDontAllocate(t *testing.T) {
	v := &provider.Vector{Nonce: make([]byte, 16), Plaintext: make([]byte, 1024), Ciphertext: make([]byte, 1024)}
	gcm, _ := cipher.NewGCM(testBlock(t))
	sealed := &provider.Vector{Nonce: make([]byte, 12), Plaintext: make([]byte, 1024), Ciphertext: gcm.Seal(nil, make([]byte, 12), make([]byte, 1024), nil)}
	composite := testETM(t)
	composed := &provider.Vector{Nonce: v.Nonce, Plaintext: v.Plaintext, Ciphertext: composite.Seal(nil, v.Nonce, v.Plaintext, nil)}
	tests := map[string]struct {
		op   provider.Operation
		want float64
	}{
		"block":         {NewBlockLoop(testBlock(t), Encrypt, v), 0},
		"block mode":    {NewBlockMode(testBlock(t), cipher.NewCBCEncrypter, Encrypt, v), 1},
		"stream":        {NewStream(testBlock(t), cipher.NewCTR, Encrypt, v), 1},
		"seal":          {NewAEAD(gcm, Encrypt, sealed), 0},
		"open":          {NewAEAD(gcm, Decrypt, sealed), 0},
		"etm seal":      {NewAEAD(composite, Encrypt, composed), 1},
		"etm open":      {NewAEAD(composite, Decrypt, composed), 1},
		"helper":        {NewHelper(Helper{Call: emptyCall, In: v.Plaintext}), 0},
		"hash":          {NewHash(sha256.New(), &provider.Vector{Plaintext: v.Plaintext, Digest: make([]byte, 32)}), 0},
		"keyed hash":    {NewHash(hmac.New(sha256.New, v.Nonce), &provider.Vector{Plaintext: v.Plaintext, Digest: make([]byte, 32)}), 0},
		"bulk, nothing": {NewBulk(nothing{}, Encrypt, v), 0},
	}
	for name, test := range tests {
		got := testing.AllocsPerRun(20, func() { // of 10 calls
			if err := test.op.Run(10); err != nil {
				t.Fatal(err)
			}
		}) / 10
		if got > test.want {
			t.Errorf("%s: %v allocations a call, want %v", name, got, test.want)
		}
	}
}

func TestOutputLiesAsTheExpectedOne(t *testing.T) {
	const in, out = 7 * provider.Line, 20 * provider.Line
	a, err := cipher.NewGCM(testBlock(t))
	if err != nil {
		t.Fatal(err)
	}
	v := &provider.Vector{Nonce: make([]byte, 12), Plaintext: provider.Placed(in, 1024, 1024), Ciphertext: provider.Placed(out, 1040, 1040)}
	a.Seal(v.Ciphertext[:0], v.Nonce, v.Plaintext, nil)
	for d, want := range map[Direction]int{Encrypt: out, Decrypt: in} {
		o := NewAEAD(a, d, v).(*timed)
		if err := o.Run(2); err != nil || o.Check() != nil || provider.PlaceOf(o.got) != want {
			t.Errorf("direction %d: the output lies at %d, want %d: %v", d, provider.PlaceOf(o.got), want, err)
		}
	}
}

func TestOutputSentences(t *testing.T) {
	want := []byte{1, 2, 3, 4, 5, 6}
	change := func(at ...int) []byte {
		got := slices.Clone(want)
		for _, i := range at {
			got[i] ^= 0x80
		}
		return got
	}
	tests := []struct {
		got  []byte
		tag  int
		want string
	}{
		{change(2, 4), 0, "the output is wrong from byte 2 on (0x83, should be 0x03)"},
		{change(5), 2, "the tag is wrong from byte 5 of the output on (tag byte 1); the body is right"},
		{change(1), 2, "the body is wrong from byte 1 on; the tag is right"},
		{change(1, 4), 2, "the body is wrong from byte 1 on, and the tag is wrong"},
		{want[:4], 2, "the output is 4 bytes long and should be 6"},
	}
	for _, test := range tests {
		if err := compare(test.got, want, test.tag); err == nil || err.Error() != test.want {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
	if err := compare(change(), want, 2); err != nil {
		t.Error(err)
	}
}

func TestEmptyKinds(t *testing.T) {
	for _, kind := range algorithm.Loops() {
		op, err := NewEmpty(kind)
		if err != nil {
			t.Fatal(err)
		}
		if got := op.(provider.Looped).Loop(); got != kind {
			t.Errorf("the loop %s calls itself %s", kind, got)
		}
		if op.Check() == nil {
			t.Errorf("%s: a Check without a Run passes", kind)
		}
		if err := errors.Join(op.Run(3), op.Check(), op.Close()); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if op.Check() == nil {
			t.Errorf("%s: a second Check passes", kind)
		}
	}
}

func BenchmarkEmpty(b *testing.B) {
	for _, kind := range algorithm.Loops() {
		b.Run(kind, func(b *testing.B) {
			op, err := NewEmpty(kind)
			if err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			_ = op.Run(b.N)
		})
	}
}

// blockByBlock is ECB by hand.
type blockByBlock struct{ cipher.Block }

func (m blockByBlock) CryptBlocks(dst, src []byte) {
	for size := m.BlockSize(); len(src) >= size; dst, src = dst[size:], src[size:] {
		m.Encrypt(dst, src)
	}
}

// picturesOnly hands out the drawn picture and what AES makes of it.
type picturesOnly struct{}

func (picturesOnly) Vector(c result.Case) (*provider.Vector, error) {
	v := &provider.Vector{Key: make([]byte, 16), Nonce: make([]byte, 16), Plaintext: provider.Data(1, parameter.Bitmap, int(c.Bytes))}
	b, err := aes.NewCipher(v.Key)
	v.Ciphertext = make([]byte, len(v.Plaintext))
	switch c.Mode {
	case "ECB":
		blockByBlock{b}.CryptBlocks(v.Ciphertext, v.Plaintext)
	case "CBC":
		cipher.NewCBCEncrypter(b, v.Nonce).CryptBlocks(v.Ciphertext, v.Plaintext)
	case "CTR":
		cipher.NewCTR(b, v.Nonce).XORKeyStream(v.Ciphertext, v.Plaintext)
	}
	return v, err
}

func TestExposure(t *testing.T) {
	bc := BlockCipher{New: aes.NewCipher}
	for mode, artifacts := range map[string][]string{
		"ECB": {"picture-aes-128-ecb.png", "picture-plain.png"},
		"CBC": {"picture-aes-128-cbc.png"},
		"CTR": {"picture-aes-128-ctr.png"},
	} {
		s, err := bc.OpenExposure(result.Case{Algorithm: "AES-128", Mode: mode, Operation: "exposure", Bytes: ExposureBytes}, picturesOnly{})
		if err != nil {
			t.Fatal(err)
		}
		if s.Check() == nil {
			t.Errorf("%s: a Check before Measure passes", mode)
		}
		record, err := s.Measure(context.Background(), provider.Budget{})
		if err := errors.Join(err, s.Check()); err != nil {
			t.Fatal(err)
		}
		for _, m := range record.Metrics {
			low, high := 0.0, 0.0
			if mode == "ECB" {
				low, high = expectedShare(parameter.Kind(strings.TrimPrefix(m.Name, "repeated_share_")))
			}
			if m.Value < low || m.Value > high || m.Unit != "1" {
				t.Errorf("%s: %s is %v %s, want %v to %v", mode, m.Name, m.Value, m.Unit, low, high)
			}
		}
		var names []string
		for _, a := range record.Artifacts {
			names = append(names, a.Name)
			if a.MediaType != "image/png" || len(a.Data) > 90_000 {
				t.Errorf("%s: %s, %d bytes", a.Name, a.MediaType, len(a.Data))
			}
		}
		if !slices.Equal(names, artifacts) || len(record.Metrics) != len(provider.Kinds()) {
			t.Errorf("%s: artifacts %v, %d metrics", mode, names, len(record.Metrics))
		}
		later, err := s.Measure(context.Background(), provider.Budget{Block: 1})
		if err != nil || len(later.Artifacts) != 0 {
			t.Errorf("%s: block 1 has %d artifacts: %v", mode, len(later.Artifacts), err)
		}
	}
}

func expectedShare(k parameter.Kind) (low, high float64) {
	switch k {
	case parameter.Records:
		return 0.70, 0.75 // three of four fields repeat
	case parameter.Text:
		return 0.0001, 0.05
	case parameter.Zeros, parameter.Bitmap:
		return 0.99, 1
	}
	return 0, 0
}

func TestExposureStops(t *testing.T) {
	s, err := BlockCipher{New: aes.NewCipher}.OpenExposure(result.Case{Algorithm: "AES-128", Mode: "ECB", Operation: "exposure", Bytes: ExposureBytes}, picturesOnly{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Measure(ctx, provider.Budget{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: %v", err)
	}
}
