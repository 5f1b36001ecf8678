// Package bound tells what bounds a kernel on this processor, for the benchmark programs: how fast it could be if it
// waited for nothing. The packages floor hold, for that, the kernels line by line, but with inversions, products
// and rounds of AES that don't read what was computed before, so that no round waits for the round before, no block
// for the block before, and no hash. What they compute is nothing; how long they take is what this
// processor needs to carry out the instructions, and no kernel of this form can be faster. What a kernel takes
// beyond that it waits.
//
// The assembly of a floor is written from that of the kernels, by package uncouple, which counts the
// instructions too, by following the jumps of one turn. What it writes is not kept in the repository: make
// bound generates it and builds the benchmark programs with the tag floor.
package bound

import (
	"time"

	"github.com/cryptogauge/cryptogauge/internal/kernel/chain"
	"github.com/cryptogauge/cryptogauge/internal/kernel/turns"
)

// Counts are the vector instructions of a loop. An instruction is of one of the first six classes, or
// does nothing but load or store; Load and Store are all that touch memory.
type Counts struct {
	AES      int // rounds, of as many blocks as a register holds
	GFNI     int // gf2p8affineqb and gf2p8affineinvqb
	Logic    int // XORs of two or three, additions, shifts, comparisons
	Shuffle  int
	Multiply int // vpclmulqdq
	Copy     int // between registers, which current processors carry out by renaming
	Load     int
	Store    int
}

// A Loop is a kernel and its floor.
type Loop struct {
	Counts
	Turn   int    // bytes that Counts are for
	Bytes  int    // bytes that one call of Kernel or of Floor goes through
	Kernel func() // by way of the kernels' methods
	Floor  func()
}

// A Bound is what was found for one call: instructions per block of 16 bytes, and cycles per KiB.
type Bound struct {
	AES, GFNI, Logic, Shuffle, Multiply, Copy, Load, Store float64

	Floor, Kernel, Call, Other float64
}

// chainSteps takes some microseconds.
const chainSteps = 10_000

// Measure takes about d to measure, in turns, a call that goes through some loops one after the other, what it is
// compared with, both for so many bytes, and the loops.
func Measure(d, batch time.Duration, call, other func(), bytes int, loops ...Loop) (b Bound) {
	subjects := []func(){func() { chain.Add(chainSteps) }, call, other}
	for _, l := range loops {
		subjects = append(subjects, l.Floor, l.Kernel)
		b.add(l)
	}
	times := turns.Measure(d, batch, subjects...)
	cyclesPerKiB := func(ns float64, bytes int) float64 { return ns / times[0] * chainSteps * 1024 / float64(bytes) }
	b.Call, b.Other = cyclesPerKiB(times[1], bytes), cyclesPerKiB(times[2], bytes)
	for i, l := range loops {
		b.Floor += cyclesPerKiB(times[3+2*i], l.Bytes)
		b.Kernel += cyclesPerKiB(times[4+2*i], l.Bytes)
	}
	return b
}

// add adds the instructions of a loop.
func (b *Bound) add(l Loop) {
	per := func(n int) float64 { return float64(n) * 16 / float64(l.Turn) }
	b.AES += per(l.AES)
	b.GFNI += per(l.GFNI)
	b.Logic += per(l.Logic)
	b.Shuffle += per(l.Shuffle)
	b.Multiply += per(l.Multiply)
	b.Copy += per(l.Copy)
	b.Load += per(l.Load)
	b.Store += per(l.Store)
}

// Ratio is how many times as long the other takes, AtFloor what it would be without waiting.
func (b Bound) Ratio() float64   { return b.Other / b.Call }
func (b Bound) AtFloor() float64 { return b.Other / b.Floor }

// By names what keeps the ratio below a target.
func (b Bound) By(target float64) string {
	switch {
	case b.Ratio() >= target:
		return "met"
	case b.AtFloor() < target:
		return "instructions"
	case b.Other/b.Kernel < target:
		return "waiting"
	}
	return "the call"
}
