package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render/rendertest"
	"github.com/cryptogauge/cryptogauge/result"
)

func drawHTML(t *testing.T, l layout.Lang, docs ...*document.Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteHTML(&b, docs, Options{Lang: l}); err != nil {
		t.Fatal(err)
	}
	page, _, err := rendertest.Unfold(b.String())
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func TestHTMLStandsAlone(t *testing.T) {
	for _, l := range []layout.Lang{layout.English, layout.Chinese} {
		page := drawHTML(t, l, sampleDocument())
		if !strings.Contains(html.UnescapeString(page), `http-equiv="Content-Security-Policy" content="default-src 'none';`) {
			t.Error("the page does not forbid itself to load anything")
		}
		for _, loads := range []string{
			`https?://`, `url\(`, `@import`, `<link`, `<iframe`, `<base`, `src="[^d]`, `srcset`, `xlink:`, `fetch\(`, `XMLHttpRequest`, `<[^>]+\sstyle=`, // which its policy forbids
		} {
			if at := regexp.MustCompile(loads).FindString(page); at != "" {
				t.Errorf("the page may load something: %q", at)
			}
		}
		if at := regexp.MustCompile(`<[^>]+\son\w+=`).FindString(page); at != "" {
			t.Errorf("inline event handler: %q", at)
		}
	}
}

// hostile is a text that breaks out of every place it may be put unescaped.
const hostile = `</script></textarea></style>"'><script>alert(1)</script><img src=x onerror=alert(1)>` + "\x1b[31m\u202e"

// poison replaces every text of a document that comes from outside.
func poison(d *document.Document) {
	evil := layout.Text{EN: hostile, ZH: hostile + "中"}
	d.Tool, d.Suite, d.Command, d.Partly, d.Partial = hostile, hostile, []string{hostile}, layout.Same(hostile), true
	d.Libraries = []result.Library{{Library: hostile, Version: hostile, Implementation: hostile, CallPath: hostile, Path: hostile, SHA256: hostile}}
	d.Trust = document.Trust{Level: hostile, Reasons: []layout.Text{evil}}
	for _, r := range d.Rows {
		r.ID, r.Algorithm, r.Mode, r.Operation, r.Parameters = r.ID+hostile, hostile, hostile, hostile, hostile
		r.Library, r.Version, r.Implementation, r.CallPath, r.Environment = hostile, hostile, hostile, hostile, hostile
		r.Reason, r.Warnings, r.Security, r.Standard, r.Note = hostile, []string{hostile}, []string{hostile}, hostile, hostile
		r.ConstantTime = result.ConstantTime{Value: hostile, Basis: hostile}
		r.Metrics = map[string]document.Metric{hostile: {Value: 1, Unit: hostile}}
	}
	d.Rows[1].Status = hostile
	for i := range d.Comparisons {
		c := &d.Comparisons[i]
		c.ID, c.Verdict, c.Clock, c.Warnings = c.ID+hostile, hostile, hostile, []string{hostile}
	}
	for i := range d.Fits {
		d.Fits[i].Model, d.Fits[i].Reason, d.Fits[i].Terms[hostile] = hostile, hostile, 1
	}
	d.Distributions = []document.Distribution{{RowID: hostile, Name: hostile, Unit: hostile}}
	d.Findings = []layout.Finding{{Kind: hostile, Severity: hostile, Text: evil}}
	l := &d.Layouts[0]
	l.Experiment, l.Title, l.Question, l.Next = hostile, evil, evil, []layout.Next{{Command: hostile, Why: evil}}
	for i := range l.Answers {
		l.Answers[i].Mark, l.Answers[i].Text, l.Answers[i].Evidence = hostile, evil, []string{d.Rows[i].ID, d.Comparisons[0].ID}
	}
	for i := range l.Charts {
		c := &l.Charts[i]
		c.Title, c.Caption = evil, evil
		for j := range c.Series {
			c.Series[j].Name = evil
		}
		for j := range c.Ratios {
			c.Ratios[j].Label, c.Ratios[j].Verdict, c.Ratios[j].ID = evil, hostile, d.Comparisons[j].ID
		}
	}
	l.Tables = append(l.Tables, layout.Table{Title: evil, Caption: evil, Columns: []layout.Column{{Title: evil}},
		Rows: []layout.TableRow{{RowID: hostile, Group: evil, Cells: []layout.Cell{{Text: evil, Footnotes: []layout.Text{evil}}}}}})
	l.Pictures[0].Title, l.Pictures[0].Caption = evil, evil
	d.Run.Artifacts[1].MediaType = `image/png" onerror="alert(1)`
}

func TestHTMLEscapes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	d := sampleDocument()
	poison(d)
	for _, docs := range [][]*document.Document{{d}, {d, sampleDocument()}} {
		page := drawHTML(t, layout.English, docs...)
		for _, bad := range []string{"<script>alert", "<img src=x", `onerror="`, "\x1b", "\u202e"} {
			if strings.Contains(page, bad) {
				t.Errorf("%q got through", bad)
			}
		}
		if n := strings.Count(page, "<script"); n != 1 {
			t.Errorf("%d scripts, want our own one", n)
		}
	}
}

