// Package layout holds what an answer is made of, whatever the format: texts in
// English and Chinese, tables, charts, marked sentences, and how quantities are
// printed. It knows neither runs nor formats.
package layout

import (
	"cmp"
	"strings"
	"unicode/utf8"
)

// Layout is how one experiment's result is laid out for a person, whatever the
// format: sentences first, then tables and charts. Package question builds it;
// the formats draw it.
type Layout struct {
	Experiment string
	Title      Text
	Question   Text
	Line       Answer   // the question in one sentence, for the screen that all questions share
	Answers    []Answer // also in Document.Answers
	Headline   []Table  // two or three small ones, for the quick screen; text reports draw them before Tables
	Tables     []Table  // the full ones
	Charts     []Chart
	Pictures   []Picture
	Findings   []Finding // also in Document.Findings
	Next       []Next
	Alone      string // the command that asks this question alone and in full
	Figures    []Figure
	Whole      bool // one decision: Tables hold all of Headline, a page folds nothing, Next shows all of it

	FiguresSayLine bool // a page that shows Figures leaves Line out
}

// Figure is a number that a page shows large.
type Figure struct {
	Name, Label Text
	Value, Span string
	Evidence    string // id of the row or the comparison that it rests on most
}

// Mark is the sign before an answer.
type Mark string

const (
	Stop    Mark = "stop"    // ✗ stop using
	Choose  Mark = "choose"  // ✓ choose
	Beware  Mark = "beware"  // ! beware
	Unclear Mark = "unclear" // ? inconclusive
	Plain   Mark = "plain"   // · a fact
)

// Answer is a sentence computed from rows and comparisons, which it names.
type Answer struct {
	Experiment string   `json:"experiment"`
	Mark       Mark     `json:"mark"`
	Text       Text     `json:"text"`
	Evidence   []string `json:"evidence"` // row or comparison ids
	Short      bool     `json:"-"`        // belongs on the quick screen
	Brief      Text     `json:"-"`        // the same in fewer words, where experiments share that screen; empty: Text
	// Echo says that it repeats what the top of every report says first: which code gives wrong output.
	Echo     bool      `json:"-"`
	Listings []Listing `json:"-"`
}

var Marks = map[Mark]string{Stop: "✗", Choose: "✓", Beware: "!", Unclear: "?", Plain: "·"}

// Sign is what stands before an answer.
func (m Mark) Sign() string { return cmp.Or(Marks[m], Marks[Plain]) }

// FindingIncorrect is the kind of a finding that says what is in Document.WrongOutputs.
const FindingIncorrect = "incorrect"

// Finding is something a user should know though nobody asked.
type Finding struct {
	Kind     string         `json:"kind"`
	Severity string         `json:"severity"` // "pathological", "degraded", "note"
	Text     Text           `json:"text"`
	Evidence map[string]any `json:"evidence"`
}

// Next is a command worth typing next, and what for.
type Next struct {
	Command string
	Why     Text
}

// Table is a table of cells as they are shown.
type Table struct {
	Title   Text
	Columns []Column
	Rows    []TableRow
	Caption Text // one sentence under it
}

// Column is a table's column.
type Column struct {
	Title   Text
	Numeric bool // aligned right, tabular figures
}

// TableRow is a row; RowID links to the evidence where the row is one trial's.
type TableRow struct {
	RowID string
	Group Text // a heading above this row, where it begins a group of rows
	Cells []Cell
}

// Cell is one cell.
type Cell struct {
	Text      Text
	Struck    bool   // incorrect: shown struck through
	Faint     bool   // unsupported, unstable: shown faint
	New       bool   // carries the mark of our own engine
	Footnotes []Text // doubt; numbered by the format, equal texts share a number
}

// Chart is the data of a chart. Every point stands in a table as well. It has either series, drawn on logarithmic axes
// with intervals, or ratios, one a line with its interval and the equivalence margin.
type Chart struct {
	Title   Text
	Caption Text
	X, Y    Axis // of series; the zero values are message size and throughput
	Series  []Series
	Changes []Change // of series over time
	Ratios  []Ratio
}

// Change is a moment at which something changed, marked across a chart over time.
type Change struct {
	X     float64
	Label string // a number or a letter; what changed is said beside the chart
}

// Axis is what a chart shows along one side, logarithmically; but for time, of which the values are seconds since 1970.
type Axis struct {
	Title Text   // "throughput", in the middle of a sentence
	Unit  string // as of metrics: "B", "B/s", "ns", "%", "1" for a count; or UnitDate
}

// UnitDate is of moments.
const UnitDate = "date"

// Sides are the chart's, or what a chart of speed over size shows.
func (c Chart) Sides() (x, y Axis) {
	size, rate := Axis{Text{EN: "message size", ZH: "消息长度"}, "B"}, Axis{Text{EN: "throughput", ZH: "吞吐量"}, "B/s"}
	return cmp.Or(c.X, size), cmp.Or(c.Y, rate)
}

// Axes says under the chart what its axes are.
func (c Chart) Axes() Text {
	x, y := c.Sides()
	scales := Text{EN: "; both axes are logarithmic,", ZH: "双对数坐标"}
	if x.Unit == UnitDate {
		scales = Text{EN: ", logarithmic;", ZH: "对数坐标"}
	}
	_, first := utf8.DecodeRuneInString(y.Title.EN)
	return Text{
		EN: strings.ToUpper(y.Title.EN[:first]) + y.Title.EN[first:] + " over " + x.Title.EN + scales.EN +
			" bars are 99 % intervals.",
		ZH: y.Title.ZH + "随" + x.Title.ZH + "的变化，" + scales.ZH + "；竖线为置信区间。",
	}
}

// Series is one line of a chart.
type Series struct {
	Name   Text
	Struck bool // incorrect
	New    bool
	Apart  bool // its points are of different things, each with its name: no line joins them
	Points []Point
	Levels []Level                 // what it was between changes, drawn in place of a line through its points, which are noise
	Model  func(x float64) float64 // cost model drawn beside the points; nil where there is none
}

// Level is what a series was for a while, with its interval.
type Level struct {
	From, To     float64
	Y, Low, High float64
}

// Point is a measured value with its interval; Low and High equal Y where there is none.
type Point struct {
	X, Y, Low, High float64
	RowID           string
	Name            Text // of a series whose points stand apart
}

// Ratio is one line of a ratio chart.
type Ratio struct {
	Label            Text
	Value, Low, High float64
	HasInterval      bool
	Verdict          string
	Says             Text   // the verdict in words, or why there is none
	ID               string // comparison id
	Reverse          Text   // the label of the second over the first, where it has one
}

// Picture is an artifact shown with others of its set side by side.
type Picture struct {
	Title    Text
	Caption  Text
	Artifact string // name
}

// Listing is lines of a program that a reader may want to write.
type Listing struct {
	Title    Text
	Language string // "c", "go": of the fence in Markdown
	Code     string
}

// Lines are a listing's, as they are printed where there are no tabs.
func (l Listing) Lines() []string {
	const tab = "    "
	return strings.Split(strings.TrimRight(strings.ReplaceAll(l.Code, "\t", tab), "\n"), "\n")
}
