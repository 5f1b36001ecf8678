package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/render/rendertest"
)

// The page of a quick run of all questions, in a browser. What is asked of it:
const (
	mostNodes  = 8000
	mostBytes  = 600_000
	mostSheets = 6 // of A4
)

// installed finds a program of the browser tests, which .ci/run installs.
func installed(t *testing.T, what, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	const axe = "../../bin/axe-core/axe.min.js"
	if _, err := os.Stat(axe); err == nil && name == "axe" {
		return axe
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is not installed, which .ci/run does", what)
	}
	t.Skipf("%s is not installed: .ci/run shows how", what)
	return ""
}

// quickPage writes the page of the kept run of all questions.
func quickPage(t *testing.T) []byte { return pageBy(t, "report", "RUN") }

// planPage writes that of a plan that rests on the same run, in a language that is asked for.
func planPage(t *testing.T) []byte {
	return pageBy(t, "plan", "--sign", "--rate", "3000/s", "--require", "standard:nist", "--weights", "time=3,resources=1", "--run", "RUN", "--budget", "0", "--lang", "zh")
}

// pageBy writes the page that a command makes of the kept run, which is RUN in it.
func pageBy(t *testing.T, args ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(path, unzip(t, idleRun), 0o600); err != nil {
		t.Fatal(err)
	}
	args[slices.Index(args, "RUN")] = path
	var page, errs bytes.Buffer
	if code := run(streams{Session: command.Session{Args: append(args, "--format", "html"), In: strings.NewReader(""), Out: &page, Err: &errs}}); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	return page.Bytes()
}

// browse starts a headless Chromium that is done when done says so, or by itself.
func browse(t *testing.T, chromium, language string, done <-chan struct{}, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute) // some seconds, on a machine that does nothing else
	defer cancel()
	args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--lang=" + language, "--user-data-dir=" + t.TempDir()}, args...)
	cmd := exec.CommandContext(ctx, chromium, args...)
	cmd.Env = append(os.Environ(), "LANGUAGE="+language)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-done:
		cancel()
		<-ended
	case err := <-ended:
		if err != nil {
			t.Fatalf("%s: %v\n%s", chromium, err, errs.String())
		}
	}
}

//go:embed testdata/page.js
var pageScript string

// pageFindings is what the script in testdata/page.js sends.
type pageFindings struct {
	Fault    string
	Nodes    int
	Language map[string]string // asked for → chosen
	Wide     int               // pixels of the body in 400
	Number   float64           // bottom of the first number, in a view of 400 × 700
	First    float64           // bottom of the numbers, the confidence, the machine and the command there
	Stops    []string          // of the keyboard, where there is nothing to do
	Axe      []string          // serious and critical
	Drawn    int               // rows of the table of all rows, once opened by a link
}

func TestPageInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	for _, page := range []struct {
		name string
		of   func(*testing.T) []byte
		rows int // at least

		speaks map[string]string // to browsers of these languages
	}{
		{"quick", quickPage, 100, map[string]string{"en-US": "en", "zh-CN": "zh", "fr-FR, zh-TW": "zh", "fr-FR": "en"}},
		{"plan", planPage, 5, map[string]string{"en-US": "zh", "zh-CN": "zh", "fr-FR, zh-TW": "zh", "fr-FR": "zh"}},
	} {
		t.Run(page.name, func(t *testing.T) { examinePage(t, page.of(t), page.rows, page.speaks) })
	}
}

