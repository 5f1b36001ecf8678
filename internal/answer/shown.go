package answer

import (
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// Shown is a column of a number that not every line has.
func Shown[R, V any](en, zh string, of func(R) (V, bool), show func(V) string) Columns[R] {
	return Figure(en, zh, func(r R) layout.Cell {
		if v, ok := of(r); ok {
			return TextCell(show(v))
		}
		return Dash()
	})
}

// Believed is Distribution where the row may be believed.
func (v *View) Believed(r *document.Row, name string) *document.Distribution {
	if r == nil || r.Status != result.OK {
		return nil
	}
	return v.Distribution(r, name)
}

func P95(d *document.Distribution) *float64  { return d.P95 }
func P999(d *document.Distribution) *float64 { return d.P999 }

// Found is a sentence that ends in what a comparison found; nil without one.
func Found(c *document.Comparison, than layout.Text, en, zh string, args ...any) *layout.Answer {
	if c == nil {
		return nil
	}
	text := layout.Say(en, zh, append(args, Versus(c, than))...)
	return &layout.Answer{Mark: MarkOf(c), Evidence: Evidence(c), Text: text}
}

// At is the first row of a key at a size, or nil.
func (v *View) At(k Key, bytes int64) *document.Row {
	k.Bytes = bytes
	return v.Row(k)
}

// AtEach are the rows of a key at some sizes; nil where there is none.
func (v *View) AtEach(k Key, sizes []int64) []*document.Row {
	return document.Mapped(sizes, func(size int64) *document.Row { return v.At(k, size) })
}

// Sizeless is a row's key without its size.
func (v *View) Sizeless(r *document.Row) Key {
	k := v.KeyOf(r)
	k.Bytes = 0
	return k
}

// Present are the rows that there are.
func Present(rows []*document.Row) []*document.Row {
	return Select(rows, func(r *document.Row) bool { return r != nil })
}

// Took is a row's time as words, a dash without one.
func Took(r *document.Row) string {
	ns, ok := Nanoseconds(r)
	if !ok {
		return "–"
	}
	return layout.FormatTime(ns)
}
