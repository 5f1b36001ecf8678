package sm4

import (
	"encoding/binary"
	"unsafe"
)

// A Message is a short message of GCM that one call of a fused kernel takes: at most MaxMessage bytes, and
// at most MaxAdditional of additional data. What is longer goes into Hash beforehand.
type Message struct {
	Schedule *Schedule
	powers   *byte // the end of the table of powers
	dst, src *byte
	n        int
	// Additional data may be hashed here or before, but not both.
	additional   *byte
	additionalN  int
	Counter      uint32    // of the first block of text
	firstCounter uint32    // of first
	first        [2]uint64 // the block that masks the tag
	Hash         Hash      // before the additional data and the text; overwritten
	Lengths      [2]uint64 // in bits: text, additional data
	Tag          [16]byte  // Seal writes it, Open reads it
	tagMask      [16]byte  // ones for the bytes of Tag that Open compares
	verdict      uint64
}

const (
	// MaxMessage is 95 blocks: one more masks the tag.
	MaxMessage = 1520
	// MaxAdditional is what the fused kernels hash of additional data.
	MaxAdditional = 64
	// MaxOnce is the longest text of the kernels that make the key as well.
	MaxOnce = 112
)

// Fused says whether k has the kernels for a Message.
func (k Kernel) Fused() bool { return k == AVX512 }

// SetNonce sets the first counter block for a nonce of 12 bytes (SP 800-38D, section 7.1), SetFirst any; the
// text's counters follow.
func (m *Message) SetNonce(nonce *[12]byte) {
	m.first = [2]uint64{binary.LittleEndian.Uint64(nonce[:]), uint64(binary.LittleEndian.Uint32(nonce[8:])) | 1<<56}
	m.firstCounter, m.Counter = 1, 2
}

func (m *Message) SetFirst(j *[16]byte) {
	m.first = [2]uint64{binary.LittleEndian.Uint64(j[:]), binary.LittleEndian.Uint64(j[8:])}
	m.firstCounter = binary.BigEndian.Uint32(j[12:])
	m.Counter = m.firstCounter + 1
}

// SetText names at most MaxMessage bytes, and where they go.
func (m *Message) SetText(dst, src []byte) {
	m.dst, m.src, m.n = unsafe.SliceData(dst), unsafe.SliceData(src), len(src)
}

// SetAdditional names at most MaxAdditional bytes.
func (m *Message) SetAdditional(data []byte) {
	m.additional, m.additionalN = unsafe.SliceData(data), len(data)
}

// SetTag sets the tag that Open compares, of at most a block.
func (m *Message) SetTag(tag []byte) {
	for i := range copy(m.Tag[:], tag) {
		m.tagMask[i] = 0xff
	}
}

// Fits says whether the blocks of a message, with as many of additional data, are hashed with few powers, and
// whether with all.
func Fits(text, additional int) (few, all bool) {
	blocks := (text+15)/16 + (additional+15)/16 + 1
	return blocks <= fewPowers, blocks <= manyPowers || text > 1008
}

// SetPowers and SetFewPowers name the table.
func (m *Message) SetPowers(p *Powers)       { m.powers = &p.beyond[0] }
func (m *Message) SetFewPowers(p *FewPowers) { m.powers = &p.beyond[0] }

// Seal encrypts the text and makes the tag.
func (m *Message) Seal() { wideMessageSeal(m) }

// Open decrypts the text if Tag is right, and says so. If not it writes nothing.
func (m *Message) Open() bool {
	wideMessageOpen(m)
	return m.verdict != 0
}

// SealOnce is Seal under a key of which nothing is known yet, for at most MaxOnce bytes whose hash needs few
// powers. Schedule and powers aren't looked at.
func (m *Message) SealOnce(key *[16]byte) {
	var p FewPowers
	wideOnceSeal(m, key, &p.beyond[0])
}

// OpenOnce is Open likewise.
func (m *Message) OpenOnce(key *[16]byte) bool {
	var p FewPowers
	wideOnceOpen(m, key, &p.beyond[0])
	return m.verdict != 0
}

const (
	fewPowers  = 8
	manyPowers = 64
)

// FewPowers are H⁸ … H¹, in the form of Powers.
type FewPowers struct {
	//lint:ignore U1000 the kernels write and read it
	power  [fewPowers][16]byte
	beyond [48]byte
}

// FewPowers makes the table of H = E(0).
func (k Kernel) FewPowers(p *FewPowers, h *[16]byte) {
	x := timesX(h)
	wideFewPowers(&p.beyond[0], &x)
}
