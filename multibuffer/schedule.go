package multibuffer

import (
	"crypto/fips140"
	"math"
	"math/bits"
	"unsafe"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/multibuffer"
)

// flatten is digests as bytes.
func flatten[D [16]byte | [20]byte | [32]byte](digests []D) []byte {
	if len(digests) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&digests[0])), len(digests)*int(unsafe.Sizeof(digests[0])))
}

// A cost is what a hash takes in some unit of time, by the serial library and in lanes; only ratios
// count. They are of an AMD Zen 4; those of two lanes of an AMD Zen, with the serial block as the unit again.
type cost struct {
	least       int  // messages that stay in lanes; fewer are handed over; 0 where there are no lanes
	call, block int  // serial: a message, and each of its blocks
	even, mixed int  // a batch in lanes, of messages that have equally many blocks, and of others
	step        int  // a block of up to 16 lanes
	event, end  int  // a message of a mixed batch, and one that is handed over
	two         bool // lanes: step is for a block of both, and even for the ends of a pair
	start       int  // a call that has pairs
}

// Below these numbers of messages lanes are never tried, by any kernel.
const (
	leastMD5    = 3
	leastSM3    = 2
	leastSHA256 = 2
	leastSHA1   = 2
)

// pairsBelow are the numbers of messages from which on AVX-512 is faster than two messages that take turns with the SHA
// instructions, as measured on an AMD Zen 4, whose 512-bit units work in halves.
var pairsBelow = [4]int{kernel.SHA256: 14, kernel.SHA1: 11}

// pairsBehind are the same for the messages that are left behind one or more full groups of 16 lanes, for which a group that
// isn't full would be begun; 0 where that is always faster.
var pairsBehind = [4]int{kernel.SHA256: 12}

// costTable has the costs by kernel and hash.
type costTable [kernel.AVX512 + 1][4]cost

var costs = costTable{
	kernel.AVX512: {
		kernel.MD5:    {least: leastMD5, call: 15, block: 78, even: 90, mixed: 180, step: 165, event: 20, end: 250},
		kernel.SM3:    {least: leastSM3, call: 20, block: 195, even: 90, mixed: 180, step: 340, event: 20, end: 350},
		kernel.SHA256: {least: 10, call: 42, block: 40, even: 90, mixed: 250, step: 310, event: 30, end: 250},
		kernel.SHA1:   {least: 6, call: 42, block: 40, even: 90, mixed: 250, step: 190, event: 30, end: 250},
	},
	kernel.AVX2: {
		kernel.MD5: {least: leastMD5, call: 15, block: 78, even: 230, mixed: 280, step: 210, event: 20, end: 250},
		kernel.SM3: {least: leastSM3, call: 20, block: 195, even: 280, mixed: 280, step: 400, event: 25, end: 350},
	},
	kernel.SHA: {
		kernel.MD5:    {least: leastMD5, call: 15, block: 78, even: 230, mixed: 280, step: 210, event: 20, end: 250},
		kernel.SM3:    {least: leastSM3, call: 20, block: 195, even: 280, mixed: 280, step: 400, event: 25, end: 350},
		kernel.SHA256: {least: leastSHA256, call: 65, block: 40, even: 116, mixed: 300, step: 44, event: 110, end: 150, two: true, start: 80},
		kernel.SHA1:   {least: leastSHA1, call: 65, block: 40, even: 116, mixed: 300, step: 53, event: 110, end: 150, two: true, start: 80},
	},
}

// setState is what it takes to set a library's hash to a state, and twice what it takes to prepare lanes
// for MACs beside a batch of messages and one of digests.
const setState, twice = 15, 300

// keyedCosts are those of messages under keys. To each belongs a digest that is hashed as well.
var keyedCosts = func() (all costTable) {
	for k := range costs {
		for f, c := range costs[k] {
			if c.two { // of the messages alone: their digests go in pairs either way
				c.call, c.mixed, c.event = 137, 330, 140
				all[k][f] = c
				continue
			}
			c.call += c.call + c.block + 2*setState
			c.mixed += c.even + c.step + twice
			c.even += c.even + c.step + twice
			all[k][f] = c
		}
	}
	return all
}()

// tries says whether lanes may be worth it for n messages.
func (h Hasher) tries(f kernel.Hash, n int) bool {
	c := &costs[h.kernel][f]
	return c.least > 0 && n >= c.least && !fips140.Enforced()
}

// forFew is the Hasher for so many messages.
func (h Hasher) forFew(f kernel.Hash, messages int) Hasher {
	if messages < pairsBelow[f] {
		h.kernel = h.kernel.Pairs(f)
	}
	return h
}

