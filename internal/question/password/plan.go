// Package password asks with which parameters a server should hash passwords: the strongest of each algorithm that
// keep a budget of time and memory for a login.
//
// The time of a call is size·(a + b·times), of Argon2id memory and passes, of the others one and the work. Cheap calls
// of each algorithm, its rungs, are measured beside the others, and their line predicts any other; what it predicts has
// an interval, from those of the rungs, and where that is too wide nothing is predicted.
// The short form chooses by it and measures no choice. But for PBKDF2 it measures one call and predicts in proportion:
// with as many passes as are chosen in the end, since the difference between one pass and two through little memory is
// less than what the pages cost that the system hands out. The full form needs to know its choice before it is measured:
// the suite times the rungs once, before it plans (plan.Experiment.Timed), and the choice and the steps beside it
// become trials like others. Readers choose again, by what was measured where it was, and
// by the line where it was not; so that the timing before the plan decides what is measured, and nothing that is said.
//
// A login computes for one user with one lane: the rate of logins, not the latency of one, is what the other CPUs are
// for. What a login takes of memory is what the standards say; what the process grew by stands beside it.
package password

import (
	"cmp"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Usual is the budget where nobody gives one.
var Usual = result.LoginBudget{Seconds: 0.25, Memory: 64 << 20, PerSecond: 20}

func Experiment() plan.Experiment {
	return plan.Experiment{
		Name:  "password",
		Flags: []string{"time", "memory", "logins"},
		Short: plan.Form{Config: plan.Config{Blocks: 12, Rounds: 1, Target: 500 * time.Microsecond}},
		Full:  plan.Form{Config: plan.Config{Blocks: 12, Rounds: 2, Least: 1, Target: 10 * time.Millisecond}},
		Cases: document.Mapped(schemes(), func(s scheme) result.Case { return s.at(s.cheapest()) }),
		Timed: timed,
		Make:  func(s plan.Narrowed) []plan.Group { return planPasswords(s, runtime.GOMAXPROCS(0)) },
	}
}

func (s scheme) at(parameters string) result.Case {
	return result.Case{Algorithm: s.name, Operation: algorithm.Login, Parameters: parameters}
}

func budgetOf(s plan.Selection) result.LoginBudget {
	return *cmp.Or(s.Logins, &Usual)
}

// cheapest is the call by which libraries are asked what they offer.
func (s scheme) cheapest() string {
	switch s.name {
	case algorithm.Argon2id:
		return argon(4<<10, 1)
	case algorithm.Scrypt:
		return scryptOf(1<<11, 1)
	case algorithm.Bcrypt:
		return parameter.Cost.Is(parameter.Cost.Least)
	}
	return parameter.Iterations.Is(4000)
}

// What rungs take at most of memory. In the full form it is past every cache, so that more memory costs no more for
// its size; in the short form it is what there is time for.
const (
	mostRung      = 256 << 20
	mostShortRung = 8 << 20
)

// shortPasses are so many that what a call takes beside them, pages from the system above all, is as small a part of
// it as of the calls that are predicted, and scatters as little.
const shortPasses = 6

// comparedIterations are the same in both forms, since the hashes that PBKDF2 may have are compared by them.
func comparedIterations() []string {
	return []string{parameter.Iterations.Is(2000), parameter.Iterations.Is(8000)}
}

// rungs are the cheap calls by which others are predicted.
func (s scheme) rungs(selection plan.Selection) []string {
	memory := budgetOf(selection).Memory
	if !selection.Short {
		return s.fullRungs(min(memory, mostRung))
	}
	switch s.name {
	case algorithm.Argon2id: // where memory is less, as much work
		kib := min(memory, mostShortRung) >> 10
		return []string{argon(kib, shortPasses*(mostShortRung>>10)/kib)}
	case algorithm.Scrypt:
		n := min(powerBelow(memory/(128*block)), mostShortRung/(128*block))
		return []string{scryptOf(n, int(mostShortRung/(128*block)/n))}
	case algorithm.Bcrypt:
		return []string{parameter.Cost.Is(6)}
	}
	return comparedIterations()
}

// fullRungs are near enough to what is chosen that the line through them is drawn out by little. A line through one
// pass and two, for five, misses by three times what the passes were measured wrong by.
func (s scheme) fullRungs(memory int64) []string {
	switch s.name {
	case algorithm.Argon2id:
		return []string{argon(memory>>10, 1), argon(memory>>10, 3)}
	case algorithm.Scrypt:
		n := max(1<<8, powerBelow(memory/(128*block))/4)
		return []string{scryptOf(n, 1), scryptOf(2*n, 1)}
	case algorithm.Bcrypt:
		return []string{parameter.Cost.Is(8), parameter.Cost.Is(10)}
	}
	return comparedIterations()
}

// powerBelow is the largest power of two that is no more than n.
func powerBelow(n int64) int64 { return int64(1) << (bits.Len64(uint64(n)) - 1) }

// timed are the rungs of the full form, whose plan depends on them.
func timed(s plan.Narrowed) (all []result.Case) {
	if s.Short {
		return nil
	}
	for _, c := range s.Cases {
		of, _ := schemeOf(c.Algorithm)
		for _, p := range of.rungs(s.Selection) {
			all = append(all, of.at(p))
		}
	}
	return all
}

// rarely is in how many blocks that is measured which costs much and is compared with nothing.
const rarely = plan.LeastBlocks

// blocks is in how many a rung is measured; 0: in all.
func (s scheme) blocks(rung string, selection plan.Selection) int {
	switch {
	case slices.Contains(comparedIterations(), rung):
		return 0
	case !selection.Short:
		return plan.EnoughBlocks
	case s.hard():
		return rarely
	}
	return 0
}

// margin is how much of the budget the plan fills by what it timed once: what turns out slower keeps it all the same.
const margin = 0.97

// near is the share of the choice's work from which on the step below it is measured, too: it may turn out to be the
// choice, where steps are that close or the machine is slower by then. Where each is twice the one before, it is half.
const near = 0.5

func planPasswords(s plan.Narrowed, cpus int) []plan.Group {
	alone, busy := plan.NewBuilder(layout.Text{EN: "password hashes", ZH: "口令杂凑"}),
		plan.NewBuilder(layout.Text{EN: "every CPU busy", ZH: "全部 CPU 繁忙"})
	b := budgetOf(s.Selection)
	b.Seconds *= margin
	for _, c := range s.Cases {
		of, _ := schemeOf(c.Algorithm)
		for _, who := range plan.OneEach(s.Subjects(c)) {
			cost := of.timedBy(s.Offers, who)
			add := func(parameters string, blocks int) {
				t := alone.Add(who, of.at(parameters))
				t.Call, t.Blocks = cost(parameters), blocks
			}
			for _, p := range of.rungs(s.Selection) {
				add(p, of.blocks(p, s.Selection))
			}
			if s.Short {
				continue
			}
			kept, next, _ := of.choose(b, 0, func(p string) (float64, bool) { return float64(cost(p)), true })
			if next != "" {
				add(next, rarely)
			}
			if kept == "" {
				continue
			}
			if below := of.before(b.Memory, kept); below != "" && of.work(below) >= near*of.work(kept) {
				add(below, rarely)
			}
			add(kept, plan.EnoughBlocks)
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
			known = append(known, point{parameters: o.Case.Parameters, ns: float64(o.Call)})
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

func compareHashes(b *plan.Builder) {
	sha, sm := pbkdf2(algorithm.PBKDF2SHA256, 0), pbkdf2(algorithm.PBKDF2SM3, 0)
	for _, p := range comparedIterations() {
		b.Compare(b.First(sha.at(p)), b.First(sm.at(p))).Headline = true
	}
}

// What a login may be allowed. Less than LeastTime leaves no scheme any strength, and MostTime is more than a user
// waits.
const (
	LeastTime = time.Millisecond
	MostTime  = 10 * time.Second
)

// ParseRate reads how often users log in: "20/s", "90/min", "500/h", or 20, which is a second.
func ParseRate(text string) (float64, error) {
	number, unit, divided := strings.Cut(text, "/")
	number, unit = strings.TrimSpace(number), strings.TrimSpace(unit)
	at := slices.IndexFunc(units(), func(u unitOfTime) bool { return u.name == unit || !divided && u.seconds == 1 })
	v, err := strconv.ParseFloat(number, 64)
	if at >= 0 {
		v /= units()[at].seconds
	}
	if err != nil || at < 0 || !(v >= leastRate && v <= mostRate) || strings.ContainsAny(number, "xXpP_") {
		return 0, language.Errorf("--logins %q: give the logins per second, minute or hour, from 1/h to 1000000/s, e.g. 20/s, 90/min or 500/h",
			"--logins %q：请给出每秒、每分钟或每小时登录次数，1/h 至 1000000/s，例如 20/s、90/min 或 500/h", text)
	}
	return v, nil
}

const (
	leastRate = 1.0 / 3600
	mostRate  = 1e6
)

type unitOfTime struct {
	name    string // as it is typed
	seconds float64
	per     layout.Text // as it is said in front of a number
}

func units() []unitOfTime {
	return []unitOfTime{{"s", 1, layout.Text{EN: "per second", ZH: "每秒"}}, {"min", 60, layout.Text{EN: "per minute", ZH: "每分钟"}},
		{"h", 3600, layout.Text{EN: "per hour", ZH: "每小时"}}}
}

// share is the part of the memory that can still be had that all logins at once may take.
const share = 2

// MostMemory is what a login may take where memory has room for one on each of some CPUs: room is what can still be
// had, 0 where nobody tells, and then there is no limit.
func MostMemory(room int64, cpus int) int64 {
	if room == 0 {
		return math.MaxInt64
	}
	return max(room/share/int64(cpus)>>20, 1) << 20
}

// Bear refuses memory of which this machine has none for a login on each of its CPUs at once.
func Bear(memory, room int64, cpus int) error {
	most := MostMemory(room, cpus)
	if memory <= most {
		return nil
	}
	return language.Errorf("--memory %s: with every CPU busy %d logins take that at once, and half of the available memory is %s: give %s or less",
		"--memory %s：全部 CPU 繁忙时有 %d 个登录同时占用，而可用内存的一半为 %s：请给 %s 以内",
		language.FormatSize(memory), cpus, language.FormatSize(room/share>>20<<20), language.FormatSize(most))
}
