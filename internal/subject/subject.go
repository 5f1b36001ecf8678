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
	Object  bool   // in a shared object that is looked for: see package catalog
}

var libraries = []Library{
	{Name: Go, Binding: "gostd"},
	{Name: XCrypto, Binding: "xcrypto", Module: "golang.org/x/crypto"},
	{Name: Gmsm, Binding: "gmsm", Module: "github.com/emmansun/gmsm"},
	{Name: Tjfoc, Binding: "tjfoc", Module: "github.com/tjfoc/gmsm"},
	{Name: MD5SIMD, Binding: "md5simd", Module: "github.com/minio/md5-simd"},
	{Name: BLAKE3, Binding: "blake3", Module: "github.com/zeebo/blake3"},
	{Name: OpenSSL, Object: true},
	{Name: Botan, Object: true},
	{Name: Libgcrypt, Object: true},
	{Name: PKCS11},
	{Name: Engine, Binding: "engine"},
}

// Libraries are the names of all that are told by name, in reading order.
func Libraries() []string { return names(func(Library) bool { return true }) }

// Bound are the Go libraries.
func Bound() []Library {
	return slices.DeleteFunc(slices.Clone(libraries), func(l Library) bool { return l.Binding == "" })
}

// Versioned are the names of the Go libraries that can be built in any version.
func Versioned() []string { return names(func(l Library) bool { return l.Module != "" }) }

// Objects are the names of the libraries in C whose shared objects are looked for.
func Objects() []string { return names(func(l Library) bool { return l.Object }) }

func names(of func(Library) bool) (all []string) {
	for _, l := range libraries {
		if of(l) {
			all = append(all, l.Name)
		}
	}
	return all
}
