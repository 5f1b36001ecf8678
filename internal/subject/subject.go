// Package subject has the names by which run files call libraries and the ways to
// call them, where more than the library's own package has to know one.
package subject

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

// Libraries are those that are told by name, in reading order.
func Libraries() []string {
	return []string{Go, XCrypto, Gmsm, Tjfoc, MD5SIMD, BLAKE3, OpenSSL, Botan, Libgcrypt, PKCS11, Engine}
}
