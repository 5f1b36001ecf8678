package handshake

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/answer/answertest"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/result"
)

// greetings is a run of handshakes, made by hand.
func greetings() *answertest.Sheet {
	s := &answertest.Sheet{}
	row := func(mode, resumed, transport string, both, server, toServer, toClient float64) string {
		span := func(x float64) (low, high *float64) { l, h := x*0.99, x*1.01; return &l, &h }
		low, high := span(both)
		sLow, sHigh := span(server)
		r := &document.Row{ID: "handshake/" + mode + "/" + resumed + "/" + transport, Experiment: "handshake", Algorithm: "TLS 1.3", Mode: mode, Operation: "handshake",
			Parameters: fmt.Sprintf("resumed=%s,transport=%s", resumed, transport), Library: "go", Version: "go1.26", Status: result.OK,
			NsPerOp: &document.Estimate{Median: both, Low: low, High: high, Clock: "process"},
			Metrics: map[string]document.Metric{"bytes_to_server": {Value: toServer, Unit: "B"}, "bytes_to_client": {Value: toClient, Unit: "B"}}}
		if transport == "memory" {
			r.Metrics["server_cpu_ns"] = document.Metric{Value: server, Low: sLow, High: sHigh, Unit: "ns"}
			r.Metrics["client_cpu_ns"] = document.Metric{Value: both - server, Unit: "ns"}
		}
		s.Doc.Rows = append(s.Doc.Rows, r)
		p95, p99 := 1.5*both, 2*both
		s.Doc.Distributions = append(s.Doc.Distributions, document.Distribution{RowID: r.ID, Name: "latency", Unit: "ns", P50: both, P95: &p95, P99: &p99, Count: 1000})
		return r.ID
	}
	classical := row("X25519+ECDSA-P-256", "no", "memory", 500e3, 200e3, 355, 947)
	usual := row("X25519MLKEM768+ECDSA-P-256", "no", "memory", 750e3, 250e3, 1539, 2034)
	long := row("X25519MLKEM768+RSA-2048", "no", "memory", 2000e3, 1250e3, 1539, 2422)
	resumed := row("X25519MLKEM768+ECDSA-P-256", "yes", "memory", 500e3, 225e3, 1691, 1480)
	tcp := row("X25519MLKEM768+ECDSA-P-256", "no", "tcp", 1000e3, 0, 1539, 2034)
	s.Compare(classical, usual, 0.667, 0.65, 0.68, "slower")
	s.Compare(usual, long, 0.375, 0.37, 0.38, "slower")
	s.Compare(usual, resumed, 1.5, 1.49, 1.51, "faster")
	s.Compare(usual, tcp, 0.75, 0.74, 0.76, "slower")
	s.Doc.Rows = append(s.Doc.Rows, &document.Row{ID: "handshake/empty", Experiment: "handshake", Algorithm: "empty", Operation: "handshake", Parameters: "transport=memory",
		Library: "harness", Status: result.OK, NsPerOp: &document.Estimate{Median: 9000}})
	return s
}

func TestHandshakeSentences(t *testing.T) {
	d := &greetings().Doc
	answer.Add(d, []answer.Question{Question})
	for _, want := range []string{
		"Choose an ECDSA P-256 certificate, not RSA: full handshakes (X25519MLKEM768) per second of server CPU time: ECDSA-P-256 4000 (3960–4040), RSA-2048 800 (792–808).",
		"a full handshake with X25519MLKEM768 takes 1.50 times as long as X25519 (1.47–1.54) (CPU time of both sides); the server's part is 250 µs (248" +
			"–252 µs), with X25519 200 µs (198–202 µs); it sends 1184 more bytes to the server and 1087 more to the client.",
		"Resuming a session (X25519MLKEM768, certificate of ECDSA-P-256) is 1.50 times as fast as a full handshake (1.49–1.51); it sends 152 more bytes to the server and 554 fewer to the client.",
		"p50 is 1.00 ms and p99 is 2.00 ms",
		"memory 9.00 µs",
	} {
		if !strings.Contains(answertest.Texts(d, layout.English), want) {
			t.Errorf("no sentence says %q in:\n%s", want, answertest.Texts(d, layout.English))
		}
	}
	answertest.CheckLayout(t, d)
}

// TestHandshakeChoosesNothingUnproven: where RSA is not shown to be slower, no certificate is recommended.
func TestHandshakeChoosesNothingUnproven(t *testing.T) {
	s := greetings()
	for i := range s.Doc.Comparisons {
		s.Doc.Comparisons[i].Verdict = "inconclusive"
	}
	answer.Add(&s.Doc, []answer.Question{Question})
	for _, a := range s.Doc.Answers {
		if a.Mark == layout.Choose {
			t.Errorf("chosen without a verdict: %s", a.Text.EN)
		}
	}
}

func TestHandshakeWithoutIntervals(t *testing.T) {
	s := greetings()
	for i := range s.Doc.Comparisons {
		s.Doc.Comparisons[i].Low, s.Doc.Comparisons[i].High = nil, nil
	}
	answer.Add(&s.Doc, []answer.Question{Question})
	if got := answertest.Texts(&s.Doc, layout.English); strings.Contains(got, "times") || strings.Contains(got, "Choose") {
		t.Errorf("said without an interval:\n%s", got)
	}
}
