package report

import "github.com/cryptogauge/cryptogauge/internal/language"

// Say makes a text of two formats and the same arguments; arguments that are
// texts themselves take part in their own language.
func Say(en, zh string, args ...any) Text { return Text(language.Say(en, zh, args...)) }
