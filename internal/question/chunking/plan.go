// Package chunking asks whether a library takes longer for a message in many calls or of odd
// lengths, and which way around it there is.
package chunking

import (
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
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
		Name: "chunking",
		Short: plan.Form{Sizes: []int64{1 << 10, 4 << 10, 16 << 10},
			Config: plan.Config{Blocks: 12, Rounds: 2, Target: 100 * time.Microsecond}},
		Full: plan.Form{Sizes: []int64{1 << 10, 4 << 10, 16 << 10},
			Config: plan.Config{Blocks: 18, Rounds: 2, Target: 300 * time.Microsecond}}, // fifteen blocks must have a fit
		Cases:     chunkCases(),
		Flags:     []string{"sizes"},
		OnRequest: []string{algorithm.AES256}, // whose interface is that of AES-128
		Crossing:  true,
		Make:      planChunking,
	}
}

var ways = []parameter.Manner{parameter.Update, parameter.Final, parameter.Oneshot, parameter.Blocks}

func handed(c result.Case, bytes, call int64, way parameter.Manner) result.Case {
	c.Bytes, c.Parameters = bytes, parameter.Join(parameter.Call.Is(call), parameter.Way.Is(way))
	return c
}

func offered(c result.Case, way parameter.Manner) result.Case { return handed(c, 0, 1<<10, way) }

// chunkCases are asked with messages of one call; what is planned has the same cases
// in other sizes. A case without a way is what a workaround makes of it.
func chunkCases() (cases []result.Case) {
	modes := []string{algorithm.CTR, algorithm.OFB, algorithm.CFB, algorithm.CBC, algorithm.GCM, algorithm.CCM}
	ciphers := plan.Each([]string{algorithm.AES128, algorithm.SM4, algorithm.AES256}, modes, []string{algorithm.Encrypt})
	streams := []string{algorithm.ChaCha20, algorithm.ChaCha20Poly1305}
	for _, c := range append(ciphers, plan.Each(streams, plan.Modeless, []string{algorithm.Encrypt})...) {
		cases = append(cases, c)
		for _, way := range ways {
			cases = append(cases, offered(c, way))
		}
	}
	return cases
}