// lanes is the kernel whose lanes pay for some messages, None if the library is as fast. Where messages are few and
// short the look at them must cost next to nothing, so it comes before that at FIPS 140.
func (h Hasher) lanes(costs *costTable, f kernel.Hash, messages [][]byte) kernel.Kernel {
	k := h.forFew(f, len(messages)).kernel
	if costs[k][f].allow(messages) {
		return k
	}
	if pairs := k.Pairs(f); pairs != k && costs[pairs][f].allow(messages) {
		return pairs
	}
	return kernel.None
}

func (c *cost) allow(messages [][]byte) bool {
	return c.least > 0 && (len(messages) > doubtful || c.pays(messages)) && !fips140.Enforced()
}

// pays says whether few messages are faster in lanes. They leave the lanes when fewer than the least
// number are still there, and what is left of these is serial work either way.
func (c *cost) pays(messages [][]byte) bool {
	if len(messages) < c.least {
		return false
	}
	if c.two {
		return len(messages) > fewPairs || c.fewPay(messages)
	}
	first := blocksOf(messages[0])
	sum, differences := 0, 0
	for i := range messages {
		n := blocksOf(messages[i])
		sum += n
		differences |= n ^ first
	}
	serial := len(messages)*c.call + sum*c.block
	step := c.step * (1 + 3*((len(messages)+15)/16)) / 4 // two groups take 7/4 of one's time, or less
	if differences == 0 {
		return c.even+first*step < serial
	}
	if serial < c.mixed+step {
		return false
	}
	var longest [3]int // numbers of blocks
	for i := range messages {
		n := blocksOf(messages[i])
		if n > longest[2] {
			longest[2] = n
			if n > longest[1] {
				longest[1], longest[2] = n, longest[1]
			}
			if n > longest[0] {
				longest[0], longest[1] = n, longest[0]
			}
		}
	}
	lanes := c.mixed + len(messages)*c.event
	if c.least > len(longest) {
		lanes += longest[0] * step
	} else {
		steps := longest[c.least-1]
		lanes += steps * step
		for _, n := range longest[:c.least-1] {
			left := n - steps
			lanes += min(c.end+left*c.block, left*step)
		}
	}
	return lanes+lanes/8 < serial // to be sure
}

// Up to few messages need no sorting by ranks, up to doubtful ones a thought whether they pay.
const few, doubtful = 16, 48

func blocksOf(m []byte) int { return int(kernel.Blocks(uint64(len(m)))) }

// maxBatch bounds the messages that are scheduled at once, and with them the stack that takes.
const maxBatch = 1024

// A job is messages to hash in lanes. Where there are keys, messages begin in the states after these.
type job struct {
	kernel   kernel.Kernel
	hash     kernel.Hash
	keys     keys
	digests  []byte // the hash's size for each message
	messages [][]byte
}

// cost is what a job's messages take.
func (j *job) cost() *cost {
	if j.keys.none() {
		return &costs[j.kernel][j.hash]
	}
	return &keyedCosts[j.kernel][j.hash]
}

func (j *job) digest(message int) []byte {
	size := 4 * j.hash.Words()
	return j.digests[message*size:][:size]
}

// part is the job of the messages from one to another.
func (j *job) part(from, to int) job {
	size := 4 * j.hash.Words()
	return job{j.kernel, j.hash, j.keys.part(from, to), j.digests[from*size : to*size], j.messages[from:to]}
}

// sumOne hashes a message by the library that has the function.
func (j *job) sumOne(message int) {
	if j.keys.none() {
		sumSerial(j.hash, j.digest(message), j.messages[message])
		return
	}
	j.keys.of(message).sumInner(j.digest(message), j.messages[message])
}

// sum hashes the messages.
func (j *job) sum() {
	if j.inPairs() {
		j.sumPairs()
		return
	}
	for done := 0; done < len(j.messages); {
		rest := j.part(done, len(j.messages))
		n := rest.sumEven()
		done += n
		if n = min(len(j.messages)-done, maxBatch); n > 0 {
			mixed := j.part(done, done+n)
			mixed.sumMixed()
			done += n
		}
	}
}

// sumEven hashes messages as long as all that enter the lanes together have the same number of blocks,
// so that there is nothing to schedule. It returns how many it has hashed.
func (j *job) sumEven() (hashed int) {
	blocks := kernel.Blocks(uint64(len(j.messages[0])))
	size := 4 * j.hash.Words()
	last := j.messages[j.entering(len(j.messages))-1]
	if kernel.Blocks(uint64(len(last))) != blocks || j.tooFew(len(j.messages), int(blocks)) {
		return 0
	}
	var l kernel.Lanes
	for hashed < len(j.messages) {
		now := j.messages[hashed : hashed+j.entering(len(j.messages)-hashed)]
		if !l.Fill(j.kernel, now) {
			return hashed
		}
		blocks = kernel.Blocks(uint64(len(now[0])))
		from := hashed
		hashed += len(now)
		if j.tooFew(len(now), int(blocks)) {
			left := j.part(from, hashed)
			left.sumLeft()
			continue
		}
		j.keys.part(from, hashed).begin(j.kernel, j.hash, &l)
		hashLanes(j.kernel, j.hash, &l, len(now), blocks)
		l.Digests(j.kernel, j.hash, len(now), j.digests[from*size:])
	}
	return hashed
}

