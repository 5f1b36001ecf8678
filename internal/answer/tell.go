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
