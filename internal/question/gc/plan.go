// Package gc asks what the buffers of a call cost Go's garbage collector, and what it costs
// the calls.
package gc

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment has buffers made for every call, made once, and taken from a pool, beside live heaps and under GOGC.
//
// Two sizes stand for messages: 1 KiB for a request of an interface, 16 KiB for
// a record of TLS and what io.Copy-like loops move at once. What works with key
// pairs has the size that it has.
//
// Each GOGC is a worker of its own. A live heap is built in one worker at a time,
// by one group for all operations of its library, and given back at the group's
// end: the peak is one heap with its garbage, 1.3 GiB for 256 MiB at GOGC=400 and
// 2 GiB for 1 GiB, which is measured at GOGC=100 only.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name: "gc", EveryCPU: true,
		Short: plan.Form{Sizes: []int64{16 << 10},
			Config: plan.Config{Blocks: 12, Rounds: 1, Target: time.Millisecond}},
		Full: plan.Form{Sizes: []int64{1 << 10, 16 << 10},
			Config: plan.Config{Blocks: 15, Rounds: 1, Target: 2 * time.Millisecond}},
		Cases: document.Mapped(operations, func(o doing) result.Case { return asked(o.Case) }),
		Flags: []string{"sizes"},
		Make:  planGC,
	}
}

// doing is an operation that is asked about.
type doing struct {
	result.Case
	short  bool // belongs to the short form
	beside bool // is measured beside a live heap and under other GOGCs too
}

var operations = []doing{
	{plan.Of(algorithm.AES256, algorithm.GCM, algorithm.Encrypt), true, true},
	{plan.Of(algorithm.SM4, algorithm.GCM, algorithm.Encrypt), false, false},
	{plan.Of(algorithm.RSA2048, algorithm.PSS, algorithm.Sign), true, true},
	{plan.Of(algorithm.RSA2048, algorithm.OAEP, algorithm.Decrypt), false, false},
	{plan.Of(algorithm.ECDSA256, "", algorithm.Sign), false, true},
	{plan.Of(algorithm.SM2, "", algorithm.Sign), true, false},
	{plan.Of(algorithm.ECDH256, "", algorithm.Agree), false, false},
	{plan.Of(algorithm.X25519, "", algorithm.Agree), false, false},
}

// buffering says what the caller does about buffers, and what live heap there is.
func buffering(c result.Case, buffers parameter.Buffering, heap int64) result.Case {
	c.Parameters = parameter.Join(parameter.Buffers.Is(buffers), parameter.Heap.Is(heap))
	return c
}

// asked is a case as a library is asked for it: with one way to have buffers, since who
// has it has all.
func asked(c result.Case) result.Case {
	c.Bytes = 0
	return buffering(c, parameter.Reused, 0)
}

type surroundings struct {
	heap   int64 // live bytes
	gogc   int
	blocks int // 0: all, and the answer stands on it
}

const (
	smallHeap = 256 << 20
	largeHeap = 1 << 30
)

var (
	allSurroundings = []surroundings{
		{0, parameter.UsualGOGC, 0}, {0, 50, plan.EnoughBlocks}, {0, 400, plan.EnoughBlocks},
		{smallHeap, parameter.UsualGOGC, 0}, {smallHeap, 50, plan.EnoughBlocks}, {smallHeap, 400, plan.EnoughBlocks},
		{largeHeap, parameter.UsualGOGC, 0},
	}
	// One look at a large heap takes a third of the short form's time, most of it
	// for pages that are new to the process; its values stand without a verdict.
	shortSurroundings = []surroundings{{0, parameter.UsualGOGC, 0}, {smallHeap, parameter.UsualGOGC, 1}}
)

func planGC(s plan.Narrowed) (groups []plan.Group) {
	p := planner{s, len(s.Algorithms)+len(s.Modes)+len(s.Operations) > 0}
	around := allSurroundings
	if s.Short {
		around = shortSurroundings
	}
	for _, a := range around {
		for _, b := range p.groups(a) {
			groups = append(groups, b.Group)
		}
	}
	return groups
}

type planner struct {
	plan.Narrowed
	narrowed bool // the user chose among the operations
}

