package judge

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

func ownData(t *testing.T, data string) *provider.Own {
	t.Helper()
	name := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	own, err := provider.ReadOwn(f)
	if err != nil {
		t.Fatal(err)
	}
	return own
}

// TestOwnPlaintext: the user's data stand where plaintexts are drawn, and nothing else changes; the output is theirs.
func TestOwnPlaintext(t *testing.T) {
	const data = "user;amount\nalice;12\n"
	mix := []result.SizeShare{{Bytes: 5, Weight: 1}, {Bytes: 50, Weight: 1}}
	sizes := 0
	for _, n := range seeded.DrawMix(7, mix, 4) {
		sizes += n
	}
	own := New(provider.Setting{Seed: 7, Own: ownData(t, data), Mix: mix})
	drawn := New(provider.Setting{Seed: 7, Mix: mix})
	stream := parameter.Join(parameter.Chunk.Is(1<<10), parameter.IO.Is(parameter.Memory))
	for _, c := range []result.Case{
		{Algorithm: algorithm.AES128, Mode: algorithm.GCM, Operation: algorithm.Encrypt, Bytes: 100},
		{Algorithm: algorithm.SM4, Mode: algorithm.CBC, Operation: algorithm.Decrypt, Bytes: 64},
		{Algorithm: algorithm.AES128, Mode: algorithm.GCM, Operation: algorithm.Encrypt, Bytes: int64(sizes), Parameters: seeded.MixParameters("", 4)},
		{Algorithm: algorithm.AES128, Mode: algorithm.GCM, Operation: algorithm.EncryptMany, Bytes: 60,
			Parameters: parameter.Join(parameter.Messages.Is(3), parameter.Keys.Is(1), parameter.Way.Is(parameter.Kept))},
		{Algorithm: algorithm.AES256, Mode: algorithm.GCM, Operation: algorithm.Stream, Bytes: 1 << 20, Parameters: stream},
		{Algorithm: algorithm.SHA256, Operation: algorithm.Hash, Bytes: 30},
		{Algorithm: algorithm.HMACSM3, Operation: algorithm.MAC, Bytes: 30},
		{Algorithm: algorithm.SHA256, Operation: algorithm.HashMany, Bytes: 60, Parameters: parameter.Join(parameter.Messages.Is(3), parameter.Way.Is(parameter.Sum))},
		{Algorithm: algorithm.HMACSHA256, Operation: algorithm.MACMany, Bytes: 60, Parameters: parameter.Join(parameter.Messages.Is(3), parameter.Keys.Is(1), parameter.Way.Is(parameter.Kept))},
		{Algorithm: algorithm.Envelope, Mode: algorithm.X25519Envelope, Operation: algorithm.Seal, Bytes: 40},
	} {
		was, err := drawn.Vector(c)
		if err != nil {
			t.Errorf("%s %s %s: %v", c.Name(), c.Operation, c.Parameters, err)
			continue
		}
		got, err := own.Vector(c)
		if err != nil {
			t.Errorf("%s %s %s: %v", c.Name(), c.Operation, c.Parameters, err)
			continue
		}
		texts := [][]byte{got.Plaintext}
		for _, m := range got.Messages {
			texts = append(texts, m.Plaintext)
		}
		for _, text := range texts {
			if !bytes.Equal(text, bytes.Repeat([]byte(data), len(text)/len(data)+1)[:len(text)]) {
				t.Errorf("%s %s encrypts %q", c.Name(), c.Operation, text)
			}
		}
		if !bytes.Equal(got.Key, was.Key) || !bytes.Equal(got.Nonce, was.Nonce) || digest(got) == digest(was) {
			t.Errorf("%s %s: the key, the nonce or the output", c.Name(), c.Operation)
		}
	}
	v, err := own.Vector(result.Case{Algorithm: algorithm.SHA256, Operation: algorithm.Hash, Bytes: int64(len(data))})
	if err != nil || !bytes.Equal(v.Digest, reference.SHA256([]byte(data))) {
		t.Errorf("its digest: %x, %v", v.Digest, err)
	}
}

// TestKindsOfData: a stream of a kind that is named stays what it is; the user's kind needs the user's data.
func TestKindsOfData(t *testing.T) {
	c := func(kind parameter.Kind) result.Case {
		return result.Case{Algorithm: algorithm.AES256, Mode: algorithm.GCM, Operation: algorithm.Stream, Bytes: 1 << 20,
			Parameters: parameter.Join(parameter.Chunk.Is(64<<10), parameter.IO.Is(parameter.Memory), parameter.Data.Is(kind), parameter.Compress.Is(parameter.Zstd))}
	}
	own, drawn := New(provider.Setting{Seed: 7, Own: ownData(t, "0123456789")}), New(provider.Setting{Seed: 7})
	for _, kind := range []parameter.Kind{parameter.Text, parameter.Random} {
		a, err := own.Vector(c(kind))
		if err != nil {
			t.Fatal(err)
		}
		b, err := drawn.Vector(c(kind))
		if err != nil || !bytes.Equal(a.Plaintext, b.Plaintext) {
			t.Errorf("%s is other data with the user's: %v", kind, err)
		}
	}
	v, err := own.Vector(c(parameter.Sampled))
	if err != nil || !bytes.HasPrefix(v.Plaintext, []byte("01234567890123")) {
		t.Errorf("%.20q, %v", v.Plaintext, err)
	}
	if _, err := drawn.Vector(c(parameter.Sampled)); err == nil {
		t.Error("there are no data of the user's, and they are encrypted")
	}
}
