// Package selftest lets the laboratory prove itself: it measures what it already
// knows, live, through the same workers, plans and statistics as any run, and
// holds what comes out against what should have.
//
// Two kinds of shortfall are told apart. A figure that a busy machine can spoil
// (too few planted slowdowns found) is missed. What no machine may do (a verdict in
// the wrong direction, a wrong output passed, a lost sample) is a failure.
package selftest

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// Config says how much is tested.
type Config struct {
	Full   bool          // all counts of the table
	Budget time.Duration // for the short form; the counts shrink to fit
	Seed   uint64
	Start  func(plan.WorkerKey) (measure.Worker, error)
	// Progress is told how much of all tests is done and which runs; may be nil.
	Progress func(share float64, test language.Text)
}

// Expected is about how long the tests take.
func (c Config) Expected() (d time.Duration) {
	for _, t := range table() {
		d += t.takes(c)
	}
	return d
}

// Verdict is how a test ended.
type Verdict string

const (
	Reached Verdict = "ok"
	Missed  Verdict = "missed" // the machine was too noisy, or the figure is not met here
	Failed  Verdict = "FAILED" // the laboratory is wrong
	Skipped Verdict = "skipped"
)

var verdictNames = map[Verdict]language.Text{
	Reached: {EN: string(Reached), ZH: "达标"},
	Missed:  {EN: string(Missed), ZH: "未达标"},
	Failed:  {EN: string(Failed), ZH: "失败"},
	Skipped: {EN: string(Skipped), ZH: "跳过"},
}

// Outcome is one line of the table.
type Outcome struct {
	Test    language.Text
	Accept  language.Text // what the table demands
	Got     language.Text
	Verdict Verdict
	Took    time.Duration
}

// Lines are the outcome as people read it.
func (o Outcome) Lines() language.Text {
	return language.Say("%-7s %s: %s\n        accepted: %s; took %s", "[%s] %s：%s\n        达标条件：%s；用时 %s",
		verdictNames[o.Verdict], o.Test, o.Got, o.Accept, o.Took.Round(100*time.Millisecond))
}

// run runs a test of the table, with so many comparisons.
type run func(ctx context.Context, s *session, n int) (got language.Text, v Verdict, err error)

type test struct {
	name, accept language.Text
	full         int           // comparisons in the full form; 0 where the count is not scaled
	least        int           // comparisons in any form
	weight       float64       // share of the short form's budget
	slow         float64       // how many times perComparison one takes
	fixed        time.Duration // what it takes besides
	run
}

// Run runs the tests in order and hands each outcome to show as it comes.
func Run(ctx context.Context, c Config, show func(Outcome)) error {
	s := &session{cfg: c}
	var before time.Duration
	for _, t := range table() {
		begun, takes := time.Now(), t.takes(c)
		s.progress = func(share float64) {
			if c.Progress != nil {
				c.Progress(float64(before+time.Duration(share*float64(takes)))/float64(c.Expected()), t.name)
			}
		}
		s.progress(0)
		got, v, err := t.run(ctx, s, t.count(c))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return language.Errorf("%s: %w", "%s：%s", t.name, err)
		}
		before += takes
		show(Outcome{t.name, t.accept, got, v, time.Since(begun)})
	}
	return nil
}

// perComparison is what one comparison of 15 blocks of 7 rounds takes: two
// trials' samples, opening and closing.
const perComparison = 250 * time.Millisecond

// count shrinks a test's number of comparisons to its share of the budget.
func (t test) count(c Config) int {
	if c.Full || t.full == 0 {
		return t.full
	}
	share := time.Duration(t.weight * float64(c.Budget))
	return max(t.least, min(t.full, int(float64(share)/float64(perComparison)/t.slow)))
}

func (t test) takes(c Config) time.Duration {
	return t.fixed + time.Duration(float64(t.count(c))*t.slow*float64(perComparison))
}

type session struct {
	cfg      Config
	seed     uint64
	progress func(share float64)
}

// pair is one comparison to make: how many calls each side makes per operation,
// and whether the sides live in different workers.
type pair struct {
	base, other int
	apart       bool
}

const (
	blocks   = 15
	deadline = 30 * time.Second
)

type effort struct {
	rounds int
	sample time.Duration
}

