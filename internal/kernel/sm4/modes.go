package sm4

import (
	"crypto/subtle"
	"encoding/binary"
	"math/bits"
)

// zeros is what ECB XORs its result with in the functions that have an operand for it.
var zeros [flightBytes]byte

// short computes dst = E(src) ⊕ xor for at most a flight of whole blocks, and for any number of bytes up to
// shortBytes. All are len(dst) bytes long, but src is read in whole blocks.
func (k Kernel) short(s *Schedule, dst, src, xor []byte) {
	n := len(dst)
	switch {
	case n == 0:
	case k == AVX512 && n <= shortBytes:
		wideShort(s, &dst[0], &src[0], &xor[0], n)
	case k == AVX512:
		wideFlight(s, &dst[0], &src[0], &xor[0], nil, n)
	default:
		narrowShort(s, dst, src, xor)
	}
}

// narrowShort sends what is left of whole groups by way of the stack.
func narrowShort(s *Schedule, dst, src, xor []byte) {
	if whole := len(dst) &^ 255; whole > 0 {
		narrowSixteen(s, &dst[0], &src[0], &xor[0], whole)
		dst, src, xor = dst[whole:], src[whole:], xor[whole:]
	}
	switch n := len(dst); {
	case n == 0:
	case n == 128:
		narrowEight(s, &dst[0], &src[0], &xor[0], n)
	case n < 128:
		var in, mask [128]byte
		copy(in[:], src[:(n+15)&^15])
		copy(mask[:], xor[:n])
		narrowEight(s, &in[0], &in[0], &mask[0], len(in))
		copy(dst, in[:n])
	default:
		var in, mask [256]byte
		copy(in[:], src[:(n+15)&^15])
		copy(mask[:], xor[:n])
		narrowSixteen(s, &in[0], &in[0], &mask[0], len(in))
		copy(dst, in[:n])
	}
}

// longestFlight is the most bytes for which a flight is faster than a pair that isn't full. Where only two 512-bit
// instructions start in a cycle, as on Intel's processors, six groups take longer than a pair: 1210 cycles against 960.
var longestFlight = flightBytes

func init() {
	if intel() {
		longestFlight = halfBytes
	}
}

// bulk is how much of n bytes the kernels for pairs take: what is left behind is a flight at most.
func (k Kernel) bulk(n int) int {
	switch {
	case k != AVX512:
		return 0
	case n%pairBytes > longestFlight:
		return n
	}
	return n &^ (pairBytes - 1)
}

// piece is how much of n bytes goes into one flight.
func piece(n int) int {
	if n > longestFlight {
		return halfBytes
	}
	return n
}

// ECB encrypts or decrypts whole blocks one by one, as s says.
func (k Kernel) ECB(s *Schedule, dst, src []byte) {
	if bulk := k.bulk(len(src)); bulk > 0 {
		var space workspace
		w := space.start(s)
		for ; bulk > 0; bulk -= min(bulk, callBytes) {
			n := min(bulk, callBytes)
			wideECB(s, &dst[0], &src[0], w, n)
			dst, src = dst[n:], src[n:]
		}
	}
	for len(src) > 0 {
		n := piece(len(src))
		k.short(s, dst[:n], src, zeros[:])
		dst, src = dst[n:], src[n:]
	}
}

// CBCDecrypt decrypts whole blocks with the schedule of decryption and leaves the last block in iv.
func (k Kernel) CBCDecrypt(s *Schedule, dst, src []byte, iv *[16]byte) {
	if bulk := k.bulk(len(src)); bulk > 0 {
		var space workspace
		w := space.start(s)
		for ; bulk > 0; bulk -= min(bulk, callBytes) {
			n := min(bulk, callBytes)
			last := [16]byte(src[n-blockSize : n])
			wideCBCDecrypt(s, &dst[0], &src[0], iv, w, n)
			*iv = last
			dst, src = dst[n:], src[n:]
		}
	}
	if k == AVX512 {
		for len(src) > 0 {
			n := piece(len(src))
			first := *iv
			*iv = [16]byte(src[n-blockSize : n])
			wideFlight(s, &dst[0], &src[0], &src[0], &first, n)
			dst, src = dst[n:], src[n:]
		}
		return
	}
	var before [halfBytes]byte
	for len(src) > 0 {
		n := min(len(src), halfBytes)
		k.cbcDecryptShort(s, dst[:n], src[:n], before[:], iv)
		dst, src = dst[n:], src[n:]
	}
}

