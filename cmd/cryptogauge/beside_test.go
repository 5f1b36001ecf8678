package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/decide"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/question/compare"
	"github.com/cryptogauge/cryptogauge/internal/statement"
	"github.com/cryptogauge/cryptogauge/internal/store"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/internal/verify"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// workerless is a run whose workers can't be started, and what it says on standard error.
func workerless(lang language.Lang) (r runConfig, said *bytes.Buffer) {
	said = new(bytes.Buffer)
	r.streams = streams{Session: command.Session{Out: new(bytes.Buffer), Err: said, Lang: lang, Quiet: true}}
	r.suite = suite.Config{Command: func(plan.WorkerKey) worker.Command { return worker.Command{Path: "./absent"} }}
	return r, said
}

// TestNotMeasuredAgain: why a comparison has no second run is said, and costs the first run nothing.
func TestNotMeasuredAgain(t *testing.T) {
	for lang, want := range map[language.Lang]string{
		language.English: "cryptogauge: not measured again: ", language.Chinese: "cryptogauge: 未能复测：",
	} {
		r, said := workerless(lang)
		c, dir := compareConfig{runConfig: r}, t.TempDir()
		if o, err := c.confirm(t.Context(), compare.Judgement{}, store.Folder{Path: dir}, 0); err != nil || o.Interrupted {
			t.Errorf("%+v, %v", o, err)
		}
		if s := said.String(); !strings.HasPrefix(s, want) || !strings.Contains(s, "absent") {
			t.Errorf("%q", s)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%v, %v", left, err)
		}
	}
}

// TestNotRunTogether: why the steps of a workload could not be run together is its statements' verdict.
func TestNotRunTogether(t *testing.T) {
	f, err := statement.Read("f.yaml", []byte("statements:\n  - {plan: w.yaml, p99: ..5ms}\n"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := verify.Workloads(f.Statements, func(path string) (*decide.Workload, error) {
		return decide.Parse(path, []byte("rate: 1000/s\nsteps: [{sign: }]"), nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	run := signedRun()
	r, _ := workerless(language.English)
	v := verifyConfig{runConfig: r, workloads: all, planner: new(verify.Planner)}
	first := measured{doc: document.Build(run), folder: store.Folder{Path: t.TempDir()}}
	if o, err := v.together(t.Context(), all[0], first); err != nil || o.Interrupted {
		t.Errorf("%+v, %v", o, err)
	}
	judged, problems := verify.Judge(f.Statements, document.Build(run), verify.Measured, all...)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	text := judged[0].Text
	if !strings.Contains(text.EN, "could not be run together: ") || !strings.Contains(text.EN, "absent") || !strings.Contains(text.ZH, "absent") {
		t.Errorf("%+v", text)
	}
}

// signedRun is a run of one signature, alone and with every CPU busy.
func signedRun() *result.Run {
	run := &result.Run{Header: result.Header{Schema: result.SchemaRun, Machine: result.Machine{CPU: result.CPU{Online: 2, Allowed: 2}}}}
	for i, parameters := range []string{"", "busy=2"} {
		c := result.Case{Algorithm: "Ed25519", Operation: "sign", Parameters: parameters}
		run.Trials = append(run.Trials, result.TrialInfo{Index: i, Experiment: decide.ExperimentName, Loop: "block",
			Trial: result.Trial{Subject: result.Subject{Library: "go", Version: "v1", CallPath: "go"}, Case: c}})
		run.Groups = append(run.Groups, result.Group{Index: i, Experiment: decide.ExperimentName, Name: "sign " + parameters, Trials: []int{i}})
		for block := range 12 {
			run.Opened = append(run.Opened, result.Opened{Trial: i, Block: block, Calls: 1000})
			for round := range 4 {
				ns := int64(20_000_000 + 1000*round)
				run.Samples = append(run.Samples, result.Sample{Trial: int32(i), Block: int32(block), Round: int32(round), Calls: 1000,
					Thread: ns, Process: ns, Wall: ns, Cycles: -1, SpinBefore: 100_000, SpinAfter: 100_100})
			}
			run.Closed = append(run.Closed, result.Closed{Trial: i, Block: block})
		}
	}
	run.End = &result.End{Samples: int64(len(run.Samples)), Seconds: 1}
	return run
}
