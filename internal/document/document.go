// Package document computes what a run says: rows, comparisons, cost models,
// crossovers, and every doubt about them, from the raw samples.
//
// The way through the reports:
//
//	result.Run ──Build──▶ Document ──question.Answer──▶ Document with layouts ──render.Write──▶ text, markdown, html, json, csv, benchfmt
//
// [Build] (build.go) reads the run. Package question adds what the numbers mean: one
// [layout.Layout] an experiment, of sentences, tables and charts, in English and
// Chinese. Package render draws what a Document holds.
//
// Nothing here measures, and nothing here imports a library under test: a
// report can be made anywhere from the run file alone.
package document

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

const Schema = "cryptogauge.report/1"

// Document is a run as it is reported. Its JSON form is the JSON report; other
// programs rely on the names. A field that does not apply is null, never invented.
type Document struct {
	Schema        string           `json:"schema"`
	Tool          string           `json:"tool"`
	Suite         string           `json:"suite"`
	Command       []string         `json:"command"`
	Machine       result.Machine   `json:"machine"`
	Libraries     []result.Library `json:"libraries"`
	Started       time.Time        `json:"started"`
	Seconds       *float64         `json:"seconds"` // wall time of the run; null where it was cut short
	Seed          uint64           `json:"seed"`
	Own           *result.OwnData  `json:"sample,omitempty"` // the user's data, which stood for what is drawn as plaintext
	Partial       bool             `json:"partial"`
	PartialReason string           `json:"partial_reason,omitempty"`
	Partly        layout.Text      `json:"-"`           // PartialReason in both languages
	LeftOut       []LeftOut        `json:"left_out"`    // to end within the budget
	Environment   []string         `json:"environment"` // NAME=value of variables that change how the code under test runs
	NoiseFloor    float64          `json:"noise_floor"` // as a share: 0.002 is 0.2 %
	// Compared says what sides a comparison has, and Repeated that a second run measured again what
	// looked slower in it: see [Document.Repeat].
	Compared *result.Compared `json:"compared,omitempty"`
	Repeated bool             `json:"repeated,omitempty"`
	// Resolution is how far the 99 % interval of equal things reaches from 1: what
	// differs by less would not show. Null where no A/A pair was measured.
	Resolution    *float64         `json:"resolution"`
	NoiseMeasured bool             `json:"-"` // every A/A pair has a round, though it may have too few blocks for a resolution
	Trust         Trust            `json:"trust"`
	Notes         []layout.Text    `json:"notes"` // footnotes that hold for most rows
	Rows          []*Row           `json:"rows"`  // the laboratory's own too; see OfLibraries
	Comparisons   []Comparison     `json:"comparisons"`
	Fits          []Fit            `json:"fits"`
	Crossovers    []Crossover      `json:"crossovers"`
	Distributions []Distribution   `json:"distributions"`
	Findings      []layout.Finding `json:"findings"`
	Answers       []layout.Answer  `json:"answers"`
	Artifacts     []ArtifactRef    `json:"artifacts"`

	// WrongOutputs says which code computed something wrongly, by package answer. Every
	// format says it before anything else.
	WrongOutputs []layout.Answer `json:"-"`

	Layouts    []layout.Layout `json:"-"` // one a question, by package question
	Unmeasured []layout.Answer `json:"-"` // why questions that were asked have none
	Run        *result.Run     `json:"-"` // for formats that print raw samples and pictures
	built      *builder
}

// Trust is how far the run can be believed, and why not further.
type Trust struct {
	Level   string        `json:"level"` // "good", "fair", "low"
	Reasons []layout.Text `json:"reasons"`
	// Taken is the share of its samples' time for which the CPU was another's, Others the share of
	// all CPUs' time that other programs used meanwhile; null where that is not known.
	Taken  *float64 `json:"taken"`
	Others *float64 `json:"others"`
	// Typical is the median half-width of the headline comparisons, as a share; null where there is none.
	Typical *float64 `json:"typical_half_width"`
	// Unequal is the reason among them that says that equal things differ; empty where they don't.
	Unequal     layout.Text       `json:"-"`
	Experiments []ExperimentTrust `json:"experiments"`
}

// ExperimentTrust is how far an experiment of the run can be believed.
type ExperimentTrust struct {
	Experiment string        `json:"experiment"`
	Level      string        `json:"level"`
	Reasons    []layout.Text `json:"reasons"`
	Taken      *float64      `json:"taken"`
	Others     *float64      `json:"others"`
}

