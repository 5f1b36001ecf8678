package check

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/archive/archivetest"
	"github.com/cryptogauge/cryptogauge/internal/archive/history"
	"github.com/cryptogauge/cryptogauge/internal/document/documenttest"
	"github.com/cryptogauge/cryptogauge/internal/store"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/internal/web/metrics"
	"github.com/cryptogauge/cryptogauge/result"
)

func TestMain(m *testing.M) { os.Exit(archivetest.Main(m)) }

// month is one of nightly checks on one machine, whose runs are drawn from a seed. What is found in them is found by
// the check, by history and by the rules of deploy/prometheus, each as it is.
type month struct {
	seed     uint64
	library  string // becomes slower, by its new version
	from, to string // versions
	slower   int    // night
	wrong    int    // night, on which another library has a wrong output
	renewed  int    // night before which a new baseline is made; 0: never

	base  *Baseline
	dir   string
	filed *archive.Archive
}

const (
	nights   = 30
	slowdown = 1.15
	faulty   = "tjfoc" // the library with the wrong output
)

// began is the midnight before the first night; checks begin at two.
var began = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func (m *month) laboratory(night int) laboratory {
	l := healthy(m.seed*1000 + uint64(night))
	l.libraries = []string{"go", m.library, faulty}
	l.speed[m.library] = 2
	for _, library := range l.libraries { // between two nights placement in memory is another
		l.speed[library] *= math.Exp(0.004 * l.rnd.NormFloat64())
	}
	l.version = map[string]string{"go": "go1.26.7", m.library: m.from, faulty: "v1.4.1"}
	if night >= m.slower {
		l.speed[m.library] *= slowdown
		l.version[m.library] = m.to
	}
	if night == m.wrong {
		l.status[faulty] = result.Incorrect
	}
	return l
}

// session is a night's check.
func (m *month) session(t *testing.T, night int) *session {
	l := m.laboratory(night)
	started := began.AddDate(0, 0, night).Add(2 * time.Hour)
	tool := "v0.1.0"
	if m.library == ownLibrary {
		tool = l.version[ownLibrary]
	}
	s := &session{Config: Config{Suite: suite.Config{Name: "quick", Tool: tool}}, ctx: t.Context(), base: m.base, path: "baseline.json"}
	s.id.Machine = result.Machine{OS: "linux", Arch: "amd64", Kernel: "6.1.0", GoVersion: l.version["go"],
		CPU: result.CPU{Vendor: "AuthenticAMD", Model: "AMD EPYC", Online: 2, Allowed: 2, Cores: 2}}
	for _, library := range l.libraries {
		s.id.Libraries = append(s.id.Libraries, result.Library{Library: library, Version: l.version[library], CallPath: "go"})
	}
	s.report = &Report{Schema: SchemaReport, Tool: tool, Suite: "quick", Started: started, Machine: s.id.Machine, Libraries: s.id.Libraries, Rounds: []Round{}}
	s.take = func(this look) (*measured, error) {
		if this.round == screening {
			l.blocks, l.rounds = screenBlocks, screenRounds
		}
		run := l.file()
		m.header(run, s, "check-"+this.round, started)
		started = started.Add(3 * time.Minute)
		return m.written(run)
	}
	return s
}

func (m *month) header(run *result.Run, s *session, suite string, started time.Time) {
	run.Header.Started, run.Header.Suite, run.Header.Tool = started, suite, s.Suite.Tool
	run.Header.Machine, run.Header.Libraries = s.id.Machine, s.id.Libraries
}

// written is a run as it is read back from its file.
func (m *month) written(run *result.Run) (*measured, error) {
	folder, err := store.Create(m.dir, run.Header.Suite, run.Header.Started)
	if err != nil {
		return nil, err
	}
	file, err := folder.CreateRun()
	if err != nil {
		return nil, err
	}
	if err := documenttest.Write(file, run); err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	back, err := store.Open(folder.Path)
	if err != nil {
		return nil, err
	}
	return read(back, folder.Path), nil
}

