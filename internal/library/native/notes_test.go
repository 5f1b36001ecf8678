//go:build linux && (amd64 || arm64)

package native

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/planted"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// TestNotes: whatever a library in C notes of a case that is planned is said in Chinese too.
func TestNotes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			noted := map[string]bool{}
			for _, p := range (Asked{Library: name, Path: planted.Installed(t, name)}).Bench(provider.Setting{Seed: 1}).Providers {
				d, ok := p.(provider.Describer)
				if !ok {
					continue
				}
				for _, e := range question.All() {
					for _, c := range e.Cases {
						if n, fixed := algorithm.FixedBytes(c.Algorithm, c.Mode, c.Operation); fixed {
							c.Bytes = int64(n)
						} else {
							c.Bytes = 64
						}
						noted[d.Note(c)] = true
					}
				}
			}
			delete(noted, "")
			if len(noted) < 5 {
				t.Errorf("only %d notes", len(noted))
			}
			for english := range noted {
				if note := reason.Note(english); strings.Contains(note.ZH, "“") { // a part that has no Chinese is quoted
					t.Errorf("internal/reason/notes.txt lacks part of the note %q: %q", note.EN, note.ZH)
				}
			}
		})
	}
}