// TestHTMLIsItsOwnAlone: the policy names the script and the style by their digests.
func TestHTMLIsItsOwnAlone(t *testing.T) {
	page := drawHTML(t, layout.English, sampleDocument())
	policy, _, _ := strings.Cut(page[strings.Index(page, "default-src"):], `"`)
	policy = html.UnescapeString(policy)
	if policy != Policy() {
		t.Errorf("the policy on the page is %q, want %q", policy, Policy())
	}
	for _, of := range []string{"script", "style"} {
		_, after, _ := strings.Cut(page, "<"+of+">")
		text, _, _ := strings.Cut(after, "</"+of+">")
		sum := sha256.Sum256([]byte(text))
		if want := of + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "';"; !strings.Contains(policy, want) {
			t.Errorf("the policy %q has no %s", policy, want)
		}
	}
}

func TestHTMLCarriesMarkdown(t *testing.T) {
	d := sampleDocument()
	var page bytes.Buffer
	if err := WriteHTML(&page, []*document.Document{d}, Options{Lang: layout.Chinese}); err != nil {
		t.Fatal(err)
	}
	_, got, err := rendertest.Unfold(page.String())
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range []layout.Lang{layout.English, layout.Chinese} {
		var want bytes.Buffer
		if err := WriteMarkdown(&want, []*document.Document{d}, Options{Lang: l}); err != nil {
			t.Fatal(err)
		}
		if got[i] != want.String() {
			t.Errorf("%s: what is copied is not what WriteMarkdown writes", l)
		}
	}
}

var (
	anchors = regexp.MustCompile(`\sid="([^"]+)"`)
	links   = regexp.MustCompile(`\shref="([^"]*)"`)
)

func TestHTMLLinksLeadSomewhere(t *testing.T) {
	for _, docs := range [][]*document.Document{{sampleDocument()}, {sampleDocument(), sampleDocument()}} {
		page := drawHTML(t, layout.English, docs...)
		ids := map[string]bool{}
		for _, m := range anchors.FindAllStringSubmatch(page, -1) {
			if ids[m[1]] {
				t.Errorf("anchor %q stands twice", m[1])
			}
			ids[m[1]] = true
		}
		for _, m := range links.FindAllStringSubmatch(page, -1) {
			if !strings.HasPrefix(m[1], "#") || !ids[m[1][1:]] {
				t.Errorf("link %q leads nowhere", m[1])
			}
		}
	}
}

func TestHTMLEvidenceLeadsWhereItIsSeen(t *testing.T) {
	d := sampleDocument()
	places := newHTMLPlaces("m1", d)
	section := newHTMLSection(d.Layouts[0], "m1-1", layout.English, places)
	comparison, cited := d.Comparisons[0].ID, section.Cited.Rows[0].Anchor
	if got := places.evidence(comparison); got != "#m1-q1" || section.Forests[0].Lines[0].Anchor != "m1-q1" {
		t.Errorf("a comparison leads to %s, want its line in the chart", got)
	}
	if got := places.evidence(d.Layouts[0].Answers[0].Evidence[0]); got != "#"+cited || cited == "" {
		t.Errorf("a row leads to %s, want %s under the sentences", got, cited)
	}
	if got := places.evidence(d.Rows[0].ID); got != "#m1-n1" {
		t.Errorf("a row in no section leads to %s, want the table of all rows", got)
	}
	if got := places.evidence("nothing"); got != "" {
		t.Errorf("what is unknown leads to %s", got)
	}
}

