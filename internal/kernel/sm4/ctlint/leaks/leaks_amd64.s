#include "textflag.h"

// func leakBranch(secret *[16]byte, table *byte)
// A bit of the secret decides a jump.
TEXT ·leakBranch(SB), NOSPLIT, $0-16
	MOVQ secret+0(FP), SI
	VMOVDQU (SI), X0
	VMOVQ X0, AX
	TESTQ $1, AX
	JZ done
	VPXOR X0, X0, X0
done:
	RET

// func leakTable(secret *[16]byte, table *byte)
// A byte of the secret, taken out of a vector, is an index.
TEXT ·leakTable(SB), NOSPLIT, $0-16
	MOVQ secret+0(FP), SI
	MOVQ table+8(FP), DI
	VMOVDQU (SI), X0
	VPEXTRB $3, X0, AX
	MOVB (DI)(AX*1), BX
	RET

// func leakIndex(secret *[16]byte, table *byte)
// A byte of the secret, loaded by itself, is added to an address.
TEXT ·leakIndex(SB), NOSPLIT, $0-16
	MOVQ secret+0(FP), SI
	MOVQ table+8(FP), DI
	MOVBQZX 5(SI), AX
	ADDQ AX, DI
	VMOVDQU (DI), X0
	RET

// func leakGather(secret *[16]byte, table *byte)
TEXT ·leakGather(SB), NOSPLIT, $0-16
	MOVQ secret+0(FP), SI
	MOVQ table+8(FP), DI
	VMOVDQU (SI), X0
	VPCMPEQD X2, X2, X2
	VPGATHERDD X2, (DI)(X0*1), X1
	RET

// func leakDivision(secret *[16]byte, table *byte)
TEXT ·leakDivision(SB), NOSPLIT, $0-16
	MOVQ secret+0(FP), SI
	VMOVDQU (SI), X0
	XORL DX, DX
	MOVL $1000, AX
	MOVL $7, CX
	DIVL CX
	RET

// func leakEarlyExit(secret *[16]byte, table *byte)
// A comparison of tags that ends at the first difference.
TEXT ·leakEarlyExit(SB), NOSPLIT, $0-16
	MOVQ secret+0(FP), SI
	MOVQ table+8(FP), DI
	MOVQ $16, CX
next:
	MOVB (SI), AX
	CMPB AX, (DI)
	JNE done
	INCQ SI
	INCQ DI
	DECQ CX
	JNZ next
done:
	RET

// func leakMask(secret *[16]byte, table *byte)
// A mask made of the secret comes to a general register.
TEXT ·leakMask(SB), NOSPLIT, $0-16
	MOVQ secret+0(FP), SI
	VMOVDQU (SI), X0
	VPMOVMSKB X0, AX
	MOVQ table+8(FP), DI
	MOVB AX, (DI)
	RET

// func leakFlags(secret *[16]byte, table *byte)
// Flags are set from a vector.
TEXT ·leakFlags(SB), NOSPLIT, $0-16
	MOVQ secret+0(FP), SI
	VMOVDQU (SI), X0
	VPTEST X0, X0
	JZ done
	VPXOR X0, X0, X0
done:
	RET

// func leakMemoryFlag(secret *[16]byte, table *byte)
// Flags are set from memory.
TEXT ·leakMemoryFlag(SB), NOSPLIT, $0-16
	MOVQ secret+0(FP), SI
	CMPB (SI), $0
	JEQ done
	VPXOR X0, X0, X0
done:
	RET

// func unstoppable(secret *[16]byte, table *byte)
TEXT ·unstoppable(SB), NOSPLIT, $0-16
	MOVQ secret+0(FP), SI
	MOVQ table+8(FP), DI
	VMOVDQU (SI), X0
	VMOVDQU X0, (DI)
	RET

// func unstoppableByFrame(secret *[16]byte, table *byte)
// The frame is so small that the assembler leaves out the check.
TEXT ·unstoppableByFrame(SB), 0, $112-16
	MOVQ secret+0(FP), SI
	MOVQ table+8(FP), DI
	VMOVDQU (SI), X0
	VMOVDQU X0, (DI)
	RET

// func stoppable(secret *[16]byte, table *byte)
TEXT ·stoppable(SB), 0, $120-16
	MOVQ secret+0(FP), SI
	MOVQ table+8(FP), DI
	VMOVDQU (SI), X0
	VMOVDQU X0, (DI)
	RET
