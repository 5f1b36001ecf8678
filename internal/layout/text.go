package layout

import "github.com/cryptogauge/cryptogauge/internal/language"

// Text is a sentence in the languages of the reports.
type Text = language.Text

type Lang = language.Lang

const (
	English = language.English
	Chinese = language.Chinese
)
