package plan

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// LeastBlocks are the fewest that give an interval at 90 %: the widest sign-test interval of
// n blocks covers 1 - 2/2ⁿ. EnoughBlocks give one at 99 %, which is all that a row
// takes that is compared with nothing.
const (
	LeastBlocks  = 5
	EnoughBlocks = 8
)

// Core is what an experiment must answer however little time there is: its short form.
type Core struct {
	Groups []Group
	Config Config
}

// Cut makes a plan fit into a time by leaving out, in this order: other sizes than those of
// the headline comparisons, the most expensive first; all keys but one that a block draws; rows that no headline comparison needs,
// those of the short form last; rounds, the time of a sample and blocks, down to the short
// form's; headline comparisons that the short form does not have; rounds and blocks down to
// the fewest that give an interval; and where that is still too long, comparisons from the
// last on. It says what was left out.
func Cut(p Plan, c Config, core Core, within time.Duration) (Plan, Config, []result.LeftOut) {
	x := newCutter(p, c, core, within)
	if x.needs() <= within {
		return p, c, nil
	}
	x.sizes()
	x.draws()
	x.rows(elsewhere, spare, inShort)
	short := core.Config
	x.thin(min(c.Rounds, short.Rounds), min(c.Blocks, max(short.Blocks, LeastBlocks)), min(c.Target, short.Target))
	x.comparisons(headline)
	x.thin(1, min(c.Blocks, cmp.Or(short.Fewest, LeastBlocks)), min(c.Target, short.Target))
	x.comparisons(essential)
	x.rows(essential)
	p.Groups = x.groups()
	return p, x.cfg, x.left
}

// Thin makes a plan fit into a time, or come as near as it can, by rounds, the time of a sample and blocks
// alone: whoever chooses among rows needs all of them.
func Thin(p Plan, c Config, core Core, within time.Duration) (Plan, Config, []result.LeftOut) {
	x := newCutter(p, c, core, within)
	if x.needs() > within {
		x.thin(1, min(c.Blocks, LeastBlocks), min(c.Target, core.Config.Target))
	}
	return p, x.cfg, x.left
}

// rank is how much a trial is needed.
type rank int

const (
	laboratory rank = iota // it measures the laboratory, or costs nothing
	essential              // a headline comparison of the short form needs it
	headline               // another headline comparison needs it
	inShort                // the short form has it
	spare                  // it is of a headline comparison's size
	elsewhere              // it is of another size
)

type cutter struct {
	full, cfg Config
	within    time.Duration
	all       []Group
	trials    []*ranked         // of all groups, in their order
	pairs     []comparison      // the headline ones
	workers   map[WorkerKey]int // how many kept trials they have
	left      []result.LeftOut
	aside     time.Duration // what preparing took when something was noted last, which is no part of a plan's time
}

type ranked struct {
	Trial
	group   int
	rank    rank
	uses    int // by headline comparisons
	dropped bool
}

type comparison struct {
	base, other *ranked
	rank        rank
}

func newCutter(p Plan, c Config, core Core, within time.Duration) *cutter {
	x := &cutter{full: c, cfg: c, within: within, all: slices.Clone(p.Groups), workers: map[WorkerKey]int{}}
	short, decisive := map[result.Trial]bool{}, map[[2]result.Trial]bool{}
	for _, g := range core.Groups {
		for _, t := range g.Trials {
			short[t.Trial] = true
		}
		for _, p := range g.Pairs {
			if p.Headline {
				pair := x.declare([2]result.Trial{g.Trials[p.Base].Trial, g.Trials[p.Other].Trial})
				decisive[pair], decisive[[2]result.Trial{pair[1], pair[0]}] = true, true
			}
		}
	}
	for i, g := range x.all {
		first := len(x.trials)
		for _, t := range g.Trials {
			r := &ranked{Trial: t, group: i, rank: spare}
			switch {
			case g.Kind != "" || t.Case == Unopened, t.Exhibit && short[t.Trial]: // which is found to be wrong at once, and not timed
				r.rank = laboratory
			case t.Asked:
				r.rank = essential
			case short[t.Trial] || t.Exhibit:
				r.rank = inShort
			}
			x.trials = append(x.trials, r)
			x.workers[t.Worker()]++
		}
		for _, p := range g.Pairs {
			if !p.Headline {
				continue
			}
			c := comparison{x.trials[first+p.Base], x.trials[first+p.Other], headline}
			if decisive[[2]result.Trial{c.base.Trial.Trial, c.other.Trial.Trial}] {
				c.rank = essential
			}
			for _, t := range []*ranked{c.base, c.other} {
				t.rank, t.uses = min(t.rank, c.rank), t.uses+1
			}
			x.pairs = append(x.pairs, c)
		}
	}
	x.rankSizes()
	x.aside = x.prepared()
	return x
}

