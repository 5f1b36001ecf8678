package metrics

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// shelf is a store that holds what a test puts in it.
type shelf struct {
	mu       sync.Mutex
	machines []archive.Machine
	cells    []archive.Cell
	checks   []archive.Check
	series   []archive.Series
	err      error
	hangs    bool // until the reader gives up
	reads    int
	searches int
}

func (s *shelf) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (s *shelf) Machines(ctx context.Context) ([]archive.Machine, error) {
	s.mu.Lock()
	hangs := s.hangs
	s.reads++
	s.mu.Unlock()
	if hangs {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.machines, s.err
}

func (s *shelf) Latest(context.Context, archive.CellQuery) ([]archive.Cell, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.cells), s.err
}

func (s *shelf) LatestChecks(context.Context) ([]archive.Check, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.checks), s.err
}

func (s *shelf) History(context.Context, archive.Filter) ([]archive.Series, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.searches++
	return s.series, s.err
}

func (s *shelf) Totals(context.Context) (archive.Totals, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return archive.Totals{Runs: len(s.machines), Cells: len(s.cells)}, s.err
}

// cell is one of a case of many bytes, in a run that began some hours before noon.
func cell(bytes int64, hours int) archive.Cell {
	low, high, rate := 19_900.0, 20_100.0, 819.2e6
	return archive.Cell{Run: "r", Started: noon.Add(-time.Duration(hours) * time.Hour), Machine: "amd64-x-2cpu", Experiment: "modes", Trial: int(bytes),
		Case:    result.Case{Algorithm: "SM4", Mode: "CTR", Operation: "encrypt", Bytes: bytes},
		Subject: result.Subject{Library: "gmsm", Version: "v0.44.0", Implementation: "avx2", CallPath: "go"},
		Status:  result.OK, NsPerOp: &document.Estimate{Median: 20_000, Low: &low, High: &high}, BytesPerSecond: &rate}
}

// full is a store with one of each.
func full() *shelf {
	return &shelf{
		machines: []archive.Machine{{Key: "amd64-x-2cpu", Label: `a "CPU"`, Arch: "amd64", CPU: "X", CPUs: 1.5, Hypervisor: "kvm", Product: "p", Runs: 42,
			Last: noon, Kernel: "6.1.0", Go: "go1.26.7", Tool: "v0.1.0"}},
		cells: []archive.Cell{cell(16384, 1)},
		checks: []archive.Check{
			{Machine: "amd64-x-2cpu", Suite: "quick", Started: noon.Add(-time.Hour), Verdict: "fine", Severity: archive.SeverityNone},
			{Machine: "amd64-x-2cpu", Suite: "full", Started: noon.Add(-2 * time.Hour), Verdict: "wrong", Severity: archive.SeverityPage, Wrong: 1, Slower: 2},
		},
		series: []archive.Series{slowed(12)},
	}
}

// slowed is a course of a month in which a library takes half as long again since a day and its next version.
func slowed(day int) archive.Series {
	c := cell(16384, 0)
	s := archive.Series{Machine: c.Machine, Experiment: c.Experiment, Case: c.Case, Subject: result.Subject{Library: "gmsm", CallPath: "go"}}
	for i := range 30 {
		p := archive.Point{Run: fmt.Sprintf("%064d", i), Time: noon.AddDate(0, 0, i-30), Status: result.OK, Confidence: document.TrustGood,
			Version: "v0.43.0", NsPerOp: &document.Estimate{Median: 20_000 + 10*float64(i%7)}}
		if i >= day {
			p.Version, p.NsPerOp = "v0.44.0", &document.Estimate{Median: 30_000 + 10*float64(i%7)}
		}
		s.Points = append(s.Points, p)
	}
	return s
}

// at is a handler at noon.
func at(s Store) http.Handler {
	return Handler(s, Config{Now: func() time.Time { return noon }})
}

// get scrapes, in the format that is asked for.
func get(t testing.TB, h http.Handler, accept string) (string, string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
	r.Header.Set("Accept", accept)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	return w.Body.String(), w.Header().Get("Content-Type")
}

