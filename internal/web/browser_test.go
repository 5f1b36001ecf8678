package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/decide"
	"github.com/cryptogauge/cryptogauge/internal/web/access"
)

// installed finds what the browser tests need, which .ci/run installs.
func installed(t *testing.T) (chromium, axe string) {
	t.Helper()
	missing := func(what string) {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is not installed, which .ci/run does", what)
		}
		t.Skipf("%s is not installed: .ci/run shows how", what)
	}
	chromium = os.Getenv("CHROME")
	if chromium == "" {
		var err error
		if chromium, err = exec.LookPath("chromium"); err != nil {
			missing("Chromium")
		}
	}
	script, err := os.ReadFile("../../bin/axe-core/axe.min.js")
	if err != nil {
		missing("axe-core")
	}
	return chromium, string(script)
}

// browser starts a headless Chromium that ends with the test.
func browser(t *testing.T, chromium string) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(time.Minute))
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil { // it starts with this, and would end with a time limit of it
		t.Fatal(err)
	}
	ctx, stop = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(stop)
	return ctx
}

// listening serves on a port of this machine until the test ends.
func listening(t *testing.T, s *Server) string {
	t.Helper()
	l, err := s.Access.Open()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return strings.TrimSuffix(s.Access.Address(l), "/")
}

// seen is what a page shows.
type seen struct {
	Wide   int      // pixels of the body
	Axe    []string // serious and critical findings
	Broken []string // of the policy
	Owned  bool     // a script of a run file ran
	Far    []string // what was loaded from elsewhere
	Lang   string
}

const watch = `window.broken = []; document.addEventListener("securitypolicyviolation", e => window.broken.push(e.violatedDirective + " " + e.blockedURI));`

// look is run in the page by the browser's own door, which the page's policy does not close.
const lookScript = `(async () => {
  const found = { wide: Math.max(document.documentElement.scrollWidth, document.body.scrollWidth), broken: window.broken, owned: "owned" in window,
    lang: document.documentElement.lang, axe: [] };
  found.far = performance.getEntriesByType("resource").map(r => r.name).filter(n => !n.startsWith(location.origin) && !n.startsWith("data:"));
  const result = await axe.run(document, { resultTypes: ["violations"] });
  for (const v of result.violations) {
    if (v.impact === "serious" || v.impact === "critical") {
      found.axe.push(v.id + ": " + v.help + ", " + v.nodes.length + " times, first: " + v.nodes[0].html.slice(0, 300) + " " + v.nodes[0].failureSummary);
    }
  }
  return JSON.stringify(found);
})()`

// visitPage opens a page in a window and says what it shows; a picture of it goes into a folder where one is named.
func visitPage(ctx context.Context, address, axe, picture string, width int) (found seen, err error) {
	if _, err := chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: int64(width), Height: 900,
		DeviceScaleFactor: 1}); err != nil {
		return found, err
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(address), chromedp.WaitReady("body")); err != nil {
		return found, err
	}
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[int](axe+";0")); err != nil {
		return found, err
	}
	said, err := chromedp.Run(ctx, chromedp.Evaluate[string](lookScript, chromedp.EvalAwaitPromise))
	if err != nil {
		return found, err
	}
	if picture != "" {
		shot, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
		if err != nil {
			return found, err
		}
		if err := os.WriteFile(picture, shot, 0o600); err != nil {
			return found, err
		}
	}
	return found, json.Unmarshal([]byte(said), &found)
}

// watched has a browser say what breaks a page's policy, and gives what it complains of itself.
func watched(t *testing.T, ctx context.Context) (complaints func() []string) {
	t.Helper()
	var mu sync.Mutex
	var lines []string
	err := chromedp.Listen(ctx, func(event any) {
		if e, ok := event.(*log.EventEntryAdded); ok && (e.Entry.Source == log.EntrySourceSecurity || e.Entry.Source == log.EntrySourceJavascript) {
			mu.Lock()
			defer mu.Unlock()
			lines = append(lines, e.Entry.Text)
		}
	})
	if err == nil {
		_, err = chromedp.Call(ctx, log.Enable, cdp.Empty{})
	}
	if err == nil {
		_, err = chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watch})
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return lines
	}
}

