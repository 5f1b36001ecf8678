package render

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// htmlTable is a table as the template draws it.
type htmlTable struct {
	ID       string
	Title    layout.Text
	Caption  layout.Text
	Class    string
	Sortable bool
	Columns  []layout.Column
	Rows     []htmlRow
	Notes    []htmlNote
	numbers  map[layout.Text]int // of the notes
}

// htmlRow is a row; Group is the heading above it, where it has one.
type htmlRow struct {
	Anchor string
	Group  layout.Text
	Class  string
	Cells  []htmlCell
}

// htmlCell is a cell. Key is what the column is sorted by, where that is not
// the text; Sub stands beside the text, fainter.
type htmlCell struct {
	Text    layout.Text
	Sub     layout.Text
	Key     string
	Href    string
	Class   string
	Numeric bool
	Head    bool // names the row
	Struck  bool
	New     bool
	Notes   []htmlNote
}

// Short says whether the cell stays on one line: names of standards and of
// modes, which browsers would break at every hyphen.
func (c htmlCell) Short() bool {
	const short = 18
	return max(width(c.Text.In(layout.English)), width(c.Text.In(layout.Chinese))) <= short
}

// htmlNote is a numbered footnote.
type htmlNote struct {
	Anchor string
	Number int
	Text   layout.Text
}

// note numbers a footnote; equal texts share a number.
func (t *htmlTable) note(text layout.Text) htmlNote {
	if i, ok := t.numbers[text]; ok {
		return t.Notes[i-1]
	}
	if t.numbers == nil {
		t.numbers = map[layout.Text]int{}
	}
	n := htmlNote{Number: len(t.Notes) + 1, Text: text}
	n.Anchor = t.ID + "-note" + strconv.Itoa(n.Number)
	t.Notes = append(t.Notes, n)
	t.numbers[text] = n.Number
	return n
}

// notes numbers a cell's footnotes and puts the numbers in order.
func (t *htmlTable) notes(texts []layout.Text) []htmlNote {
	var list []htmlNote
	for _, text := range texts {
		list = append(list, t.note(text))
	}
	slices.SortFunc(list, func(a, b htmlNote) int { return cmp.Compare(a.Number, b.Number) })
	return list
}

// newHTMLTable prepares a layout's table. A row that is one trial's gets the
// anchor its evidence is found by, and its first cell leads to all its numbers.
func newHTMLTable(t layout.Table, id string, places *htmlPlaces) htmlTable {
	h := htmlTable{ID: id, Title: t.Title, Caption: t.Caption, Columns: t.Columns}
	for _, r := range t.Rows {
		row := htmlRow{Anchor: places.claim(r.RowID), Group: r.Group}
		for i, c := range r.Cells {
			cell := htmlCell{Text: c.Text, Head: i == 0, Struck: c.Struck, New: c.New, Notes: h.notes(c.Footnotes)}
			cell.Numeric = i < len(t.Columns) && t.Columns[i].Numeric
			if c.Faint {
				cell.Class = "faint"
			}
			if i == 0 {
				cell.Href = places.number(r.RowID)
			}
			row.Cells = append(row.Cells, cell)
		}
		h.Rows = append(h.Rows, row)
	}
	return h
}
