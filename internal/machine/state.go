package machine

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/result"
)

// State is what moves while a program runs. Read it before and after a run;
// what happened within is the difference.
type State struct {
	Throttle        Throttle `json:"throttle"`
	CPU             CPUTime  `json:"cpu"`
	Load            Load     `json:"load"`
	MemoryAvailable int64    `json:"memory_available_bytes"` // 0 where unknown
}

// ReadState reads the state of this machine, in about 0.2 ms.
func ReadState() State { return ReadStateFrom(root()) }

func ReadStateFrom(fsys fs.FS) State {
	s := source{fsys}
	return State{s.throttled(), s.cpuTime(), s.load(), s.memory().Available}
}

// Sub returns what the counters moved since earlier. Load and available memory
// are no counters: they are those of s.
func (s State) Sub(earlier State) State {
	s.Throttle = s.Throttle.Sub(earlier.Throttle)
	s.CPU = s.CPU.Sub(earlier.CPU)
	return s
}

// Strain is what happened to the machine since earlier.
func (s State) Strain(earlier State) result.Strain {
	moved := s.Sub(earlier)
	return result.Strain{StealSeconds: moved.CPU.Steal, CPUSeconds: moved.CPU.Total, Throttled: moved.Throttle.Count,
		UsedSeconds: moved.CPU.Total - moved.CPU.Idle - moved.CPU.Steal, OwnSeconds: moved.CPU.Own,
		LoadBefore: earlier.Load.One, LoadAfter: s.Load.One}
}

// CPUTime is the time of all CPUs of the machine in seconds, summed since it
// started; steps are a hundredth.
type CPUTime struct {
	Known bool    `json:"known"`
	Steal float64 `json:"steal_seconds"` // taken by the hypervisor while we wanted to run
	Idle  float64 `json:"idle_seconds"`  // waiting for input and output included
	Total float64 `json:"total_seconds"` // of all kinds, steal and idle included
	Own   float64 `json:"own_seconds"`   // of this process and of those of its children that have ended; 0 where unknown
}

func (t CPUTime) Sub(earlier CPUTime) CPUTime {
	return CPUTime{t.Known && earlier.Known, t.Steal - earlier.Steal, t.Idle - earlier.Idle, t.Total - earlier.Total, t.Own - earlier.Own}
}

// StealShare is the part of the time that was stolen, 0 to 1; 0 where no time
// has passed.
func (t CPUTime) StealShare() float64 {
	if t.Total <= 0 {
		return 0
	}
	return t.Steal / t.Total
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
	t := CPUTime{Known: true, Idle: (ticks[3] + ticks[4]) / userHertz, Steal: ticks[7] / userHertz}
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

// Load is the mean number of threads that run or wait to, over the last 1, 5
// and 15 minutes.
type Load struct {
	Known   bool    `json:"known"`
	One     float64 `json:"one"`
	Five    float64 `json:"five"`
	Fifteen float64 `json:"fifteen"`
}

func (s source) load() Load {
	v, ok := numbers(strings.Fields(s.text("proc/loadavg")), 3)
	if !ok || max(v[0], v[1], v[2]) >= 1e9 {
		return Load{}
	}
	return Load{Known: true, One: v[0], Five: v[1], Fifteen: v[2]}
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

// Throttle is how often, and for how long, the cgroup's quota has stopped this
// process's group, since the group was made.
type Throttle struct {
	Known   bool    `json:"known"`     // false where no group counts it
	Periods int64   `json:"periods"`   // of the quota that have passed
	Count   int64   `json:"throttled"` // periods in which the group was stopped
	Seconds float64 `json:"seconds"`   // stopped, summed over CPUs
}

func (t Throttle) Sub(earlier Throttle) Throttle {
	return Throttle{t.Known && earlier.Known, t.Periods - earlier.Periods, t.Count - earlier.Count,
		t.Seconds - earlier.Seconds}
}

func (s source) throttled() Throttle {
	var t Throttle
	for _, file := range s.throttleFiles() {
		text := s.text(file)
		count, ok := parseInt(field(text, "nr_throttled", " "))
		if !ok {
			continue
		}
		periods, _ := parseInt(field(text, "nr_periods", " "))
		micros, _ := parseInt(field(text, "throttled_usec", " ")) // version 2
		nanos, _ := parseInt(field(text, "throttled_time", " "))  // version 1
		t.Known = true
		t.Periods += periods
		t.Count += count
		t.Seconds += float64(micros)*1e-6 + float64(nanos)*1e-9
	}
	return t
}

// throttleFiles are the counts to be summed. A group counts its own quota only,
// so every group above that has one matters; without any, the own group stands
// for all, should it be given a quota later.
func (s source) throttleFiles() []string {
	g, ok := s.group("cpu")
	if !ok {
		return nil
	}
	var files []string
	for _, dir := range g.dirs {
		if s.quota(g.version, dir) > 0 {
			files = append(files, dir+"/cpu.stat")
		}
	}
	if len(files) == 0 {
		files = append(files, g.dirs[0]+"/cpu.stat")
	}
	return files
}

// ThrottleCounter reads the number of throttled periods around every sample:
// the files stay open and nothing is allocated. One goroutine may use it.
type ThrottleCounter struct {
	files []throttleFile
	buf   [4096]byte // larger than any cpu.stat
}

type throttleFile interface {
	fs.File
	io.ReaderAt
}

// OpenThrottleCounter opens the counter of this process's groups. Where there
// is none, the counter reads 0.
func OpenThrottleCounter() *ThrottleCounter { return source{root()}.throttleCounter() }

func (s source) throttleCounter() *ThrottleCounter {
	c := &ThrottleCounter{}
	for _, name := range s.throttleFiles() {
		opened, err := s.fsys.Open(name)
		if err != nil {
			continue
		}
		file, ok := opened.(throttleFile)
		if ok {
			_, ok = c.readFile(file)
		}
		if !ok { // the root group of version 2 has no quota to count
			opened.Close()
			continue
		}
		c.files = append(c.files, file)
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

func (c *ThrottleCounter) Close() error {
	var errs []error
	for _, f := range c.files {
		errs = append(errs, f.Close())
	}
	c.files = nil
	return errors.Join(errs...)
}

func (c *ThrottleCounter) readFile(f io.ReaderAt) (int64, bool) {
	n, err := f.ReadAt(c.buf[:], 0)
	if err != nil && err != io.EOF {
		return 0, false
	}
	return counter(c.buf[:n], "nr_throttled ")
}

func counter(text []byte, key string) (int64, bool) {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		if len(line) > len(key) && string(line[:len(key)]) == key {
			n, err := strconv.ParseUint(string(line[len(key):]), 10, 63)
			return int64(n), err == nil
		}
		text = rest
	}
	return 0, false
}
