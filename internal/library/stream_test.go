package library

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/result"
)

// streams are cases of every kind of end, data and length: less than a chunk, a
// short last chunk, whole units, and chunks that do not divide a unit.
func streams(algorithm, mode string) (cs []result.Case) {
	for _, s := range []streaming.Shape{
		{Bytes: 1, Chunk: 4096},
		{Bytes: 4097, Chunk: 4096},
		{Bytes: 1 << 20, Chunk: 4096},
		{Bytes: 2 * streaming.UnitOf(5000), Chunk: 5000},
		{Bytes: 2 << 20, Chunk: 2 << 20},
		{Bytes: 100_000, Chunk: 16 << 10, Compress: true, Data: provider.Text},
		{Bytes: 1 << 20, Chunk: 256 << 10, Compress: true, Data: provider.Random},
	} {
		for _, s.File = range []bool{false, true} {
			cs = append(cs, result.Case{Algorithm: algorithm, Mode: mode, Operation: streaming.Operation, Bytes: s.Bytes, Parameters: s.Parameters()})
		}
	}
	return append(cs, result.Case{Algorithm: algorithm, Mode: mode, Operation: streaming.Operation, Bytes: 1024})
}

func TestStreams(t *testing.T) {
	setting := provider.Setting{Seed: 1, Dir: t.TempDir()}
	tests := map[int][]result.Case{0: streams("AES-256", "GCM"), 1: streams("ChaCha20-Poly1305", ""), 2: streams("SM4", "GCM"), established: streams("SM4", "GCM")}
	for i, cs := range tests {
		t.Run(withCiphers(NewJudge(setting))[i].Subject().Library, func(t *testing.T) {
			open, judge := library(i), NewJudge(setting)
			providertest.Run(t, open(judge), cs)
			for _, c := range cs {
				if c.Bytes > 1<<20 {
					continue
				}
				if err := providertest.Sensitive(open, judge, c); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestStreamOpens takes a judged unit apart with the reference, by the framing as
// it is documented: the judge does not judge itself.
func TestStreamOpens(t *testing.T) {
	for _, c := range []result.Case{
		{Algorithm: "SM4", Mode: "GCM", Operation: streaming.Operation, Bytes: 100_000, Parameters: "chunk=4096,io=file"},
		{Algorithm: "AES-256", Mode: "GCM", Operation: streaming.Operation, Bytes: 2 << 20, Parameters: "chunk=262144,compress=zstd,data=text,io=memory"},
	} {
		v, err := NewJudge(provider.Setting{Seed: 3}).Vector(c)
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
	for _, n := range []int{1, 4096, wholeUpTo, wholeUpTo + 16, 1 << 20} {
		chunk := provider.Data(1, provider.Text, n)
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

func TestStreamRefusals(t *testing.T) {
	all := withCiphers(NewJudge(provider.Setting{Seed: 1}))
	for _, c := range []result.Case{
		{Algorithm: "AES-256", Mode: "GCM", Operation: streaming.Operation, Bytes: 1 << 20, Parameters: "chunk=512"},
		{Algorithm: "AES-256", Mode: "GCM", Operation: streaming.Operation, Bytes: 1<<20 + 1, Parameters: "chunk=4096"},
		{Algorithm: "AES-256", Mode: "GCM", Operation: streaming.Operation, Bytes: 1 << 20, Parameters: "chunk=04096"},
		{Algorithm: "AES-256", Mode: "GCM", Operation: streaming.Operation, Bytes: 1 << 20, Parameters: "chunk=4096,io=pipe"},
		{Algorithm: "AES-256", Mode: "CTR", Operation: streaming.Operation, Bytes: 1 << 20},
		{Algorithm: "AES-256", Mode: "GCM", Operation: streaming.Operation},
	} {
		if err := providertest.Verify(all[0], c); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%+v: %v, want unsupported", c, err)
		}
	}
	missing := provider.Setting{Seed: 1, Dir: "/nowhere/at/all"}
	c := result.Case{Algorithm: "AES-256", Mode: "GCM", Operation: streaming.Operation, Bytes: 1 << 20, Parameters: "chunk=4096,io=file"}
	_, err := provider.Prepare(withCiphers(NewJudge(missing))[0], c)
	if want := "making a file in /nowhere/at/all: no such file or directory"; err == nil || fmt.Sprint(err) != want {
		t.Errorf("%v, want %q", err, want)
	}
}
