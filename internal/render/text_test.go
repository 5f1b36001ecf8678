package render

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// everyDocument is one of each kind that a reader may meet.
func everyDocument() map[string][]*document.Document {
	other := document.Build(documenttest.FullRun())
	other.Rows[0].Version, other.Rows[0].Implementation = "v0.45.0", "neon"
	return map[string][]*document.Document{
		"full":    {withLayouts(document.Build(documenttest.FullRun()))},
		"plain":   {document.Build(documenttest.FullRun())},
		"brief":   {named("modes", withLayouts(document.Build(documenttest.FullRun())))},
		"crowded": {crowd(withLayouts(document.Build(documenttest.FullRun())))},
		"partial": {document.Build(partialRun())},
		"empty":   {document.Build(&result.Run{Header: result.Header{Schema: result.SchemaRun, Tool: "v0.1.0"}})},
		"hostile": {document.Build(hostileRun())},
		"several": {withLayouts(document.Build(documenttest.FullRun())), other, document.Build(partialRun())},
		"many":    slices.Repeat([]*document.Document{document.Build(documenttest.FullRun())}, 28),
		"none":    {},
	}
}

// named is a document of a run of some experiments.
func named(suite string, d *document.Document) *document.Document {
	d.Suite = suite
	return d
}

// partialRun was killed in its tenth block.
func partialRun() *result.Run {
	f := documenttest.NewFixture(9, 7)
	a := f.Trial("modes", documenttest.SM4("ECB", 1024), documenttest.GMSM, documenttest.Plan{NS: 900})
	b := f.Trial("modes", documenttest.SM4("CBC", 1024), documenttest.GMSM, documenttest.Plan{NS: 5000})
	c := f.Trial("modes", documenttest.SM4("CTR", 1024), documenttest.GMSM, documenttest.Plan{NS: 950, Open: true})
	d := f.Trial("modes", documenttest.SM4("OFB", 1024), documenttest.GMSM, documenttest.Plan{Silent: true})
	f.Group("modes", "SM4", "", []int{a, b, c, d}, result.Pair{Base: a, Other: b, Headline: true}, result.Pair{Base: a, Other: c, Headline: true})
	return f.Measure()
}

// hostileRun holds texts that a terminal or a table must not obey.
func hostileRun() *result.Run {
	f := documenttest.NewFixture(15, 3)
	evil := "x\x1b[2J\r\n|<b>`*_\u202e" + strings.Repeat("长名", 60)
	t := f.Trial("mo/des x", result.Case{Algorithm: evil, Mode: evil, Operation: evil, Bytes: 7, Parameters: "a b=" + evil},
		result.Subject{Library: evil, Implementation: evil, Environment: evil}, documenttest.Plan{NS: 100})
	u := f.Trial("", result.Case{}, result.Subject{}, documenttest.Plan{NS: 100, Spread: 1e-9})
	f.Group("mo/des x", evil, "", []int{t, u}, result.Pair{Base: t, Other: u, Headline: true})
	w := f.Trial("mo/des x", documenttest.SM4("CBC", 1024), result.Subject{Library: "lib"}, documenttest.Plan{})
	f.Status(w, result.Incorrect, evil)
	return f.End()
}

// writers are the formats for people and programs, by name.
var writers = map[string]func(io.Writer, []*document.Document, Options) error{
	"text": WriteText, "markdown": WriteMarkdown, "json": WriteJSON, "csv": WriteCSV, "benchfmt": WriteBenchfmt,
}

func render(t *testing.T, write func(io.Writer, []*document.Document, Options) error, docs []*document.Document, opts Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, docs, opts); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTextGolden(t *testing.T) {
	docs := everyDocument()
	for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
		for name, opts := range map[string]Options{
			"full": {All: true}, "plain": {All: true}, "partial": {All: true}, "empty": {}, "several": {},
			"quick": {}, "brief": {}, "crowded": {}, "colour": {Color: true},
		} {
			opts.Lang = lang
			of := name
			if name == "quick" || name == "colour" {
				of = "full"
			}
			golden(t, name+"."+string(lang)+".txt", []byte(render(t, WriteText, docs[of], opts)))
		}
	}
}

