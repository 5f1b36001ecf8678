package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/subject"
)

var updateRuns = flag.Bool("update", false, "rewrite what the run files of earlier versions are reported as")

// Run files that earlier versions wrote are reported with the same rows, numbers and verdicts for good.
// Texts may improve: reasons are compared by whether there is one.
func TestOldRunFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/runs/*.jsonl.gz")
	if err != nil || len(files) != 2 {
		t.Fatalf("run files %q, error %v", files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl.gz")
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "run.jsonl")
			if err := os.WriteFile(path, unzip(t, file), 0o600); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			if code := run(streams{Session: command.Session{Args: []string{"report", path, "--format", "json"}, In: strings.NewReader(""), Out: &out, Err: &errs}}); code != 0 {
				t.Fatalf("exit code %d: %s", code, errs.String())
			}
			golden := filepath.Join("testdata", "runs", name+".golden.gz")
			got := numbers(t, out.Bytes())
			if *updateRuns {
				zip(t, golden, got)
				return
			}
			compareLines(t, got, strings.Split(string(unzip(t, golden)), "\n"))
		})
	}
}

// numbers are a line for each row, comparison, fit and crossover of a JSON report, in their order.
func numbers(t *testing.T, report []byte) (lines []string) {
	var doc struct {
		Rows        []map[string]any `json:"rows"`
		Comparisons []map[string]any `json:"comparisons"`
		Fits        []any            `json:"fits"`
		Crossovers  []any            `json:"crossovers"`
	}
	if err := json.Unmarshal(report, &doc); err != nil {
		t.Fatal(err)
	}
	for _, r := range doc.Rows {
		reason := ""
		if r["reason"] != "" && r["reason"] != nil {
			reason = "with a reason"
		}
		lines = append(lines, fmt.Sprint("row ", r["id"], " ", r["status"], " ", r["ns_per_op"], " ", r["bytes_per_second"],
			" ", r["samples"], " ", r["blocks"], " ", r["standard"], " ", reason))
	}
	for _, c := range doc.Comparisons {
		if warnings, _ := c["warnings"].([]any); warnings != nil {
			c["warnings"] = len(warnings)
		}
		lines = append(lines, fmt.Sprint("comparison ", c))
	}
	for _, f := range doc.Fits {
		lines = append(lines, fmt.Sprint("fit ", f))
	}
	for _, c := range doc.Crossovers {
		lines = append(lines, fmt.Sprint("crossover ", c))
	}
	return lines
}

// compareLines says which lines are in one of two lists only, some of each.
func compareLines(t *testing.T, got, want []string) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
	t.Errorf("%d lines, want %d", len(got), len(want))
	for _, list := range []struct {
		name    string
		of, not []string
	}{{"new", got, want}, {"missing", want, got}} {
		in := map[string]bool{}
		for _, line := range list.not {
			in[line] = true
		}
		shown := 0
		for _, line := range list.of {
			if !in[line] && shown < 5 {
				t.Errorf("%s: %s", list.name, line)
				shown++
			}
		}
	}
}

func unzip(t *testing.T, file string) []byte {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func zip(t *testing.T, file string, lines []string) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, strings.Join(lines, "\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestOldKernels: the kernels of earlier versions have names that statements may use.
func TestOldKernels(t *testing.T) {
	files, err := filepath.Glob("testdata/runs/*.jsonl.gz")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	names := regexp.MustCompile(`"implementation":"([^"]+)"`)
	for _, file := range files {
		for _, m := range names.FindAllSubmatch(unzip(t, file), -1) {
			for _, word := range subject.InKernel(string(m[1])) {
				if !slices.Contains(subject.KernelWords(), word) {
					t.Errorf("%s: %q of %q", file, word, m[1])
				}
			}
		}
	}
}
