package document

import (
	"cmp"
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

// sizedPair is a declared pair at one of its sizes.
type sizedPair struct {
	bytes       int64
	base, other *Row
	comparison  *Comparison
}

// side is what one half of a pair is at every size. A library may run another
// kernel on longer messages, so the kernel does not belong to it, and nth tells
// the kernels of a library apart that are measured side by side.
type side struct {
	subject result.Subject // without its implementation
	what    result.Case    // without its size
	nth     int
}

type sides struct {
	experiment  string
	base, other side
}

// buildCrossovers finds the crossovers of the pairs that ask for it.
func (b *builder) buildCrossovers() {
	compared := map[[2]string]*Comparison{}
	for i := range b.doc.Comparisons {
		c := &b.doc.Comparisons[i]
		compared[[2]string{c.Base, c.Other}] = c
	}
	found := map[sides][]sizedPair{}
	var order []sides
	for _, g := range b.run.Groups {
		at := b.sidesOf(g)
		for _, p := range g.Pairs {
			base, other := &b.doc.Rows[p.Base], &b.doc.Rows[p.Other]
			c := compared[[2]string{base.ID, other.ID}]
			if !p.Crossover || c == nil || base.Bytes != other.Bytes || base.Bytes <= 0 {
				continue
			}
			key := sides{g.Experiment, at[p.Base], at[p.Other]}
			if found[key] == nil {
				order = append(order, key)
			}
			found[key] = append(found[key], sizedPair{base.Bytes, base, other, c})
		}
	}
	for _, key := range order {
		b.doc.Crossovers = append(b.doc.Crossovers, b.crossoversOf(found[key])...)
	}
}

// sidesOf names the trials of a group without what may change with the size.
func (b *builder) sidesOf(g result.Group) map[int]side {
	at := map[int]side{}
	seen := map[result.Trial]int{}
	for _, t := range g.Trials {
		trial := b.doc.Rows[t].Info.Trial
		trial.Subject.Implementation = ""
		s := side{subject: trial.Subject, what: trial.Case, nth: seen[trial]}
		seen[trial]++
		s.what.Bytes = 0
		at[t] = s
	}
	return at
}

// crossoversOf reads the verdicts over the sizes. There is one crossover for each
// change of places, and one that says what was found where there is no change.
func (b *builder) crossoversOf(ps []sizedPair) (out []Crossover) {
	slices.SortStableFunc(ps, func(x, y sizedPair) int { return cmp.Compare(x.bytes, y.bytes) })
	ps = slices.CompactFunc(ps, func(x, y sizedPair) bool { return x.bytes == y.bytes })
	if len(ps) < 2 {
		return nil
	}
	last := -1 // the last place with a winner
	for i, p := range ps {
		if lead(p.comparison) == 0 {
			continue
		}
		if last >= 0 && lead(ps[last].comparison) != lead(p.comparison) {
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
func lead(c *Comparison) int {
	switch stat.Verdict(c.Verdict) {
	case stat.Faster:
		return 1
	case stat.Slower:
		return -1
	}
	return 0
}

// crossoverOf is what all crossovers of a pair have in common; turned makes a the
// pair's other.
func crossoverOf(ps []sizedPair, turned bool) Crossover {
	c := Crossover{A: ps[0].base.ID, B: ps[0].other.ID}
	if turned {
		c.A, c.B = c.B, c.A
	}
	for _, p := range ps {
		c.Sizes, c.Comparisons = append(c.Sizes, p.bytes), append(c.Comparisons, p.comparison.ID)
	}
	return c
}

// staying says what a pair does that does not change places.
func staying(ps []sizedPair) Crossover {
	leads, level := 0, 0
	for _, p := range ps {
		if l := lead(p.comparison); l != 0 {
			leads = l
		} else if p.comparison.Verdict == string(stat.Same) {
			level++
		} else {
			c := crossoverOf(ps, false)
			c.Kind = Undecided
			return c
		}
	}
	c := crossoverOf(ps, leads > 0)
	c.Kind = Never
	if level == len(ps) {
		c.Kind = Level
	}
	return c
}

// overtaking estimates where the lead changes between two sizes.
func (b *builder) overtaking(ps []sizedPair, from, to int) Crossover {
	turned := lead(ps[from].comparison) > 0
	c := crossoverOf(ps, turned)
	c.Kind, c.Between = Overtakes, []int64{ps[from].bytes, ps[to].bytes}
	sizes, curves := b.curves(ps[from:to+1], turned)
	s := stat.Cross(sizes, curves, rowLevel, b.floor(ps[from].base.Experiment))
	if s.Blocks == 0 {
		c.Kind = Undecided // no block has a reading at each size
		return c
	}
	c.Bytes = &Estimate{Median: s.Size}
	if s.OK {
		c.Bytes.Low, c.Bytes.High = finite(s.Low), finite(s.High)
	}
	return c
}

// curves are the log ratios of b's speed to a's over the sizes, a curve a block.
// NaN stands where a block lacks a size.
func (b *builder) curves(ps []sizedPair, turned bool) (sizes []float64, curves [][]float64) {
	at := make([]map[int32]float64, len(ps))
	blocks := map[int32]bool{}
	for i, p := range ps {
		sizes = append(sizes, float64(p.bytes))
		pairs := b.pair(p.base.Trial, p.other.Trial)
		at[i] = pairs.logRatios()
		for block := range at[i] {
			blocks[block] = true
		}
	}
	for block := range blocks {
		curve := make([]float64, len(ps))
		for i := range ps {
			ratio, there := at[i][block]
			switch {
			case !there:
				ratio = math.NaN()
			case turned:
				ratio = -ratio
			}
			curve[i] = ratio
		}
		curves = append(curves, curve)
	}
	return sizes, curves
}
