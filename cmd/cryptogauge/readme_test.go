package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/render"
)

var sampleRun = flag.String("sample", "", "the folder of a quick run, to be written into both readmes as their sample screens")

// The readmes' sample screens are one run, as it reads in either language.
const screenBegin, screenEnd = "<!-- quick screen: begin -->\n", "<!-- quick screen: end -->\n"

const (
	mostScreenLines   = 60
	mostScreenColumns = 100
)

var readmes = []struct {
	file       string
	lang       layout.Lang
	title      language.Text // machine, version of Go, of cryptogauge, and the day
	confidence string        // with which the second line begins
}{
	{"../../README.md", layout.English, language.Text{EN: "`cryptogauge run` on %s, Go %s, cryptogauge %s, %s:"}, "confidence good"},
	{"../../README.zh-CN.md", layout.Chinese, language.Text{ZH: "`cryptogauge run --lang zh`：%s，Go %s，cryptogauge %s，%s："}, "可信度 高"},
}

// TestSampleScreens: what the readmes show is a believable run on a machine that they name,
// with a line for every question. `make screens` writes it.
func TestSampleScreens(t *testing.T) {
	if *sampleRun != "" {
		writeScreens(t, *sampleRun)
	}
	var screens [][]string
	for _, r := range readmes {
		title, lines := screenOf(t, r.file)
		screens = append(screens, lines)
		machine, _, _ := strings.Cut(strings.Join(strings.Fields(lines[0])[1:], " "), " · ")
		if !strings.Contains(title, machine) || !regexp.MustCompile(`Go \d\.\d+.*cryptogauge \S.*20\d\d-\d\d-\d\d`).MatchString(title) {
			t.Errorf("%s: %q does not name the machine (%s), the versions and the day", r.file, title, machine)
		}
		if !strings.HasPrefix(lines[1], r.confidence) {
			t.Errorf("%s: the second line is %q: show a run that can be believed", r.file, lines[1])
		}
		if len(lines) > mostScreenLines {
			t.Errorf("%s: %d lines", r.file, len(lines))
		}
		for _, line := range lines {
			if render.Width(line) > mostScreenColumns {
				t.Errorf("%s: wider than %d columns: %s", r.file, mostScreenColumns, line)
			}
		}
		for _, e := range question.All() {
			if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, e.Name+" ") }) {
				t.Errorf("%s: no line for %s", r.file, e.Name)
			}
		}
	}
	if en, zh := intervals(screens[0]), intervals(screens[1]); !slices.Equal(en, zh) || len(en) < 10 {
		t.Errorf("the two screens are not of one run: intervals %q and %q", en, zh)
	}
}

// screenOf is what a readme shows: the sentence above the sample screen, and its lines.
func screenOf(t *testing.T, file string) (title string, lines []string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, begun := strings.Cut(string(text), screenBegin)
	sample, _, ended := strings.Cut(rest, screenEnd)
	title, screen, fenced := strings.Cut(sample, "\n\n```\n")
	if !begun || !ended || !fenced {
		t.Fatalf("%s has no sample screen", file)
	}
	return title, strings.Split(strings.TrimSuffix(screen, "\n```\n"), "\n")
}

// intervals are all that the lines print as "low–high", in order of their text, since the
// languages put them in different places.
func intervals(lines []string) []string {
	found := regexp.MustCompile(`\d[\d.]*–\d[\d.]*`).FindAllString(strings.Join(lines, "\n"), -1)
	slices.Sort(found)
	return found
}

func writeScreens(t *testing.T, folder string) {
	doc, err := load(folder, withoutHome)
	if err != nil {
		t.Fatal(err)
	}
	if doc.Trust.Level != document.TrustGood {
		t.Fatalf("confidence in this run is %s: take one that can be believed", doc.Trust.Level)
	}
	head := doc.Run.Header
	golang, _, _ := strings.Cut(head.Machine.GoVersion, " ")
	for _, r := range readmes {
		var screen bytes.Buffer
		name := filepath.Join("cryptogauge-results", filepath.Base(folder))
		options := render.Options{Lang: r.lang, Width: mostScreenColumns, Run: name, Page: true}
		if err := render.WriteText(&screen, []*document.Document{doc}, options); err != nil {
			t.Fatal(err)
		}
		machine, _, _ := strings.Cut(document.MachineLine(doc.Machine, r.lang), " · ")
		title := fmt.Sprintf(r.title.In(r.lang), machine, strings.TrimPrefix(golang, "go"), head.Tool, head.Started.Format("2006-01-02"))
		text, err := os.ReadFile(r.file)
		if err != nil {
			t.Fatal(err)
		}
		before, rest, _ := strings.Cut(string(text), screenBegin)
		_, after, _ := strings.Cut(rest, screenEnd)
		sample := title + "\n\n```\n" + screen.String() + filepath.Join(name, "report.html") + "\n```\n"
		if err := os.WriteFile(r.file, []byte(before+screenBegin+sample+screenEnd+after), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
