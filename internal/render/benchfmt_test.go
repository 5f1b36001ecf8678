package render

import (
	"regexp"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
)

// The lines of the format, after golang.org/design/14313-benchmark-format and,
// for units, golang.org/issue/43744. What begins with another capital is skipped.
var (
	benchLine   = regexp.MustCompile(`^Benchmark\p{Lu}[^\s/]*(/[^\s/=]+=[^\s/]+)*-[1-9]\d*\t\d+(\t\d+(\.\d+)? \S+)+$`)
	configLine  = regexp.MustCompile(`^\p{Ll}[^\s:\p{Lu}]*:( .*)?$`)
	unitLine    = regexp.MustCompile(`^Unit \S+( \S+=\S+)+$`)
	skippedLine = regexp.MustCompile(`^(Tool|Seed|Started): `)
)

func TestBenchfmt(t *testing.T) {
	for name, docs := range everyDocument() {
		samples := 0
		for _, line := range strings.Split(render(t, WriteBenchfmt, docs, Options{}), "\n") {
			switch {
			case benchLine.MatchString(line):
				samples++
			case line == "", unitLine.MatchString(line), configLine.MatchString(line), skippedLine.MatchString(line):
			default:
				t.Errorf("%s: no line of the format: %q", name, line)
			}
		}
		want := 0
		for _, d := range docs {
			for i := range d.Rows {
				if d.Rows[i].NsPerOp != nil {
					want += d.Rows[i].Samples
				}
			}
		}
		if samples != want {
			t.Errorf("%s: %d lines for %d samples", name, samples, want)
		}
	}
}

func TestBenchfmtNames(t *testing.T) {
	text := render(t, WriteBenchfmt, everyDocument()["full"], Options{})
	for _, want := range []string{
		"BenchmarkModes/algorithm=SM4/mode=CBC/op=encrypt/bytes=1024/lib=gmsm/impl=avx2+gfni-1\t1000\t",
		"/lib=gmsm/impl=avx2+gfni/twin=2-1\t", // an A/A twin is another benchmark
		"\t32 B/op\t1 allocs/op\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Contains(text, "lib=tjfoc") {
		t.Error("a wrong or unstable row has samples")
	}
}

// TestBenchfmtProcessors: a name ends with the CPUs that worked for its row.
func TestBenchfmtProcessors(t *testing.T) {
	d := &document.Document{}
	d.Machine.CPU.Allowed = 2
	for _, c := range []struct {
		parameters, environment string
		want                    int
	}{
		{"", "", 1}, {"goroutines=8,holding=shared,request=128", "", 2}, {"goroutines=8,holding=shared,request=128", "GOMAXPROCS=1", 1},
		{"goroutines=1,holding=shared,request=128", "GODEBUG=cpu.aes=off", 2}, {"chunk=65536", "GOMAXPROCS=4", 4},
	} {
		if got := processors(d, &document.Row{Parameters: c.parameters, Environment: c.environment}); got != c.want {
			t.Errorf("%q under %q: %d CPUs, want %d", c.parameters, c.environment, got, c.want)
		}
	}
}
