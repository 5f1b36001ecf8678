// Package password asks with which parameters a server should hash passwords: the strongest of each algorithm that
// keep a budget of time and memory for a login.
//
// The time of a call is size·(a + b·times), of Argon2id memory and passes, of the others one and the work. Two cheap
// calls of each algorithm, its rungs, are measured in every block beside the others, and their line predicts any other.
// The short form chooses by it and measures no choice. The full form needs to know its choice before it is measured:
// the suite times the rungs once, before it plans (plan.Experiment.Timed), and the choice and the steps beside it
// become trials like others. Readers choose again, by what was measured where it was, and
// by the line where it was not; so that the timing before the plan decides what is measured, and nothing that is said.
//
// A login computes for one user with one lane: the rate of logins, not the latency of one, is what the other CPUs are
// for. What a login takes of memory is what the standards say; what the process grew by stands beside it.
package password

import (
	"math/bits"
	"runtime"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Usual is the budget where nobody gives one.
var Usual = result.LoginBudget{Seconds: 0.25, Memory: 64 << 20, PerSecond: 20}

func Experiment() plan.Experiment {
	return plan.Experiment{
		Name:   "password",
		Logins: true,
		Short:  plan.Form{Config: plan.Config{Blocks: 12, Rounds: 1, Target: 500 * time.Microsecond}},
		Full:   plan.Form{Config: plan.Config{Blocks: 12, Rounds: 2, Least: 1, Target: 10 * time.Millisecond}},
		Cases:  cases(),
		Timed:  timed,
		Plan: func(s plan.Selection, o plan.Offers) []plan.Group {
			return planPasswords(s, o, runtime.GOMAXPROCS(0))
		},
	}
}

// cases are the cheapest rungs, by which libraries are asked what they offer.
func cases() (all []result.Case) {
	for _, s := range schemes() {
		all = append(all, s.at(s.rungs(plan.Selection{Short: true})[0]))
	}
	return all
}

func (s scheme) at(parameters string) result.Case {
	return result.Case{Algorithm: s.name, Operation: algorithm.Login, Parameters: parameters}
}

func budgetOf(s plan.Selection) result.LoginBudget {
	if s.Logins == nil {
		return Usual
	}
	return *s.Logins
}

// mostRung is the memory that rungs take at most: past every cache, so that more memory costs no more for its size.
const mostRung = 256 << 20

// comparedIterations are the same in both forms, since the hashes that PBKDF2 may have are compared by them.
func comparedIterations() []string {
	return []string{parameter.Iterations.Is(4000), parameter.Iterations.Is(16_000)}
}

// rungs are the two cheap calls by which others are predicted: in the full form near enough to what is chosen that
// the line is drawn out by little. A line through one pass and two, for five, misses by three times what the passes
// were measured wrong by.
func (s scheme) rungs(selection plan.Selection) []string {
	kib, n, cost, passes := int64(4<<10), int64(1<<11), 4, int64(2)
	if !selection.Short {
		memory := min(budgetOf(selection).Memory, mostRung)
		kib, cost, passes = memory>>10, 8, 3
		n = max(1<<8, int64(1)<<(bits.Len64(uint64(memory/(128*block)))-3))
	}
	switch s.name {
	case algorithm.Argon2id:
		return []string{argon(kib, 1), argon(kib, passes)}
	case algorithm.Scrypt:
		return []string{scryptOf(n, 1), scryptOf(2*n, 1)}
	case algorithm.Bcrypt:
		return []string{parameter.Cost.Is(cost), parameter.Cost.Is(cost + 2)}
	}
	return comparedIterations()
}

// timed are the rungs of the full form, whose plan depends on them.
func timed(s plan.Selection) (all []result.Case) {
	if s.Short {
		return nil
	}
	for _, c := range Experiment().Narrow(s) {
		of, _ := schemeOf(c.Algorithm)
		for _, p := range of.rungs(s) {
			all = append(all, of.at(p))
		}
	}
	return all
}

// rarely is in how many blocks that is measured which costs much and is compared with nothing.
const rarely = plan.LeastBlocks

// enough is in how many blocks that is measured which is compared with nothing: those that an interval at 99 % takes.
const enough = 8

// margin is how much of the budget the plan fills by what it timed once: what turns out slower keeps it all the same.
const margin = 0.97

// near is the share of the choice's work from which on the step below it is measured, too: where steps are that close,
// it may turn out to be the choice.
const near = 0.7

func planPasswords(s plan.Selection, offers plan.Offers, cpus int) []plan.Group {
	alone, busy := plan.NewBuilder(layout.Text{EN: "password hashes", ZH: "口令杂凑"}),
		plan.NewBuilder(layout.Text{EN: "every CPU busy", ZH: "全部 CPU 繁忙"})
	b := budgetOf(s)
	b.Seconds *= margin
	for _, c := range Experiment().Narrow(s) {
		of, _ := schemeOf(c.Algorithm)
		for _, who := range plan.OneEach(offers.Subjects(c)) {
			cost := of.timedBy(offers, who)
			add := func(parameters string, blocks int) {
				t := alone.Add(who, of.at(parameters))
				t.Call, t.Blocks = cost(parameters), blocks
			}
			for _, p := range of.rungs(s) {
				blocks := enough
				if slices.Contains(comparedIterations(), p) {
					blocks = 0
				}
				add(p, blocks)
			}
			if s.Short {
				continue
			}
			kept, next := of.choose(b, func(p string) (float64, bool) { return float64(cost(p)), true })
			if next != "" {
				add(next, rarely)
			}
			if kept == "" {
				continue
			}
			if below := of.before(b.Memory, kept); below != "" && of.work(below) > near*of.work(kept) {
				add(below, rarely)
			}
			add(kept, enough)
			all := of.at(parameter.With(kept, parameter.Busy.Is(cpus)))
			t := busy.Add(who, all)
			t.Call, t.Blocks, t.Rounds = cost(kept), rarely, 1
			busy.Group.Target = max(busy.Group.Target, time.Duration(cpus)*t.Call*5/4)
		}
	}
	compareHashes(alone)
	return slices.Concat(alone.Groups(), busy.Groups())
}

// timedBy is what a call takes by what was timed before, or nominally.
func (s scheme) timedBy(offers plan.Offers, who result.Subject) func(parameters string) time.Duration {
	var known []point
	for _, o := range offers {
		if o.Subject == who && o.Case.Algorithm == s.name && o.Call > 0 {
			known = append(known, point{o.Case.Parameters, float64(o.Call)})
		}
	}
	return func(parameters string) time.Duration {
		if i := slices.IndexFunc(known, func(p point) bool { return p.parameters == parameters }); i >= 0 {
			return time.Duration(known[i].ns)
		}
		if ns, ok := s.predict(known, parameters); ok {
			return time.Duration(ns)
		}
		return s.nominal(parameters)
	}
}

// compareHashes sets SM3 against SHA-256 at equal iterations.
func compareHashes(b *plan.Builder) {
	sha, sm := pbkdf2(algorithm.PBKDF2SHA256, 0), pbkdf2(algorithm.PBKDF2SM3, 0)
	for _, p := range comparedIterations() {
		b.Compare(b.First(sha.at(p)), b.First(sm.at(p))).Headline = true
	}
}
