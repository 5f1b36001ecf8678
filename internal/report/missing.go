package report

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/result"
)

// Missing says that the row's library could not be asked at all: it is not
// installed, or can't be opened. People read why once, in the head; the row itself is
// for programs.
func (r *Row) Missing() bool {
	return r.Version == "" && r.CallPath != "go" && r.CallPath != "" && (r.Status == result.Unsupported || r.Status == result.Crashed)
}

// missing are the libraries that could not be asked, with the reason; those of one
// reason in one line.
func (d *Document) missing() (lines []Text) {
	var reasons []string
	names := map[string][]string{}
	for _, l := range d.Libraries {
		if l.Missing == "" {
			continue
		}
		if !slices.Contains(reasons, l.Missing) {
			reasons = append(reasons, l.Missing)
		}
		names[l.Missing] = append(names[l.Missing], l.Library)
	}
	for _, why := range reasons {
		who := strings.Join(names[why], ", ")
		if strings.HasPrefix(why, who+" ") {
			lines = append(lines, Phrase(why))
			continue
		}
		because := Phrase(why)
		lines = append(lines, Text{who + ": " + because.EN, strings.Join(names[why], "、") + "：" + because.ZH})
	}
	return lines
}
