package answer

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// Said are the sentences of a question in order, without those that there are none of.
func Said(all ...*layout.Answer) (said []layout.Answer) {
	for _, a := range all {
		if a != nil {
			said = append(said, *a)
		}
	}
	return said
}

// Short marks a sentence for the quick screen.
func Short(a *layout.Answer) *layout.Answer {
	if a != nil {
		a.Short = true
	}
	return a
}

// firstShort is the first of the sentences that are for the quick screen; nil without one.
func firstShort(all []layout.Answer) *layout.Answer {
	i := slices.IndexFunc(all, func(a layout.Answer) bool { return a.Short })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// Clauses are the parts of a sentence, and what it rests on.
type Clauses struct {
	Parts    []layout.Text
	Evidence []string
}

// Add adds a part and what it rests on.
func (c *Clauses) Add(part layout.Text, evidence ...string) {
	c.Parts, c.Evidence = append(c.Parts, part), append(c.Evidence, evidence...)
}

// Sentence is a sentence about them; nil where there is no part.
func (c *Clauses) Sentence(mark layout.Mark, en, zh string, args ...any) *layout.Answer {
	if len(c.Parts) == 0 {
		return nil
	}
	return &layout.Answer{Mark: mark, Evidence: c.Evidence, Text: layout.Say(en, zh, args...)}
}

// Join strings the parts together with the comma of each language.
func (c *Clauses) Join() layout.Text { return Join(c.Parts) }

// FirstSaid is the first sentence that there is, or none.
func FirstSaid(all ...*layout.Answer) (first layout.Answer) {
	for _, a := range slices.Backward(Said(all...)) {
		first = a
	}
	return first
}
