package main

// The key schedule of FIPS 197, section 5.2. AESENCLAST of a register whose four columns are equal leaves
// the rows where they are: it is SubWord of the column, and its key operand adds the round constant.

// A schedule has 15 keys of 16 bytes; the key that ends the last round is always at the last place, so that
// kernels for all lengths of keys find it there.
const lastKey = 14

// slot is the place of round key i of so many rounds.
func slot(i, rounds int) int {
	if i == rounds {
		return lastKey
	}
	return i
}

func (p *program) scheduleData() {
	rotate, repeat := make([]byte, 16), make([]byte, 16)
	for i := range 16 {
		rotate[i] = byte(12 + (i+1)%4) // RotWord of the last word, in all columns
		repeat[i] = byte(12 + i%4)
	}
	p.Bytes("rotate", rotate)
	p.Bytes("repeat", repeat)
	var constants []uint64
	for c, i := uint64(1), 0; i < 10; i++ {
		quad := c<<32 | c
		constants = append(constants, quad, quad)
		if c <<= 1; c > 0xff {
			c ^= 0x11b
		}
	}
	p.Quads("roundConstants", constants...)
}

const (
	keyA, keyB, keySub, keyTemp, keyRotate, keyRepeat, keyZero = 0, 1, 2, 3, 4, 5, 6
)

func (p *program) expandStart(name string) {
	p.Function(name, 16, "func "+name+"(key *byte, enc *Schedule)")
	p.Op("MOVQ key+0(FP), SI")
	p.Op("MOVQ enc+8(FP), DI")
	p.Op("VMOVDQU rotate<>(SB), X%d", keyRotate)
	p.Op("VMOVDQU repeat<>(SB), X%d", keyRepeat)
	p.Op("VPXOR X%d, X%d, X%d", keyZero, keyZero, keyZero)
}

// prefix replaces the words a, b, c, d of r by a, a⊕b, a⊕b⊕c, a⊕b⊕c⊕d.
func (p *program) prefix(r int) {
	for _, n := range []int{4, 8} {
		p.Op("VPSLLDQ $%d, X%d, X%d", n, r, keyTemp)
		p.Op("VPXOR X%d, X%d, X%d", keyTemp, r, r)
	}
}

// substitute leaves SubWord of the last word of r in all columns of keySub, rotated before and with a round
// constant where constant isn't negative.
func (p *program) substitute(r, constant int) {
	if constant < 0 {
		p.Op("VPSHUFB X%d, X%d, X%d", keyRepeat, r, keySub)
		p.Op("VAESENCLAST X%d, X%d, X%d", keyZero, keySub, keySub)
		return
	}
	p.Op("VPSHUFB X%d, X%d, X%d", keyRotate, r, keySub)
	p.Op("VAESENCLAST roundConstants<>+%d(SB), X%d, X%d", 16*constant, keySub, keySub)
}

// keep stores r as round key i.
func (p *program) keep(r, i, rounds int) { p.Op("VMOVDQU X%d, %d(DI)", r, 16*slot(i, rounds)) }

// inverse writes the schedule of decryption, which has the keys in the reverse order, those between the first and
// the last by InvMixColumns: FIPS 197, section 5.3.5.
func (p *program) inverse() {
	p.Function("wideInverse", 16, "func wideInverse(enc, dec *Schedule)")
	p.Op("MOVQ enc+0(FP), R8")
	p.Op("MOVQ dec+8(FP), DI")
	p.loadRounds()
	p.Op("CMPQ R9, $12")
	longer, longest := p.Label("longer"), p.Label("longest")
	p.Op("JEQ %s", longer)
	p.Op("JGT %s", longest)
	for _, rounds := range []int{10, 12, 14} {
		switch rounds {
		case 12:
			p.Place(longer)
		case 14:
			p.Place(longest)
		}
		for i := range rounds + 1 {
			r := i % 4
			if i == 0 || i == rounds {
				p.Op("VMOVDQU %d(R8), X%d", 16*slot(i, rounds), r)
			} else {
				p.Op("VAESIMC %d(R8), X%d", 16*slot(i, rounds), r)
			}
			p.Op("VMOVDQU X%d, %d(DI)", r, 16*slot(rounds-i, rounds))
		}
		p.Op("RET")
	}
}

func (p *program) expand128() {
	const rounds = 10
	p.expandStart("wideExpand128")
	p.Op("VMOVDQU (SI), X%d", keyA)
	p.keep(keyA, 0, rounds)
	for i := 1; i <= rounds; i++ {
		p.substitute(keyA, i-1)
		p.prefix(keyA)
		p.Op("VPXOR X%d, X%d, X%d", keySub, keyA, keyA)
		p.keep(keyA, i, rounds)
	}
	p.Op("RET")
}

func (p *program) expand256() {
	const rounds = 14
	p.expandStart("wideExpand256")
	p.Op("VMOVDQU (SI), X%d", keyA)
	p.Op("VMOVDQU 16(SI), X%d", keyB)
	p.keep(keyA, 0, rounds)
	p.keep(keyB, 1, rounds)
	for i := 2; i <= rounds; i++ {
		r, before, constant := keyA, keyB, i/2-1
		if i%2 == 1 {
			r, before, constant = keyB, keyA, -1
		}
		p.substitute(before, constant)
		p.prefix(r)
		p.Op("VPXOR X%d, X%d, X%d", keySub, r, r)
		p.keep(r, i, rounds)
	}
	p.Op("RET")
}

// expand192 makes six words at a time: four in keyA and two in keyB.
func (p *program) expand192() {
	p.expandStart("wideExpand192")
	p.Op("VMOVDQU (SI), X%d", keyA)
	p.Op("VMOVQ 16(SI), X%d", keyB)
	for i := range 9 {
		if i > 0 {
			p.Note("The last word is the second of the two.")
			p.Op("VPSLLDQ $8, X%d, X%d", keyB, keyTemp)
			p.substitute(keyTemp, i-1)
			p.prefix(keyA)
			p.Op("VPXOR X%d, X%d, X%d", keySub, keyA, keyA)
			p.Op("VPSLLDQ $4, X%d, X%d", keyB, keyTemp)
			p.Op("VPXOR X%d, X%d, X%d", keyTemp, keyB, keyB)
			p.Op("VPSHUFD $0xff, X%d, X%d", keyA, keyTemp)
			p.Op("VPXOR X%d, X%d, X%d", keyTemp, keyB, keyB)
		}
		if i == 8 {
			p.Op("VMOVDQU X%d, %d(DI)", keyA, 16*lastKey)
			break
		}
		p.Op("VMOVDQU X%d, %d(DI)", keyA, 24*i)
		p.Op("VMOVQ X%d, %d(DI)", keyB, 24*i+16)
	}
	p.Op("RET")
}