// TestBrowser: every page in a browser, in both languages, in a wide window and in that of a telephone, by day and by night:
// nothing is wider than its window, nothing breaks the policy or comes from elsewhere, and axe-core finds nothing serious.
// Pictures go into the folder that CRYPTOGAUGE_SCREENS names.
func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	chromium, axe := installed(t)
	at := archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")}
	file(t, at, months(t)...)
	s, _ := serving(t, at)
	origin := listening(t, s)
	empty, _ := serving(t, archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "none.sqlite")})
	nothing := listening(t, empty)
	locked, _ := serving(t, at, func(o *Options) { o.Access = &access.Request{Listen: "127.0.0.1:0", TokenFile: tokenFile(t)} })
	door := listening(t, locked)
	ctx := browser(t, chromium)
	complaints := watched(t, ctx)
	stranger := idOf(t, at, func(r archive.Run) bool { return strings.Contains(r.Title, "owned") })
	for name, address := range map[string]string{
		"runs": origin + "/", "runs-none": origin + "/?q=nothing", "report": origin + "/runs/" + idOf(t, at, titled("night 17")),
		"report-plan": origin + "/runs/" + idOf(t, at, ofSuite(decide.ExperimentName)), "report-hostile": origin + "/runs/" + stranger,
		"history": origin + "/history", "history-case": origin + "/history?case=SM4-GCM", "history-one": origin + "/history?case=SM4-CTR/encrypt/16384/",
		"machines": origin + "/machines", "plans": origin + "/plans", "live": origin + "/live", "missing": origin + "/nothing",
		"empty": nothing + "/", "login": door + "/login?next=" + url.QueryEscape("/plans"),
	} {
		for _, lang := range []string{"en", "zh"} {
			for _, width := range []int{1280, 400} {
				for _, scheme := range []string{"light", "dark"} {
					picture := ""
					if dir := os.Getenv("CRYPTOGAUGE_SCREENS"); dir != "" && scheme == "light" {
						picture = filepath.Join(dir, fmt.Sprintf("%s-%s-%d.png", name, lang, width))
					}
					join := "?"
					if strings.Contains(address, "?") {
						join = "&"
					}
					colours := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
					if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, colours); err != nil {
						t.Fatal(err)
					}
					found, err := visitPage(ctx, address+join+"lang="+lang, axe, picture, width)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					found.holds(t, fmt.Sprintf("%s, %s, %d, %s", name, lang, width, scheme), lang, width)
				}
			}
		}
	}
	for _, line := range complaints() {
		t.Error(line)
	}
}

func (f seen) holds(t *testing.T, where, lang string, width int) {
	t.Helper()
	if f.Wide > width {
		t.Errorf("%s: the page is %d pixels wide", where, f.Wide)
	}
	if f.Owned {
		t.Errorf("%s: a script of a run file ran", where)
	}
	if !strings.HasPrefix(f.Lang, lang) {
		t.Errorf("%s: the page says it is in %q", where, f.Lang)
	}
	for _, what := range append(append(f.Axe, f.Broken...), f.Far...) {
		t.Errorf("%s: %s", where, what)
	}
}

// TestInBrowser: a token is typed once, lists and languages are switched by links alone, and a run is followed.
func TestInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	chromium, _ := installed(t)
	at := archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")}
	file(t, at, night(1), night(17))
	s, _ := serving(t, at, func(o *Options) { o.Access = &access.Request{Listen: "127.0.0.1:0", TokenFile: tokenFile(t)} })
	origin := listening(t, s)
	ctx := browser(t, chromium)
	var said []string
	for _, step := range []struct {
		do   chromedp.Action[chromedp.Void]
		then chromedp.Action[string]
		want string
	}{
		{chromedp.Steps(chromedp.Navigate(origin+"/history?lang=en"), chromedp.SendKeys("#token", "wrong\n"), chromedp.WaitVisible(".refused")),
			chromedp.Text(".refused"), "That is not the token."},
		{chromedp.Steps(chromedp.SendKeys("#token", theToken+"\n"), chromedp.WaitVisible(".group")), chromedp.Location(), origin + "/history?lang=en"},
		{chromedp.Steps(chromedp.Click(`a[hreflang="zh-Hans"]`), chromedp.WaitVisible(`html[data-lang="zh"] .group`)), chromedp.Text("h1"), "测试项的历史"},
		{chromedp.Navigate(origin + "/"), chromedp.Text("h1"), "运行"},
		{chromedp.Steps(chromedp.SetValue("#outcome", "wrong"), chromedp.Submit("#outcome"), chromedp.WaitVisible(".filter a")), chromedp.Text(".count"), "1 次运行"},
		{chromedp.Steps(chromedp.Navigate(origin+"/live"), chromedp.WaitVisible("#live li .far")), chromedp.Text("#live li .far"), "25% · 剩余 45s"},
	} {
		if err := chromedp.Do(ctx, step.do); err != nil {
			t.Fatalf("%v, after %q", err, said)
		}
		got, err := chromedp.Run(ctx, step.then)
		if err != nil || got != step.want {
			t.Errorf("%q, want %q: %v", got, step.want, err)
		}
		said = append(said, got)
	}
}

// theToken is one that a test types.
const theToken = "a token of twenty-odd characters"

func tokenFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte(theToken+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
