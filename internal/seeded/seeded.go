// Package seeded draws from the run's seed what plans and workers must draw alike:
// random bytes, and message sizes of a histogram.
package seeded

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

// Source is the stream of random bytes that belongs to a seed and a label.
// Different labels give independent streams.
func Source(seed uint64, label string) *rand.ChaCha8 {
	return rand.NewChaCha8(sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, seed), label...)))
}

// DrawMix draws n message sizes from a histogram, in the order in which they are
// replayed. The same seed, histogram and n give the same sequence everywhere,
// however the lines of the histogram are ordered.
//
// The draw is stratified: the distribution is cut into n parts of equal weight,
// from the shortest messages to the longest, and each part gives one size. So the
// mean is unbiased, and of a size with the share p there are never fewer than
// ⌊p·n⌋−1 nor more than ⌈p·n⌉+1, where independent draws would scatter with √n.
//
// Weights are above 0. An empty histogram gives no sizes.
func DrawMix(seed uint64, mix []result.SizeShare, n int) []int {
	if len(mix) == 0 {
		return nil
	}
	rising := slices.Clone(mix)
	slices.SortStableFunc(rising, func(a, b result.SizeShare) int { return int(a.Bytes - b.Bytes) })
	var total float64
	for _, s := range rising {
		total += s.Weight
	}
	random := rand.New(Source(seed, "mix"))
	sizes := make([]int, n)
	at, below := 0, 0.0 // below is the weight of the lines before at
	for i := range sizes {
		u := (float64(i) + random.Float64()) / float64(n) * total
		for at < len(rising)-1 && u >= below+rising[at].Weight {
			below += rising[at].Weight
			at++
		}
		sizes[i] = int(rising[at].Bytes)
	}
	random.Shuffle(n, func(i, j int) { sizes[i], sizes[j] = sizes[j], sizes[i] })
	return sizes
}

// MixParameters adds to a case's parameters that one call takes n messages of the
// run's mix, one after the other. The case's Bytes are those of all n together.
func MixParameters(parameters string, n int) string {
	return parameter.With(parameters, parameter.Sizes.Is(parameter.Mix), parameter.Messages.Is(int64(n)))
}

// MixOf reads what [MixParameters] wrote: how many messages of the mix one call of
// the case takes, and the parameters that are left. n is 0 where the case does not
// replay a mix.
func MixOf(c result.Case) (n int, rest string) {
	n = int(parameter.Messages.In(c.Parameters))
	if n == 0 || parameter.Sizes.In(c.Parameters) != parameter.Mix {
		return 0, c.Parameters
	}
	return n, parameter.Without(c.Parameters, parameter.Sizes, parameter.Messages)
}
