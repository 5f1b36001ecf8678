package main

const (
	hash512   = "internal/kernel/multibuffer/avx512_amd64.s"
	hash2     = "internal/kernel/multibuffer/avx2_amd64.s"
	hashLanes = "internal/kernel/multibuffer/lanes.go"
	schedule  = "multibuffer/schedule.go"
	readers   = "multibuffer/readers.go"
	serials   = "multibuffer/serial.go"
	sums      = "multibuffer/sum.go"
	coalescer = "multibuffer/coalescer.go"
)

var multibufferMutants = []mutant{
	{"a constant of MD5 with one bit wrong", hash512, "", "DATA md5Table<>+252(SB)/4, $0xeb86d391", "DATA md5Table<>+252(SB)/4, $0xeb86d390", 1},
	{"a constant of SM3 with one bit wrong", hash512, "", "DATA sm3Table<>+252(SB)/4, $0x3d43cec5", "DATA sm3Table<>+252(SB)/4, $0x3d43cec4", 1},
	{"a wrong byte in the byte order", hash512, "", "DATA swap32<>+60(SB)/4, $0x0c0d0e0f", "DATA swap32<>+60(SB)/4, $0x0c0d0e0e", 1},
	{"the padding's first byte one too late", hash512, "wideMD564", "LEAQ window<>+64(SB), R9", "LEAQ window<>+63(SB), R9", 1},
	{"a rotation by one bit too many", hash512, "wideMD564", "VPROLD $7, ", "VPROLD $8, ", 3},
	{"a wrong word in a step", hash512, "wideMD548", "VPADDD 64(R8)", "VPADDD 128(R8)", 1},
	{"the function of another round", hash512, "wideMD532", "VPTERNLOGD $0x65", "VPTERNLOGD $0x96", 5},
	{"the last lane's message not loaded", hash512, "wideMD516", "MOVQ 120(BX), R", "MOVQ 112(BX), R", 1},
	{"the next block of a neighbour", hash512, "wideMD564", "VMOVDQU64 64(R12)(SI*1), Z25", "VMOVDQU64 64(R11)(SI*1), Z25", 7},
	{"a word of the next block stored over another", hash512, "wideMD564", "Z29, 768(R13)", "Z29, 704(R13)", 1},
	{"the next block not taken", hash512, "wideMD564", "XCHGQ R8, R13", "XCHGQ R8, R8", 1},
	{"a short block taken for a whole one", hash512, "wideMD564", "LEAQ 64(AX)(SI*1), R9", "LEAQ (AX)(SI*1), R9", 1},
	{"a padded copy without padding", hash512, "wideMD564", "VMOVDQU8 Z25, K1, Z22", "VMOVDQU8 Z22, K1, Z22", 2},
	{"a padded copy of bytes of the block before", hash512, "wideMD564", "VMOVDQU8.Z 64(DI)(SI*1)", "VMOVDQU8.Z (DI)(SI*1)", 1},
	{"a padded copy read a block late", hash512, "wideMD564", "LEAQ -64(R12), DI", "LEAQ -0(R12), DI", 1},
	{"a padded copy with a length and no room for it", hash512, "wideMD564", "CMPQ R11, $55", "CMPQ R11, $56", 1},
	{"a padded copy with the length in the wrong order", hash512, "wideSM332", "BSWAPQ DI", "BSWAPL DI", 1},
	{"a word of the padding not zero", hash512, "wideMD564", "VPBROADCASTD.Z R9, K1, Z12", "VPBROADCASTD R9, Z12", 1},
	{"rows exchanged in a transpose", hash512, "wideMD532", "VSHUFI32X4 $0xdd", "VSHUFI32X4 $0x88", 2},
	{"the high half of a length lost", hash512, "wideMD564", "VPERMI2D Z9, Z8, Z11", "VPXORD Z11, Z11, Z11", 1},
	{"what came before a message forgotten", hash512, "wideSM332", "VPADDQ 1536(DX), Z8, Z8", "VPADDQ 1024(DX), Z8, Z8", 2},
	{"room for a length where there is none", hash512, "wideSM332", "MOVL $55, R9", "MOVL $56, R9", 1},
	{"a mask of one byte too few", hash512, "wideSM316", "VPSUBQ Z27, Z17, Z17", "VPSUBQ Z27, Z17, Z17; VPSRLQ $1, Z17, Z17", 1},
	{"a message that is read from its birth on", hash512, "wideMD564", "VPSUBQ 1024(DX), Z0, Z0", "VPSUBQ 1536(DX), Z0, Z0", 1},
	{"padding begun twice", hash512, "wideMD564", "VPCMPEQQ Z28, Z0, K1", "VPCMPEQQ Z0, Z0, K1", 1},
	{"a sum where SM3 has an exclusive or", hash512, "wideSM332", "VPXORD 3008(DX)", "VPADDD 3008(DX)", 1},
	{"a lane that ends first not found", hash512, "wideEarliest", "VPMINUQ Z10, Z11, Z10", "VPMINUQ Z10, Z10, Z10", 1},
	{"a digest written for its neighbour", hash512, "wideMD5Digests", "VEXTRACTI32X4 $3, Z3, 1008(DI)", "VEXTRACTI32X4 $2, Z3, 1008(DI)", 1},
	{"a message taken from the wrong slice", hash512, "", "DATA addresses3<>+56(SB)/4, $0x0000000d", "DATA addresses3<>+56(SB)/4, $0x0000000a", 1},
	{"SHA-256 with another choice", hash512, "wideSHA25632", "VPTERNLOGD $0xb8", "VPTERNLOGD $0xe8", 9},
	{"SHA-1 without a word of its schedule", hash512, "wideSHA148", "VPTERNLOGD $0x96, 832(R8)", "VPTERNLOGD $0x96, 896(R8)", 1},
	{"AVX2: half a rotation wrong", hash2, "narrowMD5", "VPSRLD $25", "VPSRLD $24", 3},
	{"AVX2: a word of SM3's schedule wrong", hash2, "narrowSM3", "VPXOR 224(R8), Y8, Y8", "VPXOR 256(R8), Y8, Y8", 1},
	{"AVX2: a rest of the last message in the padding", hashLanes, "", "clear(block[n:])", "clear(block[n:n])", 1},
	{"AVX2: a message padded twice", hashLanes, "", "	if left >= 0 {\n		block[n] = 0x80", "	if left >= -64 {\n		block[n] = 0x80", 1},
	{"a lane that moves forgets what it had", hashLanes, "",
		"l.Born[to], l.Before[to] = l.Start[from], l.Len[from], l.Born[from], l.Before[from]",
		"l.Born[to], l.Before[to] = l.Start[from], l.Len[from], l.Born[from], l.Before[to]", 1},
	{"lanes without a message left as they were", hashLanes, "", "l.Start[i], l.Len[i], l.Born[i], l.Before[i] = l.Start[0], l.Len[0], l.Born[0], l.Before[0]", "_ = i", 1},
	{"lanes that end together settled from the first on", schedule, "", "lane := bits.Len64(ended) - 1", "lane := bits.TrailingZeros64(ended)", 1},
	{"a message handed over a block late", schedule, "", "s.hash.Write(m[done:])", "s.hash.Write(m[done+64:])", 1},
	{"a run that takes a message of the next one", schedule, "", "for n < len(queue) && blocksOf(messages[queue[n]]) == blocks {", "for n < len(queue) && blocksOf(messages[queue[n]]) >= blocks-1 {", 1},
	{"a buffer not counted", readers, "", "b.lanes.Before[lane] += bufferSize", "b.lanes.Before[lane] += 0", 1},
	{"a reader's rest lost when its lane moves", readers, "", "copy(b.buffer(to), b.buffer(from))", "copy(b.buffer(to), b.buffer(from)[:64])", 1},
	{"a message cut short taken for a whole one", readers, "", "	case io.EOF:\n", "	case io.EOF, io.ErrUnexpectedEOF:\n", 1},
	{"an error beside the last bytes of a buffer lost", readers, "", "		n += more\n	}\n	return n, err", "		n += more\n	}\n	if n == len(buffer) {\n		err = nil\n	}\n	return n, err", 1},
	{"a negative count of a reader believed", readers, "", "if n < 0 || n > len(buffer) {", "if n > len(buffer) {", 1},
	{"too great a count of a reader believed", readers, "", "if n < 0 || n > len(buffer) {", "if n < 0 {", 1},
	{"a reader that has nothing taken for one that has ended", readers, "", "return 0, io.ErrNoProgress", "return 0, io.EOF", 1},
	{"a reader's bytes left in the pool", serials, "", "clear(s.buffer[:s.used])", "clear(s.buffer[:0])", 1},
	{"a reader's state left in the pool", serials, "", "	s.hash.Reset()\n	clear(", "	clear(", 1},
	{"a message in one piece", serials, "", "for len(p) > s.piece {", "for false {", 1},
	{"a digest one byte into another message", sums, "", "end := begin + uintptr(len(all))", "end := begin + uintptr(len(all)) - 1", 1},
	{"a digest refused in its own message", sums, "", "end > address(own)+uintptr(len(own))", "end >= address(own)+uintptr(len(own))", 1},
	{"a batch that faults leaves its calls a digest", coalescer, "", "r.digest, r.hashed = digests[i], hashed", "r.digest, r.hashed = digests[i], true", 1},
	{"a call held to FIPS 140 joins others", coalescer, "", "if fips140.Enforced() {", "if false && fips140.Enforced() {", 1},
	{"a kernel's call without bound", hashLanes, "", "SM3: 32, SHA256", "SM3: 1 << 20, SHA256", 1},
}
