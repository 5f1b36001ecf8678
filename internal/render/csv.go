package render

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// csvColumn is one field of a row. The names are those of the JSON report.
type csvColumn struct {
	name  string
	value func(*document.Row) string
}

var csvColumns = []csvColumn{
	{"id", func(r *document.Row) string { return r.ID }},
	{"experiment", func(r *document.Row) string { return r.Experiment }},
	{"algorithm", func(r *document.Row) string { return r.Algorithm }},
	{"mode", func(r *document.Row) string { return r.Mode }},
	{"operation", func(r *document.Row) string { return r.Operation }},
	{"bytes", func(r *document.Row) string { return strconv.FormatInt(r.Bytes, 10) }},
	{"parameters", func(r *document.Row) string { return r.Parameters }},
	{"library", func(r *document.Row) string { return r.Library }},
	{"version", func(r *document.Row) string { return r.Version }},
	{"implementation", func(r *document.Row) string { return r.Implementation }},
	{"call_path", func(r *document.Row) string { return r.CallPath }},
	{"environment", func(r *document.Row) string { return r.Environment }},
	{"status", func(r *document.Row) string { return string(r.Status) }},
	{"reason", func(r *document.Row) string { return r.Reason }},
	{"clock", func(r *document.Row) string { return orZero(r.NsPerOp).Clock }},
	{"ns_per_op", func(r *document.Row) string { return medianText(r.NsPerOp) }},
	{"ns_per_op_low", func(r *document.Row) string { return numberText(orZero(r.NsPerOp).Low) }},
	{"ns_per_op_high", func(r *document.Row) string { return numberText(orZero(r.NsPerOp).High) }},
	{"wall_ns_per_op", func(r *document.Row) string { return medianText(r.WallNsPerOp) }},
	{"wall_ns_per_op_low", func(r *document.Row) string { return numberText(orZero(r.WallNsPerOp).Low) }},
	{"wall_ns_per_op_high", func(r *document.Row) string { return numberText(orZero(r.WallNsPerOp).High) }},
	{"bytes_per_second", func(r *document.Row) string { return numberText(r.BytesPerSecond) }},
	{"busy_bytes_per_second_per_cpu", func(r *document.Row) string { return numberText(r.BusyBytesPerSecondPC) }},
	{"cycles_per_byte", func(r *document.Row) string { return numberText(r.CyclesPerByte) }},
	{"allocs_per_op", func(r *document.Row) string { return numberText(r.AllocsPerOp) }},
	{"alloc_bytes_per_op", func(r *document.Row) string { return numberText(r.AllocBytesPerOp) }},
	{"metrics", metricsText},
	{"samples", func(r *document.Row) string { return strconv.Itoa(r.Samples) }},
	{"blocks", func(r *document.Row) string { return strconv.Itoa(r.Blocks) }},
	{"warnings", func(r *document.Row) string { return strings.Join(r.Warnings, "; ") }},
	{"security", func(r *document.Row) string { return strings.Join(r.Security, "; ") }},
	{"standard", func(r *document.Row) string { return r.Standard }},
	{"constant_time", func(r *document.Row) string { return r.ConstantTime.Value }},
	{"constant_time_basis", func(r *document.Row) string { return r.ConstantTime.Basis }},
	{"loop", func(r *document.Row) string { return r.Loop }},
	{"note", func(r *document.Row) string { return r.Note }},
	{"runtime", func(r *document.Row) string { return r.Runtime }},
}

// WriteCSV writes one line a row, of all documents, with a header line and the
// machine in the first column. Fields that do not apply are empty; text that a
// spreadsheet would compute has a ' before it.
func WriteCSV(w io.Writer, docs []*document.Document, _ Options) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true // RFC 4180, section 2
	line := []string{"machine", "started", "seed"}
	out.Write(append(line, each(csvColumns, func(c csvColumn) string { return c.name })...))
	for i, d := range docs {
		machine := document.MachineLine(d.Machine, layout.English)
		if machine == "" || len(docs) > 1 {
			machine = strings.TrimSpace(machineLetter(i) + " " + machine)
		}
		for _, r := range d.Rows {
			line = append(line[:0], CSVText(Clean(machine)), d.Started.UTC().Format("2006-01-02T15:04:05Z"), strconv.FormatUint(d.Seed, 10))
			for _, c := range csvColumns {
				line = append(line, CSVText(Clean(c.value(r))))
			}
			out.Write(line)
		}
	}
	out.Flush()
	return written("report", out.Error())
}

// CSVText keeps a cell from being read as a formula by a spreadsheet, which takes those
// that begin with an operator for one. Numbers may begin with a sign.
func CSVText(s string) string {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " "))
	if !strings.ContainsRune("=+-@＝＋－＠", first) || csvNumber().MatchString(s) {
		return s
	}
	return "'" + s
}

var csvNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[+-]?[0-9.]+([eE][+-]?[0-9]+)?$`) })

// orZero is what there is, else the zero value.
func orZero[T any](v *T) (value T) {
	if v != nil {
		value = *v
	}
	return value
}

func medianText(e *document.Estimate) string {
	if e == nil {
		return ""
	}
	return numberText(&e.Median)
}

func numberText(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
}

// metricsText keeps a scenario's metrics as they stand in the JSON report.
func metricsText(r *document.Row) string {
	if len(r.Metrics) == 0 {
		return ""
	}
	b, _ := json.Marshal(r.Metrics) // of finite numbers and strings: it can't fail
	return string(b)
}
