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

// A bound is what was found for one call: instructions per block of 16 bytes, and cycles per KiB.
type bound struct {
	aes, gfni, logic, shuffle, multiply, copies, load, store float64

	floor, kernel, call, other float64
}

// chainSteps takes some microseconds.
const chainSteps = 10_000

// measure takes about d to measure a row, all of it in turns.
func measure(d, batch time.Duration, r Row) (b bound) {
	subjects := []func(){func() { chain.Add(chainSteps) }, r.Call, r.Other}
	for _, l := range r.Loops {
		subjects = append(subjects, l.Floor, l.Kernel)
		b.add(l)
	}
	times := turns.Measure(d, batch, subjects...)
	cyclesPerKiB := func(ns float64, bytes int) float64 { return ns / times[0] * chainSteps * 1024 / float64(bytes) }
	b.call, b.other = cyclesPerKiB(times[1], r.Bytes), cyclesPerKiB(times[2], r.Bytes)
	for i, l := range r.Loops {
		b.floor += cyclesPerKiB(times[3+2*i], l.Bytes)
		b.kernel += cyclesPerKiB(times[4+2*i], l.Bytes)
	}
	return b
}

// add adds the instructions of a loop.
func (b *bound) add(l Loop) {
	per := func(n int) float64 { return float64(n) * 16 / float64(l.Turn) }
	b.aes += per(l.AES)
	b.gfni += per(l.GFNI)
	b.logic += per(l.Logic)
	b.shuffle += per(l.Shuffle)
	b.multiply += per(l.Multiply)
	b.copies += per(l.Copy)
	b.load += per(l.Load)
	b.store += per(l.Store)
}

// ratio is how many times as long the other takes, atFloor what it would be without waiting.
func (b bound) ratio() float64   { return b.other / b.call }
func (b bound) atFloor() float64 { return b.other / b.floor }

// by names what keeps the ratio below a target.
func (b bound) by(target float64) string {
	switch {
	case b.ratio() >= target:
		return "met"
	case b.atFloor() < target:
		return "instructions"
	case b.other/b.kernel < target:
		return "waiting"
	}
	return "the call"
}