// groups makes a group of every operation where there is no live heap, and beside one a
// group for each library, so that the heap is built once.
func (p planner) groups(a surroundings) (groups plan.Builders) {
	for _, o := range operations {
		alone := (o.short || !p.Short || p.narrowed) && (o.beside || a.gogc == parameter.UsualGOGC)
		beside := o.beside && (seals(o.Mode) || !p.Short)
		if a.heap == 0 && !alone || a.heap > 0 && !beside {
			continue
		}
		sizes, subjects := []int64{0}, p.offering(o.Case)
		if seals(o.Mode) { // the others have no size to choose
			sizes = p.Form.Sizes
		}
		if a.heap > 0 || a.gogc != parameter.UsualGOGC { // the garbage is the caller's, whoever computes
			sizes = []int64{slices.Max(sizes)}
			if len(p.Libraries) == 0 {
				subjects = subjects[:min(1, len(subjects))]
			}
		}
		for _, o.Bytes = range sizes {
			for _, subject := range subjects {
				title := layout.Say("%s %s, %s, GOGC=%d", "%s %s，%s，GOGC=%d", o.Name(), answer.InPlan(o.Operation), plan.InBytes(o.Bytes), a.gogc)
				if a.heap > 0 {
					title = layout.Say("%s beside a live heap of %d MiB, GOGC=%d", "%s，存活堆 %d MiB，GOGC=%d", subject.Library, a.heap>>20, a.gogc)
				}
				p.add(groups.Titled(title), subject, o.Case, a)
			}
		}
	}
	return groups
}

// offering are those that offer a case that the selection keeps, one a library:
// which kernel computes makes no difference to what is allocated. The short form
// asks the first, so that few workers have to be started.
func (p planner) offering(c result.Case) []result.Subject {
	subjects := p.Offering(asked(c))
	if p.Short {
		subjects = subjects[:min(1, len(subjects))]
	}
	return subjects
}

// add puts the ways to have buffers into a group, and compares them. A pool is
// the question of who has large buffers: elsewhere the full form alone asks.
func (p planner) add(b *plan.Builder, subject result.Subject, c result.Case, a surroundings) {
	decides := p.decides(subject, c, a.heap)
	subject.Environment = parameter.GOGC.Is(a.gogc)
	var base result.Trial
	for _, buffers := range parameter.Buffers.Words { // the baseline first
		if buffers == parameter.Recycled && p.Short && (!seals(c.Mode) || a.heap > 0) {
			continue
		}
		t := b.Add(subject, buffering(c, buffers, a.heap))
		t.Blocks, t.Window = a.blocks, p.window(a, buffers, c)
		if buffers == parameter.Reused {
			base = t.Trial
			continue
		}
		pooled := buffers == parameter.Recycled && (!seals(c.Mode) || a.heap > 0)
		b.Compare(base, t.Trial).Headline = a.blocks == 0 && decides && !pooled
	}
}

// seals says whether the caller gives the operation a buffer for its output.
func seals(mode string) bool { return mode == algorithm.GCM }

// decides picks what the answer stands on: fresh buffers and pools for AES, fresh
// buffers for what signs in the first library that does; beside a live heap, the
// longest messages. Few comparisons have narrow intervals. Who chose among the
// operations is answered for all of them.
func (p planner) decides(subject result.Subject, c result.Case, heap int64) bool {
	if seals(c.Mode) && !plan.IsHeadlineSize(c.Bytes, p.Form.Sizes) || heap > 0 && c.Bytes != slices.Max(p.Form.Sizes) {
		return false
	}
	first := p.offering(c)[0].Library == subject.Library
	return p.narrowed || c.Algorithm == algorithm.AES256 || c.Operation == algorithm.Sign && first
}

// window is the wall time that one trial has in a block. Beside a live heap fresh
// buffers must first fill as much memory again as GOGC lets them, with pages that
// are new to the process, and then hold a whole cycle.
func (p planner) window(a surroundings, buffers parameter.Buffering, c result.Case) time.Duration {
	window := 30 * time.Millisecond
	switch {
	case p.Short && seals(c.Mode):
		window = 12 * time.Millisecond
	case p.Short:
		window = 20 * time.Millisecond // in four times of which signatures of SM2 call for a collection
	}
	if a.heap > 0 && buffers == parameter.Fresh && seals(c.Mode) {
		garbage := float64(a.heap) * float64(a.gogc) / 100
		perByte := 2.4e9 / float64(1<<30)
		if p.Short {
			perByte /= 2 // one cycle is enough there
		}
		window += time.Duration(garbage * perByte)
	}
	return window
}