// declare makes a headline comparison of one of the short form, where a group has both trials or
// their kin, at which it takes the least time, and returns them, in nobody's hands where there is no such group: the
// full form may compare them otherwise, or not at all.
func (x *cutter) declare(pair [2]result.Trial) (there [2]result.Trial) {
	g, base, other := x.find(pair, func(t result.Trial) result.Trial { return t })
	if g == nil {
		if g, base, other = x.find(pair, kin); g == nil {
			return there
		}
	}
	pairs := slices.Clone(g.Pairs)
	at := slices.IndexFunc(pairs, func(q result.Pair) bool {
		return q.Base == base && q.Other == other || q.Base == other && q.Other == base
	})
	if at < 0 {
		at, pairs = len(pairs), append(pairs, result.Pair{Base: base, Other: other})
	}
	pairs[at].Headline, g.Pairs = true, pairs
	return [2]result.Trial{g.Trials[base].Trial, g.Trials[other].Trial}
}

// find finds two trials that are alike in a group, of messages as long as each other's where those
// of the pair are.
func (x *cutter) find(pair [2]result.Trial, alike func(result.Trial) result.Trial) (in *Group, base, other int) {
	wanted := [2]result.Trial{alike(pair[0]), alike(pair[1])}
	var least time.Duration
	for i := range x.all {
		g := &x.all[i]
		for j, b := range g.Trials {
			if g.Kind != "" || alike(b.Trial) != wanted[0] {
				continue
			}
			for k, o := range g.Trials {
				if alike(o.Trial) != wanted[1] || pair[0].Case.Bytes == pair[1].Case.Bytes && b.Case.Bytes != o.Case.Bytes {
					continue
				}
				if costs := x.cfg.trial(b) + x.cfg.trial(o); in == nil || costs < least {
					in, base, other, least = g, j, k, costs
				}
			}
		}
	}
	return in, base, other
}

// kin is what a trial is of, whatever the size of a message and how many there are, and by
// whichever call path: these differ between the forms of some experiments.
func kin(t result.Trial) result.Trial {
	t.Case.Bytes, t.Subject.CallPath = 0, ""
	t.Case.Parameters = strings.Join(slices.DeleteFunc(strings.Split(t.Case.Parameters, ","), parameter.Messages.Has), ",")
	return t
}

// rankSizes finds the trials of other sizes than those of the headline comparisons. Where there
// is no such comparison, what the short form has is essential, or else everything.
func (x *cutter) rankSizes() {
	sizes := map[int64]bool{}
	for _, most := range []rank{headline, inShort, spare} {
		for _, t := range x.trials {
			if t.rank != laboratory && t.rank <= most {
				sizes[t.Case.Bytes] = true
				if most > headline {
					t.rank = essential
				}
			}
		}
		if len(sizes) > 0 {
			break
		}
	}
	for _, t := range x.trials {
		if t.rank == spare && len(sizes) > 0 && !sizes[t.Case.Bytes] {
			t.rank = elsewhere
		}
	}
}

