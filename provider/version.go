package provider

import "runtime/debug"

// ModuleVersion returns the version of a module that this program was built
// with, "unknown" where the build does not tell.
func ModuleVersion(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range info.Deps {
		if m.Path != path {
			continue
		}
		if m.Replace != nil {
			return m.Replace.Version
		}
		return m.Version
	}
	return "unknown"
}
