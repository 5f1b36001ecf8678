//go:build linux && (amd64 || arm64)

package cbinding

import (
	"errors"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

type noVectors struct{}

func (noVectors) Vector(result.Case) (*provider.Vector, error) { return nil, nil }

// counting is a library that counts messages of 64 bytes, by path.
func counting(path call.Path, calls map[string]int) Provider {
	return Provider{Library: &Library{Vectors: noVectors{}}, Path: path,
		Kind: func(c result.Case) Kind {
			if c.Parameters != "" || c.Bytes != 64 {
				return None
			}
			return Cipher
		},
		Opens: map[Kind]Opening{Cipher: func(s *Session, _ result.Case, _ *provider.Vector) (provider.Operation, error) {
			return loop.NewForeign(loop.Foreign{Blank: true, Run: func(n int) error {
				calls[s.Path.Name] += n
				return nil
			}})
		}}}
}

// TestBatches: a batch of cgo's is so many messages of the loop in C, each of its share
// of the bytes, and no other path has one.
func TestBatches(t *testing.T) {
	calls := map[string]int{}
	c := result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "encrypt", Bytes: 64 * 10, Parameters: "batch=10"}
	for _, path := range call.Paths() {
		p := counting(path, calls)
		op, err := p.Open(c)
		if path.Name != "cgo" {
			if !errors.Is(err, provider.ErrAbsent) {
				t.Errorf("%s has batches: %v", path.Name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(op.Run(3), op.Check()); err != nil || calls["c-loop"] != 30 || calls["cgo"] != 0 {
			t.Errorf("%v, %v", err, calls)
		}
		for _, parameters := range []string{"batch=7", "batch=0", "batch=10,way=update"} {
			odd := c
			odd.Parameters = parameters
			if _, err := p.Open(odd); !errors.Is(err, provider.ErrAbsent) {
				t.Errorf("%s: %v", parameters, err)
			}
		}
		alone := c
		alone.Bytes, alone.Parameters = 64, ""
		if op, err = p.Open(alone); err != nil || op.Run(2) != nil || calls["cgo"] != 2 {
			t.Errorf("a single message: %v, %v", err, calls)
		}
	}
}
