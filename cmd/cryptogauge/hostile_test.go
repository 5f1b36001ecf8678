package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/internal/render/rendertest"
	"github.com/cryptogauge/cryptogauge/internal/store"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/result"
)

// hostile is what a stranger may put into any text of a run file: formulas, escape
// sequences, forged lines, text that is drawn backwards, markup, links and mentions.
const hostile = "=HYPERLINK(\"http://evil.example/\")\x1b]0;owned\x07\x1b[2J\u009b31m\r\nforged: line\u2028forged\u202e\u2066\u200b <script>alert(1)</script> " +
	"<img src=x onerror=alert(2)> [a](javascript:alert(3)) https://evil.example www.evil.example me@evil.example @mallory org/repo#1 GH-12 | ``` | </details>"

// quickRun is a run of every experiment of the quick suite, as short as can be.
func quickRun(t *testing.T) *result.Run {
	t.Helper()
	dir := t.TempDir()
	least := suite.LeastBudget(len(question.All())).String()
	cmd := exec.Command("cryptogauge", "run", "--blocks", "8", "--rounds", "1", "--budget", least, "--seed", "7", "--quiet", "--output", dir)
	out, err := cmd.CombinedOutput()
	found, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(found) != 1 {
		t.Fatalf("%v\n%s", err, out)
	}
	run, err := store.Open(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// replaceText calls a func on every text that a value holds, down to the last.
func replaceText(v reflect.Value, path string, change func(path, text string) string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(change(path, v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			replaceText(v.Elem(), path, change)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				replaceText(v.Field(i), path+"."+f.Name, change)
			}
		}
	case reflect.Slice:
		if v.Type().Elem() != reflect.TypeFor[result.Sample]() && v.Type().Elem().Kind() != reflect.Uint8 {
			for i := range v.Len() {
				replaceText(v.Index(i), path, change)
			}
		}
	}
}

// clone copies a run, so that its texts can be changed.
func clone(t *testing.T, run *result.Run) *result.Run {
	t.Helper()
	raw, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	var copied result.Run
	if err := json.Unmarshal(raw, &copied); err != nil {
		t.Fatal(err)
	}
	return &copied
}

// words that decide what a reader computes; hostile in one of the two runs only.
var structural = regexp.MustCompile(`\.(Experiment|Status|Clock|Kind|Loop|Algorithm|Mode|Operation|Parameters|MediaType|Unit|Library|CallPath|Value)$|\.(Metrics|Histograms)\.Name$|\.Digest$`)

func hostileDocuments(t *testing.T) map[string][]*document.Document {
	run := quickRun(t)
	all, texts := clone(t, run), clone(t, run)
	replaceText(reflect.ValueOf(all), "", func(path, text string) string {
		if strings.HasSuffix(path, ".Status") || strings.HasSuffix(path, ".Clock") {
			return text
		}
		return hostile
	})
	n := 0
	replaceText(reflect.ValueOf(texts), "", func(path, text string) string {
		if structural.MatchString(path) {
			return text
		}
		n++ // all different, or they would be one subject, one note
		return hostile + strconv.Itoa(n%5)
	})
	for i := range texts.Trials { // what is said of a row that did not end well
		texts.Statuses = append(texts.Statuses, result.StatusChange{Trial: i, Status: []result.Status{result.Incorrect, result.Crashed, result.Unsupported}[i%3], Reason: hostile})
		if i > len(texts.Trials)/4 {
			break
		}
	}
	docs := map[string][]*document.Document{}
	for name, run := range map[string]*result.Run{"everywhere": all, "texts": texts} {
		doc := document.Build(run)
		question.Answer(doc)
		docs[name] = []*document.Document{doc}
		docs["several"] = append(docs["several"], doc)
	}
	return docs
}

// TestHostileReports: no text of a run file can make a report say or do what it does
// not, in any format and language.
func TestHostileReports(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	t.Parallel()
	for name, docs := range hostileDocuments(t) {
		for _, format := range render.Formats() {
			for _, options := range []render.Options{{Lang: layout.English}, {Lang: layout.Chinese}, {Lang: layout.English, All: true}} {
				if render.Format(format) != render.FormatText && options.All || slices.Contains([]string{"json", "csv", "benchfmt"}, format) && options.Lang == layout.Chinese {
					continue // it is the same
				}
				var out bytes.Buffer
				if err := render.Write(&out, render.Format(format), docs, options); err != nil {
					t.Fatal(err)
				}
				text, _, err := rendertest.Unfold(out.String())
				if err != nil {
					t.Fatal(err)
				}
				for _, found := range harm(render.Format(format), text) {
					t.Errorf("%s, %s, %s: %s", name, format, options.Lang, found)
				}
			}
		}
	}
}

// never must not be in a report of a format, given a hostile run.
var never = map[render.Format]*regexp.Regexp{
	render.FormatText:     regexp.MustCompile(`(?m)^forged`),
	render.FormatMarkdown: regexp.MustCompile(`(?mi)^\W*forged|<script|<img|https?://|www\.evil|@(mallory|evil)|repo\\?#1|GH-12|[^\\]\]\(javascript|^[^|]*` + "```"),
	render.FormatHTML:     regexp.MustCompile(`(?i)<script>alert|<img src=x|<[a-z][^>]*\son[a-z]+=`),
	render.FormatBenchfmt: regexp.MustCompile(`(?m)^[^BTSUWgc\n]|^forged`),
}

var (
	linked = regexp.MustCompile(`(?i)(href|src)="?\s*(https?:|javascript|//)`) // out of the page
	quoted = regexp.MustCompile(`"[^"<>]*"`)                                   // the value of an attribute
)

// harm lists what is in a report that must not be.
func harm(format render.Format, text string) (found []string) {
	hidden := func(r rune) bool {
		return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028')
	}
	switch format {
	case render.FormatCSV:
		text = strings.ReplaceAll(text, "\r\n", "\n")
	case render.FormatHTML:
		if link := linked.FindString(text); link != "" {
			found = append(found, "a link: "+link)
		}
		text = quoted.ReplaceAllString(text, `""`)
	case render.FormatBenchfmt:
		text = strings.ReplaceAll(text, "\t", " ")
	}
	if i := strings.IndexFunc(text, hidden); i >= 0 {
		found = append(found, "a control or hidden character: "+strconv.Quote(text[max(0, i-40):min(len(text), i+20)]))
	}
	if bad := never[format]; bad != nil {
		if at := bad.FindStringIndex(text); at != nil {
			found = append(found, strconv.Quote(text[max(0, at[0]-60):min(len(text), at[1]+40)]))
		}
	}
	switch format {
	case render.FormatJSON:
		if !json.Valid([]byte(text)) {
			found = append(found, "it is no JSON")
		}
	case render.FormatCSV:
		records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			return append(found, err.Error())
		}
		for _, cell := range slices.Concat(records...) {
			_, err := strconv.ParseFloat(cell, 64)
			if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@\t\r") && err != nil {
				return append(found, "a formula: "+strconv.Quote(cell[:min(60, len(cell))]))
			}
		}
	}
	return found
}

// TestHostileWarnings: what has no room on standard output is harmless on standard error, too.
func TestHostileWarnings(t *testing.T) {
	d := &document.Document{WrongOutputs: []layout.Answer{{Text: layout.Same("Do not use \x1b]0;x\a\u202ebotan\r\nforged")}}}
	var out strings.Builder
	streams{Session: command.Session{Err: &out, Lang: language.English}}.warnWrong([]*document.Document{d})
	if want := "cryptogauge: Do not use ]0;x botan forged\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
