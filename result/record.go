package result

import (
	"bytes"
	"encoding/json"
	"time"
)

// Header opens a run file.
type Header struct {
	Schema    string    `json:"schema"`            // SchemaRun
	Tool      string    `json:"tool"`              // version of cryptogauge
	Started   time.Time `json:"started"`           // wall clock, for people
	Command   []string  `json:"command,omitempty"` // what was typed after the program's name
	Suite     string    `json:"suite,omitempty"`   // "quick", "full", or the experiments' names
	Title     string    `json:"title,omitempty"`   // what the user calls the run
	Note      string    `json:"note,omitempty"`    // and says of it
	Seed      uint64    `json:"seed"`
	Machine   Machine   `json:"machine"`
	Libraries []Library `json:"libraries"`
	// Environment lists the variables, as NAME=value, that were set and change how the code under test runs.
	Environment []string `json:"environment,omitempty"`
	CPU         int      `json:"cpu"`               // that the measuring threads stayed on; -1 where they were not pinned
	Counter     string   `json:"counter,omitempty"` // why no cycle counter could be read; empty where one could
	// Mix is the histogram of message sizes that cases with the parameter sizes=mix replay.
	Mix []SizeShare `json:"mix,omitempty"`
	// Own is the user's own data that stood for the drawn plaintexts; null where all were drawn.
	Own *OwnData `json:"sample,omitempty"`
	// Logins is what a service allows a login, which password hashes were chosen for; null where none were.
	Logins *LoginBudget `json:"logins,omitempty"`
	// Budget is the wall time that the run was given, in seconds, Reserved what was kept beside it for a run that
	// follows, Whole what all of the plan would take, and LeftOut what was cut from it before it began.
	Budget   float64   `json:"budget_seconds,omitempty"`
	Reserved float64   `json:"reserved_seconds,omitempty"`
	Whole    float64   `json:"whole_seconds,omitempty"`
	LeftOut  []LeftOut `json:"left_out,omitempty"`
	// Compared says what the sides of a comparison are; null of other runs.
	Compared *Compared `json:"compared,omitempty"`
	// Workload is what a plan was made for, in the words of package decide; null of other runs.
	Workload json.RawMessage `json:"workload,omitempty"`
}

// OwnData says which data of the user's were encrypted, and nothing of what is in them.
type OwnData struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // in hexadecimal
}

// Is says whether two runs were of the same data: both nil where both were drawn.
func (o *OwnData) Is(other *OwnData) bool {
	if o == nil || other == nil {
		return o == other
	}
	return *o == *other
}

// LoginBudget is what a service allows a login.
type LoginBudget struct {
	Seconds   float64 `json:"seconds"`      // of CPU time
	Memory    int64   `json:"memory_bytes"` // at once
	PerSecond float64 `json:"per_second"`   // logins, of all users
}

// Compared is what a run sets against each other: versions of a library, revisions, programs.
type Compared struct {
	Sides     []Side  `json:"sides"`     // the first is what the others are held against
	Tolerance float64 `json:"tolerance"` // the share of its speed that may be lost
}

// Side is one of them.
type Side struct {
	Side    string `json:"side"`              // in the environment of its subjects: "A" for the first
	Name    string `json:"name"`              // as it was typed
	Version string `json:"version,omitempty"` // that was built, where the name does not say it
	Notes   []Note `json:"notes,omitempty"`   // on how it was built
}

// Note is a remark in English and Chinese.
type Note struct {
	EN string `json:"en"`
	ZH string `json:"zh"`
}

// LeftOut is a part of a plan that was not measured, so that the run ends in the time that it was given.
type LeftOut struct {
	What    string  `json:"what"`
	Cause           // of that
	Seconds float64 `json:"seconds"` // of wall time that it was thought to take
}

// SizeShare is a line of a histogram of message sizes.
type SizeShare struct {
	Bytes  int64   `json:"bytes"`
	Weight float64 `json:"weight"` // above 0; shares are weights over their sum
}

// Library is a library that was found, and where.
type Library struct {
	Library        string `json:"library"`
	Version        string `json:"version"`
	Implementation string `json:"implementation,omitempty"`
	CallPath       string `json:"call_path"`
	Runtime        string `json:"runtime,omitempty"` // see Subject
	Path           string `json:"path,omitempty"`    // of a shared object
	SHA256         string `json:"sha256,omitempty"`  // of that file

	// Missing is why the library could not be asked, and what would help, in one
	// line; empty where it could.
	Missing string `json:"missing,omitempty"`
	Cause          // of that
	// Lacks are functions that the shared object should have and has not, between
	// spaces: the cases that need them are unsupported.
	Lacks string `json:"lacks,omitempty"`
}

// Status is how a trial ended.
type Status string

const (
	OK          Status = "ok"
	Incorrect   Status = "incorrect"   // its output was wrong; no speed is shown
	Unsupported Status = "unsupported" // the library or the CPU can't
	Crashed     Status = "crashed"     // its worker died, hung or answered nonsense
	Unstable    Status = "unstable"    // measured, and not to be believed; set by readers
)

