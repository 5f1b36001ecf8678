package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/conformance"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/worker"
)

// answerWithin is how long a worker under test may take for an answer: a run waits longer, for larger cases.
const answerWithin = 10 * time.Second

// conforms holds somebody's worker to the protocol.
func conforms(cmd *cobra.Command, s streams, typed string, seed uint64) error {
	if strings.TrimSpace(typed) == "" {
		return language.Errorf("--worker is empty; give the command that starts one, as in --worker ./mybench",
			"--worker 为空；请给出启动工作进程的命令，例如 --worker ./mybench")
	}
	for _, flag := range []string{"full", "budget"} {
		if cmd.Flags().Changed(flag) {
			return language.Errorf("--%s belongs to cryptogauge's own self-test; leave it out beside --worker",
				"--%s 只用于自检；与 --worker 同用时请去掉", flag)
		}
	}
	own, err := workerCommand()
	if err != nil {
		return err
	}
	failed := 0
	bar := s.progress(0)
	defer bar.stop()
	bar.doing(language.Say("checking %s: about 20 s", "正在检查 %s：约 20 秒", typed))
	err = conformance.Run(cmd.Context(), conformance.Config{Seed: seed, Deadline: answerWithin,
		Start: func() (*worker.Process, error) { return worker.Start(shellCommand(typed)("", 1)) },
		Own:   func() (*worker.Process, error) { return worker.Start(own(plan.WorkerKey{})) },
	}, func(o conformance.Outcome) {
		bar.clear()
		fmt.Fprintln(s.Out, o.Line().In(s.Lang))
		if o.Verdict == conformance.Failed {
			failed++
		}
	})
	switch {
	case cmd.Context().Err() != nil:
		return command.ErrInterrupted
	case err != nil:
		return command.WithCode(exitSelfFailed, err)
	case failed > 0:
		return command.WithCode(exitSelfFailed, language.Errorf("%d checks failed: the worker is not as docs/worker-protocol.md says",
			"%d 项检查未通过：该工作进程不符合 docs/worker-protocol.md", failed))
	}
	return nil
}
