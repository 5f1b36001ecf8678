package judge

import (
	"bytes"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

func randomMessage(c result.Case) (result.Case, error) {
	n, _ := algorithm.FixedBytes(c.Algorithm, c.Mode, c.Operation)
	switch {
	case c.Operation != algorithm.Draw || !algorithm.Of(c.Algorithm).Draws(c.Mode) || c.Parameters != "":
		return c, provider.Unsupported("no-judge-operation", c.Operation, c.Name())
	case c.Bytes != n:
		return c, provider.Unsupported("size-fixed", c.Name(), c.Operation, n)
	}
	return c, nil
}

// randomVector has room for what is drawn. Whether that is random nobody can tell of a few bytes; that it has been
// drawn anew, and is not blank, shows a generator that does nothing. Either happens by chance once in 2⁹⁵ draws.
func (j *Judge) randomVector(c result.Case) (*provider.Vector, error) {
	var mu sync.Mutex
	last := make([]byte, c.Bytes)
	blank := make([]byte, c.Bytes)
	return &provider.Vector{Plaintext: make([]byte, c.Bytes), Accept: func(got []byte) error {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case len(got) != len(last):
			return reason.New("random-length", len(got), len(last))
		case bytes.Equal(got, blank) || bytes.Equal(got, last):
			return reason.New("random-same")
		}
		copy(last, got)
		return nil
	}}, nil
}
