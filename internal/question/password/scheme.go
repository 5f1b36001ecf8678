package password

import (
	"cmp"
	"iter"
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/result"
)

// scheme is a password hash: which parameters it may have, from weak to strong, and how its time follows from them.
type scheme struct {
	name algorithm.Name
	// steps are the parameters that keep a memory, each stronger than the one before.
	steps func(memory int64) iter.Seq[string]
	// A call takes size · (a + b · times), with a and b of the machine.
	size, times func(parameters string) float64
	memory      func(parameters string) int64 // bytes
	say         func(parameters string) layout.Text
	// minimum is what OWASP asks for at least, any of these (Password Storage Cheat Sheet).
	minimum []string
	// recommended is what an RFC recommends beyond that.
	recommended []string
	// unit is b on a server of 2020, in ns, by which calls are planned that nobody has timed.
	unit float64
}

func schemes() []scheme {
	return []scheme{argon2id(), scrypt(), bcrypt(), pbkdf2(algorithm.PBKDF2SHA256, 170), pbkdf2(algorithm.PBKDF2SM3, 500)}
}

func schemeOf(name algorithm.Name) (scheme, bool) {
	for _, s := range schemes() {
		if s.name == name {
			return s, true
		}
	}
	return scheme{}, false
}

// lanes is one, as OWASP has it: a login is one user's, and the other CPUs serve others.
const lanes = 1

func argon(kib, passes int64) string {
	return parameter.Join(parameter.M.Is(kib), parameter.T.Is(passes), parameter.P.Is(lanes))
}

// secondRecommended is RFC 9106's option for where memory is scarce (§4), but for its four lanes.
func secondRecommended() string { return argon(64<<10, 3) }

// argon2id takes as much memory as it may, as RFC 9106 §4 has it, and then as many passes.
func argon2id() scheme {
	kib := func(p string) int64 { return parameter.M.In(p) }
	passes := func(p string) int64 { return parameter.T.In(p) }
	return scheme{
		name: algorithm.Argon2id,
		steps: func(memory int64) iter.Seq[string] {
			return func(yield func(string) bool) {
				most := memory >> 10
				for octave := 12; octave > 0; octave-- {
					for eighths := int64(8); eighths < 16; eighths += 2 {
						if m := most * eighths / 8 >> octave; m >= 64 && !yield(argon(m, 1)) {
							return
						}
					}
				}
				for t := int64(1); yield(argon(most, t)); t++ {
				}
			}
		},
		size:   func(p string) float64 { return float64(kib(p)) },
		times:  func(p string) float64 { return float64(passes(p)) },
		memory: func(p string) int64 { return kib(p) << 10 },
		say: func(p string) layout.Text {
			if passes(p) == 1 {
				return layout.Say("%s, 1 pass", "%s、1 遍", layout.FormatSize(kib(p)<<10))
			}
			return layout.Say("%s, %d passes", "%s、%d 遍", layout.FormatSize(kib(p)<<10), passes(p))
		},
		minimum:     []string{argon(19<<10, 2), argon(46<<10, 1), argon(12<<10, 3), argon(9<<10, 4), argon(7<<10, 5)},
		recommended: []string{secondRecommended()}, unit: 650,
	}
}

// block is scrypt's r, which everybody has: a block of a KiB.
const block = 8

func scryptOf(n int64, p int) string {
	return parameter.Join(parameter.N.Is(n), parameter.R.Is(block), parameter.P.Is(p))
}

