package main

// The fused kernels: a message of up to 96 blocks, its counters, its key stream and its hash in one call,
// with nothing stored between. The block that masks the tag is the last one of the last group, so that the
// text stays where it is. Counters are made as words, the form that the rounds take.

// counterInput fills the words of the state of every group. Before, X29 is a block that gives words 0 to
// 2 in memory order, Z28 the first counter in every lane; with mask, the last block's counter is the
// dword at that operand. In says whether the rounds' keys are a schedule's, whose first mask goes in here.
func (f *flight) counterInput(mask string, in bool) {
	f.op("VPSHUFB swap32<>(SB), X29, X29")
	f.op("VGF2P8AFFINEQB.BCST $0, matrixIn<>(SB), X29, X29")
	f.op("VSHUFI64X2 $0, Z29, Z29, Z29")
	for i, g := range f.groups {
		for j := range 3 {
			if i == 0 {
				f.op("VPSHUFD $%#x, Z29, Z%d", 0x55*j, g.x[j])
			} else {
				f.op("VMOVDQA64 Z%d, Z%d", f.groups[0].x[j], g.x[j])
			}
		}
		f.op("VPADDD blockIndex<>+%d(SB), Z28, Z%d", 64*i, g.x[3])
		if mask != "" && i == len(f.groups)-1 {
			f.op("MOVL $0x8000, AX")
			f.op("KMOVW AX, K2")
			f.op("VPBROADCASTD %s, K2, Z%d", mask, g.x[3])
		}
		f.op("VGF2P8AFFINEQB.BCST $0, matrixIn<>(SB), Z%d, Z%d", g.x[3], g.x[3])
		if in {
			f.op("VPXORD.BCST %d(R8), Z%d, Z%d", schedIn, g.x[3], g.x[3])
		}
	}
}

// halves loads 16 bytes as they were written shortly before, in two halves: a load of both would wait for
// the stores to reach the cache.
func (p *program) halves(offset int, base string, r int) {
	p.op("VMOVQ %d(%s), X%d", offset, base, r)
	p.op("VPINSRQ $1, %d(%s), X%d, X%d", offset+8, base, r, r)
}

// keyStream makes the key stream, less the output mask, which is put into Z30.
func (f *flight) keyStream() {
	f.op("LEAQ %d(R8), R9", schedRound)
	f.rounds(4)
	f.leave()
	f.outputMask(30)
}

// wideCTRFlight writes CTR of up to 96 blocks of which the last may be cut short, with a counter of 32
// bits. The first skip bytes of the first block are left alone, and count in n, but dst and src begin behind
// them. rest is what keepRest writes.
func (p *program) wideCTRFlight() {
	p.function("wideCTRFlight", 56, "func wideCTRFlight(s *Schedule, dst, src *byte, ctr *[16]byte, rest *[64]byte, skip, n int)")
	p.op("MOVQ s+0(FP), R8")
	p.op("MOVQ dst+8(FP), DI")
	p.op("MOVQ src+16(FP), SI")
	p.op("MOVQ ctr+24(FP), DX")
	p.op("MOVQ skip+40(FP), BX")
	p.op("MOVQ n+48(FP), CX")
	p.tailMask()
	p.note("K3: the bytes of the first register, K4 those of it if it is the last as well.")
	p.op("SUBQ BX, DI")
	p.op("SUBQ BX, SI")
	p.op("MOVQ $-1, AX")
	p.op("SHLXQ BX, AX, AX")
	p.op("KMOVQ AX, K3")
	p.op("KANDQ K1, K3, K4")
	p.halves(0, "DX", 29)
	p.op("VPSHUFB swap32<>(SB), X29, X28")
	p.op("VPSHUFD $0xff, X28, X28")
	p.op("VSHUFI64X2 $0, Z28, Z28, Z28")
	p.byGroups(0, func(f *flight) {
		f.counterInput("", true)
		f.keyStream()
		masked := func(at, r int, k string) {
			p.op("VMOVDQU8.Z %d(SI), %s, Z29", at, k)
			p.op("VPTERNLOGD $0x96, Z29, Z30, Z%d", r)
			p.op("VMOVDQU8 Z%d, %s, %d(DI)", r, k, at)
		}
		p.tails(f.registers(), 0, func(at, r int) {
			if at == 0 {
				masked(at, r, "K3")
				return
			}
			p.op("VPTERNLOGD $0x96, %d(SI), Z30, Z%d", at, r)
			p.op("VMOVDQU64 Z%d, %d(DI)", r, at)
		}, func(at, r int) {
			if at == 0 {
				masked(at, r, "K4")
			} else {
				masked(at, r, "K1")
			}
			p.keepRest(r, "rest+32(FP)")
		})
		p.op("VZEROUPPER")
		p.op("RET")
	})
}