// TestHTMLSaysHowSure: the line on confidence has the facts of the terminal's, in both languages.
func TestHTMLSaysHowSure(t *testing.T) {
	d := sampleDocument()
	taken, resolution, typical := 0.009, 0.0028, 0.034
	d.Trust = document.Trust{Level: document.TrustGood, Taken: &taken, Typical: &typical}
	d.Resolution = &resolution
	_, after, _ := strings.Cut(drawHTML(t, layout.English, d), `id="m1-trust"`)
	said, _, _ := strings.Cut(after, "</div>")
	for _, l := range []layout.Lang{layout.English, layout.Chinese} {
		facts := newPainter(Options{Lang: l}).confidence(d, 0)
		if len(facts) != 3 {
			t.Fatalf("the terminal says %q", facts)
		}
		for _, fact := range facts {
			if !strings.Contains(said, html.EscapeString(fact)) {
				t.Errorf("%q is not in %s", fact, said)
			}
		}
	}
	if !strings.Contains(said, "the CPU was ours 99.1 % of the time") {
		t.Errorf("whose the CPU was is not in %s", said)
	}
}

// TestHTMLSaysWhatIsMissing: which libraries were not measured stands in the first view, without anything being opened.
func TestHTMLSaysWhatIsMissing(t *testing.T) {
	d := sampleDocument()
	d.Libraries = append(d.Libraries, result.Library{Library: "botan", CallPath: "purego", Missing: "botan is not installed"})
	_, after, _ := strings.Cut(drawHTML(t, layout.English, d), `<aside aria-label="Run`)
	if side, _, _ := strings.Cut(after, "</aside>"); !strings.Contains(side, "botan is not installed") {
		t.Errorf("no word of botan in %s", side)
	}
}

// TestHTMLEvidenceSaysWhatItIs: what has no number is named by its case, once.
func TestHTMLEvidenceSaysWhatItIs(t *testing.T) {
	d := sampleDocument()
	var ids []string
	for _, r := range d.Rows {
		if r.Status == result.Incorrect && r.Algorithm == "SM4" {
			ids = append(ids, r.ID, r.ID)
		}
	}
	places := newHTMLPlaces("m1", d)
	wrong := htmlAnswers([]layout.Answer{{Evidence: ids[:8]}}, places)[0].Evidence
	if len(wrong) != 4 {
		t.Fatalf("%d pieces of evidence of four rows: %v", len(wrong), wrong)
	}
	if got, want := wrong[0].Label, (layout.Text{EN: "✗ SM4-GCM, encryption, 64 B, tjfoc", ZH: "✗ SM4-GCM，加密，64 B，tjfoc"}); got != want {
		t.Errorf("a wrong output is called %q, want %q", got, want)
	}
}

