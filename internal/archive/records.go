package archive

import (
	"time"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/result"
)

// Run is what a list shows of a run.
type Run struct {
	ID      string    `json:"id"` // SHA-256 of the run file, in hex
	Started time.Time `json:"started"`
	Suite   string    `json:"suite"` // "quick", "full", the experiments' names, "compare", "verify", "plan", …
	Title   string    `json:"title,omitempty"`
	Note    string    `json:"note,omitempty"`
	Tool    string    `json:"tool"`

	Machine string `json:"machine"` // the key of its machine
	Label   string `json:"label"`   // of its machine, for people
	Kernel  string `json:"kernel"`
	Go      string `json:"go"`

	Confidence string    `json:"confidence"` // "good", "fair", "low"
	Partial    bool      `json:"partial"`
	Open       bool      `json:"open"`    // its file has no end record: it goes on, or was killed
	Wrong      int       `json:"wrong"`   // rows whose output was wrong, besides exhibits
	Rows       int       `json:"rows"`    // besides the laboratory's own
	Seconds    *float64  `json:"seconds"` // wall time; null where its file has no end
	Bytes      int64     `json:"bytes"`   // of the run file
	Filed      time.Time `json:"filed"`

	// SecondOf is the ID of the run that this one looks again at, as a comparison does of what looks slower; it has
	// no place of its own in a list.
	SecondOf string `json:"second_of,omitempty"`

	number int64 // in this store
}

// Short is the beginning of the ID, for people; it is enough to name the run.
func (r Run) Short() string { return r.ID[:min(len(r.ID), 12)] }

// RunQuery narrows a list of runs; zero fields narrow nothing.
type RunQuery struct {
	Machine      string // key
	Suite        string
	Text         string // somewhere in the title, the note or the suite, whatever its case
	Since, Until time.Time
	WrongOnly    bool   // runs with a wrong output
	PartialOnly  bool   // runs that were cut short, or have not ended
	Confidence   string // of the run
	SecondOf     string // the second looks at this run, which else are left out

	After *Run // the last run of the page before: the list goes on behind it
	Limit int  // 0: all
}

// Filter narrows cells; zero fields narrow nothing, and several names in one field are alternatives.
type Filter struct {
	// Cases are names of cases, "SM4-CTR", of algorithms, "SM4", or of cases with what is done and to how many bytes,
	// "SM4-CTR/encrypt/16384"; case is ignored, and * stands for anything.
	Cases       []string
	Experiments []string
	Libraries   []string
	Algorithms  []string
	Modes       []string
	Operations  []string
	Sizes       []int64
	Machines    []string // keys
	Since       time.Time
	Until       time.Time
}

// CellQuery says which cells are asked for.
type CellQuery struct {
	Run string // ID; empty: of all runs
	Filter
}

// Cell is a row of a run's document: a subject on a case, and what was found.
type Cell struct {
	Run        string    `json:"run"` // ID
	Started    time.Time `json:"started"`
	Machine    string    `json:"machine"`
	Confidence string    `json:"confidence"` // in the run
	Row        string    `json:"row"`        // ID in the document
	Trial      int       `json:"trial"`      // index in the run
	Experiment string    `json:"experiment"`

	Case    result.Case    `json:"case"`
	Subject result.Subject `json:"subject"`

	Status   result.Status `json:"status"`
	Withheld bool          `json:"withheld"` // right itself, of code that was wrong elsewhere
	Exhibit  bool          `json:"exhibit"`  // shown because it is known to be wrong
	Harness  bool          `json:"harness"`  // it measures the laboratory itself

	NsPerOp        *document.Estimate `json:"ns_per_op"` // null where no number is to be shown
	BytesPerSecond *float64           `json:"bytes_per_second"`
	CyclesPerByte  *float64           `json:"cycles_per_byte"`
	AllocsPerOp    *float64           `json:"allocs_per_op"`
	Samples        int                `json:"samples"`
	Blocks         int                `json:"blocks"`
	Warnings       int                `json:"warnings"`

	Metrics map[string]document.Metric `json:"metrics,omitempty"`
}

// Comparison is one of a run's document.
type Comparison struct {
	Run      string   `json:"run"`
	Base     int      `json:"base"`  // index of the trial in the run, as Cell.Trial
	Other    int      `json:"other"` // likewise
	Ratio    float64  `json:"ratio"` // of other's speed to base's
	Low      *float64 `json:"low"`
	High     *float64 `json:"high"`
	Level    float64  `json:"level"`
	Verdict  string   `json:"verdict"`
	Headline bool     `json:"headline"`
}

