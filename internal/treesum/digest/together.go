package digest

import (
	"crypto/fips140"
	"hash"
	"io"
	"slices"

	"github.com/cryptogauge/cryptogauge/multibuffer"
)

// New returns a hash for one long message.
func (a *Algorithm) New() hash.Hash { return a.new() }

// Summer returns one for the calling goroutine.
func (a *Algorithm) Summer() Summer { return a.summer() }

// Read hashes what comes from readers until io.EOF: sums[i] is the digest of readers[i], or errs[i] is
// what ended it. Call it with so many as Together says that it pays.
func (a *Algorithm) Read(sums []Sum, errs []error, readers []io.Reader) { a.read(sums, errs, readers) }

// Together says from how many long messages on reading them at once beats one after the other, and how
// many at once are best. Both are 1 where it never does.
func (a *Algorithm) Together() (fewest, most int) {
	names := multibuffer.Implementations()
	t, ok := together[names[0]][a.Name]
	if !ok || fips140.Enforced() {
		return 1, 1
	}
	if pairs, ok := together[byPairs][a.Name]; ok && slices.Contains(names, byPairs) {
		t.fewest = min(t.fewest, pairs.fewest) // few messages are left to it
	}
	return t.fewest, t.most
}

// byPairs is the implementation that hashes two messages at once by the SHA instructions.
const byPairs = "avx2+sha-ni"

// together is what multibuffer's package documentation says of its implementations, each by itself.
var together = map[string]map[string]struct{ fewest, most int }{
	"avx512": {"md5": {3, 64}, "sm3": {2, 32}, "sha256": {10, 32}, "sha1": {6, 48}},
	byPairs:  {"md5": {3, 16}, "sm3": {2, 8}, "sha256": {2, 2}, "sha1": {2, 2}},
	"avx2":   {"md5": {3, 16}, "sm3": {2, 8}},
}

// inLanes is a Summer by multibuffer.
func inLanes[D any](sum func([]D, [][]byte), bytes func(*D) []byte) func() Summer {
	return func() Summer {
		var digests []D
		return func(sums []Sum, messages [][]byte) {
			digests = slices.Grow(digests[:0], len(messages))[:len(messages)]
			sum(digests, messages)
			for i := range digests {
				copy(sums[i][:], bytes(&digests[i]))
			}
		}
	}
}

// inStep reads by multibuffer.
func inStep[D any](read func(multibuffer.Hasher, []D, []error, []io.Reader), bytes func(*D) []byte) func([]Sum, []error, []io.Reader) {
	return func(sums []Sum, errs []error, readers []io.Reader) {
		digests := make([]D, len(readers))
		read(multibuffer.New(), digests, errs, readers)
		for i := range digests {
			copy(sums[i][:], bytes(&digests[i]))
		}
	}
}

// array is what the standard library's one-shot functions return.
type array interface {
	[28]byte | [32]byte | [48]byte | [64]byte
}

// oneByOne is a Summer where nothing is faster.
func oneByOne[D array](sum func(message []byte) D) func() Summer {
	return func() Summer {
		return func(sums []Sum, messages [][]byte) {
			for i, m := range messages {
				d := sum(m)
				for j := range len(d) {
					sums[i][j] = d[j]
				}
			}
		}
	}
}

// eachNew is oneByOne for what has no one-shot function.
func eachNew(construct func() hash.Hash) func() Summer {
	return func() Summer {
		h := construct()
		return func(sums []Sum, messages [][]byte) {
			for i, m := range messages {
				h.Reset()
				h.Write(m)
				h.Sum(sums[i][:0])
			}
		}
	}
}
