// Package render draws documents: one file a format. A format draws what a
// [document.Document] holds; it computes no number and words no conclusion.
package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Format is a form that a report can take.
type Format string

const (
	FormatText     Format = "text"
	FormatMarkdown Format = "markdown"
	FormatHTML     Format = "html"
	FormatJSON     Format = "json"
	FormatCSV      Format = "csv"
	FormatBenchfmt Format = "benchfmt"
)

// formats is the literal list, in the order in which they are named. To add one, write a
// func of this shape in a file of its own, and add a constant, a line, and a golden file:
// go test -run TestEveryFormat -update.
var formats = []struct {
	name  Format
	write func(io.Writer, []*document.Document, Options) error
}{
	{FormatText, WriteText},
	{FormatMarkdown, WriteMarkdown},
	{FormatHTML, WriteHTML},
	{FormatJSON, WriteJSON},
	{FormatCSV, WriteCSV},
	{FormatBenchfmt, WriteBenchfmt},
}

// Formats returns the formats' names.
func Formats() (names []string) {
	for _, f := range formats {
		names = append(names, string(f.name))
	}
	return names
}

// RowsAlone says that a format has no room for sentences: which outputs are wrong is said
// on standard error.
func (f Format) RowsAlone() bool { return f == FormatCSV }

// ParseFormat reads a format's name.
func ParseFormat(name string) (Format, error) {
	for _, f := range formats {
		if string(f.name) == name {
			return f.name, nil
		}
	}
	return "", language.Errorf("unknown format %q; there are: %s", "没有 %q 格式；现有：%s", name, strings.Join(Formats(), ", "))
}

// Write writes documents in a format.
func Write(w io.Writer, f Format, docs []*document.Document, o Options) error {
	for _, known := range formats {
		if known.name == f {
			return known.write(w, docs, o)
		}
	}
	return fmt.Errorf("report: internal error: no format %q", f)
}
