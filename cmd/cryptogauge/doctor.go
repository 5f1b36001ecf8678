package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/doctor"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/suite"
)

func newDoctor(s streams) *cobra.Command {
	return &cobra.Command{
		Use:     "doctor",
		Short:   "Say whether this machine can be believed today, and what would help",
		Long:    "Look at the CPU, its clocks and counters, the quota, and what others do to it right now; measure the noise floor; and judge.",
		Example: "  cryptogauge doctor",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			command, err := workerCommand()
			if err != nil {
				return err
			}
			natives, err := (&nativeFlags{}).natives()
			if err != nil {
				return err
			}
			exam, err := doctor.Examine(cmd.Context(), suite.NewWorkers(command, provider.Setting{Seed: 1}, doctor.Deadline).Beyond(natives).Pinned())
			if cmd.Context().Err() != nil {
				return withCode(exitInterrupted, fmt.Errorf("interrupted"))
			}
			if err != nil {
				return err
			}
			return withCode(exitOutput, printExam(s.out, exam))
		},
	}
}

func printExam(out io.Writer, e doctor.Exam) error {
	fmt.Fprintln(out, document.MachineLine(e.Machine, layout.English))
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, f := range e.Findings {
		fmt.Fprintf(w, "  %s\t%s\n", f.What, f.Value)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%s: %s\n", strings.ToUpper(e.Level), e.Judgement)
	for _, advice := range e.Advice {
		fmt.Fprintf(out, "  - %s\n", advice)
	}
	_, err := fmt.Fprintln(out, "\nNext: cryptogauge run, or cryptogauge selftest")
	return err
}