// Estimate is a value with its exact interval. Low and High are null where
// there were too few blocks for one, and Level is absent.
type Estimate struct {
	Median float64  `json:"median"`
	Low    *float64 `json:"low"`
	High   *float64 `json:"high"`
	Level  float64  `json:"level,omitempty"` // confidence of the interval: 0.99, or less where blocks are few
	Clock  string   `json:"clock,omitempty"` // "cpu" (the thread's), "process", "wall"
}

// Row is one trial's result.
type Row struct {
	ID         string `json:"id"` // stable text
	Experiment string `json:"experiment"`
	Algorithm  string `json:"algorithm"`
	Mode       string `json:"mode"`
	Operation  string `json:"operation"`
	Bytes      int64  `json:"bytes"`
	Parameters string `json:"parameters"`

	Library        string `json:"library"`
	Version        string `json:"version"`
	Implementation string `json:"implementation"`
	CallPath       string `json:"call_path"`
	Runtime        string `json:"runtime,omitempty"` // of another language: "OpenJDK 17.0.15"
	Environment    string `json:"environment"`

	Status result.Status `json:"status"`
	Reason string        `json:"reason"`

	NsPerOp              *Estimate `json:"ns_per_op"`      // the headline clock's
	WallNsPerOp          *Estimate `json:"wall_ns_per_op"` // beside it
	BytesPerSecond       *float64  `json:"bytes_per_second"`
	BusyBytesPerSecondPC *float64  `json:"busy_bytes_per_second_per_cpu"`
	CyclesPerByte        *float64  `json:"cycles_per_byte"`
	AllocsPerOp          *float64  `json:"allocs_per_op"`
	AllocBytesPerOp      *float64  `json:"alloc_bytes_per_op"`
	WarmUp               *WarmUp   `json:"warm_up,omitempty"` // where code is compiled while it runs

	Metrics map[string]Metric `json:"metrics"`

	Samples      int                 `json:"samples"`
	Blocks       int                 `json:"blocks"`
	Warnings     []string            `json:"warnings"`
	Security     []string            `json:"security"`
	Standard     string              `json:"standard"`
	ConstantTime result.ConstantTime `json:"constant_time"`

	who    string // see Who
	chosen bool   // the implementation, by the library: no subject is asked for by it
	// laboratory says that the row measures the laboratory itself, which has no rate.
	laboratory bool
	// Withheld says that the row's own output was right, and that its numbers are withheld because the same code computed
	// another output wrongly.
	Withheld bool `json:"withheld,omitempty"`

	Loop  string       `json:"loop,omitempty"`
	Note  string       `json:"note,omitempty"`
	Why   layout.Text  `json:"-"` // Reason in both languages, coarse, for people
	Cause result.Cause `json:"-"` // of what the run file has a reason for
	// Returned says of a crashed row that an error ended it, and no process died.
	Returned bool              `json:"-"`
	Notes    []layout.Text     `json:"-"` // warnings and security notes in both languages, for footnotes
	Trial    int               `json:"-"` // index in the run
	Group    int               `json:"-"` // index of its group; -1 where none
	Info     *result.TrialInfo `json:"-"`
}

// Metric is a named value of a scenario: the median over blocks with its interval,
// or, of what a histogram of the row holds (latency_p99_ns of latency), that of all
// blocks together, which has none.
type Metric struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
	Level float64  `json:"level,omitempty"`
	Unit  string   `json:"unit"`
}

// Comparison is other's speed over base's, paired by round.
type Comparison struct {
	ID       string   `json:"id"`
	Base     string   `json:"base"`  // row id
	Other    string   `json:"other"` // row id
	Ratio    float64  `json:"ratio"`
	Low      *float64 `json:"low"`
	High     *float64 `json:"high"`
	Verdict  string   `json:"verdict"` // "faster", "slower", "same", "inconclusive"
	Headline bool     `json:"headline"`
	Clock    string   `json:"clock"`
	Level    float64  `json:"level"` // of the interval
	Blocks   int      `json:"blocks"`
	Warnings []string `json:"warnings"`
	Again    *Again   `json:"again,omitempty"` // what a second run says

	unranked bool // it needs every CPU, and other programs used some: it has no verdict for that
}

