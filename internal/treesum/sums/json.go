package sums

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
)

// A jsonLine is a file in JSON. Its names are an interface: they stay.
type jsonLine struct {
	Name      string `json:"name"`
	NameBytes []byte `json:"name_base64,omitempty"` // where the name is no UTF-8, and Name therefore isn't all of it
	Algorithm string `json:"algorithm,omitempty"`
	Digest    string `json:"digest,omitempty"`
	Bytes     *int64 `json:"bytes,omitempty"`
	Changed   bool   `json:"changed,omitempty"` // while it was read
	Status    string `json:"status,omitempty"`  // of a check: ok, failed, unreadable
	Error     string `json:"error,omitempty"`
}

func appendJSON(line []byte, l jsonLine, name []byte) []byte {
	l.Name = string(name)
	if !utf8.Valid(name) {
		l.Name, l.NameBytes = strings.ToValidUTF8(l.Name, "\uFFFD"), name
	}
	text, err := json.Marshal(l)
	if err != nil { // there is nothing in it that JSON lacks
		panic("sums: internal error: " + err.Error())
	}
	return append(append(line, text...), '\n')
}

// parseJSON reads a line of a manifest in JSON, and no other JSON.
func parseJSON(text []byte) (l jsonLine, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if d.Decode(&l) != nil || d.InputOffset() != int64(len(text)) || l.Name == "" || l.Status != "" {
		return l, false
	}
	if l.Digest == "" {
		return l, l.Error != "" && l.Algorithm == "" && l.Bytes == nil
	}
	a, err := digest.Named(l.Algorithm, 0)
	sum, hexErr := hex.DecodeString(l.Digest)
	return l, err == nil && hexErr == nil && len(sum) == a.Size && l.Bytes != nil && l.Error == ""
}

func hexOf(digest []byte) string { return hex.EncodeToString(digest) }
