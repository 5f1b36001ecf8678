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
