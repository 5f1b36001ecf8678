package layout

import "cmp"

// Mark is the sign before an answer.
type Mark string

const (
	Stop    Mark = "stop"    // ✗ stop using
	Choose  Mark = "choose"  // ✓ choose
	Beware  Mark = "beware"  // ! beware
	Unclear Mark = "unclear" // ? inconclusive
	Plain   Mark = "plain"   // · a fact
)

// Answer is a sentence computed from rows and comparisons, which it names.
type Answer struct {
	Experiment string   `json:"experiment"`
	Mark       Mark     `json:"mark"`
	Text       Text     `json:"text"`
	Evidence   []string `json:"evidence"` // row or comparison ids
	Short      bool     `json:"-"`        // belongs on the quick screen
	Brief      Text     `json:"-"`        // the same in fewer words, where experiments share that screen; empty: Text
	// Echo says that it repeats what the top of every report says first: which code gives wrong output.
	Echo     bool      `json:"-"`
	Listings []Listing `json:"-"`
}

var Marks = map[Mark]string{Stop: "✗", Choose: "✓", Beware: "!", Unclear: "?", Plain: "·"}

// Sign is what stands before an answer.
func (m Mark) Sign() string { return cmp.Or(Marks[m], Marks[Plain]) }
