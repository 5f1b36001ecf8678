// Package chunking asks whether a library takes longer for a message in many calls or of odd
// lengths, and which way around it there is.
package chunking

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks which libraries cut what they are given into small pieces: their
// ciphers are slow however large the calls are, and nobody sees why.
//
// Time is modelled as a·calls + c·messages + b·bytes. What is done once a call or once
// a message stands in a and c; a loop inside the call, over pieces that the caller
// does not know of, hides in b. So each way that an interface offers is given messages
// of several lengths in calls of several sizes, and the ways' prices of a byte are
// compared: the cipher under them is the same.
//
// How long the pieces are is read from neighbouring lengths, over which time rises by
// steps. The loop in C does that, since the boundary's noise would drown the steps.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name:     "chunking",
		Question: "Which libraries split input into small pieces, and how can this be avoided?",
		Short: plan.Form{
			Sizes:  []int64{1 << 10, 4 << 10, 16 << 10},
			Config: plan.Config{Blocks: 18, Rounds: 2, Target: 200 * time.Microsecond, Budget: 4 * time.Second},
		},
		Full: plan.Form{
			Sizes:  []int64{1 << 10, 4 << 10, 16 << 10},
			Config: plan.Config{Blocks: 20, Rounds: 2, Target: 300 * time.Microsecond}, // a disturbed block has no fit, and twelve are needed,
		},
		Cases:     chunkCases(),
		OnRequest: []string{algorithm.AES256}, // whose interface is that of AES-128
		Crossing:  true,
		Plan:      planChunking,
	}
}

// The ways in which a message is handed over, as the parameter "way" names them.
const (
	wayUpdate  = "update"  // in a stream of calls, as people use it
	wayFinal   = "final"   // so that every call is told to be the last
	wayOneshot = "oneshot" // all of it in the call that also ends it
	wayBlocks  = "blocks"  // the block function, with the mode around it by the caller
)

var handingWays = []string{wayUpdate, wayFinal, wayOneshot, wayBlocks}

// handed gives a case the parameters that say how its message is handed over.
func handed(c result.Case, bytes, call int64, way string) result.Case {
	c.Bytes, c.Parameters = bytes, result.Parameters{"call": strconv.FormatInt(call, 10), "way": way}.String()
	return c
}

// chunkCases are asked with messages of one call; what is planned has the same cases
// in other sizes. A case without a way is what a workaround makes of it.
func chunkCases() (cases []result.Case) {
	add := func(named, mode string) {
		c := result.Case{Algorithm: named, Mode: mode, Operation: algorithm.Encrypt}
		cases = append(cases, c)
		for _, way := range handingWays {
			cases = append(cases, handed(c, 0, 1<<10, way))
		}
	}
	for _, a := range []string{algorithm.AES128, algorithm.SM4, algorithm.AES256} {
		for _, m := range []string{algorithm.CTR, algorithm.OFB, algorithm.CFB, algorithm.CBC, algorithm.GCM} {
			add(a, m)
		}
	}
	add(algorithm.ChaCha20, "")
	add(algorithm.ChaCha20Poly1305, "")
	return cases
}

func planChunking(s plan.Selection, offers plan.Offers) (groups []plan.Group) {
	e := Experiment()
	var asked []result.Case // without their ways
	for _, c := range e.Narrow(s) {
		if c.Parameters == "" && !(s.Short && !inShortChunking(c)) {
			asked = append(asked, c)
		}
	}
	for _, lib := range nativeVersions(offers) {
		p := chunkPlanner{version: lib, short: s.Short, sizes: slices.Clone(e.Form(s).Sizes), offers: offers}
		if !slices.Contains(p.sizes, gainAt) { // at which workarounds are compared
			p.sizes = append(p.sizes, gainAt)
		}
		if lib.version == "" { // it is not here: one row says so
			groups = append(groups, p.missing(asked)...)
			continue
		}
		for _, c := range asked {
			groups = append(groups, p.group(c)...)
		}
	}
	return groups
}

