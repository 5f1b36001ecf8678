package reference

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"sync"
)

// PBKDF2SHA256 and PBKDF2SM3 stretch a password to n bytes (RFC 8018 §5.2) by HMAC with SHA-256 and with SM3.
func PBKDF2SHA256(password, salt []byte, iterations, n int) []byte {
	return stretched(wordHash{sha256Initial, sha256Compress}, password, salt, iterations, n)
}

func PBKDF2SM3(password, salt []byte, iterations, n int) []byte {
	return stretched(wordHash{sm3Initial, sm3Compress}, password, salt, iterations, n)
}

// stretched keeps what HMAC's two hashes have after the block that the key takes (RFC 2104 §4), or a million iterations
// would take as long again.
func stretched(h wordHash, password, salt []byte, iterations, n int) (key []byte) {
	must(iterations > 0 && n >= 0, "PBKDF2 takes at least one iteration")
	if len(password) > HashBlockSize {
		password = h.after(0, password)
	}
	inner, outer := h, h
	innerPad, outerPad := hmacPads(HashBlockSize, password)
	h.compress(&inner.state, innerPad)
	h.compress(&outer.state, outerPad)
	mac := func(msg []byte) []byte { return outer.after(HashBlockSize, inner.after(HashBlockSize, msg)) }
	for i := uint32(1); len(key) < n; i++ {
		u := mac(binary.BigEndian.AppendUint32(slices.Clone(salt), i))
		t := slices.Clone(u)
		for range iterations - 1 {
			u = mac(u)
			xorInto(t, u)
		}
		key = append(key, t...)
	}
	return key[:n:n]
}

// Scrypt stretches a password to size bytes (RFC 7914 §6). N is a power of two above 1.
func Scrypt(password, salt []byte, n, r, p, size int) []byte {
	must(n > 1 && n&(n-1) == 0 && r > 0 && p > 0, "scrypt's N is a power of two above 1, r and p are above 0")
	b := PBKDF2SHA256(password, salt, 1, p*128*r)
	for i := range p {
		scryptROMix(b[i*128*r:(i+1)*128*r], n)
	}
	return PBKDF2SHA256(password, b, 1, size)
}

// scryptROMix is RFC 7914 §5, in place.
func scryptROMix(b []byte, n int) {
	x := make([]uint32, len(b)/4)
	readWords(x, b, binary.LittleEndian)
	v := make([]uint32, n*len(x))
	y := make([]uint32, len(x))
	for i := range n {
		copy(v[i*len(x):], x)
		scryptBlockMix(x, y)
	}
	for range n {
		j := int(x[len(x)-16]) & (n - 1) // Integerify: the last 64 bytes of B, of which the lowest bits count
		xorInto(x, v[j*len(x):])
		scryptBlockMix(x, y)
	}
	copy(b, joinWords(x, binary.LittleEndian))
}

// scryptBlockMix is RFC 7914 §4, in place, with y for the new blocks: the even ones, then the odd ones.
func scryptBlockMix(b, y []uint32) {
	blocks := len(b) / 16
	x := [16]uint32(b[len(b)-16:])
	for i := range blocks {
		xorInto(x[:], b[16*i:])
		salsa208(&x)
		copy(y[16*(i/2+i%2*blocks/2):], x[:])
	}
	copy(b, y)
}

// salsa208 is Salsa20/8, RFC 7914 §3: four times a round over columns and one over rows.
func salsa208(block *[16]uint32) {
	x := *block
	for range 4 {
		for i := range 4 {
			salsaQuarter(&x, i*5, (i*5+4)%16, (i*5+8)%16, (i*5+12)%16)
		}
		for i := range 4 {
			row := 4 * i
			salsaQuarter(&x, row+i, row+(i+1)%4, row+(i+2)%4, row+(i+3)%4)
		}
	}
	addInto(block[:], x[:])
}

func salsaQuarter(x *[16]uint32, a, b, c, d int) {
	x[b] ^= bits.RotateLeft32(x[a]+x[d], 7)
	x[c] ^= bits.RotateLeft32(x[b]+x[a], 9)
	x[d] ^= bits.RotateLeft32(x[c]+x[b], 13)
	x[a] ^= bits.RotateLeft32(x[d]+x[c], 18)
}

