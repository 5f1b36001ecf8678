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
	callers
	left [16]int // bytes of the text, 0 for a lane without a message
	iv   [16][16]byte
	//lint:ignore U1000 the kernels write and read it
	words   [4][16]uint32 // of the next counters, three in the S-box's domain
	lengths [16][2]uint64 // in bits, of the text and of the additional data

	zero  [16][16]byte    // the images of zeros
	power [4][16][16]byte // H⁴ … H¹ of all lanes, as in Powers
	hash  [16][16]byte    // byte-swapped
	mask  [16][16]byte    // the images of the first counters
	sum   [16][16]byte    // the tags
	table Table16
	//lint:ignore U1000 the kernels write and read it
	spare  [64]byte // what lanes with nothing left read and write
	slices Table64  // the table's schedules, each four times
	//lint:ignore U1000 the kernels write and read it
	pair [pairBytes + 12*64]byte // of the pair form: two sets of blocks, and what they share before the first round

	n           int
	additionalN [16]int
	hashed      int  // the most bytes of a text with its additional data
	associated  bool // there is additional data
	few         bool // H¹ alone is there
	opened      bool // stream was used
	sliced      bool // slices hold the table's schedules
	paired      bool // slices and pair were used
	stream      [16][64]byte
	Tag         [16][16]byte // Open reads them
	Authentic   [16]bool     // Open writes them
}

// The callers' memory.
type callers struct {
	src, dst, keys, additional [16]*byte
	schedules                  [16]*Schedule
}

// Reset takes all messages out.
func (l *Sixteen) Reset() { l.n, l.hashed, l.associated = 0, 0, false }

// Wipe leaves nothing of raw keys.
func (l *Sixteen) Wipe() {
	const from, to = unsafe.Offsetof(l.zero), unsafe.Offsetof(l.spare)
	clear(unsafe.Slice((*byte)(unsafe.Pointer(&l.zero)), to-from))
	if l.opened {
		l.opened = false
		clear(l.stream[:])
	}
	if l.paired {
		l.paired, l.sliced = false, false
		l.slices = Table64{}
		clear(l.pair[:])
	}
	l.Forget()
}

// Forget lets go of the messages.
func (l *Sixteen) Forget() { l.callers = callers{} }

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

// AddGCM puts a message of GCM into the next lane.
func (l *Sixteen) AddGCM(nonce *[12]byte, dst, src, additional []byte) int {
	i := l.Add(dst, src)
	binary.NativeEndian.PutUint64(l.iv[i][:], binary.NativeEndian.Uint64(nonce[:]))
	binary.NativeEndian.PutUint32(l.iv[i][8:], binary.NativeEndian.Uint32(nonce[8:]))
	binary.BigEndian.PutUint32(l.iv[i][12:], 1)
	l.lengths[i] = [2]uint64{uint64(len(src)) * 8, uint64(len(additional)) * 8}
	l.additional[i], l.additionalN[i] = pointer(additional), len(additional)
	l.associated = l.associated || len(additional) > 0
	l.hashed = max(l.hashed, len(src)+len(additional))
	return i
}

// SetCounter sets the first counter of CTR.
func (l *Sixteen) SetCounter(lane int, ctr *[16]byte) { l.iv[lane] = *ctr }

// SetKey gives a lane a raw key, SetSchedule one that is kept, with the image of zeros. All lanes have the one or all
// the other.
func (l *Sixteen) SetKey(lane int, key *[16]byte) { l.keys[lane] = &key[0] }

func (l *Sixteen) SetSchedule(lane int, s *Schedule, zero *[16]byte) {
	l.schedules[lane], l.zero[lane] = s, *zero
}

// Expand makes the schedules of raw keys, Gather those of kept ones, in the form of lanes.
func (l *Sixteen) Expand() {
	l.sliced = false
	fillUp(&l.keys, l.n)
	wideExpand16(&l.keys, &l.table, &l.zero)
}

func (l *Sixteen) Gather() {
	l.sliced = false
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
	wideFirst16(l)
	l.crypt(firstBytes)
	l.authenticate(&l.dst)
	wideTags16(l)
}

// SealedTag is the tag of a lane's message.
func (l *Sixteen) SealedTag(lane int) *[16]byte { return &l.sum[lane] }

// Open compares the tags, and decrypts the messages whose tag is right.
func (l *Sixteen) Open() {
	l.start()
	l.opened = true
	dst, src, texts := l.dst, l.src, l.left
	l.authenticate(&l.src)
	for i := range l.n {
		l.src[i], l.dst[i], l.left[i] = &zeros[0], &l.stream[i][0], firstBytes
	}
	wideFirst16(l)
	wideTags16(l)
	l.src, l.dst, l.left = src, dst, texts
	for i := range l.n {
		if l.Authentic[i] = subtle.ConstantTimeCompare(l.sum[i][:], l.Tag[i][:]) == 1; !l.Authentic[i] {
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

// fewHashed is the most bytes of a text with its additional data that are hashed with H alone.
const fewHashed = 192

// start makes the counters and the powers of the hash keys, and empties the hashes.
func (l *Sixteen) start() {
	clear(l.left[l.n:])
	l.hash = [16][16]byte{}
	wideCounters16(l)
	if l.few = l.hashed <= fewHashed; l.few {
		wideKeys16(l)
	} else {
		widePowers16(l)
	}
}

// maxSteps16 bounds a call into assembly to 64 KiB.
const maxSteps16 = 64

// leastPairs is the number of steps of 128 bytes from which on the pair form is faster, its table included.
const leastPairs = 2

// pairs is CTR of so many steps of 128 bytes, which every lane has.
func (l *Sixteen) pairs(from, steps int) {
	if !l.sliced {
		l.sliced, l.paired = true, true
		wideSpread16(&l.table, &l.slices)
	}
	for steps > 0 {
		n := min(steps, maxSteps16/2)
		widePair16(l, from, n)
		from += n * 2 * firstBytes
		steps -= n
	}
}

// crypt is CTR from a place in all texts on: as long as every lane has 64 bytes, and then to the end of each.
func (l *Sixteen) crypt(from int) {
	least, most := extremes(&l.left)
	for most > from {
		full := max(0, min(least-from, most-from)/firstBytes)
		if full >= 2*leastPairs {
			l.pairs(from, full/2)
			from += full / 2 * 2 * firstBytes
			continue
		}
		if full > 0 {
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

// authenticate leaves the hashes of the additional data and of the texts, which lie at these places.
func (l *Sixteen) authenticate(texts *[16]*byte) {
	if l.associated {
		l.hashAll(&l.additional, &l.additionalN)
	}
	l.hashAll(texts, &l.left)
}

// hashAll adds data of all lanes to the hashes, the last blocks padded with zeros.
func (l *Sixteen) hashAll(data *[16]*byte, sizes *[16]int) {
	if l.n < len(data) {
		filled, left := *data, *sizes
		fillUp(&filled, l.n)
		fillUp(&left, l.n)
		data, sizes = &filled, &left
	}
	least, most := extremes(sizes)
	for from := 0; from < most; {
		full := min((least-from)/firstBytes, maxSteps16)
		switch {
		case full > 0 && l.few:
			wideFew16(l, data, from, full)
			from += full * firstBytes
		case full > 0:
			wideHash16(l, data, sizes, from, full, 0)
			from += full * firstBytes
		default:
			single := min((most-from+blockSize-1)/blockSize, maxSteps16)
			wideHash16(l, data, sizes, from, 0, single)
			from += single * blockSize
		}
	}
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
