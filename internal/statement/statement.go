// Package statement reads what is claimed of cryptography: published figures, budgets and
// service objectives, written in YAML. A statement is about a row, a ratio of two rows, a
// latency at a rate, how all rows of a kind end, or the plan of a workload. Package verify
// measures it and judges.
//
// What a file may hold stands in statements/statements.schema.json, which a test holds to
// this parser. Every error names file, line and column.
package statement

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Kind is what a statement is about.
type Kind string

const (
	Row     Kind = "row"     // a row's time, rate or metric
	Ratio   Kind = "ratio"   // the speed of a row against another's
	Latency Kind = "latency" // of a row's operation, at a rate of arrivals
	Status  Kind = "status"  // how all rows that fit end
	Plan    Kind = "plan"    // what the plan of a workload comes to
	// Unmeasured is a claim that no row of the laboratory bears on, kept with the reason.
	Unmeasured Kind = "unmeasured"
)

// File is a file of statements.
type File struct {
	Title      string // empty without
	About      string // what its reader should know first; empty without
	Statements []Statement
}

// Statement is one claim.
type Statement struct {
	Place  Place
	Says   string // in its author's words; empty where they gave none
	Source string // who says so
	Kind   Kind

	// Row is the row that it is about: of a ratio the one that is called faster, slower or
	// as fast; of a status any number of rows; of a plan the candidate that is said to be
	// chosen, without parts where nothing is said of that.
	Row  Selector
	Than Selector // the other one, of a ratio
	// Direction is that of a ratio.
	Direction Direction

	Bounds []Bound // that must all hold; none where a ratio states its direction alone
	At     int64   // arrivals a second, of a latency
	Status string  // that all rows must have

	Workload string // the workload's file, of a plan, as it was written
	Step     string // of the workload, of which a choice is claimed; empty where it has one alone
	Reason   string // of what is not measured
}

// Direction is what a ratio claims.
type Direction string

const (
	Faster Direction = "faster"
	Slower Direction = "slower"
	Same   Direction = "same"
)

// Bound is a range that something measured must lie in.
type Bound struct {
	What   string // "time", "rate", "by", "latency_p99", "vcpu", "p99", or the name of a metric
	Metric bool   // What is a metric's name
	Range  Range
}

// Name is what the statement says, or its number, counted from 0, where it says nothing.
func (s Statement) Name(i int) string {
	return cmp.Or(s.Says, fmt.Sprintf("statement %d", i+1))
}

// Selectors are those of the rows that the statement needs, in order.
func (s Statement) Selectors() []Selector {
	switch s.Kind {
	case Ratio:
		return []Selector{s.Row, s.Than}
	case Plan, Unmeasured:
		return nil
	}
	return []Selector{s.Row}
}

// WorkloadPath is where the workload is: its name counts from the file of the statements.
func (s Statement) WorkloadPath() string {
	if filepath.IsAbs(s.Workload) {
		return s.Workload
	}
	return filepath.Join(filepath.Dir(s.Place.File), s.Workload)
}

// Place is where something stands in a file.
type Place struct {
	File         string
	Line, Column int
}

// Errorf is an error at a place, in both languages.
func (p Place) Errorf(en, zh string, args ...any) error {
	return language.Errorf("%s:%d:%d: %s", "%s:%d:%d：%s", p.File, p.Line, p.Column, language.Say(en, zh, args...))
}

// Unit is what a quantity is counted in, of those that a file may use.
type Unit string

const (
	Nanoseconds    Unit = "ns"
	Bytes          Unit = "B"
	BytesPerSecond Unit = "B/s"
	PerSecond      Unit = "1/s"
	Number         Unit = "1"
	Share          Unit = "%" // written in percent; its value is that of a number
)

// Range is what a quantity is claimed to lie in, both ends included. An end that was left
// open is 0 or infinite.
type Range struct {
	Low, High float64
	Unit      Unit
}

// Holds says whether an interval lies wholly inside the range.
func (r Range) Holds(low, high float64) bool { return r.Low <= low && high <= r.High }

// Excludes says whether an interval lies wholly outside the range.
func (r Range) Excludes(low, high float64) bool { return high < r.Low || r.High < low }

// Ends are the ends that are not open.
func (r Range) Ends() (low, high *float64) {
	if r.Low > 0 {
		low = &r.Low
	}
	if !math.IsInf(r.High, 1) {
		high = &r.High
	}
	return low, high
}
