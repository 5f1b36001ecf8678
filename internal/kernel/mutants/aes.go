package main

const (
	aesWide    = "internal/kernel/aes/avx512_amd64.s"
	aesModes   = "internal/kernel/aes/modes.go"
	aesGCM     = "internal/kernel/aes/gcm.go"
	aesKeys    = "internal/kernel/aes/schedule.go"
	aesCPU     = "internal/kernel/aes/cpu_amd64.go"
	aesCipher  = "aes/cipher.go"
	aesStream  = "aes/ctr.go"
	aesCBC     = "aes/cbc.go"
	aesOnce    = "aes/once.go"
	aesAEAD    = "aes/gcm.go"
	aesCCM     = "aes/ccm.go"
	aesSectors = "aes/xts.go"
)

var aesMutants = []mutant{
	{"a round constant wrong", aesWide, "", "DATA roundConstants<>+144(SB)/8, $0x0000003600000036", "DATA roundConstants<>+144(SB)/8, $0x0000003700000036", 1},
	{"a key schedule without its rotation", aesWide, "wideExpand128", "VPSHUFB X4, X0, X2", "VPSHUFB X5, X0, X2", 7},
	{"a key of 192 bits with a word from the wrong place", aesWide, "wideExpand192", "VPSHUFD $0xff, X0, X3", "VPSHUFD $0xaa, X0, X3", 3},
	{"a key of 256 bits rotated where it isn't", aesWide, "wideExpand256", "VPSHUFB X5, X0, X2", "VPSHUFB X4, X0, X2", 2},
	{"a key for decryption as it is for encryption", aesWide, "wideInverse", "VAESIMC 32(R8), X2", "VMOVDQU 32(R8), X2", 3},
	{"AES-256 with the rounds of AES-192", aesKeys, "", "s.rounds = int32(RoundsOf(len(key)))", "s.rounds = int32(min(12, RoundsOf(len(key))))", 1},
	{"a round too few", aesWide, "wideECBEncrypt", "VAESENC Z22, Z3, Z3", "VMOVDQA64 Z3, Z3", 1},
	{"a round's key taken for the next one's", aesWide, "wideCBCDecrypt", "VAESDEC Z21, Z5, Z5", "VAESDEC Z22, Z5, Z5", 1},
	{"the last register of the group dropped", aesWide, "wideECBDecrypt", "VMOVDQU64 Z7, 448(DI)", "VMOVDQU64 Z7, 384(DI)", 1},
	{"a tail mask one byte short", aesWide, "wideCTR", "BZHIQ CX, AX, AX", "DECQ CX; BZHIQ CX, AX, AX; INCQ CX", 1},
	{"a tail mask that is all ones", aesWide, "wideCTR", "BZHIQ CX, AX, AX", "NOP", 1},
	{"a tail loaded from before its page", aesWide, "wideCTR", "JHI cross", "JMP cross", 1},
	{"a tail at a page's end a byte off", aesWide, "wideXTSEncrypt", "LEAQ window<>+64(SB), R11", "LEAQ window<>+63(SB), R11", 1},
	{"a piece of a tail lost at a page's end", aesWide, "wideCTR", "TESTQ $4, CX", "TESTQ $64, CX", 1},
	{"a tail stored whole at a page's end", aesWide, "wideCTR", "TESTQ $8, CX", "TESTQ $15, CX", 1},
	{"a lost carry into the high half of the counter", aesWide, "wideCTR", "KADDB K2, K2, K2", "KXORB K2, K2, K2", 2},
	{"the first counters without their carry", aesWide, "wideCTR", "CMPQ R12, $253", "CMPQ R12, $257", 1},
	{"a wrap of the last byte found one block late", aesWide, "wideCTR", "CMPQ R12, $253", "CMPQ R12, $254", 2},
	{"a wrap of the last byte not found in a single register", aesWide, "wideCTR", "CMPQ R12, $253", "CMPQ R12, $300", 2},
	{"the last byte after a wrap too small", aesWide, "wideCTR", "ANDQ $255, R12", "ANDQ $127, R12", 1},
	{"the counter advanced by 31 blocks", aesWide, "wideSealBulk", "VPADDD last<>+512(SB), Z14, Z14", "VPADDD last<>+448(SB), Z14, Z14", 1},
	{"in place, the ciphertext before a register overwritten", aesWide, "wideCBCDecrypt", "VPXORQ 112(SI), Z2, Z2", "VPXORQ 128(SI), Z2, Z2", 1},
	{"the chain from group to group lost", aesWide, "wideCBCDecrypt", "VMOVDQU64 448(SI), Z8", "VMOVDQU64 384(SI), Z8", 1},
	{"the chain shifted by half a block", aesWide, "wideCBCDecrypt", "VALIGNQ $6, Z8, Z1, Z9", "VALIGNQ $7, Z8, Z1, Z9", 1},
	{"CBC without its first key", aesWide, "wideCBCEncrypt", "VPXORQ X31, X17, X1", "VMOVDQA64 X31, X1", 1},
	{"CBC decryption forgets the IV between calls", aesModes, "", "		*iv = last\n", "		_ = last\n", 2},
	{"a tweak multiplied by too little", aesWide, "wideXTSEncrypt", "VPSLLDQ $4, Z9, Z9", "VPSLLDQ $3, Z9, Z9", 1},
	{"a tweak's overflow lost", aesWide, "wideXTSDecrypt", "VPTERNLOGQ $0x96, Z7, Z16, Z8", "VPXORQ Z16, Z8, Z8", 2},
	{"the tweak behind a tail one block early", aesWide, "wideXTSEncrypt", "ANDQ $63, AX", "ANDQ $47, AX", 1},
	{"a power of H in the wrong place", aesWide, "widePowers", "VMOVDQU64 Z2, 1344(DI)", "VMOVDQU64 Z2, 1280(DI)", 1},
	{"the halves of a power not added", aesWide, "wideFewPowers", "VPXORQ Z0, Z13, Z13", "VPXORQ Z13, Z13, Z13", 1},
	{"a product of GHASH left out", aesWide, "wideGHASH", "VPCLMULQDQ $0x11, 640(R8), Z11, Z13", "VPXORQ Z13, Z13, Z13", 1},
	{"a reduction with another polynomial", aesWide, "", "DATA ghashPoly<>+0(SB)/8, $0xc2", "DATA ghashPoly<>+0(SB)/8, $0xc3", 1},
	{"a lane of the sums lost", aesWide, "wideSealLast", "VEXTRACTI32X4 $3, Z9, X11", "VEXTRACTI32X4 $2, Z9, X11", 1},
	{"GHASH of a tail with what lies behind it", aesWide, "wideSealWhole", "VMOVDQU8.Z Z0, K1, Z11", "VMOVDQA64 Z0, Z11", 1},
	{"the hash of the blocks before added twice", aesWide, "wideSealLast", "VPXORQ Z5, Z5, Z5", "NOP", 3},
	{"the hash of the blocks before lost", aesWide, "wideSealBulk", "VPXORQ Z13, Z11, Z11", "VPXORQ Z10, Z10, Z10", 1},
	{"a group hashed with the other group's powers", aesWide, "wideSealBulk", "VPCLMULQDQ $0x00, 1024(R13), Z11, Z13", "VPCLMULQDQ $0x00, 512(R13), Z11, Z13", 1},
	{"the lengths exchanged", aesWide, "wideSealWhole", "VPINSRQ $1, AX, X11, X11", "VPINSRQ $1, R10, X11, X11", 1},
	{"the length of the additional data in bytes", aesWide, "wideOpenWhole", "SHLQ $3, AX", "SHLQ $0, AX", 1},
	{"the tag's block for the text's first counter", aesWide, "", "DATA counterText<>+8(SB)/8, $0x01", "DATA counterText<>+8(SB)/8, $0x00", 1},
	{"half a tag compared", aesWide, "wideOpenWhole", "VPTEST X5, X5", "VMOVQ X5, X5; VPTEST X5, X5", 1},
	{"one block too many for a key used once", aesGCM, "", "return blocks(text)+blocks(additional) < fewPowers", "return blocks(text)+blocks(additional) <= fewPowers", 1},
	{"a key used once without its check", aesOnce, "", "	if err := checkKey(key); err != nil {\n		return nil, err\n	}\n	checkOnceNonce", "	checkOnceNonce", 1},
	{"a nonce of a key used once of any length", aesOnce, "", "	checkOnceNonce(nonce)\n", "", 2},
	{"the hash key without its carry", aesWide, "wideFewPowers", "VPAND hashCarry", "VPXOR hashCarry", 1},
	{"a key for decryption in the wrong place", aesWide, "wideInverse", "VMOVDQU X2, 128(DI)", "VMOVDQU X2, 112(DI)", 1},
	{"one block too many for the table", aesGCM, "", "blocks(text)+blocks(additional) >= tablePowers", "blocks(text)+blocks(additional) > tablePowers", 1},
	{"additional data hashed twice beside a long text", aesGCM, "", "		g.update(&l.hash, additional, t)\n		return\n", "		g.update(&l.hash, additional, t)\n", 1},
	{"a table taken for one that isn't there", aesGCM, "", "	if t != nil {\n		whole &^= bulkBytes - 1", "	if whole > 0 {\n		whole &^= bulkBytes - 1", 1},
	{"a nonce's length in bytes", aesWide, "wideHashedCounter", "SHLQ $3, CX", "SHLQ $4, CX", 1},
	{"a few powers' chunk begun with the wrong one", aesWide, "wideFewGHASH", "VPCLMULQDQ $0x00, 64(R8)", "VPCLMULQDQ $0x00, 0(R8)", 1},
	{"the first of the stream's counters after a wrap", aesWide, "wideSealWhole", "INCQ R12", "NOP", 1},
	{"key stream kept ahead used twice", aesStream, "", "	x.from, x.to = 0, size\n", "	x.from, x.to = 0, size-1\n", 1},
	{"a wrap of GCM's counter not found", aesGCM, "", "t == nil || j0.wraps(", "t == nil || false && j0.wraps(", 1},
	{"the counter of GCM carries into the nonce", aesModes, "", "c.low &^= 1<<32 - 1", "c = c.Plus(left / blockSize)", 1},
	{"J0 without the length of the nonce", aesGCM, "", "uint64(len(nonce))*8)", "uint64(len(nonce)))", 1},
	{"GODEBUG can't turn VAES off", aesCPU, "", "x.HasAVX512VAES && ", "", 1},
	{"the kernels under FIPS 140-3", aesCipher, "", "if fips140.Enabled() {", "if false && fips140.Enabled() {", 1},
	{"a key of 20 bytes", aesCipher, "", "n != 16 && n != 24", "n != 16 && n != 20 && n != 24", 1},
	{"blocks that overlap", aesCipher, "", "	if buffers.InexactOverlap(dst[:BlockSize], src[:BlockSize]) {", "	if false {", 1},
	{"a stream that uses a byte twice", aesStream, "", "		x.from += n\n", "		x.from += n - n/16\n", 1},
	{"a stream at an offset that begins a block late", aesStream, "", "x.first.Plus(offset / BlockSize)", "x.first.Plus((offset + 1) / BlockSize)", 1},
	{"SetIV changes nothing", aesCBC, "", "	copy(x.iv[:], iv)\n", "", 2},
	{"a tag compared in part", aesAEAD, "", "l.Tag[:g.tagSize], tag) != 1", "l.Tag[:g.tagSize-1], tag[:g.tagSize-1]) != 1", 1},
	{"dst written before the tag is compared", aesAEAD, "", "	g.Authenticate(&l, j0, text, additionalData)\n	if subtle.ConstantTimeCompare(l.Tag[:g.tagSize]",
		"	g.Authenticate(&l, j0, text, additionalData)\n	g.Decrypt(j0, out, text)\n	if subtle.ConstantTimeCompare(l.Tag[:g.tagSize]", 1},
	{"CCM: the counter of the second piece", aesCCM, "", "at.Plus(pieceBytes / BlockSize)", "at.Plus(pieceBytes)", 1},
	{"CCM: the chain begun anew with each piece", aesCCM, "", "CBCEncrypt(chain[:n], data[:n], mac)", "CBCEncrypt(chain[:n], data[:n], &[BlockSize]byte{})", 1},
	{"CCM: a single block without the chain", aesCCM, "", "subtle.XORBytes(mac[:], mac[:], data)", "copy(mac[:], data)", 1},
	{"a random nonce that isn't", aesAEAD, "", "	rand.Read(out[:gcmNonceSize])\n", "	_ = rand.Read\n", 1},
	{"the last two tweaks not in reverse", aesSectors, "", "src[head:whole], &t)", "src[head:whole], &earlier)", 1},
	{"XTS with two equal keys", aesSectors, "", "key[half:]) == 1", "key[half:]) == 2", 1},
}

