// Package version tells the versions of this program and of the modules in it.
package version

import (
	"cmp"
	"runtime/debug"
	"strings"
)

// Module returns the version of a module that this program was built
// with, "unknown" where the build does not tell.
func Module(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if info.Main.Path == path {
		return mainVersion(info)
	}
	for _, m := range info.Deps {
		if m.Path == path {
			return cmp.Or(m.Replace, m).Version
		}
	}
	return "unknown"
}

// release is the version of this source tree; a build from a module or a tagged
// checkout knows better.
const release = "0.1.0-dev"

// Tool is the version of this program.
func Tool() string {
	switch v := Module("github.com/cryptogauge/cryptogauge"); {
	case strings.HasPrefix(v, "v"):
		return v
	case v == "devel" || v == "unknown":
		return release
	default: // a commit
		return release + "+" + v
	}
}

// mainVersion is the version of the program's own module: of a release, else the
// commit that it was built from.
func mainVersion(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	return "devel"
}
