package main

// GHASH of SP 800-38D, section 6.4, on byte-swapped blocks as in POLYVAL (RFC 8452, appendix A): a table holds
// powers of H, times x, the highest first, and behind them for each the sum of its halves in both halves. A
// product by Karatsuba takes three carry-less multiplications, which bound GCM: a processor begins one every
// other cycle. Products are added up unreduced, for as many blocks as there are powers.

const (
	lo, hi, mid = 8, 9, 10 // sums of the low, high and middle products
	x, t, y, u  = 11, 13, 12, 15
)

// emptySums begins a sum of products.
func (p *program) emptySums() {
	for _, r := range []int{lo, hi, mid} {
		p.Op("VPXORQ Z%d, Z%d, Z%d", r, r, r)
	}
}

// swapped brings four blocks into the field's order.
func (p *program) swapped(r int) { p.Op("VPSHUFB swap<>(SB), Z%d, Z%d", r, r) }

// absorb adds the products of the blocks in x and the powers at two operands, which are used up.
func (p *program) absorb(power, middle string) {
	p.Op("VPCLMULQDQ $0x00, %s, Z%d, Z%d", power, x, t)
	p.Op("VPCLMULQDQ $0x11, %s, Z%d, Z%d", power, x, u)
	p.Op("VPXORQ Z%d, Z%d, Z%d", t, lo, lo)
	p.Op("VPXORQ Z%d, Z%d, Z%d", u, hi, hi)
	p.Op("VPSHUFD $0x4e, Z%d, Z%d", x, t)
	p.Op("VPXORQ Z%d, Z%d, Z%d", t, x, x)
	p.Op("VPCLMULQDQ $0x00, %s, Z%d, Z%d", middle, x, x)
	p.Op("VPXORQ Z%d, Z%d, Z%d", x, mid, mid)
}

// absorbPair is absorb for the blocks in x and in y: two products enter a sum by one instruction.
func (p *program) absorbPair(power, middle func(i int) string) {
	p.absorbHalves(power)
	p.absorbMiddle(middle)
}

// absorbHalves and absorbMiddle are the two parts of absorbPair.
func (p *program) absorbHalves(power func(i int) string) {
	for _, product := range []struct {
		imm string
		sum int
	}{{"$0x00", lo}, {"$0x11", hi}} {
		p.Op("VPCLMULQDQ %s, %s, Z%d, Z%d", product.imm, power(0), x, t)
		p.Op("VPCLMULQDQ %s, %s, Z%d, Z%d", product.imm, power(1), y, u)
		p.Op("VPTERNLOGQ $0x96, Z%d, Z%d, Z%d", t, u, product.sum)
	}
}

func (p *program) absorbMiddle(middle func(i int) string) {
	p.Op("VPSHUFD $0x4e, Z%d, Z%d", x, t)
	p.Op("VPSHUFD $0x4e, Z%d, Z%d", y, u)
	p.Op("VPXORQ Z%d, Z%d, Z%d", t, x, x)
	p.Op("VPXORQ Z%d, Z%d, Z%d", u, y, y)
	p.Op("VPCLMULQDQ $0x00, %s, Z%d, Z%d", middle(0), x, x)
	p.Op("VPCLMULQDQ $0x00, %s, Z%d, Z%d", middle(1), y, y)
	p.Op("VPTERNLOGQ $0x96, Z%d, Z%d, Z%d", x, y, mid)
}

// reduce leaves the sum of all products in the lowest block of to, and zeros behind it. It uses x.
func (p *program) reduce(to int) {
	p.Op("VPXORQ Z%d, Z%d, Z%d", lo, hi, t)
	p.foldIn(folding{lo, hi, mid, t})
	for i, r := range []int{t, u, x} {
		p.Op("VEXTRACTI32X4 $%d, Z%d, X%d", i+1, hi, r)
	}
	p.Op("VPTERNLOGQ $0x96, X%d, X%d, X%d", t, u, hi)
	p.Op("VPXORQ X%d, X%d, X%d", x, hi, to)
}

// product leaves the reduced products of a and b, block by block, in to. It uses t, lo, hi and mid.
func (p *program) product(a, b, to int) {
	p.Op("VPCLMULQDQ $0x00, Z%d, Z%d, Z%d", a, b, lo)
	p.Op("VPCLMULQDQ $0x01, Z%d, Z%d, Z%d", a, b, mid)
	p.Op("VPCLMULQDQ $0x10, Z%d, Z%d, Z%d", a, b, t)
	p.Op("VPCLMULQDQ $0x11, Z%d, Z%d, Z%d", a, b, hi)
	p.fold(to)
}

