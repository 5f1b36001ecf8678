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

type csvField struct{ name, value string }

// csvFields are a row's, by the names that they have in the JSON report.
func csvFields(r *document.Row) []csvField {
	took, wall := orZero(r.NsPerOp), orZero(r.WallNsPerOp)
	return []csvField{
		{"id", r.ID}, {"experiment", r.Experiment},
		{"algorithm", r.Algorithm}, {"mode", r.Mode}, {"operation", r.Operation},
		{"bytes", strconv.FormatInt(r.Bytes, 10)}, {"parameters", r.Parameters},
		{"library", r.Library}, {"version", r.Version}, {"implementation", r.Implementation},
		{"call_path", r.CallPath}, {"environment", r.Environment},
		{"status", string(r.Status)}, {"reason", r.Reason},
		{"clock", took.Clock}, {"ns_per_op", medianText(r.NsPerOp)},
		{"ns_per_op_low", numberText(took.Low)}, {"ns_per_op_high", numberText(took.High)},
		{"wall_ns_per_op", medianText(r.WallNsPerOp)},
		{"wall_ns_per_op_low", numberText(wall.Low)}, {"wall_ns_per_op_high", numberText(wall.High)},
		{"bytes_per_second", numberText(r.BytesPerSecond)},
		{"busy_bytes_per_second_per_cpu", numberText(r.BusyBytesPerSecondPC)},
		{"cycles_per_byte", numberText(r.CyclesPerByte)},
		{"allocs_per_op", numberText(r.AllocsPerOp)}, {"alloc_bytes_per_op", numberText(r.AllocBytesPerOp)},
		{"metrics", metricsText(r)}, {"samples", strconv.Itoa(r.Samples)}, {"blocks", strconv.Itoa(r.Blocks)},
		{"warnings", strings.Join(r.Warnings, "; ")}, {"security", strings.Join(r.Security, "; ")},
		{"standard", r.Standard},
		{"constant_time", r.ConstantTime.Value}, {"constant_time_basis", r.ConstantTime.Basis},
		{"loop", r.Loop}, {"note", r.Note}, {"runtime", r.Runtime},
	}
}

// WriteCSV writes one line a row, of all documents, with a header line and the
// machine in the first column. Fields that do not apply are empty; text that a
// spreadsheet would compute has a ' before it.
func WriteCSV(w io.Writer, docs []*document.Document, _ Options) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true // RFC 4180, section 2
	line := []string{"machine", "started", "seed"}
	for _, field := range csvFields(&document.Row{}) {
		line = append(line, field.name)
	}
	out.Write(line)
	for i, d := range docs {
		machine := document.MachineLine(d.Machine, layout.English)
		if machine == "" || len(docs) > 1 {
			machine = strings.TrimSpace(machineLetter(i) + " " + machine)
		}
		for _, r := range d.Rows {
			line = append(line[:0], CSVText(Clean(machine)), d.Started.UTC().Format("2006-01-02T15:04:05Z"), strconv.FormatUint(d.Seed, 10))
			for _, field := range csvFields(r) {
				line = append(line, CSVText(Clean(field.value)))
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
