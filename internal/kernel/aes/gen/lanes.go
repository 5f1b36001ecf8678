package main

// Messages in lanes: four to a register, and up to eight registers of them, so that what is serial within a message
// is side by side over messages. A lane's text is read and written by the cache line, four blocks at a time: by the
// block, messages whose distance is a power of two would throw each other out of the cache. Four lines and the four
// registers that have a block of each message are a 4 by 4 transpose of each other.
//
// Registers: DX the lanes, CX what is left of every lane, R15 how far it is, R8 the keys, R9 their rounds, R10
// pointers to texts, R11 a tile of lines, BX the registers of lanes that there are.

// lines are the registers that a transpose works on and temps those it uses up.
var (
	lines = [4]int{8, 9, 10, 11}
	temps = [4]int{12, 13, 14, 15}
)

// transpose exchanges lines and blocks.
func (p *program) transpose() { p.transposeAt(lines, temps) }

func (p *program) transposeAt(lines, temps [4]int) {
	shuffle := func(imm string, a, b, to int) { p.Op("VSHUFI32X4 %s, Z%d, Z%d, Z%d", imm, b, a, to) }
	shuffle("$0x44", lines[0], lines[1], temps[0])
	shuffle("$0xee", lines[0], lines[1], temps[1])
	shuffle("$0x44", lines[2], lines[3], temps[2])
	shuffle("$0xee", lines[2], lines[3], temps[3])
	shuffle("$0x88", temps[0], temps[2], lines[0])
	shuffle("$0xdd", temps[0], temps[2], lines[1])
	shuffle("$0x88", temps[1], temps[3], lines[2])
	shuffle("$0xdd", temps[1], temps[3], lines[3])
}

// A keySource is where the keys of lanes are: one schedule in registers, or a key for each lane in memory, which R8
// points to.
type keySource bool

const (
	oneKey   keySource = false
	ownKeys  keySource = true
	keyBytes           = 64 * (lastKey + 1) // of a register of lanes
)

// operand is the i-th key of a register of lanes, by its slot.
func (k keySource) operand(group, i int) string {
	if k == oneKey {
		return register(key(i))
	}
	return offset(keyBytes*group+64*i, "R8")
}

// laneRounds are the rounds of the registers 0 to n−1 between the XOR with the first key and the last round.
func (p *program) laneRounds(k keySource, n int) {
	one := func(i int) {
		for g := range n {
			p.Op("VAESENC %s, Z%d, Z%d", k.operand(g, i), g, g)
		}
	}
	for i := 1; i <= 9; i++ {
		one(i)
	}
	last := p.Label("last")
	p.Op("CMPQ R9, $12")
	p.Op("JLT %s", last)
	one(10)
	one(11)
	p.Op("JEQ %s", last)
	one(12)
	one(13)
	p.Place(last)
	for g := range n {
		p.Op("VAESENCLAST %s, Z%d, Z%d", k.operand(g, lastKey), g, g)
	}
}

// lanesAtOnce are the numbers of registers of lanes that there is code for.
var lanesAtOnce = []int{1, 2, 3, 4, 6, 8}

// byGroups writes a body for each of these numbers: the first that is at least BX.
func (p *program) byGroups(most int, body func(n int)) {
	end := p.Label("end")
	for _, n := range lanesAtOnce {
		if n > most {
			break
		}
		next := p.Label("next")
		if n < most {
			p.Op("CMPQ BX, $%d", n)
			p.Op("JGT %s", next)
		}
		body(n)
		if n < most {
			p.Op("JMP %s", end)
			p.Place(next)
		}
	}
	p.Place(end)
}

// text loads the pointer of a lane to what is read or written.
func (p *program) text(lane, base int) { p.Op("MOVQ %d(DX), R10", base+8*lane) }

