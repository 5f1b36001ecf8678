package sm4

import (
	"cmp"
	"slices"
	"sync"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// A CBCStream is one message for [EncryptCBC].
type CBCStream struct {
	Cipher *Cipher // its key; streams may share one or have one each
	IV     []byte  // 16 bytes, left as they are
	Dst    []byte  // at least as long as Src; may be Src
	Src    []byte  // whole blocks; may be empty
}

// A CBCKeyStream is one message for [EncryptCBCKeys].
type CBCKeyStream struct {
	Key []byte // 16 bytes
	IV  []byte // 16 bytes, left as they are
	Dst []byte // at least as long as Src; may be Src
	Src []byte // whole blocks; may be empty
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
	checkStreams(streams)
	b := newBatch()
	for first := 0; first < len(streams); first += maxBatch {
		b.encryptCiphers(streams[first:min(first+maxBatch, len(streams))])
	}
	b.release()
}

// EncryptCBCKeys is EncryptCBC for streams with a raw key each, whose schedules are made side by side too. It
// is for keys that are used once; a key of a wrong length panics with a [KeySizeError], and one that an output
// overlaps as any other buffer does.
func EncryptCBCKeys(streams []CBCKeyStream) { encryptCBCKeys(streams, fastest) }

func encryptCBCKeys(streams []CBCKeyStream, k kernel.Kernel) {
	checkKeyStreams(streams)
	b := newBatch()
	for first := 0; first < len(streams); first += maxBatch {
		b.encryptKeys(streams[first:min(first+maxBatch, len(streams))], k)
	}
	b.release()
}

// checkStreams panics where EncryptCBC does.
func checkStreams(streams []CBCStream) {
	if levelStreams(streams) {
		return
	}
	l := newLayout()
	for i := range streams {
		s := &streams[i]
		if s.Cipher == nil || !s.Cipher.made() {
			panic("sm4.EncryptCBC: stream without a Cipher")
		}
		checkIV(s.IV, "sm4.EncryptCBC: IV length must equal block size")
		buffers.CheckBlocks(s.Dst, s.Src)
		l.stream(s.IV, s.Dst, s.Src)
	}
	if l.clear() {
		return
	}
	d := buffers.NewDisjointness()
	for i := range streams {
		d.Writes(streams[i].Dst[:len(streams[i].Src)], i)
	}
	d.Order()
	for i := range streams {
		s := &streams[i]
		readsStream(d, s.IV, s.Dst, s.Src, i)
	}
	d.Release()
}

func checkKeyStreams(streams []CBCKeyStream) {
	if levelKeyStreams(streams) {
		return
	}
	l := newLayout()
	for i := range streams {
		s := &streams[i]
		if len(s.Key) != KeySize {
			panic(KeySizeError(len(s.Key)))
		}
		checkIV(s.IV, "sm4.EncryptCBCKeys: IV length must equal block size")
		buffers.CheckBlocks(s.Dst, s.Src)
		l.stream(s.IV, s.Dst, s.Src)
		l.input(buffers.Key, s.Key)
	}
	if l.clear() {
		return
	}
	d := buffers.NewDisjointness()
	for i := range streams {
		d.Writes(streams[i].Dst[:len(streams[i].Src)], i)
	}
	d.Order()
	for i := range streams {
		s := &streams[i]
		readsStream(d, s.IV, s.Dst, s.Src, i)
		d.Reads(buffers.Key, s.Key, buffers.Nobody)
	}
	d.Release()
}

// levelStreams says whether one look tells that streams keep to all that checkStreams demands.
func levelStreams(streams []CBCStream) bool {
	for i := range streams {
		if c := streams[i].Cipher; c == nil || !c.made() {
			return false
		}
	}
	if len(streams) == 0 {
		return true
	}
	_, level := buffers.LevelOf((*buffers.Stream)(unsafe.Pointer(&streams[0].IV)), unsafe.Sizeof(streams[0]), len(streams))
	return level
}

func levelKeyStreams(streams []CBCKeyStream) bool {
	var keys buffers.Hull
	for i := range streams {
		if len(streams[i].Key) != KeySize {
			return false
		}
		keys = keys.With(streams[i].Key)
	}
	if len(streams) == 0 {
		return true
	}
	written, level := buffers.LevelOf((*buffers.Stream)(unsafe.Pointer(&streams[0].IV)), unsafe.Sizeof(streams[0]), len(streams))
	return level && written.Misses(keys, func(i int) []byte { return streams[i].Key })
}

// stream names the buffers of a stream that isn't empty.
func (l *layout) stream(iv, dst, src []byte) {
	if len(src) > 0 {
		l.text(dst[:len(src)], src)
		l.input(buffers.Nonce, iv)
	}
}

func readsStream(d *buffers.Disjointness, iv, dst, src []byte, i int) {
	if len(src) > 0 {
		d.ReadsText(src, dst[:len(src)])
		d.Reads(buffers.Nonce, iv, i)
	}
}

// maxBatch bounds the streams that are scheduled at once.
const maxBatch = 256

// serialBelow is the number of messages from which on lanes are faster than one after the other.
const serialBelow = 3

// A queued is what a batch knows of one message.
type queued struct {
	key      *kernel.Schedule
	iv       *[BlockSize]byte
	dst, src *byte
	blocks   int
}

// A batch is the state of one run: lane i works on stream at[i], which has left[i] blocks to go. What the kernels read
// comes first, at the start of a cache line.
type batch struct {
	lanes   kernel.Lanes
	keys    kernel.LaneKeys
	streams [maxBatch]queued
	queue   [maxBatch]uint16 // the longest first; begun below next
	queued  int
	next    int
	kernel  kernel.Kernel
	shared  bool // one key for all lanes
	raw     bool // keys hold what is made of raw keys
	keyed   bool // keys hold schedules of ciphers
	at      [64]int
	left    [64]int
	active  int
	own     [maxBatch]kernel.Schedule // of raw keys
	made    int
	begun   int // the most streams of one queue
}

var batches = sync.Pool{New: func() any { return new(batch) }}

func newBatch() *batch { return batches.Get().(*batch) }

// release wipes what raw keys left. What is made of ciphers stays until the garbage collector takes it, as they do.
func (b *batch) release() {
	if b.raw {
		b.keys.Wipe()
		b.lanes.Wipe()
	} else if b.keyed {
		b.keys.Forget()
	}
	clear(b.own[:b.made])
	clear(b.streams[:b.begun])
	b.raw, b.keyed, b.made, b.begun = false, false, 0, 0
	b.lanes.Forget()
	batches.Put(b)
}

// encryptCiphers encrypts at most maxBatch streams.
func (b *batch) encryptCiphers(streams []CBCStream) {
	first, level, lanes := &streams[0], true, true
	b.shared, b.kernel = true, first.Cipher.kernel
	for i := range streams {
		s := &streams[i]
		b.shared = b.shared && s.Cipher == first.Cipher
		lanes = lanes && s.Cipher.kernel == b.kernel
		level = level && len(s.Src) == len(first.Src)
	}
	b.keyed = b.keyed || !b.shared
	switch {
	case lanes && level && b.laneCount() > 0:
		b.levelCiphers(streams)
	case !lanes || !b.queueCiphers(streams):
		for i := range streams {
			encryptSerial(&streams[i])
		}
	}
}

// levelCiphers encrypts streams of one length, which need no queue.
func (b *batch) levelCiphers(streams []CBCStream) {
	lanes, blocks := b.laneCount(), len(streams[0].Src)/BlockSize
	for len(streams) >= serialBelow && blocks > 0 {
		n := min(len(streams), lanes)
		for i := range streams[:n] {
			s := &streams[i]
			b.lanes.Set(i, s.IV, s.Dst, s.Src)
			if !b.shared {
				b.keys.Set(i, &s.Cipher.enc)
			}
		}
		b.level(&streams[0].Cipher.enc, n, blocks)
		streams = streams[n:]
	}
	for i := range streams {
		encryptSerial(&streams[i])
	}
}

// level encrypts so many blocks in each of the first n lanes, under key if they share one.
func (b *batch) level(key *kernel.Schedule, n, blocks int) {
	for {
		steps := min(blocks, kernel.MaxSteps)
		b.encrypt(key, n, steps)
		if blocks -= steps; blocks == 0 {
			return
		}
		b.lanes.Advance(n, steps)
	}
}

func (b *batch) encrypt(key *kernel.Schedule, active, steps int) {
	if b.shared {
		b.kernel.CBCLanes(key, &b.lanes, active, steps)
	} else {
		b.kernel.CBCLanesKeyed(&b.keys, &b.lanes, active, steps)
	}
}

// queueCiphers encrypts streams of any lengths, unless lanes don't pay.
func (b *batch) queueCiphers(streams []CBCStream) bool {
	b.queued, b.next = 0, 0
	for i := range streams {
		if s := &streams[i]; len(s.Src) > 0 {
			b.add(i, &s.Cipher.enc, s.IV, s.Dst, s.Src)
		}
	}
	return b.run()
}

// encryptKeys is the same for raw keys.
func (b *batch) encryptKeys(streams []CBCKeyStream, k kernel.Kernel) {
	if k == kernel.None {
		for i := range streams {
			s := &streams[i]
			mustNew(s.Key).gmsm.encryptCBC(s.Dst, s.Src, s.IV)
		}
		return
	}
	b.shared, b.kernel, b.raw = false, k, true
	streams = b.levelKeys(streams)
	b.queued, b.next = 0, 0
	b.keys.Forget() // the schedules lie where those of the streams before did
	b.made = max(b.made, len(streams))
	b.expand(streams, k)
	for i := range streams {
		if s := &streams[i]; len(s.Src) > 0 {
			b.add(i, &b.own[i], s.IV, s.Dst, s.Src)
		}
	}
	if b.run() {
		return
	}
	for _, i := range b.queue[:b.queued] {
		s := &streams[i]
		iv := [BlockSize]byte(s.IV)
		k.CBCEncrypt(&b.own[i], s.Dst[:len(s.Src)], s.Src, &iv)
	}
}

// levelKeys encrypts the streams of one length with which streams begins, as many as pay without a queue, and
// returns the others. Their schedules are never anywhere but in the lanes.
func (b *batch) levelKeys(streams []CBCKeyStream) []CBCKeyStream {
	lanes := b.laneCount()
	for lanes > 0 && len(streams) >= serialBelow {
		bytes := len(streams[0].Src)
		n := min(len(streams), lanes)
		for i := range streams[:n] {
			if len(streams[i].Src) != bytes {
				return streams
			}
		}
		for i := range streams[:n] {
			s := &streams[i]
			b.lanes.SetKey(i, s.Key)
			if bytes > 0 {
				b.lanes.Set(i, s.IV, s.Dst, s.Src)
			}
		}
		if bytes > 0 {
			b.keys.Expand(&b.lanes, n)
			b.level(nil, n, bytes/BlockSize)
		}
		streams = streams[n:]
	}
	return streams
}

// expand makes the schedules of raw keys.
func (b *batch) expand(streams []CBCKeyStream, k kernel.Kernel) {
	var zero [16][BlockSize]byte
	if !k.Fused() {
		for i := range streams {
			k.Expand((*[KeySize]byte)(streams[i].Key), &b.own[i], &zero[0])
		}
		return
	}
	var keys [16]*[KeySize]byte
	var schedules [16]*kernel.Schedule
	for from := 0; from < len(streams); from += 16 {
		n := min(len(streams)-from, 16)
		for i := range n {
			keys[i], schedules[i] = (*[KeySize]byte)(streams[from+i].Key), &b.own[from+i]
		}
		k.Expand16(keys[:n], schedules[:n], &zero)
	}
}

// add puts a stream that isn't empty into the queue.
func (b *batch) add(i int, key *kernel.Schedule, iv, dst, src []byte) {
	b.streams[i] = queued{key, (*[BlockSize]byte)(iv), &dst[0], &src[0], len(src) / BlockSize}
	b.queue[b.queued] = uint16(i)
	b.queued++
	b.begun = max(b.begun, i+1)
}

// laneCount is how many messages run side by side, 0 if none.
func (b *batch) laneCount() int {
	if b.shared {
		return b.kernel.LanesOfOneKey()
	}
	return b.kernel.Lanes()
}

// run encrypts the queue in lanes, or returns false where that doesn't pay.
func (b *batch) run() bool {
	lanes := b.laneCount()
	if lanes == 0 || b.queued < serialBelow {
		return false
	}
	b.sortQueue()
	for b.active = 0; b.active < lanes && b.next < b.queued; b.active++ {
		b.begin(b.active)
	}
	first := b.streams[b.queue[0]].key
	for b.active >= serialBelow {
		steps := min(slices.Min(b.left[:b.active]), kernel.MaxSteps)
		b.encrypt(first, b.active, steps)
		b.advance(steps)
	}
	for i := range b.active {
		b.finish(i)
	}
	return true
}

// sortQueue puts the longest first; most often all are of one length.
func (b *batch) sortQueue() {
	queue := b.queue[:b.queued]
	for i := 1; i < len(queue); i++ {
		if b.streams[queue[i]].blocks > b.streams[queue[i-1]].blocks {
			slices.SortStableFunc(queue, func(x, y uint16) int { return cmp.Compare(b.streams[y].blocks, b.streams[x].blocks) })
			return
		}
	}
}

// begin puts the next stream of the queue into a lane.
func (b *batch) begin(lane int) {
	i := int(b.queue[b.next])
	b.next++
	s := &b.streams[i]
	b.at[lane], b.left[lane] = i, s.blocks
	b.lanes.Src[lane], b.lanes.Dst[lane] = s.src, s.dst
	b.lanes.IV[lane] = *s.iv
	if !b.shared {
		b.keys.Set(lane, s.key)
	}
}

// advance accounts for steps blocks in every lane and fills the lanes that are done, from the queue and
// then from the end.
func (b *batch) advance(steps int) {
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
			b.begin(i)
			continue
		}
		b.active--
		if last := b.active; i != last {
			b.at[i], b.left[i] = b.at[last], b.left[last]
			b.lanes.Move(i, last)
			if !b.shared {
				b.keys.Set(i, b.streams[b.at[i]].key)
			}
		}
	}
}

// finish encrypts what is left of a lane's stream by itself.
func (b *batch) finish(lane int) {
	s := &b.streams[b.at[lane]]
	n := b.left[lane] * BlockSize
	dst, src := unsafe.Slice(b.lanes.Dst[lane], n), unsafe.Slice(b.lanes.Src[lane], n)
	b.kernel.CBCEncrypt(s.key, dst, src, &b.lanes.IV[lane])
}

func encryptSerial(s *CBCStream) {
	if s.Cipher.kernel == kernel.None {
		s.Cipher.gmsm.encryptCBC(s.Dst, s.Src, s.IV)
		return
	}
	iv := [BlockSize]byte(s.IV)
	s.Cipher.kernel.CBCEncrypt(&s.Cipher.enc, s.Dst[:len(s.Src)], s.Src, &iv)
}
