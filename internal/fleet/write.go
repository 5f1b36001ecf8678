package fleet

import (
	"io"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
)

// Formats are those that a fleet has: there are no samples for benchmark tools.
func Formats() (names []string) {
	return slices.DeleteFunc(render.Formats(), func(name string) bool { return name == string(render.FormatBenchfmt) })
}

// ParseFormat reads a format's name.
func ParseFormat(name string) (render.Format, error) {
	return render.Among(Formats(), layout.Text{EN: "a fleet", ZH: "--fleet"}, name)
}

// mostCases is how many a screen has room for.
const mostCases = 6

// Write writes the report in a format.
func (r *Report) Write(w io.Writer, f render.Format, o render.Options) error {
	switch f {
	case render.FormatJSON:
		return r.writeJSON(w)
	case render.FormatCSV:
		return r.writeCSV(w)
	}
	most := mostCases
	if o.All || f == render.FormatHTML {
		most = 0
	}
	return render.WritePage(w, f, r.Lay(most), o)
}
