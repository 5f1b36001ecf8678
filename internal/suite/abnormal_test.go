package suite

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/abnormal"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// soon is how long these tests wait for what hangs, which it does on a fast machine as well as on a slow one.
const soon = 50 * time.Millisecond

// TestHangsOnAbnormalInputs: a library that hangs on whatever it is given is waited for twice, however many inputs
// there are, and by whatever path it is called.
func TestHangsOnAbnormalInputs(t *testing.T) {
	t.Parallel()
	who := result.Subject{Library: "stubborn", Version: "planted", CallPath: "go"}
	inputs := abnormal.Inputs(result.Case{Algorithm: "SM4", Mode: "CBC", Operation: "encrypt"}, who)
	starts := 0
	w := NewWorkers(func(k plan.WorkerKey) worker.Command {
		starts++
		return command()(k)
	}, provider.Setting{Seed: 1}, soon)
	w.greeting = time.Minute
	all, err := w.try(t.Context(), who, inputs)
	if err != nil || len(all) != 2 || len(inputs) < 4 || starts != 2 {
		t.Fatalf("%d of %d inputs were given to %d workers: %+v, %v", len(all), len(inputs), starts, all, err)
	}
	for _, tried := range all {
		if tried.Outcome != abnormal.Crashed || tried.Text != `no answer to "try" in time; it was killed` {
			t.Errorf("%+v", tried)
		}
	}
	if w.hangs.GivenUp(plan.WorkerOf(who)) {
		t.Error("the library is not measured for what it does with abnormal inputs")
	}
	who.CallPath = "another"
	if all, err := w.try(t.Context(), who, inputs); len(all) != 0 || err != nil || starts != 2 {
		t.Errorf("a library that was given up is tried by another path: %+v, %v, %d starts", all, err, starts)
	}
}

// TestHangsBeforeAbnormalInputs: workers that do not greet are waited for twice, too, and an interrupt is no hang.
func TestHangsBeforeAbnormalInputs(t *testing.T) {
	t.Parallel()
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	starts := 0
	w := NewWorkers(func(plan.WorkerKey) worker.Command {
		starts++
		return worker.Command{Path: sleep, Args: []string{"3600"}}
	}, provider.Setting{}, soon)
	who := result.Subject{Library: "silent", Version: "1", CallPath: "go"}
	inputs := abnormal.Inputs(result.Case{Algorithm: "SM4", Mode: "CBC", Operation: "encrypt"}, who)
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 0)
		if all, err := w.try(ctx, who, inputs); len(all) != 0 || err == nil {
			t.Errorf("interrupted: %+v, %v", all, err)
		}
		cancel()
	}
	if starts = 0; w.hangs.GivenUp(plan.WorkerOf(who)) {
		t.Error("given up for an interrupt")
	}
	for range 4 {
		if all, err := w.try(t.Context(), who, inputs); len(all) != 0 || err != nil {
			t.Errorf("%+v, %v", all, err)
		}
	}
	if starts != 2 {
		t.Errorf("%d workers were waited for, want 2", starts)
	}
}
