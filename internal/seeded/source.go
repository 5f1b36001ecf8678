// Package seeded draws from the run's seed what plans and workers must draw alike:
// random bytes, and message sizes of a histogram.
package seeded

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Source is the stream of random bytes that belongs to a seed and a label.
// Different labels give independent streams.
func Source(seed uint64, label string) *rand.ChaCha8 {
	return rand.NewChaCha8(sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, seed), label...)))
}