// cbcDecryptShort keeps the blocks to be added in before, since in place they are overwritten.
func (k Kernel) cbcDecryptShort(s *Schedule, dst, src, before []byte, iv *[16]byte) {
	copy(before, iv[:])
	copy(before[blockSize:], src[:len(src)-blockSize])
	copy(iv[:], src[len(src)-blockSize:])
	k.short(s, dst[:len(src)], src, before)
}

// CBCEncrypt encrypts whole blocks of one message and leaves the last one in iv.
func (k Kernel) CBCEncrypt(s *Schedule, dst, src []byte, iv *[16]byte) {
	for len(src) > 0 {
		if k == AVX512 {
			n := min(len(src), serialBlocks*blockSize)
			wideCBCEncrypt(s, &dst[0], &src[0], iv, n/blockSize)
			dst, src = dst[n:], src[n:]
			continue
		}
		k.chain(s, iv, src[:blockSize])
		copy(dst, iv[:])
		dst, src = dst[blockSize:], src[blockSize:]
	}
}

// CBCMAC is CBCEncrypt without its output: iv becomes the last block.
func (k Kernel) CBCMAC(s *Schedule, src []byte, iv *[16]byte) {
	for len(src) > 0 {
		if k == AVX512 {
			n := min(len(src), serialBlocks*blockSize)
			wideCBCEncrypt(s, nil, &src[0], iv, n/blockSize)
			src = src[n:]
			continue
		}
		k.chain(s, iv, src[:blockSize])
		src = src[blockSize:]
	}
}

// chain replaces iv by E(iv ⊕ block).
func (k Kernel) chain(s *Schedule, iv *[16]byte, block []byte) {
	var in [128]byte
	a, b := binary.NativeEndian.Uint64(iv[:]), binary.NativeEndian.Uint64(iv[8:])
	binary.NativeEndian.PutUint64(in[:], a^binary.NativeEndian.Uint64(block))
	binary.NativeEndian.PutUint64(in[8:], b^binary.NativeEndian.Uint64(block[8:]))
	narrowEight(s, &in[0], &in[0], &zeros[0], len(in))
	copy(iv[:], in[:])
}

// A counter is a block as two integers.
type counter struct{ high, low uint64 }

func loadCounter(b *[16]byte) counter {
	return counter{binary.BigEndian.Uint64(b[:]), binary.BigEndian.Uint64(b[8:])}
}

func (c counter) store(b []byte) {
	binary.BigEndian.PutUint64(b, c.high)
	binary.BigEndian.PutUint64(b[8:], c.low)
}

func (c *counter) add(n uint64) {
	var carry uint64
	c.low, carry = bits.Add64(c.low, n, 0)
	c.high += carry
}

// Counters fills dst, whole blocks, with ctr and its successors modulo 2¹²⁸, and advances it.
func Counters(dst []byte, ctr *[16]byte) {
	c := loadCounter(ctr)
	for len(dst) >= blockSize {
		c.store(dst)
		c.add(1)
		dst = dst[blockSize:]
	}
	c.store(ctr[:])
}

// Advance adds n to ctr modulo 2¹²⁸.
func Advance(ctr *[16]byte, n uint64) {
	c := loadCounter(ctr)
	c.add(n)
	c.store(ctr[:])
}

