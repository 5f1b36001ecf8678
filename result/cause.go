package result

import (
	"bytes"
	"encoding/json"
)

// Cause says for programs what the sentence beside it says in English: a code, which
// names the sentence, and what it says it of. Files of earlier versions have none.
type Cause struct {
	Code string     `json:"code,omitempty"`
	Args []Argument `json:"args,omitempty"`
}

// Argument is a name or a figure as it is written, or a cause within the other: in JSON
// a string, or an object.
type Argument struct {
	Text  string
	Cause *Cause
}

// MarshalJSON writes a string, or an object.
func (a Argument) MarshalJSON() ([]byte, error) {
	if a.Cause != nil {
		return json.Marshal(a.Cause)
	}
	return json.Marshal(a.Text)
}

// UnmarshalJSON reads a string, or an object.
func (a *Argument) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("{")) {
		a.Cause = &Cause{}
		return json.Unmarshal(b, a.Cause)
	}
	return json.Unmarshal(b, &a.Text)
}