func examinePage(t *testing.T, page []byte, rows int, speaks map[string]string) {
	chromium, axePath := installed(t, "Chromium", "chromium"), installed(t, "axe-core", "axe")
	if len(page) > mostBytes {
		t.Errorf("the page has %d bytes, at most %d are asked for", len(page), mostBytes)
	}
	axe, err := os.ReadFile(axePath)
	if err != nil {
		t.Fatal(err)
	}
	var found pageFindings
	done := make(chan struct{})
	server := httptest.NewServer(pageServer(page, axe, func(sent []byte) {
		if err := json.Unmarshal(sent, &found); err != nil {
			found.Fault = err.Error()
		}
		close(done)
	}))
	defer server.Close()
	browse(t, chromium, "en-US", done, "--window-size=1400,1000", "--remote-debugging-port=0", server.URL)
	if found.Fault != "" || found.Nodes == 0 {
		t.Fatalf("the browser did not get through: %+v", found)
	}
	if found.Nodes > mostNodes {
		t.Errorf("%d nodes, at most %d are asked for", found.Nodes, mostNodes)
	}
	for asked, chosen := range speaks {
		if found.Language[asked] != chosen {
			t.Errorf("to a browser of %s the page speaks %q, want %q", asked, found.Language[asked], chosen)
		}
	}
	if found.Wide > 400 {
		t.Errorf("in 400 pixels the body is %d wide", found.Wide)
	}
	if !(found.Number > 0 && found.Number < 700) {
		t.Errorf("the first number ends at %v of 700 pixels", found.Number)
	}
	if !(found.First > 0 && found.First < 700) {
		t.Errorf("numbers, confidence, machine and command end at %v of 700 pixels", found.First)
	}
	if found.Drawn < rows {
		t.Errorf("a link to a row drew %d rows", found.Drawn)
	}
	for _, what := range append(found.Stops, found.Axe...) {
		t.Error(what)
	}
}

// pageServer hands out the page as it is at /report, and with axe-core and a browser's
// languages of our choice, which the page's policy forbids, at /asked.
func pageServer(page, axe []byte, done func([]byte)) http.Handler {
	write := func(w http.ResponseWriter, parts ...[]byte) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		for _, p := range parts {
			w.Write(p)
		}
	}
	open := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`).ReplaceAllString(string(page), "@asked@")
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		write(w, []byte("<!DOCTYPE html><meta charset=utf-8><body><script>"+pageScript+"</script>"))
	})
	mux.HandleFunc("GET /report", func(w http.ResponseWriter, _ *http.Request) { write(w, page) })
	mux.HandleFunc("GET /asked", func(w http.ResponseWriter, r *http.Request) {
		languages, _ := json.Marshal(strings.Split(r.FormValue("languages"), ", "))
		script := fmt.Sprintf(`<script>Object.defineProperty(navigator, "languages", {value: %s});</script><script src="/axe.js"></script>`, languages)
		write(w, []byte(strings.Replace(open, "@asked@", script, 1)))
	})
	mux.HandleFunc("GET /axe.js", func(w http.ResponseWriter, _ *http.Request) { w.Write(axe) })
	mux.HandleFunc("POST /done", func(_ http.ResponseWriter, r *http.Request) {
		var b bytes.Buffer
		b.ReadFrom(r.Body)
		done(b.Bytes())
	})
	return mux
}

var ratioName = regexp.MustCompile(`<th scope="row">((?:[^<]|</?span[^>]*>)*)</th>\s*<td class="line">`)

// TestPageNamesRatios: every ratio says in words what stands against what, in one manner.
func TestPageNamesRatios(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	page, _, err := rendertest.Unfold(string(quickPage(t)))
	if err != nil {
		t.Fatal(err)
	}
	names := ratioName.FindAllStringSubmatch(page, -1)
	if len(names) < 50 {
		t.Fatalf("%d ratios on the page", len(names))
	}
	for _, name := range names {
		said := html.UnescapeString(tag.ReplaceAllString(name[1], ""))
		if !strings.Contains(said, " / ") || strings.ContainsAny(said, "=:：·") {
			t.Errorf("a ratio is called %q", said)
		}
	}
}

var (
	sheet      = regexp.MustCompile(`/Type\s*/Page[^s]`)
	heading    = regexp.MustCompile(`(?s)<h[1-3][^>]*>(.*?)</h[1-3]>`)
	listedName = regexp.MustCompile(`(?s)<a class="name"[^>]*>(.*?)</a>`)
	spoken     = regexp.MustCompile(`(?s)<span lang="[^"]*">(.*?)</span>`)
	tag        = regexp.MustCompile(`<[^>]*>`)
)

