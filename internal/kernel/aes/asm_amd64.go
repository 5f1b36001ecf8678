//go:build amd64 && !purego

package aes

//go:noescape
func wideExpand128(key *byte, enc *Schedule)

//go:noescape
func wideExpand192(key *byte, enc *Schedule)

//go:noescape
func wideExpand256(key *byte, enc *Schedule)

//go:noescape
func wideInverse(enc, dec *Schedule)

//go:noescape
func wideEncryptBlock(s *Schedule, dst, src *byte)

//go:noescape
func wideDecryptBlock(s *Schedule, dst, src *byte)

//go:noescape
func wideECBEncrypt(s *Schedule, dst, src *byte, n int)

//go:noescape
func wideECBDecrypt(s *Schedule, dst, src *byte, n int)

//go:noescape
func wideCBCEncrypt(s *Schedule, dst, src *byte, iv *[16]byte, n int)

//go:noescape
func wideCBCDecrypt(s *Schedule, dst, src *byte, iv *[16]byte, n int)

//go:noescape
func wideCTR(s *Schedule, dst, src *byte, ctr *[16]byte, rest *[64]byte, n int)

//go:noescape
func wideAhead(s *Schedule, dst *byte, ctr *[16]byte, n int)

//go:noescape
func wideXOR(dst, src, stream *byte, n int)

//go:noescape
func wideXTSEncrypt(s *Schedule, dst, src *byte, tweak *[16]byte, n int)

//go:noescape
func wideXTSDecrypt(s *Schedule, dst, src *byte, tweak *[16]byte, n int)

//go:noescape
func widePowers(table *byte, h *[16]byte)

//go:noescape
func wideFewPowers(table *byte, s *Schedule)

//go:noescape
func wideGHASH(hash *[16]byte, table *Table, data *byte, n int)

//go:noescape
func wideFewGHASH(hash *[16]byte, table *few, data *byte, n int)

//go:noescape
func wideSealBulk(s *Schedule, table *Table, hash *[16]byte, dst, src *byte, ctr *[16]byte, n int)

//go:noescape
func wideSealLast(s *Schedule, power, middle *byte, l *Last, dst, src *byte, n int)

//go:noescape
func wideAuthenticate(s *Schedule, power, middle *byte, l *Last, text *byte, n int)

//go:noescape
func wideSealWhole(s *Schedule, power, middle *byte, j0 *[16]byte, additional *byte, length int, dst, src *byte, n int)

//go:noescape
func wideOpenWhole(s *Schedule, power, middle *byte, j0 *[16]byte, additional *byte, length int, dst, src *byte, n int) (authentic bool)

//go:noescape
func wideHashedCounter(j0 *[16]byte, table *few, nonce *byte, n int)

//go:noescape
func wideExpandLanes128(l *Lanes, groups int)

//go:noescape
func wideExpandLanes192(l *Lanes, groups int)

//go:noescape
func wideExpandLanes256(l *Lanes, groups int)

//go:noescape
func wideCBCLanes(l *Lanes, s *Schedule, groups, blocks int)

//go:noescape
func wideCBCLanesKeyed(l *Lanes, rounds, groups, blocks int)

//go:noescape
func wideStartLanes(l *Lanes, rounds, groups int)

//go:noescape
func wideCTRLanes(l *Lanes, rounds, groups, lines, last int)

//go:noescape
func wideAbsorbLanes(l *Lanes, texts *[MaxLanes]*byte, groups, lines, last int)

//go:noescape
func wideTagLanes(l *Lanes, groups int)

//go:noescape
func wideSealShort128(l *Lanes, m *Message, groups, n int)

//go:noescape
func wideOpenShort128(l *Lanes, m *Message, groups, n int)

//go:noescape
func wideSealShort192(l *Lanes, m *Message, groups, n int)

//go:noescape
func wideOpenShort192(l *Lanes, m *Message, groups, n int)

//go:noescape
func wideSealShort256(l *Lanes, m *Message, groups, n int)

//go:noescape
func wideOpenShort256(l *Lanes, m *Message, groups, n int)