// inShortChunking says whether the short form has a cipher: key streams, where pieces
// of a byte have been seen, and an AEAD. Each slope that is compared costs blocks.
func inShortChunking(c result.Case) bool {
	return c.Algorithm == algorithm.AES128 && (c.Mode == algorithm.CTR || c.Mode == algorithm.GCM) || c.Algorithm == algorithm.ChaCha20
}

// libraryVersion is a library that is not Go's.
type libraryVersion struct{ library, version string }

// nativeVersions are those of the offers, in their order.
func nativeVersions(o plan.Offers) (found []libraryVersion) {
	for _, offer := range o {
		s := offer.Subject
		if v := (libraryVersion{s.Library, s.Version}); s.CallPath != "go" && s.Library != plan.HarnessLibrary && !slices.Contains(found, v) {
			found = append(found, v)
		}
	}
	return found
}

// chunkPlanner makes the groups of one library.
type chunkPlanner struct {
	version libraryVersion
	short   bool
	sizes   []int64
	offers  plan.Offers
}

// subjects are the library's that offer a case: those that are called as a Go program
// calls them, by one path, and the one that loops in C.
func (p chunkPlanner) subjects(c result.Case) (called []result.Subject, loop *result.Subject) {
	for _, s := range p.offers.Subjects(c) {
		switch {
		case s.Library != p.version.library || s.Version != p.version.version:
		case s.CallPath == plan.LoopPath && s.Implementation == "":
			loop = &s
		case s.CallPath != plan.LoopPath && (len(called) == 0 || s.CallPath == called[0].CallPath):
			called = append(called, s)
		}
	}
	return called, loop
}

// missing is a group of one trial, which will say why it can't be.
func (p chunkPlanner) missing(cases []result.Case) []plan.Group {
	for _, c := range cases {
		if called, _ := p.subjects(handed(c, 0, 1<<10, wayUpdate)); len(called) > 0 {
			b := plan.NewBuilder(p.version.library)
			b.Add(called[0], handed(c, p.sizes[0], p.sizes[0], wayUpdate))
			return []plan.Group{b.Group}
		}
	}
	return nil
}

// group has every way of one cipher, and how its time rises from length to length.
func (p chunkPlanner) group(c result.Case) []plan.Group {
	b := plan.NewBuilder(fmt.Sprintf("%s %s, %s", p.version.library, p.version.version, c.Name()))
	ways := handingWays
	if called, _ := p.subjects(handed(c, 0, 1<<10, wayFinal)); p.short && len(called) > 0 {
		ways = []string{wayUpdate, wayFinal, wayBlocks} // one call with the flag is final's too
	}
	for _, way := range ways {
		called, loop := p.subjects(handed(c, 0, 1<<10, way))
		called = slices.DeleteFunc(called, func(s result.Subject) bool { return s.Implementation != "" })
		for _, size := range p.sizes {
			for _, call := range p.calls(way, size) {
				for _, s := range called {
					b.Add(s, handed(c, size, call, way))
				}
			}
			if loop != nil && !p.short {
				b.Add(*loop, handed(c, size, size, way))
			}
		}
	}
	if len(b.Group.Trials) == 0 {
		return nil
	}
	p.steps(b, c)
	p.workarounds(b, c)
	return []plan.Group{b.Group}
}

// smallCall is what small writes are taken to be.
const smallCall = 64

// calls are the sizes of the calls in which a message is handed over.
func (p chunkPlanner) calls(way string, size int64) []int64 {
	if way == wayOneshot || way == wayBlocks || p.short {
		return []int64{size}
	}
	sizes := []int64{smallCall, 1 << 10, 4 << 10, size}
	if size > 4<<10 {
		sizes = sizes[1:] // small calls have been seen, and there would be hundreds
	}
	if way == wayUpdate {
		sizes = append(sizes, 256)
	}
	slices.Sort(sizes)
	return slices.Compact(slices.DeleteFunc(sizes, func(call int64) bool { return call > size }))
}