// hasher are the registers of the hash in the fused kernels.
func (p *program) hasher() *ghasher { return &ghasher{p, 24, 25, 26, 27, 28, 29} }

// secondFrom is the length from which on a message's hash is made in two parts, because the table of
// powers ends: secondHash bytes and the rest.
const (
	secondFrom = 1008
	secondHash = 512
)

// messageArguments loads what all fused kernels begin with. R13 is the end of the powers, R11 the power
// of the block that the hash begins with.
func (p *program) messageArguments(name string) {
	p.function(name, 8, "func "+name+"(m *Message)")
	p.op("MOVQ m+0(FP), DX")
	p.op("MOVQ %d(DX), R8", messageSchedule)
	p.op("MOVQ %d(DX), R13", messagePowers)
	p.op("MOVQ %d(DX), DI", messageDst)
	p.op("MOVQ %d(DX), SI", messageSrc)
	p.op("MOVQ %d(DX), CX", messageN)
	p.tailMask()
}

// textPower points R11 at the power of the first of the blocks of a message that ends with CX bytes,
// less so many, and with the block of lengths.
func (p *program) textPower(less int) {
	p.op("LEAQ %d(CX), AX", 31-less)
	p.op("ANDQ $-16, AX")
	p.op("MOVQ R13, R11")
	p.op("SUBQ AX, R11")
}

// hashStart adds the hash so far and the additional data, which come before the text at R11, and if this
// is the whole hash the lengths. K2 is used.
func (p *program) hashStart(g *ghasher, whole bool) {
	g.start()
	p.op("VMOVDQU64 %d(DX), X%d", messageHash, g.x)
	g.addProduct("(R11)")
	if whole {
		p.hashLengths(g)
	}
	none := p.label("none")
	p.op("MOVQ %d(DX), BX", messageAdditionalN)
	p.op("TESTQ BX, BX")
	p.op("JZ %s", none)
	p.op("MOVQ $-1, AX")
	p.op("BZHIQ BX, AX, AX")
	p.op("KMOVQ AX, K2")
	p.op("MOVQ %d(DX), R9", messageAdditional)
	p.op("VMOVDQU8.Z (R9), K2, Z%d", g.x)
	p.op("LEAQ 15(BX), AX")
	p.op("ANDQ $-16, AX")
	p.op("MOVQ R11, R9")
	p.op("SUBQ AX, R9")
	g.absorb("(R9)")
	p.place(none)
}

// hashLengths adds the block of lengths, before any other but in an xmm.
func (p *program) hashLengths(g *ghasher) {
	p.halves(messageLengths, "DX", g.x)
	g.addProduct("-16(R13)")
}

// hashSecond ends the first part of a hash in two and begins the second.
func (p *program) hashSecond(g *ghasher) {
	g.fold()
	g.reduce()
	p.textPower(secondHash)
	g.start()
	g.addProduct("(R11)")
	p.hashLengths(g)
}