// Again is a comparison in a second run.
type Again struct {
	Ratio   float64  `json:"ratio"`
	Low     *float64 `json:"low"`
	High    *float64 `json:"high"`
	Verdict string   `json:"verdict"`
	Level   float64  `json:"level"` // of the interval
	Both    *Both    `json:"both,omitempty"`
}

// Both is a comparison made of the blocks of two runs.
type Both struct {
	Ratio   float64 `json:"ratio"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Verdict string  `json:"verdict"`
	Level   float64 `json:"level"` // of the interval
	Blocks  int     `json:"blocks"`
}

// Fit is a cost model over several sizes of one subject.
type Fit struct {
	RowIDs []string `json:"row_ids"`
	Model  string   `json:"model"` // "affine" over sizes, "boundary" over calls too, "usl" over goroutines, "power" over key lengths
	// Terms are fixed_ns, ns_per_byte, bytes_per_second, half_size_bytes; or call_ns
	// (absent where every message is one call), message_ns, ns_per_byte; or
	// alone_per_second, sigma, kappa, peak_workers; or exponent, exponent_low,
	// exponent_high, factor_ns.
	Terms  map[string]float64 `json:"terms"`
	RMS    float64            `json:"rms"` // relative
	OK     bool               `json:"ok"`
	Reason string             `json:"reason,omitempty"` // why refused
}

// Crossover is the size at which b overtakes a, of a pair that was compared at
// several sizes. A pair that changes places twice has two.
type Crossover struct {
	A     string    `json:"a"`     // row id, at the least of the sizes
	B     string    `json:"b"`     // the same
	Bytes *Estimate `json:"bytes"` // null: none was shown, and Kind says what was
	Kind  string    `json:"kind"`
	// Between are the measured sizes between which it lies, whatever lies between
	// is interpolated: at the first a is faster for certain, at the second b.
	Between []int64 `json:"between,omitempty"`
	// Sizes are those at which both were measured, rising, and Comparisons the ids
	// of their comparisons.
	Sizes       []int64  `json:"sizes"`
	Comparisons []string `json:"comparisons"`
	// Within, above 0, makes it the size from which b takes at most that share more
	// time than a.
	Within float64 `json:"within,omitempty"`
}

const (
	Overtakes = "overtakes" // b is faster from Bytes on
	Never     = "never"     // a is faster, or level, at each of the sizes; b at none
	Level     = "level"     // both are as fast at each of the sizes
	Undecided = "undecided" // the comparisons do not tell
	Fades     = "fades"     // b comes within a share of a from Bytes on, or, without Bytes, at each of the sizes; Never: at none
)

// Distribution is a histogram's percentiles.
type Distribution struct {
	RowID string   `json:"row_id"`
	Name  string   `json:"name,omitempty"`
	Unit  string   `json:"unit"`
	P50   float64  `json:"p50"`
	P90   float64  `json:"p90"`
	P95   *float64 `json:"p95"`
	P99   *float64 `json:"p99"`
	P999  *float64 `json:"p999"`
	Max   float64  `json:"max"`
	Count int64    `json:"count"`
	Mean  float64  `json:"mean"`
}

// ArtifactRef names an artifact of the run.
type ArtifactRef struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
}

// OfLibraries are the rows but the laboratory's own, by which it measures itself: those that were asked for.
func (d *Document) OfLibraries() []*Row {
	return slices.DeleteFunc(slices.Clone(d.Rows), func(r *Row) bool { return r.Library == subject.Harness })
}

// Conclusive says whether any timed row shows a number; where none was to be
// timed, the scenarios' records are what was asked for.
func (d *Document) Conclusive() bool {
	rows := d.OfLibraries()
	timed := func(r *Row) bool { return r.Loop != "scenario" }
	shown := func(r *Row) bool { return r.NsPerOp != nil && r.Status == result.OK }
	return slices.ContainsFunc(rows, shown) || len(d.Rows) > 0 && !slices.ContainsFunc(rows, timed)
}

// Inconclusive says why no row shows a number: the reason that most rows give.
func (d *Document) Inconclusive() layout.Text {
	count := map[layout.Text]int{}
	best := reason.Text(reason.Cause("nothing-measured"))
	for _, r := range d.OfLibraries() {
		if r.Reason == "" {
			continue
		}
		why := layout.Say("%s, %s", "%s：%s", r.StatusText(), reason.Text(r.Cause))
		if count[why]++; count[why] > count[best] {
			best = why
		}
	}
	return best
}
