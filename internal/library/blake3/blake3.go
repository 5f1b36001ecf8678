// Package blake3 measures github.com/zeebo/blake3: BLAKE3 of messages, as what could
// stand in MD5's place.
package blake3

import (
	"github.com/zeebo/blake3"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

const size = 32

func Providers(v provider.Vectors) []provider.Provider {
	loops := func(parameter.Manner) bulkhash.Loops[[size]byte] { return bulkhash.Sums(sum) }
	many := gobinding.Many(algorithm.BLAKE3, gobinding.Approved, new(bulkhash.Shared), loops).
		By(kernel, gobinding.Always(reason.Timing("yes", "arx-hash")))
	return []provider.Provider{gobinding.New(gobinding.Go(subject.BLAKE3, "github.com/zeebo/blake3"), v, many)}
}

func sum(digests [][size]byte, messages [][]byte) {
	for i, m := range messages {
		digests[i] = blake3.Sum256(m)
	}
}

// kernel follows internal/consts/cpu_*.go. Lanes are of the chunks of one message,
// 1 KiB each, so that short messages have one.
func kernel(result.Case) string {
	switch {
	case !isa.AMD64 || !isa.Assembly:
		return "generic"
	case isa.AVX2():
		return "avx2+sse4.1"
	case isa.SSE41():
		return "sse4.1"
	}
	return "generic"
}
