//go:build !purego

#include "textflag.h"

#define ADD2 ADD R1, R0, R0; ADD R0, R1, R1
#define ADD16 ADD2; ADD2; ADD2; ADD2; ADD2; ADD2; ADD2; ADD2
#define ADD128 ADD16; ADD16; ADD16; ADD16; ADD16; ADD16; ADD16; ADD16
#define MUL2 MUL R1, R0, R0; MUL R0, R1, R1
#define MUL16 MUL2; MUL2; MUL2; MUL2; MUL2; MUL2; MUL2; MUL2
#define MUL128 MUL16; MUL16; MUL16; MUL16; MUL16; MUL16; MUL16; MUL16

// func add(a, b, turns uint64) (endA, endB uint64)
TEXT ·add(SB), NOSPLIT, $0-40
	MOVD a+0(FP), R0
	MOVD b+8(FP), R1
	MOVD turns+16(FP), R2
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
	SUB  $1, R2
	CBNZ R2, turn
	MOVD R0, endA+24(FP)
	MOVD R1, endB+32(FP)
	RET

// func Pass(x uint64) uint64
TEXT ·Pass(SB), NOSPLIT, $0-16
	MOVD x+0(FP), R0
	MOVD R0, ret+8(FP)
	RET

// func mul(a, b, turns uint64) (endA, endB uint64)
TEXT ·mul(SB), NOSPLIT, $0-40
	MOVD a+0(FP), R0
	MOVD b+8(FP), R1
	MOVD turns+16(FP), R2
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
	SUB  $1, R2
	CBNZ R2, turn
	MOVD R0, endA+24(FP)
	MOVD R1, endB+32(FP)
	RET
