package experiment

import (
	"github.com/cryptogauge/cryptogauge/measure"
	"github.com/cryptogauge/cryptogauge/result"
)

// HarnessLibrary is the name under which the laboratory measures itself.
const HarnessLibrary = "harness"

// SelfCases are the cases in which an experiment measures the laboratory itself:
// an empty operation of each kind of loop, and the operation of the A/A pair.
func SelfCases() []result.Case {
	cases := []result.Case{selfPair}
	for _, loop := range []string{"block", "bulk", "blockmode", "stream", "aead", "helper"} {
		cases = append(cases, result.Case{Algorithm: "empty", Mode: loop, Operation: "call"})
	}
	return cases
}

// SelfOffers are the harness's offers where nobody has asked it yet.
func SelfOffers() (o Offers) {
	for _, c := range SelfCases() {
		o = append(o, Offer{Subject: result.Subject{Library: HarnessLibrary, Version: "1", CallPath: "go"}, Case: c})
	}
	return o
}

// selfPair is what the A/A pair runs: short, allowed by every policy, free of
// allocation, whose noise is the collector's, and a chain of dependent
// instructions, which a neighbour on the same core hardly disturbs.
var selfPair = result.Case{Algorithm: "planted", Mode: "AES-128-CBC", Operation: "encrypt", Parameters: "calls=1"}

// Self returns the groups that every experiment carries in its blocks: the same
// trial in two workers, whose difference is the run's noise floor, and the empty
// operations.
func Self(o Offers) []measure.Group {
	noise := measure.Group{Name: "A/A between workers", Kind: result.KindNoise}
	empty := measure.Group{Name: "empty operations", Kind: result.KindHarness}
	for _, offer := range o {
		if offer.Subject.Library != HarnessLibrary {
			continue
		}
		t := result.Trial{Subject: offer.Subject, Case: offer.Case}
		if offer.Case == selfPair {
			t.Case.Bytes = 1024
			noise.Trials = append(noise.Trials, measure.Trial{Trial: t}, measure.Trial{Trial: t, Copy: 1})
			noise.Pairs = []result.Pair{{Base: 0, Other: 1}}
			continue
		}
		empty.Trials = append(empty.Trials, measure.Trial{Trial: t})
	}
	return []measure.Group{noise, empty}
}