// Distribution is a histogram of a cell, over all of its blocks.
type Distribution struct {
	document.Distribution
	Run   string `json:"run"`
	Trial int    `json:"trial"`
	// Histogram is the whole of it in HdrHistogram's V2 compressed form, which its libraries in any language read;
	// empty where a value is not one that it can hold.
	Histogram []byte `json:"histogram,omitempty"`
}

// Machine is a kind of machine: times of runs with one key may be compared over time.
type Machine struct {
	Key        string  `json:"key"`
	Label      string  `json:"label"` // for people: the CPU, how many, and what it runs on
	Arch       string  `json:"arch"`
	CPU        string  `json:"cpu"` // model
	CPUs       float64 `json:"cpus"`
	Hypervisor string  `json:"hypervisor"`
	Product    string  `json:"product"`

	Runs   int       `json:"runs"` // without second looks, as lists have them
	First  time.Time `json:"first"`
	Last   time.Time `json:"last"`
	Kernel string    `json:"kernel"` // in the last run
	Go     string    `json:"go"`     // likewise
	Tool   string    `json:"tool"`   // likewise: this program's version
}

// CaseCount is a case, and how often it was measured.
type CaseCount struct {
	Experiment string      `json:"experiment"`
	Case       result.Case `json:"case"`
	Subjects   int         `json:"subjects"` // on all machines together, without regard to versions
	Machines   int         `json:"machines"`
	Last       time.Time   `json:"last"`
	Timed      bool        `json:"timed"` // a run had a time of it: what a library lacks has none, nor have some scenarios
}

// Series is the course of a subject on a case on a machine. The subject's version is a point's, and so is its
// implementation where the library chose another one at some time: of series that differ in it alone, and share no
// run, one is made.
type Series struct {
	Machine    string      `json:"machine"` // key
	Label      string      `json:"label"`
	Experiment string      `json:"experiment"`
	Case       result.Case `json:"case"`
	// Subject has the implementation that ran last, and no version but where its runs have several side by side.
	Subject result.Subject `json:"subject"`
	Exhibit bool           `json:"exhibit"`
	Points  []Point        `json:"points"`
}

// Point is a run's cell in a series.
type Point struct {
	Run        string             `json:"run"`
	SecondOf   string             `json:"second_of,omitempty"` // the run that this one looks again at
	Time       time.Time          `json:"time"`
	Status     result.Status      `json:"status"`
	Withheld   bool               `json:"withheld,omitempty"`
	NsPerOp    *document.Estimate `json:"ns_per_op"`
	Confidence string             `json:"confidence"`
	Partial    bool               `json:"partial,omitempty"`

	Version        string `json:"version"`        // of the library
	Implementation string `json:"implementation"` // the kernel that ran
	Kernel         string `json:"kernel"`         // of the system
	Go             string `json:"go"`
	Tool           string `json:"tool"`
	Microcode      string `json:"microcode"`
}

// Severity is how bad what a check found is.
type Severity string

const (
	SeverityNone   Severity = "none"   // fine
	SeverityNote   Severity = "note"   // undecided, interrupted, or a baseline that can't be compared
	SeverityTicket Severity = "ticket" // slower, unsteady, allocates more, or gone
	SeverityPage   Severity = "page"   // a wrong output
)

// Check is what a check found.
type Check struct {
	ID       string    `json:"id"` // SHA-256 of its report
	Started  time.Time `json:"started"`
	Suite    string    `json:"suite"`
	Machine  string    `json:"machine"`
	Label    string    `json:"label"`
	Tool     string    `json:"tool"`
	Verdict  string    `json:"verdict"` // as package check says it: "fine", "failed", "wrong", …
	Severity Severity  `json:"severity"`
	Wrong    int       `json:"wrong"`  // trials with a wrong output
	Slower   int       `json:"slower"` // trials that are slower
	Failed   int       `json:"failed"` // trials that allocate more, are unsteady, or answer no more
	Trials   int       `json:"trials"`
	Runs     []string  `json:"runs"` // IDs of its runs, as far as they were filed
}

// CheckQuery narrows a list of checks; zero fields narrow nothing.
type CheckQuery struct {
	Machine string
	Suite   string
	Since   time.Time
	Limit   int
}

// Totals are how much a store holds. Second looks are counted with the run that they look again at, as in lists.
type Totals struct {
	Runs, Cells, Checks, Machines int
	Bytes                         int64 // of run files, as they were before they were compressed
}
