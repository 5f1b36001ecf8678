package machine

import (
	"io/fs"
	"strconv"
	"strings"
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

// CPUTime is the time of all CPUs of the machine in seconds, summed since it
// started; steps are a hundredth.
type CPUTime struct {
	Known bool    `json:"known"`
	Steal float64 `json:"steal_seconds"` // taken by the hypervisor while we wanted to run
	Idle  float64 `json:"idle_seconds"`  // waiting for input and output included
	Total float64 `json:"total_seconds"` // of all kinds, steal and idle included
}

func (t CPUTime) Sub(earlier CPUTime) CPUTime {
	return CPUTime{t.Known && earlier.Known, t.Steal - earlier.Steal, t.Idle - earlier.Idle, t.Total - earlier.Total}
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
	return t
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
