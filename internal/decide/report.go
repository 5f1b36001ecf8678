package decide

import (
	"fmt"
	"io"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// ReportSchema names the JSON report's format.
const ReportSchema = "cryptogauge.plan/1"

// Report is the JSON report; other programs rely on the names.
type Report struct {
	Schema         string             `json:"schema"`
	Name           string             `json:"name"`
	Run            string             `json:"run"`
	Runs           []string           `json:"runs"` // where the rows are from
	Trust          document.Trust     `json:"trust"`
	Rate           *float64           `json:"rate"`
	Utilization    float64            `json:"utilization"`
	CPUs           int                `json:"cpus"`
	Extrapolates   bool               `json:"extrapolates"`
	Steps          []stepReport       `json:"steps"`
	VCPU           *document.Estimate `json:"vcpu"`
	VCPUPer1000    *document.Estimate `json:"vcpu_per_1000,omitempty"` // transactions a second, where no rate was given
	CostPerMillion *float64           `json:"cost_per_million"`
	Currency       string             `json:"currency,omitempty"`
	Instances      *int               `json:"instances"`
	Check          *Check             `json:"check"`
	Unchecked      *layout.Text       `json:"unchecked"` // why check is null
	Unasked        []string           `json:"unasked"`   // installed libraries that a Go program calls through C
	CPUsForP99     *int               `json:"cpus_for_p99"`
	Latencies      []Latency          `json:"latencies"` // at the limit of p99, by number of CPUs
	Answers        []layout.Answer    `json:"answers"`
	Knowledge      knowledgeReport    `json:"knowledge"`
}

type stepReport struct {
	Name       string            `json:"name"`
	Need       Need              `json:"need"`
	Rate       *float64          `json:"rate"`
	Require    []Requirement     `json:"require"`
	Candidates []candidateReport `json:"candidates"`
	Chosen     *string           `json:"chosen"`
	InsteadOf  *string           `json:"instead_of"`
	Without    []dropReport      `json:"without"`
	Weights    *weightsReport    `json:"weights,omitempty"`
}

type candidateReport struct {
	RowID       string             `json:"row_id"`
	Name        string             `json:"name"`
	Library     string             `json:"library"`
	Version     string             `json:"version"`
	Algorithm   string             `json:"algorithm"`
	Mode        string             `json:"mode"`
	CPU         *document.Estimate `json:"cpu_ns"`
	Busy        *document.Estimate `json:"busy_cpu_ns"`
	VCPU        *document.Estimate `json:"vcpu"`
	BytesSent   *float64           `json:"bytes_sent"`
	Strength    int                `json:"strength_bits,omitempty"`
	Memory      *float64           `json:"alloc_bytes"`
	Standing    string             `json:"standing"`
	DominatedBy *string            `json:"dominated_by"`
	Excluded    []layout.Text      `json:"excluded"`
}

type dropReport struct {
	Requirement Requirement `json:"requirement"`
	Chosen      string      `json:"chosen"`
}

type weightsReport struct {
	First  string             `json:"first"`
	Share  float64            `json:"share"`
	Scores map[string]float64 `json:"scores"`
}

type knowledgeReport struct {
	Requirements []requirementBasis `json:"requirements"`
	Libraries    []Known            `json:"libraries"`
}

type requirementBasis struct {
	Requirement Requirement   `json:"requirement"`
	Basis       language.Text `json:"basis"`
}

// knowledge is what is known beside the rows, and on what that rests.
func knowledge() knowledgeReport {
	k := knowledgeReport{Libraries: Libraries}
	for _, r := range rules {
		k.Requirements = append(k.Requirements, requirementBasis{r.name, r.basis})
	}
	return k
}

// WriteJSON writes a decision as the JSON report. The document is the one that it was laid out in.
func (d *Decision) WriteJSON(w io.Writer, doc *document.Document, runs []string) error {
	r := Report{Schema: ReportSchema, Name: d.Workload.Name, Runs: runs, Trust: doc.Trust, Utilization: d.Workload.Limits.Used(),
		CPUs: d.CPUs, Extrapolates: d.Extrapolates(), Steps: []stepReport{}, CostPerMillion: d.CostPerMillion(),
		Currency: d.Workload.Price.Currency, Instances: d.Instances(), Check: d.Check, Unchecked: d.Unchecked,
		Unasked: append([]string{}, d.Unasked...), CPUsForP99: d.CPUsForP99,
		Latencies: append([]Latency{}, d.Latencies...), Answers: append([]layout.Answer{}, doc.Answers...),
		Knowledge: knowledge()}
	if len(runs) > 0 {
		r.Run = runs[len(runs)-1]
	}
	if d.Workload.Rate > 0 {
		r.Rate = &d.Workload.Rate
	}
	if d.Workload.Rated() {
		r.VCPU = d.VCPU
	} else {
		r.VCPUPer1000 = d.VCPU
	}
	for i, c := range d.Steps {
		step := c.report()
		if !d.Workload.Rated() {
			step.unrated()
		}
		if i < len(d.Weighed) && d.Weighed[i].First != nil {
			step.Weights = d.Weighed[i].report()
		}
		r.Steps = append(r.Steps, step)
	}
	if err := layout.WriteJSON(w, " ", r); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func idOf(c *Candidate) *string {
	if c == nil {
		return nil
	}
	return &c.Row.ID
}

func (c *Choice) report() stepReport {
	r := stepReport{Name: c.Name, Need: c.Need, Rate: &c.RatePerSecond, Require: append([]Requirement{}, c.Require...),
		Candidates: []candidateReport{}, Chosen: idOf(c.Chosen), InsteadOf: idOf(c.Today), Without: []dropReport{}}
	for _, x := range c.Candidates {
		of := candidateReport{RowID: x.Row.ID, Name: x.name(), Library: x.Row.Library, Version: x.Row.Version, Algorithm: x.Row.Algorithm,
			Mode: x.Row.Mode, CPU: x.CPU, Busy: x.Busy, VCPU: x.VCPU, BytesSent: x.Bytes, Strength: x.Strength(), Memory: x.Memory, Standing: x.Standing,
			DominatedBy: idOf(x.By)}
		for _, e := range x.Excluded {
			of.Excluded = append(of.Excluded, e.Why)
		}
		r.Candidates = append(r.Candidates, of)
	}
	for _, x := range c.Dropped {
		r.Without = append(r.Without, dropReport{x.Requirement, x.Candidate.Row.ID})
	}
	return r
}

// unrated leaves out what follows from a rate that nobody gave.
func (r *stepReport) unrated() {
	r.Rate = nil
	for i := range r.Candidates {
		r.Candidates[i].VCPU = nil
	}
}

func (w Weighed) report() *weightsReport {
	r := &weightsReport{First: w.First.Row.ID, Share: w.Share, Scores: map[string]float64{}}
	for _, s := range w.Scores {
		r.Scores[s.Row.ID] = s.Value
	}
	return r
}
