// Package prometheus_test holds the alerts to what they say: promtool and amtool read the files, a real Prometheus scrapes
// a server on loopback and evaluates the rules, and a real Alertmanager keeps quiet what shall be.
package prometheus_test

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/web/metrics"
)

const (
	ofPrometheus   = "Debian: prometheus"
	ofAlertmanager = "Debian: prometheus-alertmanager"
)

// need gives the path of a program; where it is not installed the test is skipped, and with CI=true it fails.
func need(t *testing.T, program, packages string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	switch {
	case err == nil:
		return path
	case os.Getenv("CI") == "true":
		t.Fatalf("%s is not installed (%s)", program, packages)
	}
	t.Skipf("%s is not installed (%s)", program, packages)
	return ""
}

// run runs a program in a folder, which must end well.
func run(t *testing.T, dir, program string, args ...string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s %s: %v\n%s", filepath.Base(program), strings.Join(args, " "), err, out)
	}
}

func TestRules(t *testing.T) {
	if testing.Short() {
		t.Skip("has promtool simulate weeks")
	}
	promtool := need(t, "promtool", ofPrometheus)
	run(t, ".", promtool, "check", "rules", "--lint=all", "--lint-fatal", "rules.yaml")
	run(t, ".", promtool, "test", "rules", "rules_test.yaml")
}

// TestRulesBite: rules that say something else fail the tests of rules.
func TestRulesBite(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	promtool := need(t, "promtool", ofPrometheus)
	for was, is := range map[string]string{
		`severity="page"}[15m])) == 1`: `severity="page"}[15m])) == 2`,
		"max by (machine) (max_over_time(cryptogauge_check_status{severity=\"ticket\"}": "max by (machine, suite) (max_over_time(cryptogauge_check_status{severity=\"ticket\"}",
		"36 * 3600":                 "38 * 3600",
		"bool 1.05":                 "bool 1.02",
		"for: 3d":                   "for: 1d",
		`up{job="cryptogauge"}`:     "up",
		"cryptogauge_store_up[15m]": "cryptogauge_store_up[1m]",
	} {
		dir := t.TempDir()
		rules := text(t, "rules.yaml")
		if !strings.Contains(rules, was) {
			t.Fatalf("the rules have no %s", was)
		}
		write(t, filepath.Join(dir, "rules.yaml"), strings.Replace(rules, was, is, 1))
		write(t, filepath.Join(dir, "rules_test.yaml"), text(t, "rules_test.yaml"))
		cmd := exec.Command(promtool, "test", "rules", "rules_test.yaml")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err == nil {
			t.Errorf("%s in the place of %s: %s", is, was, out)
		}
	}
}

func TestConfigurations(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"rules.yaml", "prometheus.yaml"} {
		write(t, filepath.Join(dir, name), text(t, name))
	}
	write(t, filepath.Join(dir, "token"), "t")
	write(t, filepath.Join(dir, "ca.pem"), "")
	run(t, dir, need(t, "promtool", ofPrometheus), "check", "config", "prometheus.yaml")
	run(t, ".", need(t, "amtool", ofAlertmanager), "check-config", "alertmanager.yaml")
}

func text(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// changed is a file of this folder with other words in it, each of which must be there.
func changed(t *testing.T, name string, words ...string) string {
	t.Helper()
	all := text(t, name)
	for i := 0; i < len(words); i += 2 {
		if !strings.Contains(all, words[i]) {
			t.Fatalf("%s has no %s", name, words[i])
		}
		all = strings.ReplaceAll(all, words[i], words[i+1])
	}
	return all
}

// daemon is a program that ends with the test. It gives the address that it listens on.
func daemon(t *testing.T, dir, program string, args ...string) (address string) {
	t.Helper()
	log, err := os.Create(filepath.Join(dir, filepath.Base(program)+".log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("%s said\n%s", filepath.Base(program), text(t, log.Name()))
		}
	})
	listening := regexp.MustCompile(`msg="Listening on" address=(\S+)`)
	eventually(t, func() error {
		m := listening.FindStringSubmatch(text(t, log.Name()))
		if m == nil {
			return fmt.Errorf("%s does not listen", program)
		}
		address = m[1]
		return nil
	})
	return address
}

