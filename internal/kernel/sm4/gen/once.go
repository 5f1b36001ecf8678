package main

// The fused kernel for a key that is used once: the key schedule, the hash key, the text and its hash in
// one call. The rounds of the key and those of the data run side by side in one group, all blocks with one
// key. Its last two blocks are the one whose image is the hash key and the one that masks the tag.

// wideOnce writes the sealing and the opening, which differ in the end.
func (p *program) wideOnce(c constants, name string, end func(f *flight)) {
	p.function(name, 24, "func "+name+"(m *Message, key *[16]byte, powers *byte)")
	p.op("MOVQ m+0(FP), DX")
	p.op("MOVQ key+8(FP), BX")
	p.op("MOVQ powers+16(FP), R13")
	f := &flight{p, []wordGroup{{[4]int{0, 1, 2, 3}, 4, 5, [4]int{6, 7, 8, 9}}}}
	x, t := f.groups[0].x, [6]int{4, 5, 6, 7, 8, 9}
	k := keyRun{zmm, [4]int{10, 11, 12, 13}, 14, [5]int{15, 16, 17, 18, 19}, [2]int{20, 27}, [4]int{21, 22, 23, 24}}
	const u, v = 25, 26
	p.op("VBROADCASTI32X4 (BX), Z4")
	p.keyStart(k, 4)
	p.op("VPBROADCASTQ matrixU<>(SB), Z%d", u)
	p.op("VPBROADCASTQ matrixV<>(SB), Z%d", v)
	f.messageInput(false)
	p.note("The last block but one is zero.")
	p.op("MOVL $0xf7ff, AX")
	p.op("KMOVW AX, K2")
	for _, r := range x {
		p.op("VMOVDQA32.Z Z%d, K2, Z%d", r, r)
	}
	p.op("LEAQ constantKey<>(SB), R9")
	p.op("LEAQ 128(R9), R10")
	p.keyRound(k, 0, c.keyConst)
	loop := p.label("rounds")
	p.place(loop)
	for i := range 4 {
		p.keyRound(k, i+1, c.keyConst)
		p.dataRound(zmm, [4]int{x[i], x[(i+1)%4], x[(i+2)%4], x[(i+3)%4]}, k.out[i%2], t, u, v, c.roundConst)
	}
	p.op("ADDQ $16, R9")
	p.op("CMPQ R9, R10")
	p.op("JNE %s", loop)
	f.leave()
	p.op("VPXORQ Z30, Z30, Z30")
	f.takeTagMask()
	p.hashKey(f.registers()[3])
	p.op("MOVQ %d(DX), DI", messageDst)
	p.op("MOVQ %d(DX), SI", messageSrc)
	p.op("MOVQ %d(DX), CX", messageN)
	p.tailMask()
	// The first registers hold the text: what makes powers is behind them.
	t8 := &powers{p, ghasher{p, 16, 17, 18, 19, 20, 21}, 22}
	t8.eight()
	end(f)
}

// hashKey makes the first power, in X8, of the image of zeros in lane 2 of r: its bytes in reverse, times x
// (RFC 8452, appendix A).
func (p *program) hashKey(r int) {
	p.op("VEXTRACTI32X4 $2, Z%d, X8", r)
	p.op("VPSHUFB swap128<>(SB), X8, X8")
	p.op("VPSRLQ $63, X8, X9")
	p.op("VPSLLQ $1, X8, X8")
	p.op("VPSLLDQ $8, X9, X10")
	p.op("VPSRLDQ $8, X9, X9")
	p.op("VPCLMULQDQ $0x00, ghashPoly<>(SB), X9, X11")
	p.op("VPSLLDQ $8, X11, X11")
	p.op("VPTERNLOGD $0x96, X9, X10, X8")
	p.op("VPXOR X11, X8, X8")
}

// onceSeal encrypts and hashes, the powers being made.
func (f *flight) onceSeal() {
	g := f.hasher()
	f.textPower(0)
	f.hashStart(g, true)
	f.sealRest(g, 0)
	f.sealEnd(g)
}

// onceOpen hashes, compares and decrypts.
func (f *flight) onceOpen() {
	f.openHash()
	f.openEnd()
}
