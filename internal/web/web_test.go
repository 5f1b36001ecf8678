package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/archive/archivetest"
	"github.com/cryptogauge/cryptogauge/internal/decide"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/live"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestPages: each page of a store of either engine says what is in it, in both languages.
func TestPages(t *testing.T) {
	eachEngine(t, func(t *testing.T, at archive.Location) {
		file(t, at, months(t)...)
		s, _ := serving(t, at)
		h := s.Handler()
		wrong, plan := idOf(t, at, titled("night 17")), idOf(t, at, ofSuite(decide.ExperimentName))
		for path, want := range map[string][2][]string{
			"/":                     {{"night 19", "24 runs", "1 wrong output", "2026-03-20 02:00", "confidence", "Machine"}, {"24 次运行", "1 行输出错误", "可信度", "机器"}},
			"/?outcome=wrong":       {{"4 runs", "night 16"}, {"4 次运行"}},
			"/?q=NIGHT+1":           {{"11 runs", "night 1<", "night 10"}, {"11 次运行"}},
			"/?suite=plan":          {{"1 run<"}, {"1 次运行"}},
			"/?q=nothing-at-all":    {{"0 runs", "Show all"}, {"0 次运行", "显示全部"}},
			"/runs/" + wrong:        {{"SM4-GCM", "wrong tag", `<html lang="en" data-lang="en" data-typed>`, `href="/machines"`}, {`data-lang="zh" data-typed`, "结论"}},
			"/runs/" + plan:         {{"Checkout", "vCPU", "Ed25519"}, {"需", "vCPU"}},
			"/history":              {{"SM4-GCM encrypt-many", "4 KiB, 64 keys", "SM4-CTR encrypt"}, {"SM4-GCM 批量消息加密", "个密钥"}},
			"/history?case=SM4-CTR": {{"takes 1.2", "with gmsm v0.43.0 → v0.44.0", "<svg", `href="/runs/`}, {"伴随 gmsm v0.43.0 → v0.44.0", "耗时为此前的 1.2"}},
			"/machines":             {{"AMD EPYC 9B14", "nothing here says that one machine is faster", "6.1.0-30", "go1.26.7", "gmsm v0.44.0", "none filed"}, {"这里不判定哪台机器更快"}},
			"/plans":                {{"1 plan<", "Checkout, 3000/s: use go Ed25519", "not checked together"}, {"1 个计划", "用 go 的 Ed25519", "未合并核对"}},
			"/live":                 {{"cryptogauge run: quick suite", "25 % · 45s left", "SM4-CTR"}, {"快速套件", "25% · 剩余 45s"}},
		} {
			for i, lang := range []string{"en", "zh"} {
				answer, body := asked(t, h, path, header("Accept-Language", lang))
				if answer.StatusCode != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
					t.Errorf("%s: %s", path, answer.Status)
				}
				for _, w := range want[i] {
					if !strings.Contains(body, w) {
						t.Errorf("%s, %s: no %q", path, lang, w)
					}
				}
			}
		}
	})
}

// TestHostile: what a stranger put into a run file stands on pages as text.
func TestHostile(t *testing.T) {
	at := archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")}
	file(t, at, ofStranger(), night(1))
	s, _ := serving(t, at)
	h := s.Handler()
	id := idOf(t, at, func(r archive.Run) bool { return r.Title != "night 1" })
	paths := []string{"/", "/runs/" + id, "/history", "/machines", "/plans", "/live", "/?q=" + escaped(hostile), "/history?q=" + escaped(hostile), "/history?case=" + escaped(hostile),
		"/history?case=" + escaped(strings.SplitN(hostile, "/", 2)[0]+"*"), "/runs/" + escaped(hostile), "/" + escaped(hostile), "/?after=" + escaped(hostile)}
	raw := regexp.MustCompile(`<img|<script>window|\x1b|\x{202e}|\x{2066}`)
	for _, path := range paths {
		answer, body := asked(t, h, path)
		if found := raw.FindString(body); found != "" {
			t.Errorf("%s (%s): holds %q", path, answer.Status, found)
		}
		if policy := answer.Header.Get("Content-Security-Policy"); strings.Contains(policy, "unsafe") || !strings.Contains(policy, "default-src 'none'") ||
			!strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("%s: policy %q", path, policy)
		}
	}
}