// Bcrypt is the string that a password is stored as, of version 2a with a salt of 16 bytes (Provos and Mazières, "A
// Future-Adaptable Password Scheme", USENIX 1999, §4). The password is at most 71 bytes, which a zero byte ends.
func Bcrypt(password, salt []byte, cost int) string {
	must(len(salt) == 16 && len(password) < 72 && cost >= 4 && cost <= 31, "bcrypt takes a salt of 16 bytes and a cost of 4 to 31")
	key := append(append([]byte{}, password...), 0)
	state := *blowfishPi()
	state.expand(salt, key)
	none := make([]byte, 16)
	for range 1 << cost {
		state.expand(none, key)
		state.expand(none, salt)
	}
	text := []byte("OrpheanBeholderScryDoubt")
	for i := 0; i < len(text); i += 8 {
		l, r := binary.BigEndian.Uint32(text[i:]), binary.BigEndian.Uint32(text[i+4:])
		for range 64 {
			l, r = state.encrypt(l, r)
		}
		binary.BigEndian.PutUint32(text[i:], l)
		binary.BigEndian.PutUint32(text[i+4:], r)
	}
	letters := base64.NewEncoding("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789").WithPadding(base64.NoPadding)
	return fmt.Sprintf("$2a$%02d$%s%s", cost, letters.EncodeToString(salt), letters.EncodeToString(text[:23]))
}

// blowfish is the state of Blowfish (Schneier, "Description of a New Variable-Length Key, 64-Bit Block Cipher",
// FSE 1993): subkeys P, then the four S-boxes.
type blowfish struct {
	p [18]uint32
	s [4][256]uint32
}

// blowfishPi is the state before any key: the fraction of π. A test derives it.
var blowfishPi = sync.OnceValue(func() *blowfish {
	b, words := new(blowfish), table("Blowfish")
	readWords(b.p[:], words, binary.BigEndian)
	for i := range b.s {
		readWords(b.s[i][:], words[4*(len(b.p)+256*i):], binary.BigEndian)
	}
	return b
})

// expand is ExpandKey: the key, again and again, is added to the subkeys, and the salt to what is encrypted to
// replace the state.
func (b *blowfish) expand(salt, key []byte) {
	at := 0
	for i := range b.p {
		var w uint32
		for range 4 {
			w = w<<8 | uint32(key[at])
			at = (at + 1) % len(key)
		}
		b.p[i] ^= w
	}
	var halves [4]uint32 // of the salt's two blocks
	readWords(halves[:], salt, binary.BigEndian)
	var l, r uint32
	turn := 0
	replace := func(words []uint32) {
		for i := 0; i < len(words); i += 2 {
			l, r = b.encrypt(l^halves[turn], r^halves[turn+1])
			words[i], words[i+1] = l, r
			turn = 2 - turn
		}
	}
	replace(b.p[:])
	for i := range b.s {
		replace(b.s[i][:])
	}
}

// encrypt does two rounds at a time, after which the halves have their places again.
func (b *blowfish) encrypt(l, r uint32) (uint32, uint32) {
	for i := 0; i < 16; i += 2 {
		l ^= b.p[i]
		r ^= b.f(l) ^ b.p[i+1]
		l ^= b.f(r)
	}
	return r ^ b.p[17], l ^ b.p[16] // the last swap is undone
}

func (b *blowfish) f(x uint32) uint32 {
	return (b.s[0][x>>24] + b.s[1][x>>16&0xff]) ^ b.s[2][x>>8&0xff] + b.s[3][x&0xff]
}

// Argon2id is what Argon2id takes (RFC 9106 §3.1).
type Argon2id struct {
	Password, Salt, Secret, Data []byte
	Passes                       int // t
	Memory                       int // m, in KiB
	Lanes                        int // p
	Size                         int // bytes of the tag
}

const (
	argonBlock  = 128 // words of 64 bits: a KiB
	argonSlices = 4   // SL, RFC 9106 §3.4
	argonType   = 2   // Argon2id
	argonVer    = 0x13
)

// Tag is RFC 9106 §3.2.
func (a Argon2id) Tag() []byte {
	must(a.Passes > 0 && a.Lanes > 0 && a.Memory >= 8*a.Lanes && a.Size >= 4, "Argon2id takes 8 KiB a lane and a pass at least")
	m := &argonMemory{Argon2id: a, segment: a.Memory / (argonSlices * a.Lanes)}
	m.lane = argonSlices * m.segment
	m.blocks = make([][argonBlock]uint64, a.Lanes*m.lane)
	h0 := a.initial()
	for lane := range a.Lanes {
		for i := range 2 {
			seed := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(append([]byte{}, h0...), uint32(i)), uint32(lane))
			readWords(m.blocks[lane*m.lane+i][:], argonHash(argonBlock*8, seed), binary.LittleEndian)
		}
	}
	for pass := range a.Passes {
		for slice := range argonSlices {
			for lane := range a.Lanes {
				m.fill(pass, slice, lane)
			}
		}
	}
	last := m.blocks[m.lane-1]
	for lane := 1; lane < a.Lanes; lane++ {
		xorInto(last[:], m.blocks[lane*m.lane+m.lane-1][:])
	}
	return argonHash(a.Size, joinWords(last[:], binary.LittleEndian))
}

