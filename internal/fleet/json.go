package fleet

import (
	"fmt"
	"io"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// Schema names the JSON report's format.
const Schema = "cryptogauge.fleet/1"

// Other programs rely on the names. What does not apply is null, never invented.
type jsonReport struct {
	Schema   string          `json:"schema"`
	Store    string          `json:"store"`
	Currency string          `json:"currency,omitempty"`
	Machines []jsonMachine   `json:"machines"`
	Unused   []string        `json:"unused_prices"`
	Cases    []jsonCase      `json:"cases"`
	Plan     *jsonPlan       `json:"plan"`
	Answers  []layout.Answer `json:"answers"`
}

type jsonMachine struct {
	Name     string   `json:"name"`
	Key      string   `json:"key"`
	Label    string   `json:"label"`
	Product  string   `json:"product"`
	CPUs     float64  `json:"cpus"`
	Runs     int      `json:"runs"`
	VCPUHour *float64 `json:"vcpu_hour"`
}

type jsonCase struct {
	result.Case
	Rows []jsonRow `json:"rows"`
}

type jsonRow struct {
	Machine  string             `json:"machine"` // key
	Subject  result.Subject     `json:"subject"`
	BusyCPUs int                `json:"busy_cpus"` // 0: it ran alone
	Full     bool               `json:"every_cpu_busy"`
	Status   result.Status      `json:"status"`
	Reason   string             `json:"reason,omitempty"`
	CPU      *document.Estimate `json:"cpu_ns"`
	Cost     *document.Estimate `json:"cost_per_million"`
	jsonFrom
}

// jsonFrom is where numbers are from.
type jsonFrom struct {
	Started    string `json:"started"`
	Confidence string `json:"confidence"`
}

type jsonPlan struct {
	Name        string     `json:"name"`
	Rate        *float64   `json:"rate"`
	Utilization float64    `json:"utilization"`
	Rows        []jsonLoad `json:"rows"`
}

type jsonLoad struct {
	Machine string             `json:"machine"` // key
	Full    bool               `json:"every_cpu_busy"`
	VCPU    *document.Estimate `json:"vcpu"`   // for 1000 a second where the plan has no rate
	CPU     *document.Estimate `json:"cpu_ns"` // of vCPUs, a transaction
	Hour    *document.Estimate `json:"cost_per_hour"`
	Cost    *document.Estimate `json:"cost_per_million"`
	Steps   []jsonStep         `json:"steps"`
	Runs    []string           `json:"runs"`
	jsonFrom
}

type jsonStep struct {
	Name      string  `json:"name"`
	Library   *string `json:"library"` // null where no candidate has a number
	Version   *string `json:"version"`
	Algorithm *string `json:"algorithm"`
	Mode      *string `json:"mode"`
}

func (r *Report) writeJSON(w io.Writer) error {
	out := jsonReport{Schema: Schema, Store: r.Store, Currency: r.Currency, Machines: []jsonMachine{}, Unused: append([]string{}, r.Unused...),
		Cases: []jsonCase{}, Answers: r.Lay(0).Answers}
	for _, m := range r.Machines {
		out.Machines = append(out.Machines, jsonMachine{m.Name, m.Key, m.Label, m.Product, m.CPUs, m.Runs, m.VCPUHour})
	}
	for _, c := range r.Cases {
		of := jsonCase{Case: c.Case}
		for _, row := range c.Rows {
			of.Rows = append(of.Rows, jsonRow{Machine: row.Machine.Key, Subject: row.Subject, BusyCPUs: row.Busy, Full: row.Full(), Status: row.Status,
				Reason: row.Why.EN, CPU: row.CPU, Cost: row.Cost, jsonFrom: jsonFrom{stamp(row.Started), row.Confidence}})
		}
		out.Cases = append(out.Cases, of)
	}
	if r.Plan != nil {
		out.Plan = r.Plan.json()
	}
	if err := layout.WriteJSON(w, " ", out); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func (p *Plan) json() *jsonPlan {
	out := &jsonPlan{Name: p.Name, Utilization: p.Limits.Used(), Rows: []jsonLoad{}}
	if p.Workload.Rate > 0 {
		out.Rate = &p.Workload.Rate
	}
	for _, l := range p.Rows {
		row := jsonLoad{Machine: l.Machine.Key, Full: l.Full, VCPU: l.VCPU, CPU: l.CPU, Hour: l.Hour, Cost: l.Cost, Runs: l.Runs,
			jsonFrom: jsonFrom{stamp(l.Started), l.Confidence}}
		for _, s := range l.Steps {
			step := jsonStep{Name: s.Name}
			if s.Picked != (layout.Text{}) {
				step.Library, step.Version, step.Algorithm, step.Mode = &s.Row.Library, &s.Row.Version, &s.Row.Algorithm, &s.Row.Mode
			}
			row.Steps = append(row.Steps, step)
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}
