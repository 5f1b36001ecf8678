package build

import (
	"embed"
	"go/version"
	"io/fs"
	"maps"
	"path"
)

// older are versions of the worker's dependencies for toolchains that can't build those of this
// program's go.mod, by the first toolchain that can. All sides of a comparison take the same.
var older = []struct {
	before string
	lang   string // for the go line
	module map[string]string
	std    []string // packages of the standard library that have more since; what stands for them lies in older
}{
	{"go1.26", "1.25.0", map[string]string{
		"golang.org/x/crypto": "v0.55.0",
		"golang.org/x/sys":    "v0.47.0",
	}, []string{"crypto/fips140", "errors"}},
}

//go:embed older
var olderFiles embed.FS

// isOlder compares toolchains. One without a release, such as one from a commit, is newer.
func isOlder(release, than string) bool {
	return version.IsValid(release) && version.Compare(release, than) < 0
}

// suit takes what a toolchain can build: versions of modules for the oldest of all sides, and for
// the one that builds what stands for packages that have less in it.
func (sd *side) suit(release, oldest string) error {
	for _, o := range older {
		if isOlder(oldest, o.before) {
			sd.lang, sd.versions = o.lang, maps.Clone(sd.versions)
			maps.Copy(sd.versions, o.module)
		}
		if !isOlder(release, o.before) {
			continue
		}
		for _, of := range o.std {
			text, err := fs.ReadFile(olderFiles, "older/"+of+".txt")
			if err != nil {
				return err
			}
			dir := "internal/older/" + of
			if sd.tree.renameImport(of, module+"/"+dir) {
				sd.tree.files[dir+"/"+path.Base(of)+".go"] = text
			}
		}
	}
	return nil
}
