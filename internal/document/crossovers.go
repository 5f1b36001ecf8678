package document

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// A crossover rests on two things. That there is one, and between which of the
// measured sizes, is what the verdicts say: one of the pair is faster at one size
// and the other at a later one, both for certain. Where it lies between them is
// interpolated, block by block (see [stat.Cross]). So no crossover is read off
// curves that merely touch, and where the verdicts do not tell, none is claimed.
//
// What one side of a pair does besides, such as crossing into C, fades as messages grow.
// From which size on it takes less than the share that the pair names is read likewise,
// from the intervals of the comparisons.

type sizedPair struct {
	bytes       int64
	base, other *Row
	*Comparison
	of sides
}

// sides are what a pair compares at every size.
type sides struct {
	experiment  string
	base, other side
	within      float64
}

// side is what one half of a pair is at every size. A library may run another
// kernel on longer messages, so the kernel does not belong to it, and nth tells
// the kernels of a library apart that are measured side by side.
type side struct {
	trial result.Trial // without its implementation and its size
	nth   int
}

func (b *builder) buildCrossovers() {
	b.overSizes(func(p result.Pair) bool { return p.Crossover }, b.crossoversOf)
	b.overSizes(func(p result.Pair) bool { return p.Within > 0 }, b.fadingOf)
}

func (b *builder) overSizes(asks func(result.Pair) bool, read func([]sizedPair) []Crossover) {
	compared := map[[2]string]*Comparison{}
	for i := range b.doc.Comparisons {
		c := &b.doc.Comparisons[i]
		compared[[2]string{c.Base, c.Other}] = c
	}
	var found []sizedPair
	for _, g := range b.run.Groups {
		at := b.sidesOf(g)
		for _, p := range g.Pairs {
			base, other := b.doc.Rows[p.Base], b.doc.Rows[p.Other]
			c := compared[[2]string{base.ID, other.ID}]
			if !asks(p) || c == nil || base.Bytes != other.Bytes || base.Bytes <= 0 {
				continue
			}
			of := sides{g.Experiment, at[p.Base], at[p.Other], p.Within}
			found = append(found, sizedPair{base.Bytes, base, other, c, of})
		}
	}
	for _, ps := range Grouped(found, func(p sizedPair) sides { return p.of }) {
		slices.SortStableFunc(ps, func(x, y sizedPair) int { return cmp.Compare(x.bytes, y.bytes) })
		ps = slices.CompactFunc(ps, func(x, y sizedPair) bool { return x.bytes == y.bytes })
		if len(ps) >= 2 {
			b.doc.Crossovers = append(b.doc.Crossovers, read(ps)...)
		}
	}
}

// sidesOf names the trials of a group without what may change with the size.
func (b *builder) sidesOf(g result.Group) map[int]side {
	at := map[int]side{}
	seen := map[result.Trial]int{}
	for _, t := range g.Trials {
		trial := b.doc.Rows[t].Info.Trial
		trial.Subject.Implementation = ""
		nth := seen[trial]
		seen[trial]++
		trial.Case.Bytes = 0
		at[t] = side{trial, nth}
	}
	return at
}

// crossoversOf reads the verdicts over the sizes. There is one crossover for each
// change of places, and one that says what was found where there is no change.
func (b *builder) crossoversOf(ps []sizedPair) (out []Crossover) {
	last := -1 // the last place with a winner
	for i, p := range ps {
		if p.lead() == 0 {
			continue
		}
		if last >= 0 && ps[last].lead() != p.lead() {
			out = append(out, b.overtaking(ps, last, i))
		}
		last = i
	}
	if len(out) == 0 {
		out = append(out, staying(ps))
	}
	return out
}

// lead is 1 where the other is faster, −1 where the base is, and 0 where there is
// no winner.
func (c *Comparison) lead() int {
	return map[string]int{string(stat.Faster): 1, string(stat.Slower): -1}[c.Verdict]
}

func crossoverOf(ps []sizedPair, kind string) Crossover {
	return Crossover{A: ps[0].base.ID, B: ps[0].other.ID, Kind: kind,
		Sizes:       Mapped(ps, func(p sizedPair) int64 { return p.bytes }),
		Comparisons: Mapped(ps, func(p sizedPair) string { return p.ID })}
}

