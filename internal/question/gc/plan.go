// Package gc asks what the buffers of a call cost Go's garbage collector, and what it costs
// the calls.
package gc

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks what each algorithm's garbage costs: with buffers made for every
// call, made once, and taken from a pool, beside live heaps and under GOGC.
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
		Name:     "gc",
		Question: "How much garbage collection does each algorithm cause, and is a buffer pool worth it?",
		Short: plan.Form{
			Sizes:  []int64{16 << 10},
			Config: plan.Config{Blocks: 12, Rounds: 1, Target: time.Millisecond, Budget: 4 * time.Second},
		},
		Full: plan.Form{
			Sizes:  []int64{1 << 10, 16 << 10},
			Config: plan.Config{Blocks: 15, Rounds: 1, Target: 2 * time.Millisecond},
		},
		Cases: collectorCases(),
		Plan:  planCollector,
	}
}

// What a caller may do about its buffers, the baseline first.
var bufferings = []string{"reused", "fresh", "pool"}

// collected are the operations.
var collected = []struct {
	result.Case
	sized  bool // of messages; the others have no size to choose
	short  bool // belongs to the short form
	beside bool // is measured beside a live heap and under other GOGCs too
}{
	{result.Case{Algorithm: algorithm.AES256, Mode: algorithm.GCM, Operation: algorithm.Encrypt}, true, true, true},
	{result.Case{Algorithm: algorithm.SM4, Mode: algorithm.GCM, Operation: algorithm.Encrypt}, true, false, false},
	{result.Case{Algorithm: algorithm.RSA2048, Mode: algorithm.PSS, Operation: algorithm.Sign}, false, true, true},
	{result.Case{Algorithm: algorithm.RSA2048, Mode: algorithm.OAEP, Operation: algorithm.Decrypt}, false, false, false},
	{result.Case{Algorithm: algorithm.ECDSA256, Operation: algorithm.Sign}, false, false, true},
	{result.Case{Algorithm: algorithm.SM2, Operation: algorithm.Sign}, false, true, false},
	{result.Case{Algorithm: algorithm.ECDH256, Operation: algorithm.Agree}, false, false, false},
	{result.Case{Algorithm: algorithm.X25519, Operation: algorithm.Agree}, false, false, false},
}

// collectorParameters name what the caller does about buffers, and the live heap.
func collectorParameters(buffers string, heap int64) string {
	return result.Parameters{"buffers": buffers, "heap": strconv.FormatInt(heap, 10)}.String()
}

// collectorCases are asked with one way to have buffers: who has it has all.
func collectorCases() (cases []result.Case) {
	for _, o := range collected {
		c := o.Case
		c.Bytes, c.Parameters = 0, collectorParameters(bufferings[0], 0)
		cases = append(cases, c)
	}
	return cases
}

// surroundings are what an operation is measured in.
type surroundings struct {
	heap     int64 // live bytes
	gogc     int
	blocks   int // 0: all
	headline bool
}

const (
	usualGOGC = 100 // Go's own
	smallHeap = 256 << 20
	largeHeap = 1 << 30
)

var (
	allSurroundings = []surroundings{
		{0, usualGOGC, 0, true}, {0, 50, 0, false}, {0, 400, 0, false},
		{smallHeap, usualGOGC, 0, true}, {smallHeap, 50, 0, false}, {smallHeap, 400, 0, false},
		{largeHeap, usualGOGC, 0, true},
	}
	// One look at a large heap takes a third of the short form's time, most of it
	// for pages that are new to the process; its values stand without a verdict.
	shortSurroundings = []surroundings{{0, usualGOGC, 0, true}, {smallHeap, usualGOGC, 1, false}}
)

func planCollector(s plan.Selection, offers plan.Offers) (groups []plan.Group) {
	e := Experiment()
	p := collectorPlanner{sizes: e.Form(s).Sizes, short: s.Short, offers: offers, cases: e.Narrow(s),
		narrowed: len(s.Algorithms)+len(s.Modes)+len(s.Operations) > 0}
	around := allSurroundings
	if s.Short {
		around = shortSurroundings
	}
	for _, a := range around {
		if a.heap == 0 {
			groups = append(groups, p.alone(a)...)
		} else {
			groups = append(groups, p.beside(a)...)
		}
	}
	return groups
}

type collectorPlanner struct {
	sizes    []int64
	short    bool
	narrowed bool // the user chose among the operations
	cases    []result.Case
	offers   plan.Offers
}

