package fleet

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/render"
)

// writeCSV writes a line a row, of cases or of a plan's machines. Fields that do not apply are empty.
func (r *Report) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true // RFC 4180, section 2
	line := func(fields ...string) {
		for i := range fields {
			fields[i] = render.CSVText(render.Clean(fields[i]))
		}
		out.Write(fields)
	}
	price := func(m *Machine) string {
		if m.VCPUHour == nil {
			return ""
		}
		return number64(*m.VCPUHour)
	}
	if r.Plan != nil {
		line("machine", "key", "vcpu_hour", "currency", "every_cpu_busy", "vcpu", "vcpu_low", "vcpu_high", "cpu_ns", "cost_per_hour",
			"cost_per_hour_low", "cost_per_hour_high", "cost_per_million", "cost_per_million_low", "cost_per_million_high", "started", "confidence")
		for _, l := range r.Plan.Rows {
			line(concat([]string{l.Machine.Name, l.Machine.Key, price(l.Machine), r.Currency, strconv.FormatBool(l.Full)}, three(l.VCPU),
				three(l.CPU)[:1], three(l.Hour), three(l.Cost), []string{stamp(l.Started), l.Confidence})...)
		}
	} else {
		line("machine", "key", "vcpu_hour", "currency", "algorithm", "mode", "operation", "bytes", "parameters", "library", "version", "implementation",
			"call_path", "busy_cpus", "every_cpu_busy", "status", "reason", "clock", "cpu_ns", "cpu_ns_low", "cpu_ns_high",
			"cost_per_million", "cost_per_million_low", "cost_per_million_high", "started", "confidence", "run")
		for _, c := range r.Cases {
			for _, row := range c.Rows {
				line(concat([]string{row.Machine.Name, row.Machine.Key, price(row.Machine), r.Currency, c.Algorithm, c.Mode, c.Operation,
					strconv.FormatInt(c.Bytes, 10), c.Parameters, row.Subject.Library, row.Subject.Version, row.Subject.Implementation,
					row.Subject.CallPath, strconv.Itoa(row.Busy), strconv.FormatBool(row.Full()), string(row.Status), row.Why.EN, clockOf(row.CPU)},
					three(row.CPU), three(row.Cost), []string{stamp(row.Started), row.Confidence, row.Run})...)
			}
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func concat(parts ...[]string) (all []string) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// three are an estimate's fields.
func three(e *document.Estimate) []string {
	fields := []string{"", "", ""}
	if e == nil {
		return fields
	}
	fields[0] = number64(e.Median)
	if e.Low != nil && e.High != nil {
		fields[1], fields[2] = number64(*e.Low), number64(*e.High)
	}
	return fields
}

func number64(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func clockOf(e *document.Estimate) string {
	if e == nil {
		return ""
	}
	return e.Clock
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
