// Package workarounds holds the lines that a caller writes around a library that is
// slow in an interface: what a report shows, and what a compiler has seen. It is text,
// and calls nothing.
package workarounds

import "embed"

// Lines are a workaround as callers in C and in Go write it.
type Lines struct {
	Library, Implementation string // as subjects are named
	C, Go                   string // Go by cgo, its imports and the error's handling left to the reader
}

//go:embed botan
var files embed.FS

// All lists them. Those for Botan stand in the place of botan_cipher_update without
// FINAL (botan/ffi.h), in a function where cipher is keyed and started, and in and out
// are the len bytes of a message.
func All() (all []Lines) {
	for _, name := range []string{"ctr-bypass", "final", "oneshot", "coalesced"} {
		c, _ := files.ReadFile("botan/" + name + ".c") // they are there: a test compiles them
		inGo, _ := files.ReadFile("botan/" + name + ".go.txt")
		all = append(all, Lines{"botan", name, string(c), string(inGo)})
	}
	return all
}
