package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// release is the version of this source tree; a build from a module or a tagged
// checkout knows better.
const release = "0.1.0-dev"

func toolVersion() string {
	switch v := provider.ModuleVersion("github.com/cryptogauge/cryptogauge"); {
	case strings.HasPrefix(v, "v"):
		return v
	case v == "devel" || v == "unknown":
		return release
	default: // a commit
		return release + "+" + v
	}
}

func newVersion(s streams) *cobra.Command {
	return &cobra.Command{
		Use:  "version",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(s.out, "cryptogauge %s (%s, %s/%s)\n", toolVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			for _, module := range []string{"github.com/emmansun/gmsm", "github.com/tjfoc/gmsm", "golang.org/x/crypto"} {
				fmt.Fprintf(s.out, "  %s %s\n", module, provider.ModuleVersion(module))
			}
			return withCode(exitOutput, err)
		},
	}
}
