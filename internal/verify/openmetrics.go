package verify

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/statement"
)

// writeOpenMetrics writes gauges in the text format of OpenMetrics 1.0, which the older one of
// Prometheus reads as well: each statement's verdict as one of five that is 1, and what was
// measured of it with the ends of its interval, in base units.
func (r Report) writeOpenMetrics(w io.Writer, _ Options) error {
	var b strings.Builder
	b.WriteString("# TYPE cryptogauge_statement_verdict gauge\n" +
		"# HELP cryptogauge_statement_verdict Of the verdicts that a statement may have, the one that it got is 1.\n")
	for i, j := range r.Judged {
		for _, v := range verdicts {
			is := 0
			if j.Verdict == v {
				is = 1
			}
			fmt.Fprintf(&b, "cryptogauge_statement_verdict{%s,verdict=%s} %d\n", r.labels(i), label(string(v)), is)
		}
	}
	for _, f := range families {
		f.write(&b, r)
	}
	b.WriteString("# EOF\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// family is a gauge of quantities of one unit.
type family struct {
	name, unit, help string
	of               statement.Unit
	factor           float64 // to the base unit
}

var families = []family{
	{"cryptogauge_statement_seconds", "seconds", "What a statement says takes so long, as measured.", statement.Nanoseconds, 1e-9},
	{"cryptogauge_statement_bytes", "bytes", "What a statement says takes so much room, as measured.", statement.Bytes, 1},
	{"cryptogauge_statement_bytes_per_second", "", "The rate in bytes that a statement is about, as measured.", statement.BytesPerSecond, 1},
	{"cryptogauge_statement_operations_per_second", "", "The rate in operations that a statement is about, as measured.", statement.PerSecond, 1},
	{"cryptogauge_statement_ratio", "", "The speed of a row over another's that a statement is about, or another number, as measured.", statement.Number, 1},
}

func (f family) write(b *strings.Builder, r Report) {
	var samples strings.Builder
	for i, j := range r.Judged {
		for _, found := range j.Found {
			if found.Asked.Unit != f.of {
				continue
			}
			put := func(which string, v *float64) {
				if v != nil {
					fmt.Fprintf(&samples, "%s{%s,what=%s,of=%s} %s\n", f.name, r.labels(i), label(found.What), label(which),
						strconv.FormatFloat(*v*f.factor, 'g', 12, 64))
				}
			}
			put("median", &found.Value)
			put("low", found.Low)
			put("high", found.High)
		}
	}
	if samples.Len() == 0 {
		return
	}
	fmt.Fprintf(b, "# TYPE %s gauge\n", f.name)
	if f.unit != "" {
		fmt.Fprintf(b, "# UNIT %s %s\n", f.name, f.unit)
	}
	fmt.Fprintf(b, "# HELP %s %s\n%s", f.name, f.help, samples.String())
}

func (r Report) labels(i int) string {
	return fmt.Sprintf(`statement="%d",says=%s`, i+1, label(render.Clean(r.Judged[i].Name(i))))
}

// label is a label's value in quotes, in which three characters are escaped.
func label(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(value) + `"`
}