// TestRatioLabels: what is compared stands on both sides, in words.
func TestRatioLabels(t *testing.T) {
	row := func(mode, parameters, library string, bytes int64) *document.Row {
		return &document.Row{Algorithm: "AES-128", Mode: mode, Operation: "encrypt", Parameters: parameters, Library: library, Bytes: bytes}
	}
	made := func(r *document.Row, implementation string) *document.Row {
		r.Implementation = implementation
		return r
	}
	for _, c := range []struct {
		base, other *document.Row
		want        layout.Text
	}{
		{row("CBC", "", "gmsm", 1024), row("GCM", "", "go", 1024),
			layout.Text{EN: "AES-128-GCM go / AES-128-CBC gmsm, encryption, 1 KiB", ZH: "AES-128-GCM go / AES-128-CBC gmsm，加密，1 KiB"}},
		{row("GCM", "call=4096,way=update", "go", 65536), row("GCM", "", "go", 65536),
			layout.Text{EN: "encryption / encryption in calls of 4 KiB update, AES-128-GCM, go, 64 KiB", ZH: "加密 / 加密每次调用 4 KiB update，AES-128-GCM，go，64 KiB"}},
		{row("GCM", "chunk=65536,io=memory", "go", 1<<20), row("GCM", "chunk=1048576,io=memory", "go", 1<<20),
			layout.Text{EN: "in chunks of 1 MiB / in chunks of 64 KiB, AES-128-GCM, encryption, in memory, go, 1 MiB",
				ZH: "分块 1 MiB / 分块 64 KiB，AES-128-GCM，加密，内存，go，1 MiB"}},
		{made(row("CTR", "call=4096,way=update", "botan", 4096), "aesni"), made(row("CTR", "", "botan", 4096), "ctr-bypass"),
			layout.Text{EN: "ctr-bypass / in calls of 4 KiB update aesni, AES-128-CTR, encryption, botan, 4 KiB",
				ZH: "ctr-bypass / 每次调用 4 KiB update aesni，AES-128-CTR，加密，botan，4 KiB"}},
	} {
		if got := ratioLabel(c.base, c.other); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestHTMLHoldsEveryNumber(t *testing.T) {
	d := sampleDocument()
	page := strings.ReplaceAll(drawHTML(t, layout.English, d), "\u00a0", " ") // which holds a number and its unit together
	for _, r := range d.Rows {
		if !strings.Contains(page, html.EscapeString(r.ID)) && !strings.Contains(page, strings.ReplaceAll(r.ID, "+", "&#43;")) {
			t.Errorf("row %s is missing", r.ID)
		}
	}
	for _, want := range []string{"2.725 µs", "[2.684, 2.774]", "376 MB/s", "computes the wrong tag", "table look-ups indexed by key and data", "31 %", "3.308×", "[3.298, 3.318]"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

func TestHTMLSpeaksBothLanguages(t *testing.T) {
	for l, tag := range map[layout.Lang]string{layout.English: `<html lang="en" data-lang="en">`, layout.Chinese: `<html lang="zh-Hans" data-lang="zh">`, "": `<html lang="en" data-lang="en">`} {
		page := drawHTML(t, l, sampleDocument())
		if !strings.Contains(page, tag) {
			t.Errorf("%q: no %s", l, tag)
		}
		for _, want := range []string{"Block cipher modes of operation", "分组密码工作模式", "密评", "置信区间", "等效界限", "本底噪声", "无法判定", "吞吐量"} {
			if !strings.Contains(page, want) {
				t.Errorf("%q: %q is missing", l, want)
			}
		}
	}
}

func TestHTMLSetsMachinesSideBySide(t *testing.T) {
	page := drawHTML(t, layout.English, sampleDocument(), sampleDocument())
	_, after, _ := strings.Cut(page, `id="compare"`)
	side, _, _ := strings.Cut(after, `id="m1"`)
	for _, want := range []string{"machine A", "machine B", "机器 B"} {
		if !strings.Contains(side, want) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, verdict := range []string{"faster", "slower", "▲", "▼"} {
		if strings.Contains(side, verdict) {
			t.Errorf("%q is a verdict between machines", verdict)
		}
	}
	if !strings.Contains(page, html.EscapeString(NoVerdictBetweenMachines.EN)) {
		t.Error("it is not said that there is no verdict between machines")
	}
}

func TestHTMLOfLittle(t *testing.T) {
	partial := sampleDocument()
	partial.Partial, partial.Seconds, partial.Run, partial.Layouts, partial.Partly = true, nil, nil, nil, layout.Same("interrupted")
	for name, d := range map[string]*document.Document{"empty": {}, "partial": partial} {
		page := drawHTML(t, layout.English, d)
		if !strings.HasSuffix(strings.TrimSpace(page), "</html>") {
			t.Errorf("%s: the page has no end", name)
		}
		if strings.Contains(page, "cut short; what was measured") != d.Partial {
			t.Errorf("%s: the page is wrong about being partial", name)
		}
	}
	if err := WriteHTML(io.Discard, nil, Options{}); err == nil {
		t.Error("a page of nothing is no error")
	}
}

func TestHTMLEmbedsPictures(t *testing.T) {
	d := sampleDocument()
	d.Run.Artifacts[2].MediaType = "text/html"
	page := drawHTML(t, layout.English, d)
	for i, a := range d.Run.Artifacts {
		held := strings.Contains(page, "data:image/png;base64,"+strings.ReplaceAll(base64.StdEncoding.EncodeToString(a.Data), "+", "&#43;"))
		if held != (i != 2) {
			t.Errorf("artifact %s: embedded is %v", a.Name, held)
		}
	}
	if n := strings.Count(page, `class="missing"`); n != 2 {
		t.Errorf("%d pictures are said to be missing, want 2", n)
	}
}

// full refuses to be written to.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestHTMLSaysThatTheDiskIsFull(t *testing.T) {
	err := WriteHTML(full{}, []*document.Document{sampleDocument()}, Options{})
	if err == nil || !strings.Contains(err.Error(), "no space left on device") {
		t.Errorf("error is %v", err)
	}
}

func TestHTMLFootnotesShareNumbers(t *testing.T) {
	doubt, other := layout.Text{EN: "doubt", ZH: "疑"}, layout.Text{EN: "other", ZH: "另"}
	h := newHTMLTable(layout.Table{Columns: []layout.Column{{}, {Numeric: true}}, Rows: []layout.TableRow{
		{Cells: []layout.Cell{{Footnotes: []layout.Text{doubt}}, {Footnotes: []layout.Text{other, doubt}, Struck: true}}},
	}}, "t", newHTMLPlaces("m1", &document.Document{}))
	if len(h.Notes) != 2 || h.Rows[0].Cells[1].Notes[0].Number != 1 || h.Rows[0].Cells[1].Notes[1].Number != 2 {
		t.Errorf("notes %v, cells %v", h.Notes, h.Rows[0].Cells)
	}
}

func TestHTMLTableGolden(t *testing.T) {
	d := sampleDocument()
	var b bytes.Buffer
	for i, table := range d.Layouts[0].Tables {
		h := newHTMLTable(table, "table"+string(rune('1'+i)), newHTMLPlaces("m1", d))
		if err := htmlTemplate().ExecuteTemplate(&b, "table", h); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "html/tables.html", b.Bytes())
}

// wellFormed fails where a drawing is not XML, as SVG must be.
func wellFormed(t *testing.T, svg string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := dec.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v at byte %d", err, dec.InputOffset())
		}
	}
}

// TestTitleOnce: the page of one question has its name on top, and not again above every figure and sentence.
func TestTitleOnce(t *testing.T) {
	for _, questions := range []int{1, 2} {
		d := withLayouts(document.Build(documenttest.FullRun()))
		var names []string
		d.Layouts[0].Line.Evidence = []string{d.Comparisons[0].ID}
		for len(d.Layouts) < questions {
			d.Layouts = append(d.Layouts, d.Layouts[0])
		}
		d.Layouts, d.Rows = d.Layouts[:questions], slices.DeleteFunc(d.Rows, func(r *document.Row) bool { return r.Experiment != d.Layouts[0].Experiment })
		page, err := newHTMLPage([]*document.Document{d}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range page.Docs[0].Figures {
			names = append(names, f.Name.EN)
		}
		for _, l := range page.Docs[0].Lines {
			names = append(names, l.Name.EN)
		}
		if len(names) < 2 {
			t.Fatalf("%d figures and lines", len(names))
		}
		for _, name := range names {
			if (name == "") != (questions == 1) {
				t.Errorf("%d questions: named %q", questions, names)
			}
		}
	}
}

// TestWeakIsNoWin: the speed of a weak choice is not shown as what is won, and what speaks against it stands beside it.
func TestWeakIsNoWin(t *testing.T) {
	number := &document.Estimate{Median: 1000}
	d := &document.Document{Rows: []*document.Row{
		{ID: "cbc", Algorithm: "SM4", Mode: "CBC", Operation: "encrypt", Library: "gmsm", NsPerOp: number},
		{ID: "ecb", Algorithm: "SM4", Mode: "ECB", Operation: "encrypt", Library: "gmsm", NsPerOp: number},
		{ID: "gcm", Algorithm: "SM4", Mode: "GCM", Operation: "encrypt", Library: "gmsm", NsPerOp: number}}}
	low, high := 12.0, 13.0
	for other, want := range map[string]string{"ecb": "v-weak", "gcm": "v-faster"} {
		p := newHTMLPlaces("m1", d)
		c := document.Comparison{ID: "c", Base: "cbc", Other: other, Ratio: 12.4, Low: &low, High: &high, Verdict: "faster"}
		f, ok := p.figure(&c, layout.Ratio{})
		if !ok || f.Look.Class != want || p.look(&c).Class != want || (f.rank() == 0) != (want == "v-faster") {
			t.Errorf("%s: %+v", other, f)
		}
		if weak := want == "v-weak"; weak != strings.Contains(f.Says.EN, "which plaintext blocks are equal") {
			t.Errorf("%s: %q", other, f.Says.EN)
		}
		if f.Weak() != (want == "v-weak") || f.Undecided() {
			t.Errorf("%s: weak %t, undecided %t", other, f.Weak(), f.Undecided())
		}
	}
	undecided, ok := newHTMLPlaces("m1", d).figure(&document.Comparison{ID: "c", Base: "cbc", Other: "ecb", Ratio: 12.4, Low: &low, High: &high, Verdict: "inconclusive"}, layout.Ratio{})
	if !ok || !undecided.Undecided() {
		t.Errorf("%+v", undecided)
	}
	slower, fast := 0.4, 0.5
	turned, _ := newHTMLPlaces("m1", d).figure(&document.Comparison{ID: "c", Base: "cbc", Other: "gcm", Ratio: 0.45, Low: &slower, High: &fast, Verdict: "slower"},
		layout.Ratio{Label: layout.Same("sealed / open"), Reverse: layout.Same("open / sealed")})
	if turned.Label.EN != "open / sealed" || turned.Value != "2.22" {
		t.Errorf("turned round it is %+v", turned)
	}
	d.Comparisons = []document.Comparison{{ID: "c", Base: "cbc", Other: "ecb", Ratio: 12.4, Low: &low, High: &high, Verdict: "faster", Headline: true}}
	d.Layouts = []layout.Layout{{Experiment: "modes", Title: layout.Same("modes"), Answers: []layout.Answer{{Text: layout.Same("it is"), Evidence: []string{"c"}}}}}
	page := drawHTML(t, layout.English, d)
	name, note := strings.Index(page, "as fast: "), strings.Index(page, "; but ")
	if name < 0 || note < name {
		t.Errorf("what speaks against it stands at %d, and its name at %d", note, name)
	}
}

// TestRequestsHaveNoRate: a row of a service is cited by its time, not by the bytes of its answers.
func TestRequestsHaveNoRate(t *testing.T) {
	rate := 48.6e6
	row := &document.Row{ID: "r", Operation: "serve", Bytes: 1024, Status: "ok", NsPerOp: &document.Estimate{Median: 21_000}, BytesPerSecond: &rate}
	for operation, want := range map[string]string{"serve": "21.00 µs", "encrypt": "48.6 MB/s"} {
		row.Operation = operation
		d := &document.Document{Rows: []*document.Row{row}}
		if e, ok := evidenceOf("r", newHTMLPlaces("m1", d)); !ok || e.Label.EN != want {
			t.Errorf("%s: %q", operation, e.Label.EN)
		}
	}
}

// TestNumbersStayWhole: no interval and no number leaves its unit on a page.
func TestNumbersStayWhole(t *testing.T) {
	got := string(htmlSentence(layout.Text{EN: "7.1 % faster (5.4–9.3 %) than SM4-CBC of 16 KiB", ZH: "快 7.1%（5.4–9.3%），6.34 倍"}))
	for _, whole := range []string{"7.1\u00a0% faster", "class=\"nb\">(5.4–9.3\u00a0%)<", "16\u00a0KiB", "class=\"nb\">（5.4–9.3%）<", "6.34\u00a0倍"} {
		if !strings.Contains(got, whole) {
			t.Errorf("%s is not held together: %s", whole, got)
		}
	}
}

// TestCasesAreSpelled: what a run file abbreviates stands on a page in words.
func TestCasesAreSpelled(t *testing.T) {
	r := document.Row{Algorithm: "SM4", Mode: "block", Operation: "encrypt", Parameters: "padding=pkcs7"}
	c := (&numbersTable{}).Case(r)
	for _, got := range []struct{ is, want layout.Text }{
		{c.Text, layout.Text{EN: "SM4 of one block, encryption", ZH: "SM4 单个分组，加密"}},
		{c.Sub, layout.Text{EN: "PKCS #7 padding", ZH: "PKCS #7 填充"}},
		{caseLabel(&r), layout.Text{EN: "SM4 of one block, encryption, PKCS #7 padding", ZH: "SM4 单个分组，加密，PKCS #7 填充"}},
	} {
		if got.is != got.want {
			t.Errorf("%+v, want %+v", got.is, got.want)
		}
	}
}
