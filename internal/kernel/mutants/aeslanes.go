package main

const (
	aesLanes     = "internal/kernel/aes/lanes.go"
	aesLaneGCM   = "internal/kernel/aes/lanegcm.go"
	aesLaneShort = "internal/kernel/aes/laneshort.go"
	aesJobs      = "aes/lanes.go"
	aesJobsGCM   = "aes/lanes_gcm.go"
	aesMany      = "aes/many.go"
	aesManyCTR   = "aes/many_ctr.go"
	hulls        = "internal/kernel/buffers/hull.go"
	disjoint     = "internal/kernel/buffers/disjoint.go"
	spans        = "internal/kernel/buffers/spans.go"
	alikes       = "internal/kernel/buffers/alike.go"
	levels       = "internal/kernel/buffers/level.go"
	aesWideChain = "wideCBCLanesKeyed"
)

// aesLaneMutants are those of calls on many messages.
var aesLaneMutants = []mutant{
	{"a transpose that repeats a column", aesWide, "wideCBCLanes", "VSHUFI32X4 $0xdd, Z14, Z12, Z9", "VSHUFI32X4 $0x88, Z14, Z12, Z9", 1},
	{"a transpose for eight registers that mixes lines", aesWide, "wideCBCLanes", "VSHUFI32X4 $0xee, Z11, Z10, Z15", "VSHUFI32X4 $0xee, Z10, Z10, Z15", 35},
	{"the last ciphertext of a lane lost", aesWide, aesWideChain, "VPTERNLOGQ $0x96, 64(R11), Z8, Z1", "VPXORQ 64(R11), Z8, Z1", 1},
	{"the keys of another register of lanes", aesWide, aesWideChain, "VAESENC 1024(R8), Z1, Z1", "VAESENC 64(R8), Z1, Z1", 1},
	{"the last round of AES-128 for AES-192 in lanes", aesWide, aesWideChain, "CMPQ R9, $12", "CMPQ R9, $13", 3},
	{"a lane's rest read from another", aesWide, "wideCBCLanes", "VINSERTI32X4 $2, (R10)(R15*1), Z9, Z9", "VINSERTI32X4 $1, (R10)(R15*1), Z9, Z9", 1},
	{"a lane's rest written to another", aesWide, aesWideChain, "VEXTRACTI32X4 $3, Z0, (R10)(R15*1)", "VEXTRACTI32X4 $2, Z0, (R10)(R15*1)", 1},
	{"a line begun before the last has ended", aesWide, "wideCBCLanes", "ADDQ $64, R15", "ADDQ $48, R15", 1},
	{"a block of a line left out", aesWide, "wideCBCLanes", "MOVQ $4, AX", "MOVQ $3, AX", 4},
	{"a schedule in lanes rotated where it isn't", aesWide, "wideExpandLanes256", "VPSHUFB Z6, Z0, Z2", "VPSHUFB Z5, Z0, Z2", 1},
	{"a schedule in lanes with another round constant", aesWide, "wideExpandLanes128", "VBROADCASTI32X4 roundConstants<>+16(SB)", "VBROADCASTI32X4 roundConstants<>+32(SB)", 1},
	{"a key of 192 bits in lanes put together wrongly", aesWide, "wideExpandLanes192", "VSHUFPD $0x55", "VSHUFPD $0x54", 2},
	{"the third lane's key for the fourth's", aesWide, "wideExpandLanes128", "VINSERTI32X4 $3, 0(R10), Z0, Z0", "VINSERTI32X4 $3, 0(R10), Z0, Z4", 1},
	{"a hash key in lanes without its carry", aesWide, "wideStartLanes", "VPANDQ Z24, Z8, Z8", "VPXORQ Z8, Z8, Z8", 2},
	{"a text begun with the tag's counter", aesWide, "wideStartLanes", "VPADDD counterStep<>(SB), Z0, Z0", "NOP", 1},
	{"a counter of lanes that stands still", aesWide, "wideCTRLanes", "VPADDQ Z24, Z17, Z17", "NOP", 1},
	{"a counter of lanes that isn't kept", aesWide, "wideCTRLanes", "VMOVDQU64 Z16, 12032(DX)", "NOP", 1},
	{"a whole line at a page's end stored in pieces", aesWide, "wideCTRLanes", "CMPQ CX, $64", "CMPQ CX, $65", 1},
	{"a lane's hash of blocks that it hasn't", aesWide, "wideAbsorbLanes", "VMOVDQA64 Z11, K2, Z0", "VMOVDQA64 Z11, Z0", 1},
	{"a lane's last part of a block not hashed", aesWide, "wideAbsorbLanes", "ADDQ $15, CX", "ADDQ $0, CX", 2},
	{"the hash of one lane's register by another's key", aesWide, "wideAbsorbLanes", "VPCLMULQDQ $0x11, 12608(DX), Z11, Z9", "VPCLMULQDQ $0x11, 12544(DX), Z11, Z9", 1},
	{"the lengths of lanes not hashed", aesWide, "wideTagLanes", "VPXORQ 13568(DX), Z11, Z11", "NOP", 1},
	{"a tag in lanes not masked", aesWide, "wideTagLanes", "VPXORQ 13056(DX), Z11, Z11", "NOP", 1},
	{"lanes without a message write over the first", aesLanes, "", "l.src[active], l.dst[active] = l.src[0], &l.sink[0]", "l.src[active], l.dst[active] = l.src[0], l.dst[0]", 1},
	{"a register of lanes too few", aesLanes, "", "groups = registers[groupsOf(active)]", "groups = registers[active/perGroup]", 1},
	{"a kept key in another lane", aesLanes, "", "to[i][lane%perGroup] = k.enc.round[i]", "to[i][0] = k.enc.round[i]", 1},
	{"the last raw keys not filled up", aesLanes, "", "		l.raw[lanes] = l.raw[0]\n", "		l.raw[lanes] = nil\n", 1},
	{"keys that stay in a pool", aesLanes, "", "		clear(l.round[:groups])\n", "", 1},
	{"additional data of lanes that have none", aesLaneGCM, "", "	clear(l.left[active : groups*perGroup])\n", "", 1},
	{"the lengths of a lane exchanged", aesLaneGCM, "", "{uint64(n) * 8, uint64(len(additional)) * 8}", "{uint64(len(additional)) * 8, uint64(n) * 8}", 1},
	{"a counter that wraps in lanes", aesLaneGCM, "", "return c.low+uint64(blocks(bytes)) < c.low", "return false && c.low > 0", 1},
	{"messages of several key lengths side by side", aesJobs, "", "jobs[n].rounds == jobs[0].rounds", "true", 1},
	{"messages not in the order of their lengths", aesJobs, "", "a.rounds == b.rounds && a.bytes < b.bytes", "a.rounds == b.rounds && a.bytes > b.bytes", 1},
	{"the first key for all", aesJobs, "", "if s.Cipher != first.Cipher {", "if i == 1 && s.Cipher != first.Cipher {", 1},
	{"the last lane's chain begun anew", aesJobs, "", "iv := b.lanes.Last(0)", "iv := [BlockSize]byte(first.IV)", 1},
	{"the last raw lane's chain begun anew", aesJobs, "", "iv := b.lanes.Last(0)", "iv := [BlockSize]byte(first.IV)", 2},
	{"lanes moved on too little", aesJobs, "", "b.lanes.Advance(active, steps)", "b.lanes.Advance(active, steps-1)", 1},
	{"the hash of a lane that has ended lost", aesJobsGCM, "", "		whole = from\n", "", 1},
	{"a forged tag taken in lanes", aesJobsGCM, "", "if !equal(b.lanes.Tag(i), (*[BlockSize]byte)(m.Src[j.bytes:])) {", "if !equal(b.lanes.Tag(i), b.lanes.Tag(i)) {", 1},
	{"the second half of tags not compared", aesJobsGCM, "", "	differ |= binary", "	_ = binary", 1},
	{"a forged short message taken", aesJobsGCM, "", "				m.Err, err = errOpen, errOpen\n				continue\n", "				m.Err, err = errOpen, errOpen\n", 1},
	{"texts of several lengths done whole", aesJobsGCM, "", "len(m.Src) ^ l.text |", "len(m.Src)*0 |", 1},
	{"keys of several lengths done whole", aesJobsGCM, "", "len(m.Key) ^ l.key |", "len(m.Key)*0 |", 1},
	{"additional data of short messages left out", aesJobsGCM, "", "l.key | len(m.AdditionalData)", "l.key | 0*len(m.AdditionalData)", 1},
	{"messages longer than a line done whole", aesJobsGCM, "", "uint(l.text-longer) <= kernel.ShortBytes", "uint(l.text-longer) <= kernel.ShortBytes+1", 1},
	{"what was opened stays in a pool", aesLaneShort, "", "	clear(l.tile[:lanes])\n", "", 1},
	{"the tags of what was opened stay in a pool", aesLaneShort, "", "	clear(l.mask[:lanes/perGroup])\n", "", 1},
	{"short messages begun with another counter", aesWide, "", "DATA shortCounters<>+72(SB)/8, $0x02", "DATA shortCounters<>+72(SB)/8, $0x03", 1},
	{"the next short messages not moved on to", aesWide, "wideSealShort128", "ADDQ $1152, SI", "ADDQ $576, SI", 1},
	{"the last block of short messages not hashed", aesWide, "wideSealShort192", "CMPQ R9, $3", "CMPQ R9, $4", 1},
	{"key stream behind a short text hashed", aesWide, "wideSealShort256", "VMOVDQU8.Z Z1, K1, Z0", "VMOVDQA64 Z1, Z0", 2},
	{"a short message's mask of the tag that isn't", aesWide, "wideOpenShort128", "VPXORQ Z11, Z1, Z1", "VPXORQ Z10, Z1, Z1", 1},
	{"tags of short messages in the place of others", aesWide, "wideOpenShort256", "ADDQ $128, R14", "NOP", 1},
	{"plaintext of short messages in the place of others", aesWide, "wideOpenShort192", "VMOVDQU64 Z13, 64(DI)", "VMOVDQU64 Z13, 128(DI)", 1},
	{"a round of a short message too few", aesWide, "wideOpenShort192", "VAESENC Z0, Z15, Z15", "VMOVDQA64 Z15, Z15", 1},
	{"all opened where one is forged", aesJobsGCM, "", "if m := &messages[j.index]; m.Err == nil {", "if m := &messages[j.index]; true {", 1},
	{"none opened where one is forged", aesJobsGCM, "", "if m := &messages[j.index]; m.Err == nil {", "if m := &messages[j.index]; false {", 1},
	{"additional data longer than a lane takes", aesJobsGCM, "", "len(m.AdditionalData) <= kernel.MaxMore", "true", 1},
	{"a message refused without its error", aesMany, "", "m.refused() || !m.open(k)", "m.refused() && !m.open(k)", 1},
	{"an old error kept", aesMany, "", "if m.Err = nil; k == kernel.None", "if k == kernel.None", 1},
	{"two keys taken", aesMany, "", "	case c != nil && key != nil:\n", "	case false:\n", 1},
	{"a long message's table for the next short one", aesMany, "", "	o.gcm.Forget()\n", "", 1},
	{"two messages that write the same byte", spans, "", "written[i].From < written[i-1].To", "written[i].To < written[i-1].From", 1},
	{"a first look at outputs that doesn't see their order", hulls, "", "o.Mixed || from < o.to", "o.Mixed", 1},
	{"a first look at what is read last", hulls, "", "max(h.to, from+uintptr(len(b)))", "from + uintptr(len(b))", 1},
	{"a first look at what is read first", hulls, "", "Hull{max(h.below, ^from), max(h.to,", "Hull{^from, max(h.to,", 1},
	{"outputs in disorder taken for apart", hulls, "", "return !o.Mixed", "return true", 1},
	{"a first look at messages that are alike that doesn't see their order", alikes, "", "mixed = true", "mixed = false", 1},
	{"a first look at messages that are alike in place", alikes, "", "from != to || !within", "from != to && !within", 1},
	{"where the last buffer of one length begins lost", alikes, "", "max(s.last, from)", "from", 1},
	{"where the first buffer of one length begins lost", alikes, "", "min(s.first, from)", "from", 1},
	{"a span lost in merging", spans, "", "append(to, b[0]), b[1:]", "append(to, b[0]), b[min(2, len(b)):]", 1},
	{"the tag behind a text in place overwritten", disjoint, "", "src[min(len(out), len(src)):]", "src[len(src):]", 1},
	{"a message that reads what another writes", spans, "", "written[i].Message != r.Message", "false", 1},
	{"a search that begins behind what it seeks", spans, "", "	if at > 0 && written[at-1].To > r.From || at", "	if at", 1},
	{"a message that overlaps its own text", disjoint, "", "	return src\n}", "	return src[:0]\n}", 1},
	{"a stream's own key overwritten", aesManyCTR, "", "d.Reads(buffers.Key, m.Key, buffers.Nobody)", "d.Reads(buffers.Key, m.Key, i)", 1},
}
