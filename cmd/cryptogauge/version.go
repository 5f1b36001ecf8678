package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/version"
)

func newVersion(s streams) *cobra.Command {
	return &cobra.Command{
		Use:  "version",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(s.Out, "cryptogauge %s (%s, %s/%s)\n", version.Tool(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			for _, l := range subject.Bound() {
				if l.Module != "" {
					fmt.Fprintf(s.Out, "  %s %s\n", l.Module, version.Module(l.Module))
				}
			}
			return command.WithCode(command.ExitOutput, err)
		},
	}
}