// ConstantTime says whether a kernel's timing depends on secrets, and how that is known.
type ConstantTime struct {
	Value string `json:"value"` // "yes", "no", "unknown"
	Basis string `json:"basis"` // one sentence
	Cause
}

// Clock names one of the three clocks that a sample reads.
type Clock string

const (
	ThreadClock  Clock = "cpu" // the measuring thread's CPU time: work that one thread does
	ProcessClock Clock = "process"
	WallClock    Clock = "wall" // where waiting is part of the answer
)

// TrialInfo declares a trial. Later lines name it by its index, which counts from 0.
type TrialInfo struct {
	Index        int          `json:"index"`
	Experiment   string       `json:"experiment"`
	Trial                     // with the implementation that opening revealed
	Loop         string       `json:"loop,omitempty"`     // the kind of timed loop: "block", "stream", "aead", …; "scenario"
	Clock        Clock        `json:"clock,omitempty"`    // of its headline, where that is not the measuring thread's for reasons of its own
	Standard     string       `json:"standard,omitempty"` // that the case implements
	ConstantTime ConstantTime `json:"constant_time"`
	Note         string       `json:"note,omitempty"` // what a reader must know of how it is put together
	// Digest is the SHA-256, in hex, of the output that the trial had to have, by
	// the judge; it depends on the run's seed. Empty where there is none or none was computed.
	Digest string `json:"digest,omitempty"`
	// Granularity is of how many bytes the library itself says that its update makes
	// pieces; 0 where it does not say.
	Granularity int64 `json:"granularity,omitempty"`
	// Exhibit marks what is shown because its output is known to be wrong.
	Exhibit bool `json:"exhibit,omitempty"`
	// Unchecked marks what has no output that anything could be held against.
	Unchecked bool `json:"unchecked,omitempty"`
}

// Group declares trials that were measured in turn and may be compared.
type Group struct {
	Index      int    `json:"index"`
	Experiment string `json:"experiment"`
	Name       string `json:"name"`
	Trials     []int  `json:"trials"`
	Pairs      []Pair `json:"pairs,omitempty"`
	Kind       string `json:"kind,omitempty"` // "", KindNoise or KindHarness
	// EveryCPU says that its trials use all CPUs: what others take of any goes into the result.
	EveryCPU bool `json:"every_cpu,omitempty"`
}

// Kinds of groups that measure the laboratory itself.
const (
	KindNoise   = "noise"   // the same subject in two workers: what differs is noise
	KindHarness = "harness" // empty operations: what differs from zero is the harness
)

// Pair is a declared comparison of other against base.
type Pair struct {
	Base     int  `json:"base"`
	Other    int  `json:"other"`
	Headline bool `json:"headline,omitempty"`
	// Crossover asks from which size on the other is faster, over all groups of the
	// experiment that declare this pair at one size each.
	Crossover bool `json:"crossover,omitempty"`
	// Within, above 0, asks likewise from which size on the other takes at most that
	// share more time than the base: what it does besides no longer matters.
	Within float64 `json:"within,omitempty"`
}

// Opened says that a trial was made ready in a block, its output checked.
type Opened struct {
	Trial      int     `json:"trial"`
	Block      int     `json:"block"`
	Calls      int64   `json:"calls"`       // per sample
	Allocs     float64 `json:"allocs"`      // heap objects per call; -1 where they were not counted
	AllocBytes float64 `json:"alloc_bytes"` // heap bytes per call; -1 likewise
	WarmUp     *WarmUp `json:"warm_up,omitempty"`
}

// WarmUp is what a worker whose code is compiled while it runs did before the first sample.
type WarmUp struct {
	Batches     int64 `json:"batches"` // of calls, until they got no faster
	Nanoseconds int64 `json:"ns"`      // of wall time
	// Unsteady says that calls still got faster at the end, which a limit set.
	Unsteady bool `json:"unsteady,omitempty"`
}

// Closed says that a trial's timed output was right at the end of a block.
// A block that is not closed yields no number.
type Closed struct {
	Trial int `json:"trial"`
	Block int `json:"block"`
}

// StatusChange takes a trial out of the comparison from a block on.
type StatusChange struct {
	Trial  int    `json:"trial"`
	Block  int    `json:"block"`
	Status Status `json:"status"`
	Reason string `json:"reason"`
	Cause
	// Returned says of a crashed trial that an error ended it, such as one that the library
	// returned, and that no process died.
	Returned bool `json:"returned,omitempty"`
}

// Sample is one reading of one trial in one round, raw. In the file it is an
// array of the fields in this order.
//
// A round may hold several samples of a trial: one that was contended is taken
// again. They are all kept; the one with the greatest share counts.
type Sample struct {
	Trial, Block, Round int32
	Calls               int64 // timed as one
	Thread              int64 // ns of the measuring thread's CPU clock
	Process             int64 // ns of the process's CPU clock
	Wall                int64 // ns of the monotonic clock
	Cycles              int64 // of the CPU's counter in user mode; -1 where there is none
	SpinBefore          int64 // thread ns of a fixed loop before the sample
	SpinAfter           int64 // and after it: a moving clock shows here
	Collections         int32 // garbage collections that ended within
	Throttled           int32 // cgroup throttling periods that began within
	Migrated            int32 // 1 where the thread ended on another CPU
}