const (
	plain       = "text/plain"
	openMetrics = "application/openmetrics-text; version=1.0.0"
)

// samples are the lines that are no comments.
func samples(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// twice scrapes until the search for changes has ended too.
func twice(t *testing.T, s Store) (text string) {
	synctest.Test(t, func(t *testing.T) {
		h := at(s)
		get(t, h, plain)
		synctest.Wait()
		text, _ = get(t, h, plain)
	})
	return text
}

// TestContract: names and labels are an interface. Add to them; what is here stays.
func TestContract(t *testing.T) {
	got := samples(twice(t, full()))
	const of = `algorithm="SM4",bytes="16384",call_path="go",environment="",experiment="modes",implementation="avx2",library="gmsm",` +
		`machine="amd64-x-2cpu",mode="CTR",operation="encrypt",parameters="",runtime="",version="v0.44.0"`
	want := []string{
		`cryptogauge_bytes_per_second{` + of + `} 8.192e+08`,
		`cryptogauge_cases_left_out 0`,
		`cryptogauge_check_age_seconds{machine="amd64-x-2cpu",suite="full"} 7200`,
		`cryptogauge_check_age_seconds{machine="amd64-x-2cpu",suite="quick"} 3600`,
		`cryptogauge_check_status{machine="amd64-x-2cpu",severity="none",suite="full"} 0`,
		`cryptogauge_check_status{machine="amd64-x-2cpu",severity="none",suite="quick"} 1`,
		`cryptogauge_check_status{machine="amd64-x-2cpu",severity="note",suite="full"} 0`,
		`cryptogauge_check_status{machine="amd64-x-2cpu",severity="note",suite="quick"} 0`,
		`cryptogauge_check_status{machine="amd64-x-2cpu",severity="page",suite="full"} 1`,
		`cryptogauge_check_status{machine="amd64-x-2cpu",severity="page",suite="quick"} 0`,
		`cryptogauge_check_status{machine="amd64-x-2cpu",severity="ticket",suite="full"} 1`,
		`cryptogauge_check_status{machine="amd64-x-2cpu",severity="ticket",suite="quick"} 0`,
		`cryptogauge_info{arch="amd64",cpu="X",cpus="1.5",go="go1.26.7",hypervisor="kvm",kernel="6.1.0",machine="amd64-x-2cpu",name="a \"CPU\"",product="p",version="v0.1.0"} 1`,
		`cryptogauge_library_info{library="gmsm",machine="amd64-x-2cpu",version="v0.44.0"} 1`,
		`cryptogauge_runs_total{machine="amd64-x-2cpu"} 42`,
		`cryptogauge_seconds_per_operation{` + of + `} 2e-05`,
		`cryptogauge_seconds_per_operation_high{` + of + `} 2.01e-05`,
		`cryptogauge_seconds_per_operation_low{` + of + `} 1.99e-05`,
	}
	slow := slices.IndexFunc(got, func(line string) bool { return strings.HasPrefix(line, "cryptogauge_slowdown_ratio") })
	if slow >= 0 {
		t.Error("a slowdown of 18 days ago is told of")
	}
	want = append(want, `cryptogauge_store_up 1`)
	if !slices.Equal(got, want) {
		t.Errorf("there is\n%s\nand should be\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestSlowdown: what became slower within 14 days is told of, until it is faster again.
func TestSlowdown(t *testing.T) {
	s := full()
	s.series = []archive.Series{slowed(20)}
	ratio := regexp.MustCompile(`cryptogauge_slowdown_ratio\{.*library="gmsm".*,version="v0.44.0",version_before="v0.43.0"\} (1\.49|1\.50)`)
	if text := twice(t, s); !ratio.MatchString(text) {
		t.Errorf("no slowdown in\n%s", text)
	}
	mended := slowed(17)
	for i := 24; i < 30; i++ {
		mended.Points[i].NsPerOp = &document.Estimate{Median: 20_000 + 10*float64(i%7)}
	}
	s.series = []archive.Series{mended}
	if text := twice(t, s); strings.Contains(text, "slowdown_ratio{") {
		t.Errorf("it was mended:\n%s", text)
	}
}

// TestFormats: OpenMetrics is served where it is asked for, and promtool finds no fault in either format.
func TestFormats(t *testing.T) {
	h := at(full())
	text, kind := get(t, h, openMetrics)
	if !strings.HasPrefix(kind, "application/openmetrics-text") || !strings.HasSuffix(text, "# EOF\n") {
		t.Errorf("%s: %s", kind, text)
	}
	text, kind = get(t, h, plain)
	if !strings.HasPrefix(kind, "text/plain") || strings.Contains(text, "EOF") {
		t.Errorf("%s: %s", kind, text)
	}
	promtool, err := exec.LookPath("promtool")
	switch {
	case err == nil:
	case os.Getenv("CI") == "true":
		t.Fatal("promtool is not installed (Debian: prometheus)")
	default:
		t.Skip("promtool is not installed (Debian: prometheus)")
	}
	cmd := exec.Command(promtool, "check", "metrics")
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("promtool check metrics: %v\n%s", err, out)
	}
}

// TestSeverities: what each verdict of a check makes 1.
func TestSeverities(t *testing.T) {
	for _, test := range []struct {
		check archive.Check
		want  string
	}{
		{archive.Check{Severity: archive.SeverityNone}, "none"},
		{archive.Check{Severity: archive.SeverityTicket, Slower: 1}, "ticket"},
		{archive.Check{Severity: archive.SeverityTicket, Failed: 1}, "ticket"},
		{archive.Check{Severity: archive.SeverityPage, Wrong: 1}, "page"},
		{archive.Check{Severity: archive.SeverityPage}, "page"}, // by abnormal inputs
		{archive.Check{Severity: archive.SeverityPage, Wrong: 1, Slower: 1}, "page ticket"},
		{archive.Check{Severity: archive.SeverityNote, Slower: 1}, "note"}, // interrupted, and not looked at again
		{archive.Check{Severity: archive.SeverityNote, Wrong: 1}, "note page"},
	} {
		text, _ := get(t, at(&shelf{checks: []archive.Check{test.check}}), plain)
		var got []string
		for _, m := range regexp.MustCompile(`check_status\{.*severity="(\w+)".*\} 1\n`).FindAllStringSubmatch(text, -1) {
			got = append(got, m[1])
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%+v: %v, want %s", test.check, got, test.want)
		}
	}
}

// TestAway: a store that is away is an answer, and what was read before stands.
func TestAway(t *testing.T) {
	now := noon
	var failed []error
	s := full()
	s.err = errors.New("away")
	synctest.Test(t, func(t *testing.T) {
		h := Handler(s, Config{Now: func() time.Time { return now }, Failed: func(err error) { failed = append(failed, err) }})
		if text, _ := get(t, h, plain); !slices.Equal(samples(text), []string{"cryptogauge_store_up 0"}) {
			t.Errorf("before the first reading: %s", text)
		}
		s.err, now = nil, now.Add(time.Minute)
		if text, _ := get(t, h, plain); !strings.Contains(text, "cryptogauge_store_up 1\n") || !strings.Contains(text, "cryptogauge_check_age_seconds{machine=\"amd64-x-2cpu\",suite=\"quick\"} 3660\n") {
			t.Errorf("when it is back: %s", text)
		}
		synctest.Wait()
		s.err, now = errors.New("away again"), now.Add(time.Hour)
		text, _ := get(t, h, plain)
		if !strings.Contains(text, "cryptogauge_store_up 0\n") || !strings.Contains(text, "cryptogauge_check_age_seconds{machine=\"amd64-x-2cpu\",suite=\"quick\"} 7260\n") ||
			!strings.Contains(text, `severity="page",suite="full"} 1`) {
			t.Errorf("what was read last is lost, or the age stands still: %s", text)
		}
	})
	if len(failed) != 2 || failed[1].Error() != "away again" {
		t.Errorf("told of %v", failed)
	}
}

// TestHangs: a store that hangs keeps a scrape no longer than it may, and is not asked by each scrape anew.
func TestHangs(t *testing.T) {
	s := full()
	synctest.Test(t, func(t *testing.T) {
		h := Handler(s, Config{})
		get(t, h, plain)
		synctest.Wait()
		s.set(func() { s.hangs = true })
		time.Sleep(time.Minute)
		begun := time.Now()
		for range 3 {
			if text, _ := get(t, h, plain); !strings.Contains(text, "cryptogauge_store_up 0\n") || !strings.Contains(text, "cryptogauge_runs_total") {
				t.Errorf("%s", text)
			}
		}
		waited := time.Since(begun)
		s.set(func() {
			if waited != 3*patience || s.reads != 2 {
				t.Errorf("waited %s, and asked %d times", waited, s.reads)
			}
		})
		s.set(func() { s.hangs = false })
		time.Sleep(longest) // the one who hangs gives up
		if text, _ := get(t, h, plain); !strings.Contains(text, "cryptogauge_store_up 1\n") {
			t.Errorf("it is back: %s", text)
		}
	})
}

// TestGone: a scrape whose client is gone waits for nothing.
func TestGone(t *testing.T) {
	s := full()
	s.hangs = true
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		begun := time.Now()
		Handler(s, Config{}).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, "/metrics", nil))
		if waited := time.Since(begun); waited != 0 {
			t.Errorf("it waited %s", waited)
		}
		time.Sleep(longest)
	})
}