// scrypt takes as much memory as it may, and then computes several parts one after the other.
func scrypt() scheme {
	times := func(p string) float64 { return float64(parameter.N.In(p)) * float64(parameter.P.In(p)) }
	memory := func(p string) int64 { return 128 * parameter.N.In(p) * int64(parameter.R.In(p)) }
	return scheme{
		name: algorithm.Scrypt,
		steps: func(most int64) iter.Seq[string] {
			return func(yield func(string) bool) {
				n := int64(1 << 8)
				for ; memory(scryptOf(2*n, 1)) <= most; n *= 2 {
					if !yield(scryptOf(n, 1)) {
						return
					}
				}
				for p := 1; yield(scryptOf(n, p)); p++ {
				}
			}
		},
		size: one, times: times, memory: memory,
		say: func(p string) layout.Text {
			return layout.Say("N=2^%d, r=8, p=%d", "N=2^%d、r=8、p=%d", bits.Len64(uint64(parameter.N.In(p)))-1, parameter.P.In(p))
		},
		minimum: []string{scryptOf(1<<17, 1), scryptOf(1<<16, 2), scryptOf(1<<15, 3), scryptOf(1<<14, 5), scryptOf(1<<13, 10)},
		unit:    2800,
	}
}

func bcrypt() scheme {
	return scheme{
		name: algorithm.Bcrypt,
		steps: func(int64) iter.Seq[string] {
			return func(yield func(string) bool) {
				for c := parameter.Cost.Least; c <= parameter.Cost.Most && yield(parameter.Cost.Is(c)); c++ {
				}
			}
		},
		size: one, times: func(p string) float64 { return math.Exp2(float64(parameter.Cost.In(p))) },
		memory:  func(string) int64 { return 4 << 10 }, // the S-boxes
		say:     func(p string) layout.Text { return layout.Say("cost %d", "cost %d", parameter.Cost.In(p)) },
		minimum: []string{parameter.Cost.Is(10)},
		unit:    56_000,
	}
}

// pbkdf2 has numbers of iterations that people can remember, each 4 to 10 % above the one before. For SM3 OWASP says
// nothing; it is held to what is asked of SHA-256, whose iteration is as much work for whoever guesses.
func pbkdf2(name algorithm.Name, unit float64) scheme {
	iterations := func(p string) int64 { return parameter.Iterations.In(p) }
	return scheme{
		name: name,
		steps: func(int64) iter.Seq[string] {
			return func(yield func(string) bool) {
				for n := int64(1000); n < parameter.Iterations.Most && yield(parameter.Iterations.Is(n)); n += roundStep(n) {
				}
			}
		},
		size: one, times: func(p string) float64 { return float64(iterations(p)) },
		memory: func(string) int64 { return 1 << 10 },
		say: func(p string) layout.Text {
			return layout.Say("%s iterations", "%s 次迭代", layout.FormatThousands(iterations(p)))
		},
		minimum: []string{parameter.Iterations.Is(600_000)},
		unit:    unit,
	}
}

// roundStep is how far the next round number is.
func roundStep(n int64) int64 {
	decade := int64(1)
	for n >= 100*decade {
		decade *= 10
	}
	switch {
	case n < 20*decade:
		return decade
	case n < 50*decade:
		return 2 * decade
	}
	return 5 * decade
}

func one(string) float64 { return 1 }

// strong says whether parameters are at least one of some.
func (s scheme) strong(parameters string, than []string) bool {
	return slices.ContainsFunc(than, func(least string) bool {
		for _, k := range []parameter.Number[int64]{parameter.M, parameter.T, parameter.N, parameter.Iterations} {
			if k.In(parameters) < k.In(least) {
				return false
			}
		}
		return parameter.Cost.In(parameters) >= parameter.Cost.In(least) && (parameter.M.Has(least) || parameter.P.In(parameters) >= parameter.P.In(least))
	})
}

// work is how much parameters are to compute, beside each other.
func (s scheme) work(parameters string) float64 { return s.size(parameters) * s.times(parameters) }

// hard says whether a scheme takes as much memory as it may, which graphics cards lack.
func (s scheme) hard() bool { return s.name == algorithm.Argon2id || s.name == algorithm.Scrypt }

// point is what a call was found to take, in ns, and between what its interval says; low is 0 where it has none.
type point struct {
	parameters    string
	ns, low, high float64
}

// span is what a call takes, in ns, and between what.
type span struct{ ns, low, high float64 }

// widest is how far the ends of a prediction's interval may be from it for the prediction to be of use.
const widest = 0.3

