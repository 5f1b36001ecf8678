//go:build linux && (amd64 || arm64)

// Package pkcs11 measures a token or a device through a PKCS#11 module (OASIS PKCS #11 v2.40) that the user names:
// signatures, decryption under a key pair, and AES-GCM. It calls the module by github.com/miekg/pkcs11, as Go
// programs do, and so needs cgo.
//
//	module.go   opens the module, chooses its token and logs in
//	session.go  what a session does, in the shapes of Go's crypto, and a service at its start, a session for itself;
//	            with the laboratory's keys: imported or, where a token takes none, made there
//	provider.go which cases there are
//
// Nothing is left in a token: all keys are objects of a session, and end with it. A PIN is tried once. Who gives it
// gives a file that every worker of the run shares; a worker whose token refuses the PIN empties it, so that none
// tries again: tokens lock after a few.
package pkcs11

import "os"

// Access is what a user gives beside the module.
type Access struct {
	Token string   // the token's label; "" where the module has one only
	PIN   *os.File // holds the PIN, and is emptied where the token refuses it; nil: none was given
}
