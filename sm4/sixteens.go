package sm4

import (
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// How many messages are cut into groups of sixteen lanes, and what is done by itself.

// laneMost is the longest text that goes into lanes: beyond, one message alone is as fast.
const laneMost = 4096

// laneUnit is what a lane takes in a step.
const laneUnit = 64

// inOrder are the first sixteen messages.
var inOrder = [16]uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// A laneCost is how long messages take, in thousandths of the time of a step of sixteen lanes, as measured on a
// Sapphire Rapids: one by itself of at most a unit, a longer one at the start and for each unit, and lanes at the start.
// On processors of more vector units lanes are better than that.
type laneCost struct{ least, start, unit, lanes int }

var (
	rawCost  = laneCost{least: 480, start: 1030, unit: 60, lanes: 1760}
	keptCost = laneCost{least: 310, start: 310, unit: 56, lanes: 1480}
	ctrCost  = laneCost{least: 200, start: 200, unit: 50, lanes: 500}
)

// single is one message of so many steps by itself.
func (c laneCost) single(steps uint8) int {
	if steps <= 1 {
		return c.least
	}
	return c.start + c.unit*int(steps)
}

// A sorter puts messages into order by their number of steps, the longest first, without comparing them.
type sorter struct {
	index []uint32
	steps []uint8
	order []uint32
	start [laneMost/laneUnit + 2]uint32
}

func (s *sorter) reset() {
	s.index, s.steps = s.index[:0], s.steps[:0]
}

// add names a message of at most laneMost bytes.
func (s *sorter) add(message, bytes int) {
	s.index = append(s.index, uint32(message))
	s.steps = append(s.steps, uint8((bytes+laneUnit-1)/laneUnit))
}

// sort returns the messages with their steps.
func (s *sorter) sort() {
	n := len(s.index)
	same := true
	for _, steps := range s.steps {
		same = same && steps == s.steps[0]
	}
	if same {
		return
	}
	s.start = [len(s.start)]uint32{}
	for _, steps := range s.steps {
		s.start[steps]++
	}
	// Where the messages of each number of steps begin, from the highest number down.
	at := uint32(0)
	for i := len(s.start) - 1; i >= 0; i-- {
		at, s.start[i] = at+s.start[i], at
	}
	if cap(s.order) < n {
		s.order = make([]uint32, n)
	}
	order := s.order[:n]
	for i, message := range s.index {
		steps := s.steps[i]
		order[s.start[steps]] = message
		s.start[steps]++
	}
	// Now start has where they end.
	from := uint32(0)
	for i := len(s.start) - 1; i >= 0; i-- {
		for ; from < s.start[i]; from++ {
			s.steps[from] = uint8(i)
		}
	}
	s.index, s.order = order, s.index
}

// alone is how many of the next messages, the longest first, are better done by themselves before the others go
// into lanes: all of them if lanes don't pay.
func (c laneCost) alone(steps []uint8) int {
	steps = steps[:min(len(steps), 16)]
	best, bestCost, before := len(steps), 0, 0
	for _, n := range steps {
		bestCost += c.single(n)
	}
	for i, n := range steps {
		if i == 0 || n < steps[i-1] {
			if cost := before + c.lanes + 1000*int(n); cost < bestCost {
				best, bestCost = i, cost
			}
		}
		before += c.single(n)
	}
	return best
}

// each calls single for every message that is better done by itself, and lanes for groups of up to sixteen.
func (s *sorter) each(c laneCost, single func(message int), lanes func(messages []uint32)) {
	s.sort()
	for from := 0; from < len(s.index); {
		for range c.alone(s.steps[from:]) {
			single(int(s.index[from]))
			from++
		}
		if to := min(from+16, len(s.index)); from < to {
			lanes(s.index[from:to])
			from = to
		}
	}
}

// A manyWork is the memory of one call. What the kernels read comes first, at the start of a cache line.
type manyWork struct {
	lanes kernel.Sixteen
	oneKey
	raw, kept sorter
	expanded  bool // lanes held raw keys
}

var manyWorks = sync.Pool{New: func() any { return new(manyWork) }}

func newManyWork() *manyWork {
	w := manyWorks.Get().(*manyWork)
	w.raw.reset()
	w.kept.reset()
	return w
}

// release wipes what raw keys left. What is made of ciphers stays until the garbage collector takes it, as they do.
func (w *manyWork) release() {
	w.wipe()
	switch {
	case w.expanded:
		w.expanded = false
		w.lanes.Wipe()
	case len(w.kept.index) > 0:
		w.lanes.Forget()
	}
	if cap(w.raw.index) <= buffers.MostKept && cap(w.kept.index) <= buffers.MostKept {
		manyWorks.Put(w)
	}
}

// sorterFor is where a message goes that has one of these keys and so many bytes, or nil where it isn't for lanes.
func (w *manyWork) sorterFor(c *Cipher, k kernel.Kernel, bytes int) *sorter {
	switch {
	case bytes > laneMost:
		return nil
	case c == nil && k.Fused():
		return &w.raw
	case c != nil && c.kernel.Fused():
		return &w.kept
	}
	return nil
}

// addKey gives a lane its key, keys makes the schedules of all.
func (w *manyWork) addKey(lane int, c *Cipher, key []byte) {
	if c != nil {
		w.lanes.SetSchedule(lane, &c.enc, &c.zero)
		return
	}
	w.lanes.SetKey(lane, (*[KeySize]byte)(key))
}

func (w *manyWork) keys(form keyForm) {
	if form == rawKey {
		w.expanded = true
		w.lanes.Expand()
	} else {
		w.lanes.Gather()
	}
}
