package main

const (
	wide   = "internal/kernel/sm4/avx512_amd64.s"
	narrow = "internal/kernel/sm4/gfni_amd64.s"
	modes  = "internal/kernel/sm4/modes.go"
	sched  = "internal/kernel/sm4/schedule.go"
	short  = "internal/kernel/sm4/message.go"
	gcm    = "internal/kernel/sm4/gcm.go"
	lanes  = "internal/kernel/sm4/lanes.go"

	sixteen = "internal/kernel/sm4/sixteen.go"

	features = "internal/kernel/sm4/cpu_amd64.go"
	fallback = "sm4/fallback.go"
	ctr      = "sm4/ctr.go"
	fused    = "sm4/fused.go"
	ghash    = "sm4/ghash.go"
	streams  = "sm4/streams.go"
	many     = "sm4/many.go"
	layout   = "sm4/layout.go"
	xts      = "sm4/xts.go"
	sectors  = "sm4/sectors.go"
	hctr     = "sm4/hctr.go"
	bc       = "sm4/bc.go"
	ofbnlf   = "sm4/ofbnlf.go"
	feedback = "sm4/feedback.go"
	gcmsiv   = "sm4/gcmsiv.go"
	ccm      = "sm4/ccm.go"
	ccmSizes = "internal/kernel/ccm/ccm.go"
)

// besideMutants are those of code in Go that only a machine with a kernel runs: elsewhere gmsm does the mode.
var besideMutants = []mutant{
	{"BC: the sum without the IV", bc, "", "&block)\n		xorBlock(&x.sum, &x.sum, &block)", "&block)\n		x.sum = block", 1},
	{"GCM-SIV: opens before the tag is checked", gcmsiv, "", "	expected := m.tag(", "	m.xor(s, out, text, tag)\n	expected := m.tag(", 1},
	{"GCM-SIV: the nonce left out of the tag", gcmsiv, "", "	subtle.XORBytes(tag[:], tag[:], nonce)\n", "", 1},
	{"GCM-SIV: the counter carries into the block", gcmsiv, "", "c.number++\n",
		"if c.number++; c.number == 0 {\n			c.fixed[0] += 1 << 32\n		}\n", 1},
	{"GCM-SIV: a hash key that isn't reduced", gcmsiv, "", "high>>1^over", "high>>1^over&0", 1},
}