// Share is the part of the wall time for which the thread had a CPU, 0 to 1.
func (s Sample) Share() float64 {
	if s.Wall <= 0 {
		return 0
	}
	return min(1, float64(s.Thread)/float64(s.Wall))
}

// ContendedBelow is the share under which others evidently took the CPU away.
const ContendedBelow = 0.9

// Contended says that the thread did not have a CPU for the whole sample.
func (s Sample) Contended() bool { return s.Share() < ContendedBelow }

// LessDisturbed says that of two samples of one round s counts: its thread had its CPU for more of the time.
// How long a sample took must not decide.
func (s Sample) LessDisturbed(other Sample) bool { return s.Share() > other.Share() }

// Others is the share of all CPUs' time that other programs used; ok is false where that is not known.
func (s Strain) Others() (share float64, ok bool) {
	if s.CPUSeconds <= 0 || s.UsedSeconds <= 0 || s.OwnSeconds <= 0 {
		return 0, false
	}
	return max(0, s.UsedSeconds-s.OwnSeconds) / s.CPUSeconds, true
}

// Metric is a named value of a scenario.
type Metric struct {
	Name  string  `json:"name"` // "latency_p99_ns", "repeated_share"
	Value float64 `json:"value"`
	Unit  string  `json:"unit"` // "ns", "B", "1" for a share or a count
}

// Histogram holds a distribution as (value, count) pairs in rising order of value.
type Histogram struct {
	Name    string     `json:"name"`
	Unit    string     `json:"unit"`
	Buckets [][2]int64 `json:"buckets"`
}

// Record is what a scenario measured in one block.
type Record struct {
	Trial      int         `json:"trial"`
	Block      int         `json:"block"`
	Metrics    []Metric    `json:"metrics,omitempty"`
	Histograms []Histogram `json:"histograms,omitempty"`
	Artifacts  []Artifact  `json:"-"` // written as lines of their own
	Samples    []Sample    `json:"-"` // so are these: a scenario's own readings, one a window, in the order of time
}

// Artifact is a file made during the run.
type Artifact struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
	Data      []byte `json:"data"`
}

// End closes a run file.
type End struct {
	Samples int64  `json:"samples"`
	Partial bool   `json:"partial"`
	Reason  string `json:"reason,omitempty"` // why partial, or why it stopped when it did
	Cause
	Seconds float64 `json:"seconds"` // wall time of the run
	Strain  Strain  `json:"strain"`
	// Experiments are the same of each experiment, in their order; none in files of earlier versions.
	Experiments []ExperimentEnd `json:"experiments,omitempty"`
	LeftOut     []LeftOut       `json:"left_out,omitempty"` // in the end: rounds and blocks may have become more or fewer than planned
	CRC32       uint32          `json:"crc32"`              // IEEE, of all lines before
	// LineCRC32 goes on from there over this line, up to itself; 0 in files that had none.
	LineCRC32 uint32 `json:"line_crc32,omitempty"`
}

// ExperimentEnd says how long an experiment took, and what others did meanwhile.
type ExperimentEnd struct {
	Experiment string  `json:"experiment"`
	Seconds    float64 `json:"seconds"`
	Strain     Strain  `json:"strain"`
}

// Strain is what others did to the machine during the run.
type Strain struct {
	StealSeconds float64 `json:"steal_seconds"` // CPU time the hypervisor gave to others
	CPUSeconds   float64 `json:"cpu_seconds"`   // capacity: CPUs × wall time
	// UsedSeconds is the CPU time that all programs used, OwnSeconds what this one and those that it
	// started used of it; 0 where it is not known, as in files of earlier versions.
	UsedSeconds float64 `json:"used_seconds,omitempty"`
	OwnSeconds  float64 `json:"own_seconds,omitempty"`
	Throttled   int64   `json:"throttled"`   // cgroup throttling periods
	LoadBefore  float64 `json:"load_before"` // one-minute load average
	LoadAfter   float64 `json:"load_after"`
}

// Cause says for programs what the sentence beside it says in English: a code, which
// names the sentence, and what it says it of. Files of earlier versions have none.
type Cause struct {
	Code string     `json:"code,omitempty"`
	Args []Argument `json:"args,omitempty"`
}

// Argument is a name or a figure as it is written, or a cause within the other: in JSON
// a string, or an object.
type Argument struct {
	Text  string
	Cause *Cause
}

// MarshalJSON writes a string, or an object.
func (a Argument) MarshalJSON() ([]byte, error) {
	if a.Cause != nil {
		return json.Marshal(a.Cause)
	}
	return json.Marshal(a.Text)
}

// UnmarshalJSON reads a string, or an object.
func (a *Argument) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("{")) {
		a.Cause = &Cause{}
		return json.Unmarshal(b, a.Cause)
	}
	return json.Unmarshal(b, &a.Text)
}
