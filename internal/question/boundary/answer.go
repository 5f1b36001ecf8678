package boundary

import (
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// Question is what the reports need to know of the question.
var Question = answer.Question{Name: "boundary", Narrowing: []string{"--algorithms", "--sizes", "--libraries"}, Layout: layOut,
	Asks: layout.Text{EN: "What does calling C from Go cost, and from which message size does it no longer matter?",
		ZH: "从 Go 调用 C 的代价是多少？消息多长时可以忽略？"}}

// layOut lays out what it costs to call C from Go, from which size of message that
// no longer matters, and what batches give.
func layOut(v *answer.View) layout.Layout {
	b := &boundaryView{View: v}
	b.sizes = answer.Values(v.Rows, answer.BytesOf, func(r *document.Row) bool { return batchOf(r) == 1 })
	slices.Sort(b.sizes)
	b.ciphers = answer.Values(v.Rows, operandOf, func(*document.Row) bool { return true })
	b.versions = answer.Values(v.Rows, versionOf, func(r *document.Row) bool { return r.CallPath != goPath })
	return layout.Layout{
		Experiment: "boundary",
		Title:      layout.Text{EN: "Calling C from Go (cgo, purego)", ZH: "从 Go 调用 C（cgo、purego）"},
		Answers:    b.answers(),
		Headline:   b.headlineTables(),
		Tables:     b.tables(),
		Charts:     b.charts(),
		Next: []layout.Next{
			{Command: "cryptogauge run boundary", Why: layout.Text{EN: "16 B to 1 MiB, CTR and SHA-256 too, and batches", ZH: "16 B 至 1 MiB，另有 CTR、SHA-256 与批处理"}},
		},
	}
}

// boundaryView is the view with what all parts of this layout need.
type boundaryView struct {
	*answer.View
	sizes    []int64
	ciphers  []operand
	versions []libraryVersion
}

// operand is what is computed: a line of these tables without its library.
type operand struct{ algorithm, mode string }

func operandOf(r *document.Row) operand { return operand{r.Algorithm, r.Mode} }

func (o operand) name() string { return answer.CaseName(o.algorithm, o.mode) }

// libraryVersion is a library behind the boundary; two versions are two of these.
type libraryVersion struct{ library, version string }

func versionOf(r *document.Row) libraryVersion { return libraryVersion{r.Library, r.Version} }

func (v libraryVersion) name() string { return v.library + " " + v.version }

// The call paths.
const (
	goPath   = "go"
	cgoPath  = "cgo"
	purePath = "purego"
	loopPath = "c-loop"
)

// crossingPaths are those that cross once a call, the everyday one first.
var crossingPaths = []string{cgoPath, purePath}

// pathName names a call path in a sentence.
func pathName(path string) layout.Text {
	switch path {
	case goPath:
		return layout.Text{EN: "Go's own assembly", ZH: "Go 自身的汇编"}
	case loopPath:
		return layout.Text{EN: "a loop in C", ZH: "C 内循环"}
	}
	return layout.Same(path)
}

// batchOf is how many messages an operation of a row takes in one crossing.
func batchOf(r *document.Row) int64 {
	n, err := strconv.ParseInt(r.Parameter("batch"), 10, 64)
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// at is a row by what it computes, who does, and for messages of which size.
func (b *boundaryView) at(o operand, lib libraryVersion, path string, bytes, batch int64) *document.Row {
	for _, r := range b.Rows {
		if operandOf(r) == o && versionOf(r) == lib && r.CallPath == path && batchOf(r) == batch && r.Bytes == bytes*batch {
			return r
		}
	}
	return nil
}

// empty is the row of an empty call by a path; nil without one that has a number.
func (b *boundaryView) empty(path string) *document.Row {
	for i := range b.Doc.Rows {
		r := &b.Doc.Rows[i]
		if r.Experiment == b.Experiment && r.Library == "harness" && r.Mode == "crossing" && r.CallPath == path && r.NsPerOp != nil {
			return r
		}
	}
	return nil
}

// who names a library in a sentence: by its version where there are several.
func (b *boundaryView) who(lib libraryVersion) string {
	for _, other := range b.versions {
		if other.library == lib.library && other != lib {
			return lib.name()
		}
	}
	return lib.library
}
