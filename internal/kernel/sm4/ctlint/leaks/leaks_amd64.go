// Package leaks holds functions that betray their secret, each in another way, for the tests of ctlint.
package leaks

// All are the functions, so that a program that has this list has their code.
var All = []func(secret *[16]byte, table *byte){
	leakBranch, leakTable, leakIndex, leakGather, leakDivision, leakEarlyExit, leakMask, leakFlags, leakMemoryFlag,
}

//go:noescape
func leakBranch(secret *[16]byte, table *byte)

//go:noescape
func leakTable(secret *[16]byte, table *byte)

//go:noescape
func leakIndex(secret *[16]byte, table *byte)

//go:noescape
func leakGather(secret *[16]byte, table *byte)

//go:noescape
func leakDivision(secret *[16]byte, table *byte)

//go:noescape
func leakEarlyExit(secret *[16]byte, table *byte)

//go:noescape
func leakMask(secret *[16]byte, table *byte)

//go:noescape
func leakFlags(secret *[16]byte, table *byte)

//go:noescape
func leakMemoryFlag(secret *[16]byte, table *byte)

// Unstoppable are functions that leak nothing and have no check of the stack, where a goroutine can be
// stopped; Stoppable has one.
var (
	Unstoppable = []func(secret *[16]byte, table *byte){unstoppable, unstoppableByFrame}
	Stoppable   = stoppable
)

//go:noescape
func unstoppable(secret *[16]byte, table *byte)

//go:noescape
func unstoppableByFrame(secret *[16]byte, table *byte)

//go:noescape
func stoppable(secret *[16]byte, table *byte)
