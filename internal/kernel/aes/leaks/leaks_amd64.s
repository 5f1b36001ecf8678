//go:build amd64

#include "textflag.h"

// func leakTable(secret *[16]byte, table *byte)
// The S-box by a table, the index out of a vector.
TEXT ·leakTable(SB), NOSPLIT, $0-16
	MOVQ secret+0(FP), SI
	MOVQ table+8(FP), DI
	VMOVDQU (SI), X0
	VPEXTRB $0, X0, AX
	MOVBQZX (DI)(AX*1), BX
	RET

// func leakKeyToAddress(secret *[16]byte, table *byte)
// A byte of a round key, which R8 points to, becomes part of an address.
TEXT ·leakKeyToAddress(SB), NOSPLIT, $0-16
	MOVQ secret+0(FP), R8
	MOVQ table+8(FP), DI
	MOVBQZX 8(R8), R9
	ADDQ R9, DI
	VMOVDQU (DI), X0
	RET

// func leakPlaintextBranch(secret *[16]byte, table *byte)
// A block of zeros takes another way.
TEXT ·leakPlaintextBranch(SB), NOSPLIT, $0-16
	MOVQ secret+0(FP), SI
	VMOVDQU (SI), X0
	VPTEST X0, X0
	JZ zero
	VAESENC X0, X0, X0
zero:
	RET

// func leakTagBytes(secret *[16]byte, table *byte)
// A tag compared byte by byte, to the first difference.
TEXT ·leakTagBytes(SB), NOSPLIT, $0-16
	MOVQ secret+0(FP), SI
	MOVQ table+8(FP), DI
	VMOVDQU (SI), X0
	VPCMPEQB (DI), X0, X0
	VPMOVMSKB X0, AX
	TESTL $1, AX
	JZ different
	TESTL $2, AX
	JZ different
	NOP
different:
	RET

// func leakRounds(secret *[16]byte, table *byte)
// A word of the key where the number of rounds is expected.
TEXT ·leakRounds(SB), NOSPLIT, $0-16
	MOVQ secret+0(FP), R8
	MOVQ 8(R8), R9
	CMPQ R9, $12
	JLT fewer
	NOP
fewer:
	RET

// func leakHashBit(secret *[16]byte, table *byte)
// The reduction of GHASH by a branch on the highest bit.
TEXT ·leakHashBit(SB), NOSPLIT, $0-16
	MOVQ secret+0(FP), SI
	VMOVDQU (SI), X0
	VPMOVQ2M X0, K1
	KORTESTB K1, K1
	JZ clear
	VPXOR X0, X0, X0
clear:
	RET