// TestPageCommand: the command to copy asks what the run left open, and files nothing where the run was filed, which is told elsewhere.
func TestPageCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	commands := regexp.MustCompile(`<div class="command"><code>([^<]*)</code>`).FindAllStringSubmatch(string(quickPage(t)), -1)
	if len(commands) != 1 || commands[0][1] != "cryptogauge run password" {
		t.Errorf("commands to copy: %q", commands)
	}
}

// TestPageOfPlan: what a plan rests on stands on its page unfolded: the front, with its points
// named, what is excluded and why, and on what requirements and libraries are judged.
func TestPageOfPlan(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	whole := string(planPage(t))
	page, _, _ := strings.Cut(whole, `id="folded"`)
	for _, want := range []string{`<svg class="speed"`, `class="point s0"`, "Ed25519 · go", "Excluded, and why", "no NIST standard", "排除的候选及原因",
		"Requirements, and how they are judged", "the last release, v1.4.1, is of July 2021", "Under your weights", `data-copy="command"`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(page, `id="m1-1-all"`) || strings.Count(page, `class="figures"`) != 1 {
		t.Error("a part of the plan is folded away, or there are no figures")
	}
	if !strings.Contains(string(quickPage(t)), `id="m1-1-all"`) {
		t.Error("nothing is folded on the page of all questions")
	}
}

// TestPagePrinted: the page fits few sheets, none of which ends in a heading.
func TestPagePrinted(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	chromium, reader := installed(t, "Chromium", "chromium"), installed(t, "poppler-utils", "pdftotext")
	page := quickPage(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "report.html")
	if err := os.WriteFile(path, page, 0o600); err != nil {
		t.Fatal(err)
	}
	headings := textsOf(page, heading)
	for _, language := range []string{"en-US", "zh-CN"} {
		pdf := filepath.Join(dir, language+".pdf")
		browse(t, chromium, language, nil, "--accept-lang="+language, "--no-pdf-header-footer", "--print-to-pdf="+pdf, "file://"+path)
		printed, err := os.ReadFile(pdf)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(sheet.FindAll(printed, -1)); n == 0 || n > mostSheets {
			t.Errorf("%s: %d sheets, at most %d are asked for", language, n, mostSheets)
		}
		text, err := exec.Command(reader, pdf, "-").Output()
		if err != nil {
			t.Fatal(err)
		}
		if said := strings.Contains(string(text), "结论"); said != (language == "zh-CN") {
			t.Errorf("%s: printed in the other language", language)
		}
		for _, h := range lastOnSheets(string(text), headings, textsOf(page, listedName)) {
			t.Errorf("%s: a sheet ends in the heading %q", language, h)
		}
	}
	got := lastOnSheets("A\nB\fB\nx\nA\fy\nB\n\f", map[string]bool{"A": true, "B": true}, map[string]bool{"B": true})
	if !slices.Equal(got, []string{"A", "B"}) {
		t.Errorf("sheets end in the headings %q", got)
	}
}

// lastOnSheets are the headings in which sheets end. The list of all answers comes first, and has the words of some.
func lastOnSheets(text string, headings, listed map[string]bool) (last []string) {
	for s := range strings.SplitSeq(text, "\f") {
		lines := strings.Split(strings.TrimSpace(s), "\n")
		for j, line := range lines {
			line = strings.TrimSpace(line)
			if j == len(lines)-1 && line != "" && headings[line] && !listed[line] {
				last = append(last, line)
			}
			delete(listed, line)
		}
	}
	return last
}

// textsOf are those of some elements of a page, in each language.
func textsOf(page []byte, element *regexp.Regexp) map[string]bool {
	texts := map[string]bool{}
	for _, e := range element.FindAllStringSubmatch(string(page), -1) {
		for _, s := range append(spoken.FindAllStringSubmatch(e[1], -1), []string{"", e[1]}) {
			texts[strings.TrimSpace(html.UnescapeString(tag.ReplaceAllString(s[1], "")))] = true
		}
	}
	return texts
}
