//go:build linux && (amd64 || arm64)

package main

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/library/catalog"
	"github.com/cryptogauge/cryptogauge/internal/library/native"
	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// paths are how a library in C is called, by what the laboratory calls them, the cheapest first: from a loop in C, or, where
// that can't repeat an operation, by cgo, or without a C compiler by purego.
var paths = []string{"c-loop", "cgo", "purego"}

// librariesInC are those that are installed, in the order of the laboratory.
func librariesInC() (all []peer) {
	for _, l := range catalog.Libraries() {
		found := l.Find()
		if len(found) == 0 {
			continue
		}
		offered := native.Asked{Library: l.Name, Path: found[0]}.Bench(provider.Setting{Seed: 1}).Providers
		p := peer{name: l.Name}
		for _, path := range paths {
			i := slices.IndexFunc(offered, func(o provider.Provider) bool {
				s := o.Subject()
				return s.CallPath == path && s.Implementation == ""
			})
			if i >= 0 {
				p.ways, p.version = append(p.ways, offered[i]), offered[i].Subject().Version
			}
		}
		if len(p.ways) > 0 {
			all = append(all, p)
		}
	}
	return all
}
