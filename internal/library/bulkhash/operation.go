package bulkhash

import (
	"bytes"
	"runtime/debug"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/library/peak"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

var errNotRun = reason.New("not-run")

// operation hashes all messages of a case a call.
type operation[D Digest] struct {
	Shape
	vector  *provider.Vector
	digests []D
	way     way
	ran     bool

	grown int64 // by how much the first call made the process grow
	known bool  // the kernel tells
	first bool  // it is still to come, and is to tell
}

// leastTold is how many bytes a call hashes at least whose memory is told, since that
// takes several times as long as to hash a few messages.
const leastTold = 1 << 20

func newOperation[D Digest](s Shape, v *provider.Vector, loops Loops[D]) (provider.Operation, error) {
	o := &operation[D]{Shape: s, vector: v, digests: make([]D, s.Messages), first: s.Bytes >= leastTold}
	w, err := newWay(s, o.digests, cut(v, s.Messages), loops)
	if err != nil {
		release(v)
		return nil, err
	}
	o.way = w
	o.spoil()
	if s.Parallel() {
		return parallel[D]{o}, nil
	}
	return o, nil
}

// Run hashes all messages n times.
func (o *operation[D]) Run(n int) error {
	o.ran = n > 0
	if o.first && n > 0 {
		o.first = false
		return o.firstRun(n)
	}
	return o.run(n)
}

func (o *operation[D]) run(n int) error {
	for range n {
		if err := o.way.call(); err != nil {
			return err
		}
	}
	return nil
}

// firstRun is the first one, which nobody times. Memory that earlier operations of
// the process left behind is given to the system before, so that what this one needs
// is seen as growth.
func (o *operation[D]) firstRun(n int) error {
	debug.FreeOSMemory()
	before, ok := peak.Restart()
	err := o.run(n)
	most, told := peak.Read()
	o.grown, o.known = max(0, most-before), ok && told
	return err
}

// Record tells by how much the process grew at most while it ran the first call: what
// the call has in hand at once, in stacks of goroutines and garbage. The messages and
// the digests are there before. The kernel counts pages in batches, so it is exact to
// about 100 KiB a CPU.
func (o *operation[D]) Record() (r result.Record, err error) {
	if o.known {
		r.Metrics = []result.Metric{{Name: "memory_peak_bytes", Value: float64(o.grown), Unit: "B"}}
	}
	return r, nil
}

// Check judges every digest, and spoils them.
func (o *operation[D]) Check() error {
	if !o.ran {
		return errNotRun
	}
	o.ran = false
	defer o.spoil()
	return judge(flat(o.digests), o.vector.Digest, SizeOf[D]())
}

// judge compares digests of so many bytes each with what they should be. A digest
// that belongs to another message is named as such: goroutines mix things up.
func judge(got, want []byte, size int) error {
	if bytes.Equal(got, want) {
		return nil
	}
	wrong, first := 0, -1
	n := len(want) / size
	at := func(of []byte, i int) []byte { return of[i*size : (i+1)*size] }
	for i := range n {
		if !bytes.Equal(at(got, i), at(want, i)) {
			if wrong++; first < 0 {
				first = i
			}
		}
	}
	what := reason.Cause("digest-wrong")
	for i := range n {
		if i != first && bytes.Equal(at(got, first), at(want, i)) {
			what = reason.Cause("digest-of", i+1)
			break
		}
	}
	return reason.New("digests-wrong", n, wrong, first+1, what)
}

// spoil makes every digest wrong, so that nothing passes that was not computed anew.
func (o *operation[D]) spoil() {
	got := flat(o.digests)
	for i := range got {
		got[i] = ^o.vector.Digest[i]
	}
}

// flat is digests as bytes.
func flat[D Digest](digests []D) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&digests[0])), len(digests)*SizeOf[D]())
}

func (o *operation[D]) Loop() string { return LoopKind }

func (o *operation[D]) Close() error {
	o.way.close()
	release(o.vector)
	return nil
}

// parallel is an operation of several goroutines, for which the measuring one waits.
type parallel[D Digest] struct{ *operation[D] }

func (parallel[D]) Clock() result.Clock { return result.WallClock }