// initial is H0, RFC 9106 §3.2.
func (a Argon2id) initial() []byte {
	var in []byte
	for _, n := range []int{a.Lanes, a.Size, a.Memory, a.Passes, argonVer, argonType} {
		in = binary.LittleEndian.AppendUint32(in, uint32(n))
	}
	for _, b := range [][]byte{a.Password, a.Salt, a.Secret, a.Data} {
		in = append(binary.LittleEndian.AppendUint32(in, uint32(len(b))), b...)
	}
	return sumBLAKE2b(64, in)
}

// argonHash is H′, the hash of variable length of RFC 9106 §3.3.
func argonHash(size int, in []byte) (out []byte) {
	in = append(binary.LittleEndian.AppendUint32(nil, uint32(size)), in...)
	if size <= 64 {
		return sumBLAKE2b(size, in)
	}
	v := sumBLAKE2b(64, in)
	for len(out)+64 < size {
		out = append(out, v[:32]...)
		v = sumBLAKE2b(min(size-len(out), 64), v)
	}
	return append(out, v...)
}

// argonMemory is the matrix B: rows are lanes, each of four segments.
type argonMemory struct {
	Argon2id
	segment, lane int // blocks
	blocks        [][argonBlock]uint64
}

// fill computes a segment of a lane, RFC 9106 §3.4.
func (m *argonMemory) fill(pass, slice, lane int) {
	independent := pass == 0 && slice < argonSlices/2 // Argon2id: addresses do not depend on the password
	var input, addresses [argonBlock]uint64
	input = [argonBlock]uint64{uint64(pass), uint64(lane), uint64(slice), uint64(len(m.blocks)), uint64(m.Passes), argonType}
	for i := range m.segment {
		if independent && i%argonBlock == 0 { // §3.4.1.2
			input[6]++
			var zero [argonBlock]uint64
			argonMix(&addresses, &zero, &input)
			argonMix(&addresses, &zero, &addresses)
		}
		if pass == 0 && slice == 0 && i < 2 {
			continue // these are the seeds
		}
		at := slice*m.segment + i
		previous := lane*m.lane + (at+m.lane-1)%m.lane
		random := m.blocks[previous][0] // §3.4.1.1
		if independent {
			random = addresses[i%argonBlock]
		}
		var b [argonBlock]uint64
		argonMix(&b, &m.blocks[previous], &m.blocks[m.reference(pass, slice, lane, i, random)])
		to := &m.blocks[lane*m.lane+at]
		if pass > 0 {
			xorInto(b[:], to[:])
		}
		*to = b
	}
}

// reference maps J1 and J2, the halves of a random number, to a block (RFC 9106 §3.4.2).
func (m *argonMemory) reference(pass, slice, lane, i int, random uint64) int {
	j1, j2 := random&0xffffffff, int(random>>32)
	of := j2 % m.Lanes
	if pass == 0 && slice == 0 {
		of = lane
	}
	window, start := 3*m.segment, (slice+1)%argonSlices*m.segment // all but the segment that is being filled
	if pass == 0 {
		window, start = slice*m.segment, 0
	}
	switch {
	case of == lane:
		window += i - 1
	case i == 0:
		window--
	}
	x := j1 * j1 >> 32
	z := window - 1 - int(uint64(window)*x>>32)
	return of*m.lane + (start+z)%m.lane
}

// argonMix is G, RFC 9106 §3.5: P on the rows of 16 words of R = X ⊕ Y, then on its columns of pairs, and R again.
func argonMix(out, x, y *[argonBlock]uint64) {
	r := *x
	xorInto(r[:], y[:])
	z := r
	var at [16]int
	for row := range 8 {
		for k := range at {
			at[k] = 16*row + k
		}
		argonPermute(&z, &at)
	}
	for column := range 8 {
		for k := range at {
			at[k] = 16*(k/2) + 2*column + k%2
		}
		argonPermute(&z, &at)
	}
	xorInto(z[:], r[:])
	*out = z
}

// argonPermute is P, RFC 9106 §3.6: a round of BLAKE2b without a message, and with a multiplication in G.
func argonPermute(z *[argonBlock]uint64, at *[16]int) {
	doubleRound(func(_, a, b, c, d int) { argonQuarter(z, at[a], at[b], at[c], at[d]) })
}

func argonQuarter(z *[argonBlock]uint64, a, b, c, d int) {
	for _, by := range [2][2]int{{32, 24}, {16, 63}} {
		z[a] = argonAdd(z[a], z[b])
		z[d] = bits.RotateLeft64(z[d]^z[a], -by[0])
		z[c] = argonAdd(z[c], z[d])
		z[b] = bits.RotateLeft64(z[b]^z[c], -by[1])
	}
}

func argonAdd(a, b uint64) uint64 { return a + b + 2*uint64(uint32(a))*uint64(uint32(b)) }
