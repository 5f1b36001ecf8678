// Package acceleration asks what the CPU's instructions bring, by turning them off.
package acceleration

import (
	"runtime"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
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
		Name: "acceleration",
		Short: plan.Form{Sizes: []int64{usualSize},
			Config: plan.Config{Blocks: 12, Rounds: 6, Least: 4, Target: 200 * time.Microsecond}},
		Full: plan.Form{Sizes: []int64{1 << 10, usualSize},
			Config: plan.Config{Blocks: 15, Rounds: 12, Least: 5, Target: 250 * time.Microsecond}},
		Cases:  document.Mapped(accelerated, func(a accelerable) result.Case { return a.Case }),
		Flags:  []string{"sizes"},
		Beyond: true,
		Make:   func(s plan.Narrowed) []plan.Group { return planAcceleration(s, runtime.GOARCH) },
	}
}

// usualSize is the size that the answer is about: what comes before the first byte of
// a message no longer matters, and it fits into the caches.
const usualSize = 16 << 10

// accelerable is a case, with the features that its speed is known to stand on, and whether the short form has it.
type accelerable struct {
	result.Case
	decisive []switches.Feature
	short    bool
}

// accelerated are the cases, with the features that their speed is known to stand on:
// the answer's sentences are about these. The short form has what everybody has, and
// switches nothing else.
var accelerated = []accelerable{
	{encrypt(algorithm.AES128, algorithm.GCM), []switches.Feature{switches.AES, switches.CarrylessMultiply}, true},
	{encrypt(algorithm.AES128, algorithm.CTR), []switches.Feature{switches.AES}, false},
	{plan.Of(algorithm.AES128, algorithm.CBC, algorithm.Decrypt), nil, false},
	{encrypt(algorithm.SM4, algorithm.GCM), []switches.Feature{switches.AES}, false},
	{encrypt(algorithm.SM4, algorithm.CTR), nil, false},
	{encrypt(algorithm.ChaCha20Poly1305, ""), []switches.Feature{switches.AVX2}, false},
	{hash(algorithm.SHA256), []switches.Feature{switches.SHA}, true},
	{hash(algorithm.SM3), nil, false},
	{hash(algorithm.SHA3of256), nil, false},
	{hash(algorithm.BLAKE2b512), nil, false},
}

func encrypt(name, mode string) result.Case { return plan.Of(name, mode, algorithm.Encrypt) }
func hash(name string) result.Case          { return plan.Of(name, "", algorithm.Hash) }

var shortLibraries = []string{"go", "openssl"}

// planAcceleration makes a group of each case at each size: every library as it is, and
// with each of its switches. Long messages are split by nothing else, so that what is
// compared stands side by side in time. The comparisons of the usual size are headlines,
// or of the longest where that is not among them.
func planAcceleration(s plan.Narrowed, arch string) (groups []plan.Group) {
	sizes := s.Form.Sizes
	usual := slices.Max(sizes)
	if slices.Contains(sizes, usualSize) {
		usual = usualSize
	}
	few := s.Short && len(s.Libraries) == 0
	for _, size := range sizes {
		for _, a := range accelerated {
			if !slices.Contains(s.Cases, a.Case) || s.Short && len(s.Algorithms) == 0 && !a.short {
				continue
			}
			b, c := plan.NewBuilder(layout.Say("%s %s, %s", "%s %s，%s", a.Name(), answer.InPlan(a.Operation), plan.InBytes(size))), a.Case
			c.Bytes = size
			for _, subject := range themselves(s.Subjects(c)) {
				if few && !slices.Contains(shortLibraries, subject.Library) {
					continue
				}
				with := b.Add(subject, c).Trial
				for _, w := range switches.Of(subject.Library, subject.Version, arch) {
					known := slices.Contains(a.decisive, w.Feature)
					if few && !known || subject.Version == "" {
						continue // a library that is not there has nothing to switch
					}
					subject.Environment = w.Environment
					b.Compare(b.Add(subject, c).Trial, with).Headline = size == usual && known
				}
			}
			groups = append(groups, b.Groups()...)
		}
	}
	return groups
}

// themselves keeps one subject of each version of a library, the one that it runs by
// itself: by the loop in C where there is one, since it is the library that is asked
// about and not the way into it.
func themselves(subjects []result.Subject) (kept []result.Subject) {
	for _, s := range subjects {
		i := slices.IndexFunc(kept, func(k result.Subject) bool { return k.Library == s.Library && k.Version == s.Version })
		if i < 0 {
			kept = append(kept, s)
		} else if s.CallPath == subject.CLoop && s.Implementation == kept[i].Implementation {
			kept[i] = s
		}
	}
	return kept
}