func escaped(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// TestFileComesBack: the run file is handed out byte for byte, packed or not, and by HEAD not at all.
func TestFileComesBack(t *testing.T) {
	at := archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")}
	run := night(2)
	file(t, at, run)
	var want bytes.Buffer
	if err := documenttest.Write(&want, run); err != nil {
		t.Fatal(err)
	}
	s, _ := serving(t, at)
	h, path := s.Handler(), "/runs/"+idOf(t, at, titled("night 2"))+"/run.jsonl"
	answer, body := asked(t, h, path)
	if body != want.String() || !strings.HasPrefix(answer.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("%d bytes of %d, %q", len(body), want.Len(), answer.Header.Get("Content-Disposition"))
	}
	_, packed := asked(t, h, path, header("Accept-Encoding", "gzip"))
	z, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := io.ReadAll(z); err != nil || string(plain) != want.String() {
		t.Errorf("%d bytes, %v", len(plain), err)
	}
	answer, body = asked(t, h, path, func(r *http.Request) { r.Method = http.MethodHead })
	if body != "" || answer.ContentLength != int64(want.Len()) {
		t.Errorf("HEAD: %d bytes, length %d", len(body), answer.ContentLength)
	}
	if answer, _ = asked(t, h, path, header("If-None-Match", answer.Header.Get("ETag"))); answer.StatusCode != http.StatusNotModified {
		t.Errorf("asked again: %s", answer.Status)
	}
}

// TestReportIsKept: a report is made once, and told by its tag; each language has its own.
func TestReportIsKept(t *testing.T) {
	at := archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")}
	file(t, at, night(2))
	s, _ := serving(t, at)
	h, path := s.Handler(), "/runs/"+idOf(t, at, titled("night 2"))
	first, page := asked(t, h, path)
	tag := first.Header.Get("ETag")
	if again, body := asked(t, h, path, header("If-None-Match", "W/"+tag)); again.StatusCode != http.StatusNotModified || body != "" {
		t.Errorf("asked again: %s", again.Status)
	}
	if _, kept := asked(t, h, path); kept != page {
		t.Error("the kept page is another")
	}
	if other, _ := asked(t, h, path+"?lang=zh", header("If-None-Match", tag)); other.StatusCode != http.StatusOK || other.Header.Get("ETag") == tag {
		t.Errorf("in Chinese: %s, tag %s", other.Status, other.Header.Get("ETag"))
	}
	if s.pages.held == 0 || len(s.pages.at) != 2 {
		t.Errorf("%d pages of %d bytes are kept", len(s.pages.at), s.pages.held)
	}
}

// TestPagesAreKept: a page of the store is made once, until something is filed; whoever has it is told so.
func TestPagesAreKept(t *testing.T) {
	eachEngine(t, func(t *testing.T, at archive.Location) {
		file(t, at, night(1))
		s, _ := serving(t, at)
		h := s.Handler()
		for _, path := range []string{"/", "/history", "/machines", "/plans", "/?q=night"} {
			first, page := asked(t, h, path)
			tag := first.Header.Get("ETag")
			if again, body := asked(t, h, path, header("If-None-Match", tag)); again.StatusCode != http.StatusNotModified || body != "" || tag == "" {
				t.Errorf("%s: %s, tag %s", path, again.Status, tag)
			}
			if _, kept := asked(t, h, path); kept != page || s.pages.get(tag) == nil {
				t.Errorf("%s: it is not kept", path)
			}
		}
		before, _ := asked(t, h, "/")
		file(t, at, night(2))
		if after, body := asked(t, h, "/", header("If-None-Match", before.Header.Get("ETag"))); after.StatusCode != http.StatusOK || !strings.Contains(body, "night 2") {
			t.Errorf("after filing: %s", after.Status)
		}
	})
}

func TestCacheIsBounded(t *testing.T) {
	c := newCache(100)
	for i := range 20 {
		c.put(fmt.Sprint(i), make([]byte, 30))
		c.get("0")
	}
	c.put("large", make([]byte, 60))
	if c.held != 90 || len(c.at) != 3 || c.get("0") == nil || c.get("19") == nil || c.get("5") != nil || c.get("large") != nil {
		t.Errorf("%d bytes of %d pages", c.held, len(c.at))
	}
}

// TestPaging: every run stands on one page.
func TestPaging(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	at := archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")}
	var runs []*result.Run
	for n := range listed + 30 {
		f := documenttest.NewFixture(1, 1)
		f.Run.Header.Seed, f.Run.Header.Title = uint64(n), fmt.Sprintf("run %d", n)
		f.Trial("modes", documenttest.SM4("CTR", 64), documenttest.GMSM, documenttest.Plan{NS: 100})
		runs = append(runs, f.End()) // all of one instant
	}
	file(t, at, runs...)
	s, _ := serving(t, at)
	h, seen := s.Handler(), map[string]int{}
	pages, path := 0, "/?q=run"
	for ; path != "" && pages < 5; pages++ {
		_, body := asked(t, h, path)
		for _, m := range regexp.MustCompile(`class="title">(run \d+)<`).FindAllStringSubmatch(body, -1) {
			seen[m[1]]++
		}
		next := regexp.MustCompile(`<a href="([^"]+)">Older`).FindStringSubmatch(body)
		if path = ""; next != nil {
			path = strings.ReplaceAll(next[1], "&amp;", "&")
		}
	}
	if pages != 2 || len(seen) != listed+30 {
		t.Errorf("%d runs on %d pages", len(seen), pages)
	}
	for title, n := range seen {
		if n != 1 {
			t.Errorf("%s stands on %d pages", title, n)
		}
	}
}

// TestEmptyAndFilled: a store without runs is a page that says how to fill it, and shows what is filed since.
func TestEmptyAndFilled(t *testing.T) {
	eachEngine(t, func(t *testing.T, at archive.Location) {
		s, c := serving(t, at)
		h := s.Handler()
		for _, path := range []string{"/", "/history", "/machines", "/plans", "/runs/abcdef"} {
			answer, body := asked(t, h, path)
			if answer.StatusCode != http.StatusOK || !strings.Contains(body, "cryptogauge store import cryptogauge-results --store ") {
				t.Errorf("%s: %s %s", path, answer.Status, body)
			}
		}
		if answer, body := asked(t, h, "/healthz"); answer.StatusCode != http.StatusOK || body != "ok\n" {
			t.Errorf("healthz: %s %q", answer.Status, body)
		}
		file(t, at, night(1))
		c.pass(2 * retry)
		if _, body := asked(t, h, "/"); !strings.Contains(body, "night 1") {
			t.Errorf("after filing: %s", body)
		}
		file(t, at, night(2)) // while the server reads it
		if _, body := asked(t, h, "/"); !strings.Contains(body, "night 2") {
			t.Error("what was filed since is not shown")
		}
	})
}

// away holds a server to what it says while its store is away, and that it comes back by itself.
func away(t *testing.T, s *Server, c *clock, leave, back func()) {
	h := s.Handler()
	if answer, _ := asked(t, h, "/"); answer.StatusCode != http.StatusOK {
		t.Fatal(answer.Status)
	}
	leave()
	c.pass(2 * retry)
	for _, path := range []string{"/", "/runs/abcdef", "/history", "/machines", "/plans"} {
		answer, body := asked(t, h, path)
		if answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" || strings.Count(body, `class="line"`) != 1 {
			t.Errorf("%s: %s, %s", path, answer.Status, body)
		}
	}
	if answer, body := asked(t, h, "/healthz"); answer.StatusCode != http.StatusServiceUnavailable || body != "the store is away\n" {
		t.Errorf("healthz: %s %q", answer.Status, body)
	}
	back()
	c.pass(2 * retry)
	if answer, body := asked(t, h, "/"); answer.StatusCode != http.StatusOK || !strings.Contains(body, "night 1") {
		t.Errorf("back again: %s, %s", answer.Status, body)
	}
}

