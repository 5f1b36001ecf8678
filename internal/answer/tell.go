package answer

import (
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// Tell adds a part and the comparisons that it rests on.
func (c *Clauses) Tell(part layout.Text, found ...*document.Comparison) {
	c.Add(part, Evidence(found...)...)
	c.Found = append(c.Found, found...)
}

// RowColumns are columns that show something of a row.
type RowColumns = Columns[*document.Row]

// Prefixed prints a number with the prefix of a million, or from a limit on of a thousand: "547 k", "3.21 M".
func Prefixed(n, thousands float64) string {
	switch {
	case n >= 999.5e3:
		return layout.FormatNumber(n/1e6) + " M"
	case n >= thousands:
		return layout.FormatNumber(n/1e3) + " k"
	}
	return layout.FormatNumber(n)
}
