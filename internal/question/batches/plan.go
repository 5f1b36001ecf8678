// Package batches asks what it pays to hand many short messages over in one call: tokens that a service
// checks, webhooks that it signs, records under the keys of their sessions.
package batches

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks by how much messages that are taken together are faster than one after the other, under
// one key and under a key each.
//
// To add work that can be taken together, give it a line in authentication or encryption.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name: "batches",
		Short: plan.Form{Sizes: []int64{64},
			Config: plan.Config{Blocks: 12, Rounds: 3, Least: 3, Target: 100 * time.Microsecond}},
		Full: plan.Form{Sizes: []int64{64, 256, 1 << 10, 8 << 10},
			Config: plan.Config{Blocks: 15, Rounds: 6, Least: 3, Target: 300 * time.Microsecond}},
		Cases: batchCases(),
		Flags: []string{"sizes"},
		Make:  planBatches,
	}
}

// job is work that can be taken together.
type job struct{ algorithm, mode, operation string }

var (
	authentication = []job{
		{algorithm.HMACSHA256, "", algorithm.MACMany},
		{algorithm.HMACSM3, "", algorithm.MACMany},
	}
	encryption = []job{
		{algorithm.SM4, algorithm.GCM, algorithm.EncryptMany},
		{algorithm.SM4, algorithm.CBC, algorithm.EncryptMany},
	}
	jobs = slices.Concat(authentication, encryption)
)

// encrypts says whether keys are worth being made ready: lanes take raw ones, too.
func (j job) encrypts() bool { return j.operation == algorithm.EncryptMany }

// So many messages are in a call; in full also few and many of the first size.
const usualMessages = 64

var otherMessages = []int64{8, 1000}

// way is how the messages of a job are worked on.
type way struct {
	job
	by             parameter.Manner
	keys, messages int64
}

// of is the way's case, of messages of a size.
func (w way) of(size int64) result.Case {
	return result.Case{Algorithm: w.algorithm, Mode: w.mode, Operation: w.operation, Bytes: w.messages * size,
		Parameters: parameter.Join(parameter.Keys.Is(w.keys), parameter.Messages.Is(w.messages), parameter.Way.Is(w.by))}
}

// in is the same work in another way.
func (w way) in(by parameter.Manner) way { w.by = by; return w }

// ways are those of a job: a new state a message, states that are kept, and ours, all in one call.
func (j job) ways() []parameter.Manner {
	all := []parameter.Manner{parameter.New, parameter.Kept, parameter.Lanes}
	if j.encrypts() {
		all = append(all, parameter.LanesNew)
	}
	return all
}

// batchCases are what a library is asked whether it offers it at all. The plan varies their numbers.
func batchCases() (cases []result.Case) {
	for _, j := range jobs {
		for _, by := range j.ways() {
			cases = append(cases, template(j, by))
		}
	}
	return cases
}

func template(j job, by parameter.Manner) result.Case {
	return way{j, by, 1, usualMessages}.of(0)
}

func planBatches(s plan.Narrowed) (groups []plan.Group) {
	for i, size := range s.Form.Sizes {
		counts := []int64{usualMessages}
		if i == 0 && !s.Short {
			counts = append(counts, otherMessages...)
		}
		for _, messages := range counts {
			p := planner{Narrowed: s,
				Builder: plan.NewBuilder(layout.Say("%d messages of %d bytes", "%d 条 %d 字节的消息", messages, size)),
				size:    size, messages: messages, headline: i < 2 && messages == usualMessages, first: i == 0}
			groups = append(groups, p.groups()...)
		}
	}
	return groups
}

// planner makes the group of so many messages of a size.
type planner struct {
	plan.Narrowed
	*plan.Builder
	size, messages int64
	headline       bool // its comparisons are what the answer stands on
	first          bool // size
}

// groups compares each way with the states that are kept, under one key and a key each, and what makes new keys
// ready with each other.
func (p planner) groups() []plan.Group {
	for _, j := range jobs {
		if j.encrypts() {
			p.encryption(j)
			continue
		}
		for _, keys := range []int64{1, p.messages} {
			kept := way{j, parameter.Kept, keys, p.messages}
			base := p.add(kept)
			if keys == 1 {
				p.Compare(base, p.add(kept.in(parameter.New))).Headline = p.headline
			}
			p.Compare(base, p.add(kept.in(parameter.Lanes))).Headline = p.headline
		}
	}
	return p.Groups()
}

// encryption is a key each for GCM, whose single messages are fast under one key; for CBC one key, too, and in the
// short form that alone.
func (p planner) encryption(j job) {
	headline := p.headline && p.first
	if j.mode == algorithm.CBC {
		one := way{j, parameter.Kept, 1, p.messages}
		p.Compare(p.add(one), p.add(one.in(parameter.Lanes))).Headline = headline
		if p.Short {
			return
		}
	}
	each := way{j, parameter.Kept, p.messages, p.messages}
	base, fresh := p.add(each), p.add(each.in(parameter.New))
	p.Compare(base, fresh)
	p.Compare(base, p.add(each.in(parameter.Lanes))).Headline = headline
	p.Compare(fresh, p.add(each.in(parameter.LanesNew))).Headline = headline
}

// add adds the trials of a way in the libraries that offer it, if the selection keeps it, and returns the
// first, or the zero trial.
func (p planner) add(w way) result.Trial {
	for _, s := range p.Offering(template(w.job, w.by)) {
		p.Add(s, w.of(p.size))
	}
	return p.First(w.of(p.size))
}
