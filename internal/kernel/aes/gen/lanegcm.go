package main

// CTR and GHASH in lanes. GHASH is Horner's rule: a message has no power of its hash key but the first, so that a new
// key costs one block. The tile has four registers for each of lanes, in the order of lines or of blocks.

const (
	laneCounter = 16 // counters of the first register of lanes, byte-swapped
	laneOne     = 24
	laneSwap    = 25
	laneTurn    = 14 // the number of the block within a line
)

// startLanes writes what a message begins with: its hash key times x, the mask of its tag, and the counter behind.
func (p *program) startLanes() {
	p.Function("wideStartLanes", 24, "func wideStartLanes(l *Lanes, rounds, groups int)")
	p.laneKeyed(16)
	p.Op("VBROADCASTI32X4 hashCarry<>(SB), Z%d", laneOne)
	p.byGroups(laneGroups, func(n int) {
		for g := range n {
			p.Op("VMOVDQU64 %s, Z%d", ownKeys.operand(g, 0), g)
		}
		p.laneRounds(ownKeys, n)
		p.Op("VPXORQ Z%[1]d, Z%[1]d, Z%[1]d", t)
		for g := range n {
			p.timesX(g)
			p.Op("VMOVDQU64 Z%d, %d(DX)", g, lanesKey+64*g)
			p.Op("VMOVDQU64 Z%d, %d(DX)", t, lanesState+64*g)
		}
		for g := range n {
			p.Op("VMOVDQU64 %d(DX), Z%d", lanesCounter+64*g, g)
			p.Op("VPXORQ %s, Z%d, Z%d", ownKeys.operand(g, 0), g, g)
		}
		p.laneRounds(ownKeys, n)
		for g := range n {
			p.Op("VMOVDQU64 Z%d, %d(DX)", g, lanesMask+64*g)
			p.Op("VMOVDQU64 %d(DX), Z%d", lanesCounter+64*g, g)
			p.Op("VPADDD counterStep<>(SB), Z%d, Z%d", g, g)
			p.Op("VMOVDQU64 Z%d, %d(DX)", g, lanesCounter+64*g)
		}
	})
	p.leave()
}

// laneKeyed loads the arguments that come first, where the number of registers lies at so many bytes.
func (p *program) laneKeyed(groups int) {
	p.Op("MOVQ l+0(FP), DX")
	p.Op("MOVQ rounds+8(FP), R9")
	p.Op("MOVQ groups+%d(FP), BX", groups)
	p.Op("LEAQ %d(DX), R8", lanesRound)
}

// timesX brings hash keys into the field's order and multiplies them by x, as hashKey does with one.
func (p *program) timesX(r int) {
	const top, carry = 8, 9
	p.Op("VPSHUFB swap<>(SB), Z%d, Z%d", r, r)
	p.Op("VPSRLQ $63, Z%d, Z%d", r, carry)
	p.Op("VPSHUFD $0xff, Z%d, Z%d", r, top)
	p.Op("VPSLLQ $1, Z%d, Z%d", r, r)
	p.Op("VPSLLDQ $8, Z%d, Z%d", carry, carry)
	p.Op("VPORQ Z%d, Z%d, Z%d", carry, r, r)
	p.Op("VPSRAD $31, Z%d, Z%d", top, top)
	p.Op("VPANDQ Z%d, Z%d, Z%d", laneOne, top, top)
	p.Op("VPXORQ Z%d, Z%d, Z%d", top, r, r)
}

