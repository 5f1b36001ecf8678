//go:build !amd64 || purego

package aes

// There is no kernel to call here: supported says so, and these stand in for the assembly.

func supported() bool { return false }

const noAssembly = "aes: internal error: no assembly in this build"

func wideExpand128(key *byte, enc *Schedule) {
	panic(noAssembly)
}

func wideExpand192(key *byte, enc *Schedule) {
	panic(noAssembly)
}

func wideExpand256(key *byte, enc *Schedule) {
	panic(noAssembly)
}

func wideInverse(enc, dec *Schedule) {
	panic(noAssembly)
}

func wideEncryptBlock(s *Schedule, dst, src *byte) {
	panic(noAssembly)
}

func wideDecryptBlock(s *Schedule, dst, src *byte) {
	panic(noAssembly)
}

func wideECBEncrypt(s *Schedule, dst, src *byte, n int) {
	panic(noAssembly)
}

func wideECBDecrypt(s *Schedule, dst, src *byte, n int) {
	panic(noAssembly)
}

func wideCBCEncrypt(s *Schedule, dst, src *byte, iv *[16]byte, n int) {
	panic(noAssembly)
}

func wideCBCDecrypt(s *Schedule, dst, src *byte, iv *[16]byte, n int) {
	panic(noAssembly)
}

func wideCTR(s *Schedule, dst, src *byte, ctr *[16]byte, rest *[64]byte, n int) {
	panic(noAssembly)
}

func wideAhead(s *Schedule, dst *byte, ctr *[16]byte, n int) {
	panic(noAssembly)
}

func wideXOR(dst, src, stream *byte, n int) {
	panic(noAssembly)
}

func wideXTSEncrypt(s *Schedule, dst, src *byte, tweak *[16]byte, n int) {
	panic(noAssembly)
}

func wideXTSDecrypt(s *Schedule, dst, src *byte, tweak *[16]byte, n int) {
	panic(noAssembly)
}

func widePowers(table *byte, h *[16]byte) {
	panic(noAssembly)
}

func wideFewPowers(table *byte, s *Schedule) {
	panic(noAssembly)
}

func wideGHASH(hash *[16]byte, table *Table, data *byte, n int) {
	panic(noAssembly)
}

func wideFewGHASH(hash *[16]byte, table *few, data *byte, n int) {
	panic(noAssembly)
}

func wideSealBulk(s *Schedule, table *Table, hash *[16]byte, dst, src *byte, ctr *[16]byte, n int) {
	panic(noAssembly)
}

func wideSealLast(s *Schedule, power, middle *byte, l *Last, dst, src *byte, n int) {
	panic(noAssembly)
}

func wideAuthenticate(s *Schedule, power, middle *byte, l *Last, text *byte, n int) {
	panic(noAssembly)
}

func wideSealWhole(s *Schedule, power, middle *byte, j0 *[16]byte, additional *byte, length int, dst, src *byte, n int) {
	panic(noAssembly)
}

func wideOpenWhole(s *Schedule, power, middle *byte, j0 *[16]byte, additional *byte, length int, dst, src *byte, n int) (authentic bool) {
	panic(noAssembly)
}

func wideHashedCounter(j0 *[16]byte, table *few, nonce *byte, n int) {
	panic(noAssembly)
}

func wideExpandLanes128(l *Lanes, groups int) {
	panic(noAssembly)
}

func wideExpandLanes192(l *Lanes, groups int) {
	panic(noAssembly)
}

func wideExpandLanes256(l *Lanes, groups int) {
	panic(noAssembly)
}

func wideCBCLanes(l *Lanes, s *Schedule, groups, blocks int) {
	panic(noAssembly)
}

func wideCBCLanesKeyed(l *Lanes, rounds, groups, blocks int) {
	panic(noAssembly)
}

func wideStartLanes(l *Lanes, rounds, groups int) {
	panic(noAssembly)
}

func wideCTRLanes(l *Lanes, rounds, groups, lines, last int) {
	panic(noAssembly)
}

func wideAbsorbLanes(l *Lanes, texts *[MaxLanes]*byte, groups, lines, last int) {
	panic(noAssembly)
}

func wideTagLanes(l *Lanes, groups int) {
	panic(noAssembly)
}

func wideSealShort128(l *Lanes, m *Message, groups, n int) {
	panic(noAssembly)
}

func wideOpenShort128(l *Lanes, m *Message, groups, n int) {
	panic(noAssembly)
}

func wideSealShort192(l *Lanes, m *Message, groups, n int) {
	panic(noAssembly)
}

func wideOpenShort192(l *Lanes, m *Message, groups, n int) {
	panic(noAssembly)
}

func wideSealShort256(l *Lanes, m *Message, groups, n int) {
	panic(noAssembly)
}

func wideOpenShort256(l *Lanes, m *Message, groups, n int) {
	panic(noAssembly)
}
