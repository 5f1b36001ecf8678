package worker

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A process that waits for a CPU does not hang, and on a machine with many times more to do than it has
// CPUs an honest answer is late for nothing else. So one whose time is up gets a share of it again, of
// which the time that it spends in the queue for a CPU does not count.
const (
	overtimeShare = 4 // one part in so many
	overtimeMost  = 4 // but no longer than so many times the time that it had,
	overtimeBound = 30 * time.Second
	OvertimeLook  = 50 * time.Millisecond // how often to ask whether it is up
)

// Overtime is what a process gets whose time is up.
type Overtime struct {
	had    time.Duration
	start  time.Time
	queued func() time.Duration
}

// NewOvertime begins that of a process which had so long.
func NewOvertime(pid int, had time.Duration) *Overtime {
	return newOvertime(had, queueing(procfs, pid))
}

func newOvertime(had time.Duration, queued func() time.Duration) *Overtime {
	return &Overtime{had, time.Now(), queued}
}

// Up says whether it is over, too.
func (o *Overtime) Up() bool {
	over := time.Since(o.start)
	return over >= min(overtimeMost*o.had, overtimeBound) || over-o.queued() >= o.had/overtimeShare
}

// Queueing is how long a process has waited for a CPU since it began, see [queue].
func Queueing(pid int) func() time.Duration {
	q := &queue{root: procfs, pid: pid}
	return func() time.Duration { return q.look(time.Now()) }
}

// queueing is how long it has since now.
func queueing(root string, pid int) func() time.Duration {
	q := &queue{root: root, pid: pid}
	q.look(time.Now())
	for _, w := range q.threads {
		w.before = w.waited
	}
	return func() time.Duration { return q.look(time.Now()) }
}

// queue is how long a process has waited for a CPU: its thread that waited longest, and that of each process that
// it started, since it waits for those: benchmarks of a test binary run in processes of their own. What ended
// meanwhile counts as far as it was seen. It is 0 where the kernel doesn't tell.
type queue struct {
	root    string
	pid     int
	threads map[string]*waiting // by its folder in /proc
}

// waiting is one thread at the latest look.
type waiting struct {
	schedstat
	before time.Duration // of waited, which does not count
	since  time.Time     // when it was first seen in the queue, without a CPU since then; zero where it is not in it
	going  time.Duration // from then on
}

// longestTick is how old what the kernel says of a thread that runs may be: it counts at each tick of its clock, of
// which there are at least 100 a second.
const longestTick = 10 * time.Millisecond

// look is to be asked again and again: the kernel counts a wait only when it is over, so that one which goes on is
// known only by a thread that wants a CPU and does not come on.
func (q *queue) look(now time.Time) (sum time.Duration) {
	if q.threads == nil {
		q.threads = map[string]*waiting{}
	}
	q.process(q.pid, now)
	longest := map[string]time.Duration{} // by process
	for thread, w := range q.threads {
		process := filepath.Dir(filepath.Dir(thread))
		longest[process] = max(longest[process], w.waited+w.going-w.before)
	}
	for _, waited := range longest {
		sum += waited
	}
	return sum
}

// runnable is the state of a thread that has a CPU or waits for one.
const runnable = 'R'

// state is the third field of /proc/PID/task/TID/stat (proc_pid_stat(5)), behind a name with any characters in
// parentheses; 0 where nobody tells.
func state(thread string) byte {
	text, _ := os.ReadFile(filepath.Join(thread, "stat"))
	if end := bytes.LastIndex(text, []byte(") ")); end >= 0 && end+2 < len(text) {
		return text[end+2]
	}
	return 0
}

// seen takes what is known of it now.
func (w *waiting) seen(s schedstat, state byte, now time.Time) {
	switch {
	case state != runnable:
		w.since = time.Time{}
	case w.since.IsZero() || s != w.schedstat:
		w.since = now
	}
	w.schedstat, w.going = s, 0
	if going := now.Sub(w.since); !w.since.IsZero() && going > longestTick {
		w.going = going
	}
}

func (q *queue) process(pid int, now time.Time) {
	for thread, s := range threads(q.root, pid) {
		w := q.threads[thread]
		if w == nil {
			w = &waiting{}
			q.threads[thread] = w
		}
		w.seen(s, state(thread), now)
		started, _ := os.ReadFile(filepath.Join(thread, "children")) // which not every kernel tells
		for _, child := range strings.Fields(string(started)) {
			if id, err := strconv.Atoi(child); err == nil {
				q.process(id, now)
			}
		}
	}
}