// ctrLanes writes encryption of whole lines and, where last isn't 0, of what every lane has left of one more.
func (p *program) ctrLanes() {
	p.Function("wideCTRLanes", 40, "func wideCTRLanes(l *Lanes, rounds, groups, lines, last int)")
	p.laneKeyed(16)
	p.Op("MOVQ lines+24(FP), CX")
	p.Op("XORQ R15, R15")
	p.Op("VMOVDQU64 swap<>(SB), Z%d", laneSwap)
	p.Op("VMOVDQU64 laneStep<>(SB), Z%d", laneOne)
	p.byGroups(laneGroups, func(n int) {
		for g := range n {
			p.Op("VMOVDQU64 %d(DX), Z%d", lanesCounter+64*g, laneCounter+g)
			p.Op("VPSHUFB Z%d, Z%d, Z%d", laneSwap, laneCounter+g, laneCounter+g)
		}
		line, done := p.Label("line"), p.Label("done")
		p.Op("SUBQ $1, CX")
		p.Op("JLT %s", done)
		p.Place(line)
		p.laneStream(n)
		for g := range n {
			p.fromTile(g)
			for i, r := range lines {
				p.text(4*g+i, lanesSrc)
				p.Op("VPXORQ (R10)(R15*1), Z%d, Z%d", r, r)
				p.text(4*g+i, lanesDst)
				p.Op("VMOVDQU64 Z%d, (R10)(R15*1)", r)
			}
		}
		p.Op("ADDQ $64, R15")
		p.Op("SUBQ $1, CX")
		p.Op("JGE %s", line)
		p.Place(done)
		end := p.Label("end")
		p.Op("MOVQ last+32(FP), AX")
		p.Op("TESTQ AX, AX")
		p.Op("JZ %s", end)
		p.laneStream(n)
		for g := range n {
			p.fromTile(g)
			p.toTile(g)
		}
		p.Op("MOVQ $%d, R9", 4*n)
		p.eachTail("R8", "R9", func() {
			whole, stored := p.Label("whole"), p.Label("stored")
			p.Op("MOVQ %d(R13), DI", lanesDst-lanesSrc)
			p.Op("ADDQ R15, DI")
			p.Op("VPXORQ (R8), Z8, Z8")
			p.Op("CMPQ CX, $64")
			p.Op("JEQ %s", whole)
			p.tailStore(8)
			p.Op("JMP %s", stored)
			p.Place(whole)
			p.Op("VMOVDQU64 Z8, (DI)")
			p.Place(stored)
		}, nil)
		p.Place(end)
		for g := range n {
			p.Op("VPSHUFB Z%d, Z%d, Z%d", laneSwap, laneCounter+g, laneCounter+g)
			p.Op("VMOVDQU64 Z%d, %d(DX)", laneCounter+g, lanesCounter+64*g)
		}
	})
	p.leave()
}

// laneStream leaves four blocks of key stream for every lane in the tile.
func (p *program) laneStream(n int) {
	block := p.Label("block")
	p.Op("LEAQ %d(DX), R11", lanesTile)
	p.Op("MOVQ $4, AX")
	p.Place(block)
	for g := range n {
		p.Op("VPSHUFB Z%d, Z%d, Z%d", laneSwap, laneCounter+g, g)
		p.Op("VPADDQ Z%d, Z%d, Z%d", laneOne, laneCounter+g, laneCounter+g)
		p.Op("VPXORQ %s, Z%d, Z%d", ownKeys.operand(g, 0), g, g)
	}
	p.laneRounds(ownKeys, n)
	for g := range n {
		p.Op("VMOVDQU64 Z%d, %d(R11)", g, 256*g)
	}
	p.Op("ADDQ $64, R11")
	p.Op("SUBQ $1, AX")
	p.Op("JNZ %s", block)
}

// fromTile loads and transposes what the tile has of a register of lanes, and toTile stores it.
func (p *program) fromTile(g int) {
	for i, r := range lines {
		p.Op("VMOVDQU64 %d(DX), Z%d", lanesTile+256*g+64*i, r)
	}
	p.transpose()
}

func (p *program) toTile(g int) {
	for i, r := range lines {
		p.Op("VMOVDQU64 Z%d, %d(DX)", r, lanesTile+256*g+64*i)
	}
}

// eachTail loads what each lane has left, up to 64 bytes, into register 8, as many lanes as the count register says,
// and calls body with the length in CX, or empty where there is nothing. R13 points to the pointers of the texts and
// is moved on, R12 to the lengths, tile to the lanes' lines.
func (p *program) eachTail(tile, count string, body, empty func()) {
	lane, skip, next := p.Label("lane"), p.Label("skip"), p.Label("next")
	if tile == "R8" {
		p.Op("LEAQ %d(DX), R13", lanesSrc)
	}
	p.Op("LEAQ %d(DX), R12", lanesLeft)
	p.Op("LEAQ %d(DX), %s", lanesTile, tile)
	p.Place(lane)
	p.Op("MOVQ (R12), CX")
	p.Op("TESTQ CX, CX")
	p.Op("JZ %s", skip)
	p.Op("MOVQ (R13), SI")
	p.Op("ADDQ R15, SI")
	p.tailMask()
	p.tailLoad(8, 9)
	body()
	p.Op("JMP %s", next)
	p.Place(skip)
	if empty != nil {
		empty()
	}
	p.Place(next)
	p.Op("ADDQ $8, R12")
	p.Op("ADDQ $8, R13")
	p.Op("ADDQ $64, %s", tile)
	p.Op("SUBQ $1, %s", count)
	p.Op("JNZ %s", lane)
}

