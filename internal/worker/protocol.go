// Package worker lets operations and scenarios run in a child process and be
// timed from outside. [Serve] is the child's side, [Process] the parent's handle
// on one. They speak the protocol of docs/worker-protocol.md, JSON lines over standard input
// and output, so a worker can be written in any language.
//
// A process of its own for the code under test gives it an environment of its
// own, keeps its crashes, its garbage and its memory layout away from the others,
// and makes a fresh layout a matter of starting it again.
package worker

import (
	"cmp"
	"math"
	"runtime"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/abnormal"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

const Protocol = 1

type request struct {
	ID       int64              `json:"id"`
	Do       string             `json:"do"`
	Protocol int                `json:"protocol,omitempty"`
	Seed     uint64             `json:"seed,omitempty"`
	Dir      string             `json:"dir,omitempty"`
	Mix      []result.SizeShare `json:"mix,omitempty"`
	Sample   *ownFile           `json:"sample,omitempty"`
	CPU      int                `json:"cpu,omitempty"`
	Handle   int                `json:"handle,omitempty"`
	Subject  *result.Subject    `json:"subject,omitempty"`
	Case     *result.Case       `json:"case,omitempty"`
	Digest   string             `json:"digest,omitempty"`
	Calls    int64              `json:"calls,omitempty"`
	Target   int64              `json:"target,omitempty"`
	Seconds  float64            `json:"seconds,omitempty"`
	Block    int                `json:"block,omitempty"`
	Change   abnormal.Change    `json:"change,omitempty"`
}

// ownFile is the user's data in a file that the worker can open.
type ownFile struct {
	Path string `json:"path"`
	result.OwnData
}

type reply struct {
	ID        int64             `json:"id"`
	Fault     *Fault            `json:"fault,omitempty"`
	Hello     *Hello            `json:"hello,omitempty"`
	About     *About            `json:"about,omitempty"`
	Ready     *Ready            `json:"ready,omitempty"`
	Tried     *Tried            `json:"tried,omitempty"`
	Run       []int64           `json:"run,omitempty"`
	Record    *result.Record    `json:"record,omitempty"`
	Artifacts []result.Artifact `json:"artifacts,omitempty"`
	Samples   [][]int64         `json:"samples,omitempty"` // of a scenario, each with the fields of run
}

type Hello struct {
	Protocol  int              `json:"protocol"`
	Libraries []result.Library `json:"libraries"`
	Subjects  []result.Subject `json:"subjects"`
	Counter   string           `json:"counter"`           // why no cycle counter can be read; empty where one can
	WarmUp    int64            `json:"warm_up,omitempty"` // about how long ready takes beyond its calls, ns
	Cases     []result.Case    `json:"cases,omitempty"`   // the worker's own, with their sizes, beside those that experiments ask for
	Sample    string           `json:"sample,omitempty"`  // SHA-256 of the user's data, which it takes as plaintext; empty where it draws
}

type About struct {
	Implementation string              `json:"implementation"`
	ConstantTime   result.ConstantTime `json:"constant_time"`
	Loop           string              `json:"loop"`
	Note           string              `json:"note"`
	Digest         string              `json:"digest"` // SHA-256 of the expected output, by an independent implementation
	Scenario       bool                `json:"scenario"`
	Granularity    int64               `json:"granularity,omitempty"` // bytes of the pieces that the library says that it makes
	Records        bool                `json:"records,omitempty"`     // measure asks what its calls left
	Clock          result.Clock        `json:"clock,omitempty"`       // of its headline, where not the thread's
	Unchecked      bool                `json:"unchecked,omitempty"`   // its output is held against nothing
}

type Ready struct {
	Calls      int64          `json:"calls"`
	Allocs     float64        `json:"allocs"`              // -1 where they are not counted
	AllocBytes float64        `json:"alloc_bytes"`         // -1 likewise
	Uncounted  bool           `json:"uncounted,omitempty"` // the allocations: calls are too few, and long
	WarmUp     *result.WarmUp `json:"warm_up,omitempty"`
}

const (
	Absent      = "absent"      // the library does not offer it at all
	Unsupported = "unsupported" // not here: CPU, size, policy
	Incorrect   = "incorrect"   // wrong output
	Failed      = "failed"      // an error or a panic of the library
)

// Fault is a request that the worker could not carry out. The worker lives on.
type Fault struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
	result.Cause
}

func FaultOf(kind string, err error) *Fault { return &Fault{kind, err.Error(), reason.Of(err)} }

func newFault(kind, code string, args ...any) *Fault { return FaultOf(kind, reason.New(code, args...)) }

func (f *Fault) Error() string { return f.Text }

// tidy makes one line of everything that a worker said, and a text where it gave a code alone.
func (f *Fault) tidy() {
	var lines func(c *result.Cause)
	lines = func(c *result.Cause) {
		for i := range c.Args {
			if a := &c.Args[i]; a.Cause != nil {
				lines(a.Cause)
			} else {
				a.Text = oneLine(a.Text)
			}
		}
	}
	lines(&f.Cause)
	f.Text = oneLine(cmp.Or(f.Text, reason.English(f.Cause)))
}

// AsCause is the fault's reason. A worker that gives no code is read by its text.
func (f *Fault) AsCause() result.Cause {
	if f.Code == "" {
		return reason.Parse(f.Text)
	}
	return f.Cause
}

type Died struct {
	Reason string
	Cause  result.Cause
	Hung   bool // it did not answer within the time it was given, and was killed
}

func (d *Died) Error() string { return d.Reason }

func (d *Died) AsCause() result.Cause { return d.Cause }

func DiedOf(err error) *Died { return &Died{Reason: err.Error(), Cause: reason.Of(err)} }

func died(code string, args ...any) *Died { return DiedOf(reason.New(code, args...)) }

// fieldsOf are the fields of the protocol's run, and sampleOf reads them.
func fieldsOf(s result.Sample) []int64 {
	return []int64{s.Calls, s.Thread, s.Process, s.Wall, s.Cycles,
		s.SpinBefore, s.SpinAfter, int64(s.Collections), int64(s.Migrated)}
}

func sampleOf(f []int64) result.Sample {
	return result.Sample{Calls: f[0], Thread: f[1], Process: f[2], Wall: f[3], Cycles: f[4],
		SpinBefore: f[5], SpinAfter: f[6], Collections: int32(f[7]), Migrated: int32(f[8])}
}

const clockSlack = int64(time.Millisecond)

// implausible says why a sample's fields can't be, or nil. The whole call took
// elapsed by the laboratory's own clock.
func implausible(f []int64, calls int64, elapsed time.Duration) error {
	if len(f) != 9 {
		return reason.New("sample-fields", len(f))
	}
	most := int64(elapsed+elapsed/50) + clockSlack
	switch thread, process, wall := f[1], f[2], f[3]; {
	case f[0] != calls:
		return reason.New("sample-calls", f[0], calls)
	case thread <= 0 || process <= 0 || wall <= 0:
		return reason.New("sample-no-time")
	case wall > most:
		return reason.New("sample-too-long")
	case thread > wall+wall/50+clockSlack:
		return reason.New("sample-thread-wall")
	case thread > process+process/50+clockSlack:
		return reason.New("sample-thread-process")
	case process > most*int64(runtime.NumCPU()):
		return reason.New("sample-cpus")
	case f[4] < -1 || f[5] < 0 || f[6] < 0:
		return reason.New("sample-negative")
	case f[7] < 0 || f[7] > math.MaxInt32 || f[8] < 0 || f[8] > 1:
		return reason.New("sample-flag")
	}
	return nil
}
