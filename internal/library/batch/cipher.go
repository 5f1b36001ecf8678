package batch

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Texts are messages that a call encrypts, each with a nonce or IV of its own and room for its ciphertext and tag.
type Texts struct {
	Batch
	Nonces, Out [][]byte
}

// A TextMaker prepares the call that encrypts texts: keys may be made ready before.
type TextMaker func(Texts) (func(), error)

// textNotes say what a call of [algorithm.EncryptMany] does, by way.
var textNotes = map[parameter.Manner]string{
	parameter.New:      "for each a new cipher and a new mode",
	parameter.Kept:     "the keys are made ready before, one message after the other",
	parameter.Lanes:    notes[parameter.Lanes],
	parameter.LanesNew: "the keys are raw, and scheduled in it; all in one call, on one core",
}

// tagBytes is by how much a ciphertext is longer than its text.
func tagBytes(mode algorithm.Mode) int {
	if mode == algorithm.GCM {
		return 16
	}
	return 0
}

// TextsOf are the messages of a vector of [algorithm.EncryptMany], with its Ciphertext for the output.
func TextsOf(c result.Case, v *provider.Vector) (Texts, error) {
	s, err := ShapeOf(c)
	if err != nil {
		return Texts{}, err
	}
	key, nonce, out := algorithm.Of(c.Algorithm).Key, algorithm.NonceBytes(c.Algorithm, c.Mode), int(s.Size())+tagBytes(c.Mode)
	if len(v.Plaintext) != int(s.Bytes) || len(v.Key) != int(s.Keys)*key || len(v.Nonce) != int(s.Messages)*nonce ||
		len(v.Ciphertext) != int(s.Messages)*out {
		return Texts{}, fmt.Errorf("batch: internal error: %d bytes of keys, %d of nonces, %d of messages and %d of ciphertexts",
			len(v.Key), len(v.Nonce), len(v.Plaintext), len(v.Ciphertext))
	}
	chunks := func(b []byte, n int) [][]byte { return slices.Collect(slices.Chunk(b, n)) }
	return Texts{Batch{chunks(v.Key, key), chunks(v.Plaintext, int(s.Size()))}, chunks(v.Nonce, nonce), chunks(v.Ciphertext, out)}, nil
}

// NewVector has room for the keys, nonces, messages and ciphertexts of a case, which take draws.
func NewVector(c result.Case, take func(n int) []byte) (*provider.Vector, error) {
	s, err := ShapeOf(c)
	if err != nil {
		return nil, err
	}
	n := int(s.Messages)
	return &provider.Vector{Key: take(int(s.Keys) * algorithm.Of(c.Algorithm).Key),
		Nonce: take(n * algorithm.NonceBytes(c.Algorithm, c.Mode)), Plaintext: take(int(s.Bytes)),
		Ciphertext: make([]byte, n*(int(s.Size())+tagBytes(c.Mode)))}, nil
}

// One is the case of one of the messages by itself.
func One(c result.Case) result.Case {
	if s, err := ShapeOf(c); err == nil {
		c.Operation, c.Bytes, c.Parameters = algorithm.Encrypt, s.Size(), ""
	}
	return c
}

// OpenTexts prepares a case of [algorithm.EncryptMany] that a policy allows.
func OpenTexts(c result.Case, vs provider.Vectors, makers map[parameter.Manner]TextMaker,
	allowed func(result.Case) error) (provider.Operation, error) {
	_, maker, v, err := opening(c, vs, c.Name(), makers, allowed)
	if err != nil {
		return nil, err
	}
	own := *v
	own.Ciphertext = bytes.Clone(v.Ciphertext)
	t, err := TextsOf(c, &own)
	if err != nil {
		return nil, err
	}
	call, err := maker(t)
	if err != nil {
		return nil, err
	}
	return newOperation(call, judgeTexts, len(t.Out[0]), own.Ciphertext, v.Ciphertext), nil
}

func judgeTexts(got, want []byte, size int) error {
	wrong, first := 0, 0
	for i := 0; i*size < len(want); i++ {
		if from, to := i*size, (i+1)*size; !bytes.Equal(got[from:to], want[from:to]) {
			if wrong++; wrong == 1 {
				first = i + 1
			}
		}
	}
	if wrong > 0 {
		return reason.New("texts-wrong", len(want)/size, wrong, first)
	}
	return nil
}