// CTR XORs bytes with the key stream from ctr on; the counter is the whole block, and is left behind the
// last one that was begun.
func (k Kernel) CTR(s *Schedule, dst, src []byte, ctr *[16]byte) {
	var rest [lineBytes]byte
	k.ctr(s, dst, src, ctr, &rest)
}

// CTRAndRest is CTR that leaves the key stream behind the text in rest, if the text ends within a line of 64
// bytes: from the place of that end on to the one returned, where the counter is left. It is the end of the line
// or, where that would take longer, of the block.
func (k Kernel) CTRAndRest(s *Schedule, dst, src []byte, ctr *[16]byte, rest *[lineBytes]byte) (to int) {
	within, last := len(src)%lineBytes, *ctr
	Advance(&last, uint64(len(src)-within)/blockSize)
	switch made := k.ctr(s, dst, src, ctr, rest); {
	case within == 0:
		return 0
	case made:
		*ctr = last
		Advance(ctr, lineBytes/blockSize)
		return lineBytes
	case within%blockSize > 0:
		from := within &^ (blockSize - 1)
		Advance(&last, uint64(from)/blockSize)
		k.short(s, rest[from:from+blockSize], last[:], zeros[:])
		return from + blockSize
	}
	return within
}

// ctr is CTR that says whether it has left the end of the last line, if that isn't full, in rest.
func (k Kernel) ctr(s *Schedule, dst, src []byte, ctr *[16]byte, rest *[lineBytes]byte) (made bool) {
	if bulk := k.bulk(len(src)); bulk > 0 {
		var space workspace
		w := space.start(s)
		for ; bulk > 0; bulk -= min(bulk, callBytes) {
			n := min(bulk, callBytes)
			wideCTR(s, &dst[0], &src[0], ctr, rest, w, n)
			Advance(ctr, uint64(n%pairBytes+blockSize-1)/blockSize)
			dst, src = dst[n:], src[n:]
		}
	}
	// A flight's counter has 32 bits, and rest takes more of it than the text.
	lines := (len(src) + lineBytes - 1) &^ (lineBytes - 1)
	for len(src) > 0 && k == AVX512 && UntilWrap(ctr, lines) == lines {
		n := piece(len(src))
		wideCTRFlight(s, &dst[0], &src[0], ctr, rest, 0, n)
		Advance(ctr, uint64(n+blockSize-1)/blockSize)
		dst, src, lines = dst[n:], src[n:], lines-n
	}
	if len(src) == 0 {
		return true
	}
	if len(src) <= 64 {
		var in [64]byte
		k.ctrShort(s, dst, src, in[:], ctr)
		return false
	}
	var in [shortBytes]byte
	for len(src) > 0 {
		n := min(len(src), shortBytes)
		k.ctrShort(s, dst[:n], src[:n], in[:], ctr)
		dst, src = dst[n:], src[n:]
	}
	return false
}

func (k Kernel) ctrShort(s *Schedule, dst, src, in []byte, ctr *[16]byte) {
	Counters(in[:(len(src)+blockSize-1)&^(blockSize-1)], ctr)
	k.short(s, dst[:len(src)], in, src)
}

// CTRWithin is CTR that begins skip bytes behind the start of the block ctr, 1 to 15. It takes what it can
// of src and returns its length: all, or up to the end of a block. The counter stays.
func (k Kernel) CTRWithin(s *Schedule, dst, src []byte, ctr *[16]byte, skip int) int {
	n := skip + len(src)
	if k == AVX512 && UntilWrap(ctr, n) == n {
		n = piece(n)
		var rest [lineBytes]byte
		wideCTRFlight(s, &dst[0], &src[0], ctr, &rest, skip, n)
		return n - skip
	}
	var block [blockSize]byte
	k.short(s, block[:], ctr[:], zeros[:])
	n = min(n, blockSize) - skip
	subtle.XORBytes(dst, src[:n], block[skip:])
	return n
}

