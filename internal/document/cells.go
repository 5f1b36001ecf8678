package document

import (
	"github.com/cryptogauge/cryptogauge/result"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// TimeCell is the row's time as a cell, or how the row ended, with its doubts as
// footnotes.
func (r *Row) TimeCell() layout.Cell {
	if r.NsPerOp == nil {
		return r.ValueCell("–")
	}
	return r.ValueCell(layout.FormatTime(r.NsPerOp.Median))
}

// RateCell is the row's rate as a cell, or how the row ended.
func (r *Row) RateCell() layout.Cell {
	if r.BytesPerSecond != nil {
		return r.ValueCell(layout.FormatRate(*r.BytesPerSecond))
	}
	return r.ValueCell("–")
}

// ValueCell shows a value of the row with the row's doubts as footnotes. A row
// without a number shows how it ended instead, and why.
func (r *Row) ValueCell(value string) layout.Cell {
	if r.Status == result.OK {
		return layout.Cell{Text: layout.Same(value), Footnotes: r.Notes}
	}
	c := layout.Cell{Text: r.StatusText(), Struck: r.Status == result.Incorrect, Faint: r.Status != result.Incorrect}
	if r.Why != (layout.Text{}) {
		c.Footnotes = []layout.Text{r.Why}
	}
	return c
}

func (r *Row) SizeName() string {
	if r.Bytes <= 0 {
		return ""
	}
	return layout.FormatSize(r.Bytes)
}
