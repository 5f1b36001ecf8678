package main

import (
	"bufio"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/doctor"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/provider"
)

func newDoctor(s streams) *cobra.Command {
	return &cobra.Command{
		Use:  "doctor",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			workers, err := newWorkers(nil, provider.Setting{Seed: 1}, doctor.Deadline)
			if err != nil {
				return err
			}
			exam, err := doctor.Examine(cmd.Context(), workers.Pinned())
			if cmd.Context().Err() != nil {
				return command.ErrInterrupted
			}
			if err != nil {
				return err
			}
			return command.WithCode(command.ExitOutput, printExam(s, exam))
		},
	}
}

func printExam(s streams, e doctor.Exam) error {
	out := bufio.NewWriter(s.Out) // its first error sticks and is that of Flush
	fmt.Fprintln(out, document.MachineLine(e.Machine, s.Lang))
	var rows [][]string
	for _, f := range e.Findings {
		rows = append(rows, []string{f.What.In(s.Lang), f.Value.In(s.Lang)})
	}
	printTable(out, "  ", math.MaxInt32, rows)
	level := document.Trust{Level: e.Level}.LevelText()
	level.EN = strings.ToUpper(level.EN)
	fmt.Fprintln(out, "\n"+language.Say("%s: %s", "可信度%s：%s", level, e.Judgement).In(s.Lang))
	for _, advice := range e.Advice {
		fmt.Fprintf(out, "  - %s\n", advice.In(s.Lang))
	}
	fmt.Fprintln(out, language.Text{EN: "\nNext: cryptogauge run, or cryptogauge selftest",
		ZH: "\n下一步：cryptogauge run 或 cryptogauge selftest"}.In(s.Lang))
	return out.Flush()
}