// portableMutants are those of the code that every amd64 machine runs, whether it has a kernel or not.
var portableMutants = []mutant{
	{"GHASH: a term of the reduction wrong", ghash, "", "p0>>7", "p0>>6", 1},
	{"GHASH: the top bit of a factor lost", ghash, "", "-(w >> 63)", "-(w >> 63 & 0)", 1},
	{"GHASH: a column of products lost", ghash, "", "h3&(everyFourth<<3)", "h3&(everyFourth<<2)", 1},
	{"GHASH by gmsm: the length in the wrong half", ghash, "", "fieldElement{high: uint64", "fieldElement{low: uint64", 1},
	{"GHASH by gmsm: the hash so far times the wrong power", ghash, "", "t.powers[i-leastHashed].times(y)", "t.h.times(y)", 1},
	{"GHASH by gmsm: the mask left in", ghash, "", ".add(t.mask)", "", 1},
	{"GCM: gmsm opens into dst", fallback, "", "g.short.Open(s[:0], nonce, ciphertext, additionalData)",
		"g.short.Open(out[:0], nonce, ciphertext, additionalData)", 1},
	{"GCM: an opened text is left in a buffer", fallback, "", "	clear(s[:text+2*BlockSize])\n", "", 1},
	{"GCM: what gmsm writes behind a text is left in a buffer", fallback, "", "clear(s[:text+2*BlockSize])", "clear(s[:text])", 1},
	{"GCM: gmsm seals with a short tag", fallback, "", "if g.tagSize == BlockSize {", "if g.tagSize > 0 {", 1},
	{"GCM: gmsm opens beside a short tag", fallback, "", "	if g.tagSize != BlockSize {\n", "	if false {\n", 1},
	{"GCM: short tags sealed under nonces of 12 bytes alone", fallback, "", "g.c.gmsm.gcm(g.nonceSize, BlockSize)", "g.c.gmsm.gcm(gcmNonceSize, BlockSize)", 1},
	{"GCM: a short output over the additional data", fallback, "", "	buffers.CheckAEAD(out, plaintext, additionalData)\n", "", 1},
	{"the counter of GCM carries into the nonce", fallback, "", "		copy(ctr[:], fixed[:])\n", "		_ = fixed\n", 1},
	{"a piece is skipped", fallback, "", "src[pieceBytes:]", "src[pieceBytes+BlockSize:]", 1},
	{"CBC's panics are gmsm's", fallback, "", "	buffers.CheckBlocks(dst, src)\n", "", 1},
	{"XTS of GB/T 17964 is IEEE's", xts, "", "encrypt, bitOrder(isGB)", "encrypt, ieee", 1},
	{"XTS of GB/T 17964 with another polynomial", xts, "", "0xe1 << 56", "0xe3 << 56", 1},
	{"XTS: the last two tweaks not in reverse", xts, "", "last[:], &earlier, o", "last[:], t, o", 1},
	{"XTS: sectors count in twos", sectors, "", "		number++\n", "		number += 2\n", 1},
	{"XTS: joined sectors under one tweak", sectors, "", "units = units[BlockSize:]\n		}\n		c.masked", "}\n		c.masked", 1},
	{"HCTR: the key stream begins at 0", hctr, "", "number := uint64(1)", "number := uint64(0)", 1},
	{"HCTR: the length without the tweak", hctr, "", "uint64(len(text)+BlockSize)", "uint64(len(text))", 1},
	{"HCTR: the tweak at the start of a block", hctr, "", "n := copy(tail[:], text[whole:])", "n := copy(tail[:], text[whole:])&^15", 1},
	{"BC: a single block left out of the sum", bc, "", "xorBlock(&x.sum, &x.sum, &ciphertext)", "_ = ciphertext", 1},
	{"CFB: a piece forgets what it has used", feedback, "", "(x.used + n) % BlockSize", "n % BlockSize", 1},
	{"OFB: feeds back ciphertext", feedback, "", "copy(chain, stream)", "copy(chain, dst)", 1},
	{"OFBNLF: every piece begins anew", ofbnlf, "", "chainStream(keys, &x.last)", "chainStream(keys, &([BlockSize]byte{}))", 1},
	{"CCM: the size of the tag not in the first block", ccmSizes, "", "byte((s.Tag-2)/2)<<3 | ", "", 1},
	{"CCM: the flag of additional data lost", ccmSizes, "", "first[0] |= 1 << 6", "first[0] |= 0", 1},
	{"CCM: a long header's length in two bytes", ccmSizes, "", "size < 1<<16-1<<8", "size < 1<<16", 1},
	{"CCM: a tag compared in part", ccm, "", "mac[:m.sizes.Tag], tag) != 1", "mac[:m.sizes.Tag-1], tag[:m.sizes.Tag-1]) != 1", 1},
	{"CCM: dst written before the tag is compared", ccm, "", "	if subtle.ConstantTimeCompare", "	m.xor(out, text, &[BlockSize]byte{})\n	if subtle.ConstantTimeCompare", 1},
	{"CCM: a message too long for its nonce", ccm, "", "	m.sizes.CheckText(len(plaintext))\n", "", 1},
	{"CTR at a place: a carry lost", ctr, "", "kernel.Advance(&at, offset/BlockSize)", "at[15] += byte(offset / BlockSize)", 1},
	{"streams: an IV may lie in another's output", streams, "", "	d.Reads(buffers.Nonce, iv, i)\n", "", 1},
	{"streams: overlaps of the first batch only", streams, "", "	checkStreams(streams)\n",
		"	checkStreams(streams[:min(maxBatch, len(streams))])\n", 1},
	{"streams: an IV is not seen to lie in another's output", streams, "", "		l.input(buffers.Nonce, iv)\n", "", 1},
	{"many: an output is not seen to lie over its own key", many, "", "	l.input(buffers.Key, m.Key)\n", "", 1},
	{"many: outputs in disorder are apart if the texts are", layout, "", "!l.bare && ", "", 1},
	{"many: only outputs ascend", layout, "", "min(o.from, s.from) < l.end", "o.from < l.end", 1},
	{"many: the tag of a text in place is its own", layout, "", "s.from != o.from || s.to > o.to", "s.from != o.from", 1},
	{"many: an output over its own key", many, "", "		d.Reads(buffers.Key, m.Key, buffers.Nobody)\n", "", 1},
	{"many: an output over another's additional data", many, "", "		d.Reads(buffers.Additional, m.AdditionalData, buffers.Nobody)\n", "", 1},
	{"many: a first look that doesn't see the order of outputs", alikes, "", "mixed = true", "mixed = false", 1},
	{"many: a first look that skips keys", alikes, "", "written.Misses(key.hull(", "written.Misses(nonce.hull(", 1},
	{"streams: a first look at outputs that descend", levels, "", "			descends = true\n", "			descends = false\n", 1},
	{"streams: an output in its own text passes a first look", levels, "", "high-low-1 < size-1", "high-low-1 < 0", 1},
	{"streams: what lies before is not looked for", levels, "", "at > 0 && a.end(at-1) > from || ", "", 1},
	{"streams: a first look that skips keys", streams, "", "written.Misses(keys, ", "written.Misses(buffers.Hull{}, ", 1},
	{"many: additional data forgotten where texts are alike", many, "", "len(m.Src) ^ n | len(m.AdditionalData)", "len(m.Src) ^ n", 1},
	{"many: two outputs overlap", spans, "", "written[i].From < written[i-1].To {", "written[i].From < 0 {", 1},
	{"many: a text without a tag is opened", many, "", "len(m.Src) >= BlockSize && ", "", 1},
	{"many: no verdict on the whole", many, "", "			return messages[i].Err\n", "			return nil\n", 1},
	{"streams: a search that stops one too late", spans, "", "spans[next-1].To > p {", "spans[next-1].To > p+40 {", 1},
	{"streams: no Cipher is not noticed", streams, "", "s.Cipher == nil", "s.Cipher == nil && len(s.Src) == 99", 1},
	{"GODEBUG can't turn AVX2 off", features, "", "x.HasAVX2 && ", "", 1},
	{"GODEBUG can't turn AVX-512 VL off", features, "", " && x.HasAVX512VL", "", 1},
}