// steps adds messages of neighbouring lengths, each in one call, through update and
// by another way that does not cut them up but is the same cipher otherwise.
func (p chunkPlanner) steps(b *plan.Builder, c result.Case) {
	if p.short && (c.Algorithm != algorithm.AES128 || c.Mode == algorithm.GCM) {
		return
	}
	for _, other := range []string{wayOneshot, wayFinal} {
		s := p.stepper(handed(c, 0, 1<<10, wayUpdate))
		if t := p.stepper(handed(c, 0, 1<<10, other)); s == nil || t == nil || *t != *s {
			continue
		}
		for _, n := range p.lengths(c) {
			b.Add(*s, handed(c, n, n, wayUpdate))
			b.Add(*s, handed(c, n, n, other))
		}
		return
	}
}

// stepper is the subject that neighbouring lengths are asked of: the loop in C, where
// there is one, since the boundary's noise would drown the steps.
func (p chunkPlanner) stepper(c result.Case) *result.Subject {
	called, loop := p.subjects(c)
	if loop == nil && len(called) > 0 {
		loop = &called[0]
	}
	return loop
}

// lengths are a row of neighbours, for short pieces; a row of lengths half a block off,
// for pieces of several blocks; and neighbours of what pieces are likely to divide. A
// mode that takes whole blocks alone has theirs.
func (p chunkPlanner) lengths(c result.Case) (ns []int64) {
	first, last, step := int64(33), int64(56), int64(1)
	around := []int64{128, 256, 512, 768}
	if p.short {
		last, around = 42, []int64{128}
	}
	if c.Mode == algorithm.CBC || c.Mode == algorithm.ECB {
		first, last, step = 16, 512, 16
	}
	for n := first; n <= last; n += step {
		ns = append(ns, n)
	}
	for n := int64(72); n < 256 && step == 1 && !p.short; n += 16 {
		ns = append(ns, n)
	}
	for _, n := range around {
		if step == 1 {
			ns = append(ns, n-1, n, n+1)
		} else if n > last {
			ns = append(ns, n)
		}
	}
	return ns
}

// gainAt is the message at which workarounds are compared with update: a page.
const gainAt = 4 << 10

// workarounds adds what a caller can do instead, and compares it with update where
// every answer looks: at a page, in one call. Where small writes are copied together,
// it is small calls that they are compared at.
func (p chunkPlanner) workarounds(b *plan.Builder, c result.Case) {
	called, _ := p.subjects(c)
	page := handed(c, gainAt, gainAt, wayUpdate)
	for _, base := range slices.Clone(b.Group.Trials) {
		if base.Case != page || base.Subject.CallPath == plan.LoopPath {
			continue
		}
		for _, way := range handingWays[1:] {
			other := base.Trial
			other.Case = handed(c, gainAt, gainAt, way)
			b.Compare(base.Trial, other).Headline = !p.short
		}
		whole := c
		whole.Bytes = gainAt
		for _, s := range called {
			if s.Implementation == "" || s.CallPath != base.Subject.CallPath {
				continue
			}
			b.Add(s, whole)
			b.Compare(base.Trial, result.Trial{Subject: s, Case: whole}).Headline = true
			p.coalesced(b, base.Trial, s, c)
		}
	}
}

// coalesced compares a workaround with update in small calls, which one of them is for.
func (p chunkPlanner) coalesced(b *plan.Builder, base result.Trial, s result.Subject, c result.Case) {
	small := handed(c, gainAt, smallCall, wayUpdate)
	if p.short || !slices.Contains(p.offers.Subjects(handed(c, 0, 1<<10, wayUpdate)), s) {
		return
	}
	base.Case = small
	b.Add(s, small)
	b.Compare(base, result.Trial{Subject: s, Case: small})
}
