// Package experiment holds the questions that cryptogauge answers, one file
// each: which groups of trials are measured, and which comparisons the answer
// will stand on. Experiments are data; they measure nothing themselves.
//
// To add one: write a file with a func that returns an Experiment, add it to
// [All] in reading order, and give package answer a file of the same name.
package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/plan"
)

// All returns the experiments in reading order.
func All() []plan.Experiment {
	return []plan.Experiment{
		modes(),
		primitives(),
		messages(),
		streaming(),
		concurrency(),
		collector(),
		rsa(),
		signatures(),
		exchange(),
		envelope(),
		handshake(),
		boundary(),
		chunking(),
		acceleration(),
		bulkhash(),
	}
}

// Find returns the experiments of the given names, or all of them for none.
func Find(names []string) ([]plan.Experiment, error) {
	all := All()
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for _, e := range all {
		known = append(known, e.Name)
	}
	var found []plan.Experiment
	for _, name := range names {
		i := slices.Index(known, name)
		if i < 0 {
			return nil, fmt.Errorf("unknown experiment %q; there are: %s", name, strings.Join(known, ", "))
		}
		if !slices.ContainsFunc(found, func(e plan.Experiment) bool { return e.Name == name }) {
			found = append(found, all[i])
		}
	}
	return found, nil
}
