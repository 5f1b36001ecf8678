// Package leaks holds functions that betray their secret in ways in which kernels of AES could, for the test of
// the lint.
package leaks

// All are the functions, so that a program that has this list has their code.
var All = []func(secret *[16]byte, table *byte){
	leakTable, leakKeyToAddress, leakPlaintextBranch, leakTagBytes, leakRounds, leakHashBit,
}

//go:noescape
func leakTable(secret *[16]byte, table *byte)

//go:noescape
func leakKeyToAddress(secret *[16]byte, table *byte)

//go:noescape
func leakPlaintextBranch(secret *[16]byte, table *byte)

//go:noescape
func leakTagBytes(secret *[16]byte, table *byte)

//go:noescape
func leakRounds(secret *[16]byte, table *byte)

//go:noescape
func leakHashBit(secret *[16]byte, table *byte)
