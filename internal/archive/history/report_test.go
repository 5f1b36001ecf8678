package history

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/render"
	"github.com/cryptogauge/cryptogauge/result"
)

var update = flag.Bool("update", false, "write the golden files")

// month is a report of a month: a library that became faster by a new kernel, one that became slower for no reason
// that is recorded, a wrong output, and a case that never changed.
func month() Report {
	faster, slower, wrongs, still := quiet(30), quiet(30), quiet(30), quiet(30)
	since(faster, 18, slowed(1/1.64))
	since(faster, 0, func(p *archive.Point) { p.Implementation = "avx2" })
	since(faster, 18, func(p *archive.Point) { p.Version, p.Implementation = "v0.44.0", "avx2+gfni" })
	slower.Case.Mode, slower.Case.Bytes, slower.Subject.Library = "CBC", 64, "tjfoc"
	since(slower, 12, slowed(1.1))
	wrongs.Case.Mode, wrongs.Case.Operation = "GCM", "decrypt"
	since(wrongs, 27, wrong)
	still.Case = result.Case{Algorithm: "SM2", Operation: "sign", Parameters: "key=kept"}
	still.Subject = result.Subject{Library: "openssl", CallPath: "c-loop", Environment: "OPENSSL_ia32cap=0"}
	all := []archive.Series{faster, slower, wrongs, still}
	for i := range all {
		all[i].Label = "AMD EPYC · 2 CPU · kvm"
	}
	return Report{"sqlite:runs.sqlite", Analyse(all)}
}

// TestEveryFormat: each format says the same in both languages.
func TestEveryFormat(t *testing.T) {
	for _, format := range Formats() {
		for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
			var b strings.Builder
			if err := month().Write(&b, render.Format(format), Options{Lang: lang}); err != nil {
				t.Fatal(err)
			}
			got := b.String()
			switch format {
			case "json":
				var doc struct{ Series []Course }
				if err := json.Unmarshal([]byte(got), &doc); err != nil || len(doc.Series) != 4 || len(doc.Series[0].Changes) != 1 {
					t.Errorf("%v: %.300s", err, got)
				}
				continue
			case "html":
				for _, want := range []string{"1.64", "gmsm v0.43.0 → v0.44.0", `<svg class="speed"`, ">03-19<", "default-src &#39;none&#39;"} {
					if !strings.Contains(got, want) {
						t.Errorf("%s: no %s", lang, want)
					}
				}
				if strings.Contains(got, "<script") || regexp.MustCompile(`(src|href)="http`).MatchString(got) {
					t.Error("the page loads something")
				}
				continue
			}
			name := filepath.Join("testdata", format+"."+string(lang)+".golden")
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(name); err != nil || got != string(want) {
				t.Errorf("%s is not what is written there (-update writes it): %v\n%s", name, err, got)
			}
		}
	}
}

// TestTextFits: within any width no line is longer, and colours change nothing but colours.
func TestTextFits(t *testing.T) {
	colours := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for width := leastWidth; width <= 120; width += 7 {
		for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
			var plain, painted strings.Builder
			r := month()
			if err := r.Write(&plain, render.FormatText, Options{Lang: lang, Width: width}); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(plain.String()) {
				if n := render.Width(strings.TrimSuffix(line, "\n")); n > width {
					t.Errorf("%d columns of %d: %s", n, width, line)
				}
			}
			if err := r.Write(&painted, render.FormatText, Options{Lang: lang, Width: width, Colour: true}); err != nil {
				t.Fatal(err)
			}
			if colours.ReplaceAllString(painted.String(), "") != plain.String() || painted.String() == plain.String() {
				t.Error("colours change more than colours, or there are none")
			}
		}
	}
}

// TestManySeries: a screen holds what changed last, and says what is not shown.
func TestManySeries(t *testing.T) {
	var all []archive.Series
	for i := range 100 {
		s := quiet(30)
		s.Label, s.Case.Bytes = "AMD EPYC", int64(i+1)
		since(s, 10+i%15, slowed(1.5))
		all = append(all, s)
	}
	r := Report{"sqlite:x", Analyse(all)}
	var some, everything strings.Builder
	if err := r.Write(&some, render.FormatText, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"5 earlier times", "and 1 more series; --all", "70 more series are not shown"} {
		if !strings.Contains(some.String(), want) {
			t.Errorf("no %q in\n%s", want, some.String())
		}
	}
	if n := strings.Count(some.String(), "\n"); n > 130 {
		t.Errorf("%d lines", n)
	}
	if err := r.Write(&everything, render.FormatText, Options{All: true}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(everything.String(), "times as long"); got != 100 || strings.Contains(everything.String(), "not shown") {
		t.Errorf("%d changes with --all", got)
	}
}

// TestHostileNames: names from a run file move no cursor and are no markup.
func TestHostileNames(t *testing.T) {
	s := quiet(30)
	evil := "<script>alert(1)</script>\x1b[31m\u202e|`"
	s.Case = result.Case{Algorithm: evil, Mode: evil, Operation: evil, Parameters: evil}
	s.Subject = result.Subject{Library: evil, CallPath: evil, Environment: evil, Runtime: evil}
	s.Label = evil
	since(s, 18, slowed(2))
	since(s, 18, func(p *archive.Point) { p.Version, p.Kernel = evil, evil })
	r := Report{"sqlite:x", Analyse([]archive.Series{s})}
	for _, format := range []render.Format{render.FormatText, "markdown", "html"} {
		var b strings.Builder
		if err := r.Write(&b, format, Options{}); err != nil {
			t.Fatal(err)
		}
		for _, never := range []string{"\x1b[31m", "\u202e", "<script>"} {
			if strings.Contains(b.String(), never) && !(format == render.FormatText && never == "<script>") {
				t.Errorf("%s holds %q", format, never)
			}
		}
	}
}

func TestSparkStaysFlat(t *testing.T) {
	c := Analyse([]archive.Series{quiet(30)})[0]
	if got := c.spark(30); strings.ContainsAny(got, "▁▂▃▆▇█") || len([]rune(got)) != 30 {
		t.Errorf("noise of a percent is drawn as %s", got)
	}
	s := quiet(100)
	since(s, 50, slowed(2))
	since(s, 98, wrong)
	if got := []rune(Analyse([]archive.Series{s})[0].spark(30)); len(got) != 30 || got[0] > '▂' || got[20] < '▇' || got[29] != '✗' {
		t.Errorf("a doubling is drawn as %s", string(got))
	}
}

func TestSummaries(t *testing.T) {
	few := Report{"", Analyse([]archive.Series{quiet(3)})}
	if got := Summary(few.Courses).EN; !strings.Contains(got, "takes at least 6 runs") {
		t.Error(got)
	}
	if got := Summary(Analyse([]archive.Series{quiet(30)})).EN; !strings.HasSuffix(got, "no change of more than 2.0 % is shown") {
		t.Error(got)
	}
}
