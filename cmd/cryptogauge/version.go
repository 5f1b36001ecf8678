package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/version"
)

func newVersion(s streams) *cobra.Command {
	return &cobra.Command{
		Use:  "version",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(s.Out, "cryptogauge %s (%s, %s/%s)\n", version.Tool(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			for _, module := range []string{"github.com/emmansun/gmsm", "github.com/tjfoc/gmsm", "golang.org/x/crypto"} {
				fmt.Fprintf(s.Out, "  %s %s\n", module, version.Module(module))
			}
			return command.WithCode(command.ExitOutput, err)
		},
	}
}