func staying(ps []sizedPair) Crossover {
	leads, level := 0, 0
	for _, p := range ps {
		if l := p.lead(); l != 0 {
			leads = l
		} else if p.Verdict == string(stat.Same) {
			level++
		} else {
			return crossoverOf(ps, Undecided)
		}
	}
	if level == len(ps) {
		return crossoverOf(ps, Level)
	}
	c := crossoverOf(ps, Never)
	if leads > 0 {
		c.A, c.B = c.B, c.A
	}
	return c
}

func (b *builder) overtaking(ps []sizedPair, from, to int) Crossover {
	c := crossoverOf(ps, Overtakes)
	sizes, curves := b.curves(ps[from : to+1])
	if ps[from].lead() > 0 {
		c.A, c.B = c.B, c.A
		for _, curve := range curves {
			for i := range curve {
				curve[i] = -curve[i]
			}
		}
	}
	c.locate(sizes, curves, b.noise.floor)
	return c
}

// locate estimates where, between the first and the last size of the curves, they cross
// zero. Where no block has a reading at each size, nothing is known.
func (c *Crossover) locate(sizes []float64, curves [][]float64, floor float64) {
	c.Between = []int64{int64(sizes[0]), int64(sizes[len(sizes)-1])}
	s := stat.Cross(sizes, curves, stat.RowLevel, floor)
	if s.Blocks == 0 {
		c.Kind = Undecided
		return
	}
	c.Bytes = &Estimate{Median: s.Size}
	c.Bytes.Low, c.Bytes.High, c.Bytes.Level = shown(s.Low, s.High, s.Level, stat.RowLevel)
}

// curves are log ratios of the other's speed to the base's over sizes, a curve a block;
// NaN stands where a block lacks a size.
func (b *builder) curves(ps []sizedPair) (sizes []float64, curves [][]float64) {
	blocks := map[int32][]float64{}
	for i, p := range ps {
		sizes = append(sizes, float64(p.bytes))
		pairs := b.pair(p.base.Trial, p.other.Trial)
		for block, ratio := range pairs.logRatios() {
			if blocks[block] == nil {
				blocks[block] = slices.Repeat([]float64{math.NaN()}, len(ps))
			}
			blocks[block][i] = ratio
		}
	}
	return sizes, slices.Collect(maps.Values(blocks))
}

func (b *builder) fadingOf(ps []sizedPair) []Crossover {
	c := crossoverOf(ps, Undecided)
	c.Within = ps[0].of.within
	last, first := -1, -1 // the last size that is surely beyond, and the first after it surely within
	far, near := 0, 0
	for i, p := range ps {
		switch p.beyond(c.Within) {
		case 1:
			last, first = i, -1
			far++
		case -1:
			if near++; first < 0 {
				first = i
			}
		}
	}
	switch {
	case near == len(ps):
		c.Kind = Fades // at the least of the sizes already
	case far == len(ps):
		c.Kind = Never
	case last >= 0 && first >= 0:
		b.fading(&c, ps[last:first+1])
	}
	return []Crossover{c}
}

// beyond is 1 where the other of a comparison takes more than the share more time for
// certain, −1 where it takes less for certain, and 0 where neither is.
func (c *Comparison) beyond(within float64) int {
	switch limit := 1 / (1 + within); {
	case c.Low == nil || c.High == nil || c.Level < stat.RowLevel:
		return 0
	case *c.High < limit:
		return 1
	case *c.Low > limit:
		return -1
	}
	return 0
}

// leastExcess is the least share that is still a number on a logarithmic scale.
const leastExcess = 1e-4

// fading estimates where between two sizes. A fixed cost is a share of the time
// that falls as the size grows, a straight line where both are logarithms; so what is
// interpolated is the logarithm of the share, over the one that is asked for.
func (b *builder) fading(c *Crossover, ps []sizedPair) {
	sizes, curves := b.curves(ps)
	for _, curve := range curves {
		for i, speed := range curve { // a logarithm
			curve[i] = math.Log(c.Within / max(math.Expm1(-speed), leastExcess))
		}
	}
	c.Kind = Fades
	// The noise floor is a share of the whole time, and so a greater one of the excess.
	c.locate(sizes, curves, math.Expm1(b.noise.floor/c.Within))
}
