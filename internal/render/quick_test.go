package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// twenty is a quick run as long as one can be: every question has a line that fills two at
// the usual width, or less, or more than fits, or was not measured; code was wrong, libraries
// are missing, and the run may be believed less for many reasons.
func twenty() *document.Document {
	d := document.Build(privateRun())
	d.Suite, d.Rows = suiteQuick, document.Build(documenttest.FullRun()).Rows
	long := layout.Text{
		EN: "Use SM4-GCM of gmsm instead of ECB: it hides repetition and detects tampering, and encryption of 64 KiB is 3.83 times as fast as CBC+HMAC-SM3 (2.71–6.84)",
		ZH: "请用 gmsm 的 SM4-GCM 代替 ECB：它隐藏重复并能发现篡改，64 KiB 消息的加密速度是 CBC+HMAC-SM3 的 3.83 倍（2.71–6.84），解密速度是 1.89 倍（1.56–2.16）",
	}
	marks := []layout.Mark{layout.Stop, layout.Choose, layout.Beware, layout.Unclear, layout.Plain}
	for i := range 20 {
		l := layout.Layout{Experiment: fmt.Sprintf("question%d", i+1), Line: layout.Answer{Mark: marks[i%len(marks)], Text: long}}
		switch i {
		case 3:
			l.Line.Text = layout.Text{EN: "One sentence. " + long.EN + ". " + long.EN + ".", ZH: long.ZH + "。" + long.ZH + "。"}
		case 4:
			l.Line.Text, l.Alone = layout.Text{EN: "A short one.", ZH: "一句短的。"}, "cryptogauge run question5 --libraries gmsm"
		case 5:
			l.Line.Text = layout.Text{EN: long.EN + "; " + long.EN, ZH: long.ZH + "；" + long.ZH}
		case 19:
			d.Unmeasured = []layout.Answer{{Experiment: l.Experiment, Mark: layout.Unclear, Text: layout.Text{EN: "not measured: openssl could not be opened", ZH: "未测量：无法打开 openssl"}}}
			continue
		}
		d.Layouts = append(d.Layouts, l)
	}
	rows := func(of string) result.LeftOut {
		return result.LeftOut{What: of + ": rows that no headline comparison needs: 26", Seconds: 1.5}
	}
	d.Run.Header.Suite, d.Run.Header.Budget, d.Run.End = suiteQuick, 60, nil
	d.Run.Header.LeftOut, d.LeftOut = []result.LeftOut{rows("modes"), rows("primitives"), rows("rsa")}, []document.LeftOut{{}}
	d.Trust = document.Trust{Level: document.TrustLow, Reasons: []layout.Text{{
		EN: "the hypervisor gave 6.6 % of the run's CPU time to others (steal): run again later, or on CPUs of your own",
		ZH: "虚拟机管理程序将 6.6% 的 CPU 时间分给了其他虚拟机（steal）：请稍后重测，或改用独占的 CPU"}}}
	for i := range 6 {
		a := layout.Answer{Mark: layout.Stop, Text: long, Brief: layout.Text{EN: fmt.Sprintf("code %d", i), ZH: fmt.Sprintf("代码 %d", i)}}
		d.WrongOutputs = append(d.WrongOutputs, a)
	}
	return d
}

func TestQuickGolden(t *testing.T) {
	for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
		for _, w := range []int{60, 100} {
			screen := render(t, WriteText, []*document.Document{twenty()}, Options{Lang: lang, Width: w, Run: "results/20260301T120000Z-quick", Page: true})
			golden(t, fmt.Sprintf("twenty.%s.%d.txt", lang, w), []byte(screen))
		}
	}
}

