package aes

import (
	"cmp"
	"slices"
	"sync"
	"unsafe"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/aes"
)

// A job is a message that lanes do: its number, the rounds of its key, and its bytes.
type job struct{ index, rounds, bytes int }

// maxJobs bounds the messages that are sorted at once.
const maxJobs = 1 << 10

// A bench is what a call that uses lanes works with. It comes from a pool and goes there without keys. It is so large
// that the runtime gives it pages of its own: a smaller one would begin 8 bytes behind a cache line, and every key would
// lie on two.
type bench struct {
	lanes  kernel.Lanes
	jobs   [maxJobs]job
	n      int
	begun  int                              // lanes that have been used
	most   int                              // lanes that have had a key of their own
	hashes [kernel.MaxLanes][BlockSize]byte // of messages that have ended before others
}

var _ [unsafe.Sizeof(bench{}) - 32<<10]byte // so large

var benches = sync.Pool{New: func() any { return new(bench) }}

func newBench() *bench { return benches.Get().(*bench) }

func (b *bench) done() {
	b.lanes.Forget(b.begun, b.most)
	b.n, b.begun, b.most = 0, 0, 0
	benches.Put(b)
}

func (b *bench) add(index, rounds, bytes int) {
	b.jobs[b.n] = job{index, rounds, bytes}
	b.n++
}

// sorted are the jobs with those of equal rounds side by side, the longest of them first. Most often they are in order.
func (b *bench) sorted() []job {
	jobs := b.jobs[:b.n]
	for i := 1; i < len(jobs); i++ {
		if a, b := jobs[i-1], jobs[i]; a.rounds > b.rounds || a.rounds == b.rounds && a.bytes < b.bytes {
			slices.SortStableFunc(jobs, before)
			break
		}
	}
	return jobs
}

func before(a, b job) int {
	if a.rounds != b.rounds {
		return cmp.Compare(a.rounds, b.rounds)
	}
	return cmp.Compare(b.bytes, a.bytes)
}

// take is how many of the first jobs run side by side.
func take(jobs []job) int {
	n := 1
	for n < min(len(jobs), kernel.MaxLanes) && jobs[n].rounds == jobs[0].rounds {
		n++
	}
	return n
}

// chain encrypts the jobs that have begun in lanes until at most one is left, under one key or under their own if it
// is nil, and returns how many bytes of that have been done. Lanes end from the last on.
func (b *bench) chain(one *kernel.Keys, jobs []job) (bytes int) {
	done, active := 0, len(jobs)
	for active > 1 {
		steps := min(jobs[active-1].bytes/BlockSize-done, kernel.MaxSteps)
		if one != nil {
			b.lanes.CBCEncrypt(one, active, steps)
		} else {
			b.lanes.CBCEncryptKeyed(jobs[0].rounds, active, steps)
		}
		for done += steps; active > 0 && jobs[active-1].bytes == done*BlockSize; {
			active--
		}
		b.lanes.Advance(active, steps)
	}
	return done * BlockSize
}

// encryptBatch does up to maxJobs messages.
func (b *bench) encryptBatch(streams []CBCStream) {
	b.n = 0
	for i := range streams {
		s := &streams[i]
		switch {
		case len(s.Src) == 0:
		case s.Cipher.std != nil:
			s.Cipher.encryptCBC(s.Dst[:len(s.Src)], s.Src, s.IV)
		default:
			b.add(i, s.Cipher.keys.Rounds(), len(s.Src))
		}
	}
	for jobs := b.sorted(); len(jobs) > 0; {
		n := take(jobs)
		b.encryptCiphers(streams, jobs[:n])
		jobs = jobs[n:]
	}
}

func (b *bench) encryptCiphers(streams []CBCStream, jobs []job) {
	b.begun = max(b.begun, len(jobs))
	first := &streams[jobs[0].index]
	one := &first.Cipher.keys
	for i, j := range jobs {
		s := &streams[j.index]
		b.lanes.Begin(i, s.Dst, s.Src, s.IV)
		if s.Cipher != first.Cipher {
			one = nil
		}
	}
	if one == nil {
		for i, j := range jobs {
			b.lanes.Key(i, &streams[j.index].Cipher.keys)
		}
		b.most = max(b.most, len(jobs))
	}
	if at := b.chain(one, jobs); at < len(first.Src) {
		iv := b.lanes.Last(0)
		first.Cipher.keys.CBCEncrypt(first.Dst[at:len(first.Src)], first.Src[at:], &iv)
	}
}

// encryptKeysBatch does up to maxJobs messages under raw keys.
func (b *bench) encryptKeysBatch(streams []CBCKeyStream) {
	b.n = 0
	for i := range streams {
		if s := &streams[i]; len(s.Src) > 0 {
			b.add(i, kernel.RoundsOf(len(s.Key)), len(s.Src))
		}
	}
	for jobs := b.sorted(); len(jobs) > 0; {
		n := take(jobs)
		b.encryptKeys(streams, jobs[:n])
		jobs = jobs[n:]
	}
}

func (b *bench) encryptKeys(streams []CBCKeyStream, jobs []job) {
	b.begun = max(b.begun, len(jobs))
	first := &streams[jobs[0].index]
	for i, j := range jobs {
		s := &streams[j.index]
		b.lanes.Begin(i, s.Dst, s.Src, s.IV)
		b.lanes.RawKey(i, &s.Key[0])
	}
	if len(jobs) > 1 {
		b.expand(len(jobs), len(first.Key))
	}
	if at := b.chain(nil, jobs); at < len(first.Src) {
		var k kernel.Keys
		iv := b.lanes.Last(0)
		k.ExpandForward(first.Key)
		k.CBCEncrypt(first.Dst[at:len(first.Src)], first.Src[at:], &iv)
	}
}

// expand makes the schedules of the raw keys of the first lanes.
func (b *bench) expand(lanes, bytes int) {
	b.lanes.Expand(lanes, bytes)
	b.most = max(b.most, lanes)
}
