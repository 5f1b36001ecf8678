package main

import "fmt"

func address(name string, offset int) string { return fmt.Sprintf("%s+%d(SB)", name, offset) }

// XTS of IEEE 1619-2018. The tweaks of a group lie in registers beside the states; each goes to that of the
// next group by itself, times α³² (section 5.2), so that none waits for another.
const (
	xtsTweak = 8 // and the seven behind it
	xtsTemp  = 16
)

// multiply replaces tweaks by their product with α to the power of 8·bytes.
func (p *program) multiply(r, bytes int) {
	p.Op("VPSRLDQ $%d, Z%d, Z%d", 16-bytes, r, xtsTemp)
	p.Op("VPCLMULQDQ $0x00, xtsPoly<>(SB), Z%d, Z%d", xtsTemp, xtsTemp)
	p.Op("VPSLLDQ $%d, Z%d, Z%d", bytes, r, r)
	p.Op("VPXORQ Z%d, Z%d, Z%d", xtsTemp, r, r)
}

// following makes of the four tweaks of register from those of the next four blocks.
func (p *program) following(from, to int) {
	p.Op("VPSRLQ $60, Z%d, Z%d", from, xtsTemp)
	p.Op("VPSLLQ $4, Z%d, Z%d", from, to)
	p.carried(to)
}

// carried adds to r what has been shifted out of its halves, in xtsTemp: that of the low half goes to the
// high half, that of the high half is reduced.
func (p *program) carried(r int) {
	const high = 7 // a state that is not in use between groups
	p.Op("VPCLMULQDQ $0x01, xtsPoly<>(SB), Z%d, Z%d", xtsTemp, high)
	p.Op("VPSLLDQ $8, Z%d, Z%d", xtsTemp, xtsTemp)
	p.Op("VPTERNLOGQ $0x96, Z%d, Z%d, Z%d", high, xtsTemp, r)
}

// xts writes whole blocks; the tweak is that of the first one, encrypted, and becomes that of the block
// behind the last.
func (p *program) xts(name string, d direction) {
	p.start(name, "tweak")
	p.loadKeys()
	p.Op("VBROADCASTI32X4 (DX), Z%d", xtsTweak)
	p.Op("VPSRLVQ xtsRight<>(SB), Z%d, Z%d", xtsTweak, xtsTemp)
	p.Op("VPSLLVQ xtsLeft<>(SB), Z%d, Z%d", xtsTweak, xtsTweak)
	p.carried(xtsTweak)
	few := p.Label("few")
	p.Op("CMPQ CX, $%d", group)
	p.Op("JLT %s", few)
	for i := 1; i < states; i++ {
		p.following(xtsTweak+i-1, xtsTweak+i)
	}
	p.Place(few)
	tweaked := func(r, tweak int) { p.Op("VPXORQ Z%d, Z%d, Z%d", tweak, r, r) }
	p.over(func() {
		for i := range states {
			p.Op("VPXORQ %d(SI), Z%d, Z%d", 64*i, key(0), i)
			tweaked(i, xtsTweak+i)
		}
		p.rounds(d, "Z", each(states), nil)
		p.finish(d, "Z", each(states))
		for i := range states {
			tweaked(i, xtsTweak+i)
			p.Op("VMOVDQU64 Z%d, %d(DI)", i, 64*i)
			p.multiply(xtsTweak+i, 4)
		}
	}, func() {
		p.Op("VPXORQ (SI), Z%d, Z0", key(0))
		tweaked(0, xtsTweak)
		p.rounds(d, "Z", each(1), nil)
		p.finish(d, "Z", each(1))
		tweaked(0, xtsTweak)
		p.Op("VMOVDQU64 Z0, (DI)")
		p.following(xtsTweak, xtsTweak)
	}, func() {
		p.tailLoad(0, 1)
		p.Op("VPXORQ Z%d, Z0, Z0", key(0))
		tweaked(0, xtsTweak)
		p.rounds(d, "Z", each(1), nil)
		p.finish(d, "Z", each(1))
		tweaked(0, xtsTweak)
		p.tailStore(0)
		p.tweakBehind()
	})
	p.Op("MOVQ tweak+24(FP), DX")
	p.Op("VMOVDQU64 X%d, (DX)", xtsTweak)
	p.leave()
}

// tweakBehind brings the tweak of the block behind a tail, of one to three blocks, to the front.
func (p *program) tweakBehind() {
	const order = 1
	p.Note("n has the tail's length in its last six bits.")
	p.Op("LEAQ window<>(SB), R11")
	p.Op("MOVQ n+32(FP), AX")
	p.Op("ANDQ $63, AX")
	p.Op("ADDQ AX, R11")
	p.Op("VMOVDQU64 (R11), Z%d", order)
	p.Op("VPERMB Z%d, Z%d, Z%d", xtsTweak, order, xtsTweak)
}
