// Package subject has the names by which run files call libraries and the ways to
// call them, where more than the library's own package has to know one.
package subject

import "slices"

// The libraries.
const (
	Go        = "go"
	XCrypto   = "xcrypto"
	Gmsm      = "gmsm"
	Tjfoc     = "tjfoc"
	MD5SIMD   = "md5-simd"
	BLAKE3    = "blake3"
	OpenSSL   = "openssl"
	Botan     = "botan"
	Libgcrypt = "libgcrypt"
	PKCS11    = "pkcs11"      // a token or a device, by the user's module
	Engine    = "cryptogauge" // our own, after the established ones
	Harness   = "harness"     // the laboratory, which measures itself
)

// The call paths.
const (
	Direct = "go"     // a Go library
	Cgo    = "cgo"    // how a Go program that links a library calls it
	Purego = "purego" // where there is no C compiler
	CLoop  = "c-loop" // a loop in C: the library's own speed
)

// Crosses says whether a call path crosses from Go into C. Those that a worker in another language names
// do not.
func Crosses(path string) bool { return path == Cgo || path == Purego || path == CLoop }

// Library is one that is told by name. Of a Go library a worker is built, with its binding alone and of any
// version that its module has.
type Library struct {
	Name    string
	Binding string // of a Go library: its package below internal/library
	Module  string // of a Go library whose versions are its own
}

var libraries = []Library{
	{Go, "gostd", ""},
	{XCrypto, "xcrypto", "golang.org/x/crypto"},
	{Gmsm, "gmsm", "github.com/emmansun/gmsm"},
	{Tjfoc, "tjfoc", "github.com/tjfoc/gmsm"},
	{MD5SIMD, "md5simd", "github.com/minio/md5-simd"},
	{BLAKE3, "blake3", "github.com/zeebo/blake3"},
	{Name: OpenSSL},
	{Name: Botan},
	{Name: Libgcrypt},
	{Name: PKCS11},
	{Engine, "engine", ""},
}

// Libraries are the names of all that are told by name, in reading order.
func Libraries() []string { return names(func(Library) bool { return true }) }

// Bound are the Go libraries.
func Bound() []Library {
	return slices.DeleteFunc(slices.Clone(libraries), func(l Library) bool { return l.Binding == "" })
}

// Versioned are the names of the Go libraries that can be built in any version.
func Versioned() []string { return names(func(l Library) bool { return l.Module != "" }) }

func names(of func(Library) bool) (all []string) {
	for _, l := range libraries {
		if of(l) {
			all = append(all, l.Name)
		}
	}
	return all
}