// TestCached: many scrapes read the store once in a while, and search it only when there is something new.
func TestCached(t *testing.T) {
	s := full()
	synctest.Test(t, func(t *testing.T) {
		h := Handler(s, Config{})
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				if text, _ := get(t, h, plain); !strings.Contains(text, "cryptogauge_store_up 1\n") {
					t.Error(text)
				}
			})
		}
		wg.Wait()
		for range 4 { // a minute
			time.Sleep(15 * time.Second)
			get(t, h, plain)
		}
		synctest.Wait()
		if s.reads != 5 || s.searches != 1 {
			t.Errorf("it was read %d times and searched %d times", s.reads, s.searches)
		}
		s.set(func() { s.cells = append(s.cells, cell(64, 0)) })
		time.Sleep(15 * time.Second)
		get(t, h, plain)
		synctest.Wait()
		if s.searches != 2 {
			t.Errorf("with a new run it was searched %d times", s.searches)
		}
	})
}

// TestBounded: whatever runs hold, there are so many series and no more, the newest, and it says how many are left out.
func TestBounded(t *testing.T) {
	s := full()
	s.cells = nil
	for i := range 100 {
		s.cells = append(s.cells, cell(int64(i), i))
	}
	text, _ := get(t, Handler(s, Config{MaxCases: 10, Now: func() time.Time { return noon }}), plain)
	if n := strings.Count(text, "\ncryptogauge_seconds_per_operation{"); n != 10 {
		t.Errorf("%d series", n)
	}
	if !strings.Contains(text, "cryptogauge_cases_left_out 90\n") || !strings.Contains(text, `bytes="9",`) || strings.Contains(text, `bytes="10",`) {
		t.Errorf("%s", text)
	}
}

