package decide

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
)

// screen is a plan of so many steps on a terminal, with all that a plan may have to say.
func screen(t *testing.T, steps, columns int, lang layout.Lang) string {
	t.Helper()
	text := "name: token service\nrate: 3000/s\nlimits: {p99: 5ms, utilization: 0.7}\nprice: {vcpu_hour: 0.04, currency: USD, vcpu_per_instance: 4}\nsteps:\n"
	requirements := []string{"constant-time", "standard:gb", "post-quantum", "standard:nist", "maintained"}
	for i := range steps {
		text += fmt.Sprintf("  - {name: step number %d of them, sign: , require: [%s]}\n", i+1, requirements[i])
	}
	weights, err := ParseWeights("time=40,throughput=30,errors=20,resources=10")
	if err != nil {
		t.Fatal(err)
	}
	doc := signed("")
	d := Make(workload(t, text), weights, doc)
	p99 := document.Estimate{Median: 4e6}
	d.Check = &Check{Rate: 3000, PredictedVCPU: 1.2, ObservedVCPU: 1.5, Ratio: &document.Estimate{Median: 1.25}, Outcome: Off, ObservedP99: &p99.Median}
	d.Latencies = []Latency{{CPUs: 3, Servers: 2, Utilization: 0.7, P99: &p99, Kept: Held}}
	d.countForP99()
	d.Lay(doc)
	doc.Layouts[0].Next = []layout.Next{{Command: "cryptogauge plan token-service.yaml --run cryptogauge-results/20261123T050813Z-plan --budget 0 --all",
		Why: layout.Text{EN: "all of the plan from the same rows, with what was excluded and why", ZH: "显示计划的全部内容"}}}
	var out bytes.Buffer
	if err := render.WriteText(&out, []*document.Document{doc}, render.Options{Lang: lang, Width: columns}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// columnsOf is how many columns of a terminal a line takes: Chinese characters and their
// punctuation take two, and begin with the radicals.
func columnsOf(line string) (n int) {
	for _, r := range line {
		n++
		if r >= '\u2e80' {
			n++
		}
	}
	return n
}

// TestOneScreen: a plan of one step and one of five are each one screen that begins with the
// CPUs, names every step's choice, and is not wider than the terminal.
func TestOneScreen(t *testing.T) {
	const most = 60
	for _, steps := range []int{1, 5} {
		for _, columns := range []int{100, 60} {
			for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
				text := screen(t, steps, columns, lang)
				lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
				if len(lines) >= most && columns == 100 { // the last is the path of the page
					t.Errorf("%d steps: %d lines of %d columns in %s:\n%s", steps, len(lines), columns, lang, text)
				}
				if !strings.Contains(lines[0], " vCPU") || !strings.Contains(strings.Join(lines[:3], " "), "0.7") {
					t.Errorf("%d steps in %s begin with %q", steps, lang, lines[0])
				}
				for i := range steps {
					if flat := strings.Join(strings.Fields(text), " "); !strings.Contains(flat, fmt.Sprintf("✓ step number %d of them", i+1)) {
						t.Errorf("%d steps, %d columns, %s: nothing is said of step %d:\n%s", steps, columns, lang, i+1, text)
					}
				}
				for _, line := range lines {
					if n := columnsOf(line); n > columns {
						t.Errorf("%d columns of %d: %q", n, columns, line)
					}
				}
			}
		}
	}
}
