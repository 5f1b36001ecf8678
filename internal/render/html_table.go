package render

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

type htmlTable struct {
	htmlNotes
	Title   layout.Text
	Caption layout.Text
	Class   string
	Columns []layout.Column
	Rows    []htmlRow
}

type htmlRow struct {
	Anchor string
	Group  layout.Text
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
	return max(Width(c.Text.In(layout.English)), Width(c.Text.In(layout.Chinese))) <= short
}

type htmlNotes struct {
	ID    string
	Notes []htmlNote
}

type htmlNote struct {
	Anchor string
	Number int
	Text   layout.Text
}

func (t *htmlNotes) notes(texts ...layout.Text) (list []htmlNote) {
	for _, text := range texts {
		i := slices.IndexFunc(t.Notes, func(n htmlNote) bool { return n.Text == text })
		if i < 0 {
			i = len(t.Notes)
			t.Notes = append(t.Notes, htmlNote{t.ID + "-note" + strconv.Itoa(i+1), i + 1, text})
		}
		list = append(list, t.Notes[i])
	}
	slices.SortFunc(list, func(a, b htmlNote) int { return cmp.Compare(a.Number, b.Number) })
	return list
}

// newHTMLTable prepares a layout's table. A row that is one trial's gets the
// anchor its evidence is found by, and its first cell leads to all its numbers.
func newHTMLTable(t layout.Table, id string, places *htmlPlaces) htmlTable {
	h := htmlTable{htmlNotes: htmlNotes{ID: id}, Title: t.Title, Caption: t.Caption, Columns: t.Columns}
	for _, r := range t.Rows {
		row := htmlRow{Anchor: places.claim(r.RowID), Group: r.Group}
		for i, c := range r.Cells {
			cell := htmlCell{Text: c.Text, Head: i == 0, Struck: c.Struck, New: c.New, Notes: h.notes(c.Footnotes...)}
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

// htmlPlaces knows where on the page each row and comparison stands. Every one
// stands in the tables of all numbers; some stand in a section too, and that is
// where a sentence leads, since there it is seen among its neighbours.
type htmlPlaces struct {
	ID      string // prefix of the anchors
	Doc     *document.Document
	rows    map[string]int
	pairs   map[string]int
	claimed map[string]string
}

func newHTMLPlaces(id string, d *document.Document) *htmlPlaces {
	p := &htmlPlaces{ID: id, Doc: d, rows: map[string]int{}, pairs: map[string]int{}, claimed: map[string]string{}}
	for i, r := range slices.Backward(d.Rows) { // of several with one name, the first
		p.rows[r.ID] = i
	}
	for i, c := range slices.Backward(d.Comparisons) {
		p.pairs[c.ID] = i
	}
	return p
}

// row is the document's, nil where it has none of that name.
func (p *htmlPlaces) row(id string) *document.Row {
	if i, ok := p.rows[id]; ok {
		return p.Doc.Rows[i]
	}
	return nil
}

// pair is the document's comparison, nil where it has none of that name.
func (p *htmlPlaces) pair(id string) *document.Comparison {
	if i, ok := p.pairs[id]; ok {
		return &p.Doc.Comparisons[i]
	}
	return nil
}

// anchor names one of several places by a letter: of a row r in a section and n in the
// tables of all numbers, of a comparison q and c.
func (p *htmlPlaces) anchor(id, row, pair string) string {
	if i, ok := p.rows[id]; ok {
		return p.Place(row, i)
	}
	if i, ok := p.pairs[id]; ok {
		return p.Place(pair, i)
	}
	return ""
}

func (p *htmlPlaces) Place(letter string, i int) string {
	return p.ID + "-" + letter + strconv.Itoa(i+1)
}

// claim returns the anchor for a place in a section, or "" where the row or
// comparison is unknown or already has one: an anchor stands on a page once.
func (p *htmlPlaces) claim(id string) string {
	anchor := p.anchor(id, "r", "q")
	if _, taken := p.claimed[id]; taken || anchor == "" {
		return ""
	}
	p.claimed[id] = anchor
	return anchor
}

// number leads to a row or comparison in the tables of all numbers; "" where
// it is in none.
func (p *htmlPlaces) number(id string) string {
	if anchor := p.anchor(id, "n", "c"); anchor != "" {
		return "#" + anchor
	}
	return ""
}

// evidence leads to where a row or comparison is best seen.
func (p *htmlPlaces) evidence(id string) string {
	if anchor, ok := p.claimed[id]; ok {
		return "#" + anchor
	}
	return p.number(id)
}
