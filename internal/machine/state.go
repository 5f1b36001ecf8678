package machine

import (
	"bytes"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/result"
)

// State is what moves while a program runs. Read it before and after a run;
// what happened within is the difference.
type State struct {
	Throttled int64   `json:"throttled"` // periods in which a quota has stopped the process's cgroup, ever
	CPU       CPUTime `json:"cpu"`
	Load      float64 `json:"load"` // the mean number of threads that ran or waited to, over the last minute; 0 where unknown
}

// ReadState reads the state of this machine, in about 0.2 ms.
func ReadState() State { return ReadStateFrom(root()) }

func ReadStateFrom(fsys fs.FS) State {
	s := source{fsys}
	c := s.throttleCounter()
	defer c.Close()
	return State{c.Read(), s.cpuTime(), s.load()}
}

// Strain is what happened to the machine since earlier.
func (s State) Strain(earlier State) result.Strain {
	now, then := s.CPU, earlier.CPU
	steal, total := now.Steal-then.Steal, now.Total-then.Total
	return result.Strain{StealSeconds: steal, CPUSeconds: total, Throttled: s.Throttled - earlier.Throttled,
		UsedSeconds: total - (now.Idle - then.Idle) - steal, OwnSeconds: now.Own - then.Own,
		LoadBefore: earlier.Load, LoadAfter: s.Load}
}

// CPUTime is the time of all CPUs of the machine in seconds, summed since it
// started; steps are a hundredth. It is zero where unknown.
type CPUTime struct {
	Steal float64 `json:"steal_seconds"` // taken by the hypervisor while we wanted to run
	Idle  float64 `json:"idle_seconds"`  // waiting for input and output included
	Total float64 `json:"total_seconds"` // of all kinds, steal and idle included
	Own   float64 `json:"own_seconds"`   // of this process and of those of its children that have ended
}

// userHertz is the unit of /proc/stat: USER_HZ, 100 on every architecture that
// Go runs on.
const userHertz = 100

// cpuTime reads the first line of /proc/stat (proc_stat(5)): user nice system
// idle iowait irq softirq steal, and guest times that user already includes.
func (s source) cpuTime() CPUTime {
	first, _, _ := strings.Cut(s.text("proc/stat"), "\n")
	times, ours := strings.CutPrefix(first, "cpu ")
	ticks, ok := numbers(strings.Fields(times), 8)
	if !ours || !ok {
		return CPUTime{}
	}
	t := CPUTime{Idle: (ticks[3] + ticks[4]) / userHertz, Steal: ticks[7] / userHertz}
	for _, n := range ticks {
		t.Total += n / userHertz
	}
	t.Own = s.ownTime()
	return t
}

// ownTime is the sum of utime, stime, cutime and cstime of /proc/self/stat (proc_pid_stat(5)): the 14th
// field to the 17th, behind a name that may hold blanks.
func (s source) ownTime() (seconds float64) {
	text := s.text("proc/self/stat")
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) < 15 {
		return 0
	}
	ticks, _ := numbers(fields[11:], 4)
	for _, n := range ticks {
		seconds += n / userHertz
	}
	return seconds
}

// load reads /proc/loadavg: the means over the last 1, 5 and 15 minutes.
func (s source) load() float64 {
	v, ok := numbers(strings.Fields(s.text("proc/loadavg")), 3)
	if !ok || slices.Max(v) >= 1e9 {
		return 0
	}
	return v[0]
}

// numbers reads the first n of fields, none of which is negative.
func numbers(fields []string, n int) (v []float64, ok bool) {
	if len(fields) < n {
		return nil, false
	}
	for _, field := range fields[:n] {
		x, err := strconv.ParseFloat(field, 64)
		if err != nil || !(x >= 0 && x < 1e18) {
			return nil, false
		}
		v = append(v, x)
	}
	return v, true
}

// throttled are the groups whose counts are to be summed. A group counts its own quota only,
// so every group above that has one matters; without any, the own group stands
// for all, should it be given a quota later.
func (s source) throttled() []string {
	dirs := s.group("cpu").dirs
	limited := slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool { return s.quota(dir) == 0 })
	if len(limited) == 0 && len(dirs) > 0 {
		return dirs[:1]
	}
	return limited
}

// ThrottleCounter reads the number of throttled periods around every sample:
// the files stay open and nothing is allocated. One goroutine may use it.
type ThrottleCounter struct {
	files []fs.File
	buf   [4096]byte // larger than any cpu.stat
}

// OpenThrottleCounter opens the counter of this process's groups. Where there
// is none, the counter reads 0.
func OpenThrottleCounter() *ThrottleCounter { return source{root()}.throttleCounter() }

func (s source) throttleCounter() *ThrottleCounter {
	c := &ThrottleCounter{}
	for _, dir := range s.throttled() {
		f, err := s.fsys.Open(dir + "/cpu.stat")
		if err != nil {
			continue
		}
		if _, ok := c.readFile(f); ok {
			c.files = append(c.files, f)
		} else { // the root group of version 2 has no quota to count
			f.Close()
		}
	}
	return c
}

// Read returns the number of throttled periods so far, summed over the groups.
func (c *ThrottleCounter) Read() int64 {
	var sum int64
	for _, f := range c.files {
		n, _ := c.readFile(f)
		sum += n
	}
	return sum
}

func (c *ThrottleCounter) Close() {
	for _, f := range c.files {
		f.Close()
	}
	c.files = nil
}

func (c *ThrottleCounter) readFile(f fs.File) (int64, bool) {
	if file, ok := f.(io.ReaderAt); ok {
		if n, err := file.ReadAt(c.buf[:], 0); err == nil || err == io.EOF {
			return counter(c.buf[:n])
		}
	}
	return 0, false
}

func counter(text []byte) (int64, bool) {
	for line := range bytes.Lines(text) {
		if digits, is := bytes.CutPrefix(line, []byte("nr_throttled ")); is {
			n, err := strconv.ParseUint(string(bytes.TrimSuffix(digits, []byte("\n"))), 10, 63)
			return int64(n), err == nil
		}
	}
	return 0, false
}