// uncoloured takes the colours away, which have no width.
func uncoloured(s string) string {
	for _, code := range []string{ansiReset, ansiBold, ansiFaint, ansiRed, ansiGreen, ansiYellow, ansiBlue, ansiStruck} {
		s = strings.ReplaceAll(s, code, "")
	}
	return s
}

func TestTextFitsItsWidth(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, docs := range everyDocument() {
		for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
			for _, w := range []int{0, 40, 60, 80, 100, 140} {
				for _, all := range []bool{false, true} {
					plain := render(t, WriteText, docs, Options{Lang: lang, Width: w, All: all})
					most := w
					if w == 0 {
						most = 100
					}
					for i, line := range strings.Split(plain, "\n") {
						if Width(line) > most {
							t.Errorf("%s %s, width %d: line %d has %d columns: %q", name, lang, w, i+1, Width(line), line)
						}
						if strings.ContainsFunc(line, unprintable) {
							t.Errorf("%s %s: line %d holds a control character: %q", name, lang, i+1, line)
						}
					}
				}
			}
		}
	}
}

func TestColourChangesNothingElse(t *testing.T) {
	for name, docs := range everyDocument() {
		for _, all := range []bool{false, true} {
			plain := render(t, WriteText, docs, Options{All: all})
			if coloured := render(t, WriteText, docs, Options{All: all, Color: true}); uncoloured(coloured) != plain {
				t.Errorf("%s: colour changes more than the colour", name)
			}
		}
	}
}

func TestWrongIsStruck(t *testing.T) {
	docs := everyDocument()["brief"]
	if got := render(t, WriteText, docs, Options{}); !strings.Contains(got, "✗incorrect") {
		t.Error("without colours, incorrect has no sign before it")
	}
	if got := render(t, WriteText, docs, Options{Color: true}); !strings.Contains(got, ansiStruck+"✗incorrect"+ansiReset) {
		t.Error("with colours, incorrect is not struck")
	}
	if got := render(t, WriteMarkdown, docs, Options{}); !strings.Contains(got, "✗ ~~incorrect~~") {
		t.Error("in Markdown, incorrect is not struck")
	}
}

func TestSameTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	for name, write := range writers {
		first, second := everyDocument(), everyDocument()
		for kind := range first {
			if render(t, write, first[kind], Options{}) != render(t, write, second[kind], Options{}) {
				t.Errorf("%s of %s differs from one time to the next", name, kind)
			}
		}
	}
}

// brokenPipe takes some bytes and then fails.
type brokenPipe struct{ left int }

var errBroken = errors.New("broken pipe")

func (b *brokenPipe) Write(p []byte) (int, error) {
	if len(p) > b.left {
		return 0, errBroken
	}
	b.left -= len(p)
	return len(p), nil
}

func TestWriteErrorsAreReturned(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	for name, write := range writers {
		for kind, docs := range everyDocument() {
			full := len(render(t, write, docs, Options{}))
			for _, left := range []int{0, full / 2, full - 1} {
				err := write(&brokenPipe{left}, docs, Options{})
				if full > 0 && left >= 0 && !errors.Is(err, errBroken) {
					t.Errorf("%s of %s, %d of %d bytes written: %v", name, kind, left, full, err)
				}
			}
		}
	}
}

func TestSeveralGivesNoVerdict(t *testing.T) {
	docs := everyDocument()["several"]
	for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
		for _, write := range []func(io.Writer, []*document.Document, Options) error{WriteText, WriteMarkdown} {
			got := strings.Join(strings.Fields(render(t, write, docs, Options{Lang: lang})), " ")
			if want := NoVerdictBetweenMachines.In(lang)[:30]; !strings.Contains(got, want) {
				t.Errorf("%s: the report of several machines lacks %q", lang, want)
			}
			for _, verdict := range []string{"faster", "slower", "显著更"} {
				if strings.Contains(got, verdict) {
					t.Errorf("%s: the report of several machines says %q", lang, verdict)
				}
			}
		}
	}
	tables := sideBySide(docs, mostMachines)
	if n := len(tables[0].Columns); n != 5 {
		t.Errorf("three machines make %d columns, want 5", n)
	}
	// Version and implementation differ between the machines, and the row is one.
	if cells := tables[0].Rows[0].Cells; cells[2].Text == layout.Same("–") || cells[3].Text == layout.Same("–") {
		t.Errorf("a row of two versions is not aligned: %v", cells)
	}
}

