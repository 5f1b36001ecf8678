// Package catalog says where the shared objects of the libraries that are not Go's
// lie, and what to install where they don't. It opens nothing: the native worker
// opens the objects by these names, and the main binary, which does not hold it,
// tells from them what is missing.
package catalog

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/reason"
)

type Library struct {
	Name    string
	Objects []string // patterns of file names, the newest version first
	Install string   // the Debian package
}

// Libraries lists them in the order in which they are shown.
func Libraries() []Library {
	return []Library{
		{"openssl", []string{"libcrypto.so.4", "libcrypto.so.3"}, "libssl3"},
		{"botan", []string{"libbotan-3.so.*", "libbotan-2.so.19"}, "libbotan-2-19"},
		{"libgcrypt", []string{"libgcrypt.so.20"}, "libgcrypt20"},
	}
}

var triplet = map[string]string{"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}

// Find returns the absolute paths of the library's objects, one for each pattern
// that something was found for, in these folders and nowhere else.
func (l Library) Find() (paths []string) {
	platform := triplet[runtime.GOARCH]
	folders := []string{"/usr/local/lib", "/usr/local/lib64", "/usr/lib/" + platform, "/lib/" + platform,
		"/usr/lib64", "/lib64", "/usr/lib", "/lib"}
	for _, pattern := range l.Objects {
		for _, dir := range folders {
			found, _ := filepath.Glob(filepath.Join(dir, pattern)) // the patterns are well formed
			if found = slices.DeleteFunc(found, notVersion); len(found) > 0 {
				newest := func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) } // so.9 before so.10
				paths = append(paths, slices.MaxFunc(found, newest))
				break
			}
		}
	}
	return paths
}

// notVersion says that a name has more than one number after .so: what the linker
// looks for has one.
func notVersion(path string) bool {
	_, version, _ := strings.Cut(filepath.Base(path), ".so.")
	_, err := os.Stat(path)
	return err != nil || strings.Contains(version, ".")
}

func (l Library) Missing() error {
	object := strings.ReplaceAll(l.Objects[len(l.Objects)-1], ".*", "")
	return reason.New("not-installed", l.Name, l.Install, "--library "+l.Name+"=/path/to/"+object)
}