// eventually tries until there is no error; long after anything takes it gives up.
func eventually(t *testing.T, try func() error) {
	t.Helper()
	deadline := time.Now().Add(3 * time.Minute)
	for {
		err := try()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// ask reads JSON from a program.
func ask(address, path string, query url.Values, into any) error {
	r, err := http.Get("http://" + address + path + "?" + query.Encode())
	if err != nil {
		return err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if r.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", r.Status, body)
	}
	return json.Unmarshal(body, into)
}

// pager notes who is told of what.
type pager struct {
	mu   sync.Mutex
	told map[string][]string // receiver → alert and machine
}

func (p *pager) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	var message struct {
		Alerts []struct{ Labels map[string]string }
	}
	_ = json.NewDecoder(r.Body).Decode(&message)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range message.Alerts {
		to := strings.TrimPrefix(r.URL.Path, "/")
		if said := a.Labels["alertname"] + " " + a.Labels["machine"]; !slices.Contains(p.told[to], said) {
			p.told[to] = append(p.told[to], said)
		}
	}
}

// wait waits until a receiver was told of something, and gives all that all were told of.
func (p *pager) wait(t *testing.T, receiver, what string) map[string][]string {
	t.Helper()
	var all map[string][]string
	eventually(t, func() error {
		p.mu.Lock()
		defer p.mu.Unlock()
		all = maps.Clone(p.told)
		if !slices.Contains(all[receiver], what) {
			return fmt.Errorf("%s was not told of %s; all were told of %v", receiver, what, all)
		}
		return nil
	})
	return all
}

const token = "a token of the test's"

// served is a small server of metrics, by TLS, for whoever has the token.
func served(t *testing.T, s metrics.Store) *httptest.Server {
	h := metrics.Handler(s, metrics.Config{MaxAge: time.Millisecond})
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/metrics" || r.Header.Get("Authorization") != "Bearer "+token {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server
}

// watched is a store, the server of its metrics, a Prometheus that scrapes it each second with this folder's files, and
// an Alertmanager that it tells.
type watched struct {
	store      *fleet
	prometheus string
	alerts     string
	pager      *pager
}

func watch(t *testing.T) watched {
	if testing.Short() {
		t.Skip("alerts wait for more than a minute")
	}
	prometheus, alertmanager := need(t, "prometheus", ofPrometheus), need(t, "prometheus-alertmanager", ofAlertmanager)
	dir := t.TempDir()
	w := watched{store: newFleet(), pager: &pager{told: map[string][]string{}}}
	told := httptest.NewServer(w.pager)
	t.Cleanup(told.Close)
	write(t, filepath.Join(dir, "alertmanager.yaml"), changed(t, "alertmanager.yaml", "http://127.0.0.1:9099", told.URL, "group_wait: 30s", "group_wait: 1s"))
	w.alerts = daemon(t, dir, alertmanager, "--config.file=alertmanager.yaml", "--storage.path=alerts", "--web.listen-address=127.0.0.1:0", "--cluster.listen-address=")

	server := served(t, w.store)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	write(t, filepath.Join(dir, "ca.pem"), string(ca))
	write(t, filepath.Join(dir, "token"), token)
	write(t, filepath.Join(dir, "rules.yaml"), changed(t, "rules.yaml", "[15m]", "[20s]"))
	write(t, filepath.Join(dir, "prometheus.yaml"), changed(t, "prometheus.yaml", ": 1m", ": 1s", "127.0.0.1:9093", w.alerts, "127.0.0.1:8473", server.Listener.Addr().String()))
	w.prometheus = daemon(t, dir, prometheus, "--config.file=prometheus.yaml", "--storage.tsdb.path=data", "--web.listen-address=127.0.0.1:0")
	return w
}

// query gives the samples of an expression.
func (w watched) query(expr string) (samples []map[string]string, err error) {
	var answer struct {
		Data struct {
			Result []struct{ Metric map[string]string }
		}
	}
	err = ask(w.prometheus, "/api/v1/query", url.Values{"query": {expr}}, &answer)
	for _, r := range answer.Data.Result {
		samples = append(samples, r.Metric)
	}
	return samples, err
}

// seen waits until Prometheus has evaluated its rules on a scrape after now, and fired just these alerts.
func (w watched) seen(t *testing.T, want ...string) {
	t.Helper()
	mark := w.store.mark()
	slices.Sort(want)
	eventually(t, func() error {
		found, err := w.query(fmt.Sprintf("cryptogauge_runs_total == %d", mark))
		if err == nil && len(found) == 0 {
			err = fmt.Errorf("the scrape is still to come")
		}
		return err
	})
	scraped := time.Now()
	eventually(t, func() error {
		err := w.evaluated(scraped)
		var answer struct {
			Data struct {
				Alerts []struct {
					Labels map[string]string
					State  string
				}
			}
		}
		if err == nil {
			err = ask(w.prometheus, "/api/v1/alerts", nil, &answer)
		}
		if err != nil {
			return err
		}
		got := []string{}
		for _, a := range answer.Data.Alerts {
			if a.State == "firing" {
				got = append(got, strings.TrimSpace(a.Labels["severity"]+" "+a.Labels["alertname"]+" "+a.Labels["machine"]))
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			return fmt.Errorf("there fire\n%s\nand should\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		return nil
	})
	t.Logf("fires: %q", want)
}

// evaluated says whether the rules were evaluated since a time.
func (w watched) evaluated(since time.Time) error {
	var answer struct {
		Data struct {
			Groups []struct{ LastEvaluation time.Time }
		}
	}
	err := ask(w.prometheus, "/api/v1/rules", nil, &answer)
	switch groups := answer.Data.Groups; {
	case err != nil:
		return err
	case len(groups) != 1 || !groups[0].LastEvaluation.After(since):
		return fmt.Errorf("the rules are still to be evaluated: %v", groups)
	}
	return nil
}

// TestAlertsFire: what is wrong, slower, stale or away fires just the alerts that it should, and they end with it.
func TestAlertsFire(t *testing.T) {
	w := watch(t)
	w.seen(t)

	w.store.set("m", state{wrong: 1})
	w.seen(t, "page CryptogaugeWrongOutput m")
	w.pager.wait(t, "page", "CryptogaugeWrongOutput m")

	// A page keeps the ticket and the note of its machine quiet, and a ticket the note of its own.
	w.store.set("m", state{wrong: 1, slower: 1, age: 40 * time.Hour})
	w.store.set("n", state{changed: true})
	w.seen(t, "page CryptogaugeWrongOutput m", "ticket CryptogaugeSlower m", "note CryptogaugeCheckStale m", "ticket CryptogaugeSlower n")
	w.pager.wait(t, "ticket", "CryptogaugeSlower n")
	w.store.set("n", state{changed: true, age: 40 * time.Hour})
	w.store.set("o", state{age: 40 * time.Hour})
	told := w.pager.wait(t, "note", "CryptogaugeCheckStale o")
	w.suppressed(t, "CryptogaugeSlower m", "CryptogaugeCheckStale m", "CryptogaugeCheckStale n")
	t.Logf("told of: %q", told)
	for receiver, what := range map[string]string{"page": "CryptogaugeWrongOutput m", "ticket": "CryptogaugeSlower n", "note": "CryptogaugeCheckStale o"} {
		if !slices.Equal(told[receiver], []string{what}) {
			t.Errorf("%s was told of %v", receiver, told[receiver])
		}
	}
	w.dashboard(t)

	for _, machine := range []string{"m", "n", "o"} {
		w.store.set(machine, state{})
	}
	w.seen(t)
	w.store.fail()
	eventually(t, func() error {
		found, err := w.query(`ALERTS{alertstate="firing", alertname="CryptogaugeStoreAway"}`)
		if err == nil && len(found) != 1 {
			err = fmt.Errorf("the store is away, and there fire %v", found)
		}
		return err
	})
}

// suppressed waits until Alertmanager keeps just these quiet.
func (w watched) suppressed(t *testing.T, want ...string) {
	t.Helper()
	slices.Sort(want)
	eventually(t, func() error {
		var alerts []struct {
			Labels map[string]string
			Status struct{ State string }
		}
		if err := ask(w.alerts, "/api/v2/alerts", nil, &alerts); err != nil {
			return err
		}
		got := []string{}
		for _, a := range alerts {
			if a.Status.State == "suppressed" {
				got = append(got, a.Labels["alertname"]+" "+a.Labels["machine"])
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			return fmt.Errorf("quiet are %q, and should be %q", got, want)
		}
		return nil
	})
}

// dashboard asks every query of the dashboard: it is of metrics that there are, and shows something.
func (w watched) dashboard(t *testing.T) {
	t.Helper()
	var names struct{ Data []string }
	if err := ask(w.prometheus, "/api/v1/label/__name__/values", nil, &names); err != nil {
		t.Fatal(err)
	}
	queries := dashboardQueries(t)
	if len(queries) < 10 {
		t.Errorf("only %d queries are found in the dashboard", len(queries))
	}
	for _, query := range queries {
		for _, name := range regexp.MustCompile(`cryptogauge_\w+`).FindAllString(query, -1) {
			if !slices.Contains(names.Data, name) {
				t.Errorf("there is no metric %s, which the dashboard asks for", name)
			}
		}
		found, err := w.query(query)
		if err != nil || len(found) == 0 {
			t.Errorf("%s shows %d series, %v", query, len(found), err)
		}
	}
}

// dashboardQueries are those of the panels and of the variables, with every variable as it is for all.
func dashboardQueries(t *testing.T) (queries []string) {
	t.Helper()
	var d struct {
		Title      string
		Panels     []struct{ Targets []struct{ Expr string } }
		Templating struct {
			List []struct{ Name, Type, Definition, AllValue string }
		}
	}
	dec := json.NewDecoder(bytes.NewReader([]byte(text(t, "../grafana/dashboard.json"))))
	if err := dec.Decode(&d); err != nil || d.Title == "" {
		t.Fatal("the dashboard can't be read: ", err)
	}
	all := []string{}
	for _, v := range d.Templating.List {
		if v.Type == "query" {
			all = append(all, "$"+v.Name, v.AllValue)
			metric, _, _ := strings.Cut(strings.TrimPrefix(v.Definition, "label_values("), ",")
			queries = append(queries, metric)
		}
	}
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			expr := strings.NewReplacer(all...).Replace(target.Expr)
			if strings.Contains(expr, "$") {
				t.Errorf("%s has a variable that there is not", target.Expr)
			}
			queries = append(queries, expr)
		}
	}
	return queries
}