// needs estimates what is kept.
func (x *cutter) needs() time.Duration {
	return x.cfg.Duration(Plan{Groups: x.groups()}) + x.prepared()
}

// prepared is what it takes to prepare all that is kept.
func (x *cutter) prepared() (d time.Duration) {
	for _, t := range x.trials {
		if !t.dropped {
			d += x.cfg.prepared(t.Trial)
		}
	}
	return d
}

// prepared is what it takes to compute the output of a login that takes long: in each block by a library, and once by
// the reference, which takes several times as long. A plan that is cut to the fewest blocks has no time to spare for it.
func (c Config) prepared(t Trial) time.Duration {
	const long, reference = 50 * time.Millisecond, 5
	call := t.Expected()
	if t.Case.Operation != algorithm.Login || call < long {
		return 0
	}
	return time.Duration(t.blocks(c.Blocks)+reference) * call
}

// groups are those that are kept, and of them the trials and comparisons.
func (x *cutter) groups() (kept []Group) {
	trials := x.trials
	for _, g := range x.all {
		own, pairs := trials[:len(g.Trials)], g.Pairs
		trials, g.Trials, g.Pairs = trials[len(own):], nil, nil
		places := make([]int, len(own)) // new ones by old
		for i, t := range own {
			if places[i] = len(g.Trials); !t.dropped {
				g.Trials = append(g.Trials, t.Trial)
			}
		}
		for _, p := range pairs {
			if !own[p.Base].dropped && !own[p.Other].dropped {
				p.Base, p.Other = places[p.Base], places[p.Other]
				g.Pairs = append(g.Pairs, p)
			}
		}
		if len(g.Trials) > 0 {
			kept = append(kept, g)
		}
	}
	return kept
}

// drop leaves a trial out and returns the time that this saves.
func (x *cutter) drop(t *ranked) (saved time.Duration) {
	t.dropped = true
	saved = x.cost(t)
	if x.workers[t.Worker()]--; x.workers[t.Worker()] == 0 {
		saved += time.Duration(x.cfg.Blocks) * startWorker
	}
	return saved
}

// cost estimates the time of a trial, whose group may have longer samples than others.
func (x *cutter) cost(t *ranked) time.Duration {
	return x.cfg.of(x.all[t.group]).trial(t.Trial) + x.cfg.prepared(t.Trial)
}

// note adds what was left out to the list, in the place of what was said of the same before.
func (x *cutter) note(saved time.Duration, c result.Cause) {
	now := x.prepared()
	saved, x.aside = saved-(x.aside-now), now
	l := result.LeftOut{What: reason.English(c), Cause: c, Seconds: saved.Seconds()}
	if i := slices.IndexFunc(x.left, func(l result.LeftOut) bool { return l.Code == c.Code }); i >= 0 {
		l.Seconds += x.left[i].Seconds
		x.left = slices.Delete(x.left, i, i+1)
	}
	x.left = append(x.left, l)
}

// FewerRounds and FewerBlocks say how many are left out where there are so many of all: a run may
// have more or fewer than was planned.
func FewerRounds(now, all int) result.Cause { return reason.Cause("cut-rounds", all-now, all) }
func FewerBlocks(now, all int) result.Cause { return reason.Cause("cut-blocks", all-now, all) }

