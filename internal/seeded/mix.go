package seeded

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/result"
)

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

// The parameters of a case whose operation replays a mix: sizes=mix, and how many
// messages one call of it takes.
const (
	mixKey      = "sizes"
	mixValue    = "mix"
	messagesKey = "messages"
)

// MixParameters adds to a case's parameters that one call takes n messages of the
// run's mix, one after the other. The case's Bytes are those of all n together.
func MixParameters(parameters string, n int) string {
	p, err := result.ParseParameters(parameters)
	if err != nil {
		p = result.Parameters{} // none of ours
	}
	p[mixKey], p[messagesKey] = mixValue, strconv.Itoa(n)
	return p.String()
}

// MixOf reads what [MixParameters] wrote: how many messages of the mix one call of
// the case takes, and the parameters that are left. n is 0 where the case does not
// replay a mix.
func MixOf(c result.Case) (n int, rest string) {
	if c.Parameter(mixKey) != mixValue {
		return 0, c.Parameters
	}
	var left []string
	for pair := range strings.SplitSeq(c.Parameters, ",") {
		if k, _, _ := strings.Cut(pair, "="); k != mixKey && k != messagesKey {
			left = append(left, pair)
		}
	}
	n, err := strconv.Atoi(c.Parameter(messagesKey))
	if err != nil || n < 1 {
		return 0, c.Parameters
	}
	return n, strings.Join(left, ",")
}
