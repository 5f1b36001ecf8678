// Package documenttest builds runs for tests, as measure writes them, from planted times.
package documenttest

import (
	"cmp"
	"io"
	"math/rand/v2"
	"time"

	"github.com/cryptogauge/cryptogauge/result"
)

// Fixture builds runs as measure writes them, from planted times.
type Fixture struct {
	Run    *result.Run
	rng    *rand.Rand
	blocks int
	rounds int
	Plans  []Plan // by trial
}

// Plan is what a trial is made to show.
type Plan struct {
	NS     float64 // per call
	Spread float64 // relative, of a round
	Change func(*result.Sample)
	Open   bool // its blocks are never closed
	Silent bool // it has no samples
	Allocs float64
}

func NewFixture(blocks, rounds int) *Fixture {
	return &Fixture{
		Run: &result.Run{Header: result.Header{
			Schema: result.SchemaRun, Tool: "v0.1.0", Suite: "quick", Seed: 7, Command: []string{"run"},
			Started: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
			Machine: result.Machine{
				OS: "linux", Arch: "amd64", Hypervisor: "kvm",
				CPU: result.CPU{
					Model: "Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz", Online: 4, Allowed: 2, Cores: 2,
					Features: []string{"ssse3", "aes", "pclmulqdq", "avx", "avx2", "avx512f", "gfni", "vaes"},
				},
				Cgroup: result.Cgroup{QuotaCPUs: 1.5},
			},
			Libraries: []result.Library{{Library: "gmsm", Version: "v0.44.0", CallPath: "go"}},
		}},
		rng: rand.New(rand.NewPCG(1, 2)), blocks: blocks, rounds: rounds,
	}
}

// Trial declares a trial and returns its index.
func (f *Fixture) Trial(experiment string, c result.Case, s result.Subject, p Plan) int {
	i := len(f.Run.Trials)
	p.Spread = cmp.Or(p.Spread, 0.002)
	s.CallPath, s.Version = cmp.Or(s.CallPath, "go"), cmp.Or(s.Version, "v1.0.0")
	f.Run.Trials = append(f.Run.Trials, result.TrialInfo{
		Index: i, Experiment: experiment, Trial: result.Trial{Subject: s, Case: c}, Loop: "block",
		ConstantTime: result.ConstantTime{Value: "yes", Basis: "uses the CPU's AES instructions"},
	})
	f.Plans = append(f.Plans, p)
	return i
}

func (f *Fixture) Group(experiment, name, kind string, trials []int, pairs ...result.Pair) {
	f.Run.Groups = append(f.Run.Groups, result.Group{
		Index: len(f.Run.Groups), Experiment: experiment, Name: name, Kind: kind, Trials: trials, Pairs: pairs,
	})
}

func (f *Fixture) Status(trial int, s result.Status, reason string) {
	f.Run.Statuses = append(f.Run.Statuses, result.StatusChange{Trial: trial, Status: s, Reason: reason})
}

// Measure writes the samples: blocks outermost, then rounds, then trials.
func (f *Fixture) Measure() *result.Run {
	out := map[int]bool{}
	for _, s := range f.Run.Statuses {
		out[s.Trial] = s.Status == result.Unsupported
	}
	for block := range f.blocks {
		for t, p := range f.Plans {
			if !out[t] && !p.Silent {
				f.Run.Opened = append(f.Run.Opened, result.Opened{Trial: t, Block: block, Calls: 1000, Allocs: p.Allocs, AllocBytes: 32 * p.Allocs})
			}
		}
		for round := range f.rounds {
			for t, p := range f.Plans {
				if !out[t] && !p.Silent {
					f.sample(t, block, round, p)
				}
			}
		}
		for t, p := range f.Plans {
			if !out[t] && !p.Open {
				f.Run.Closed = append(f.Run.Closed, result.Closed{Trial: t, Block: block})
			}
		}
	}
	return f.Run
}

func (f *Fixture) sample(trial, block, round int, p Plan) {
	ns := int64(1000 * p.NS * (1 + p.Spread*f.rng.NormFloat64()))
	s := result.Sample{
		Trial: int32(trial), Block: int32(block), Round: int32(round), Calls: 1000,
		Thread: ns, Process: ns, Wall: ns + ns/100, Cycles: -1, SpinBefore: 100_000, SpinAfter: 100_100,
	}
	if p.Change != nil {
		p.Change(&s)
	}
	f.Run.Samples = append(f.Run.Samples, s)
}

// End closes the run with a machine that was left in peace.
func (f *Fixture) End() *result.Run {
	run := f.Measure()
	run.End = &result.End{
		Samples: int64(len(run.Samples)), Seconds: 58.2,
		Strain: result.Strain{CPUSeconds: 116.4, StealSeconds: 0.3, LoadBefore: 0.1, LoadAfter: 1},
	}
	return run
}

