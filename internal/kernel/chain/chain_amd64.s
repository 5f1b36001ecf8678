//go:build !purego

#include "textflag.h"

// Register to register: adds of immediates are done at rename on current cores.
#define ADD2 ADDQ BX, AX; ADDQ AX, BX
#define ADD16 ADD2; ADD2; ADD2; ADD2; ADD2; ADD2; ADD2; ADD2
#define ADD128 ADD16; ADD16; ADD16; ADD16; ADD16; ADD16; ADD16; ADD16
#define MUL2 IMULQ BX, AX; IMULQ AX, BX
#define MUL16 MUL2; MUL2; MUL2; MUL2; MUL2; MUL2; MUL2; MUL2
#define MUL128 MUL16; MUL16; MUL16; MUL16; MUL16; MUL16; MUL16; MUL16

// func add(a, b, turns uint64) (endA, endB uint64)
TEXT ·add(SB), NOSPLIT, $0-40
	MOVQ a+0(FP), AX
	MOVQ b+8(FP), BX
	MOVQ turns+16(FP), CX
	PCALIGN $64
turn:
	ADD128
	ADD128
	ADD128
	ADD128
	ADD128
	ADD128
	ADD128
	ADD128
	SUBQ $1, CX
	JNZ  turn
	MOVQ AX, endA+24(FP)
	MOVQ BX, endB+32(FP)
	RET

// func Pass(x uint64) uint64
TEXT ·Pass(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), AX
	MOVQ AX, ret+8(FP)
	RET

// func mul(a, b, turns uint64) (endA, endB uint64)
TEXT ·mul(SB), NOSPLIT, $0-40
	MOVQ a+0(FP), AX
	MOVQ b+8(FP), BX
	MOVQ turns+16(FP), CX
	PCALIGN $64
turn:
	MUL128
	MUL128
	MUL128
	MUL128
	MUL128
	MUL128
	MUL128
	MUL128
	SUBQ $1, CX
	JNZ  turn
	MOVQ AX, endA+24(FP)
	MOVQ BX, endB+32(FP)
	RET
