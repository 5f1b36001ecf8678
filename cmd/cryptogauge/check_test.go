package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cryptogauge/cryptogauge/internal/check"
)

// checked is a check that a user made.
type checked struct {
	code   int
	report checkReport
	stderr string
}

// checkReport is what of the JSON the test needs.
type checkReport struct {
	Schema, Verdict string
	Rounds          []struct {
		Round, Verdict string
		Trials         []struct {
			ID, Library, Verdict string
			Slowdown             *struct {
				Ratio, Low, High, Excluded, Tolerance, Resolution float64
				Coarse                                            bool
			}
		}
	}
}

func checkWith(t *testing.T, program, dir string, args ...string) checked {
	t.Helper()
	args = append([]string{"check", "modes", "--algorithms", "SM4", "--modes", "CBC,GCM", "--libraries", "gmsm,tjfoc", "--sizes", "1KiB",
		"--format", "json", "--quiet", "--baseline-dir", filepath.Join(dir, "baselines"), "--output", filepath.Join(dir, "out")}, args...)
	cmd := exec.Command(program, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	c := checked{stderr: errs.String()}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		c.code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out.Bytes(), &c.report); err != nil || c.report.Schema != "cryptogauge.check/1" {
		t.Fatalf("%v\n%s\n%s", err, out.String(), errs.String())
	}
	return c
}

// trials are those of the last round, by verdict.
func (c checked) trials(verdict string) (ids []string) {
	for _, x := range c.report.Rounds[len(c.report.Rounds)-1].Trials {
		if x.Verdict == verdict {
			ids = append(ids, x.ID)
		}
	}
	return ids
}

// TestCheck makes a baseline and holds the machine against it, live: as it is, with
// a planted slowdown, and with a planted wrong output. A false alarm, which a machine
// can cause that changes its speed between baseline and check, is logged, and tried
// again with a new baseline; it fails if three alarm in turn. That chance alone seldom
// does it is shown where chance can be repeated: by the simulations of internal/check.
func TestCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	var misled []string
	for range 3 {
		dir := t.TempDir()
		first := checkWith(t, "cryptogauge", dir)
		for attempt := 0; first.code == exitInconclusive && attempt < 2; attempt++ {
			first = checkWith(t, "cryptogauge", dir)
		}
		if first.code == exitInconclusive {
			t.Logf("the machine is too busy for a baseline: %s", first.stderr)
			return
		}
		if first.code != exitOK || first.report.Verdict != "fine" || len(first.report.Rounds) != 3 {
			t.Fatalf("the first check: exit %d, %+v, %s", first.code, first.report, first.stderr)
		}
		if misled = falseAlarms(t, dir); len(misled) == 0 {
			findsWrong(t, dir)
			return
		}
		t.Logf("against this baseline: %s", strings.Join(misled, "; "))
	}
	t.Errorf("each of three baselines misled, the last so: %s", strings.Join(misled, "; "))
}

// falseAlarms holds the machine against a baseline as it is and 15 % slower, and
// returns what was called slower and isn't. What is slower and passes is a fault at once.
func falseAlarms(t *testing.T, dir string) (alarms []string) {
	second := checkWith(t, "cryptogauge", dir)
	switch second.code {
	case exitOK, exitInconclusive:
	case exitFailed:
		alarms = append(alarms, fmt.Sprintf("as it was: slower %q, %s", second.trials("slower"), second.stderr))
	default:
		t.Errorf("the second check: exit %d, %s", second.code, second.stderr)
	}
	slow := checkWith(t, "cryptogauge-slowed", dir)
	guarded := false // sharply: coarsely 15 % may pass for fine, and the check has said so
	for _, x := range slow.report.Rounds[0].Trials {
		if strings.Contains(x.ID, "gmsm@") && x.Slowdown != nil && !x.Slowdown.Coarse {
			if guarded = true; x.Verdict == "fine" {
				t.Errorf("%s passes for fine at 15 %% slower", x.ID)
			}
		}
	}
	if slow.code != exitFailed && slow.code != exitInconclusive && (guarded || slow.code != exitOK) {
		t.Errorf("15 %% slower: exit %d", slow.code)
	}
	for _, id := range slow.trials("slower") {
		if !strings.Contains(id, "gmsm@") {
			alarms = append(alarms, "15 % slower is gmsm, and not "+id)
		}
	}
	t.Logf("as it was: exit %d; 15 %% slower: exit %d, found in %q, undecided %q", second.code, slow.code, slow.trials("slower"), slow.trials("inconclusive"))
	return alarms
}

// findsWrong: a wrong output is no matter of noise.
func findsWrong(t *testing.T, dir string) {
	wrong := checkWith(t, "cryptogauge-wrong", dir)
	if n := len(wrong.trials("wrong")); wrong.code != exitWrong || wrong.report.Verdict != "wrong" || n == 0 {
		t.Errorf("wrong outputs: exit %d, %d of them, %s", wrong.code, n, wrong.stderr)
	}
	for _, id := range wrong.trials("wrong") {
		if !strings.Contains(id, "gmsm@") {
			t.Errorf("wrong is gmsm, and not %s", id)
		}
	}
}

// editbaseline changes what a baseline says of itself, and keeps it valid.
func editbaseline(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) >= 2, "editbaseline DIR TO KEY=VALUE...")
	found, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*.json"))
	ts.Check(err)
	if len(found) != 1 {
		ts.Fatalf("there are %d baselines in %s, want 1", len(found), args[0])
	}
	b, err := check.Load(found[0])
	ts.Check(err)
	for _, change := range args[2:] {
		key, value, _ := strings.Cut(change, "=")
		switch key {
		case "cpu":
			b.Machine.CPU.Model = value
		case "go":
			b.Machine.GoVersion = value
		case "modes":
			b.Selection.Modes = []string{value}
		case "operations":
			b.Selection.Operations = []string{value}
		case "libraries":
			b.Selection.Libraries = []string{value}
		case "output":
			which, digest, _ := strings.Cut(value, ":")
			b.Outputs[which] = digest
		default:
			ts.Fatalf("unknown key %q", key)
		}
	}
	ts.Check(b.Save(ts.MkAbs(args[1])))
}
