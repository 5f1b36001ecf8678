package main

import (
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/command"
	"github.com/cryptogauge/cryptogauge/internal/traffic"
)

// TestVerdictOfALoad: what a script goes by. A wrong body is worse than all else.
func TestVerdictOfALoad(t *testing.T) {
	measured := func(change func(*traffic.Result)) *traffic.Result {
		r := &traffic.Result{Plan: traffic.Plan{Rate: 1000, Connections: 1}, Took: time.Second, Ended: time.Second, Due: 1000, Right: 1000,
			Failures: map[traffic.Failure]int64{}}
		change(r)
		return r
	}
	failed := func(kind traffic.Failure, n int64) *traffic.Result {
		return measured(func(r *traffic.Result) { r.Right, r.Failures[kind] = r.Right-n, n })
	}
	right := measured(func(*traffic.Result) {})
	for _, test := range []struct {
		results []*traffic.Result
		code    int
	}{
		{[]*traffic.Result{right, right}, 0},
		{[]*traffic.Result{failed(traffic.Refused, 10)}, 0},
		{[]*traffic.Result{right, failed(traffic.Refused, 11)}, command.ExitInconclusive},
		{[]*traffic.Result{failed(traffic.Refused, 1000)}, command.ExitInconclusive},
		{[]*traffic.Result{failed(traffic.Refused, 1000), failed(traffic.WrongBody, 1)}, exitWrong},
		{[]*traffic.Result{measured(func(r *traffic.Result) { r.Waited, r.Ended = 900, 3*time.Second })}, command.ExitInconclusive},
		{[]*traffic.Result{measured(func(r *traffic.Result) { r.Overrun = time.Second })}, command.ExitInconclusive},
	} {
		err := verdictOf(&traffic.Report{Results: test.results})
		code := command.CodeOf(err)
		if code != test.code || (err == nil) != (code == 0) {
			t.Errorf("code %d, %v; want %d", code, err, test.code)
		}
	}
}

// TestNoRateWasKept: a script that reads JSON is told why, too.
func TestNoRateWasKept(t *testing.T) {
	above := &traffic.Result{Plan: traffic.Plan{Rate: 500, Connections: 4}, Took: time.Second, Ended: 4 * time.Second, Due: 500, Right: 320, Waited: 450}
	err := verdictOf(&traffic.Report{Highest: &traffic.Highest{Limit: traffic.ByServer, Above: above}})
	if command.CodeOf(err) != command.ExitInconclusive || !strings.Contains(err.Error(), "down to 500 a second: the server or 4 connections give 80 answers") {
		t.Errorf("%d, %v", command.CodeOf(err), err)
	}
}
