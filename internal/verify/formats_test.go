package verify

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/result"
)

// sample has a statement of every verdict.
func sample(t *testing.T) Report {
	rsa := result.Case{Algorithm: "RSA-2048", Mode: "PKCS1v15", Operation: "encrypt"}
	d := runOf(3, 15, planted{Case: cipher("ECB", 1024), library: "go", ns: 10_000}, planted{Case: cipher("CBC", 1024), library: "go", ns: 11_500},
		planted{Case: rsa, library: "go", ns: 25_000})
	r := d.Rows[0].NsPerOp
	all := judgedBy(t, d,
		`{says: 'it is "fast", <b>|\ in 5 % of cases', source: a report, row: {mode: ECB}, time: ..11us}`,
		"{faster: "+cbc+", than: "+ecb+", source: 'https://example.org/report'}",
		"{says: 量程, row: {mode: ECB}, time: .."+strconv.FormatFloat((r.Median+*r.High)/2, 'f', 3, 64)+"ns}",
		"{says: too fast, row: {algorithm: RSA-2048}, time: ..1us}",
		"{says: at a rate, row: {algorithm: RSA-2048}, at: 100/s, latency_p99: ..1ms}")
	got := []Verdict{}
	for _, v := range all {
		got = append(got, v.Verdict)
	}
	if want := []Verdict{Holds, Contradicted, Undecided, Impossible, NotMeasurable}; !slices.Equal(got, want) {
		t.Fatalf("%v, want %v", got, want)
	}
	return Report{Tool: "v1", File: "f.yaml", Run: "results/run", Doc: d, Judged: all}
}

func written(t *testing.T, f render.Format, l layout.Lang) string {
	t.Helper()
	var b bytes.Buffer
	if err := sample(t).Write(&b, f, Options{Lang: l}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestText: one screen, what is true instead first, in either language.
func TestText(t *testing.T) {
	for lang, want := range map[layout.Lang][]string{
		layout.English: {"5 statements: 1 contradicted, 1 impossible, 1 undecided, 1 not measurable here, 1 holds",
			"✗ contradicted: statement 2", "it is 0.8", " times as fast, so not faster", "✗ impossible: too fast", "16 squarings",
			"? undecided: 量程", "· not measurable here: at a rate", "✓ holds: it is \"fast\""},
		layout.Chinese: {"共 5 条声明：不成立 1 条，不可能 1 条，未能判定 1 条，此处无法测量 1 条，成立 1 条",
			"✗ 不成立：第 2 条声明", "速度是对方的 0.8", "倍，并非更快", "✗ 不可能：", "16 次平方与 1 次乘法", "? 未能判定：", "· 此处无法测量：", "✓ 成立："},
	} {
		text := written(t, render.FormatText, lang)
		flat := strings.Join(strings.Fields(text), " ")
		at := 0
		for _, part := range want {
			i := strings.Index(flat[at:], part)
			if i < 0 {
				t.Errorf("%s: no %q behind what stands before it:\n%s", lang, part, text)
				break
			}
			at += i
		}
		if n := strings.Count(text, "\n"); n > 45 {
			t.Errorf("%s: %d lines", lang, n)
		}
	}
}

// TestHead: what was left out, with the command that leaves nothing out, stands on the screen and on the
// page, by names that a reader knows; so do, below, the commands worth typing next.
func TestHead(t *testing.T) {
	r := sample(t)
	r.Doc.Run.Header.Command, r.Doc.Run.Header.Budget, r.Doc.Run.Header.Whole = []string{"verify", "f.yaml", "--budget", "20s"}, 20, 100
	for _, name := range []string{experiment, experimentEveryCPU} {
		fewer := reason.Cause("cut-of", name, plan.FewerBlocks(7, 15))
		r.Doc.Run.End.LeftOut = append(r.Doc.Run.End.LeftOut, result.LeftOut{What: reason.English(fewer), Cause: fewer, Seconds: 40})
	}
	r.Next = []layout.Next{{Command: "cryptogauge report RUN", Why: layout.Text{EN: "the rows", ZH: "各行"}}, {Command: "cryptogauge verify f.yaml --all", Why: layout.Text{EN: "all", ZH: "全部"}}}
	for lang, want := range map[layout.Lang][]string{
		layout.English: {"\nleft out   to keep within 20 s: rows of the statements: 8 of 15 blocks (about 40 s), rows that use every CPU: 8 of 15 blocks (about 40 s);",
			"measuring everything takes about 2 min: cryptogauge verify f.yaml --budget 2m\n5 statements: ", "\n\nnext  cryptogauge report RUN # the rows\n      cryptogauge verify f.yaml --all # all\n"},
		layout.Chinese: {"\n未测    为在 20 s 内完成，省去了各条声明的行：", "占用全部 CPU 的行：", "\n\n下一步  cryptogauge report RUN # 各行\n        cryptogauge verify f.yaml --all # 全部\n"},
	} {
		cut := layout.Text{EN: "- left out to keep within 20 s: ", ZH: "- 未测：为在 20 s 内完成"}.In(lang)
		for format, parts := range map[render.Format][]string{render.FormatText: want, render.FormatMarkdown: {cut}} {
			var b bytes.Buffer
			if err := r.Write(&b, format, Options{Lang: lang, Width: 400}); err != nil {
				t.Fatal(err)
			}
			for _, part := range parts {
				if !strings.Contains(b.String(), part) {
					t.Errorf("%s: no %q in\n%s", format, part, b.String())
				}
			}
			if strings.Contains(b.String(), "every-cpu") {
				t.Errorf("an experiment's name in\n%s", b.String())
			}
		}
	}
}

// TestMarkdown: a page that stands alone: what is not true first, how verdicts are read, where it
// was measured, and how to repeat it. A step's summary shows it as it is.
func TestMarkdown(t *testing.T) {
	r := sample(t)
	r.Title, r.About, r.Command = "What reports claim", "Claims of <others>.", "cryptogauge verify f.yaml --format markdown"
	r.Doc.Libraries = []result.Library{{Library: "go", Version: "1.26"}, {Library: "botan", Missing: "no-file"}}
	var b bytes.Buffer
	if err := r.Write(&b, "markdown", Options{Lang: layout.English}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	rows := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			rows++
			if n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"); n != 5 {
				t.Errorf("%d bars: %s", n, line)
			}
		}
	}
	if rows != 4*2+5 || strings.Contains(text, "<b>") || strings.Contains(text, "<others>") {
		t.Errorf("%d lines of tables in\n%s", rows, text)
	}
	at := 0
	for _, part := range []string{"# What reports claim\n", "Claims of &lt;others&gt;", "**5 statements: 1 contradicted, 1 impossible,", "## Not true here (2)", "| ✗ | too fast | impossible |",
		"| ✗ | statement 2 ", "## Not decided (1)", "## Not measurable here (1)", "## True here (1)", "## How to read a verdict", "- undecided: ", "machine: CPU", "cryptogauge v1",
		"libraries: go 1.26\n", "`cryptogauge verify f.yaml --format markdown`"} {
		i := strings.Index(text[at:], part)
		if i < 0 {
			t.Fatalf("no %q behind what stands before it:\n%s", part, text)
		}
		at += i
	}
	if text := written(t, "markdown", layout.Chinese); !strings.Contains(text, "## 在本机不成立 (2)") || !strings.Contains(text, "如何解读判定") {
		t.Error(text)
	}
}

