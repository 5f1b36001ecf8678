package result

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Case is what is done, whoever does it. Cases are comparable values.
type Case struct {
	Algorithm  string `json:"algorithm"`            // "SM4", "AES-128", "ChaCha20-Poly1305"
	Mode       string `json:"mode,omitempty"`       // "ECB", "CBC+HMAC-SM3"; empty where there is none
	Operation  string `json:"operation"`            // "encrypt", "decrypt", "init+encrypt+pad"
	Bytes      int64  `json:"bytes"`                // of message per operation; 0 where there is no message
	Parameters string `json:"parameters,omitempty"` // canonical, see Parameters
}

// Name is algorithm and mode as people write them: "SM4-CBC".
func (c Case) Name() string {
	if c.Mode == "" {
		return c.Algorithm
	}
	return c.Algorithm + "-" + c.Mode
}

// Subject is who does it: one implementation of a library, called one way.
type Subject struct {
	Library        string `json:"library"`                  // "go", "gmsm", "openssl"
	Version        string `json:"version"`                  // as the library names it
	Implementation string `json:"implementation,omitempty"` // the kernel that ran; "unknown" where the library does not tell
	CallPath       string `json:"call_path"`                // "go", "cgo", "purego", "c-loop"; of other languages their name
	Runtime        string `json:"runtime,omitempty"`        // of another language, with its version: "OpenJDK 17.0.15"
	Environment    string `json:"environment,omitempty"`    // of its worker, canonical: "GODEBUG=cpu.aes=off"
}

// Trial is a subject on a case.
type Trial struct {
	Subject Subject `json:"subject"`
	Case    Case    `json:"case"`
}

// ID is a stable text that names the trial: the same subject on the same case
// has the same ID in every run.
func (t Trial) ID() string {
	c, s := t.Case, t.Subject
	parts := []string{c.Name(), c.Operation, strconv.FormatInt(c.Bytes, 10)}
	also := func(texts ...string) {
		parts = append(parts, slices.DeleteFunc(texts, func(text string) bool { return text == "" })...)
	}
	also(c.Parameters, s.Library+"@"+s.Version, s.Implementation)
	parts = append(parts, s.CallPath)
	also(s.Runtime, s.Environment)
	return strings.Join(parts, "/")
}

// Parameters are the further arguments of a case. Their canonical string sorts
// the keys, so that equal parameters are equal strings: "chunk=65536,workers=4".
type Parameters map[string]string

// String gives the canonical form.
func (p Parameters) String() string {
	pairs := make([]string, 0, len(p))
	for k, v := range p {
		pairs = append(pairs, k+"="+v)
	}
	slices.Sort(pairs)
	return strings.Join(pairs, ",")
}

// ParseParameters reads a canonical string. Keys and values hold neither ','
// nor '='.
func ParseParameters(s string) (Parameters, error) {
	p := Parameters{}
	if s == "" {
		return p, nil
	}
	for pair := range strings.SplitSeq(s, ",") {
		k, v, ok := strings.Cut(pair, "=")
		if !ok || k == "" || strings.Contains(v, "=") {
			return nil, fmt.Errorf("parameter %q is not key=value", pair)
		}
		if _, twice := p[k]; twice {
			return nil, fmt.Errorf("parameter %q stands twice", k)
		}
		p[k] = v
	}
	return p, nil
}

// Parameter returns one parameter of the case, or "" where it is not set.
func (c Case) Parameter(key string) string {
	for pair := range strings.SplitSeq(c.Parameters, ",") {
		if k, v, _ := strings.Cut(pair, "="); k == key {
			return v
		}
	}
	return ""
}
