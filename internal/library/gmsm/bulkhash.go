package gmsm

import (
	"github.com/emmansun/gmsm/sm3"

	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// openBulk hashes many messages.
func (l library) openBulk(c result.Case) (provider.Operation, error) {
	if c.Algorithm != "SM3" {
		return nil, provider.Absent("not-offered", "gmsm", c.Name()+" "+c.Operation)
	}
	if err := allowed(c); err != nil {
		return nil, err
	}
	loops := bulkhash.Loops[[sm3.Size]byte]{Each: func() bulkhash.Loop[[sm3.Size]byte] { return sm3Sum }}
	if parameter.Way.In(c.Parameters) == parameter.Sum {
		loops.Alone = func(digests [][sm3.Size]byte, messages [][]byte, _ []string) { sm3Sum(digests, messages) }
	}
	return bulkhash.Open(c, l.vectors, loops)
}

func sm3Sum(digests [][sm3.Size]byte, messages [][]byte) {
	for i, m := range messages {
		digests[i] = sm3.Sum(m)
	}
}