// cbcLanes writes CBC encryption of many messages.
func (p *program) cbcLanes(name string, k keySource) {
	if k == oneKey {
		p.Function(name, 32, "func "+name+"(l *Lanes, s *Schedule, groups, blocks int)")
		p.Op("MOVQ s+8(FP), R8")
		p.loadRounds()
		p.loadKeys()
	} else {
		p.Function(name, 32, "func "+name+"(l *Lanes, rounds, groups, blocks int)")
		p.Op("MOVQ rounds+8(FP), R9")
	}
	p.Op("MOVQ l+0(FP), DX")
	p.Op("MOVQ groups+16(FP), BX")
	p.Op("MOVQ blocks+24(FP), CX")
	if k == ownKeys {
		p.Op("LEAQ %d(DX), R8", lanesRound)
	}
	p.Op("XORQ R15, R15")
	p.byGroups(laneGroups, func(n int) {
		for g := range n {
			p.Op("VMOVDQU64 %d(DX), Z%d", lanesState+64*g, g)
		}
		p.laneLines(k, n)
		p.laneBlocks(k, n)
		for g := range n {
			p.Op("VMOVDQU64 Z%d, %d(DX)", g, lanesState+64*g)
		}
	})
	p.leave()
}

// laneLines does all whole lines of n registers of lanes.
func (p *program) laneLines(k keySource, n int) {
	line, done, block := p.Label("line"), p.Label("done"), p.Label("block")
	p.Op("SUBQ $4, CX")
	p.Op("JLT %s", done)
	p.Place(line)
	for g := range n {
		for i, r := range lines {
			p.text(4*g+i, lanesSrc)
			p.Op("VMOVDQU64 (R10)(R15*1), Z%d", r)
		}
		p.transpose()
		for i, r := range lines {
			p.Op("VMOVDQU64 Z%d, %d(DX)", r, lanesTile+64*(n*i+g))
		}
	}
	p.Op("LEAQ %d(DX), R11", lanesTile)
	p.Op("MOVQ $4, AX")
	p.Place(block)
	p.laneChain(k, n, func(g int) string { return offset(64*g, "R11") })
	for g := range n {
		p.Op("VMOVDQU64 Z%d, %d(R11)", g, 64*g)
	}
	p.Op("ADDQ $%d, R11", 64*n)
	p.Op("SUBQ $1, AX")
	p.Op("JNZ %s", block)
	for g := range n {
		for i, r := range lines {
			p.Op("VMOVDQU64 %d(DX), Z%d", lanesTile+64*(n*i+g), r)
		}
		p.transpose()
		for i, r := range lines {
			p.text(4*g+i, lanesDst)
			p.Op("VMOVDQU64 Z%d, (R10)(R15*1)", r)
		}
	}
	p.Op("ADDQ $64, R15")
	p.Op("SUBQ $4, CX")
	p.Op("JGE %s", line)
	p.Place(done)
	p.Op("ADDQ $4, CX")
}

// laneChain encrypts a block of every lane, which is added to the last ciphertext.
func (p *program) laneChain(k keySource, n int, block func(g int) string) {
	const first = 8
	for g := range n {
		if k == oneKey {
			p.Op("VPTERNLOGQ $0x96, %s, Z%d, Z%d", block(g), key(0), g)
			continue
		}
		p.Op("VMOVDQU64 %s, Z%d", k.operand(g, 0), first)
		p.Op("VPTERNLOGQ $0x96, %s, Z%d, Z%d", block(g), first, g)
	}
	p.laneRounds(k, n)
}

// laneBlocks does the blocks behind whole lines, up to three.
func (p *program) laneBlocks(k keySource, n int) {
	block, done := p.Label("block"), p.Label("done")
	p.Op("TESTQ CX, CX")
	p.Op("JZ %s", done)
	p.Place(block)
	const gathered = 9
	for g := range n {
		for i := range 4 {
			p.text(4*g+i, lanesSrc)
			if i == 0 {
				p.Op("VMOVDQU64 (R10)(R15*1), X%d", gathered)
			} else {
				p.Op("VINSERTI32X4 $%d, (R10)(R15*1), Z%d, Z%d", i, gathered, gathered)
			}
		}
		p.Op("VMOVDQU64 Z%d, %d(DX)", gathered, lanesTile+64*g)
	}
	p.laneChain(k, n, func(g int) string { return offset(lanesTile+64*g, "DX") })
	for g := range n {
		for i := range 4 {
			p.text(4*g+i, lanesDst)
			if i == 0 {
				p.Op("VMOVDQU64 X%d, (R10)(R15*1)", g)
			} else {
				p.Op("VEXTRACTI32X4 $%d, Z%d, (R10)(R15*1)", i, g)
			}
		}
	}
	p.Op("ADDQ $16, R15")
	p.Op("SUBQ $1, CX")
	p.Op("JNZ %s", block)
	p.Place(done)
}