func TestDatabaseAway(t *testing.T) {
	server := archivetest.Own(t)
	at := archive.Location{Engine: archive.Postgres, URL: server.Database(t, "bench")}
	file(t, at, night(1))
	s, c := serving(t, at)
	away(t, s, c, server.Stop, func() {
		if err := server.Start(); err != nil {
			t.Fatal(err)
		}
	})
}

// TestFileAway: a file that is no store stands in the store's place for a while.
func TestFileAway(t *testing.T) {
	at := archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")}
	file(t, at, night(1))
	s, c := serving(t, at)
	aside := at.Path + ".aside"
	move := func(from, to string) {
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	away(t, s, c, func() {
		move(at.Path, aside)
		if err := os.WriteFile(at.Path, []byte("These are notes, and no store of any kind."), 0o600); err != nil {
			t.Fatal(err)
		}
	}, func() { move(aside, at.Path) })
}

// TestFileGone: a store that was read is away once its file is removed, emptied or written over, and is never taken for one that
// nobody has filled yet; a reader may hold the old file open, and remember what stood in it.
func TestFileGone(t *testing.T) {
	garbage := bytes.Repeat([]byte("garbage, and no store "), 1<<12)
	for name, spoil := range map[string]func(path string) error{
		"removed":      os.Remove,
		"emptied":      func(path string) error { return os.Truncate(path, 0) },
		"short":        func(path string) error { return os.WriteFile(path, garbage[:20], 0o600) },
		"written over": func(path string) error { return os.WriteFile(path, garbage, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			at := archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")}
			file(t, at, night(1))
			whole, err := os.ReadFile(at.Path)
			if err != nil {
				t.Fatal(err)
			}
			s, c := serving(t, at)
			away(t, s, c, func() {
				if err := spoil(at.Path); err != nil {
					t.Fatal(err)
				}
				_, body := asked(t, s.Handler(), "/metrics")
				if strings.Contains(body, "cryptogauge_store_up 1") {
					t.Error("the metrics say that the store is there")
				}
			}, func() {
				if err := os.WriteFile(at.Path, whole, 0o600); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// TestReadOnly: nothing but GET and HEAD is taken, and nothing is written.
func TestReadOnly(t *testing.T) {
	at := archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")}
	file(t, at, night(1))
	before, err := os.ReadFile(at.Path)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := serving(t, at)
	h := s.Handler()
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"} {
		answer, _ := asked(t, h, "/", func(r *http.Request) { r.Method = method })
		if answer.StatusCode != http.StatusMethodNotAllowed || answer.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %s", method, answer.Status)
		}
	}
	for _, path := range []string{"/", "/history", "/history?case=SM4", "/machines", "/plans", "/live", "/runs/" + idOf(t, at, titled("night 1"))} {
		asked(t, h, path)
	}
	if after, err := os.ReadFile(at.Path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the store's file was changed: %v", err)
	}
}

// TestRefusals: what is not there is said in a line, with its status.
func TestRefusals(t *testing.T) {
	at := archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")}
	file(t, at, night(1))
	s, _ := serving(t, at)
	h := s.Handler()
	for path, want := range map[string]int{"/runs/000000000000": 404, "/runs/..%2f..%2fetc": 404, "/nothing": 404, "/runs/": 404, "/history?case=AES-128": 404, "/?after=000000000000": 404,
		"/runs/000000000000/run.jsonl": 404, "/assets/nothing.css": 404, stylePath(): 200, scriptPath(): 200} {
		if answer, body := asked(t, h, path); answer.StatusCode != want || strings.Contains(body, "goroutine") {
			t.Errorf("%s: %s", path, answer.Status)
		}
	}
	rebound := func(r *http.Request) { r.Host = "evil.example:8473" }
	if answer, body := asked(t, h, "/", rebound); answer.StatusCode != http.StatusMisdirectedRequest || strings.Contains(body, "night 1") {
		t.Errorf("by another name: %s", answer.Status)
	}
}

// TestMetricsAreMounted: what Prometheus scrapes is of the store that pages are of.
func TestMetricsAreMounted(t *testing.T) {
	at := archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")}
	s, c := serving(t, at)
	h := s.Handler()
	if answer, body := asked(t, h, "/metrics"); answer.StatusCode != http.StatusOK || strings.Contains(body, "cryptogauge_runs_total{") {
		t.Errorf("of nothing: %s, %s", answer.Status, body)
	}
	file(t, at, night(1), night(2))
	c.pass(time.Minute)
	if _, body := asked(t, h, "/metrics"); !regexp.MustCompile(`(?m)^cryptogauge_runs_total\{.*\} 2$`).MatchString(body) {
		t.Errorf("of two runs: %s", body)
	}
}

// TestTwoServers: two servers read one file while a run is filed in it, and both show it.
func TestTwoServers(t *testing.T) {
	at := archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")}
	file(t, at, night(0))
	one, _ := serving(t, at)
	two, _ := serving(t, at)
	stop, failed := make(chan struct{}), make(chan string, 2)
	for _, s := range []*Server{one, two} {
		go func() {
			said := ""
			for {
				select {
				case <-stop:
					failed <- said
					return
				default:
				}
				if answer, body := asked(t, s.Handler(), "/"); answer.StatusCode != http.StatusOK {
					said = answer.Status + body
				}
			}
		}()
	}
	for n := 1; n < 6; n++ {
		file(t, at, night(n))
	}
	close(stop)
	for range 2 {
		if said := <-failed; said != "" {
			t.Error(said)
		}
	}
	for _, s := range []*Server{one, two} {
		if _, body := asked(t, s.Handler(), "/"); !strings.Contains(body, "6 runs") || !strings.Contains(body, "night 5") {
			t.Error("a run is missing")
		}
	}
}

// TestLanguage: the address counts before the cookie, and the cookie before the browser.
func TestLanguage(t *testing.T) {
	s, _ := serving(t, archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "none.sqlite")})
	h := s.Handler()
	for _, c := range []struct{ query, cookie, accept, want string }{
		{"", "", "", "en"}, {"", "", "fr-FR, zh-TW;q=0.8, en;q=0.1", "zh"}, {"", "zh", "en", "zh"}, {"?lang=en", "zh", "zh", "en"}, {"?lang=xx", "xx", "de", "en"},
	} {
		answer, body := asked(t, h, "/"+c.query, header("Cookie", languageCookie+"="+c.cookie), header("Accept-Language", c.accept))
		if !strings.Contains(body, `data-lang="`+c.want+`"`) {
			t.Errorf("%+v: not spoken", c)
		}
		if set := len(answer.Cookies()) == 1; set != (c.query == "?lang=en") {
			t.Errorf("%+v: a cookie is set: %v", c, set)
		}
	}
}

// TestEvents: a stream says what goes on at once, and ends with the server.
func TestEvents(t *testing.T) {
	s, _ := serving(t, archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "none.sqlite")})
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	answer, err := http.Get(server.URL + "/live/events?lang=zh")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	line := make([]byte, 4096)
	n, err := answer.Body.Read(line)
	if err != nil || !strings.HasPrefix(string(line[:n]), `data: [{"pid":7,"title":"cryptogauge run：快速套件","percent":25,"far":"25% · 剩余 45s"`) {
		t.Errorf("%v, %s", err, line[:n])
	}
	s.end()
	if rest, err := io.ReadAll(answer.Body); err != nil {
		t.Errorf("%s, %v", rest, err)
	}
	for range mostStreams {
		s.enter()
	}
	if answer, _ := asked(t, s.Handler(), "/live/events"); answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one stream too many: %s", answer.Status)
	}
}

