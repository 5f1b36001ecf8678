package multibuffer

import (
	"crypto/subtle"
	"math"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/multibuffer"
)

// A pairing is what it takes to hash messages of a job two and two, where a kernel has two lanes. Messages that end near each
// other need no schedule; others go on in a batch, where a lane that is free takes the next message.
type pairing struct {
	kernel.Pair
	one  [len(pads)]kernel.PairState // of the job's one key, twice
	each kernel.PairState            // of the keys of two messages
}

// inPairs says whether the job's kernel has two lanes for its hash.
func (j *job) inPairs() bool { return j.cost().two }

// prepare comes before the first messages.
func (p *pairing) prepare(k keys) {
	if m := k.one; m != nil {
		for by := range p.one {
			p.one[by].Join(&m.states[by], &m.states[by])
		}
	}
}

// begin is the state in which two messages begin, behind their keys' blocks changed by a pad, and how many bytes have led
// to it.
func (p *pairing) begin(j *job, by pad, a, b int) (s *kernel.PairState, before int) {
	switch k := j.keys; {
	case k.one != nil:
		return &p.one[by], kernel.BlockSize
	case k.each != nil:
		p.each.Join(&k.each[a].states[by], &k.each[b].states[by])
		return &p.each, kernel.BlockSize
	}
	return j.hash.PairInitial(), 0
}

// sum hashes two messages that fit each other, or one, which is both.
func (p *pairing) sum(j *job, a, b int) {
	s, before := p.begin(j, inner, a, b)
	p.Sum(j.hash, s, before, j.messages[a], j.messages[b], j.digest(a), j.digest(b))
}

// sumEven hashes messages from the first on, as long as two neighbours have equally many blocks, and returns how many.
func (p *pairing) sumEven(j *job) (hashed int) {
	for ; hashed+1 < len(j.messages) && blocksOf(j.messages[hashed]) == blocksOf(j.messages[hashed+1]); hashed += 2 {
		p.sum(j, hashed, hashed+1)
	}
	return hashed
}

// sumNear hashes messages of a queue, the longest first, of which two neighbours fit each other, and returns the others.
func (p *pairing) sumNear(j *job, queue []uint16) (rest []uint16) {
	rest = queue[:0]
	for len(queue) > 1 {
		a, b := int(queue[0]), int(queue[1])
		if kernel.PairFits(len(j.messages[a]), len(j.messages[b])) {
			p.sum(j, a, b)
			queue = queue[2:]
			continue
		}
		rest = append(rest, queue[0]) // in place: no more is written than has been read
		queue = queue[1:]
	}
	return append(rest, queue...)
}

// sumLast hashes a message that goes with no other. A short one behind a key's block goes in both lanes: the library takes
// longer to be set to a state.
func (p *pairing) sumLast(j *job, message int) {
	if !j.keys.none() && blocksOf(j.messages[message]) <= nearBlocks {
		p.sum(j, message, message)
		return
	}
	j.sumOne(message)
}

// sumPairs hashes the messages.
func (j *job) sumPairs() {
	var p pairing
	p.prepare(j.keys)
	p.sumAll(j)
}

// macPairs writes the MACs of the messages.
func (j *job) macPairs() {
	var p pairing
	p.prepare(j.keys)
	p.sumAll(j)
	p.sumOuter(j)
}

func (p *pairing) sumAll(j *job) {
	done := p.sumEven(j)
	if done == len(j.messages)-1 {
		p.sumLast(j, done)
		return
	}
	for done < len(j.messages) {
		n := min(len(j.messages)-done, maxBatch)
		now := j.part(done, done+n)
		if n <= few {
			p.sumFew(&now)
		} else {
			p.sumMany(&now)
		}
		done += n
	}
}

// sumFew hashes messages of any lengths, up to few.
func (p *pairing) sumFew(j *job) {
	var order [few]uint16
	queue := order[:len(j.messages)]
	sortFew(queue, j.messages)
	p.sumQueue(j, queue)
}

// sumMany hashes messages of any lengths, up to maxBatch.
func (p *pairing) sumMany(j *job) {
	var order [maxBatch]uint16
	queue := order[:len(j.messages)]
	sortByBlocks(queue, j.messages)
	p.sumQueue(j, queue)
}

