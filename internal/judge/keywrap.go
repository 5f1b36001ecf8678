package judge

import (
	"fmt"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/result"
)

func wrappedMessage(c result.Case) (result.Case, error) {
	switch {
	case c.Operation != algorithm.Unwrap || !algorithm.Of(c.Algorithm).Unwraps(c.Mode):
		return c, provider.Unsupported("no-judge-operation", c.Operation, c.Name())
	case c.Bytes != 0 || c.Parameters != "":
		return c, provider.Unsupported("parameters", c.Name(), "–", c.Parameters)
	}
	return c, nil
}

// wrappedVector is a key that is wrapped under another. The reference must unwrap what it makes.
func (j *Judge) wrappedVector(c result.Case) (*provider.Vector, error) {
	label := fmt.Sprintf("case/%q/%q/%q", c.Algorithm, c.Mode, c.Operation)
	v := &provider.Vector{Key: j.bytes("key/"+label, algorithm.Of(c.Algorithm).Key), Plaintext: j.bytes(label, transportBytes)}
	b, err := referenceBlock(c.Algorithm, v.Key)
	if err != nil {
		return nil, err
	}
	v.Ciphertext = reference.WrapKey(b, v.Plaintext)
	return v, nil
}
