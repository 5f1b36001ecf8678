package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/stat"
)

// benchVariable asks for the comparison with Go's own benchmarks. It times, so it
// wants a quiet machine:
//
//	CRYPTOGAUGE_GO_BENCH=7 go test -v -timeout 30m -run TestAgainstBench ./cmd/cryptogauge
//
// runs seven rounds of half a minute.
const benchVariable = "CRYPTOGAUGE_GO_BENCH"

// agreeing is how far both may lie apart.
const agreeing = 0.05

// TestAgainstBench holds rows of the experiment primitives against BenchmarkPrimitives
// of internal/providers, both as users run them and on the same clock, in turns: what
// moves the machine moves both. Of each round the medians are compared, of all rounds
// the median ratio counts.
func TestAgainstBench(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv(benchVariable))
	if err != nil || rounds < 1 {
		t.Skipf("it takes a quiet machine: set %s to a number of rounds", benchVariable)
	}
	dir := t.TempDir()
	program, bench := filepath.Join(dir, "cryptogauge"), filepath.Join(dir, "bench")
	output(t, "go", "build", "-o", program, ".")
	output(t, "go", "test", "-c", "-o", bench, "../../internal/providers")

	ratios := map[string][]float64{}
	for range rounds {
		rows := rowsOf(t, output(t, program, "run", "primitives", "--libraries", "go,xcrypto,gmsm", "--sizes", "1KiB",
			"--format", "json", "--quiet", "--output", filepath.Join(dir, "runs")))
		for name, clocks := range benchmarks(t, output(t, bench, "-test.run", "^$", "-test.bench", "Primitives", "-test.count", "9", "-test.benchtime", "50ms")) {
			row, ok := rows[name]
			if !ok {
				t.Fatalf("no row of the name %s", name)
			}
			theirs := clocks["cpu-ns/op"]
			if row.Clock == "process" {
				theirs = clocks["process-ns/op"]
			}
			ratios[name] = append(ratios[name], row.Median/stat.Median(theirs))
		}
	}
	for name, rs := range ratios {
		slices.Sort(rs)
		t.Logf("%-45s %.3f of the benchmark's (%.3f to %.3f)", name, stat.Median(rs), rs[0], rs[len(rs)-1])
		if r := stat.Median(rs); r < 1-agreeing || r > 1+agreeing {
			t.Errorf("%s takes %.3f of what go test -bench says", name, r)
		}
	}
}

func output(t *testing.T, program string, arguments ...string) []byte {
	t.Helper()
	c := exec.Command(program, arguments...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v", c, err)
	}
	return out
}

type headline struct {
	Median float64 `json:"median"`
	Clock  string  `json:"clock"`
}

// rowsOf are the rows of a JSON report, by their names without experiment, version
// and what follows it.
func rowsOf(t *testing.T, report []byte) map[string]headline {
	var document struct {
		Rows []struct {
			ID      string    `json:"id"`
			NsPerOp *headline `json:"ns_per_op"`
		} `json:"rows"`
	}
	if err := json.Unmarshal(report, &document); err != nil {
		t.Fatal(err)
	}
	rows := map[string]headline{}
	for _, row := range document.Rows {
		if row.NsPerOp != nil {
			name, _, _ := strings.Cut(strings.TrimPrefix(row.ID, "primitives/"), "@")
			rows[name] = *row.NsPerOp
		}
	}
	return rows
}

// benchmarks reads what go test -bench prints: times by benchmark and unit.
func benchmarks(t *testing.T, text []byte) map[string]map[string][]float64 {
	all := map[string]map[string][]float64{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		name, found := strings.CutPrefix(line, "BenchmarkPrimitives/")
		if !found || len(fields) < 4 {
			continue
		}
		name, _, _ = strings.Cut(name, " ")
		name = strings.TrimSpace(name)
		if i := strings.LastIndexByte(name, '-'); i >= 0 { // of how many CPUs
			name = name[:i]
		}
		if all[name] == nil {
			all[name] = map[string][]float64{}
		}
		for i := 2; i+1 < len(fields); i += 2 {
			v, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			all[name][fields[i+1]] = append(all[name][fields[i+1]], v)
		}
	}
	if len(all) == 0 {
		t.Fatalf("no benchmark in %q", text)
	}
	return all
}
