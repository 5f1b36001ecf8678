package render

import (
	"maps"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// grid is a table measured for a terminal: cells as text, their footnote marks
// beside them, so that numbers stay aligned under each other. What is too wide goes on
// below, in lines and if need be in columns of a second table: words and numbers stay whole.
type grid struct {
	p       *painter
	columns []gridColumn
	lines   []gridLine
}

type gridColumn struct {
	title        string
	width, marks int
	least        int // below which words or numbers would be broken
	numeric      bool
}

type gridLine struct {
	group string // heading above the line
	cells []gridCell
}

type gridCell struct {
	text, suffix  string // the suffix is cut last
	marks         string
	struck, faint bool
}

func (c gridCell) width() int { return Width(c.text) + Width(c.suffix) }

const (
	gridIndent = 2
	gridGap    = 2
	leastCell  = 8 // a column is not cut below this while others are wider
)

// struckSign stands before what is wrong, where colours may not.
const struckSign = "✗"

// mostCellLines is how many lines a cell of words may go on for. A column with longer ones,
// such as lists of standards, becomes footnotes.
const mostCellLines = 3

// grids measures a table. One that is too wide becomes several, each with the columns that
// name its rows.
func (p *painter) grids(t layout.Table, notes *footnotes) (gs []*grid) {
	gs = p.measured(t, notes).parts()
	tall := map[string]bool{}
	for _, g := range gs {
		for i := 1; i < len(g.columns); i++ {
			tall[g.columns[i].title] = !g.columns[i].numeric && g.tallest(i) > mostCellLines
		}
	}
	if !slices.Contains(slices.Collect(maps.Values(tall)), true) {
		return gs
	}
	noted := t
	noted.Rows = nil
	for _, row := range t.Rows {
		row.Cells = slices.Clone(row.Cells)
		for i, c := range row.Cells {
			if i < len(t.Columns) && tall[p.say(t.Columns[i].Title)] && p.say(c.Text) != "" {
				row.Cells[i] = layout.Cell{Footnotes: append([]layout.Text{c.Text}, c.Footnotes...)}
			}
		}
		noted.Rows = append(noted.Rows, row)
	}
	return p.measured(noted, notes).parts()
}

func (g *grid) parts() (gs []*grid) {
	for _, columns := range g.shares() {
		part := g.of(columns)
		part.fit()
		gs = append(gs, part)
	}
	return gs
}

func (g *grid) tallest(column int) (lines int) {
	for _, l := range g.lines {
		c := l.cells[column]
		lines = max(lines, len(wrap(c.text+c.suffix, g.columns[column].width)))
	}
	return lines
}

func (p *painter) drawn(t layout.Table, notes *footnotes) (lines []string) {
	gs := p.grids(t, notes)
	lines = gs[0].draw()
	for _, g := range gs[1:] {
		lines = below(lines, g.draw())
	}
	return lines
}

func (p *painter) measured(t layout.Table, notes *footnotes) *grid {
	g := &grid{p: p, columns: make([]gridColumn, len(t.Columns))}
	for i, c := range t.Columns {
		title := p.say(c.Title)
		g.columns[i] = gridColumn{title: title, width: Width(title), least: unbroken(title), numeric: c.Numeric}
	}
	for _, row := range t.Rows {
		line := gridLine{group: p.say(row.Group)}
		for i := range t.Columns {
			var c gridCell
			if i < len(row.Cells) {
				c = p.cell(row.Cells[i], notes)
			}
			g.columns[i].width = max(g.columns[i].width, c.width())
			g.columns[i].marks = max(g.columns[i].marks, Width(c.marks))
			least := c.width()
			if !t.Columns[i].Numeric {
				least = unbroken(c.text + c.suffix)
			}
			g.columns[i].least = max(g.columns[i].least, least)
			line.cells = append(line.cells, c)
		}
		g.lines = append(g.lines, line)
	}
	return g
}

// shares deals the columns to as many tables as it takes for no word and no number
// to be broken, evenly. The first column and the words behind it, on two thirds of the
// terminal at most, name the rows and stand in all of them.
func (g *grid) shares() [][]int {
	names, used := 1, gridIndent
	for i, c := range g.columns {
		used += c.least + c.marks + gridGap
		if i > 0 && (c.numeric || 3*used > 2*g.p.Width) {
			break
		}
		names = i + 1
	}
	shares := g.deal(names, len(g.columns))
	if n := len(shares); n > 1 {
		if even := g.deal(names, (len(g.columns)-names+n-1)/n); len(even) == n {
			return even
		}
	}
	return shares
}

// deal fills one table after the other, each with the names and at most so many
// columns more.
func (g *grid) deal(names, most int) (shares [][]int) {
	var named, share []int
	used := gridIndent - gridGap
	for i := range min(names, len(g.columns)) {
		named, used = append(named, i), used+gridGap+g.columns[i].least+g.columns[i].marks
	}
	left := used
	for i := names; i < len(g.columns); i++ {
		wide := gridGap + g.columns[i].least + g.columns[i].marks
		if len(share) > 0 && (left+wide > g.p.Width || len(share) == most) {
			shares = append(shares, append(named[:names:names], share...))
			share, left = nil, used
		}
		share, left = append(share, i), left+wide
	}
	return append(shares, append(named[:len(named):len(named)], share...))
}

func (g *grid) of(columns []int) *grid {
	part := &grid{p: g.p, columns: each(columns, func(i int) gridColumn { return g.columns[i] })}
	for _, l := range g.lines {
		l.cells = each(columns, func(i int) gridCell { return l.cells[i] })
		part.lines = append(part.lines, l)
	}
	return part
}

func (p *painter) cell(c layout.Cell, notes *footnotes) gridCell {
	text := p.say(c.Text)
	if c.Struck {
		text = struckSign + text
	}
	suffix := ""
	if c.New {
		suffix = p.say(layout.Text{EN: " (new)", ZH: "（新）"})
	}
	return gridCell{text, suffix, notes.marksOf(p.sayAll(c.Footnotes)), c.Struck, c.Faint}
}

func (p *painter) sayAll(ts []layout.Text) []string { return each(ts, p.say) }

func (g *grid) total() int {
	n := gridIndent + gridGap*max(len(g.columns)-1, 0)
	for _, c := range g.columns {
		n += c.width + c.marks
	}
	return n
}

// fit narrows the widest column, again and again, until the table fits: first as far as words
// and numbers stay whole, then those of words, and numbers only when there is nothing else.
func (g *grid) fit() {
	for _, least := range []func(gridColumn) int{
		func(c gridColumn) int { return c.least },
		func(c gridColumn) int {
			if c.numeric {
				return c.width
			}
			return leastCell
		},
		func(gridColumn) int { return leastCell },
		func(gridColumn) int { return 1 },
	} {
		for g.total() > g.p.Width {
			widest := -1
			for i, c := range g.columns {
				if c.width > least(c) && (widest < 0 || c.width > g.columns[widest].width) {
					widest = i
				}
			}
			if widest < 0 {
				break
			}
			g.columns[widest].width--
		}
	}
}

func (g *grid) draw() (lines []string) {
	titles := each(g.columns, func(c gridColumn) gridCell { return gridCell{text: c.title} })
	lines = append(lines, g.row(titles, ansiBold)...)
	for _, l := range g.lines {
		if l.group != "" {
			lines = append(lines, spaces(gridIndent)+g.p.bold(Cut(l.group, g.p.Width-gridIndent)))
		}
		lines = append(lines, g.row(l.cells, "")...)
	}
	return lines
}

func (g *grid) row(cells []gridCell, code string) (lines []string) {
	parts, height := make([][]string, len(cells)), 1
	for i, c := range cells {
		parts[i] = wrap(c.text+c.suffix, g.columns[i].width)
		height = max(height, len(parts[i]))
	}
	for n := range height {
		line := make([]gridCell, len(cells))
		for i, c := range cells {
			line[i] = gridCell{struck: c.struck, faint: c.faint}
			if n < len(parts[i]) {
				line[i].text = parts[i][n]
			}
			if n == len(parts[i])-1 {
				line[i].marks = c.marks
			}
		}
		lines = append(lines, g.line(line, code))
	}
	return lines
}

func (g *grid) line(cells []gridCell, code string) string {
	out := spaces(gridIndent)
	for i, c := range cells {
		col := g.columns[i]
		left := spaces(col.width - Width(c.text))
		paint := code
		switch {
		case c.struck:
			paint = ansiStruck
		case c.faint:
			paint = ansiFaint
		}
		if col.numeric {
			out, left = out+left, ""
		}
		out += g.p.paint(paint, c.text) + c.marks
		if i < len(cells)-1 {
			out += left + spaces(col.marks-Width(c.marks)+gridGap)
		}
	}
	return trimRight(out)
}

func trimRight(s string) string { return strings.TrimRight(s, " ") }
