package plan

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// MostGoroutines is as many as people ask about; on large machines more, so that
// there are always several to a CPU.
func MostGoroutines(cpus int) int { return max(64, 4*cpus) }

func Harness(o Offers) (result.Subject, bool) {
	i := slices.IndexFunc(o, func(offer Offer) bool { return offer.Subject.Library == subject.Harness })
	if i < 0 {
		return result.Subject{}, false
	}
	return o[i].Subject, true
}

// LeastCrossed is the fewest sizes over which a crossover is looked for: between
// two it would be a guess.
const LeastCrossed = 3

var BothWays = []string{algorithm.Encrypt, algorithm.Decrypt}

const InterleaveUpTo int64 = 64 << 10

// IsHeadlineSize picks the sizes whose comparisons the answer stands on: a short
// and a long message of the usual extent, else the first two that were asked for.
// There are never more than two, because the blocks of the short form can't carry
// an exact interval for the comparisons of a third.
func IsHeadlineSize(size int64, all []int64) bool {
	if len(all) <= 2 {
		return true // asked for by name, or the short form's
	}
	missing := func(n int64) bool { return !slices.Contains(all, n) }
	usual := slices.DeleteFunc([]int64{1 << 10, 16 << 10, 64 << 10}, missing)
	if len(usual) > 0 {
		return size == usual[0] || size == usual[len(usual)-1]
	}
	return slices.Index(all, size) < 2
}

// OneEach keeps the first subject of each library: the kernel that it would run
// if nobody chose.
func OneEach(subjects []result.Subject) (firsts []result.Subject) {
	for _, s := range subjects {
		if !slices.ContainsFunc(firsts, func(f result.Subject) bool { return f.Library == s.Library }) {
			firsts = append(firsts, s)
		}
	}
	return firsts
}

// UsualSize is the size that the answer is about: 1 KiB where it is among them.
func UsualSize(sizes []int64) int64 { return Usual(1<<10, sizes) }

// UsualChunk is the one at which other things than chunks are compared: 64 KiB, or
// else the first that was asked for.
func UsualChunk(chunks []int64) int64 { return Usual(64<<10, chunks) }

// Usual is what is usual where it is among all, or else the first of them.
func Usual[T comparable](usual T, all []T) T {
	if slices.Contains(all, usual) {
		return usual
	}
	return all[0]
}

func Of(algorithm, mode, operation string) result.Case {
	return result.Case{Algorithm: algorithm, Mode: mode, Operation: operation}
}

// Each is every algorithm in every mode with every operation.
func Each(algorithms, modes, operations []string) (cases []result.Case) {
	for _, a := range algorithms {
		for _, m := range modes {
			for _, op := range operations {
				cases = append(cases, Of(a, m, op))
			}
		}
	}
	return cases
}

var Modeless = []string{""}

// RSALengths are the lengths of key. 512 bits show what a library says to keys that
// it does not permit; 8192 take long.
var RSALengths = []string{algorithm.RSA512, algorithm.RSA1024, algorithm.RSA2048, algorithm.RSA3072, algorithm.RSA4096,
	algorithm.RSA8192}

// AddDraws plans the drawing of keys, so many in a block: spread over the blocks, so that
// a slow minute does not fall on all of them. The worker's environment makes the library
// heed the seed, so that the same keys are drawn again, on this machine or another.
func AddDraws(b *Builder, s result.Subject, c result.Case, each int) *Trial {
	took := map[string]time.Duration{
		algorithm.RSA1024: 15 * time.Millisecond, algorithm.RSA2048: 110 * time.Millisecond, algorithm.RSA3072: 420 * time.Millisecond,
		algorithm.RSA4096: 1150 * time.Millisecond, algorithm.RSA8192: 15 * time.Second}[c.Algorithm]
	switch c.Algorithm { // else they take most of the time of all
	case algorithm.RSA8192:
		each = 1
	case algorithm.RSA3072, algorithm.RSA4096:
		each = min(each, 3)
	}
	c.Parameters = parameter.Draws.Is(each)
	s.Environment = parameter.RepeatableDraws
	t := b.Add(s, c)
	t.Window = time.Duration(each) * took
	return t
}