// sizes leaves out other sizes, the most expensive first; none where all of them would save next to nothing.
func (x *cutter) sizes() {
	const worthwhile = 50 // part of what is too much
	cost, all := map[int64]time.Duration{}, time.Duration(0)
	for _, t := range x.trials {
		if t.rank == elsewhere {
			cost[t.Case.Bytes] += x.cost(t)
			all += x.cost(t)
		}
	}
	over := x.needs() - x.within
	if len(cost) == 0 || all < over/worthwhile {
		return
	}
	order := slices.SortedFunc(maps.Keys(cost), func(a, b int64) int { return cmp.Or(cmp.Compare(cost[b], cost[a]), cmp.Compare(b, a)) })
	var gone []int64
	var saved time.Duration
	for ; len(order) > 0 && saved < over; order = order[1:] {
		gone = append(gone, order[0])
		for _, t := range x.trials {
			if t.rank == elsewhere && t.Case.Bytes == order[0] {
				saved += x.drop(t)
			}
		}
	}
	slices.Sort(gone)
	const most = 4
	names := make([]string, min(len(gone), most))
	for i := range names {
		names[i] = language.FormatSize(gone[i])
	}
	if more := len(gone) - most; more > 0 {
		x.note(saved, reason.Cause("cut-more-sizes", strings.Join(names, ", "), more))
	} else {
		x.note(saved, reason.Cause("cut-sizes", strings.Join(names, ", ")))
	}
}

// draws takes one key a block of what is asked outright, since the others cost most of a short run.
func (x *cutter) draws() {
	before, all := x.needs(), 0
	for _, t := range x.trials {
		if n := parameter.Draws.In(t.Case.Parameters); t.Asked && n > 1 {
			t.Case.Parameters = parameter.Draws.Is(1)
			t.Window /= time.Duration(n)
			all = n
		}
	}
	if all > 0 {
		x.note(before-x.needs(), reason.Cause("cut-draws", all-1, all))
	}
}

// rows leaves out trials of these ranks that are in no headline comparison, from the last on.
// One that is essential stays.
func (x *cutter) rows(ranks ...rank) {
	n, over := 0, x.needs()-x.within
	var saved time.Duration
	first := slices.IndexFunc(x.trials, func(t *ranked) bool { return t.rank == essential })
	for _, of := range ranks {
		for i, t := range slices.Backward(x.trials) {
			if t.rank == of && t.uses == 0 && i != first && !t.dropped && saved < over {
				saved += x.drop(t)
				n++
			}
		}
	}
	if n > 0 {
		x.note(saved, reason.Cause("cut-rows", n))
	}
}

// thin takes fewer rounds, then shorter samples, then fewer blocks, each down to the least.
func (x *cutter) thin(rounds, blocks int, target time.Duration) {
	x.less(func() { x.cfg.Rounds = max(rounds, x.cfg.Rounds-1) },
		func(now Config) result.Cause { return FewerRounds(now.Rounds, x.full.Rounds) })
	x.less(func() { x.cfg.Target = max(target, (x.cfg.Target * 3 / 4).Round(50*time.Microsecond)) },
		func(now Config) result.Cause { return reason.Cause("cut-target", now.Target, x.full.Target) })
	x.less(func() { x.cfg.Blocks = max(blocks, x.cfg.Blocks-1) },
		func(now Config) result.Cause { return FewerBlocks(now.Blocks, x.full.Blocks) })
}

// less takes steps until the plan fits or they change nothing more, and notes what they saved.
func (x *cutter) less(step func(), say func(Config) result.Cause) {
	was, before := x.cfg, x.needs()
	now := before
	for last := was; now > x.within; last = x.cfg {
		if step(); x.cfg == last {
			break
		}
		now = x.needs()
	}
	if now == before {
		x.cfg = was
		return
	}
	x.note(before-now, say(x.cfg))
}

// comparisons leaves out headline comparisons, from the last on, with the rows that no other
// needs. The first of all stays.
func (x *cutter) comparisons(of rank) {
	over := x.needs() - x.within
	var saved time.Duration
	for i, p := range slices.Backward(x.pairs) {
		if p.rank != of || i == 0 || saved >= over {
			continue
		}
		for _, t := range []*ranked{p.base, p.other} {
			if t.uses--; t.uses == 0 {
				saved += x.drop(t)
			}
		}
	}
	if saved > 0 {
		gone := 0 // others of which both rows are needed stay
		for _, p := range x.pairs {
			if p.base.dropped || p.other.dropped {
				gone++
			}
		}
		x.note(saved, reason.Cause("cut-comparisons", gone))
	}
}