// TestLong: two screens at the most, what is otherwise in full first; all of it where that is asked for.
func TestLong(t *testing.T) {
	r := sample(t)
	for n, cut := range map[int]bool{1: false, 9: true, 40: true} {
		long := r
		long.Judged = nil
		for range n {
			long.Judged = append(long.Judged, r.Judged...)
		}
		var short, all bytes.Buffer
		for b, o := range map[*bytes.Buffer]Options{&short: {Lang: layout.English}, &all: {Lang: layout.English, All: true}} {
			if err := long.Write(b, render.FormatText, o); err != nil {
				t.Fatal(err)
			}
		}
		lines := strings.Count(short.String(), "\n")
		if lines > mostLines+1 || strings.Contains(short.String(), "--all") != cut {
			t.Errorf("%d statements: %d lines, cut: %v\n%s", 5*n, lines, cut, short.String())
		}
		if got := strings.Count(all.String(), "✓ holds: "); got != n || strings.Contains(all.String(), "--all") {
			t.Errorf("%d of %d that hold", got, n)
		}
		if n < 40 && !strings.Contains(short.String(), "16 squarings") {
			t.Errorf("the first are not in full:\n%s", short.String())
		}
	}
}

// TestJUnit: the elements and attributes are those that Jenkins' schema has, in its order, and
// the counts are those of the cases.
func TestJUnit(t *testing.T) {
	text := written(t, "junit", layout.English)
	allowed := map[string]struct{ attributes, within string }{
		"testsuites": {"name time tests failures disabled errors", ""},
		"testsuite":  {"name tests failures errors time disabled skipped timestamp hostname id package", "testsuites"},
		"testcase":   {"name assertions time classname status", "testsuite"},
		"skipped":    {"type message", "testcase"}, "failure": {"type message", "testcase"}, "system-out": {"", "testcase"},
	}
	count, attributes, inside := map[string]int{}, map[string]string{}, []string{""}
	for dec := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			rule, known := allowed[e.Name.Local]
			if !known || rule.within != inside[len(inside)-1] {
				t.Errorf("%s in %s", e.Name.Local, inside[len(inside)-1])
			}
			for _, a := range e.Attr {
				if !slices.Contains(strings.Fields(rule.attributes), a.Name.Local) {
					t.Errorf("%s has %s", e.Name.Local, a.Name.Local)
				}
				attributes[e.Name.Local+" "+a.Name.Local] = a.Value
			}
			count[e.Name.Local]++
			inside = append(inside, e.Name.Local)
		case xml.EndElement:
			inside = inside[:len(inside)-1]
		}
	}
	if count["testcase"] != 5 || count["failure"] != 2 || count["skipped"] != 2 || count["testsuite"] != 1 {
		t.Errorf("%v", count)
	}
	for name, want := range map[string]string{"testsuite tests": "5", "testsuite failures": "2", "testsuite skipped": "2", "testsuite errors": "0", "testsuites failures": "2"} {
		if attributes[name] != want {
			t.Errorf("%s is %q, want %s", name, attributes[name], want)
		}
	}
	if !regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$`).MatchString(attributes["testsuite timestamp"]) {
		t.Errorf("%q is no time as ISO 8601 has it", attributes["testsuite timestamp"])
	}
}

// TestOpenMetrics holds the text to the grammar of OpenMetrics 1.0: families do not
// interleave, their metadata stands before their samples, a unit is the end of the name, and
// the last line is # EOF.
func TestOpenMetrics(t *testing.T) {
	text := written(t, "openmetrics", layout.English)
	lines := strings.Split(text, "\n")
	if n := len(lines); n < 3 || lines[n-1] != "" || lines[n-2] != "# EOF" {
		t.Fatalf("it ends in %q", lines[max(0, n-2):])
	}
	meta := regexp.MustCompile(`^# (TYPE|UNIT|HELP) ([a-z_]+) (.+)$`)
	point := regexp.MustCompile(`^([a-z_]+)\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)+)\} (-?[0-9.]+(?:e[+-]?[0-9]+)?)$`)
	family, closed, series, ones := "", []string{}, map[string]bool{}, 0
	for _, line := range lines[:len(lines)-2] {
		if m := meta.FindStringSubmatch(line); m != nil {
			if m[1] == "TYPE" {
				if slices.Contains(closed, m[2]) {
					t.Errorf("%s comes twice", m[2])
				}
				family, closed = m[2], append(closed, m[2])
			}
			if m[2] != family || m[1] == "UNIT" && !strings.HasSuffix(family, "_"+m[3]) || m[1] == "TYPE" && m[3] != "gauge" {
				t.Errorf("%s in the family %s", line, family)
			}
			continue
		}
		m := point.FindStringSubmatch(line)
		if m == nil || m[1] != family || series[m[1]+m[2]] {
			t.Errorf("%q in the family %s", line, family)
			continue
		}
		series[m[1]+m[2]] = true
		if strings.HasSuffix(family, "_verdict") && m[3] == "1" {
			ones++
		}
	}
	if ones != 5 || len(closed) != 3 {
		t.Errorf("%d verdicts, families %v", ones, closed)
	}
}

