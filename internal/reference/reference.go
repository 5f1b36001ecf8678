// Package reference is the independent judge: textbook implementations of what cryptogauge measures, from ciphers and
// hashes to signatures and key agreement, written from their standards and from nothing else. It imports no package
// below crypto and no library under test, so a bug that those share can't hide here too.
//
// It exists to be compared with. It is slow, it is not constant time (it looks secrets up in tables and branches
// on them), it wipes nothing: never use it for a user's data.
//
// Nothing here is random: nonces, salts, seeds and filling are arguments, so that an output can be compared.
//
// Sizes are in bytes. Every function returns a new slice and leaves its arguments alone. Whatever depends on the
// data, a tag, a padding or a signature, is reported as an error; a size that no caller may pass (half an IV, half a
// block) panics.
package reference

import (
	_ "embed" // tables
	"encoding/hex"
	"errors"
	"strings"
)

// BlockSize is the block size of AES (FIPS 197) and of SM4 (GB/T 32907-2016), the only block ciphers here.
const BlockSize = 16

// ErrOpen says that sealed data is not what was sealed: it is too short, or its tag is wrong.
var ErrOpen = errors.New("reference: message authentication failed")

// Block is a block cipher under one key, in the one direction that is judged. Each call maps the first BlockSize bytes
// of src to those of dst, which may be the same. A Block may be shared by goroutines.
type Block interface{ Encrypt(dst, src []byte) }

// must panics when a caller passes sizes that the standard leaves undefined; the judge must not guess.
func must(ok bool, complaint string) {
	if !ok {
		panic("reference: internal error: " + complaint)
	}
}

//go:embed tables.txt
var tables string

// table is one of the tables that standards print.
func table(name string) []byte {
	_, from, _ := strings.Cut(tables, "\n"+name+": ")
	text, _, _ := strings.Cut(from, "\n\n")
	b, err := hex.DecodeString(strings.Join(strings.Fields(text[strings.Index(text, "\n")+1:]), ""))
	must(len(b) > 0 && err == nil, "no table "+name)
	return b
}
