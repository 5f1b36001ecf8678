// Package acceleration asks what the CPU's instructions bring, by turning them off.
package acceleration

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/switches"
	"github.com/cryptogauge/cryptogauge/result"
)

// Experiment asks what the CPU's features are worth: every library as it is, and
// told to do without one feature at a time, and without all, each in a worker of its
// own, in turns with the others.
//
// A switch is tried on every case that the library offers, also where nobody would
// expect an effect: that there is none is an answer, and some take more along than
// they are named after. Libraries without a switch are measured as they are.
func Experiment() plan.Experiment {
	return plan.Experiment{
		Name:     "acceleration",
		Question: "How much does each CPU feature speed up each library and mode?",
		Short: plan.Form{
			Sizes:  []int64{usualAccelerated},
			Config: plan.Config{Blocks: 12, Rounds: 2, Target: 500 * time.Microsecond, Budget: 4 * time.Second},
		},
		Full: plan.Form{
			Sizes:  []int64{1 << 10, usualAccelerated},
			Config: plan.Config{Blocks: 15, Rounds: 5, Target: time.Millisecond},
		},
		Cases:  acceleratedCases(),
		Beyond: true,
		Plan: func(s plan.Selection, o plan.Offers) []plan.Group {
			return planAcceleration(s, o, runtime.GOARCH)
		},
	}
}

// usualAccelerated is the size that the answer is about: what comes before the first
// byte of a message no longer matters, and it fits into the caches.
const usualAccelerated = 16 << 10

func acceleratedCases() []result.Case {
	return []result.Case{
		plan.Of(algorithm.AES128, algorithm.GCM, algorithm.Encrypt), plan.Of(algorithm.AES128, algorithm.CTR, algorithm.Encrypt), plan.Of(algorithm.AES128, algorithm.CBC, algorithm.Decrypt),
		plan.Of(algorithm.SM4, algorithm.GCM, algorithm.Encrypt), plan.Of(algorithm.SM4, algorithm.CTR, algorithm.Encrypt),
		plan.Of(algorithm.ChaCha20Poly1305, "", algorithm.Encrypt),
		plan.Of(algorithm.SHA256, "", algorithm.Hash), plan.Of(algorithm.SM3, "", algorithm.Hash), plan.Of(algorithm.SHA3of256, "", algorithm.Hash), plan.Of(algorithm.BLAKE2b512, "", algorithm.Hash),
	}
}

// decisive are the features that a case's speed is known to stand on: the answer's
// sentences are about these. Of the short form's cases they are all that is switched.
var decisive = map[result.Case][]switches.Feature{
	plan.Of(algorithm.AES128, algorithm.GCM, algorithm.Encrypt): {switches.AES, switches.CarrylessMultiply},
	plan.Of(algorithm.SHA256, "", algorithm.Hash):               {switches.SHA},
	plan.Of(algorithm.SM4, algorithm.GCM, algorithm.Encrypt):    {switches.AES},
	plan.Of(algorithm.ChaCha20Poly1305, "", algorithm.Encrypt):  {switches.AVX2},
	plan.Of(algorithm.AES128, algorithm.CTR, algorithm.Encrypt): {switches.AES},
}

// Of the short form: what everybody has.
var (
	shortAccelerated = []result.Case{plan.Of(algorithm.AES128, algorithm.GCM, algorithm.Encrypt), plan.Of(algorithm.SHA256, "", algorithm.Hash)}
	shortAccelerants = []string{"go", "openssl"}
)

func planAcceleration(s plan.Selection, offers plan.Offers, arch string) (groups []plan.Group) {
	e := Experiment()
	sizes := e.Form(s).Sizes
	p := accelerationPlanner{offers: offers, short: s.Short && len(s.Libraries) == 0, arch: arch}
	for _, size := range sizes {
		for _, c := range e.Narrow(s) {
			if s.Short && len(s.Algorithms) == 0 && !slices.Contains(shortAccelerated, c) {
				continue
			}
			if g := p.group(c, size, size == usualOf(sizes)); len(g.Trials) > 0 {
				groups = append(groups, g)
			}
		}
	}
	return groups
}

// usualOf is the size whose comparisons are headlines: 16 KiB where it is among
// them, else the longest.
func usualOf(sizes []int64) int64 {
	if slices.Contains(sizes, usualAccelerated) {
		return usualAccelerated
	}
	return slices.Max(sizes)
}

// accelerationPlanner makes the groups of one selection.
type accelerationPlanner struct {
	offers plan.Offers
	short  bool
	arch   string
}

// group is one case at one size: every library as it is, and with each of its
// switches. Long messages are split by nothing else, so that what is compared stands
// side by side in time.
func (p accelerationPlanner) group(c result.Case, size int64, headline bool) plan.Group {
	b := plan.NewBuilder(fmt.Sprintf("%s %s, %d bytes", c.Name(), c.Operation, size))
	subjects := accelerated(p.offers.Subjects(c))
	expected := decisive[c]
	if p.short {
		subjects = slices.DeleteFunc(subjects, func(s result.Subject) bool { return !slices.Contains(shortAccelerants, s.Library) })
	}
	c.Bytes = size
	for _, s := range subjects {
		b.Add(s, c)
		for _, w := range switches.Of(s.Library, s.Version, p.arch) {
			known := slices.Contains(expected, w.Feature)
			if p.short && !known || s.Version == "" {
				continue // a library that is not there has nothing to switch
			}
			without := s
			without.Environment = w.Environment
			b.Add(without, c)
			b.Compare(result.Trial{Subject: without, Case: c}, result.Trial{Subject: s, Case: c}).Headline = headline && known
		}
	}
	return b.Group
}

// loopInC is the call path that is a library's own speed, without the price of
// crossing into it.
const loopInC = "c-loop"

// accelerated keeps one subject of each version of a library, the one that it runs by
// itself: by the loop in C where there is one, since it is the library that is asked
// about and not the way into it.
func accelerated(subjects []result.Subject) (kept []result.Subject) {
	for _, s := range subjects {
		i := slices.IndexFunc(kept, func(k result.Subject) bool { return k.Library == s.Library && k.Version == s.Version })
		if i < 0 {
			kept = append(kept, s)
		} else if s.CallPath == loopInC && s.Implementation == kept[i].Implementation {
			kept[i] = s
		}
	}
	return kept
}
