// Package decide answers what a service's cryptography should be and how many CPUs it takes:
// the verb plan. A [Workload] says what one transaction does and how often; its
// [Workload.Experiment] measures what could do it; [Make] sets the rows of that run, and of
// one that was there before, against each other and chooses.
//
//	yaml.go        a workload file as a tree that knows its lines
//	workload.go    what a workload is; decode.go reads one, of a file by files.go
//	kept.go        the workload that a plan's run keeps
//	need.go        what a step needs, and the cases that meet it; use.go what runs today
//	knowledge.go   requirements, and what is known of candidates beside their rows
//	experiment.go  what is measured
//	candidates.go  rows become candidates: excluded, dominated, on the front, chosen
//	decide.go      the choice, and the CPUs that it takes by times and rates
//	latency.go     how many CPUs keep a limit of latency, by queue.go; check.go: the chosen steps run together
//	weights.go     weights of criteria
//	report.go      the JSON report
//	answer.go      sentences; tables.go: candidates and the chart; basis.go: what else the plan rests on
package decide

import (
	_ "embed" // the schema
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/result"
)

// Schema is the JSON Schema of a workload file.
//
//go:embed workload.schema.json
var Schema []byte

// Workload is what one transaction does, how often, and what limits it.
type Workload struct {
	Name   string  `json:"name,omitempty"`
	Rate   float64 `json:"rate,omitempty"` // transactions a second; 0: each step has its own, or none is given
	Limits Limits  `json:"limits"`
	Price  Price   `json:"price"`
	Steps  []Step  `json:"steps"`
}

// Limits are what a plan must keep; zero values are none.
type Limits struct {
	P99         time.Duration `json:"p99_ns,omitempty"`
	Utilization float64       `json:"utilization,omitempty"` // of the CPUs; 0 means that none was given, which counts as 1
}

// Used is the share of each CPU that may be used.
func (l Limits) Used() float64 {
	if l.Utilization == 0 {
		return 1
	}
	return l.Utilization
}

// Price is what CPUs cost, and how many an instance has; zero values are unknown.
type Price struct {
	VCPUHour        float64 `json:"vcpu_hour,omitempty"`
	Currency        string  `json:"currency,omitempty"`
	VCPUPerInstance float64 `json:"vcpu_per_instance,omitempty"`
}

// Step is a part of a transaction.
type Step struct {
	Name       string             `json:"name"`
	Need       Need               `json:"need"`
	Sizes      []result.SizeShare `json:"sizes,omitempty"`       // of messages, weights over their sum; none where the need has none
	Resumed    float64            `json:"resumed,omitempty"`     // share of handshakes
	ClientAuth bool               `json:"client_auth,omitempty"` // the client of a handshake proves itself too
	Require    []Requirement      `json:"require,omitempty"`
	Per        float64            `json:"per"`            // times a transaction
	Rate       float64            `json:"rate,omitempty"` // a second, in the place of the transactions'; 0: theirs
	Use        *Use               `json:"use,omitempty"`  // what runs today
}

// Use is what a step does today.
type Use struct {
	Library   string `json:"library"`
	Algorithm string `json:"algorithm"`
	Mode      string `json:"mode,omitempty"`
	Operation string `json:"operation"`
	Bytes     int64  `json:"bytes,omitempty"`
}

// usualRate is what CPUs are counted for where a workload gives no rate.
const usualRate = 1000

// Rated says whether a workload gives a rate, of transactions or of steps.
func (w *Workload) Rated() bool {
	return w.Rate > 0 || slices.ContainsFunc(w.Steps, func(s Step) bool { return s.Rate > 0 })
}

// transactions is how many there are a second; 0 where every step has a rate of its own.
func (w *Workload) transactions() float64 {
	if !w.Rated() {
		return usualRate
	}
	return w.Rate
}

// rate is how often a step runs a second.
func (w *Workload) rate(s *Step) float64 {
	if s.Rate > 0 {
		return s.Rate * s.Per
	}
	return w.transactions() * s.Per
}
