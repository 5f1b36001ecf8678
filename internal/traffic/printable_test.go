package traffic

import (
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	for said, want := range map[string]string{
		"404 Not Found": "404 Not Found", "": "", `"quoted" \ and 中文`: `"quoted" \ and 中文`,
		"\x1b[31mRED\x07\r\n": `\x1b[31mRED\a\r\n`, "a\x9bb\u009b\u202e\xff�": `a\x9bb\u009b\u202e\xff�`,
		strings.Repeat("中", 500): strings.Repeat("中", 500), strings.Repeat("中", 501): strings.Repeat("中", 500) + "…",
	} {
		if got := printable(said); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

// TestServersWordsAreEscaped: whatever a server puts into a line of a report, or of an error, is text there.
func TestServersWordsAreEscaped(t *testing.T) {
	made := &Target{}
	for _, err := range []error{
		&failure{Status, errors.New("599 \x1b[31mRED\x07")}, fmt.Errorf("malformed answer \x1b]0;title\x07"),
		x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{"\x1b[2J"}}, Host: "a.example"},
	} {
		r := newResult(Plan{Connections: 1})
		g := Generator{target: made, result: r}
		g.answered(t.Context(), 0, 0, err)
		said, inReport := made.Say(err), r.errors()
		for _, text := range []string{said.EN, said.ZH, inReport.EN, inReport.ZH} {
			if strings.ContainsAny(text, "\x1b\x07") || !strings.Contains(text, `\x1b`) {
				t.Errorf("%v: %q", KindOf(err), text)
			}
		}
	}
}