func TestJSON(t *testing.T) {
	var r struct {
		Schema     string
		Run        string
		Trust      struct{ Level string }
		LeftOut    []any `json:"left_out"`
		Counts     map[string]int
		Statements []map[string]any
	}
	text := written(t, "json", layout.English)
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	if r.Schema != "cryptogauge.verify/1" || r.Run != "results/run" || r.Trust.Level == "" || r.LeftOut == nil || len(r.Statements) != 5 || r.Counts["not measurable here"] != 1 {
		t.Errorf("%+v", r)
	}
	for i, want := range []string{"holds", "contradicted", "undecided", "impossible", "not measurable here"} {
		s := r.Statements[i]
		if s["verdict"] != want || s["text"].(map[string]any)["zh"] == "" || (s["bound"] != nil) != (want == "impossible") || (s["comparison"] != nil) != (i == 1) {
			t.Errorf("%d: %v", i, s)
		}
	}
	measured := r.Statements[0]["measured"].([]any)[0].(map[string]any)
	if measured["unit"] != "ns" || measured["asked"].(map[string]any)["high"] != 11000.0 || measured["asked"].(map[string]any)["low"] != nil {
		t.Errorf("%v", measured)
	}
}

func TestFormats(t *testing.T) {
	for _, name := range Formats() {
		if f, err := ParseFormat(name); err != nil || string(f) != name {
			t.Error(name, err)
		}
	}
	if _, err := ParseFormat("html"); err == nil || !strings.Contains(err.Error(), "text, markdown, junit, openmetrics, json") {
		t.Error(err)
	}
}
