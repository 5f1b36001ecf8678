package judge

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestStreamOpens takes a judged unit apart with the reference, by the framing as
// it is documented: the judge does not judge itself.
func TestStreamOpens(t *testing.T) {
	for _, c := range []result.Case{
		{Algorithm: "SM4", Mode: "GCM", Operation: algorithm.Stream, Bytes: 100_000, Parameters: "chunk=4096,io=file"},
		{Algorithm: "AES-256", Mode: "GCM", Operation: algorithm.Stream, Bytes: 2 << 20, Parameters: "chunk=262144,compress=zstd,data=text,io=memory"},
	} {
		v, err := New(provider.Setting{Seed: 3}).Vector(c)
		if err != nil {
			t.Fatal(err)
		}
		shape, err := streaming.ShapeOf(c)
		if err != nil {
			t.Fatal(err)
		}
		b, err := referenceBlock(c.Algorithm, v.Key)
		if err != nil {
			t.Fatal(err)
		}
		var plain []byte
		rest, number := v.Ciphertext, uint32((shape.Bytes-shape.Unit)/shape.Chunk)
		for ; len(rest) > 0; number++ {
			n := min(int(shape.Chunk)+16, len(rest))
			if shape.Compress {
				n = int(binary.BigEndian.Uint32(rest))
				rest = rest[4:]
			}
			mark := byte(0)
			if n == len(rest) {
				mark = 1
			}
			nonce := append(binary.BigEndian.AppendUint32(slices.Clone(v.Nonce), number), mark)
			chunk, err := reference.OpenGCM(b, nonce, rest[:n], nil)
			if err != nil {
				t.Fatalf("%s: chunk %d: %v", c.Name(), number, err)
			}
			if shape.Compress {
				if chunk, err = streaming.Unpacked(chunk); err != nil {
					t.Fatal(err)
				}
			}
			plain, rest = append(plain, chunk...), rest[n:]
		}
		if !bytes.Equal(plain, v.Plaintext) {
			t.Errorf("%s: the unit opens to something else", c.Name())
		}
	}
}

// TestStreamProof: what the reference disagrees with is not judged by.
func TestStreamProof(t *testing.T) {
	key, nonce := make([]byte, 16), make([]byte, 12)
	b, err := reference.NewSM4(key)
	if err != nil {
		t.Fatal(err)
	}
	a, err := fastAEAD("SM4", key)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 4096, Whole, Whole + 16, 1 << 20} {
		chunk := provider.Data(1, parameter.Text, n)
		sealed := a.Seal(nil, nonce, chunk, nil)
		if err := proveChunk(b, nonce, chunk, sealed); err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
		sealed[0] ^= 1
		if proveChunk(b, nonce, chunk, sealed) == nil {
			t.Errorf("%d bytes: a wrong first byte passes", n)
		}
	}
}
