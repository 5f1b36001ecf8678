package document

import (
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Code that computes one output wrongly is not to be used, so none of its speeds is
// shown: not that of the wrong row, and not those at the sizes, directions and call
// paths at which the same code was right. Nothing that is derived from rows (a
// comparison, a fit, an answer) has to ask.

// Code is what is right or wrong as a whole: a subject's algorithm and mode. Size,
// operation and call path are left out.
type Code struct {
	Library, Version string
	Implementation   string // "" where the library chooses
	Environment      string
	Algorithm, Mode  string
	// Use is how the code is used where that is special, as parameters: "" is the
	// plain use. What is wrong in plain use is wrong in every other.
	Use string
}

func (r *Row) Code() Code {
	c := Code{r.Library, r.Version, r.Implementation, r.Environment, r.Algorithm, r.Mode, r.Parameters}
	if r.chosen { // another may be at another size
		c.Implementation = ""
	}
	c.Use = parameter.Without(c.Use, parameter.Chunk, parameter.Request) // sizes
	if parameter.Holding.In(c.Use) == parameter.Shared && r.Goroutines() > 1 {
		c.Use = parameter.With(c.Use, parameter.Goroutines.Name()+"=several") // how many met in a call is chance
	}
	if way, _ := r.Way(); way != "" {
		c.Use = parameter.Without(c.Use, parameter.Way, parameter.Call)
	}
	return c
}

func (c Code) plain() Code { c.Use = ""; return c }

// Withheld says that the row's own output was right, and that its numbers are
// withheld because the same code computed another output wrongly.
func (r *Row) Withheld() bool { return r.Hidden }

// withhold takes the numbers from the rows of code that was wrong elsewhere, before
// there are any.
func (b *builder) withhold() {
	named := map[result.Subject]bool{}
	for _, l := range b.run.Header.Libraries {
		named[result.Subject{Library: l.Library, Implementation: l.Implementation}] = true
	}
	wrong := map[Code]bool{}
	for i := range b.doc.Rows {
		r := &b.doc.Rows[i]
		r.chosen = !named[result.Subject{Library: r.Library, Implementation: r.Implementation}]
		if r.Status == result.Incorrect {
			wrong[r.Code()] = true
		}
	}
	for i := range b.doc.Rows {
		r := &b.doc.Rows[i]
		if c := r.Code(); r.Status == result.OK && (wrong[c] || wrong[c.plain()]) {
			r.unstable(doubt{exact: reason.Cause("wrong-elsewhere")})
			r.Hidden = true
		}
	}
}

// Wrong are the rows whose output was wrong, by the code they ran, in their order.
// What was not known to be wrong comes first.
func (d *Document) Wrong() (codes [][]*Row) {
	var found grouped[Code, *Row]
	for i := range d.Rows {
		if r := &d.Rows[i]; r.Status == result.Incorrect {
			found.add(r.Code(), r)
		}
	}
	var known [][]*Row
	for _, code := range found.keys {
		if rows := found.of[code]; rows[0].Exhibit() {
			known = append(known, rows)
		} else {
			codes = append(codes, rows)
		}
	}
	return append(codes, known...)
}

// Exhibit says that the row is shown because its output is known to be wrong.
func (r *Row) Exhibit() bool { return r.Info != nil && r.Info.Exhibit }
