package chunking

import (
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/workarounds"
)

// listings are the lines for the workarounds that are the best for a sick cipher.
func (c *chunkingView) listings() (ls []layout.Listing) {
	known, shown := workarounds.All(), []string(nil)
	for _, s := range c.sick {
		if s.around == nil {
			continue
		}
		name := insteadName(c.ByID[s.around.Other])
		i := slices.IndexFunc(known, func(l workarounds.Lines) bool { return l.Library == s.Library && l.Implementation == name })
		if i < 0 || slices.Contains(shown, name) {
			continue
		}
		shown = append(shown, name)
		l := known[i]
		ls = append(ls,
			layout.Listing{Title: layout.Say("What a caller writes in C: %s (%s)", "调用方的 C 代码：%s（%s）", arounds[name], name), Language: "c", Code: l.C},
			layout.Listing{Title: layout.Say("What a caller writes in Go, by cgo: %s (%s)", "调用方的 Go 代码（cgo）：%s（%s）", arounds[name], name), Language: "go", Code: l.Go})
	}
	return ls
}
