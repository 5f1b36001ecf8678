package command

import (
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Caption is what the user says of a run, above its reports.
type Caption struct{ Title, Note string }

// Add adds its flags to a verb.
func (c *Caption) Add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.Title, "title", "", "")
	cmd.Flags().StringVar(&c.Note, "note", "", "")
}

// Check refuses words that are too many for a heading.
func (c Caption) Check() error {
	for _, t := range []struct {
		flag, text string
		most       int
	}{{"title", c.Title, 120}, {"note", c.Note, 500}} {
		if n := utf8.RuneCountInString(t.text); n > t.most {
			return language.Errorf("--%s has %d characters: give at most %d", "--%s 有 %d 个字符：最多 %d 个", t.flag, n, t.most)
		}
	}
	return nil
}
