package multibuffer

import (
	"crypto/subtle"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/multibuffer"
)

// A pairing hashes messages of a job two and two, where a kernel has two lanes. Messages that end near each other need no
// schedule; others go on in a batch, where a lane that is free takes the next message.
type pairing struct {
	*job
	pair kernel.Pair
	one  kernel.PairState // of the job's one key, twice
	each kernel.PairState // of the keys of two messages
}

// inPairs says whether the job's kernel has two lanes.
func (j *job) inPairs() bool { return j.cost().two }

// prepare comes before the first messages, which begin behind their keys' blocks, changed by a pad.
func (p *pairing) prepare(by pad) {
	if m := p.keys.one; m != nil {
		p.one.Join(&m.states[by], &m.states[by])
	}
}

// begin is the state in which two messages begin, and how many bytes have led to it.
func (p *pairing) begin(by pad, a, b int) (s *kernel.PairState, before int) {
	switch {
	case p.keys.one != nil:
		return &p.one, kernel.BlockSize
	case p.keys.each != nil:
		p.each.Join(&p.keys.each[a].states[by], &p.keys.each[b].states[by])
		return &p.each, kernel.BlockSize
	}
	return p.hash.PairInitial(), 0
}

// sum hashes two messages that fit each other, or one, which is both.
func (p *pairing) sum(a, b int) {
	s, before := p.begin(inner, a, b)
	p.pair.Sum(p.hash, s, before, p.messages[a], p.messages[b], p.digest(a), p.digest(b))
}

// sumEven hashes messages from the first on, as long as two neighbours have equally many blocks, and returns how many.
func (p *pairing) sumEven() (hashed int) {
	for ; hashed+1 < len(p.messages) && blocksOf(p.messages[hashed]) == blocksOf(p.messages[hashed+1]); hashed += 2 {
		p.sum(hashed, hashed+1)
	}
	return hashed
}

// sumNear hashes messages of a queue, the longest first, of which two neighbours fit each other, and returns the others.
func (p *pairing) sumNear(queue []uint16) (rest []uint16) {
	rest = queue[:0]
	for len(queue) > 1 {
		a, b := int(queue[0]), int(queue[1])
		if kernel.PairFits(len(p.messages[a]), len(p.messages[b])) {
			p.sum(a, b)
			queue = queue[2:]
			continue
		}
		rest = append(rest, queue[0]) // in place: no more is written than has been read
		queue = queue[1:]
	}
	return append(rest, queue...)
}

// sumLast hashes a message that no other is left for. A short one behind a key's block goes in both lanes: the library takes
// longer to be set to a state.
func (p *pairing) sumLast(message int) {
	if !p.keys.none() && blocksOf(p.messages[message]) <= nearBlocks {
		p.sum(message, message)
		return
	}
	p.sumOne(message)
}

// sumPairs hashes the messages.
func (j *job) sumPairs() {
	p := pairing{job: j}
	p.prepare(inner)
	done := p.sumEven()
	if done == len(j.messages)-1 {
		p.sumLast(done)
		return
	}
	var now job // outside of the loop, so that it stays on the stack
	for p.job = &now; done < len(j.messages); {
		n := min(len(j.messages)-done, maxBatch)
		now = j.part(done, done+n)
		if n <= few {
			p.sumFew()
		} else {
			p.sumMany()
		}
		done += n
	}
}

// sumFew hashes messages of any lengths, up to few.
func (p *pairing) sumFew() {
	var order [few]uint16
	queue := order[:len(p.messages)]
	sortFew(queue, p.messages)
	p.sumQueue(queue)
}

// sumMany hashes messages of any lengths, up to maxBatch.
func (p *pairing) sumMany() {
	var order [maxBatch]uint16
	queue := order[:len(p.messages)]
	sortByBlocks(queue, p.messages)
	p.sumQueue(queue)
}

// nearBlocks is up to how many blocks a message goes in a pair. Of a longer one a batch wastes less than a tenth of the time.
const nearBlocks = 16

// sumQueue hashes messages, the longest first. Unless one is so long that it takes all others to keep it company, the short
// ones go in pairs.
func (p *pairing) sumQueue(queue []uint16) {
	sum, short := 0, len(queue)
	for i, message := range queue {
		n := blocksOf(p.messages[message])
		sum += n
		if n <= nearBlocks {
			short = min(short, i)
		}
	}
	if short == 0 || 2*blocksOf(p.messages[queue[0]]) <= sum {
		near := p.sumNear(queue[short:])
		queue = queue[:short+len(near)]
	}
	switch {
	case len(queue) == 1:
		p.sumLast(int(queue[0]))
	case len(queue) > 1 && p.cost().pairsPay(p.messages, queue):
		p.runBatch(queue)
	default:
		for _, i := range queue {
			p.sumOne(int(i))
		}
	}
}

// pairsPay says whether messages of a queue, the longest first, are faster in two lanes than one by one.
func (c *cost) pairsPay(messages [][]byte, queue []uint16) bool {
	sum := 0
	for _, i := range queue {
		sum += blocksOf(messages[i])
	}
	longest := blocksOf(messages[queue[0]])
	lanes := c.mixed + len(queue)*c.event
	if others := sum - longest; longest > others {
		lanes += others*c.step + c.end + (longest-others)*c.block
	} else {
		lanes += (sum + 1) / 2 * c.step
	}
	return lanes < len(queue)*c.call+sum*c.block
}

// sumOuterPairs is sumOuter for two lanes.
func (j *job) sumOuterPairs() {
	p := pairing{job: j}
	p.prepare(outer)
	for i := 0; i < len(j.messages); i += 2 {
		next := min(i+1, len(j.messages)-1)
		a, b := j.digest(i), j.digest(next)
		s, before := p.begin(outer, i, next)
		p.pair.Sum(j.hash, s, before, a, b, a, b)
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
