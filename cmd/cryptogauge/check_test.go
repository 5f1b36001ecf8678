package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cryptogauge/cryptogauge/internal/check"
	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/result"

	"github.com/cryptogauge/cryptogauge/internal/command/scripts"
)

// checked is a check that a user made.
type checked struct {
	code           int
	report         checkReport
	stdout, stderr string
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

func checkWith(t *testing.T, program, dir, slow string, args ...string) checked {
	t.Helper()
	args = append([]string{"check", "modes", "--algorithms", "SM4", "--modes", "CBC", "--operations", "encrypt,decrypt", "--libraries", "gmsm,tjfoc", "--sizes", "1KiB",
		"--format", "json", "--quiet", "--baseline-dir", filepath.Join(dir, "baselines"), "--output", filepath.Join(dir, "out")}, args...)
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), slowVariable+"="+slow)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	c := checked{stdout: out.String(), stderr: errs.String()}
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

// TestCheck makes a baseline and holds the machine against it: as it is, with a
// planted slowdown, and with a planted wrong output. The workers' clock and the machine
// are such that no other program disturbs them, so what is not found was overlooked. That noise seldom
// deceives is shown by the simulations of internal/check, with their seeds.
func TestCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	t.Parallel() // its clock does not mind
	dir := t.TempDir()
	first := checkWith(t, "cryptogauge-clocked", dir, "")
	if first.code != command.ExitOK || first.report.Verdict != "fine" || len(first.report.Rounds) != 3 {
		t.Fatalf("the first check: exit %d, %+v, %s", first.code, first.report, first.stderr)
	}
	for _, test := range []struct {
		slow         string
		code         int
		found, fails string // the only library whose trials have the verdict
	}{
		{"", command.ExitOK, "", "slower"}, {"gmsm=1.15", exitFailed, "gmsm", "slower"}, {"tjfoc=1.15", exitFailed, "tjfoc", "slower"}, {"gmsm=0.85", command.ExitOK, "gmsm", "faster"},
	} {
		c := checkWith(t, "cryptogauge-clocked", dir, test.slow)
		if c.code != test.code {
			t.Errorf("%q: exit %d, %s", test.slow, c.code, c.stderr)
		}
		found := c.trials(test.fails)
		if (len(found) > 0) != (test.found != "") {
			t.Errorf("%q: %s: %q", test.slow, test.fails, found)
		}
		for _, id := range found {
			if !strings.Contains(id, "/"+test.found+"@") {
				t.Errorf("%q is of %s, and not of %s", test.slow, test.found, id)
			}
		}
	}
	findsWrong(t, dir)
}

// TestCheckLive reports what a check finds in a minute on this machine, by its own
// clock. What it fails on no busy machine can cause: a slowdown called a speedup, and
// one of four times called fine.
func TestCheckLive(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	dir := t.TempDir()
	first := checkWith(t, "cryptogauge", dir, "", "--budget", "5s")
	if first.code == command.ExitInconclusive {
		t.Logf("the machine is too busy for a baseline: %s", first.stderr)
		return
	}
	if first.code != command.ExitOK || first.report.Verdict != "fine" {
		t.Fatalf("the first check: exit %d, %+v, %s", first.code, first.report, first.stderr)
	}
	slow := checkWith(t, "cryptogauge-slowed", dir, "", "--budget", "5s")
	t.Logf("four times slower: exit %d, found in %q, undecided %q", slow.code, slow.trials("slower"), slow.trials("inconclusive"))
	for _, x := range slow.report.Rounds[0].Trials {
		if strings.Contains(x.ID, "/gmsm@") && x.Slowdown != nil && (x.Verdict == "fine" || x.Verdict == "faster") {
			t.Errorf("%s is %s at four times the work", x.ID, x.Verdict)
		}
	}
	if slow.code != exitFailed && slow.code != command.ExitInconclusive {
		t.Errorf("four times slower: exit %d", slow.code)
	}
}

// findsWrong: a wrong output is no matter of noise.
func findsWrong(t *testing.T, dir string) {
	wrong := checkWith(t, "cryptogauge-wrong", dir, "")
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
	scripts.Usage(ts, !neg && len(args) >= 2, "editbaseline DIR TO KEY=VALUE...")
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
		case "gmsm":
			for i := range b.Libraries {
				if old := b.Libraries[i].Version; b.Libraries[i].Library == key {
					b.Libraries[i].Version = value
					for j := range b.Trials {
						b.Trials[j].ID = strings.Replace(b.Trials[j].ID, key+"@"+old, key+"@"+value, 1)
					}
				}
			}
		case "library": // that was installed, and not asked
			name, version, _ := strings.Cut(value, "@")
			b.Libraries = append(b.Libraries, result.Library{Library: name, Version: version, CallPath: "purego"})
		case "guarded":
			for i := range b.Trials {
				b.Trials[i].Ratios = nil
			}
		case "output":
			which, digest, _ := strings.Cut(value, ":")
			b.Outputs[which] = digest
		default:
			ts.Fatalf("unknown key %q", key)
		}
	}
	ts.Check(b.Save(ts.MkAbs(args[1])))
}