// aesPortableMutants are those of the code that leaves the work to the standard library.
var aesPortableMutants = []mutant{
	{"std: a tweak's carry lost", aesSectors, "", "high<<1|low>>63", "high<<1", 1},
	{"std: a tweak with another polynomial", aesSectors, "", "carry*0x87", "carry*0x86", 1},
	{"std: XTS decrypts by encryption", aesSectors, "", "if d == encrypt {", "if d == encrypt || true {", 1},
	{"std: ECB decrypts by encryption", aesCipher, "", "c.std.Decrypt(dst, src)", "c.std.Encrypt(dst, src)", 1},
	{"std: a key's error in other words", aesCipher, "", "return KeySizeError(n)", "return KeySizeError(n + 1)", 1},
	{"CCM: the size of the tag not in the first block", aesCCM, "", "byte((m.tagSize-2)/2)<<3 | ", "", 1},
	{"CCM: the flag of additional data lost", aesCCM, "", "block[0] |= 1 << 6", "block[0] |= 0", 1},
	{"CCM: a long header's length in two bytes", aesCCM, "", "size < 1<<16-1<<8", "size < 1<<16", 1},
	{"CCM: no length of the additional data", aesCCM, "", "binary.BigEndian.PutUint16(block[:], uint16(size))", "_ = size", 1},
	{"CCM: the mask of the first counter of the text", aesCCM, "", "	m.addMask(&mac, first)\n", "	m.addMask(&mac, first.Plus(1))\n", 1},
	{"CCM: a tag compared in part", aesCCM, "", "mac[:m.tagSize], tag) != 1", "mac[:m.tagSize-1], tag[:m.tagSize-1]) != 1", 1},
	{"CCM: dst written before the tag is compared", aesCCM, "", "	m.addMask(&mac, first)\n	if subtle", "	m.addMask(&mac, first)\n	m.c.xorCTR(out, text, first.Plus(1))\n	if subtle", 1},
	{"CCM: the text encrypted before it is absorbed", aesCCM, "", "	m.absorb(&mac, plaintext)\n	first := m.firstCounter(nonce)\n",
		"	first := m.firstCounter(nonce)\n	m.c.xorCTR(out[:len(plaintext)], plaintext, first.Plus(1))\n	m.absorb(&mac, plaintext)\n", 1},
	{"CCM: a message too long for its nonce", aesCCM, "", "if m.tooLong(len(plaintext)) {", "if false {", 1},
	{"CCM by std: the last block not handed back", aesCCM, "", "	*mac = *b\n", "	_ = mac\n", 1},
	{"std: another tag size forgotten", aesAEAD, "", "cipher.NewGCMWithTagSize(c.std, tagSize)", "cipher.NewGCM(c.std)", 1},
	{"std: a stream at an offset from the block's start", aesStream, "", "block[within:]", "block[:]", 1},
	{"std: the number of a sector in the other order", aesSectors, "", "binary.LittleEndian.PutUint64(t[:], sector)", "binary.BigEndian.PutUint64(t[:], sector)", 1},
}
