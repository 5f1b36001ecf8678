package sm4

import (
	"cmp"
	"slices"
	"unsafe"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// A CBCStream is one message for [EncryptCBC].
type CBCStream struct {
	Cipher *Cipher // its key; streams may share one or have one each
	IV     []byte  // 16 bytes, left as they are
	Dst    []byte  // at least as long as Src; may be Src
	Src    []byte  // whole blocks; may be empty
}

// EncryptCBC encrypts independent messages by CBC. Each result is what
//
//	cipher.NewCBCEncrypter(s.Cipher, s.IV).CryptBlocks(s.Dst, s.Src)
//
// writes, but up to 64 messages run side by side, which is where CBC's speed is: within one message
// every block waits for the one before. Any number and any mixture of lengths is taken, and the long
// ones are begun first. One key for all is faster than a key each.
//
// It panics where that line does, where a stream has no Cipher, and where the Dst of one stream overlaps a
// buffer of another, its IV included; nothing is written then.
func EncryptCBC(streams []CBCStream) {
	for i := range streams {
		s := &streams[i]
		if s.Cipher == nil || !s.Cipher.made() {
			panic("sm4.EncryptCBC: stream without a Cipher")
		}
		checkIV(s.IV, "sm4.EncryptCBC: IV length must equal block size")
		checkBlocks(s.Dst, s.Src)
	}
	checkDisjoint(streams)
	for first := 0; first < len(streams); first += maxBatch {
		encryptBatch(streams[first:min(first+maxBatch, len(streams))])
	}
}

// maxBatch bounds the streams that are scheduled at once, and with them the stack that takes.
const maxBatch = 256

// A span is a buffer as an interval of addresses.
type span struct {
	from, to uintptr
	stream   int
}

func spanOf(b []byte, stream int) span {
	p := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return span{p, p + uintptr(len(b)), stream}
}

// sortSpans orders spans by where they begin; most often they are in order.
func sortSpans(spans []span) {
	for i := 1; i < len(spans); i++ {
		if spans[i].from < spans[i-1].from {
			slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
			return
		}
	}
}

// checkDisjoint panics if what one stream writes another reads or writes.
func checkDisjoint(streams []CBCStream) {
	var few [maxBatch]span
	written := few[:0]
	if len(streams) > maxBatch {
		written = make([]span, 0, len(streams))
	}
	for i := range streams {
		if s := &streams[i]; len(s.Src) > 0 {
			written = append(written, spanOf(s.Dst[:len(s.Src)], i))
		}
	}
	sortSpans(written)
	for i := 1; i < len(written); i++ {
		if written[i].from < written[i-1].to {
			panic("crypto/cipher: invalid buffer overlap")
		}
	}
	if len(written) == 0 {
		return
	}
	begin, end := written[0].from, written[len(written)-1].to
	src, iv := 0, 0
	for i := range streams {
		s := &streams[i]
		if len(s.Src) == 0 {
			continue
		}
		if r := spanOf(s.Src, i); &s.Src[0] != &s.Dst[0] && r.from < end && begin < r.to {
			src = checkRead(written, r, src)
		}
		if r := spanOf(s.IV, i); r.from < end && begin < r.to {
			iv = checkRead(written, r, iv)
		}
	}
}

// checkRead panics if a stream other than its own writes to r. It returns the index of the first of
// written that ends behind the start of r, and looks for it first where the last one was and behind that.
func checkRead(written []span, r span, last int) int {
	at := last
	if at < len(written) && written[at].to <= r.from {
		at++
	}
	if at > 0 && written[at-1].to > r.from || at < len(written) && written[at].to <= r.from {
		at = firstBehind(written, r.from)
	}
	for i := at; i < len(written) && written[i].from < r.to; i++ {
		if written[i].stream != r.stream {
			panic("crypto/cipher: invalid buffer overlap")
		}
	}
	return at
}

// firstBehind is the index of the first of spans that ends behind p: a binary search whose steps don't
// wait for a branch.
func firstBehind(spans []span, p uintptr) int {
	at := 0
	for n := len(spans); n > 0; {
		half := (n + 1) / 2
		next := at + half
		if spans[next-1].to > p {
			next = at
		}
		at = next
		n -= half
	}
	return at
}

// serialBelow is the number of messages from which on lanes are faster than one after the other.
const serialBelow = 3

func encryptBatch(streams []CBCStream) {
	b := batch{streams: streams}
	for i := range streams {
		if len(streams[i].Src) > 0 {
			b.queue[b.queued] = i
			b.queued++
		}
	}
	queue := b.queue[:b.queued]
	lanes, shared := 0, true
	if len(queue) >= serialBelow {
		lanes, shared = lanesFor(streams, queue)
	}
	if lanes == 0 {
		for _, i := range queue {
			encryptSerial(&streams[i])
		}
		return
	}
	sortQueue(streams, queue)
	first := streams[queue[0]].Cipher
	b.kernel = first.kernel
	if shared {
		b.shared = &first.enc
		b.run(lanes, nil)
	} else {
		var keys kernel.LaneKeys
		b.run(lanes, &keys)
	}
}

// sortQueue puts the longest first; most often all are of one length.
func sortQueue(streams []CBCStream, queue []int) {
	for i := 1; i < len(queue); i++ {
		if len(streams[queue[i]].Src) > len(streams[queue[i-1]].Src) {
			slices.SortStableFunc(queue, func(a, b int) int { return cmp.Compare(len(streams[b].Src), len(streams[a].Src)) })
			return
		}
	}
}

// lanesFor is the number of lanes that the streams' ciphers have together, 0 for none, and whether they
// have one key.
func lanesFor(streams []CBCStream, queue []int) (lanes int, shared bool) {
	first := streams[queue[0]].Cipher
	shared = true
	for _, i := range queue {
		c := streams[i].Cipher
		if c.kernel != first.kernel {
			return 0, false
		}
		shared = shared && c == first
	}
	if shared {
		return first.kernel.LanesOfOneKey(), true
	}
	return first.kernel.Lanes(), false
}

// A batch is the state of one run: lane i works on stream at[i], which has left[i] blocks to go.
type batch struct {
	streams []CBCStream
	queue   [maxBatch]int // the longest first; begun below next
	queued  int
	next    int
	kernel  kernel.Kernel
	shared  *kernel.Schedule // nil: a key for each lane
	lanes   kernel.Lanes
	at      [64]int
	left    [64]int
	active  int
}

func (b *batch) run(lanes int, keys *kernel.LaneKeys) {
	for b.active < lanes && b.next < b.queued {
		b.begin(b.active, keys)
		b.active++
	}
	for b.active >= serialBelow {
		steps := min(slices.Min(b.left[:b.active]), kernel.MaxSteps)
		if keys == nil {
			b.kernel.CBCLanes(b.shared, &b.lanes, b.active, steps)
		} else {
			b.kernel.CBCLanesKeyed(keys, &b.lanes, b.active, steps)
		}
		b.advance(steps, keys)
	}
	for i := range b.active {
		b.finish(i)
	}
}

// begin puts the next stream of the queue into a lane.
func (b *batch) begin(lane int, keys *kernel.LaneKeys) {
	i := b.queue[b.next]
	b.next++
	s := &b.streams[i]
	b.at[lane], b.left[lane] = i, len(s.Src)/BlockSize
	b.lanes.Src[lane], b.lanes.Dst[lane] = &s.Src[0], &s.Dst[0]
	b.lanes.IV[lane] = [BlockSize]byte(s.IV)
	if keys != nil {
		keys.Set(lane, &s.Cipher.enc)
	}
}

// advance accounts for steps blocks in every lane and fills the lanes that are done, from the queue and
// then from the end.
func (b *batch) advance(steps int, keys *kernel.LaneKeys) {
	for i := range b.active {
		b.left[i] -= steps
		if b.left[i] > 0 {
			b.lanes.Src[i] = (*byte)(unsafe.Add(unsafe.Pointer(b.lanes.Src[i]), steps*BlockSize))
			b.lanes.Dst[i] = (*byte)(unsafe.Add(unsafe.Pointer(b.lanes.Dst[i]), steps*BlockSize))
		}
	}
	for i := b.active - 1; i >= 0; i-- {
		if b.left[i] > 0 {
			continue
		}
		if b.next < b.queued {
			b.begin(i, keys)
			continue
		}
		b.active--
		if last := b.active; i != last {
			b.at[i], b.left[i] = b.at[last], b.left[last]
			b.lanes.Move(i, last)
			if keys != nil {
				keys.Set(i, &b.streams[b.at[i]].Cipher.enc)
			}
		}
	}
}

// finish encrypts what is left of a lane's stream by itself.
func (b *batch) finish(lane int) {
	s := &b.streams[b.at[lane]]
	from := len(s.Src) - b.left[lane]*BlockSize
	b.kernel.CBCEncrypt(&s.Cipher.enc, s.Dst[from:len(s.Src)], s.Src[from:], &b.lanes.IV[lane])
}

func encryptSerial(s *CBCStream) {
	if s.Cipher.kernel == kernel.None {
		s.Cipher.gmsm.encryptCBC(s.Dst, s.Src, s.IV)
		return
	}
	iv := [BlockSize]byte(s.IV)
	s.Cipher.kernel.CBCEncrypt(&s.Cipher.enc, s.Dst[:len(s.Src)], s.Src, &iv)
}
