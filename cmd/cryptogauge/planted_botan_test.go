package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	plantedlib "github.com/cryptogauge/cryptogauge/internal/library/native/planted"

	"github.com/cryptogauge/cryptogauge/internal/command"
)

// plantedReport is what these tests read of a JSON report.
type plantedReport struct {
	Rows []struct {
		ID       string `json:"id"`
		Library  string `json:"library"`
		Mode     string `json:"mode"`
		Bytes    int64  `json:"bytes"`
		Status   string `json:"status"`
		Reason   string `json:"reason"`
		NsPerOp  any    `json:"ns_per_op"`
		Allocs   any    `json:"allocs_per_op"`
		CallPath string `json:"call_path"`
	} `json:"rows"`
	Comparisons []struct{ Base, Other string } `json:"comparisons"`
	Fits        []struct {
		RowIDs []string `json:"row_ids"`
	} `json:"fits"`
	Findings []struct {
		Kind string `json:"kind"`
		Text struct{ EN string }
	} `json:"findings"`
	Answers []struct {
		Mark string `json:"mark"`
		Text struct{ EN string }
	} `json:"answers"`
}

// TestPlantedBotan runs the program with libraries that have one fault.
func TestPlantedBotan(t *testing.T) {
	if testing.Short() {
		t.Skip("runs of several seconds")
	}
	program := filepath.Join(nativePair(t), "cryptogauge")
	t.Run("wrong output", func(t *testing.T) { wrongOutputIsNamed(t, program) })
	t.Run("hang", func(t *testing.T) { hangIsGivenUp(t, program) })
}

// runPlanted runs the program beside a planted libbotan, and returns its report.
func runPlanted(t *testing.T, program, object string, args ...string) (r plantedReport, text string) {
	t.Helper()
	output := t.TempDir()
	args = append(args, "--library", "botan="+object, "--quiet", "--format", "json", "--output", output)
	run := exec.Command(program, args...)
	var stderr bytes.Buffer
	run.Stderr = &stderr
	out, err := run.Output()
	// On a busy machine there may be no number to show, which is no matter here.
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != command.ExitInconclusive) {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	folders, err := filepath.Glob(filepath.Join(output, "*"))
	if err != nil || len(folders) != 1 {
		t.Fatalf("%v, %v", folders, err)
	}
	report, err := exec.Command(program, "report", folders[0], "--lang", "en").Output()
	if err != nil {
		t.Fatal(err)
	}
	return r, string(report)
}

// wrongOutputIsNamed: a library that is wrong in the last byte of messages above
// 4 KiB is named first, and nothing of its mode has a number, at no size.
func wrongOutputIsNamed(t *testing.T, program string) {
	r, text := runPlanted(t, program, plantedlib.Botan(t, "WRONG_LAST"), "run", "modes", "chunking",
		"--libraries", "botan,gmsm", "--algorithms", "SM4-CTR", "--operations", "encrypt", "--sizes", "1KiB,64KiB", "--blocks", "8", "--rounds", "1")
	const says = "Do not use SM4-CTR of botan "
	head, rest, _ := strings.Cut(text, "\n\n")
	if !strings.Contains(head, "✗ "+says) || strings.Contains(rest, says) {
		t.Errorf("the report says:\n%s", text)
	}
	if len(r.Findings) == 0 || r.Findings[0].Kind != "incorrect" ||
		len(r.Answers) == 0 || !strings.HasPrefix(r.Answers[0].Text.EN, says) {
		t.Errorf("findings %+v, answers %+v", r.Findings, r.Answers)
	}
	wrong, withheld := 0, 0
	var ids []string
	for _, row := range r.Rows {
		if row.Library != "botan" {
			continue
		}
		ids = append(ids, row.ID)
		if row.NsPerOp != nil || row.Allocs != nil {
			t.Errorf("%s has a number", row.ID)
		}
		switch {
		case row.Status == "incorrect" && row.Bytes > 4096:
			wrong++
		case strings.Contains(row.Reason, "the same code computes another output wrongly"):
			withheld++
		}
	}
	if wrong == 0 || withheld == 0 {
		t.Errorf("%d wrong rows, %d withheld, of %d", wrong, withheld, len(ids))
	}
	for _, c := range r.Comparisons {
		if slices.Contains(ids, c.Base) || slices.Contains(ids, c.Other) {
			t.Errorf("compared: %+v", c)
		}
	}
	for _, f := range r.Fits {
		if len(f.RowIDs) > 0 && slices.Contains(ids, f.RowIDs[0]) {
			t.Errorf("fitted: %v", f.RowIDs)
		}
	}
}

// hangIsGivenUp: a library that hangs from its hundredth call on costs two waits, that
// are short under a short budget, and the others are measured.
func hangIsGivenUp(t *testing.T, program string) {
	object := plantedlib.Botan(t, "HANG=100")
	begun := time.Now()
	r, _ := runPlanted(t, program, object, "run", "modes", "--libraries", "botan,gmsm",
		"--algorithms", "SM4-CTR", "--sizes", "1KiB,8KiB", "--budget", "6s") // of larger messages a busy machine makes fewer calls
	if took := time.Since(begun); took > time.Minute { // with one wait a row it was many minutes
		t.Errorf("it took %v", took)
	}
	hung, measured := 0, 0
	for _, row := range r.Rows {
		switch {
		case row.Library == "botan" && (row.Status != "crashed" || row.NsPerOp != nil):
			t.Errorf("%s is %s", row.ID, row.Status)
		case row.Library == "botan" && row.Reason == "given up after two calls that did not return":
			hung++
		case row.Library == "gmsm" && row.Status != "crashed":
			measured++
		}
	}
	if hung == 0 || measured == 0 {
		t.Errorf("%d rows were given up, %d of the other library measured", hung, measured)
	}
}