// entering is how many of so many messages of the same number of blocks enter the lanes at once.
func (j *job) entering(left int) int {
	n := min(left, j.kernel.Lanes(j.hash))
	if behind := n % 16; n > 16 && behind < pairsBehind[j.hash] && j.kernel.Pairs(j.hash) != j.kernel {
		return n - behind
	}
	return n
}

// sumLeft hashes messages that are too few for the job's lanes: two and two, where another kernel does so, or one by one.
func (j *job) sumLeft() {
	if p := j.forPairs(); p.inPairs() && p.cost().allow(p.messages) {
		p.sumPairs()
		return
	}
	for i := range j.messages {
		j.sumOne(i)
	}
}

// forPairs is the job for the kernel of few messages.
func (j *job) forPairs() job {
	p := *j
	p.kernel = j.kernel.Pairs(j.hash)
	return p
}

// hashLanes hashes the messages in the first n lanes, which have their states and the same number of
// blocks.
func hashLanes(k kernel.Kernel, f kernel.Hash, l *kernel.Lanes, n int, blocks uint64) {
	l.Mirror(k, n)
	for done := uint64(0); done < blocks; {
		steps := min(blocks-done, f.MaxBlocks())
		k.Advance(f, l, n, done*kernel.BlockSize, int(steps))
		done += steps
	}
}

// tooFew says whether n messages of the same number of blocks are better hashed one by one.
func (c *cost) tooFew(n, blocks int) bool {
	return n < 16 && (n < c.least || c.even+blocks*c.step > n*(c.call+blocks*c.block))
}

// tooFew is that of the job's hash, and says so, too, where few messages are better hashed two and two.
func (j *job) tooFew(n, blocks int) bool {
	return n < pairsBelow[j.hash] && j.kernel.Pairs(j.hash) != j.kernel || j.cost().tooFew(n, blocks)
}

// A batch is the state of one run over messages of different lengths. Lane i works on message at[i],
// until end[i]; clock and end count blocks.
type batch struct {
	*job
	queue  []uint16 // the longest first
	clock  uint64
	active int
	at     [kernel.MaxLanes]uint16
	end    [kernel.MaxLanes]uint64
	lanes  kernel.Lanes
}

// sumMixed hashes messages of any lengths, up to maxBatch.
func (j *job) sumMixed() {
	if len(j.messages) <= few {
		j.sumFew()
		return
	}
	var order [maxBatch]uint16
	queue := order[:len(j.messages)]
	sortByBlocks(queue, j.messages)
	if queue = j.sumRuns(queue); len(queue) > 0 {
		j.runBatch(queue)
	}
}

func (j *job) sumFew() {
	if !j.cost().pays(j.messages) {
		j.sumLeft()
		return
	}
	var order [few]uint16
	queue := order[:len(j.messages)]
	sortFew(queue, j.messages)
	j.runBatch(queue)
}

// sumRuns hashes messages of which enough for all lanes have the same number of blocks, as short ones
// do, and returns the queue without these.
func (j *job) sumRuns(queue []uint16) (rest []uint16) {
	lanes := j.kernel.Lanes(j.hash)
	var l kernel.Lanes
	rest = queue[:0]
	for len(queue) > 0 {
		blocks, n := blocksOf(j.messages[queue[0]]), 1
		for n < len(queue) && blocksOf(j.messages[queue[n]]) == blocks {
			n++
		}
		run := queue[:n]
		queue = queue[n:]
		for len(run) >= lanes {
			j.sumRun(&l, run[:lanes])
			run = run[lanes:]
		}
		rest = append(rest, run...) // in place: no more is written than has been read
	}
	return rest
}

// sumRun hashes a message in each lane, all of the same number of blocks.
func (j *job) sumRun(l *kernel.Lanes, run []uint16) {
	for lane, i := range run {
		m := j.messages[i]
		l.Start[lane%kernel.MaxLanes], l.Len[lane%kernel.MaxLanes] = unsafe.SliceData(m), uint64(len(m))
	}
	j.keys.beginSome(j.kernel, j.hash, l, run)
	hashLanes(j.kernel, j.hash, l, len(run), kernel.Blocks(l.Len[0]))
	var sums [kernel.MaxLanes * 16]byte // 64 lanes of 4 words, 32 of 8
	l.Digests(j.kernel, j.hash, len(run), sums[:])
	size := 4 * j.hash.Words()
	for lane, i := range run {
		copy(j.digest(int(i)), sums[lane*size:][:size])
	}
}

