package render

import (
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/document"
)

// htmlPlaces knows where on the page each row and comparison stands. Every one
// stands in the tables of all numbers; some stand in a section too, and that is
// where a sentence leads, since there it is seen among its neighbours.
type htmlPlaces struct {
	prefix  string
	doc     *document.Document
	rows    map[string]int
	pairs   map[string]int
	claimed map[string]string
}

func newHTMLPlaces(prefix string, d *document.Document) *htmlPlaces {
	p := &htmlPlaces{prefix: prefix, doc: d, rows: map[string]int{}, pairs: map[string]int{}, claimed: map[string]string{}}
	for i, r := range d.Rows {
		if _, twice := p.rows[r.ID]; !twice {
			p.rows[r.ID] = i
		}
	}
	for i, c := range d.Comparisons {
		if _, twice := p.pairs[c.ID]; !twice {
			p.pairs[c.ID] = i
		}
	}
	return p
}

// claim returns the anchor for a place in a section, or "" where the row or
// comparison is unknown or already has one: an anchor stands on a page once.
func (p *htmlPlaces) claim(id string) string {
	if _, taken := p.claimed[id]; taken {
		return ""
	}
	anchor := ""
	if i, ok := p.rows[id]; ok {
		anchor = p.prefix + "-r" + strconv.Itoa(i+1)
	} else if i, ok := p.pairs[id]; ok {
		anchor = p.prefix + "-q" + strconv.Itoa(i+1)
	}
	if anchor != "" {
		p.claimed[id] = anchor
	}
	return anchor
}

// rowAnchor and pairAnchor name the lines of the tables of all numbers.
func (p *htmlPlaces) rowAnchor(i int) string  { return p.prefix + "-n" + strconv.Itoa(i+1) }
func (p *htmlPlaces) pairAnchor(i int) string { return p.prefix + "-c" + strconv.Itoa(i+1) }

// number leads to a row or comparison in the tables of all numbers; "" where
// it is in none.
func (p *htmlPlaces) number(id string) string {
	if i, ok := p.rows[id]; ok {
		return "#" + p.rowAnchor(i)
	}
	if i, ok := p.pairs[id]; ok {
		return "#" + p.pairAnchor(i)
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
