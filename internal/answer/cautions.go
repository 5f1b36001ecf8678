package answer

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// grave are the weaknesses of which no number is shown without a sentence that says them, whatever
// part of a question was measured.
var grave = []algorithm.Weakness{algorithm.EqualBlocks, algorithm.BrokenMD5, algorithm.BrokenSHA1, algorithm.ShortKey, algorithm.PaddingOracle}

// Caution notes that a sentence of the question says weaknesses, where there is such a sentence,
// and returns it.
func (v *View) Caution(said *layout.Answer, of ...algorithm.Weakness) *layout.Answer {
	if said != nil {
		v.cautioned = append(v.cautioned, of...)
	}
	return said
}

// cautions says the grave weaknesses of what has a number that no other sentence says.
func (v *View) cautions() *layout.Answer {
	var said Clauses
	for _, w := range grave {
		row := v.First(func(r *document.Row) bool { return r.Status == result.OK && slices.Contains(r.Weaknesses(), w) })
		if row != nil && !slices.Contains(v.cautioned, w) {
			said.Add(document.SecurityNote(w), row.ID)
		}
	}
	return Short(said.Sentence(layout.Beware, "%s.", "%s。", JoinWith(said.Parts, ". ", "。")))
}
