package sm4

import (
	"crypto/subtle"
	"encoding/binary"
	"unsafe"
)

// Sixteen are up to sixteen messages with a key each that are worked on side by side, in GCM with nonces of 12
// bytes and in CTR whose counter doesn't wrap in its last 32 bits. A message is put into the lanes from the
// first on. Lanes may have any mixture of lengths, but all take as long as the longest.
type Sixteen struct {
	src, dst [16]*byte
	left     [16]int // bytes of the text, 0 for a lane without a message
	iv       [16][16]byte
	//lint:ignore U1000 the kernels write and read it
	words [4][16]uint32   // of the next counters, three in the S-box's domain
	zero  [16][16]byte    // the images of zeros
	power [4][16][16]byte // H⁴ … H¹ of all lanes, as in Powers
	hash  [16][16]byte    // byte-swapped
	mask  [16][16]byte    // the images of the first counters
	spare [64]byte        // what lanes with nothing left read and write
	table Table16

	n           int
	keys        [16]*byte
	schedules   [16]*Schedule
	additional  [16]*byte
	additionalN [16]int
	stream      [16][64]byte
	Tag         [16][16]byte // Seal writes them, Open reads them
	Authentic   [16]bool     // Open writes them
}

// Reset takes all messages out.
func (l *Sixteen) Reset() { l.n = 0 }

// Wipe leaves nothing of raw keys.
func (l *Sixteen) Wipe() {
	l.table = Table16{}
	clear(l.zero[:])
	clear(l.power[:])
	clear(l.mask[:])
	clear(l.stream[:])
	l.Forget()
}

// Forget lets go of the messages.
func (l *Sixteen) Forget() {
	clear(l.src[:])
	clear(l.dst[:])
	clear(l.additional[:])
	clear(l.keys[:])
	clear(l.schedules[:])
}

// Add puts a message into the next lane and returns which that is.
func (l *Sixteen) Add(dst, src []byte) int {
	i := l.n
	l.n++
	l.dst[i], l.src[i], l.left[i] = pointer(dst), pointer(src), len(src)
	return i
}

// pointer is where b begins; that of an empty slice may lie behind an object.
func pointer(b []byte) *byte {
	if len(b) == 0 {
		return nil
	}
	return &b[0]
}

// SetNonce sets the first counter of GCM, SetCounter that of CTR.
func (l *Sixteen) SetNonce(lane int, nonce *[12]byte) {
	copy(l.iv[lane][:], nonce[:])
	binary.BigEndian.PutUint32(l.iv[lane][12:], 1)
}

func (l *Sixteen) SetCounter(lane int, ctr *[16]byte) { l.iv[lane] = *ctr }

// SetAdditional names additional data of any length.
func (l *Sixteen) SetAdditional(lane int, data []byte) {
	l.additional[lane], l.additionalN[lane] = pointer(data), len(data)
}

// SetKey gives a lane a raw key, SetSchedule one that is kept, with the image of zeros. All lanes have the one or all
// the other.
func (l *Sixteen) SetKey(lane int, key *[16]byte) { l.keys[lane] = &key[0] }

func (l *Sixteen) SetSchedule(lane int, s *Schedule, zero *[16]byte) {
	l.schedules[lane], l.zero[lane] = s, *zero
}

// Expand makes the schedules of raw keys, Gather those of kept ones, in the form of lanes.
func (l *Sixteen) Expand() {
	fillUp(&l.keys, l.n)
	wideExpand16(&l.keys, &l.table, &l.zero)
}

func (l *Sixteen) Gather() {
	fillUp(&l.schedules, l.n)
	wideGather16(&l.schedules, &l.table)
}

// fillUp gives lanes without a message what the first one has.
func fillUp[T any](lanes *[16]T, n int) {
	for i := n; i < len(lanes); i++ {
		lanes[i] = lanes[0]
	}
}

// firstBytes is how much of the text the kernel takes that makes the masks of the tags.
const firstBytes = 64

// Seal encrypts and makes the tags.
func (l *Sixteen) Seal() {
	l.start()
	texts := l.left
	wideFirst16(l)
	l.crypt(firstBytes)
	l.authenticate(l.dst, texts)
	for i := range l.n {
		l.Tag[i] = l.expected(i)
	}
}