func (j *job) runBatch(order []uint16) {
	b := batch{job: j, queue: order}
	for i := range b.end {
		b.end[i] = math.MaxUint64
	}
	lanes := j.kernel.Lanes(j.hash)
	for b.active < lanes && len(b.queue) > 0 {
		b.begin(b.active)
		b.active++
	}
	b.run()
}

// expected is how many messages ahead of a lane are fetched.
const expected = 4

// begin puts the next message of the queue into a lane.
func (b *batch) begin(lane int) {
	i := b.queue[0]
	b.queue = b.queue[1:]
	m := b.messages[i]
	n := uint64(len(m))
	b.at[lane], b.end[lane] = i, b.clock+kernel.Blocks(n)
	b.lanes.Begin(b.kernel, b.hash, lane, unsafe.SliceData(m), n, b.clock*kernel.BlockSize)
	b.keys.beginOne(b.kernel, b.hash, &b.lanes, lane, int(i))
	if len(b.queue) > expected {
		b.kernel.Expect(b.messages[b.queue[expected]])
	}
}

func (b *batch) run() {
	least := b.cost().least
	b.lanes.Mirror(b.kernel, b.active)
	for b.active > 0 {
		first, ended := b.kernel.Earliest(&b.end, b.active)
		// The last ones are handed over, unless they are nearly done.
		if b.active < least && first-b.clock > 2 && b.handOver() {
			return
		}
		for b.clock < first {
			steps := min(first-b.clock, b.hash.MaxBlocks())
			b.kernel.Advance(b.hash, &b.lanes, b.active, b.clock*kernel.BlockSize, int(steps))
			b.clock += steps
		}
		b.settle(ended)
	}
}

// settle takes the digests of the lanes that ended and fills these, from the queue and then from the
// last lane.
func (b *batch) settle(ended uint64) {
	was := b.active
	for ended != 0 {
		lane := bits.Len64(ended) - 1
		ended &^= 1 << lane
		b.lanes.Digest(b.kernel, b.hash, lane, b.digest(int(b.at[lane])))
		if len(b.queue) > 0 {
			b.begin(lane)
			continue
		}
		b.active--
		if last := b.active; lane != last {
			b.at[lane], b.end[lane] = b.at[last], b.end[last]
			b.lanes.Move(b.kernel, b.hash, lane, last)
		}
		b.end[b.active] = math.MaxUint64
	}
	if b.active != was && b.active > 0 {
		b.lanes.Mirror(b.kernel, b.active)
	}
}

// handOver lets the serial library finish the messages in lanes. It returns false if that can't.
func (b *batch) handOver() bool {
	s := successorFor(b.hash)
	defer s.giveBack(b.hash)
	if !s.able {
		return false
	}
	for lane := range b.active {
		i := int(b.at[lane])
		m := b.messages[i]
		done := b.clock*kernel.BlockSize - b.lanes.Born[lane]
		s.takeOver(b.kernel, b.hash, &b.lanes, lane, b.lanes.Before[lane]+done)
		s.write(m[done:])
		s.sum(b.digest(i))
	}
	return true
}

// sortFew fills order with the indices of messages, the longest first.
func sortFew(order []uint16, messages [][]byte) {
	for i := range messages {
		j := i
		for ; j > 0 && len(messages[order[j-1]]) < len(messages[i]); j-- {
			order[j] = order[j-1]
		}
		order[j] = uint16(i)
	}
}

// sortByBlocks fills order with the indices of messages, those of the most blocks first; of more than 32
// blocks, about so.
func sortByBlocks(order []uint16, messages [][]byte) {
	var count [ranks]uint16
	var rank [maxBatch]uint16
	low, high := uint16(ranks-1), uint16(0)
	for i, m := range messages {
		r := rankOf(kernel.Blocks(uint64(len(m))))
		low, high = min(low, r), max(high, r)
		rank[i] = r
		count[r]++
	}
	total := uint16(0)
	for r := int(high); r >= int(low); r-- {
		total, count[r] = total+count[r], total
	}
	for i, r := range rank[:len(messages)] {
		order[count[r]] = uint16(i)
		count[r]++
	}
}

// ranks is above every rank; rankOf maps numbers of blocks to ranks, in order and with 16 to a power
// of two.
const ranks = 64 * 16

func rankOf(blocks uint64) uint16 {
	if blocks < 32 {
		return uint16(blocks)
	}
	shift := bits.Len64(blocks) - 5
	return uint16(shift<<4) + uint16(blocks>>shift)
}