// TestAnswersEnd: an answer that is on its way when the server is told to end comes to its end, and nothing listens then.
func TestAnswersEnd(t *testing.T) {
	at := archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")}
	file(t, at, night(1))
	arrived, goOn := make(chan struct{}), make(chan struct{})
	s, _ := serving(t, at, func(o *Options) {
		o.Live = func(time.Time) []live.State {
			close(arrived)
			<-goOn
			return nil
		}
	})
	l, err := s.Access.Open()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended, got := make(chan error, 1), make(chan string, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	go func() {
		answer, err := http.Get("http://" + l.Addr().String() + "/live?lang=en")
		if err != nil {
			got <- err.Error()
			return
		}
		defer answer.Body.Close()
		body, _ := io.ReadAll(answer.Body)
		got <- string(body)
	}()
	<-arrived
	stop()
	<-s.ended.Done() // it no longer listens
	close(goOn)
	if body := <-got; !strings.HasSuffix(strings.TrimSpace(body), "</html>") || !strings.Contains(body, "No run of this user") {
		t.Errorf("the answer is %q", body)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := http.Get("http://" + l.Addr().String() + "/"); err == nil {
		t.Error("it still listens")
	}
}

// TestLog: a line a request, with no query, which holds what was typed.
func TestLog(t *testing.T) {
	var lines []string
	s, _ := serving(t, archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "none.sqlite")},
		func(o *Options) { o.Log = func(line string) { lines = append(lines, line) } })
	asked(t, s.Handler(), "/a%0ab?q=secret", header("Authorization", "Bearer secret"), header("Cookie", "x=secret"))
	if len(lines) != 1 || strings.Contains(lines[0], "secret") || !strings.Contains(lines[0], "GET /a%0ab 404 ") || strings.Contains(lines[0], "\n") {
		t.Errorf("%q", lines)
	}
}