// SM4 is a case of SM4.
func SM4(mode string, bytes int64) result.Case {
	return result.Case{Algorithm: "SM4", Mode: mode, Operation: "encrypt", Bytes: bytes}
}

var (
	GMSM  = result.Subject{Library: "gmsm", Version: "v0.44.0", Implementation: "avx2+gfni"}
	TJFOC = result.Subject{Library: "tjfoc", Version: "v1.4.1", Implementation: "generic"}
	Ours  = result.Subject{Library: "cryptogauge", Version: "v0.1.0", Implementation: "avx512+gfni"}
)

// FullRun holds one row of every kind.
func FullRun() *result.Run {
	f := NewFixture(15, 7)
	var cbc, all []int
	var pairs []result.Pair
	for _, size := range []int64{64, 1024, 16384} {
		e := f.Trial("modes", SM4("ECB", size), GMSM, Plan{NS: 60 + 0.8*float64(size), Allocs: 1})
		c := f.Trial("modes", SM4("CBC", size), GMSM, Plan{NS: 80 + 5*float64(size)})
		cbc, all = append(cbc, c), append(all, e, c)
		pairs = append(pairs, result.Pair{Base: e, Other: c, Headline: size == 1024})
	}
	own := f.Trial("modes", SM4("CBC", 1024), Ours, Plan{NS: 5200 * 0.98})
	gc := f.Trial("modes", SM4("GCM", 1024), GMSM, Plan{NS: 2000, Allocs: 2, Change: func(s *result.Sample) {
		s.Process = s.Thread * 3 / 2
		s.Collections = 1
	}})
	wrong := f.Trial("modes", SM4("GCM", 1024), TJFOC, Plan{NS: 90000})
	missing := f.Trial("modes", SM4("ECB", 1024), result.Subject{Library: "openssl", Version: "3.0.22", CallPath: "cgo"}, Plan{})
	crashed := f.Trial("modes", SM4("CTR", 1024), TJFOC, Plan{NS: 70000})
	moving := f.Trial("modes", SM4("OFB", 1024), TJFOC, Plan{NS: 60000, Change: func(s *result.Sample) { s.SpinAfter = s.SpinBefore * 12 / 10 }})
	all = append(all, own, gc, wrong, missing, crashed, moving)
	pairs = append(pairs,
		result.Pair{Base: cbc[1], Other: own, Headline: true},
		result.Pair{Base: cbc[1], Other: gc, Headline: true},
		result.Pair{Base: gc, Other: wrong, Headline: true})
	f.Group("modes", "SM4", "", all, pairs...)

	a := f.Trial("modes", SM4("CTR", 1024), GMSM, Plan{NS: 900})
	b := f.Trial("modes", SM4("CTR", 1024), GMSM, Plan{NS: 900.9})
	f.Group("modes", "A/A", result.KindNoise, []int{a, b})
	empty := f.Trial("harness", result.Case{Algorithm: "empty", Operation: "block"}, result.Subject{Library: "cryptogauge"}, Plan{NS: 2.1})
	f.Group("harness", "empty", result.KindHarness, []int{empty})

	f.Status(wrong, result.Incorrect, "wrong tag; opens tampered text")
	f.Status(missing, result.Unsupported, "libcrypto.so.3 was not found")
	f.Status(crashed, result.Crashed, "its worker died: signal: segmentation fault")

	exposure := f.Trial("modes", result.Case{Algorithm: "SM4", Mode: "ECB", Operation: "exposure", Bytes: 65536}, GMSM, Plan{Silent: true})
	f.Run.Trials[exposure].Loop = "scenario"
	run := f.End()
	for block := range f.blocks {
		run.Records = append(run.Records, result.Record{
			Trial: exposure, Block: block,
			Metrics: []result.Metric{{Name: "repeated_share", Value: 0.42, Unit: "1"}, {Name: "rate_served", Value: 1000 + float64(block), Unit: "1/s"},
				{Name: "latency_p99_ns", Value: 1000 + float64(block), Unit: "ns"}},
			Histograms: []result.Histogram{{Name: "latency", Unit: "ns", Buckets: [][2]int64{{100, 50}, {200, 45}, {1000, 5}}}},
		})
	}
	return run
}

// Write writes a run as a run file. One without an end is one that goes on.
func Write(w io.Writer, run *result.Run) error {
	out, err := result.NewWriter(w, run.Header)
	if err != nil {
		return err
	}
	each(run.Trials, out.Trial)
	each(run.Groups, out.Group)
	each(run.Opened, out.Opened)
	each(run.Samples, out.Sample)
	each(run.Closed, out.Closed)
	each(run.Statuses, out.Status)
	each(run.Records, out.Record)
	if run.End != nil {
		return out.End(*run.End)
	}
	return out.Err()
}

// each writes lines; the first error stays with the writer.
func each[T any](all []T, write func(T) error) {
	for _, x := range all {
		write(x)
	}
}