// hashFinish leaves the hash in X27 in memory order.
func (p *program) hashFinish(g *ghasher) {
	g.fold()
	g.reduce()
	p.op("VPSHUFB swap128<>(SB), X%d, X%d", g.x, g.x)
}

// takeTagMask keeps the image of the last block, which is the mask of the tag, in X31.
func (f *flight) takeTagMask() {
	rs := f.registers()
	f.op("VEXTRACTI32X4 $3, Z%d, X31", rs[len(rs)-1])
	f.op("VPXORQ X30, X31, X31")
}

func (f *flight) messageInput(in bool) {
	f.halves(messageFirst, "DX", 29)
	f.op("VPBROADCASTD %d(DX), Z28", messageCounter)
	f.counterInput(address(messageFirstCounter, "DX"), in)
}

// wideMessageSeal writes GCM of a short message: its text is encrypted and hashed while it is in registers.
func (p *program) wideMessageSeal() {
	p.messageArguments("wideMessageSeal")
	p.byGroups(1, func(f *flight) {
		f.messageInput(true)
		f.keyStream()
		f.takeTagMask()
		g := p.hasher()
		rs, first := f.registers(), 0
		if len(f.groups) == flights[len(flights)-1] {
			first = secondHash / 64
			p.op("LEAQ %d(R13), R11", -secondHash)
			p.hashStart(g, false)
			for i, r := range rs[:first] {
				f.sealRegister(g, i, r, address(64*i, "R11"))
			}
			p.hashSecond(g)
			p.op("SUBQ $%d, R11", secondHash)
		} else {
			p.textPower(0)
			p.hashStart(g, true)
		}
		f.sealRest(g, first)
		p.sealEnd(g)
	})
}

// sealEnd stores the tag.
func (p *program) sealEnd(g *ghasher) {
	p.hashFinish(g)
	p.op("VPXORQ X31, X%d, X%d", g.x, g.x)
	p.op("VMOVDQU64 X%d, %d(DX)", g.x, messageTag)
	p.op("VZEROUPPER")
	p.op("RET")
}

// sealRegister encrypts register i and adds it to the hash.
func (f *flight) sealRegister(g *ghasher, i, r int, power string) {
	f.op("VPTERNLOGD $0x96, %d(SI), Z30, Z%d", 64*i, r)
	f.op("VMOVDQU64 Z%d, %d(DI)", r, 64*i)
	f.op("VMOVDQA64 Z%d, Z%d", r, g.x)
	g.absorb(power)
}

// sealRest does so for the registers from first on, up to the end.
func (f *flight) sealRest(g *ghasher, first int) {
	done, part := f.label("sealed"), f.label("part")
	rs := f.registers()
	parts := make([]string, len(rs))
	for i, r := range rs {
		if i < first {
			continue
		}
		parts[i] = f.label("at")
		f.op("CMPQ CX, $%d", 64*(i+1))
		f.op("JLT %s", parts[i])
		f.sealRegister(g, i, r, address(64*i, "R11"))
	}
	f.op("JMP %s", done)
	for i, r := range rs {
		if i < first {
			continue
		}
		f.place(parts[i])
		f.op("VMOVDQA64 Z%d, Z%d", r, rs[0])
		f.op("MOVL $%d, AX", 64*i)
		f.op("JMP %s", part)
	}
	f.place(part)
	f.op("TESTQ $63, CX")
	f.op("JZ %s", done)
	for _, pointer := range []string{"SI", "DI", "R11"} {
		f.op("ADDQ AX, %s", pointer)
	}
	f.op("VMOVDQU8.Z (SI), K1, Z%d", g.x)
	f.op("VPTERNLOGD $0x96, Z%d, Z30, Z%d", g.x, rs[0])
	f.op("VMOVDQU8 Z%d, K1, (DI)", rs[0])
	f.op("VMOVDQU8.Z Z%d, K1, Z%d", rs[0], g.x)
	g.absorb("(R11)")
	f.place(done)
}

