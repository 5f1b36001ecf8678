package gobench

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// figure is what a benchmark says of itself. What it reports beside that is its own affair.
type figure struct {
	Calls      int64
	Ns         float64 // a call
	Allocs     float64
	AllocBytes float64
}

// figureOf reads the part of a line that stands behind the name: "  100\t  12.5 ns/op\t 3 B/op\t 1 allocs/op".
func figureOf(text string) (f figure, ok bool) {
	parts := strings.Split(text, "\t")
	for len(parts) > 0 {
		calls, err := strconv.ParseInt(strings.TrimSpace(parts[0]), 10, 64)
		parts = parts[1:]
		if err == nil && calls > 0 {
			f.Calls = calls
			break
		}
	}
	for _, p := range parts {
		number, unit, _ := strings.Cut(strings.TrimSpace(p), " ")
		value, err := strconv.ParseFloat(number, 64)
		if err != nil || !(value >= 0) {
			continue
		}
		switch unit {
		case "ns/op":
			f.Ns, ok = value, true
		case "allocs/op":
			f.Allocs = value
		case "B/op":
			f.AllocBytes = value
		}
	}
	return f, ok && f.Calls > 0
}

// named is a line that package testing begins with the name of a benchmark.
func named(line string) (name, rest string, ok bool) {
	name, rest, _ = strings.Cut(line, "\t")
	name = strings.TrimSpace(name)
	return name, rest, strings.HasPrefix(name, "Benchmark") && !strings.ContainsAny(name, " :")
}

// headed is a line such as "--- FAIL: BenchmarkX".
func headed(line, head string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), "--- "+head+": ")
	name, _, _ = strings.Cut(rest, " ")
	return name, ok
}

// figureIn is the last one of so many calls that was printed. A benchmark that writes to standard output
// takes the name away from it.
func figureIn(printed string, calls int64) (f figure, ok bool) {
	for line := range strings.Lines(printed) {
		if g, is := figureOf(strings.TrimRight(line, "\n")); is && g.Calls == calls {
			f, ok = g, true
		}
	}
	return f, ok
}

// location is where a message comes from, which package testing writes before it.
var location = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*\S+\.go:\d+: `) })

// whyNot says in one line why a benchmark gave no figure: what it printed, what it ended with.
func whyNot(printed, said string, ended error) error {
	lines := strings.Split(printed+"\n"+said, "\n")
	for i, line := range lines {
		if _, is := headed(line, "FAIL"); is {
			if m := message(lines, i); m != "" {
				return reason.New("bench-failed-saying", reason.Foreign(m))
			}
			return reason.New("bench-failed")
		}
		if _, is := headed(line, "SKIP"); is {
			if m := message(lines, i); m != "" {
				return reason.New("bench-skipped-saying", reason.Foreign(m))
			}
			return reason.New("bench-skipped")
		}
		if text, is := strings.CutPrefix(line, "panic: "); is {
			return reason.New("bench-panicked", reason.Foreign(strings.TrimSuffix(text, " [recovered]")))
		}
		if text, is := strings.CutPrefix(line, "fatal error: "); is {
			return reason.New("bench-panicked", reason.Foreign(text))
		}
	}
	if ended != nil {
		return reason.New("bench-ended", ended)
	}
	return reason.New("bench-silent")
}

// message is what was said at a head: above it, or with -test.v=false below; "" for nothing.
func message(lines []string, head int) string {
	for _, at := range []int{head + 1, head - 1} {
		if at < 0 || at >= len(lines) {
			continue
		}
		if text := location().ReplaceAllString(lines[at], ""); text != lines[at] {
			return strings.TrimSpace(text)
		}
	}
	return ""
}