// CTR32 is CTR with a counter of the last 32 bits, as GCM has it: the rest of the block stays.
func (k Kernel) CTR32(s *Schedule, dst, src []byte, ctr *[16]byte) {
	for len(src) > 0 {
		n := UntilWrap(ctr, len(src))
		fixed := [12]byte(ctr[:])
		k.CTR(s, dst[:n], src[:n], ctr)
		copy(ctr[:], fixed[:])
		dst, src = dst[n:], src[n:]
	}
}

// UntilWrap is the number of bytes, at most n, before the last 32 bits of ctr come to 0.
func UntilWrap(ctr *[16]byte, n int) int {
	left := (1<<32 - uint64(binary.BigEndian.Uint32(ctr[12:]))) * blockSize
	return int(min(uint64(n), left))
}

// XTS encrypts or decrypts whole blocks, as s says, and advances the tweak, which is that of the first
// block already encrypted (IEEE 1619-2018, section 5.3).
func (k Kernel) XTS(s *Schedule, dst, src []byte, tweak *[16]byte) {
	if bulk := k.bulk(len(src)); bulk > 0 {
		var space workspace
		var tweaks [pairBytes + nextTweak]byte
		w := space.start(s)
		for ; bulk > 0; bulk -= min(bulk, callBytes) {
			n := min(bulk, callBytes)
			wideXTS(s, &dst[0], &src[0], tweak, w, &tweaks[0], n)
			if rest := n % pairBytes; rest > 0 {
				*tweak = [16]byte(tweaks[rest:])
			}
			dst, src = dst[n:], src[n:]
		}
	}
	if k == AVX512 {
		xtsFlights(s, dst, src, tweak)
		return
	}
	var in, mask [halfBytes]byte
	for len(src) > 0 {
		n := min(len(src), halfBytes)
		k.xtsShort(s, dst[:n], src[:n], in[:], mask[:], tweak)
		dst, src = dst[n:], src[n:]
	}
}

// nextTweak is the room for the tweak that comes next, which is written too, with what shares its register.
const nextTweak = 64

// xtsFlights is XTS of less than a pair.
func xtsFlights(s *Schedule, dst, src []byte, tweak *[16]byte) {
	const few = 256
	if n := len(src); 0 < n && n <= few {
		var tweaks [few + nextTweak]byte
		wideXTSFlight(s, &dst[0], &src[0], tweak, &tweaks[0], n)
		*tweak = [16]byte(tweaks[n:])
		return
	}
	var tweaks [flightBytes + nextTweak]byte
	for len(src) > 0 {
		n := piece(len(src))
		wideXTSFlight(s, &dst[0], &src[0], tweak, &tweaks[0], n)
		*tweak = [16]byte(tweaks[n:])
		dst, src = dst[n:], src[n:]
	}
}

func (k Kernel) xtsShort(s *Schedule, dst, src, in, mask []byte, tweak *[16]byte) {
	low, high := binary.LittleEndian.Uint64(tweak[:]), binary.LittleEndian.Uint64(tweak[8:])
	for i := 0; i+blockSize <= len(src); i += blockSize {
		binary.LittleEndian.PutUint64(mask[i:], low)
		binary.LittleEndian.PutUint64(mask[i+8:], high)
		binary.LittleEndian.PutUint64(in[i:], low^binary.LittleEndian.Uint64(src[i:]))
		binary.LittleEndian.PutUint64(in[i+8:], high^binary.LittleEndian.Uint64(src[i+8:]))
		// α·T: what leaves at the top comes back as x⁷+x²+x+1, without a branch.
		carry := high >> 63
		high = high<<1 | low>>63
		low = low<<1 ^ carry*0x87
	}
	binary.LittleEndian.PutUint64(tweak[:], low)
	binary.LittleEndian.PutUint64(tweak[8:], high)
	k.short(s, dst[:len(src)], in, mask)
}