// alone makes a group of every operation, without a live heap.
func (p collectorPlanner) alone(a surroundings) (groups []plan.Group) {
	for _, o := range collected {
		if p.short && !o.short && !p.narrowed || !o.beside && a.gogc != usualGOGC {
			continue
		}
		for _, c := range p.sized(o.Case, o.sized) {
			b := plan.NewBuilder(fmt.Sprintf("%s %s, %d bytes, GOGC=%d", c.Name(), c.Operation, c.Bytes, a.gogc))
			for _, subject := range p.subjects(c) {
				p.add(b, subject, c, a)
			}
			groups = append(groups, b.Groups()...)
		}
	}
	return groups
}

// beside makes a group for each library of what is measured beside a live heap,
// so that the heap is built once.
func (p collectorPlanner) beside(a surroundings) (groups []plan.Group) {
	byLibrary := map[string]*plan.Builder{}
	var order []string
	for _, o := range collected {
		if !o.beside || p.short && !o.sized {
			continue
		}
		for _, c := range p.sized(o.Case, o.sized) {
			for _, subject := range p.subjects(c) {
				if byLibrary[subject.Library] == nil {
					byLibrary[subject.Library] = plan.NewBuilder(fmt.Sprintf("%s beside a live heap of %d MiB, GOGC=%d", subject.Library, a.heap>>20, a.gogc))
					order = append(order, subject.Library)
				}
				p.add(byLibrary[subject.Library], subject, c, a)
			}
		}
	}
	for _, library := range order {
		groups = append(groups, byLibrary[library].Group)
	}
	return groups
}

// sized gives an operation its sizes.
func (p collectorPlanner) sized(c result.Case, sized bool) (cases []result.Case) {
	if !sized {
		return []result.Case{c}
	}
	for _, n := range p.sizes {
		c.Bytes = n
		cases = append(cases, c)
	}
	return cases
}

// subjects are those that offer a case that the selection keeps, one a library:
// which kernel computes makes no difference to what is allocated. The short form
// asks the first, so that few workers have to be started.
func (p collectorPlanner) subjects(c result.Case) []result.Subject {
	c.Bytes, c.Parameters = 0, collectorParameters(bufferings[0], 0)
	if !slices.Contains(p.cases, c) {
		return nil
	}
	subjects := plan.OneEach(p.offers.Subjects(c))
	if p.short {
		subjects = subjects[:min(1, len(subjects))]
	}
	return subjects
}

// add puts the ways to have buffers into a group, and compares them. A pool is
// the question of who has large buffers: elsewhere the full form alone asks.
func (p collectorPlanner) add(b *plan.Builder, subject result.Subject, c result.Case, a surroundings) {
	subject.Environment = "GOGC=" + strconv.Itoa(a.gogc)
	sealing := c.Mode == algorithm.GCM
	base := result.Trial{}
	for _, buffers := range bufferings {
		if buffers == "pool" && p.short && (!sealing || a.heap > 0) {
			continue
		}
		c.Parameters = collectorParameters(buffers, a.heap)
		b.Add(subject, c)
		this := &b.Group.Trials[len(b.Group.Trials)-1]
		this.Blocks, this.Window = a.blocks, p.window(a, buffers, sealing)
		if base.Case.Algorithm == "" {
			base = this.Trial
			continue
		}
		b.Compare(base, this.Trial).Headline = a.headline && p.decides(subject, c, buffers, a.heap)
	}
}

// decides picks what the answer stands on: fresh buffers and pools for AES, fresh
// buffers for what signs in the first library that does; beside a live heap, the
// longest messages. Few comparisons have narrow intervals. Who chose among the
// operations is answered for all of them.
func (p collectorPlanner) decides(subject result.Subject, c result.Case, buffers string, heap int64) bool {
	if c.Mode == algorithm.GCM && !plan.IsHeadlineSize(c.Bytes, p.sizes) || heap > 0 && c.Bytes != slices.Max(p.sizes) {
		return false
	}
	if buffers == "pool" && (c.Mode != algorithm.GCM || heap > 0) {
		return false
	}
	first := p.subjects(c)[0].Library == subject.Library
	return p.narrowed || c.Algorithm == algorithm.AES256 || c.Operation == algorithm.Sign && first
}

// window is the wall time that one trial has in a block. Beside a live heap fresh
// buffers must first fill as much memory again as GOGC lets them, with pages that
// are new to the process, and then hold a whole cycle.
func (p collectorPlanner) window(a surroundings, buffers string, sealing bool) time.Duration {
	window := 60 * time.Millisecond
	switch {
	case p.short && sealing:
		window = 12 * time.Millisecond
	case p.short:
		window = 20 * time.Millisecond // in four times of which signatures of SM2 call for a collection
	}
	if a.heap > 0 && buffers == "fresh" && sealing {
		garbage := float64(a.heap) * float64(a.gogc) / 100
		perByte := 2.4e9 / float64(1<<30)
		if p.short {
			perByte /= 2 // one cycle is enough there
		}
		window += time.Duration(garbage * perByte)
	}
	return window
}