// wideMessageOpen writes the inverse. The hash is made first, of a text that is there; it fills the time
// in which the rounds wait. Whether the tag is the message's decides by a mask what is stored, not by a
// branch.
func (p *program) wideMessageOpen() {
	p.messageArguments("wideMessageOpen")
	p.openHash()
	p.byGroups(1, func(f *flight) {
		f.messageInput(true)
		f.keyStream()
		f.takeTagMask()
		f.openEnd()
	})
}

// openEnd decrypts and stores, if the tag is right.
func (f *flight) openEnd() {
	rs := f.registers()
	f.tails(rs, 0, func(at, r int) { f.op("VPTERNLOGD $0x96, %d(SI), Z30, Z%d", at, r) },
		func(at, r int) {
			f.op("VMOVDQU8.Z %d(SI), K1, Z29", at)
			f.op("VPTERNLOGD $0x96, Z29, Z30, Z%d", r)
		})
	f.verdict()
	f.tails(rs, 0, func(at, r int) { f.op("VMOVDQU8 Z%d, K2, %d(DI)", r, at) },
		func(at, r int) { f.op("VMOVDQU8 Z%d, K1, %d(DI)", r, at) })
	f.op("VZEROUPPER")
	f.op("RET")
}

// openHash leaves the hash of the text and all that belongs to it in the message.
func (p *program) openHash() {
	g := p.hasher()
	one, loop, tail, done := p.label("one"), p.label("hash"), p.label("rest"), p.label("hashed")
	p.op("MOVQ SI, R12")
	p.op("MOVQ CX, BX")
	p.op("CMPQ CX, $%d", secondFrom)
	p.op("JLE %s", one)
	p.op("LEAQ %d(R13), R11", -secondHash)
	p.hashStart(g, false)
	for i := range secondHash / 64 {
		p.op("VMOVDQU64 %d(SI), Z%d", 64*i, g.x)
		g.absorb(address(64*i, "R11"))
	}
	p.hashSecond(g)
	p.op("LEAQ %d(SI), R12", secondHash)
	p.op("LEAQ %d(CX), BX", -secondHash)
	p.op("JMP %s", loop)
	p.place(one)
	p.textPower(0)
	p.hashStart(g, true)
	p.op("MOVQ CX, BX")
	p.place(loop)
	p.op("CMPQ BX, $64")
	p.op("JLT %s", tail)
	p.op("VMOVDQU64 (R12), Z%d", g.x)
	g.absorb("(R11)")
	p.op("ADDQ $64, R12")
	p.op("ADDQ $64, R11")
	p.op("SUBQ $64, BX")
	p.op("JMP %s", loop)
	p.place(tail)
	p.op("TESTQ BX, BX")
	p.op("JZ %s", done)
	p.op("VMOVDQU8.Z (R12), K1, Z%d", g.x)
	g.absorb("(R11)")
	p.place(done)
	p.hashFinish(g)
	p.op("VMOVDQU64 X%d, %d(DX)", g.x, messageHash)
}

// verdict compares the tag, in K2 all bits if it is right and none if not, and of K1 as many.
func (p *program) verdict() {
	p.op("VPXORQ %d(DX), X31, X29", messageHash)
	p.op("VPXORQ %d(DX), X29, X29", messageTag)
	p.op("VPANDQ %d(DX), X29, X29", messageTagMask)
	p.op("VPSHUFD $0x4e, X29, X28")
	p.op("VPORQ X28, X29, X29")
	p.op("VPBROADCASTQ X29, Z29")
	p.op("VPTESTNMQ Z29, Z29, K2")
	p.op("VPMOVM2Q K2, Z29")
	p.op("VMOVQ X29, %d(DX)", messageVerdict)
	p.op("VPMOVB2M Z29, K2")
	p.op("KANDQ K1, K2, K1")
}