// Open compares the tags, and decrypts the messages whose tag is right.
func (l *Sixteen) Open() {
	l.start()
	dst, src, texts := l.dst, l.src, l.left
	l.authenticate(src, texts)
	for i := range l.n {
		l.src[i], l.dst[i], l.left[i] = &zeros[0], &l.stream[i][0], firstBytes
	}
	wideFirst16(l)
	l.src, l.dst, l.left = src, dst, texts
	for i := range l.n {
		expected := l.expected(i)
		if l.Authentic[i] = subtle.ConstantTimeCompare(expected[:], l.Tag[i][:]) == 1; !l.Authentic[i] {
			l.left[i] = 0
		}
		if n := min(l.left[i], firstBytes); n > 0 {
			subtle.XORBytes(unsafe.Slice(dst[i], n), unsafe.Slice(src[i], n), l.stream[i][:])
		}
	}
	l.crypt(firstBytes)
}

// XORKeyStream is CTR.
func (l *Sixteen) XORKeyStream() {
	clear(l.left[l.n:])
	wideCounters16(l)
	l.crypt(0)
}

// start makes the counters and the powers of the hash keys, and empties the hashes.
func (l *Sixteen) start() {
	clear(l.left[l.n:])
	l.hash = [16][16]byte{}
	wideCounters16(l)
	widePowers16(l)
}

// maxSteps16 bounds a call into assembly to 64 KiB.
const maxSteps16 = 64

// crypt is CTR from a place in all texts on: as long as every lane has 64 bytes, and then to the end of each.
func (l *Sixteen) crypt(from int) {
	least, most := extremes(&l.left)
	for most > from {
		full := max(0, min(least-from, most-from)/firstBytes)
		if full > 0 {
			full = min(full, maxSteps16)
			wideCTR16(l, from, full, 0)
			from += full * firstBytes
			continue
		}
		mixed := min((most-from+firstBytes-1)/firstBytes, maxSteps16)
		wideCTR16(l, from, 0, mixed)
		from += mixed * firstBytes
	}
}

func extremes(sizes *[16]int) (least, most int) {
	least = sizes[0]
	for _, n := range sizes {
		least, most = min(least, n), max(most, n)
	}
	return least, most
}

// authenticate leaves the hashes of the additional data and of these texts, which may be of other lanes.
func (l *Sixteen) authenticate(texts [16]*byte, sizes [16]int) {
	var lengths [16][16]byte
	var blocks [16]*byte
	var whole [16]int
	for i := range l.n {
		binary.BigEndian.PutUint64(lengths[i][:], uint64(l.additionalN[i])*8)
		binary.BigEndian.PutUint64(lengths[i][8:], uint64(sizes[i])*8)
		blocks[i], whole[i] = &lengths[i][0], blockSize
	}
	additional, additionalN := l.additional, l.additionalN
	l.hashAll(&additional, &additionalN)
	l.hashAll(&texts, &sizes)
	l.hashAll(&blocks, &whole)
}

// hashAll adds data of all lanes to the hashes, the last blocks padded with zeros. What is in lanes without
// a message is overwritten.
func (l *Sixteen) hashAll(data *[16]*byte, sizes *[16]int) {
	fillUp(data, l.n)
	fillUp(sizes, l.n)
	least, most := extremes(sizes)
	for from := 0; from < most; {
		full := min((least-from)/firstBytes, maxSteps16)
		if full > 0 {
			wideHash16(l, data, sizes, from, full, 0)
			from += full * firstBytes
			continue
		}
		single := min((most-from+blockSize-1)/blockSize, maxSteps16)
		wideHash16(l, data, sizes, from, 0, single)
		from += single * blockSize
	}
}

// expected is the tag of a message whose hash is made.
func (l *Sixteen) expected(lane int) (tag [16]byte) {
	h, m := &l.hash[lane], &l.mask[lane]
	binary.BigEndian.PutUint64(tag[:], binary.LittleEndian.Uint64(h[8:])^binary.BigEndian.Uint64(m[:]))
	binary.BigEndian.PutUint64(tag[8:], binary.LittleEndian.Uint64(h[:])^binary.BigEndian.Uint64(m[8:]))
	return tag
}

// Expand16 makes up to sixteen schedules at once, and the images of zeros.
func (k Kernel) Expand16(keys []*[16]byte, schedules []*Schedule, zero *[16][16]byte) {
	var all [16]*byte
	var to [16]*Schedule
	var beyond Schedule
	for i := range to {
		all[i], to[i] = &keys[0][0], &beyond
		if i < len(keys) {
			all[i], to[i] = &keys[i][0], schedules[i]
		}
	}
	var t Table16
	wideExpand16(&all, &t, zero)
	wideScatter16(&t, &to)
}
