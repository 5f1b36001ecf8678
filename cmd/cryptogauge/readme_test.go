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
	"github.com/cryptogauge/cryptogauge/result"
)

var sampleRun = flag.String("sample", "", "the folder of a quick run, to be kept, and written into both readmes as their sample screens")

// idleRun is a run of all questions on an idle machine, which the readmes show, and whose page is held to its bounds.
const idleRun = "testdata/page.jsonl.gz"

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

// TestSampleScreens: what the readmes show is a believable run on a machine that they name, as it reads now,
// with a line for every question. `make screens` replaces the run, and -update rewrites what is shown of it.
func TestSampleScreens(t *testing.T) {
	if *sampleRun != "" {
		keep(t, *sampleRun)
	}
	samples := sampleScreens(t)
	var screens [][]string
	for i, r := range readmes {
		if *sampleRun != "" || *updateRuns {
			writeScreen(t, r.file, samples[i])
		}
		title, lines := screenOf(t, r.file)
		if _, now := parts(t, r.file, samples[i]); !slices.Equal(lines, now) {
			t.Errorf("%s: its sample screen is not how the kept run reads now; go test ./cmd/cryptogauge -run TestSampleScreens -update rewrites it", r.file)
		}
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
	if !begun || !ended {
		t.Fatalf("%s has no sample screen", file)
	}
	return parts(t, file, sample)
}

// parts are the title of a sample screen and its lines.
func parts(t *testing.T, file, sample string) (title string, lines []string) {
	title, screen, fenced := strings.Cut(sample, "\n\n```\n")
	if !fenced {
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

// keep makes a run the kept one.
func keep(t *testing.T, folder string) {
	text, err := os.ReadFile(filepath.Join(folder, "run.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := load(folder, withoutHome)
	if err != nil {
		t.Fatal(err)
	}
	if doc.Trust.Level != document.TrustGood {
		t.Fatalf("confidence in this run is %s: take one that can be believed", doc.Trust.Level)
	}
	zip(t, idleRun, strings.Split(string(text), "\n"))
}

// sampleScreens are what the readmes show of the kept run, as if it had been typed without flags.
func sampleScreens(t *testing.T) (samples []string) {
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(path, unzip(t, idleRun), 0o600); err != nil {
		t.Fatal(err)
	}
	doc, err := load(path, func(run *result.Run) *result.Run {
		bare := *withoutHome(run)
		bare.Header.Command = []string{"run"}
		return &bare
	})
	if err != nil {
		t.Fatal(err)
	}
	head := doc.Run.Header
	golang, _, _ := strings.Cut(head.Machine.GoVersion, " ")
	name := filepath.Join("cryptogauge-results", head.Started.Format("20060102T150405Z")+"-"+head.Suite)
	for _, r := range readmes {
		var screen bytes.Buffer
		options := render.Options{Lang: r.lang, Width: mostScreenColumns, Run: name, Page: true}
		if err := render.WriteText(&screen, []*document.Document{doc}, options); err != nil {
			t.Fatal(err)
		}
		machine, _, _ := strings.Cut(document.MachineLine(doc.Machine, r.lang), " · ")
		title := fmt.Sprintf(r.title.In(r.lang), machine, strings.TrimPrefix(golang, "go"), head.Tool, head.Started.Format("2006-01-02"))
		samples = append(samples, title+"\n\n```\n"+screen.String()+filepath.Join(name, "report.html")+"\n```\n")
	}
	return samples
}

func writeScreen(t *testing.T, file, sample string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), screenBegin)
	_, after, _ := strings.Cut(rest, screenEnd)
	if err := os.WriteFile(file, []byte(before+screenBegin+sample+screenEnd+after), 0o666); err != nil {
		t.Fatal(err)
	}
}
