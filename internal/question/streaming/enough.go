package streaming

import (
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// enough is the smallest chunk of a curve from which on nothing is shown to be
// gained, and how much could be gained all the same.
type enough struct {
	row      *document.Row
	most     float64  // by which a larger chunk may be faster at most: 0.02 is 2 %; below 0 where it is shown slower
	evidence []string // comparisons, and the row
	last     bool     // it is the largest chunk that was measured
}

// enoughOf finds the smallest chunk such that neither it nor any larger one is shown
// to be slower than a chunk larger still, by more than the margin of equivalence.
// That is: no verdict "faster" stands above it. It says nothing where a comparison
// has no interval, since what could not be seen is not what is not there.
func (s *streamsView) enoughOf(c *curve) (e enough, ok bool) {
	for i := len(c.rows) - 1; i >= 0; i-- {
		row := c.rows[i]
		if _, shown := answer.Speed(row); !shown {
			return e, e.row != nil && !e.last
		}
		most, evidence, gains, known := s.gains(c, i)
		switch {
		case !known:
			return enough{}, false
		case gains:
			e.evidence = append(e.evidence, evidence...) // of what the next smaller one lacks
			return e, e.row != nil
		}
		e = enough{row: row, most: most, evidence: append(evidence, row.ID), last: i == len(c.rows)-1}
	}
	return e, e.row != nil && len(c.rows) > 1
}

// gains says whether any larger chunk that the i-th was compared with is shown to be
// faster, and by how much the fastest may be. Known is false where there is no
// interval to say it with.
func (s *streamsView) gains(c *curve, i int) (most float64, evidence []string, gains, known bool) {
	known, most = i == len(c.rows)-1, -1
	for _, larger := range c.rows[i+1:] {
		x := s.Compare(c.rows[i], larger)
		if x == nil {
			continue // not declared, or not to be believed
		}
		known = true
		evidence = append(evidence, x.ID)
		most = max(most, *x.High-1)
		gains = gains || x.Verdict == "faster"
	}
	return most, evidence, gains, known
}

// clearEnough is up to which possible gain a chunk is called enough. Beyond it the
// intervals are too wide to say so.
const clearEnough = 0.10

// words says of one end what chunk is enough there.
func (e enough) words(file bool) (t layout.Text, conclusive bool) {
	where := layout.Text{EN: "in memory", ZH: "在内存中"}
	if file {
		where = layout.Text{EN: "through files", ZH: "经文件时"}
	}
	chunk := layout.Same(answer.SizeText(document.ChunkOf(e.row)))
	switch {
	case e.last:
		return layout.Say("%s larger chunks are faster up to the largest measured, %s", "%s分块越大越快，直至所测最大的 %s", where, chunk), true
	case e.most > 1:
		return layout.Say("%s no chunk larger than %s was found to be faster, but a doubled speed would have gone unnoticed",
			"%s未能证明大于 %s 的分块更快，但即使快一倍，本次测量也分辨不出", where, chunk), false
	case e.most > clearEnough:
		return layout.Say("%s no chunk larger than %s was found to be faster, but a gain of up to %s %% would have gone unnoticed",
			"%s未能证明大于 %s 的分块更快，但 %s %% 以内的差异本次测量分辨不出", where, chunk, answer.Percent(1+e.most)), false
	case e.most <= 0.005:
		return layout.Say("%s chunks of %s are enough (no larger chunk is faster)", "%s %s 的分块已足够（更大的分块不会更快）", where, chunk), true
	}
	return layout.Say("%s chunks of %s are enough (larger ones gain at most %s %%)", "%s %s 的分块已足够（更大的分块至多再快 %s %%）", where, chunk, answer.Percent(1+e.most)), true
}