var sm4Mutants = []mutant{
	{"many: a kept key taken for a raw one", many, "", "		if m.Cipher != nil {\n			return unlike\n		}\n", "", 1},
	{"a matrix with one bit wrong", wide, "", "DATA matrixV<>+0(SB)/8, $0x3d", "DATA matrixV<>+0(SB)/8, $0x3c", 1},
	{"the slice form's matrix with one bit wrong", wide, "", "DATA matrixW<>+0(SB)/8, $0x97", "DATA matrixW<>+0(SB)/8, $0x96", 1},
	{"a wrong byte in a rotation", wide, "", "DATA rol8<>+0(SB)/8, $0x0605040702010003", "DATA rol8<>+0(SB)/8, $0x0605040702010002", 1},
	{"a wrong byte in the order of lanes", wide, "", "DATA lanes<>+56(SB)/8, $0x3f", "DATA lanes<>+56(SB)/8, $0x3e", 1},
	{"a round's key taken from the next byte", wide, "wideECB", "VPTERNLOGD.BCST $0x96, 20(R9)", "VPTERNLOGD.BCST $0x96, 24(R9)", 1},
	{"a round too few", wide, "wideECB", "LEAQ 256(R9), R10", "LEAQ 192(R9), R10", 2},
	{"a word of the second set stored over another", wide, "wideCTR", ", 1984(R14)", ", 1920(R14)", 1},
	{"a store of a register in the wrong place", wide, "wideECB", ", 1984(DI)", ", 1920(DI)", 1},
	{"the last register of the group dropped", wide, "wideFlight", ", K1, 1472(DI)", ", K1, 1408(DI)", 1},
	{"a tail mask one byte short", wide, "wideShort", "LEAQ -448(CX), R11", "LEAQ -449(CX), R11", 1},
	{"a tail mask one byte long", wide, "wideShort", "LEAQ -448(CX), R11", "LEAQ -447(CX), R11", 1},
	{"a lost carry into the high half of the counter", wide, "wideCTR", "ADCQ $0, R12", "ADCQ $0, AX", 2},
	{"a lost carry out of the last byte", wide, "wideCTR", "KTESTQ K1, K1", "KXORQ K1, K1, K1; KTESTQ K1, K1", 1},
	{"the carry taken one lane late", wide, "wideCTR", "VPCMPUB $1,", "VPCMPUB $2,", 1},
	{"the counter advanced by 63", wide, "wideCTR", "ADDQ $64, R13", "ADDQ $63, R13", 1},
	{"in place, the ciphertext before a register overwritten", wide, "wideCBCDecrypt", "VPTERNLOGD $0x96, 944(SI)", "VPTERNLOGD $0x96, 960(SI)", 1},
	{"the chain from pair to pair lost", wide, "wideCBCDecrypt", "VMOVDQU64 2032(SI)", "VMOVDQU64 2016(SI)", 1},
	{"CBC without its chain mask", wide, "wideCBCEncrypt", "VPXORD.BCST 32(R8)", "VPXORD.BCST 36(R8)", 1},
	{"GHASH of the wrong group", wide, "wideGCMSeal", "LEAQ -2048(DI), R11", "LEAQ -1984(DI), R11", 1},
	{"a product of GHASH left out", wide, "wideGHASH", "VPCLMULQDQ $0x01", "VPCLMULQDQ $0x00", 2},
	{"a reduction with another polynomial", wide, "", "DATA ghashPoly<>+0(SB)/8, $0xc2", "DATA ghashPoly<>+0(SB)/8, $0xc3", 1},
	{"GHASH's tail one byte short", wide, "wideGHASH", "LEAQ 0(BX), R11", "LEAQ -1(BX), R11", 1},
	{"a tweak shifted too little", wide, "wideXTS", "VPSLLQ $12", "VPSLLQ $11", 1},
	{"a tweak's overflow lost", wide, "", "DATA xtsPoly<>+0(SB)/8, $0x0000000000000087", "DATA xtsPoly<>+0(SB)/8, $0x0000000000000086", 1},
	{"a lane's blocks stored to its neighbour", wide, "wideLanes64", "MOVQ 8(R11), R10", "MOVQ 16(R11), R10", 3},
	{"a tile's step taken twice", wide, "wideLanes64", "ADDQ $1024, R12", "ADDQ $960, R12", 1},
	{"a tile cut short stored whole", wide, "wideLanes64", "SHLQ $1, BX", "SHLQ $2, BX", 2},
	{"the IVs of 64 lanes not kept for the next call", wide, "wideLanes64", "1024(DX)", "8192(DX)", 2},
	{"a row turned with the one behind it", wide, "wideLanes64", "VPUNPCKLBW 1536(R12)", "VPUNPCKLBW 2560(R12)", 1},
	{"a key's mask of the result added once", wide, "wideLanes64Keyed", "VPXORQ 8448(DX)", "VPXORQ 8512(DX)", 1},
	{"a lane's blocks of 32 stored to its neighbour", wide, "wideLanes32", "MOVQ 8(R11), R10", "MOVQ 16(R11), R10", 3},
	{"the last lane's block not loaded", wide, "wideLanes16", "MOVQ 120(DX)", "MOVQ 112(DX)", 1},
	{"a wrong lane's key", lanes, "", "return lane%4*16 + lane/4", "return lane%4*16 + (lane/4+1)%16", 1},
	{"a wrong lane's key in the word form", lanes, "", "return lane%4*4 + lane/4", "return lane", 1},
	{"streams: schedules of the batch before", streams, "", "	b.keys.Forget() //", "	//", 1},
	{"sixteen: one lane's raw key for another", wide, "wideExpand16", "MOVQ 8+32(SI), R10", "MOVQ 0+32(SI), R10", 1},
	{"sixteen: one lane's kept key for another", wide, "wideGather16", "MOVQ 16+64(SI), R11", "MOVQ 24+64(SI), R11", 1},
	{"sixteen: one table of 64 lanes for another", wide, "wideSlice64", "VMOVDQU64 4800(R8)", "VMOVDQU64 2432(R8)", 1},
	{"sixteen: two lanes swapped", wide, "wideCTR16", "MOVQ 128(DX), R10", "MOVQ 136(DX), R10", 1},
	{"sixteen: a tail mask one byte short", wide, "wideCTR16", "MOVQ $64, R13", "MOVQ $63, R13", 1},
	{"sixteen: a short text's mask one byte short", wide, "wideFirst16", "MOVQ $64, R13", "MOVQ $63, R13", 1},
	{"sixteen: lanes that ended encrypt on", wide, "wideCTR16", "BZHIQ AX, BX, AX", "BZHIQ R13, BX, AX", 1},
	{"sixteen: lanes that ended hash on", wide, "wideHash16", "VPCMPQ $6", "VPCMPQ $5", 1},
	{"sixteen: a step's hash at another power", wide, "wideHash16", "VMOVDQU64 2112(R8)", "VMOVDQU64 2048(R8)", 1},
	{"sixteen: a counter twice", wide, "wideFirst16", "VPADDD.BCST zeroToSeven<>+16(SB)", "VPADDD.BCST zeroToSeven<>+12(SB)", 1},
	{"sixteen: the counters of the next step", wide, "wideFirst16", "VPADDD.BCST zeroToSeven<>+20(SB)", "VPADDD.BCST zeroToSeven<>+16(SB)", 1},
	{"sixteen: a schedule without the mask of its chain", wide, "wideScatter16", "MOVL $0x8888, AX", "MOVL $0x4444, AX", 1},
	{"sixteen: a forgery written beyond its first bytes", sixteen, "", "			l.left[i] = 0\n", "", 1},
	{"sixteen: the lengths of another lane", sixteen, "", "l.lengths[i] = ", "l.lengths[i&^1] = ", 1},
	{"sixteen: slices of the keys before", sixteen, "", "	l.sliced = false\n	fillUp(&l.keys", "	fillUp(&l.keys", 1},
	{"sixteen: a counter of the pair form twice", wide, "widePair16", "VPADDD.BCST zeroToSeven<>+20(SB)", "VPADDD.BCST zeroToSeven<>+16(SB)", 1},
	{"sixteen: a round's key of the pair form from the next byte", wide, "widePair16", "VPTERNLOGD $0x96, 320(R9)", "VPTERNLOGD $0x96, 384(R9)", 1},
	{"sixteen: a short text's hash at another power", wide, "wideFew16", "VMOVDQU64 2624(DX)", "VMOVDQU64 2560(DX)", 1},
	{"sixteen: lengths of other lanes", wide, "wideTags16", "VPXORQ 1344(DX)", "VPXORQ 1280(DX)", 1},
	{"streams: raw keys in other lanes", lanes, "", "(l.raw[16*g:])", "(l.raw[:])", 1},
	{"sixteen: additional data of the messages before", sixteen, "", "	l.additional[i], l.additionalN[i] = pointer(additional), len(additional)\n",
		"	if len(additional) > 0 {\n		l.additional[i], l.additionalN[i] = pointer(additional), len(additional)\n	}\n", 1},
	{"many: a tag to another lane's message", many, "", "w.lanes.SealedTag(lane)\n", "w.lanes.SealedTag(lane &^ 1)\n", 1},
	{"many: a counter that wraps in lanes", many, "", "kernel.UntilWrap((*[BlockSize]byte)(m.IV), len(m.Src)) == len(m.Src)", "kernel.UntilWrap((*[BlockSize]byte)(m.IV), len(m.Src)) >= 0", 1},
	{"a lane's IV lost when it moves", lanes, "", "l.Src[to], l.Dst[to], l.IV[to] = l.Src[from], l.Dst[from], l.IV[from]", "l.Src[to], l.Dst[to] = l.Src[from], l.Dst[from]", 1},
	{"AVX2: a group of the pair with the other's rotation", narrow, "narrowSixteen", "VPSHUFB rol8<>(SB)", "VPSHUFB rol16<>(SB)", 4},
	{"AVX2: a round's key from the round before", narrow, "narrowEight", "VPBROADCASTD 8(R9)", "VPBROADCASTD 4(R9)", 1},
	{"AVX2: GHASH starts at the wrong power", narrow, "narrowGHASH", "LEAQ 1024(R8), R9", "LEAQ 1008(R8), R9", 1},
	{"a constant of the key schedule wrong", narrow, "", "DATA constantKey<>+120(SB)/8, $0xe", "DATA constantKey<>+120(SB)/8, $0x6", 1},
	{"CBC decryption forgets the IV between calls", modes, "", "			*iv = last\n", "			_ = last\n", 1},
	{"AVX2: a tail's last byte not copied", modes, "", "copy(dst, in[:n])", "copy(dst, in[:n-n&1])", 2},
	{"the counter of GCM carries into the nonce", gcm, "", "			copy(ctr[:], fixed[:])\n", "			_ = fixed\n", 1},
	{"a flight's tail cut at half a register", wide, "wideFlight", "ANDQ $63, R11", "ANDQ $31, R11", 1},
	{"a flight's chain begins with another block", wide, "wideFlight", "VMOVDQU64 (R12), X28", "VMOVDQU64 (SI), X28", 1},
	{"the tail of a pair ends a register early", wide, "wideECB", "CMPQ CX, $1984", "CMPQ CX, $2000", 1},
	{"another register kept for the last of a short text", wide, "wideCTRFlight", "VMOVDQU64 Z22, (AX)", "VMOVDQU64 Z23, (AX)", 1},
	{"another register kept for the last of a long text", wide, "wideCTR", "VMOVDQU64 Z6, (AX)", "VMOVDQU64 Z3, (AX)", 2},
	{"within a block, the key stream of its start", wide, "wideCTRFlight", "SUBQ BX, SI", "SUBQ $0, SI", 1},
	{"within a block, bytes before it written", wide, "wideCTRFlight", "SHLXQ BX, AX, AX", "SHLXQ R9, AX, AX", 1},
	{"the mask of the tag from another block", wide, "wideMessageSeal", "VEXTRACTI32X4 $3", "VEXTRACTI32X4 $2", 1},
	{"the second part of a hash at another power", wide, "wideMessageSeal", "LEAQ -481(CX), AX", "LEAQ -497(CX), AX", 1},
	{"additional data at another power", wide, "wideMessageSeal", "SUBQ AX, R9", "SUBQ $16, R9", 1},
	{"the lengths at another power", wide, "wideMessageOpen", "-16(R13)", "-32(R13)", 1},
	{"half of a tag compared", wide, "wideMessageOpen", "VPSHUFD $0x4e, X29, X28", "VPSHUFD $0xe4, X29, X28", 1},
	{"a forgery written", wide, "wideMessageOpen", "VPMOVB2M Z29, K2", "KXNORQ K2, K2, K2", 1},
	{"the hash key from another block", wide, "wideOnceSeal", "MOVL $0xf7ff, AX", "MOVL $0xfbff, AX", 1},
	{"a round of the key too few", wide, "wideOnceOpen", "LEAQ 128(R9), R10", "LEAQ 112(R9), R10", 1},
	{"a carry of the hash key lost", wide, "wideOnceSeal", "VPSLLDQ $8, X11, X11", "VPSLLDQ $9, X11, X11", 1},
	{"a schedule without the mask of its chain", wide, "wideExpand", "VPSLLDQ $12, X1, X1", "VPSLLDQ $8, X1, X1", 1},
	{"a schedule's hash key with its words in order", wide, "wideExpand", "VPUNPCKLQDQ X1, X0, X0", "VPUNPCKLQDQ X0, X1, X0", 2},
	{"powers of the hash key out of order", wide, "wideFewPowers", "VINSERTI64X4 $1, Y8, Z10, Z10", "VINSERTI64X4 $1, Y9, Z10, Z10", 1},
	{"a step of the powers too few", wide, "widePowers", ", -1024(R13)", ", -960(R13)", 1},
	{"the first round key of decryption wrong", sched, "", "domain[0] = d1 ^ d2 ^ d3", "domain[0] = d1 ^ d2", 1},
	{"the next tweak is the last one", modes, "", "tweaks[n:])\n		dst, src", "tweaks[n-16:])\n		dst, src", 1},
	{"the tweak behind the tail of a pair lost", modes, "", "tweaks[rest:]", "tweaks[rest-16:]", 1},
	{"few powers for a block too many", short, "", "blocks <= fewPowers", "blocks <= fewPowers+1", 1},
	{"a bit of each byte of the tag not compared", short, "", "m.tagMask[i] = 0xff", "m.tagMask[i] = 0x7f", 1},
	{"the text's counters begin one too late", short, "", "m.firstCounter, m.Counter = 1, 2", "m.firstCounter, m.Counter = 1, 3", 1},
	{"a stream forgets what it has used of a line", ctr, "", "x.from = len(src) % lineBytes", "x.from = 0", 1},
	{"the counter not moved to the end of a line", modes, "", "Advance(ctr, lineBytes/blockSize)", "Advance(ctr, lineBytes/blockSize-1)", 1},
	{"a block of the line's start kept for the last", modes, "", "Advance(&last, uint64(from)/blockSize)", "Advance(&last, 0)", 1},
	{"additional data hashed twice", fused, "", "g.prepare(&m, out[whole:], plaintext[whole:], nil)", "g.prepare(&m, out[whole:], plaintext[whole:], additional)", 1},
	{"a wrap of GCM's counter found one block late", modes, "", "1<<32 - uint64", "1<<32 + 1 - uint64", 1},
}
