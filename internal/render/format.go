// Package render draws documents: one file a format. A format draws what a
// [document.Document] holds; it computes no number and words no conclusion.
package render

import (
	"io"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
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

// A FormatList is the formats of a report and what writes each, in the order in which they are named.
type FormatList[W any] []struct {
	Name  Format
	Write W
}

// Names returns the formats' names.
func (all FormatList[W]) Names() (names []string) {
	for _, f := range all {
		names = append(names, string(f.Name))
	}
	return names
}

// Writer is what writes a format that was parsed.
func (all FormatList[W]) Writer(name Format) W {
	for _, f := range all {
		if f.Name == name {
			return f.Write
		}
	}
	panic("render: internal error: no format " + string(name))
}

// Among reads the name of one of the formats that something has.
func Among(names []string, has layout.Text, name string) (Format, error) {
	if !slices.Contains(names, name) {
		return "", language.Errorf("--format %q: %s has %s", "--format %q：%s 只有 %s", name, has, strings.Join(names, ", "))
	}
	return Format(name), nil
}

// formats is the literal list. To add one, write a func of this shape in a file of its own, and add a constant, a line,
// and a golden file: go test -run TestEveryFormat -update.
var formats = FormatList[func(io.Writer, []*document.Document, Options) error]{
	{FormatText, WriteText},
	{FormatMarkdown, WriteMarkdown},
	{FormatHTML, WriteHTML},
	{FormatJSON, WriteJSON},
	{FormatCSV, WriteCSV},
	{FormatBenchfmt, WriteBenchfmt},
}

// Formats returns the formats' names.
func Formats() []string { return formats.Names() }

// RowsAlone says that a format has no room for sentences: which outputs are wrong is said
// on standard error.
func (f Format) RowsAlone() bool { return f == FormatCSV }

// ParseFormat reads a format's name.
func ParseFormat(name string) (Format, error) {
	if !slices.Contains(Formats(), name) {
		return "", language.Errorf("unknown format %q; there are: %s", "没有 %q 格式；现有：%s", name, strings.Join(Formats(), ", "))
	}
	return Format(name), nil
}

// Write writes documents in a format.
func Write(w io.Writer, f Format, docs []*document.Document, o Options) error {
	return formats.Writer(f)(w, docs, o)
}
