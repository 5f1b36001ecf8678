package report

import (
	"encoding/json"
	"fmt"
	"io"
)

// SchemaSeveral names the JSON of several runs.
const SchemaSeveral = "cryptogauge.reports/1"

// WriteJSON writes the JSON report: the document itself for one run, a list of
// them for several. It is the same in every language.
func WriteJSON(w io.Writer, docs []*Document, _ Options) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	var v any
	if len(docs) == 1 {
		v = docs[0]
	} else {
		if docs == nil {
			docs = []*Document{}
		}
		v = struct {
			Schema  string      `json:"schema"`
			Reports []*Document `json:"reports"`
		}{SchemaSeveral, docs}
	}
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
