package layout

import (
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Text is a sentence in the languages of the reports.
type Text = language.Text

// Lang chooses the language of a report.
type Lang = language.Lang

const (
	English = language.English
	Chinese = language.Chinese
)

// Say makes a text of two formats and the same arguments; arguments that are
// texts themselves take part in their own language.
func Say(en, zh string, args ...any) Text { return language.Say(en, zh, args...) }

// Same is a text that reads the same in every language: a name, or figures.
func Same(s string) Text { return language.Same(s) }

// JoinWith strings texts together by the separator of each language.
func JoinWith(parts []Text, en, zh string) Text {
	var ens, zhs []string
	for _, p := range parts {
		ens, zhs = append(ens, p.EN), append(zhs, p.In(Chinese))
	}
	return Text{EN: strings.Join(ens, en), ZH: strings.Join(zhs, zh)}
}
