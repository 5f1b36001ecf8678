package layout

import (
	"encoding/json"
	"io"
)

// WriteJSON writes what programs read, and people: indented, and with <, > and & as they are.
func WriteJSON(w io.Writer, indent string, what any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	return enc.Encode(what)
}