// TestHostile: names that a run file may have neither break the format nor grow without end, and equal ones are told once.
func TestHostile(t *testing.T) {
	s := full()
	name := "a\"b\\c\nd\xff{} 1 # EOF" + strings.Repeat("x", 1<<20)
	hostile := cell(1, 0)
	hostile.Case.Algorithm, hostile.Subject.Library, hostile.Subject.Version, hostile.Machine = name, name, name, name
	twin := hostile
	twin.Trial++
	s.cells = append(s.cells, hostile, twin)
	s.machines[0].Label = name
	for i := range s.checks {
		s.checks[i].Suite = name
	}
	for _, accept := range []string{plain, openMetrics} {
		text, _ := get(t, at(s), accept)
		if len(text) > 20_000 || !strings.Contains(text, `a\"b\\c\nd�{} 1 # EOFxxx`) || !strings.Contains(text, "cryptogauge_cases_left_out 1") {
			t.Errorf("%d bytes: %.3000s", len(text), text)
		}
		if n := strings.Count(text, "\ncryptogauge_check_age_seconds{"); n != 1 {
			t.Errorf("%d checks of the same name", n)
		}
	}
}

// TestNoNumber: what has no number to show, or none of a library's, has no series.
func TestNoNumber(t *testing.T) {
	for name, change := range map[string]func(*archive.Cell){
		"wrong":        func(c *archive.Cell) { c.Status, c.NsPerOp = result.Incorrect, nil },
		"an exhibit":   func(c *archive.Cell) { c.Exhibit = true },
		"laboratory's": func(c *archive.Cell) { c.Harness = true },
		"no time":      func(c *archive.Cell) { c.NsPerOp = &document.Estimate{} },
		"a side":       func(c *archive.Cell) { c.Subject.Environment = parameter.WithSide("", "old") },
	} {
		s := full()
		change(&s.cells[0])
		if text, _ := get(t, at(s), plain); strings.Contains(text, "\ncryptogauge_seconds_per_operation") || strings.Contains(text, "\ncryptogauge_library_info{") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// TestServed: over HTTP, compressed, as Prometheus asks.
func TestServed(t *testing.T) {
	server := httptest.NewServer(at(full()))
	defer server.Close()
	r, err := server.Client().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || !r.Uncompressed || !strings.Contains(string(text), "cryptogauge_store_up 1\n") {
		t.Errorf("%v %s", err, text)
	}
}

// TestDocumented: the package comment, which is where the contract stands, names every family with its labels.
func TestDocumented(t *testing.T) {
	source, err := os.ReadFile("metrics.go")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, line := range strings.Split(string(source), "\n") {
		for _, name := range regexp.MustCompile(`cryptogauge_[a-z_]+`).FindAllString(line, -1) {
			said[name] = true
		}
	}
	said["cryptogauge_seconds_per_operation_high"] = true // …_high
	described := make(chan *prometheus.Desc, 100)
	(&scrape{}).Describe(described)
	close(described)
	name := regexp.MustCompile(`fqName: "(\w+)"`)
	there := map[string]bool{}
	for d := range described {
		there[name.FindStringSubmatch(d.String())[1]] = true
	}
	if !maps.Equal(said, there) {
		t.Errorf("said: %v\nthere: %v", slices.Sorted(maps.Keys(said)), slices.Sorted(maps.Keys(there)))
	}
}

// TestOpening: a store in which nothing was filed yet is empty, one that was filed in is told of, and one that is then gone is away.
func TestOpening(t *testing.T) {
	at := archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")}
	gone := false
	h := Handler(Opening(func(ctx context.Context) (*archive.Archive, error) {
		if gone {
			return nil, archive.ErrNone
		}
		a, err := archive.Open(ctx, at, archive.Options{Access: archive.Read})
		if err == nil {
			t.Cleanup(func() { a.Close() })
		}
		return a, err
	}), Config{MaxAge: time.Nanosecond})
	if text, _ := get(t, h, plain); !strings.Contains(text, "cryptogauge_store_up 1\n") || strings.Contains(text, "runs_total") {
		t.Errorf("before anything is filed: %s", text)
	}
	a, err := archive.Open(t.Context(), at, archive.Options{Access: archive.Write})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, err := a.File(t.Context(), written(t, filepath.Join(t.TempDir(), "run"), noon, 3)); err != nil {
		t.Fatal(err)
	}
	for _, up := range []string{"1", "0"} {
		text, _ := get(t, h, plain)
		if !strings.Contains(text, "cryptogauge_store_up "+up+"\n") || strings.Count(text, "\ncryptogauge_seconds_per_operation{") != 3 ||
			!strings.Contains(text, "\ncryptogauge_runs_total{") {
			t.Errorf("up %s: %s", up, text)
		}
		gone = true
	}
}
