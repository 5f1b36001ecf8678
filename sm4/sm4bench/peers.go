package main

import (
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// A peer is a library in C that stands beside the others, as the laboratory calls it. It has no functions for many
// messages: it does them one after the other.
type peer struct {
	name, version string
	ways          []provider.Provider
}

// peerRuns is how often a peer repeats an operation in one call, so that the way to it doesn't show.
const peerRuns = 16

// A likeCase is what a peer does for a row: so many times a case of the laboratory. The zero likeCase is nothing.
type likeCase struct {
	c     result.Case
	times int
}

// like is a case of SM4 in a mode.
func like(mode algorithm.Mode, operation algorithm.Operation, bytes, times int) likeCase {
	return likeCase{result.Case{Algorithm: algorithm.SM4, Mode: mode, Operation: operation, Bytes: int64(bytes)}, times}
}

// open prepares peerRuns times what a row does once, or nil where the library doesn't do it.
func (p peer) open(l likeCase) func() {
	if l.times == 0 {
		return nil
	}
	for _, way := range p.ways {
		op, err := way.Open(l.c)
		if err != nil {
			continue
		}
		run := func() {
			if err := op.Run(peerRuns); err != nil {
				panic("sm4bench: " + p.name + ": " + err.Error())
			}
		}
		if run(); op.Check() == nil { // what is wrong has no time
			return run
		}
	}
	return nil
}

// ns is a row's time by that of the function of open.
func (l likeCase) ns(took float64) float64 { return took / peerRuns * float64(l.times) }
