package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version of this source tree; a build from a module or a tagged
// checkout knows better.
const release = "0.1.0-dev"

func toolVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	v := release
	if m := info.Main.Version; m != "" && m != "(devel)" {
		v = m
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 && v == release {
			v += "+" + s.Value[:12]
		}
	}
	return v
}

func newVersion(s streams) *cobra.Command {
	return &cobra.Command{
		Use:  "version",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(s.out, "cryptogauge %s (%s, %s/%s)\n", toolVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, d := range info.Deps {
					if libraryModules[d.Path] {
						fmt.Fprintf(s.out, "  %s %s\n", d.Path, d.Version)
					}
				}
			}
			return withCode(exitOutput, err)
		},
	}
}

var libraryModules = map[string]bool{
	"github.com/emmansun/gmsm": true,
	"github.com/tjfoc/gmsm":    true,
	"golang.org/x/crypto":      true,
}
