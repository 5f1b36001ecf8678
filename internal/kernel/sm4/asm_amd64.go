//go:build amd64 && !purego

package sm4

//go:noescape
func narrowExpandKey(key *[16]byte, domain *[32]uint32)

//go:noescape
func narrowSpread(round *[32]uint32, slices *Slices)

//go:noescape
func narrowSixteen(s *Schedule, dst, src, xor *byte, n int)

//go:noescape
func narrowEight(s *Schedule, dst, src, xor *byte, n int)

//go:noescape
func narrowPowers(powers *Powers, h *[16]byte)

//go:noescape
func narrowGHASH(acc *[16]byte, powers *Powers, data *byte, blocks int)

//go:noescape
func wideExpand(key *[16]byte, s *Schedule, zero *[16]byte)

//go:noescape
func wideFlight(s *Schedule, dst, src, xor *byte, iv *[16]byte, n int)

//go:noescape
func wideXTSFlight(s *Schedule, dst, src *byte, tweak *[16]byte, tweaks *byte, n int)

//go:noescape
func wideCTRFlight(s *Schedule, dst, src *byte, ctr *[16]byte, rest *[64]byte, skip, n int)

//go:noescape
func wideMessageSeal(m *Message)

//go:noescape
func wideMessageOpen(m *Message)

//go:noescape
func wideOnceSeal(m *Message, key *[16]byte, powers *byte)

//go:noescape
func wideOnceOpen(m *Message, key *[16]byte, powers *byte)

//go:noescape
func wideShort(s *Schedule, dst, src, xor *byte, n int)

//go:noescape
func wideECB(s *Schedule, dst, src *byte, w *work, n int)

//go:noescape
func wideCBCDecrypt(s *Schedule, dst, src *byte, iv *[16]byte, w *work, n int)

//go:noescape
func wideCBCEncrypt(s *Schedule, dst, src *byte, iv *[16]byte, blocks int)

//go:noescape
func wideCTR(s *Schedule, dst, src *byte, ctr *[16]byte, rest *[64]byte, w *work, n int)

//go:noescape
func wideXTS(s *Schedule, dst, src *byte, tweak *[16]byte, w *work, tweaks *byte, n int)

//go:noescape
func wideLanes64(s *Schedule, slices *Slices, l *Lanes, steps int)

//go:noescape
func wideLanes64Keyed(t *Table64, l *Lanes, steps int)

//go:noescape
func wideLanes32(s *Schedule, l *Lanes, steps int)

//go:noescape
func wideLanes16(s *Schedule, l *Lanes, steps int)

//go:noescape
func wideLanes16Keyed(t *Table16, l *Lanes, steps int)

//go:noescape
func wideFewPowers(end *byte, h *[16]byte)

//go:noescape
func widePowers(end *byte, h *[16]byte)

//go:noescape
func wideGHASH(acc *[16]byte, powers *Powers, data *byte, n int)

//go:noescape
func wideGCMSeal(s *Schedule, powers *Powers, acc *[16]byte, dst, src *byte, ctr *[16]byte, w *work, pairs int)

//go:noescape
func narrowOut(out *[16]byte, d *[4]uint32)

//go:noescape
func wideExpand16(keys *[16]*byte, t *Table16, zero *[16][16]byte)

//go:noescape
func wideGather16(s *[16]*Schedule, t *Table16)

//go:noescape
func wideScatter16(t *Table16, s *[16]*Schedule)

//go:noescape
func wideSlice64(from *[4]Table16, t *Table64)

//go:noescape
func wideSpread16(from *Table16, t *Table64)

//go:noescape
func wideCounters16(l *Sixteen)

//go:noescape
func wideFirst16(l *Sixteen)

//go:noescape
func wideCTR16(l *Sixteen, from, full, mixed int)

//go:noescape
func widePair16(l *Sixteen, from, steps int)

//go:noescape
func wideKeys16(l *Sixteen)

//go:noescape
func widePowers16(l *Sixteen)

//go:noescape
func wideFew16(l *Sixteen, data *[16]*byte, from, full int)

//go:noescape
func wideTags16(l *Sixteen)

//go:noescape
func wideHash16(l *Sixteen, data *[16]*byte, left *[16]int, from, full, blocks int)