// foresee predicts with an interval: the ends of the points' own, each at its worst. It is not ok where a point has
// none, where the interval is wide, and where more work would take no more time.
func (s scheme) foresee(known []point, parameters string) (f span, ok bool) {
	f.ns, ok = s.predict(known, parameters)
	f.low, f.high = f.ns, f.ns
	for i, k := range known {
		if k.low <= 0 {
			return f, false
		}
		var less, more float64
		for _, end := range []float64{k.low, k.high} {
			moved := slices.Clone(known)
			moved[i].ns = end
			ns, rises := s.predict(moved, parameters)
			ok = ok && rises
			less, more = min(less, ns-f.ns), max(more, ns-f.ns)
		}
		f.low, f.high = f.low+less, f.high+more
	}
	return f, ok && f.low >= (1-widest)*f.ns && f.high <= (1+widest)*f.ns
}

// predict is what a call takes by others of the scheme: by the line through those that take fewer times, of the size
// that is nearest to its own.
func (s scheme) predict(known []point, parameters string) (ns float64, ok bool) {
	known = slices.DeleteFunc(slices.Clone(known), func(k point) bool { return k.parameters == parameters })
	if len(known) == 0 {
		return 0, false
	}
	nearest := slices.MinFunc(known, func(a, b point) int {
		return cmp.Compare(s.apart(a.parameters, parameters), s.apart(b.parameters, parameters))
	})
	near := slices.DeleteFunc(known, func(k point) bool { return s.size(k.parameters) != s.size(nearest.parameters) })
	slices.SortFunc(near, func(a, b point) int { return cmp.Compare(s.times(a.parameters), s.times(b.parameters)) })
	below := slices.DeleteFunc(slices.Clone(near), func(k point) bool { return s.times(k.parameters) >= s.times(parameters) })
	if len(below) < 2 { // then the line is drawn from above
		below = near[:min(2, len(near))]
	}
	fixed, each := s.line(below)
	return s.size(parameters) * max(fixed+each*s.times(parameters), 0), each > 0
}

// line is a and b of the line through points of a size: that of least squares of relative errors, since what disturbs
// a call disturbs it in proportion. Through one point it begins at nothing.
func (s scheme) line(points []point) (a, b float64) {
	var w, x, y, xx, xy float64
	for _, p := range points {
		at, ns := s.times(p.parameters), p.ns/s.size(p.parameters)
		weight := 1 / (ns * ns)
		w, x, y, xx, xy = w+weight, x+weight*at, y+weight*ns, xx+weight*at*at, xy+weight*at*ns
	}
	if len(points) == 1 {
		return 0, y / x
	}
	b = (w*xy - x*y) / (w*xx - x*x)
	return (y - b*x) / w, b
}

func (s scheme) apart(a, b string) float64 { return math.Abs(math.Log(s.size(a) / s.size(b))) }

// nominal is what a call takes by the scheme's unit.
func (s scheme) nominal(parameters string) time.Duration {
	return time.Duration(s.unit * s.work(parameters))
}

// mostSteps is more than any budget has room for.
const mostSteps = 1 << 14

// choose finds the strongest parameters that keep a budget, empty where none do, and the next stronger ones, empty
// where there are none. It is not ok where nobody knows what the next would cost, or whether a weaker one keeps it: steps
// of unknown cost are passed over up to some work, where others were measured.
func (s scheme) choose(b result.LoginBudget, within float64, cost func(parameters string) (ns float64, ok bool)) (kept, next string, ok bool) {
	n, passed := 0, false
	for p := range s.steps(b.Memory) {
		ns, known := cost(p)
		n++
		switch {
		case n > mostSteps:
			return kept, "", true
		case !known && s.work(p) > within:
			return "", "", false
		case known && ns > b.Seconds*1e9:
			if kept == "" && passed {
				return "", "", false
			}
			return kept, p, true
		case known:
			kept = p
		default:
			passed = true
		}
	}
	return kept, "", true
}

// before is the step below parameters; empty where there is none.
func (s scheme) before(memory int64, parameters string) (below string) {
	for p := range s.steps(memory) {
		if p == parameters || parameters == "" {
			return below
		}
		below = p
	}
	return ""
}
