//go:build linux && (amd64 || arm64) && cgo

package call

/*
#include "cross.h"

// Nothing here calls back into Go, nor keeps what it is given. The loop is not said
// to be noescape: its program lies on the heap anyway.
#cgo noescape cg_cross
#cgo nocallback cg_cross
#cgo nocallback cg_loop
*/
import "C"

import "unsafe"

// Paths are the ways that this binary has, the everyday one first: cgo and purego cross
// once a call, and c-loop once for all.
func Paths() []Path { return []Path{{"cgo", runCgo}, Purego, {"c-loop", runLoop}} }

func runCgo(first *Call, calls, n int) int {
	program := unsafe.Slice(first, calls)
	for range n {
		for i := range program {
			if C.cg_cross((*C.cg_call)(unsafe.Pointer(&program[i]))) != 0 {
				return i
			}
		}
	}
	return -1
}

func runLoop(first *Call, calls, n int) int {
	return int(C.cg_loop((*C.cg_call)(unsafe.Pointer(first)), C.int64_t(calls), C.int64_t(n)))
}

// C and Go give a call the same bytes, or this is an index out of range, which does not compile.
var _ = [1]struct{}{}[uintptr(C.sizeof_cg_call)-unsafe.Sizeof(Call{})]
