package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/gobench"
	"github.com/cryptogauge/cryptogauge/internal/worker"
)

// newBenchworker is the child's side of a comparison of benchmarks. It is not for typing.
func newBenchworker(s streams) *cobra.Command {
	var t gobench.Tests
	cmd := &cobra.Command{
		Use:    "benchworker",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if pipe, ok := s.In.(*os.File); ok {
				worker.EndWith(pipe, func() { os.Exit(command.ExitOK) })
			}
			return t.Serve(s.In, s.Out)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&t.Binary, "binary", "", "")
	fs.StringVar(&t.Dir, "dir", "", "")
	fs.StringVar(&t.Pattern, "bench", ".", "")
	fs.StringVar(&t.Library, "library", "", "")
	fs.StringVar(&t.Version, "version", "", "")
	fs.StringVar(&t.Survey, "survey", "", "")
	return cmd
}
