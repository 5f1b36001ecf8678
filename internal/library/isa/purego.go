//go:build purego

package isa

// Assembly says whether the program was built with the libraries' assembly.
const Assembly = false
