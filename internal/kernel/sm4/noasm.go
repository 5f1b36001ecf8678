//go:build (!amd64 || purego) && !(purego && valgrind)

package sm4

// There is no kernel to call here: supported says so, and these stand in for the assembly.

func intel() bool { return false }

// HalfWidth matters to assembly alone.
func HalfWidth() bool { return false }

func supported(Kernel) bool { return false }

const noAssembly = "sm4: internal error: no assembly in this build"

func narrowExpandKey(key *[16]byte, domain *[32]uint32) { panic(noAssembly) }

func narrowSpread(round *[32]uint32, slices *Slices) { panic(noAssembly) }

func narrowSixteen(s *Schedule, dst, src, xor *byte, n int) { panic(noAssembly) }

func narrowEight(s *Schedule, dst, src, xor *byte, n int) { panic(noAssembly) }

func narrowPowers(powers *Powers, h *[16]byte) { panic(noAssembly) }

func narrowGHASH(acc *[16]byte, powers *Powers, data *byte, blocks int) { panic(noAssembly) }

func wideExpand(key *[16]byte, s *Schedule, zero *[16]byte) { panic(noAssembly) }

func wideFlight(s *Schedule, dst, src, xor *byte, iv *[16]byte, n int) { panic(noAssembly) }

func wideXTSFlight(s *Schedule, dst, src *byte, tweak *[16]byte, tweaks *byte, n int) {
	panic(noAssembly)
}

func wideCTRFlight(s *Schedule, dst, src *byte, ctr *[16]byte, rest *[64]byte, skip, n int) {
	panic(noAssembly)
}

func wideMessageSeal(m *Message) { panic(noAssembly) }

func wideMessageOpen(m *Message) { panic(noAssembly) }

func wideOnceSeal(m *Message, key *[16]byte, powers *byte) { panic(noAssembly) }

func wideOnceOpen(m *Message, key *[16]byte, powers *byte) { panic(noAssembly) }

func wideShort(s *Schedule, dst, src, xor *byte, n int) { panic(noAssembly) }

func wideECB(s *Schedule, dst, src *byte, w *work, n int) { panic(noAssembly) }

func wideCBCDecrypt(s *Schedule, dst, src *byte, iv *[16]byte, w *work, n int) {
	panic(noAssembly)
}

func wideCBCEncrypt(s *Schedule, dst, src *byte, iv *[16]byte, blocks int) { panic(noAssembly) }

func wideCTR(s *Schedule, dst, src *byte, ctr *[16]byte, rest *[64]byte, w *work, n int) {
	panic(noAssembly)
}

func wideXTS(s *Schedule, dst, src *byte, tweak *[16]byte, w *work, tweaks *byte, n int) {
	panic(noAssembly)
}

func wideLanes64(s *Schedule, slices *Slices, l *Lanes, steps int) { panic(noAssembly) }

func wideLanes64Keyed(t *Table64, l *Lanes, steps int) { panic(noAssembly) }

func wideLanes32(s *Schedule, l *Lanes, steps int) { panic(noAssembly) }

func wideLanes16(s *Schedule, l *Lanes, steps int) { panic(noAssembly) }

func wideLanes16Keyed(t *Table16, l *Lanes, steps int) { panic(noAssembly) }

func wideFewPowers(end *byte, h *[16]byte) { panic(noAssembly) }

func widePowers(end *byte, h *[16]byte) { panic(noAssembly) }

func wideGHASH(acc *[16]byte, powers *Powers, data *byte, n int) { panic(noAssembly) }

func wideGCMSeal(s *Schedule, powers *Powers, acc *[16]byte, dst, src *byte, ctr *[16]byte, w *work, pairs int) {
	panic(noAssembly)
}

func narrowOut(out *[16]byte, d *[4]uint32) { panic(noAssembly) }

func wideExpand16(keys *[16]*byte, t *Table16, zero *[16][16]byte) { panic(noAssembly) }

func wideGather16(s *[16]*Schedule, t *Table16) { panic(noAssembly) }

func wideScatter16(t *Table16, s *[16]*Schedule) { panic(noAssembly) }

func wideSlice64(from *[4]Table16, t *Table64) { panic(noAssembly) }

func wideSpread16(from *Table16, t *Table64) { panic(noAssembly) }

func wideCounters16(l *Sixteen) { panic(noAssembly) }

func wideFirst16(l *Sixteen) { panic(noAssembly) }

func wideCTR16(l *Sixteen, from, full, mixed int) { panic(noAssembly) }

func widePair16(l *Sixteen, from, steps int) { panic(noAssembly) }

func wideKeys16(l *Sixteen) { panic(noAssembly) }

func widePowers16(l *Sixteen) { panic(noAssembly) }

func wideFew16(l *Sixteen, data *[16]*byte, from, full int) { panic(noAssembly) }

func wideTags16(l *Sixteen) { panic(noAssembly) }

func wideHash16(l *Sixteen, data *[16]*byte, left *[16]int, from, full, blocks int) {
	panic(noAssembly)
}