// A folding is where the parts of products are: lo and hi, and mid and t, which are 64 bits above lo.
type folding struct{ lo, hi, mid, t int }

// fold leaves in to what the products in lo and hi, and in mid and t, are when reduced, block by block.
func (p *program) fold(to int) {
	p.foldIn(folding{lo, hi, mid, t})
	p.Op("VMOVDQA64 Z%d, Z%d", hi, to)
}

// foldIn leaves the reduced products in hi. What the lowest 64 bits of lo become lies where mid does.
func (p *program) foldIn(f folding) {
	p.Op("VPXORQ Z%d, Z%d, Z%d", f.t, f.mid, f.mid)
	p.Op("VPCLMULQDQ $0x00, ghashPoly<>(SB), Z%d, Z%d", f.lo, f.t)
	p.Op("VPSHUFD $0x4e, Z%d, Z%d", f.lo, f.lo)
	p.Op("VPTERNLOGQ $0x96, Z%d, Z%d, Z%d", f.t, f.lo, f.mid)
	p.Op("VPCLMULQDQ $0x00, ghashPoly<>(SB), Z%d, Z%d", f.mid, f.t)
	p.Op("VPSHUFD $0x4e, Z%d, Z%d", f.mid, f.mid)
	p.Op("VPTERNLOGQ $0x96, Z%d, Z%d, Z%d", f.t, f.mid, f.hi)
}

// hashKey leaves H = E(0) times x in register 0: GHASH is POLYVAL of byte-swapped blocks with that (RFC 8452,
// appendix A).
func (p *program) hashKey() {
	p.Op("VMOVDQU (R8), X0") // zeros and the first key
	p.blockRounds(forward)
	p.Op("VAESENCLAST %d(R8), X0, X0", 16*lastKey)
	p.Op("VPSHUFB swap<>(SB), X0, X0")
	p.Op("VPSRLQ $63, X0, X1")
	p.Op("VPSHUFD $0xff, X0, X2")
	p.Op("VPSLLQ $1, X0, X0")
	p.Op("VPSLLDQ $8, X1, X1")
	p.Op("VPOR X1, X0, X0")
	p.Op("VPSRAD $31, X2, X2") // what leaves at the top
	p.Op("VPAND hashCarry<>(SB), X2, X2")
	p.Op("VPXOR X2, X0, X0")
}

// powers writes a table of n powers, a multiple of 4: of the H of a schedule if there are few, else of the H at h.
// Four vectors of four are in flight, each made of that four before it.
func (p *program) powers(name string, n int) {
	const h4, step = 4, 5 // h4: H⁴ in all blocks, step: H⁴, H⁸ or H¹⁶
	if n == fewPowers {
		p.Function(name, 16, "func "+name+"(table *byte, s *Schedule)")
		p.Op("MOVQ s+8(FP), R8")
		p.loadRounds()
		p.hashKey()
	} else {
		p.Function(name, 16, "func "+name+"(table *byte, h *[16]byte)")
		p.Op("MOVQ h+8(FP), SI")
		p.Op("VMOVDQU (SI), X0")
	}
	p.Op("MOVQ table+0(FP), DI")
	keep := func(r, vector int) {
		p.Op("VMOVDQU64 Z%d, %d(DI)", r, 16*n-64*(vector+1))
		p.Op("VPSHUFD $0x4e, Z%d, Z%d", r, t)
		p.Op("VPXORQ Z%d, Z%d, Z%d", r, t, t)
		p.Op("VMOVDQU64 Z%d, %d(DI)", t, 32*n-64*(vector+1))
	}
	p.product(0, 0, 1)
	p.Note("H², H in one register times H² in both blocks.")
	p.Op("VINSERTI128 $1, X0, Y1, Y2")
	p.Op("VINSERTI128 $1, X1, Y1, Y3")
	p.product(2, 3, 0)
	p.Op("VINSERTI64X4 $1, Y2, Z0, Z0")
	keep(0, 0)
	p.Op("VSHUFI64X2 $0, Z0, Z0, Z%d", h4)
	p.product(0, h4, 1)
	keep(1, 1)
	if n > 8 {
		p.Op("VSHUFI64X2 $0, Z1, Z1, Z%d", step)
		for i := range 2 {
			p.product(i, step, 2+i)
			keep(2+i, 2+i)
		}
		p.Op("VSHUFI64X2 $0, Z3, Z3, Z%d", step)
		for vector := 4; vector < n/4; vector++ {
			p.product(vector%4, step, vector%4)
			keep(vector%4, vector)
		}
	}
	p.leave()
}

