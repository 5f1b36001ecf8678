package render

import (
	"bytes"
	"fmt"
	"io"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// SchemaSeveral names the JSON of several runs.
const SchemaSeveral = "cryptogauge.reports/1"

// WriteJSON writes the JSON report: the document itself for one run, a list of
// them for several. It is the same in every language.
func WriteJSON(w io.Writer, docs []*document.Document, _ Options) error {
	if len(docs) == 1 {
		return written("report", layout.WriteJSON(printable{w}, " ", docs[0]))
	}
	return written("report", layout.WriteJSON(printable{w}, " ", struct {
		Schema  string               `json:"schema"`
		Reports []*document.Document `json:"reports"`
	}{SchemaSeveral, append([]*document.Document{}, docs...)})) // not null where there is none
}

// printable escapes what JSON allows in a string and a terminal obeys or hides: the
// second set of controls, and characters that reorder what is read.
type printable struct{ io.Writer }

func (p printable) Write(b []byte) (int, error) {
	if !bytes.ContainsFunc(b, hidden) {
		return p.Writer.Write(b)
	}
	var escaped []byte
	for _, r := range string(b) {
		if !hidden(r) {
			escaped = utf8.AppendRune(escaped, r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			escaped = fmt.Appendf(escaped, `\u%04x`, unit)
		}
	}
	if _, err := p.Writer.Write(escaped); err != nil {
		return 0, err
	}
	return len(b), nil
}

// hidden is what is unprintable but for line feeds, which stand between JSON's tokens.
func hidden(r rune) bool { return r != '\n' && r != unicode.ReplacementChar && unprintable(r) }