// night makes a run and then a check, and files them with the report, as --store does.
func (m *month) night(t *testing.T, night int) {
	t.Helper()
	run := m.laboratory(night).file()
	s := m.session(t, night)
	m.header(run, s, "quick", s.report.Started.Add(-15*time.Minute))
	nightly, err := m.written(run)
	if err != nil {
		t.Fatal(err)
	}
	m.file(t, nightly.folder)
	if night == 0 || night == m.renewed {
		m.base = s.baseline([]*measured{nightly}, nil)
		s.base = m.base
		if night == 0 {
			return
		}
	}
	if err := s.rounds(); err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, r := range s.report.Rounds {
		folders = append(folders, r.Folders...)
	}
	last := store.Folder{Path: folders[len(folders)-1]}
	if _, err := last.WriteReport(ReportFile, s.report.WriteJSON); err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		m.file(t, folder)
	}
	t.Logf("%s: %s", s.report.Started.Format(time.DateOnly), s.report.Verdict)
}

func (m *month) file(t *testing.T, folder string) {
	t.Helper()
	if _, err := m.filed.File(t.Context(), folder); err != nil {
		t.Fatal(err)
	}
}

// TestMonth: in a month with one slowdown, which comes with a library's new version, and one wrong output on another day,
// history finds both days and the version, and one page and one ticket fire, and no more. Of our own library the check
// compares versions, and raises the ticket that night. Of others it refuses, which is a note if it stays, and the ticket
// is history's, some nights later.
func TestMonth(t *testing.T) {
	if testing.Short() {
		t.Skip("five months of seven seconds each")
	}
	own := month{library: ownLibrary, from: "v0.1.0", to: "v0.2.0", slower: 18, wrong: 24}
	other := month{library: "gmsm", from: "v0.43.0", to: "v0.44.0", slower: 18, wrong: 9, renewed: 22}
	for _, test := range []struct {
		name string
		month
		seed uint64
		note [2]int // from which night to which an undecided check is a note
	}{
		{"own library", own, 1, [2]int{}}, {"own library, another month", own, 2, [2]int{}}, {"another's library", other, 3, [2]int{21, 22}},
		{"another's library, another month", other, 4, [2]int{21, 22}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := test.month
			m.seed = test.seed
			m.run(t, archive.Location{Engine: archive.SQLite, Path: filepath.Join(t.TempDir(), "runs.sqlite")}, test.note)
		})
	}
	t.Run("PostgreSQL", func(t *testing.T) {
		at, err := archive.Parse(archivetest.Database(t))
		if err != nil {
			t.Fatal(err)
		}
		own.seed = 1
		own.run(t, at, [2]int{})
	})
}

// hours is how many scrapes there are: half past each hour.
const hours = 24 * nights

func (m *month) run(t *testing.T, at archive.Location, note [2]int) {
	a, err := archive.Open(t.Context(), at, archive.Options{Access: archive.Write})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	m.filed, m.dir = a, t.TempDir()
	var now time.Time
	h := metrics.Handler(a, metrics.Config{Now: func() time.Time { return now }})
	scraped := scrapes{}
	for i := range hours {
		if i%24 == 2 {
			m.night(t, i/24)
		}
		now = began.Add(time.Duration(i)*time.Hour + 30*time.Minute)
		scraped.add(t, h, i)
	}
	m.judgeHistory(t, a)

	since := scraped.first("cryptogauge_slowdown_ratio")
	if night := since / 24; since < 0 || night < m.slower || night > m.slower+8 {
		t.Errorf("history finds the slowdown of night %d in night %d", m.slower, night)
	}
	if m.library == ownLibrary {
		since = 24*m.slower + 2 // the check finds it at once
	}
	fired := []firing{
		{"CryptogaugeWrongOutput", "page", "", 24*m.wrong + 2, 24*(m.wrong+1) + 2},
		{"CryptogaugeSlower", "ticket", "", since, hours},
	}
	if note[0] > 0 {
		fired = append(fired, firing{"CryptogaugeCheckUndecided", "note", "quick", 24*note[0] + 2, 24*note[1] + 2})
	}
	prove(t, scraped, m.key(t, a), fired)
}