var (
	usual = effort{7, 800 * time.Microsecond} // the default of every experiment in full
	// thorough finds 2 % where neighbours on the same core move single samples by 2 to 3 %.
	thorough = effort{31, 800 * time.Microsecond}
	// brief is for tables: five thousand comparisons are many, and a false verdict is
	// no less likely in short samples.
	brief = effort{7, 200 * time.Microsecond}
)

// compare measures pairs, each in a group of its own, and returns a comparison for each at 99 %.
func (s *session) compare(ctx context.Context, pairs []pair, e effort) (cs []stat.Comparison, err error) {
	measured, err := s.pairs(ctx, pairs, e)
	for _, p := range measured {
		cs = append(cs, stat.Compare(p.Base, p.Other, stat.RowLevel, stat.MinFloor))
	}
	return cs, err
}

func (s *session) pairs(ctx context.Context, pairs []pair, e effort) (measured []stat.Pair, err error) {
	all := plan.Plan{Experiment: "selftest"}
	for _, p := range pairs {
		other := planted(p.other)
		if p.apart {
			other.Copy = 1
		}
		all.Groups = append(all.Groups, plan.Group{Trials: []plan.Trial{planted(p.base), other}})
	}
	got, err := s.measure(ctx, all, e)
	if err != nil || ctx.Err() != nil {
		return nil, err
	}
	for i := range pairs {
		base, other := got.paired(2*i, 2*i+1)
		if base == nil {
			return nil, language.Errorf("samples of comparison %d are lost", "第 %d 次比较的采样丢失", i)
		}
		measured = append(measured, stat.Pair{Base: base, Other: other, Headline: true})
	}
	return measured, nil
}

// measure runs a plan with the default numbers, and reads what it gave as reports do.
func (s *session) measure(ctx context.Context, pl plan.Plan, e effort) (measured, error) {
	s.seed++
	kept := &measure.Memory{}
	lab := &measure.Lab{Start: s.cfg.Start, Sink: kept, Progress: func(p measure.Progress) { s.progress(p.Done) }}
	_, err := lab.Run(ctx, pl, plan.Config{Blocks: blocks, Rounds: e.rounds, Target: e.sample,
		Seed: s.cfg.Seed + s.seed, Deadline: deadline})
	if err == nil && len(kept.Statuses) > 0 {
		err = language.Errorf("a trial that must work did not: %s", "必须能运行的测试项未能运行：%s",
			reason.Said(kept.Statuses[0].Reason, kept.Statuses[0].Cause))
	}
	if err != nil {
		return measured{}, err
	}
	return measured{document.Build(&kept.Run), e.rounds}, nil
}

var harness = result.Subject{Library: subject.Harness, Version: "1", CallPath: subject.Direct}

// planted is AES-128-CBC on 1 KiB, called this many times per operation.
func planted(calls int) plan.Trial {
	return plan.Trial{Trial: result.Trial{Subject: harness, Case: result.Case{Algorithm: algorithm.Planted, Mode: "AES-128-CBC",
		Operation: algorithm.Encrypt, Bytes: 1024, Parameters: parameter.Calls.Is(calls)}}}
}

// chain is a loop of dependent steps of known latency.
func chain(mode string, steps int64) plan.Trial {
	return plan.Trial{Trial: result.Trial{Subject: harness, Case: result.Case{Algorithm: algorithm.Chain, Mode: mode,
		Operation: algorithm.Steps, Parameters: parameter.Steps.Is(steps)}}}
}

type measured struct {
	doc    *document.Document
	rounds int
}

// times returns a trial's times by block; nil where a sample is missing or a block was not closed by a check.
func (m measured) times(trial int) (times [][]float64) {
	if trial < len(m.doc.Rows) {
		times = m.doc.Times(trial)
	}
	if !m.whole(times) {
		return nil
	}
	return times
}

// paired returns the times of two trials on one clock, nil as times does.
func (m measured) paired(base, other int) (x, y [][]float64) {
	if other < len(m.doc.Rows) {
		x, y = m.doc.Paired(base, other)
	}
	if !m.whole(x) || !m.whole(y) {
		return nil, nil
	}
	return x, y
}

func (m measured) whole(times [][]float64) bool {
	for _, block := range times {
		if len(block) != m.rounds || slices.ContainsFunc(block, math.IsNaN) {
			return false
		}
	}
	return len(times) == blocks
}
