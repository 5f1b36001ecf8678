package verify

import (
	"io"
	"math"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/statement"
	"github.com/cryptogauge/cryptogauge/result"
)

// Schema names the format of the JSON report. Other programs rely on its names; a field that
// does not apply is null.
const Schema = "cryptogauge.verify/1"

type jsonReport struct {
	Schema     string             `json:"schema"`
	Tool       string             `json:"tool"`
	File       string             `json:"file"`
	Run        string             `json:"run"`
	Machine    result.Machine     `json:"machine"`
	Started    time.Time          `json:"started"`
	Seconds    *float64           `json:"seconds"`
	Seed       uint64             `json:"seed"`
	Trust      document.Trust     `json:"trust"`
	LeftOut    []document.LeftOut `json:"left_out"` // to end within the budget
	Counts     map[Verdict]int    `json:"counts"`
	Statements []jsonStatement    `json:"statements"`
}

type jsonStatement struct {
	Number     int           `json:"number"` // from 1
	Line       int           `json:"line"`
	Column     int           `json:"column"`
	Says       string        `json:"says"`
	Source     string        `json:"source"`
	Kind       string        `json:"kind"`
	Verdict    Verdict       `json:"verdict"`
	Text       layout.Text   `json:"text"` // what is true, or why there is no verdict
	Bound      *layout.Text  `json:"bound"`
	Longer     *float64      `json:"longer_seconds"`
	Measured   []jsonMeasure `json:"measured"`
	Rows       []string      `json:"rows"`
	Comparison *string       `json:"comparison"`
	Plan       *jsonPlan     `json:"plan"` // null where the statement is about none
}

type jsonPlan struct {
	Workload string       `json:"workload"`
	Chosen   []jsonChoice `json:"chosen"`
}

type jsonChoice struct {
	Step string `json:"step"`
	Row  string `json:"row_id"`
	Name string `json:"name"`
}

type jsonMeasure struct {
	What  string   `json:"what"`
	Unit  string   `json:"unit"`
	Value float64  `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
	Level float64  `json:"level,omitempty"`
	Asked struct {
		Low  *float64 `json:"low"`
		High *float64 `json:"high"`
	} `json:"asked"`
	Verdict Verdict `json:"verdict"`
}

func (r Report) writeJSON(w io.Writer, _ Options) error {
	d := r.Doc
	out := jsonReport{Schema: Schema, Tool: r.Tool, File: r.File, Run: r.Run, Machine: d.Machine, Started: d.Started, Seconds: d.Seconds,
		Seed: d.Seed, Trust: d.Trust, LeftOut: d.LeftOut, Counts: map[Verdict]int{}, Statements: []jsonStatement{}}
	for _, v := range verdicts {
		out.Counts[v] = r.count(v)
	}
	for i := range r.Judged {
		out.Statements = append(out.Statements, r.Judged[i].json(i))
	}
	return layout.WriteJSON(w, "  ", out)
}

func (v *Judged) json(i int) jsonStatement {
	s := jsonStatement{Number: i + 1, Line: v.Place.Line, Column: v.Place.Column, Says: v.Says, Source: v.Source, Kind: string(v.Kind),
		Verdict: v.Verdict, Text: v.Text, Measured: []jsonMeasure{}, Rows: append([]string{}, v.Rows...)}
	if v.Bound != (layout.Text{}) {
		s.Bound = &v.Bound
	}
	if v.Longer > 0 {
		s.Longer = &v.Longer
	}
	if v.Compare != "" {
		s.Comparison = &v.Compare
	}
	if v.Kind == statement.Plan {
		s.Plan = &jsonPlan{v.WorkloadPath(), []jsonChoice{}}
		for _, c := range v.Choices {
			s.Plan.Chosen = append(s.Plan.Chosen, jsonChoice{c.Step, c.Row, c.Who})
		}
	}
	for _, f := range v.Found {
		m := jsonMeasure{What: f.What, Unit: string(f.Asked.Unit), Value: f.Value, Low: f.Low, High: f.High, Level: f.Level, Verdict: f.verdict()}
		m.Asked.Low, m.Asked.High = f.Asked.Ends()
		if !math.IsNaN(f.Value) && !math.IsInf(f.Value, 0) {
			s.Measured = append(s.Measured, m)
		}
	}
	return s
}
