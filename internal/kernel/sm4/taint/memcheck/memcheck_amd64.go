//go:build valgrind

// Package memcheck tells valgrind which memory is secret, by the client requests of
// valgrind/memcheck.h. Without valgrind it does nothing.
package memcheck

//go:noescape
func request(code uintptr, p *byte, n, _, _, _ uintptr)

const (
	makeUndefined = 'M'<<24 | 'C'<<16 | 1
	makeDefined   = 'M'<<24 | 'C'<<16 | 2
)

// Poison makes b secret, and Reveal what was computed from a secret public.
func Poison(b []byte) { request(makeUndefined, &b[0], uintptr(len(b)), 0, 0, 0) }
func Reveal(b []byte) { request(makeDefined, &b[0], uintptr(len(b)), 0, 0, 0) }
