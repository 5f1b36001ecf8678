package reason

import (
	_ "embed" // notes.txt
	"slices"
	"strings"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

//go:embed notes.txt
var notesText string

var notes = sync.OnceValue(func() (ps []pattern) {
	for lines := range records(notesText, 2) {
		ps = append(ps, patternOf(sentence{en: lines[0], zh: lines[1]}))
	}
	return ps
})

// everyNote has those of earlier versions too.
var everyNote = sync.OnceValue(func() []pattern {
	ps := slices.Clone(notes())
	for _, note := range legacyNotes {
		if i := slices.IndexFunc(notes(), func(p pattern) bool { return p.en == note[1] }); i >= 0 {
			ps = append(ps, patternOf(sentence{en: note[0], zh: ps[i].zh}))
		}
	}
	return ps
})

// Note is what a library notes of how a trial is put together: sentences with "; " between
// them.
func Note(english string) (text language.Text) {
	for part := range strings.SplitSeq(english, "; ") {
		zh := said(part).ZH
		if p, args := closest(everyNote(), part); p != nil {
			zh = language.Sprintf(language.Chinese, p.zh, anys(args)...)
		} else if !strings.Contains(part, " ") {
			zh = part // a name
		}
		text.ZH += "；" + zh
	}
	return language.Text{EN: english, ZH: strings.TrimPrefix(text.ZH, "；")}
}

func anys(texts []string) (all []any) {
	for _, t := range texts {
		all = append(all, t)
	}
	return all
}
