package judge

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/abnormal"
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Abnormal has the judge give an abnormal input of a case, whoever asks, until done. What must be refused has an output
// that nothing has.
func (j *Judge) Abnormal(i abnormal.Input) (done func()) {
	j.abnormal.Store(&i)
	return func() { j.abnormal.Store(nil) }
}

func (j *Judge) abnormalVector(c result.Case, i abnormal.Input) (*provider.Vector, error) {
	if algorithm.Of(c.Algorithm).Hashes() {
		key, err := message(c)
		if err != nil {
			return nil, err
		}
		return j.hashVector(key)
	}
	c.Operation = plain
	if err := bounded(c); err != nil {
		return nil, err
	}
	v, err := j.draw(c)
	switch {
	case err != nil:
		return nil, err
	case i.Refused() && i.Change == abnormal.Unchanged: // no whole blocks
		v.Ciphertext = slices.Clip(slices.Clone(v.Plaintext))
		return v, nil
	}
	if v.Ciphertext, err = judged(c, v); err != nil {
		return nil, err
	}
	v.Plaintext, v.Ciphertext = changed(i.Change, v.Plaintext, v.Ciphertext)
	return v, nil
}

// changed is a text and what was sealed of it, after what happened to that.
func changed(change abnormal.Change, plaintext, sealed []byte) (_, _ []byte) {
	n, sealed := len(sealed), slices.Clip(slices.Clone(sealed))
	text := n - algorithm.TagBytes
	switch change {
	case abnormal.WrongTag:
		sealed[n-1] ^= 1
	case abnormal.CutText:
		return slices.Clip(plaintext[:len(plaintext)-1]), slices.Clip(slices.Delete(sealed, text-1, text))
	case abnormal.CutEnd:
		return plaintext, sealed[: n-1 : n-1]
	case abnormal.NoTag:
		return plaintext[:0:0], sealed[: algorithm.TagBytes-1 : algorithm.TagBytes-1]
	}
	return plaintext, sealed
}