// absorbLanes writes GHASH of whole lines and, where last isn't 0, of what every lane has left of one more, its last
// block padded with zeros.
func (p *program) absorbLanes() {
	p.Function("wideAbsorbLanes", 40, "func wideAbsorbLanes(l *Lanes, texts *[MaxLanes]*byte, groups, lines, last int)")
	p.Op("MOVQ l+0(FP), DX")
	p.Op("MOVQ texts+8(FP), R13")
	p.Op("MOVQ groups+16(FP), BX")
	p.Op("MOVQ lines+24(FP), CX")
	p.Op("XORQ R15, R15")
	p.byGroups(laneGroups, func(n int) {
		for g := range n {
			p.Op("VMOVDQU64 %d(DX), Z%d", lanesState+64*g, g)
		}
		line, done := p.Label("line"), p.Label("done")
		p.Op("SUBQ $1, CX")
		p.Op("JLT %s", done)
		p.Place(line)
		for g := range n {
			for i, r := range lines {
				p.Op("MOVQ %d(R13), R10", 8*(4*g+i))
				p.Op("VMOVDQU64 (R10)(R15*1), Z%d", r)
			}
			p.transpose()
			p.toTile(g)
		}
		p.laneHorner(n, false)
		p.Op("ADDQ $64, R15")
		p.Op("SUBQ $1, CX")
		p.Op("JGE %s", line)
		p.Place(done)
		end := p.Label("end")
		p.Op("MOVQ last+32(FP), AX")
		p.Op("TESTQ AX, AX")
		p.Op("JZ %s", end)
		p.Op("LEAQ %d(DX), BX", lanesCount)
		p.Op("MOVQ $%d, R8", 4*n)
		p.eachTail("DI", "R8", func() {
			p.Op("VMOVDQU64 Z8, (DI)")
			p.Op("ADDQ $15, CX")
			p.Op("SHRQ $4, CX")
			p.Op("MOVQ CX, (BX)")
			p.Op("MOVQ CX, 8(BX)")
			p.Op("ADDQ $16, BX")
		}, func() {
			p.Op("MOVQ CX, (BX)")
			p.Op("MOVQ CX, 8(BX)")
			p.Op("ADDQ $16, BX")
		})
		for g := range n {
			p.fromTile(g)
			p.toTile(g)
		}
		p.Op("VPXORQ Z%[1]d, Z%[1]d, Z%[1]d", laneTurn)
		p.laneHorner(n, true)
		p.Place(end)
		for g := range n {
			p.Op("VMOVDQU64 Z%d, %d(DX)", g, lanesState+64*g)
		}
	})
	p.leave()
}

// laneHorner adds four blocks of the tile to every hash; if counted, only as many as the lane has.
func (p *program) laneHorner(n int, counted bool) {
	block := p.Label("block")
	p.Op("LEAQ %d(DX), R11", lanesTile)
	p.Op("MOVQ $4, AX")
	p.Place(block)
	for g := range n {
		p.Op("VMOVDQU64 %d(R11), Z%d", 256*g, x)
		p.Op("VPSHUFB swap<>(SB), Z%d, Z%d", x, x)
		p.Op("VPXORQ Z%d, Z%d, Z%d", g, x, x)
		if !counted {
			p.laneProduct(g, g)
			continue
		}
		p.laneProduct(g, x)
		p.Op("VPCMPUQ $1, %d(DX), Z%d, K2", lanesCount+64*g, laneTurn)
		p.Op("VMOVDQA64 Z%d, K2, Z%d", x, g)
	}
	if counted {
		p.Op("VPADDQ laneOnes<>(SB), Z%d, Z%d", laneTurn, laneTurn)
	}
	p.Op("ADDQ $64, R11")
	p.Op("SUBQ $1, AX")
	p.Op("JNZ %s", block)
}

// laneProduct leaves the reduced products of x and the hash keys of a register of lanes in to.
func (p *program) laneProduct(g, to int) {
	h := offset(lanesKey+64*g, "DX")
	p.Op("VPCLMULQDQ $0x00, %s, Z%d, Z%d", h, x, lo)
	p.Op("VPCLMULQDQ $0x01, %s, Z%d, Z%d", h, x, mid)
	p.Op("VPCLMULQDQ $0x10, %s, Z%d, Z%d", h, x, t)
	p.Op("VPCLMULQDQ $0x11, %s, Z%d, Z%d", h, x, hi)
	p.fold(to)
}

// tagLanes writes the last product, of the lengths, and the tags, which take the place of their masks.
func (p *program) tagLanes() {
	p.Function("wideTagLanes", 16, "func wideTagLanes(l *Lanes, groups int)")
	p.Op("MOVQ l+0(FP), DX")
	p.Op("MOVQ groups+8(FP), BX")
	loop := p.Label("loop")
	p.Place(loop)
	p.Op("VMOVDQU64 %d(DX), Z%d", lanesState, x)
	p.Op("VPXORQ %d(DX), Z%d, Z%d", lanesBits, x, x)
	p.laneProduct(0, x)
	p.Op("VPSHUFB swap<>(SB), Z%d, Z%d", x, x)
	p.Op("VPXORQ %d(DX), Z%d, Z%d", lanesMask, x, x)
	p.Op("VMOVDQU64 Z%d, %d(DX)", x, lanesMask)
	p.Op("ADDQ $64, DX")
	p.Op("SUBQ $1, BX")
	p.Op("JNZ %s", loop)
	p.leave()
}
