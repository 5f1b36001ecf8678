package document

import (
	"cmp"
	"math"
	"slices"

	"github.com/cryptogauge/cryptogauge/stat"
)

// What one side of a pair does besides, a crossing, fades as messages grow. From which
// size on it takes less than the share that the pair names is read as a crossover is:
// that it fades, and between which sizes, from the intervals of the comparisons, and
// where between them block by block.

// buildFading finds where the pairs that ask for it come within a share.
func (b *builder) buildFading() {
	compared := map[[2]string]*Comparison{}
	for i := range b.doc.Comparisons {
		c := &b.doc.Comparisons[i]
		compared[[2]string{c.Base, c.Other}] = c
	}
	type fading struct {
		sides
		within float64
	}
	found := map[fading][]sizedPair{}
	var order []fading
	for _, g := range b.run.Groups {
		at := b.sidesOf(g)
		for _, p := range g.Pairs {
			base, other := &b.doc.Rows[p.Base], &b.doc.Rows[p.Other]
			c := compared[[2]string{base.ID, other.ID}]
			if p.Within <= 0 || c == nil || base.Bytes != other.Bytes || base.Bytes <= 0 {
				continue
			}
			key := fading{sides{g.Experiment, at[p.Base], at[p.Other]}, p.Within}
			if found[key] == nil {
				order = append(order, key)
			}
			found[key] = append(found[key], sizedPair{base.Bytes, base, other, c})
		}
	}
	for _, key := range order {
		if c := b.fadingOf(found[key], key.within); c != nil {
			b.doc.Crossovers = append(b.doc.Crossovers, *c)
		}
	}
}

// fadingOf reads the intervals over the sizes of a pair.
func (b *builder) fadingOf(ps []sizedPair, within float64) *Crossover {
	slices.SortStableFunc(ps, func(x, y sizedPair) int { return cmp.Compare(x.bytes, y.bytes) })
	ps = slices.CompactFunc(ps, func(x, y sizedPair) bool { return x.bytes == y.bytes })
	if len(ps) < 2 {
		return nil
	}
	c := crossoverOf(ps, false)
	c.Within, c.Kind = within, Undecided
	last, first := -1, -1 // the last size that is surely beyond, and the first after it surely within
	far, near := 0, 0
	for i, p := range ps {
		switch lies := besides(p.comparison, within); {
		case lies > 0:
			last, first = i, -1
			far++
		case lies < 0:
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
		b.fadesBetween(&c, ps, last, first)
	}
	return &c
}

// besides is 1 where the other of a comparison takes more than the share more time for
// certain, −1 where it takes less for certain, and 0 where that is not told.
func besides(c *Comparison, within float64) int {
	switch limit := 1 / (1 + within); {
	case c.Low == nil || c.High == nil:
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

// fadesBetween estimates where between two sizes. A fixed cost is a share of the time
// that falls as the size grows, a straight line where both are logarithms; so what is
// interpolated is the logarithm of the share, over the one that is asked for.
func (b *builder) fadesBetween(c *Crossover, ps []sizedPair, from, to int) {
	sizes, curves := b.curves(ps[from:to+1], false)
	for _, curve := range curves {
		for i, speed := range curve { // a logarithm
			curve[i] = math.Log(c.Within / max(math.Expm1(-speed), leastExcess))
		}
	}
	// The noise floor is a share of the whole time, and so a greater one of the excess.
	floor := math.Expm1(b.floor(ps[from].base.Experiment) / c.Within)
	s := stat.Cross(sizes, curves, rowLevel, floor)
	if s.Blocks == 0 {
		return
	}
	c.Kind, c.Between = Fades, []int64{ps[from].bytes, ps[to].bytes}
	c.Bytes = &Estimate{Median: s.Size}
	if s.OK {
		c.Bytes.Low, c.Bytes.High = finite(s.Low), finite(s.High)
	}
}