// judgeHistory holds what history finds to what was planted.
func (m *month) judgeHistory(t *testing.T, a *archive.Archive) {
	t.Helper()
	series, err := a.History(t.Context(), archive.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	day := func(night int) string { return began.AddDate(0, 0, night).Format(time.DateOnly) }
	want := []string{
		fmt.Sprintf("%s %s slower: library %s %s → %s", day(m.slower), m.library, m.library, m.from, m.to),
		fmt.Sprintf("%s %s wrong", day(m.wrong), faulty),
		fmt.Sprintf("%s %s right", day(m.wrong+1), faulty),
	}
	var got []string
	for _, course := range history.Analyse(series) {
		for _, c := range course.Changes {
			said := fmt.Sprintf("%s %s %s", c.Time.Format(time.DateOnly), course.Subject.Library, c.Kind)
			if c.Ratio != 0 {
				for _, cause := range c.Causes {
					said += fmt.Sprintf(": %s %s %s → %s", cause.What, cause.Name, cause.From, cause.To)
				}
				t.Logf("history: %s, %.3f times as long [%.3f, %.3f]", said, c.Ratio, c.Low, c.High)
				if c.Low > slowdown || c.High < slowdown {
					t.Errorf("%s: %.3f times as long [%.3f, %.3f], planted was %g", said, c.Ratio, c.Low, c.High, slowdown)
				}
			} else {
				t.Logf("history: %s", said)
			}
			got = append(got, said)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("history finds\n%s\nplanted was\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// key is the machine's in the store.
func (m *month) key(t *testing.T, a *archive.Archive) string {
	t.Helper()
	machines, err := a.Machines(t.Context())
	if err != nil || len(machines) != 1 {
		t.Fatal(machines, err)
	}
	return machines[0].Key
}

// scrapes are series by name and labels: a value or "_" an hour.
type scrapes map[string][]string

func (s scrapes) add(t *testing.T, h http.Handler, hour int) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "cryptogauge_store_up 1") {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	for line := range strings.Lines(w.Body.String()) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndexByte(line, ' ')
		name := line[:at]
		if s[name] == nil {
			s[name] = slices.Repeat([]string{"_"}, hours)
		}
		s[name][hour] = strings.TrimSpace(line[at+1:])
	}
}

// first is the first hour in which there is a series of a name; -1 if never.
func (s scrapes) first(name string) int {
	first := -1
	for series, values := range s {
		if i := slices.IndexFunc(values, func(v string) bool { return v != "_" }); strings.HasPrefix(series, name+"{") && (first < 0 || i < first) {
			first = i
		}
	}
	return first
}

// firing is an alert from an hour to before another.
type firing struct {
	alert, severity, suite string
	from, to               int
}

// prove has promtool evaluate the rules hour by hour: those that shall fire do, and no others.
func prove(t *testing.T, s scrapes, machine string, fired []firing) {
	t.Helper()
	promtool, err := exec.LookPath("promtool")
	switch {
	case err == nil:
	case os.Getenv("CI") == "true":
		t.Fatal("promtool is not installed (Debian: prometheus)")
	default:
		t.Skip("promtool is not installed (Debian: prometheus)")
	}
	rules, err := filepath.Abs("../../deploy/prometheus/rules.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "rule_files: [%q]\nevaluation_interval: 1h\ntests:\n- interval: 1h\n  input_series:\n", rules)
	for series, values := range s {
		fmt.Fprintf(&b, "  - series: '%s'\n    values: '%s'\n", series, strings.Join(values, " "))
	}
	b.WriteString("  promql_expr_test:\n")
	for hour := range hours {
		fmt.Fprintf(&b, "  - expr: ALERTS{alertstate=\"firing\"}\n    eval_time: %dh\n    exp_samples:\n", hour)
		for _, f := range fired {
			if f.from <= hour && hour < f.to {
				suite := ""
				if f.suite != "" {
					suite = fmt.Sprintf(", suite=%q", f.suite)
				}
				fmt.Fprintf(&b, "    - {value: 1, labels: 'ALERTS{alertname=%q, alertstate=\"firing\", severity=%q, machine=%q%s}'}\n", f.alert, f.severity, machine, suite)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "month.yaml")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(promtool, "test", "rules", path).CombinedOutput()
	if err != nil {
		t.Fatalf("promtool: %v\n%.6000s", err, out)
	}
	for _, f := range fired {
		at := func(hour int) string {
			return began.Add(time.Duration(hour)*time.Hour + 30*time.Minute).Format("2006-01-02 15:04")
		}
		t.Logf("fired once: %s (%s), from %s until %s", f.alert, f.severity, at(f.from), at(f.to))
	}
}