// TestQuickIsOneScreen: no question is missing, none takes more than its lines, and all fit
// a screen of the usual width; at no width is anything wider than the terminal.
func TestQuickIsOneScreen(t *testing.T) {
	for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
		for _, w := range []int{40, 60, 80, 100, 140} {
			screen := render(t, WriteText, []*document.Document{twenty()}, Options{Lang: lang, Width: w})
			lines := strings.Split(strings.TrimSuffix(screen, "\n"), "\n")
			if w >= 100 && len(lines) > mostQuickLines {
				t.Errorf("%s, width %d: %d lines", lang, w, len(lines))
			}
			if i := slices.IndexFunc(lines, func(s string) bool { return Width(s) > w }); i >= 0 {
				t.Errorf("%s, width %d: line %d is wider: %s", lang, w, i+1, lines[i])
			}
			at := slices.Index(lines, newPainter(Options{Lang: lang}).say(wordAnswer))
			for i := range 20 {
				begins := func(s string) bool {
					return strings.HasPrefix(s, fmt.Sprintf("question%d ", i+1)) || w == 40 && strings.HasPrefix(s, "question")
				}
				next := slices.IndexFunc(lines[at+1:], begins)
				if next < 0 {
					t.Fatalf("%s, width %d: question %d has no line:\n%s", lang, w, i+1, screen)
				}
				if i > 0 && w >= 100 && next+1 > mostLineLines {
					t.Errorf("%s, width %d: question %d takes %d lines", lang, w, i, next+1)
				}
				at += next + 1
			}
		}
	}
}

// TestQuickNamesTheNarrowing: the commands that the screen suggests ask what the run asked.
func TestQuickNamesTheNarrowing(t *testing.T) {
	d := twenty()
	d.Layouts[0].Alone, d.Layouts[3].Alone = "cryptogauge run question1 --libraries gmsm", "cryptogauge run question4 --libraries gmsm"
	for _, lang := range []layout.Lang{layout.English, layout.Chinese} {
		screen := render(t, WriteText, []*document.Document{d}, Options{Lang: lang, Width: 140})
		for _, want := range []string{"cryptogauge run question1 --libraries gmsm # ", "cryptogauge run question4 --libraries gmsm"} {
			if !strings.Contains(strings.Join(strings.Fields(screen), " "), want) {
				t.Errorf("%s: no %q in:\n%s", lang, want, screen)
			}
		}
	}
}

// TestWithin: what does not fit goes by whole sentences, else by clauses, else by words.
func TestWithin(t *testing.T) {
	p := newPainter(Options{})
	sentence := strings.Repeat("word ", 9) + "end. "
	for text, want := range map[string]string{
		strings.Repeat(sentence, 5):             strings.TrimSpace(strings.Repeat(sentence, 4)),
		"短句。" + strings.Repeat("很长", 200) + "。": "短句。",
		"short": "short",
		"this; " + strings.Repeat("that ", 50) + "; " + strings.Repeat("more ", 30):          "this; …",
		"this; " + strings.Repeat("that ", 50) + "; " + strings.Repeat("more ", 30) + "end.": "this.",
		"一；" + strings.Repeat("二", 300) + "。":                                                "一。",
	} {
		if got := strings.Join(p.within(2, "", 0, text), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, text := range []string{strings.Repeat("words ", 99), strings.Repeat("字", 300)} {
		if lines := p.within(2, "* ", 2, text); len(lines) != 2 || !strings.HasSuffix(lines[1], " …") || Width(lines[1]) > p.Width {
			t.Errorf("%q", lines)
		}
	}
}

// TestPageNamesWhatIsOpen: the command of a page of all questions asks the first that the run left open, and names the others.
func TestPageNamesWhatIsOpen(t *testing.T) {
	d := twenty()
	d.Command = []string{"run", "--output", "mine"}
	for i := range d.Layouts {
		d.Layouts[i].Next = []layout.Next{{Command: "cryptogauge run of-its-own"}}
		if d.Layouts[i].Alone != "" {
			d.Layouts[i].Alone += " --output mine"
		}
	}
	next := (&htmlDoc{htmlPlaces: &htmlPlaces{Doc: d}}).Next()
	if next.Command != "cryptogauge run question4" || next.Why.EN != "this run leaves it open: close other programs first; likewise question9, question14, question19" {
		t.Errorf("%+v", next)
	}
	for i := range d.Layouts {
		d.Layouts[i].Line.Mark = layout.Choose
	}
	d.Unmeasured = nil
	if next := (&htmlDoc{htmlPlaces: &htmlPlaces{Doc: d}}).Next(); next != nil {
		t.Errorf("without sections: %+v", next)
	}
}
