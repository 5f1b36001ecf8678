package render

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

// WriteBenchfmt writes the raw samples in the Go benchmark format, one line a
// sample, for benchstat and its kin (golang.org/design/14313-benchmark-format):
//
//	BenchmarkModes/algorithm=SM4/mode=CBC/op=encrypt/bytes=1024/lib=gmsm/impl=avx2-1 5000 1050.2 ns/op 975.1 MB/s
//
// Only rows with a time of their own are in it: what arrives at a constant rate has
// a distribution of latencies instead, and no line here; nor have other scenarios
// without samples. The number at the end of a name is how many CPUs worked for the
// row: 1 but for many goroutines at once. The time is that of the row's headline
// clock. Lines that begin with a capital are not part of the format and are
// skipped by its readers: tool, seed and wrong outputs stand there, because benchstat sets
// files with different configuration in different tables and compares nothing.
func WriteBenchfmt(w io.Writer, docs []*document.Document, _ Options) error {
	return buffered(w, "report", func(w io.Writer) error {
		for _, d := range docs {
			writeBenchmarks(w, d)
		}
		return nil // the first error of writing sticks to the buffer
	})
}

func writeBenchmarks(w io.Writer, d *document.Document) {
	fmt.Fprintf(w, "Tool: cryptogauge %s\nSeed: %d\nStarted: %s\n", oneWord(d.Tool), d.Seed, d.Started.UTC().Format("2006-01-02T15:04:05Z"))
	if d.Own != nil {
		fmt.Fprintf(w, "Sample: %d bytes, SHA-256 %s\n", d.Own.Bytes, d.Own.SHA256)
	}
	for _, wrong := range d.WrongOutputs {
		fmt.Fprintf(w, "Wrong: %s\n", Clean(wrong.Text.EN))
	}
	goos, goarch, cpu := document.Platform(d.Machine)
	// An empty value takes away what a document before this one set.
	fmt.Fprintf(w, "goos: %s\ngoarch: %s\ncpu: %s\n", Clean(goos), Clean(goarch), Clean(cpu))
	// Times are compared without an assumption of their distribution; what opening
	// counted is one value a row, and exact.
	fmt.Fprint(w, "Unit ns/op assume=nothing better=lower\nUnit MB/s assume=nothing better=higher\n"+
		"Unit B/op assume=exact better=lower\nUnit allocs/op assume=exact better=lower\n\n")
	if d.Run == nil {
		return
	}
	names := benchNames(d)
	for _, r := range d.Rows {
		if r.Status == result.OK && r.NsPerOp != nil {
			writeSamples(w, d, r, names[r])
		}
	}
}

func writeSamples(w io.Writer, d *document.Document, r *document.Row, name string) {
	plain := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	allocated := ""
	if r.AllocsPerOp != nil && r.AllocBytesPerOp != nil {
		allocated = "\t" + plain(*r.AllocBytesPerOp) + " B/op\t" + plain(*r.AllocsPerOp) + " allocs/op"
	}
	d.Raw(r.Trial, func(s *result.Sample, seconds float64) {
		if !(seconds > 0) {
			return
		}
		rate := ""
		if r.Bytes > 0 {
			rate = fmt.Sprintf("\t%.3f MB/s", float64(r.Bytes)/seconds/1e6)
		}
		fmt.Fprintf(w, "%s\t%d\t%.3f ns/op%s%s\n", name, s.Calls, seconds*1e9, rate, allocated)
	})
}

// benchNames names the rows. A name leaves out the version, so that two runs
// with two versions of a library can be compared; where one run has both, the
// version comes in, and where even that is not enough, a number.
func benchNames(d *document.Document) map[*document.Row]string {
	names, ids := map[*document.Row]string{}, document.UniqueIDs{}
	unversioned := func(r *document.Row) string { return benchName(r, "") }
	for _, same := range document.Grouped(d.Rows, unversioned) {
		several := slices.ContainsFunc(same, func(r *document.Row) bool { return r.Version != same[0].Version })
		for _, r := range same {
			name := unversioned(r)
			if several {
				name = benchName(r, r.Version)
			}
			if _, number, again := strings.Cut(ids.Name(name), "#"); again {
				name += "/twin=" + strings.ReplaceAll(number, "#", ".")
			}
			names[r] = name + "-" + strconv.Itoa(processors(d, r))
		}
	}
	return names
}

func benchName(r *document.Row, version string) string {
	parts := [][2]string{{"algorithm", r.Algorithm}, {"mode", r.Mode}, {"op", r.Operation}, {"bytes", strconv.FormatInt(r.Bytes, 10)}}
	for pair := range strings.SplitSeq(r.Parameters, ",") {
		key, value, _ := strings.Cut(pair, "=")
		parts = append(parts, [2]string{key, value})
	}
	parts = append(parts, [2]string{"lib", r.Library}, [2]string{"version", version}, [2]string{"impl", r.Implementation})
	if r.CallPath != "go" {
		parts = append(parts, [2]string{"path", r.CallPath})
	}
	name := "Benchmark" + benchTitle(r.Experiment)
	for _, p := range append(parts, [2]string{"env", strings.ReplaceAll(r.Environment, "=", ":")}) {
		if p[1] != "" {
			name += "/" + oneWord(p[0]) + "=" + oneWord(p[1])
		}
	}
	return name
}

// benchTitle makes "Modes" of "modes": the format wants a capital after
// "Benchmark".
func benchTitle(experiment string) string {
	runes := []rune(cmp.Or(oneWord(experiment), "run"))
	runes[0] = unicode.ToUpper(runes[0])
	if !unicode.IsUpper(runes[0]) {
		return "X" + string(runes)
	}
	return string(runes)
}

// oneWord makes a value fit for a name: no spaces, and no character with which
// names are put together.
func oneWord(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unprintable(r) || r == '/' || r == '#' || r == '"' {
			return '_'
		}
		return r
	}, s)
}

// processors is the "-N" at the end of a name: what GOMAXPROCS was set to, or what it
// is by itself where many goroutines work, or 1, as one thread is measured.
func processors(d *document.Document, r *document.Row) int {
	if set := parameter.GOMAXPROCS.In(r.Environment); set > 0 || r.Goroutines() > 0 {
		return cmp.Or(set, d.CPUs())
	}
	return 1
}
