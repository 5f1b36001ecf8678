//go:build valgrind

#include "textflag.h"

// func request(code uintptr, p *byte, n, _, _, _ uintptr)
// What valgrind/valgrind.h has for amd64: rotations that together do nothing, and an exchange.
TEXT ·request(SB), NOSPLIT, $0-48
	LEAQ code+0(FP), AX
	XORL DX, DX
	ROLQ $3, DI; ROLQ $13, DI
	ROLQ $61, DI; ROLQ $51, DI
	XCHGQ BX, BX
	RET
