package service

import (
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// home is the one CPU that the server has, and what was before.
type home struct {
	others []int         // CPUs for the client; none where there is no other, or nobody is pinned
	before map[int][]int // by thread
	procs  int           // 0 where nothing was changed
}

// settled is the home of all services of this process, while there is one: a process has its threads once.
var settled struct {
	sync.Mutex
	*home
	users int
}

func settle() *home {
	settled.Lock()
	defer settled.Unlock()
	if settled.users++; settled.users == 1 {
		settled.home = moveIn()
	}
	return settled.home
}

func (h *home) leave() {
	settled.Lock()
	defer settled.Unlock()
	if settled.users--; settled.users == 0 {
		h.moveOut()
	}
}

// moveIn keeps all threads of this process to the CPU that the measuring one is pinned to. A thread that the
// runtime starts later has the CPUs of the one that starts it. Where the measuring thread is not pinned, or
// the system forbids it, all stays as it is.
func moveIn() *home {
	h := &home{before: map[int][]int{}}
	mine, err := clock.AllowedCPUs(0)
	if err != nil || len(mine) != 1 {
		return h
	}
	for _, thread := range threads() {
		had, err := clock.AllowedCPUs(thread)
		if err != nil || clock.Allow(thread, mine) != nil {
			continue // it has ended
		}
		h.before[thread] = had
		for _, cpu := range had {
			if cpu != mine[0] && !slices.Contains(h.others, cpu) {
				h.others = append(h.others, cpu)
			}
		}
	}
	slices.Sort(h.others)
	h.procs = runtime.GOMAXPROCS(1)
	return h
}

// moveOut gives threads back what they had. Those that were started meanwhile may run where others may.
func (h *home) moveOut() {
	if h.procs == 0 {
		return
	}
	runtime.GOMAXPROCS(h.procs)
	self := unix.Gettid()
	for _, thread := range threads() {
		had, known := h.before[thread]
		if thread == self || !known && len(h.others) == 0 {
			continue
		}
		if !known {
			had = append(slices.Clone(h.others), h.before[self]...)
		}
		_ = clock.Allow(thread, had)
	}
}

func threads() (ids []int) {
	entries, _ := os.ReadDir("/proc/self/task")
	for _, e := range entries {
		if id, err := strconv.Atoi(e.Name()); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// KeepTo lets all threads of this process run on the given CPUs only, as far as the system allows. Threads
// that come later do as those that start them.
func KeepTo(list []int) {
	if len(list) == 0 {
		return
	}
	for _, thread := range threads() {
		_ = clock.Allow(thread, list)
	}
	runtime.GOMAXPROCS(len(list))
}

// roomFor says whether so many more files and connections can be open. A server that can't accept a connection does
// not say so: its client would wait for an answer that never comes.
func roomFor(connections int) error {
	const beside = 8 // the listener, the pipe to the client, and what the runtime opens
	var limit unix.Rlimit
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil || unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return nil // accepting tells
	}
	if left := int(min(limit.Cur, math.MaxInt32)) - len(open); connections+beside > left {
		return provider.Unsupported("descriptors", connections+beside, max(0, left))
	}
	return nil
}