// Up to nearBlocks a message may go in a pair: of a longer one a batch wastes less than a tenth of the time. Up to tinyBlocks,
// or tinyKeyed behind a key's block, it always does: with a long message in the other lane it would save less.
const nearBlocks, tinyBlocks, tinyKeyed = 16, 2, 4

// sumQueue hashes messages, the longest first. Unless one is so long that it takes all others to keep it company, the short
// ones go in pairs; else the tiny ones do.
func (p *pairing) sumQueue(j *job, queue []uint16) {
	always := tinyBlocks
	if !j.keys.none() {
		always = tinyKeyed
	}
	sum, near, tiny := 0, len(queue), len(queue)
	for i, message := range queue {
		n := blocksOf(j.messages[message])
		sum += n
		if n <= nearBlocks {
			near = min(near, i)
		}
		if n <= always {
			tiny = min(tiny, i)
		}
	}
	from := tiny
	if near == 0 || 2*blocksOf(j.messages[queue[0]]) <= sum {
		from = near
	}
	rest := p.sumNear(j, queue[from:])
	queue = queue[:from+len(rest)]
	if len(queue) > 1 && j.cost().batchPays(j.messages, queue) {
		j.runBatch(queue)
		return
	}
	for _, i := range p.sumNear(j, queue) {
		p.sumLast(j, int(i))
	}
}

// More than fewPairs messages need no look whether they pay.
const fewPairs = 7

// fewPay says whether two messages or a few more pay in pairs.
func (c *cost) fewPay(messages [][]byte) bool {
	sum, longest, shortest := 0, 0, math.MaxInt
	for _, m := range messages {
		n := blocksOf(m)
		sum, longest, shortest = sum+n, max(longest, n), min(shortest, n)
	}
	serial := len(messages)*c.call + sum*c.block
	switch {
	case longest == shortest:
		return true
	case longest > nearBlocks:
		return c.batch(len(messages), longest, sum) < serial
	case len(messages) == 2 && !kernel.PairFits(max(len(messages[0]), len(messages[1])), min(len(messages[0]), len(messages[1]))):
		return false
	}
	pairs := c.start + len(messages)/2*c.even + (sum+longest-shortest)/2*c.step + len(messages)%2*c.call
	return pairs+pairs/8 < serial // to be sure
}

// batch is what so many messages take together in two lanes.
func (c *cost) batch(messages, longest, sum int) int {
	lanes := c.mixed + messages*c.event
	if others := sum - longest; longest > others {
		return lanes + others*c.step + c.end + (longest-others)*c.block
	}
	return lanes + (sum+1)/2*c.step
}

// batchPays says whether messages of a queue, the longest first, are faster in two lanes than one by one.
func (c *cost) batchPays(messages [][]byte, queue []uint16) bool {
	sum := 0
	for _, i := range queue {
		sum += blocksOf(messages[i])
	}
	return c.batch(len(queue), blocksOf(messages[queue[0]]), sum) < len(queue)*c.call+sum*c.block
}

// sumOuter makes MACs of the digests that sumAll has left in their places.
func (p *pairing) sumOuter(j *job) {
	for i := 0; i < len(j.messages); i += 2 {
		next := min(i+1, len(j.messages)-1)
		a, b := j.digest(i), j.digest(next)
		s, before := p.begin(j, outer, i, next)
		p.Sum(j.hash, s, before, a, b, a, b)
	}
}

// preparePairs is prepareLanes for two lanes.
func preparePairs(f kernel.Hash, ms []HMAC, keys [][]byte) {
	for i := 0; i < len(ms); i += 2 {
		next := min(i+1, len(ms)-1)
		blocks := [2][kernel.BlockSize]byte{keyBlock(f, keys[i]), keyBlock(f, keys[next])}
		for by := range pads {
			var changed [2][kernel.BlockSize]byte
			for lane := range changed {
				subtle.XORBytes(changed[lane][:], blocks[lane][:], pads[by][:])
			}
			s := *f.PairInitial()
			s.Blocks(f, &changed[0][0], &changed[1][0], 1)
			s.Split(&ms[i].states[by], &ms[next].states[by])
		}
	}
}
