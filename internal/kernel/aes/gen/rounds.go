package main

// A direction is encryption or decryption.
type direction struct{ round, last string }

var (
	forward  = direction{"VAESENC", "VAESENCLAST"}
	backward = direction{"VAESDEC", "VAESDECLAST"}
)

// Registers that the functions on wide registers have in common: states in 0 to 7, the key of slot i in
// key(i). General registers: R8 the schedule, R9 its number of rounds, DI and SI what is written and read,
// CX the bytes that are left.
func key(i int) int { return 17 + i }

// loadRounds loads the number of rounds of the schedule, which is public.
func (p *program) loadRounds() { p.Op("MOVL %d(R8), R9", 16*(lastKey+1)) }

// loadKeys broadcasts all keys. Those that a short schedule hasn't are zeros, and not used.
func (p *program) loadKeys() {
	for i := range lastKey + 1 {
		p.Op("VBROADCASTI32X4 %d(R8), Z%d", 16*i, key(i))
	}
}

// rounds are those between the first XOR with a key and the last round. size is the letter of the registers,
// and between is called after each of the first nine.
func (p *program) rounds(d direction, size string, rs []int, between func(round int)) {
	each := func(i int) {
		for _, r := range rs {
			p.Op("%s %s%d, %s%d, %s%d", d.round, size, key(i), size, r, size, r)
		}
	}
	for i := 1; i <= 9; i++ {
		each(i)
		if between != nil {
			between(i)
		}
	}
	last := p.Label("last")
	p.Op("CMPQ R9, $12")
	p.Op("JLT %s", last)
	each(10)
	each(11)
	p.Op("JEQ %s", last)
	each(12)
	each(13)
	p.Place(last)
}

// finish is the last round.
func (p *program) finish(d direction, size string, rs []int) {
	for _, r := range rs {
		p.Op("%s %s%d, %s%d, %s%d", d.last, size, key(lastKey), size, r, size, r)
	}
}

// each are the registers 0 to n−1.
func each(n int) (rs []int) {
	for i := range n {
		rs = append(rs, i)
	}
	return rs
}

// A tail is what is left of a text behind whole registers: 1 to 63 bytes, as many as CX says.
//
// No load reaches a page that the text doesn't: with lanes masked off it would not fault, but take long
// where that page was never touched. R10, R11, AX, K1 and two registers are used.

// tailMask sets K1 for CX bytes.
func (p *program) tailMask() {
	p.Op("MOVQ $-1, AX")
	p.Op("BZHIQ CX, AX, AX")
	p.Op("KMOVQ AX, K1")
}

// tailLoad loads the tail at SI into r, and zeros behind it.
func (p *program) tailLoad(r, temp int) { p.tailLoadAt("SI", r, temp) }

func (p *program) tailLoadAt(base string, r, temp int) {
	cross, loaded := p.Label("cross"), p.Label("loaded")
	p.Op("MOVQ %s, R10", base)
	p.Op("ANDL $4095, R10")
	p.Op("CMPL R10, $4032")
	p.Op("JHI %s", cross)
	p.Op("VMOVDQU8.Z (%s), K1, Z%d", base, r)
	p.Op("JMP %s", loaded)
	p.Place(cross)
	p.Note("The 64 bytes that end where the text ends; they begin in the page in which the tail does.")
	p.Op("LEAQ window<>+64(SB), R11")
	p.Op("SUBQ CX, R11")
	p.Op("VMOVDQU64 (R11), Z%d", r)
	p.Op("LEAQ -64(%s), R11", base)
	p.Op("ADDQ CX, R11")
	p.Op("VMOVDQU64 (R11), Z%d", temp)
	p.Op("VPERMB.Z Z%d, Z%d, K1, Z%d", temp, r, r)
	p.Place(loaded)
}

// tailStore stores the first CX bytes of r, which it uses up, at DI.
func (p *program) tailStore(r int) {
	pieces, stored := p.Label("pieces"), p.Label("stored")
	p.Op("MOVQ DI, R10")
	p.Op("ANDL $4095, R10")
	p.Op("CMPL R10, $4032")
	p.Op("JHI %s", pieces)
	p.Op("VMOVDQU8 Z%d, K1, (DI)", r)
	p.Op("JMP %s", stored)
	p.Place(pieces)
	for _, piece := range []struct {
		bytes       int
		store, next string
	}{
		{32, "VMOVDQU64 Y%[1]d, (DI)", "VEXTRACTI64X4 $1, Z%[1]d, Y%[1]d"},
		{16, "VMOVDQU64 X%[1]d, (DI)", "VEXTRACTI32X4 $1, Y%[1]d, X%[1]d"},
		{8, "VMOVQ X%[1]d, (DI)", "VPSRLDQ $8, X%[1]d, X%[1]d"},
		{4, "VMOVD X%[1]d, (DI)", "VPSRLDQ $4, X%[1]d, X%[1]d"},
		{2, "VPEXTRW $0, X%[1]d, (DI)", "VPSRLDQ $2, X%[1]d, X%[1]d"},
		{1, "VPEXTRB $0, X%[1]d, (DI)", ""},
	} {
		skip := p.Label("skip")
		p.Op("TESTQ $%d, CX", piece.bytes)
		p.Op("JZ %s", skip)
		p.Op(piece.store, r)
		if piece.next != "" {
			p.Op(piece.next, r)
			p.Op("ADDQ $%d, DI", piece.bytes)
		}
		p.Place(skip)
	}
	p.Place(stored)
}

// over writes a function's body: whole groups of 8 registers, if there is code for them, then single registers, then a
// tail.
func (p *program) over(groups func(), single func(), tail func()) {
	for _, part := range []struct {
		bytes int
		body  func()
	}{{group, groups}, {64, single}} {
		if part.body == nil {
			continue
		}
		loop, done := p.Label("loop"), p.Label("done")
		p.Op("SUBQ $%d, CX", part.bytes)
		p.Op("JLT %s", done)
		p.Place(loop)
		part.body()
		p.Op("ADDQ $%d, SI", part.bytes)
		p.Op("ADDQ $%d, DI", part.bytes)
		p.Op("SUBQ $%d, CX", part.bytes)
		p.Op("JGE %s", loop)
		p.Place(done)
		p.Op("ADDQ $%d, CX", part.bytes)
	}
	end := p.Label("end")
	p.Op("JZ %s", end) // the flags of the addition
	p.tailMask()
	tail()
	p.Place(end)
}

// leave ends a function that has used wide registers.
func (p *program) leave() {
	p.Op("VZEROUPPER")
	p.Op("RET")
}