func ExampleFormatTime() {
	fmt.Println(layout.FormatTime(999.4), layout.FormatTime(999.6), layout.FormatTime(1270), layout.FormatTime(2.5e9))
	fmt.Println(layout.FormatRate(97.3e6), layout.FormatRate(1.17e9), layout.FormatSize(10240), layout.FormatSize(10000), layout.FormatSize(1<<20))
	fmt.Println(layout.FormatShare(0.002), layout.FormatShare(0.43), layout.FormatRatio(1.1724), layout.FormatRatio(14.21))
	// Output:
	// 999 ns 1.00 µs 1.27 µs 2.50 s
	// 97.3 MB/s 1.17 GB/s 10 KiB 10 kB 1 MiB
	// 0.20 % 43 % 1.172 14.2
}

// TestEqualThingsAreSaidOnce: where the same code twice differs, the line on confidence does not say that they agree.
func TestEqualThingsAreSaidOnce(t *testing.T) {
	for ns, want := range map[float64]string{5000: "the same code twice: within", 5200: "the same code twice differs by"} {
		f := documenttest.NewFixture(15, 7)
		a := f.Trial("modes", documenttest.SM4("CBC", 1024), documenttest.GMSM, documenttest.Plan{NS: 5000})
		b := f.Trial("modes", documenttest.SM4("CBC", 1024), documenttest.GMSM, documenttest.Plan{NS: ns})
		f.Group("modes", "A/A", result.KindNoise, []int{a, b}, result.Pair{Base: 0, Other: 1})
		doc := document.Build(f.End())
		all := strings.Join(newPainter(Options{Lang: layout.English}).confidence(doc, len(doc.Trust.Reasons)), " · ")
		if doc.Resolution == nil || !strings.Contains(all, want) || strings.Count(all, "the same code twice") != 1 {
			t.Errorf("%v ns: %q, want %q once", ns, all, want)
		}
	}
}

// TestNoiseFloorOfOneBlock: an A/A pair with too few blocks for an interval still
// has a floor, and the head must not call it unmeasured.
func TestNoiseFloorOfOneBlock(t *testing.T) {
	f := documenttest.NewFixture(1, 7)
	a := f.Trial("modes", documenttest.SM4("CBC", 1024), documenttest.GMSM, documenttest.Plan{NS: 5000})
	b := f.Trial("modes", documenttest.SM4("CBC", 1024), documenttest.GMSM, documenttest.Plan{NS: 5200})
	f.Group("modes", "A/A", result.KindNoise, []int{a, b})
	doc := document.Build(f.End())
	facts := strings.Join(newPainter(Options{Lang: layout.English}).confidence(doc, len(doc.Trust.Reasons)), " · ")
	if doc.Resolution != nil || !doc.NoiseMeasured ||
		!strings.HasPrefix(facts, "the same code twice differs by 3.9 % (A/A): run again with more blocks") || strings.Contains(facts, "to compare equal things") {
		t.Errorf("floor %v, resolution %v, facts %q", doc.NoiseFloor, doc.Resolution, facts)
	}
}

// TestCutShortHasAWordOfItsOwn: that a run is partial is no part of what was wrong or missing.
func TestCutShortHasAWordOfItsOwn(t *testing.T) {
	d := *everyDocument()["partial"][0]
	d.WrongOutputs = twenty().WrongOutputs
	for lang, word := range map[layout.Lang]string{layout.English: "PARTIAL RUN  ", layout.Chinese: "运行未完成  "} {
		lines := strings.Split(render(t, WriteText, []*document.Document{&d}, Options{Lang: lang}), "\n")
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, word) }) {
			t.Errorf("%s: no line begins with %q:\n%s", lang, word, strings.Join(lines, "\n"))
		}
	}
}
