package history

import (
	"fmt"
	"io"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// Schema names the JSON form. Other programs rely on its names.
const Schema = "cryptogauge.history/1"

func (r Report) writeJSON(w io.Writer, _ Options) error {
	if err := layout.WriteJSON(w, "  ", struct {
		Schema  string   `json:"schema"`
		Store   string   `json:"store"`
		Margin  float64  `json:"margin"`              // as a share: what is not called a change
		Wrong   float64  `json:"expected_to_be_none"` // of the changes of speed
		Courses []Course `json:"series"`
	}{Schema, r.Store, margin, mostWrong, r.Courses}); err != nil {
		return fmt.Errorf("writing the history: %w", err)
	}
	return nil
}