func planChunking(s plan.Narrowed) (groups []plan.Group) {
	var asked []result.Case // without their ways
	for _, c := range s.Cases {
		if c.Parameters == "" && (!s.Short || inShortForm(c) || c.Mode == algorithm.CCM && s.NamesMode(c.Mode)) {
			asked = append(asked, c)
		}
	}
	if !slices.Contains(s.Form.Sizes, page) { // at which workarounds are compared
		s.Form.Sizes = append(slices.Clip(s.Form.Sizes), page)
	}
	for _, lib := range nativeVersions(s.Offers) {
		p := planner{s, lib}
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

// inShortForm says whether the short form has a cipher: key streams, where pieces of a
// byte have been seen, and an AEAD. Each slope that is compared costs blocks.
func inShortForm(c result.Case) bool {
	return c.Algorithm == algorithm.AES128 && (c.Mode == algorithm.CTR || c.Mode == algorithm.GCM) ||
		c.Algorithm == algorithm.ChaCha20
}

type libraryVersion struct{ library, version string }

func nativeVersions(o plan.Offers) (found []libraryVersion) {
	for _, offer := range o {
		s := offer.Subject
		v := libraryVersion{s.Library, s.Version}
		if s.CallPath != "go" && s.Library != subject.Harness && !slices.Contains(found, v) {
			found = append(found, v)
		}
	}
	return found
}

type planner struct {
	plan.Narrowed
	version libraryVersion
}

// subjects are the library's that offer a case: those that are called as a Go program
// calls them, by one path, and the one that loops in C.
func (p planner) subjects(c result.Case) (called []result.Subject, loop *result.Subject) {
	for _, s := range p.Subjects(c) {
		switch {
		case s.Library != p.version.library || s.Version != p.version.version:
		case s.CallPath == subject.CLoop && s.Implementation == "":
			loop = &s
		case s.CallPath != subject.CLoop && (len(called) == 0 || s.CallPath == called[0].CallPath):
			called = append(called, s)
		}
	}
	return called, loop
}

// missing is a group of one trial, which will say why it can't be.
func (p planner) missing(cases []result.Case) []plan.Group {
	for _, c := range cases {
		if called, _ := p.subjects(offered(c, parameter.Update)); len(called) > 0 {
			b := plan.NewBuilder(layout.Same(p.version.library))
			b.Add(called[0], handed(c, p.Form.Sizes[0], p.Form.Sizes[0], parameter.Update))
			return b.Groups()
		}
	}
	return nil
}

// group has every way of one cipher, and how its time rises from length to length.
func (p planner) group(c result.Case) []plan.Group {
	b := plan.NewBuilder(layout.Say("%s %s, %s", "%s %s，%s", p.version.library, p.version.version, c.Name()))
	for _, way := range p.ways(c) {
		called, loop := p.subjects(offered(c, way))
		for _, size := range p.Form.Sizes {
			for _, call := range p.calls(c, way, size) {
				for _, s := range called {
					if s.Implementation == "" {
						b.Add(s, handed(c, size, call, way))
					}
				}
			}
			if loop != nil && !p.Short {
				b.Add(*loop, handed(c, size, size, way))
			}
		}
	}
	if len(b.Group.Trials) > 0 {
		p.steps(b, c)
		p.workarounds(b, c)
	}
	return b.Groups()
}

func (p planner) ways(c result.Case) []parameter.Manner {
	if called, _ := p.subjects(offered(c, parameter.Final)); p.Short && len(called) > 0 {
		return []parameter.Manner{parameter.Update, parameter.Final, parameter.Blocks}
	}
	return ways
}

const smallCall = 64

// calls are the sizes of calls that a message is handed over in. One of CCM is one call, since its length comes before
// its first byte.
func (p planner) calls(c result.Case, way parameter.Manner, size int64) []int64 {
	if c.Mode == algorithm.CCM || way == parameter.Oneshot || way == parameter.Blocks || p.Short {
		return []int64{size}
	}
	sizes := []int64{1 << 10, 4 << 10, size}
	if size <= 4<<10 { // of more there would be hundreds, and small calls have been seen
		sizes = append(sizes, smallCall)
	}
	if way == parameter.Update {
		sizes = append(sizes, 256)
	}
	slices.Sort(sizes)
	return slices.Compact(slices.DeleteFunc(sizes, func(call int64) bool { return call > size }))
}

// steps adds messages of neighbouring lengths, each in one call, through update and
// by another way that does not cut them up but is the same cipher otherwise.
func (p planner) steps(b *plan.Builder, c result.Case) {
	if c.Mode == algorithm.CCM { // which cuts nothing up that it must have whole
		return
	}
	if p.Short && (c.Algorithm != algorithm.AES128 || c.Mode == algorithm.GCM) {
		return
	}
	s := p.stepper(offered(c, parameter.Update))
	for _, other := range []parameter.Manner{parameter.Oneshot, parameter.Final} {
		if t := p.stepper(offered(c, other)); s == nil || t == nil || *t != *s {
			continue
		}
		for _, n := range p.lengths(c) {
			b.Add(*s, handed(c, n, n, parameter.Update))
			b.Add(*s, handed(c, n, n, other))
		}
		return
	}
}

// stepper is the subject that neighbouring lengths are asked of: the loop in C, where
// there is one, since the boundary's noise would drown the steps.
func (p planner) stepper(c result.Case) *result.Subject {
	called, loop := p.subjects(c)
	if loop == nil && len(called) > 0 {
		loop = &called[0]
	}
	return loop
}

// lengths are a row of neighbours, for short pieces; a row of lengths half a block off,
// for pieces of several blocks; and neighbours of what pieces are likely to divide. A
// mode that takes whole blocks alone has theirs.
func (p planner) lengths(c result.Case) []int64 {
	switch {
	case algorithm.WholeBlocks(c.Mode):
		return append(every(16, 512, 16), 768)
	case p.Short:
		return append(every(33, 42, 1), 127, 128, 129)
	}
	return slices.Concat(every(33, 56, 1), every(72, 248, 16), every(127, 129, 1), every(255, 257, 1),
		every(511, 513, 1), every(767, 769, 1))
}

func every(first, last, step int64) (ns []int64) {
	for n := first; n <= last; n += step {
		ns = append(ns, n)
	}
	return ns
}

// page is the message at which workarounds are compared with update, in bytes.
const page = 4 << 10

// workarounds adds what a caller can do instead, and compares it with update where
// every answer looks: at a page, in one call. Where small writes are copied together,
// it is small calls that they are compared at.
func (p planner) workarounds(b *plan.Builder, c result.Case) {
	called, _ := p.subjects(c)
	updated, whole := handed(c, page, page, parameter.Update), c
	whole.Bytes = page
	for _, base := range slices.Clone(b.Group.Trials) {
		if base.Case != updated || base.Subject.CallPath == subject.CLoop {
			continue
		}
		for _, way := range ways[1:] {
			other := base.Trial
			other.Case = handed(c, page, page, way)
			b.Compare(base.Trial, other).Headline = !p.Short
		}
		for _, s := range called {
			if s.Implementation != "" && s.CallPath == base.Subject.CallPath {
				b.Compare(base.Trial, b.Add(s, whole).Trial).Headline = true
				p.coalesced(b, base.Trial, s, c)
			}
		}
	}
}

// coalesced compares a workaround with update in small calls, which one of them is for.
func (p planner) coalesced(b *plan.Builder, base result.Trial, s result.Subject, c result.Case) {
	if !p.Short && slices.Contains(p.Subjects(offered(c, parameter.Update)), s) {
		base.Case = handed(c, page, smallCall, parameter.Update)
		b.Compare(base, b.Add(s, base.Case).Trial)
	}
}
