package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/selftest"
)

// exitSelfFailed says that the laboratory itself is wrong.
const exitSelfFailed = 1

func newSelftest(s streams) *cobra.Command {
	var full bool
	var budget time.Duration
	var seed uint64
	var command string
	cmd := &cobra.Command{
		Use:  "selftest",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := budgetWithin(cmd, 45*time.Second, time.Hour); err != nil {
				return err
			}
			if cmd.Flags().Changed("worker") {
				return conforms(cmd, s, command, seed)
			}
			workers, err := newWorkers(nil, provider.Setting{Seed: seed}, time.Minute)
			if err != nil {
				return err
			}
			c := selftest.Config{Full: full, Budget: budget, Seed: seed, Start: workers.Pinned().ForLab}
			return printSelftest(cmd.Context(), s, c)
		},
	}
	cmd.Flags().BoolVar(&full, "full", false, "")
	cmd.Flags().DurationVar(&budget, "budget", time.Minute, "")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "")
	cmd.Flags().StringVar(&command, "worker", "", "")
	return cmd
}

func printSelftest(ctx context.Context, s streams, c selftest.Config) error {
	var failed, missed bool
	begun := time.Now()
	bar := s.progress(c.Expected())
	defer bar.stop()
	c.Progress = bar.update
	err := selftest.Run(ctx, c, func(o selftest.Outcome) {
		bar.clear()
		fmt.Fprintln(s.Out, o.Lines().In(s.Lang))
		failed, missed = failed || o.Verdict == selftest.Failed, missed || o.Verdict == selftest.Missed
	})
	switch {
	case ctx.Err() != nil:
		return command.ErrInterrupted
	case err != nil:
		return command.WithCode(exitSelfFailed, err)
	}
	fmt.Fprintln(s.Out, language.Say("took %s, seed %d", "用时 %s，种子 %d", time.Since(begun).Round(time.Second), c.Seed).In(s.Lang))
	if failed {
		return command.WithCode(exitSelfFailed, language.Errorf("the self-test failed", "自检未通过"))
	}
	if missed {
		return command.WithCode(command.ExitInconclusive, language.Errorf("a figure was missed: this machine is too noisy now, "+
			"or differs from those the table was made for", "有数值未达标：本机当前噪声过大，或与制定该表的机器不同"))
	}
	return nil
}
