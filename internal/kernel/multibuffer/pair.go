package multibuffer

import "encoding/binary"

// A Pair is two messages that take turns with the SHA instructions, where a [Kernel] has two lanes for a hash. It does
// what [Lanes] do for any messages, with less to do around the blocks, which is most of the time of short ones.
type Pair struct {
	state PairState
	ends  [2][pairEnd * BlockSize]byte // the padded ends
}

// pairEnd is the blocks from the end of the shorter message's whole blocks on to the end of the longer message.
const pairEnd = 4

// A PairState is the states of two messages as the kernel has them, word by word, the first message's before the second's.
type PairState [16]uint32

// PairInitial is the state of two new messages.
func (h Hash) PairInitial() *PairState { return &pairInitial[h] }

var pairInitial = func() (states [4]PairState) {
	for h := range states {
		for i := range states[h] {
			states[h][i] = initial[h][i/2]
		}
	}
	return states
}()

// Join makes s of the states of two messages, of eight words each, and Split is its inverse.
func (s *PairState) Join(first, second *[8]uint32) {
	for w := range first {
		s[2*w], s[2*w+1] = first[w], second[w]
	}
}

func (s *PairState) Split(first, second *[8]uint32) {
	for w := range first {
		first[w], second[w] = s[2*w], s[2*w+1]
	}
}

// PairFits says whether two messages of so many bytes, the second of no more blocks than the first, end near enough to each
// other for [Pair.Sum].
func PairFits(first, second int) bool {
	return int(Blocks(uint64(first)))-min(first, second)/BlockSize <= pairEnd
}

// Sum writes the digests of two messages that fit, the second of no more blocks than the first. They begin in a state that
// so many bytes have led to. A digest may be written over a message.
func (p *Pair) Sum(h Hash, state *PairState, before int, first, second, firstDigest, secondDigest []byte) {
	p.state = *state
	whole := min(len(first), len(second)) / BlockSize
	for done := 0; done < whole; {
		n := min(whole-done, int(h.MaxBlocks()))
		p.state.Blocks(h, &first[done*BlockSize], &second[done*BlockSize], n)
		done += n
	}
	a := pairPad(&p.ends[0], first[whole*BlockSize:], before+len(first))
	b := pairPad(&p.ends[1], second[whole*BlockSize:], before+len(second))
	p.state.Blocks(h, &p.ends[0][0], &p.ends[1][0], b)
	if a == b {
		p.state.digests(h, firstDigest, secondDigest)
		return
	}
	p.state.digest(h, 1, secondDigest)
	rest := &p.ends[0][b*BlockSize]
	p.state.Blocks(h, rest, rest, a-b)
	p.state.digest(h, 0, firstDigest)
}

// LoneHMACSHA256 writes the MAC of one message, of at most [Hash.MaxBlocks] with its padding, from the states after its key's
// blocks. Both lanes do the same, since nothing else is there to do.
func LoneHMACSHA256(inner, outer *[8]uint32, mac, message []byte) {
	var s PairState
	var end [pairEnd * BlockSize]byte
	s.Join(inner, inner)
	whole := len(message) / BlockSize
	if whole > 0 {
		s.Blocks(SHA256, &message[0], &message[0], whole)
	}
	blocks := pairPad(&end, message[whole*BlockSize:], BlockSize+len(message))
	s.Blocks(SHA256, &end[0], &end[0], blocks)
	s.digest(SHA256, 0, mac)

	s.Join(outer, outer)
	blocks = pairPad(&end, mac[:32], BlockSize+32)
	s.Blocks(SHA256, &end[0], &end[0], blocks)
	s.digest(SHA256, 0, mac)
}

// pairPad copies the end of a message of so many bytes and pads it, and says how many blocks that is.
func pairPad(to *[pairEnd * BlockSize]byte, end []byte, bytes int) (blocks int) {
	blocks = int(Blocks(uint64(len(end))))
	if blocks <= 2 {
		*(*[2 * BlockSize]byte)(to[:]) = [2 * BlockSize]byte{}
	} else {
		*to = [pairEnd * BlockSize]byte{}
	}
	n := copy(to[:], end)
	to[n] = 0x80
	binary.BigEndian.PutUint64(to[blocks*BlockSize-8:], 8*uint64(bytes))
	return blocks
}

// digests writes the digests of both messages.
func (s *PairState) digests(h Hash, first, second []byte) {
	// In one pass, of lengths that the compiler knows: half the time of two calls of digest.
	if h == SHA1 {
		a, b := (*[20]byte)(first), (*[20]byte)(second)
		for w := range 5 {
			binary.BigEndian.PutUint32(a[4*w:], s[2*w])
			binary.BigEndian.PutUint32(b[4*w:], s[2*w+1])
		}
		return
	}
	a, b := (*[32]byte)(first), (*[32]byte)(second)
	for w := range 8 {
		binary.BigEndian.PutUint32(a[4*w:], s[2*w])
		binary.BigEndian.PutUint32(b[4*w:], s[2*w+1])
	}
}

// digest writes the digest of one of the messages.
func (s *PairState) digest(h Hash, message int, digest []byte) {
	of := s[message&1:]
	if h == SHA1 {
		d := (*[20]byte)(digest)
		for w := range 5 {
			binary.BigEndian.PutUint32(d[4*w:], of[2*w])
		}
		return
	}
	d := (*[32]byte)(digest)
	for w := range 8 {
		binary.BigEndian.PutUint32(d[4*w:], of[2*w])
	}
}

// Blocks takes both messages so many blocks further, at most [Hash.MaxBlocks].
func (s *PairState) Blocks(h Hash, first, second *byte, blocks int) {
	from := [2]*byte{first, second}
	if h == SHA256 {
		pairSHA256((*[16]uint32)(s), &from, blocks)
	} else {
		pairSHA1((*[10]uint32)(s[:]), &from, blocks)
	}
}
