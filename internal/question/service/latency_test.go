package service

import (
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
)

// underLoads are requests, and their latency at three loads: well measured, by a client that was late, and by one
// that did not keep its schedule. metrics are set of all of them.
func underLoads(metrics map[string]float64) *answertest.Sheet {
	s := requests()
	for _, load := range []struct {
		percent              int
		behind, own, latency float64
	}{{50, 0, 20e3, 300e3}, {80, 0, 1100e3, 2e6}, {95, 0.031, 0, 0}} {
		parameters := parameter.With(parameter.Connections.Is(parameter.KeptOnes), parameter.Load.Is(load.percent))
		id := s.Time("service", "go", algorithm.HTTP, algorithm.ByTLS, algorithm.Serve, parameters, 0)
		r := s.Doc.Rows[len(s.Doc.Rows)-1]
		r.Bytes, r.NsPerOp = 1<<10, nil
		r.Metrics = map[string]document.Metric{"behind": {Value: load.behind, Unit: "1"}}
		for name, value := range metrics {
			r.Metrics[name] = document.Metric{Value: value}
		}
		of := func(x float64) *float64 { return &x }
		if load.latency > 0 {
			s.Doc.Distributions = append(s.Doc.Distributions,
				document.Distribution{RowID: id, Name: "latency", P50: load.latency / 3, P99: of(load.latency), P999: of(2 * load.latency), Count: 9000},
				document.Distribution{RowID: id, Name: "schedule_error", P50: load.own / 10, P99: of(load.own), P999: of(4 * load.own), Count: 9000})
		}
	}
	return s
}

func textsOf(s *answertest.Sheet, lang layout.Lang) string {
	answer.Add(&s.Doc, []answer.Question{Question})
	return answertest.Texts(&s.Doc, lang)
}

// TestLatencyIsTheServers: what the client did to itself is not said to be the server's.
func TestLatencyIsTheServers(t *testing.T) {
	metrics := map[string]float64{"rate_reached": 20_000, "saturated_rate": 20_000, "server_busy": 0.98}
	for lang, wants := range map[layout.Lang][]string{
		layout.English: {"Latency under load, TLS 1.3 over kept connections, from when each request was due " +
			"(100 % is 20000 requests/s, with the server's CPU 98 % busy): at 50 % p50 100 µs, p99 300 µs, p99.9 600 µs; " +
			"at 80 % p50 667 µs (half of p99, p99.9 or more may be the client's own delay); " +
			"at 95 % discarded: the client was 3.1 % behind its schedule."},
		layout.Chinese: {"100%% 为每秒", "80% 时 p50 667 µs（p99、p99.9 的一半以上可能来自客户端自身的延误）；95% 时不予采用：客户端落后其计划 3.1%"},
	} {
		for _, want := range wants {
			want = strings.ReplaceAll(want, "%%", "%")
			if got := textsOf(underLoads(metrics), lang); !strings.Contains(got, want) {
				t.Errorf("%s lacks %q:\n%s", lang, want, got)
			}
		}
	}
}

// TestLatencyIsDrawn: those of two loads or more that are the server's.
func TestLatencyIsDrawn(t *testing.T) {
	charts := func(s *answertest.Sheet) (n int) {
		answer.Add(&s.Doc, []answer.Question{Question})
		for _, c := range s.Doc.Layouts[0].Charts {
			if c.Title.EN == "p99 latency of a request over load" {
				n++
			}
		}
		return n
	}
	if n := charts(underLoads(nil)); n != 0 { // one load is well measured
		t.Errorf("%d charts of one load", n)
	}
	s := underLoads(nil)
	for i := range s.Doc.Distributions {
		if d := &s.Doc.Distributions[i]; d.Name == "schedule_error" {
			*d.P99 = 1000
		}
	}
	if n := charts(s); n != 1 {
		t.Errorf("%d charts of two loads", n)
	}
}

// TestSaturationIsTheServers: a rate counts only where the server's CPU was busy.
func TestSaturationIsTheServers(t *testing.T) {
	for _, test := range []struct {
		metrics map[string]float64
		want    string
	}{
		{map[string]float64{"rate_reached": 20_000, "saturated_rate": 21_000, "server_busy": 0.951}, "100 % is 20000 requests/s, with the server's CPU 95 % busy"},
		{map[string]float64{"rate_reached": 20_000, "saturated_rate": 21_000, "server_busy": 0.94}, // busy in few blocks
			"100 % is 20000 requests/s, where the client limits: the server's CPU is 94 % busy"},
		{map[string]float64{"rate_reached": 20_000, "server_busy": 0.5}, "where the client limits: the server's CPU is 50 % busy"},
	} {
		if got := textsOf(underLoads(test.metrics), layout.English); !strings.Contains(got, test.want) {
			t.Errorf("%v lacks %q:\n%s", test.metrics, test.want, got)
		}
	}
}

// TestUnreachedRate: it has no latency, and that is said.
func TestUnreachedRate(t *testing.T) {
	s := underLoads(map[string]float64{"rate_asked": 10_000, "rate_served": 7_000})
	s.Doc.Distributions = nil
	if got := textsOf(s, layout.English); !strings.Contains(got, "at 50 % discarded: 7000 of 10000 requests/s were reached") {
		t.Error(got)
	}
}

// TestErrorsByKind: the kinds that occurred are named with their numbers.
func TestErrorsByKind(t *testing.T) {
	high := 7.0
	r := &document.Row{Status: "ok", Metrics: map[string]document.Metric{"errors_refused": {}, "errors_reset": {Value: 3}, "errors_timeout": {High: &high}}}
	if got := errorsCell(r).Text.EN; got != "3 reset, 7 timeout" {
		t.Errorf("%q", got)
	}
	r.Metrics = map[string]document.Metric{"errors_refused": {}}
	if got := errorsCell(r).Text.EN; got != "none" {
		t.Errorf("%q", got)
	}
	if got := errorsCell(&document.Row{Status: "ok"}).Text; got != answer.Dash().Text {
		t.Errorf("%q", got)
	}
}