// A table is where the powers lie that a function hashes by: how many bytes they take at once, and the places of
// the first of these powers and of the sums.
type table struct{ bytes, first, middle int }

var (
	wholeTable = table{1024, tableFirst, tableMiddle}
	fewTable   = table{16 * fewPowers, 0, 16 * fewPowers}
)

// ghash writes the hash of n bytes, the last block padded with zeros.
func (p *program) ghash(name, kind string, by table) {
	const acc = 5
	p.Function(name, 32, "func "+name+"(hash *[16]byte, table *"+kind+", data *byte, n int)")
	p.Op("MOVQ hash+0(FP), DX")
	p.Op("MOVQ table+8(FP), R8")
	p.Op("MOVQ data+16(FP), SI")
	p.Op("MOVQ n+24(FP), CX")
	p.Op("VMOVDQU (DX), X%d", acc)
	chunk, few, end := p.Label("chunk"), p.Label("few"), p.Label("end")
	p.Op("SUBQ $%d, CX", by.bytes)
	p.Op("JLT %s", few)
	p.Place(chunk)
	p.emptySums()
	pairs := by.bytes / 128
	for i := range pairs {
		pair := (i + 1) % pairs // the one that waits for the chunk before comes last
		p.Op("VMOVDQU64 %d(SI), Z%d", 128*pair, x)
		p.Op("VMOVDQU64 %d(SI), Z%d", 128*pair+64, y)
		p.swapped(x)
		p.swapped(y)
		if pair == 0 {
			p.Op("VPXORQ Z%d, Z%d, Z%d", acc, x, x)
		}
		at := by.first + 128*pair
		p.absorbPair(
			func(i int) string { return offset(at+64*i, "R8") },
			func(i int) string { return offset(by.middle+at+64*i, "R8") })
	}
	p.reduce(acc)
	p.Op("ADDQ $%d, SI", by.bytes)
	p.Op("SUBQ $%d, CX", by.bytes)
	p.Op("JGE %s", chunk)
	p.Place(few)
	p.Op("ADDQ $%d, CX", by.bytes)
	p.Op("JZ %s", end)
	p.Note("R13 and R14: the power of the first block that is left.")
	p.Op("LEAQ 15(CX), AX")
	p.Op("ANDQ $-16, AX")
	p.Op("LEAQ %d(R8), R13", by.middle)
	p.Op("SUBQ AX, R13")
	p.Op("LEAQ %d(R13), R14", by.middle)
	p.emptySums()
	p.hashText("SI", acc)
	p.reduce(acc)
	p.Place(end)
	p.Op("VMOVDQU X%d, (DX)", acc)
	p.leave()
}

// none is in the place of a register that a function doesn't have.
const none = -1

// hashText absorbs CX bytes at base, and acc with the first if there is one; R13 and R14 are at the powers.
func (p *program) hashText(base string, acc int) {
	vector, tail, done := p.Label("vector"), p.Label("tail"), p.Label("done")
	p.Op("SUBQ $64, CX")
	p.Op("JLT %s", tail)
	p.Place(vector)
	p.Op("VMOVDQU64 (%s), Z%d", base, x)
	p.absorbNext(acc)
	p.Op("ADDQ $64, %s", base)
	p.Op("SUBQ $64, CX")
	p.Op("JGE %s", vector)
	p.Place(tail)
	p.Op("ADDQ $64, CX")
	p.Op("JZ %s", done)
	p.tailMask()
	p.tailLoadAt(base, x, y)
	p.absorbTail(acc)
	p.Place(done)
}

// absorbNext absorbs the four blocks in x, with what came before them in acc, and goes on to the next powers.
func (p *program) absorbNext(acc int) {
	p.absorbHere(acc)
	p.Op("ADDQ $64, R13")
	p.Op("ADDQ $64, R14")
}

// absorbTail is absorbNext for CX bytes.
func (p *program) absorbTail(acc int) {
	p.absorbHere(acc)
	p.Op("ADDQ $15, CX")
	p.Op("ANDQ $-16, CX")
	p.Op("ADDQ CX, R13")
	p.Op("ADDQ CX, R14")
}

func (p *program) absorbHere(acc int) {
	p.swapped(x)
	p.addBefore(acc)
	p.absorb("(R13)", "(R14)")
}

// addBefore adds acc to x once.
func (p *program) addBefore(acc int) {
	if acc != none {
		p.Op("VPXORQ Z%d, Z%d, Z%d", acc, x, x)
		p.Op("VPXORQ Z%d, Z%d, Z%d", acc, acc, acc)
	}
}
