package plan

import (
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/result"
)

// OwnName is the experiment of the cases that workers bring.
const OwnName = "own"

// Brought measures the cases that workers bring and that no question asks for, all sizes of one in a
// group, so that workers which bring the same are compared.
func Brought() Experiment {
	form := Form{Config: Config{Blocks: 15, Rounds: 4, Target: time.Millisecond}}
	return Experiment{Name: OwnName, Short: form, Full: form, Own: true, Plan: func(_ Selection, o Offers) []Group { return ownGroups(o) }}
}

func ownGroups(offers Offers) (groups []Group) {
	var all Builders
	for _, o := range offers {
		if !o.Own {
			continue
		}
		b := all.Titled(language.Same(o.Case.Name() + " " + o.Case.Operation))
		if first := b.First(o.Case); first != (result.Trial{}) {
			b.Add(o.Subject, o.Case)
			b.Compare(first, result.Trial{Subject: o.Subject, Case: o.Case}).Headline = true
			continue
		}
		b.Add(o.Subject, o.Case)
	}
	for _, b := range all {
		groups = append(groups, b.Groups()...)
	}
	return groups
}
