package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/selftest"
	"github.com/cryptogauge/cryptogauge/internal/suite"
)

// exitSelfFailed says that the laboratory itself is wrong.
const exitSelfFailed = 1

func newSelftest(s streams) *cobra.Command {
	var full bool
	var budget time.Duration
	var seed uint64
	cmd := &cobra.Command{
		Use:   "selftest",
		Short: "Let the laboratory prove itself on what it knows",
		Long: `Measure what is known, through the same workers and statistics as any run: equal
things that must not differ, slowdowns that were planted, costs that the CPU's
documents give. A figure that the machine's noise spoiled is "missed" (exit 3); a
wrong direction, a wrong output or a lost sample is "FAILED" (exit 1).`,
		Example: `  cryptogauge selftest
  cryptogauge selftest --full`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if budget < 45*time.Second || budget > time.Hour {
				return language.Errorf("--budget %s: give a time from 45s to 1h",
					"--budget %s：请给出 45s 至 1h 之间的时间", budget)
			}
			command, err := workerCommand()
			if err != nil {
				return err
			}
			c := selftest.Config{Full: full, Budget: budget, Seed: seed, Start: suite.NewWorkers(command, provider.Setting{Seed: seed}, time.Minute).Pinned().ForLab}
			return printSelftest(cmd, s, c)
		},
	}
	cmd.Flags().BoolVar(&full, "full", false, "all counts of the table; about a quarter of an hour")
	cmd.Flags().DurationVar(&budget, "budget", time.Minute, "wall time of the short form")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of data and order")
	return cmd
}

func printSelftest(cmd *cobra.Command, s streams, c selftest.Config) error {
	worst, begun := exitOK, time.Now()
	pause := func() {}
	if isTerminal(s.err) {
		bar := newProgress(s, c.Expected())
		defer bar.stop()
		c.Progress, pause = bar.update, bar.clear
	}
	err := selftest.Run(cmd.Context(), c, func(o selftest.Outcome) {
		pause()
		fmt.Fprintln(s.out, o.Lines().In(s.lang))
		switch o.Verdict {
		case selftest.Failed:
			worst = exitSelfFailed
		case selftest.Missed:
			if worst == exitOK {
				worst = exitInconclusive
			}
		}
	})
	switch {
	case cmd.Context().Err() != nil:
		return withCode(exitInterrupted, language.Errorf("interrupted", "已中断"))
	case err != nil:
		return withCode(exitSelfFailed, err)
	}
	fmt.Fprintln(s.out, language.Say("took %s, seed %d", "用时 %s，种子 %d", time.Since(begun).Round(time.Second), c.Seed).In(s.lang))
	if worst == exitSelfFailed {
		return withCode(worst, language.Errorf("the laboratory failed its own test", "自检未通过"))
	}
	if worst == exitInconclusive {
		return withCode(worst, language.Errorf("a figure was missed: this machine is too noisy now, or differs from those the table was made for",
			"有数值未达标：本机当前噪声过大，或与制定该表的机器不同"))
	}
	return nil
}
