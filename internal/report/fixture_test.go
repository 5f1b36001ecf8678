package report

import (
	"math/rand/v2"
	"time"

	"github.com/cryptogauge/cryptogauge/result"
)

// fixture builds runs as measure writes them, from planted times.
type fixture struct {
	run    *result.Run
	rng    *rand.Rand
	blocks int
	rounds int
	plans  []plan // by trial
}

// plan is what a trial is made to show.
type plan struct {
	ns     float64 // per call
	spread float64 // relative, of a round
	change func(*result.Sample)
	open   bool // its blocks are never closed
	silent bool // it has no samples
	allocs float64
}

func newFixture(blocks, rounds int) *fixture {
	return &fixture{
		run: &result.Run{Header: result.Header{
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

// trial declares a trial and returns its index.
func (f *fixture) trial(experiment string, c result.Case, s result.Subject, p plan) int {
	i := len(f.run.Trials)
	if p.spread == 0 {
		p.spread = 0.002
	}
	if s.CallPath == "" {
		s.CallPath = "go"
	}
	if s.Version == "" {
		s.Version = "v1.0.0"
	}
	f.run.Trials = append(f.run.Trials, result.TrialInfo{
		Index: i, Experiment: experiment, Trial: result.Trial{Subject: s, Case: c}, Loop: "block",
		ConstantTime: result.ConstantTime{Value: "yes", Basis: "uses the CPU's AES instructions"},
	})
	f.plans = append(f.plans, p)
	return i
}

func (f *fixture) group(experiment, name, kind string, trials []int, pairs ...result.Pair) {
	f.run.Groups = append(f.run.Groups, result.Group{
		Index: len(f.run.Groups), Experiment: experiment, Name: name, Kind: kind, Trials: trials, Pairs: pairs,
	})
}

func (f *fixture) status(trial int, s result.Status, reason string) {
	f.run.Statuses = append(f.run.Statuses, result.StatusChange{Trial: trial, Status: s, Reason: reason})
}

// measure writes the samples: blocks outermost, then rounds, then trials.
func (f *fixture) measure() *result.Run {
	out := map[int]bool{}
	for _, s := range f.run.Statuses {
		out[s.Trial] = s.Status == result.Unsupported
	}
	for block := range f.blocks {
		for t, p := range f.plans {
			if !out[t] && !p.silent {
				f.run.Opened = append(f.run.Opened, result.Opened{Trial: t, Block: block, Calls: 1000, Allocs: p.allocs, AllocBytes: 32 * p.allocs})
			}
		}
		for round := range f.rounds {
			for t, p := range f.plans {
				if !out[t] && !p.silent {
					f.sample(t, block, round, p)
				}
			}
		}
		for t, p := range f.plans {
			if !out[t] && !p.open {
				f.run.Closed = append(f.run.Closed, result.Closed{Trial: t, Block: block})
			}
		}
	}
	return f.run
}

func (f *fixture) sample(trial, block, round int, p plan) {
	ns := int64(1000 * p.ns * (1 + p.spread*f.rng.NormFloat64()))
	s := result.Sample{
		Trial: int32(trial), Block: int32(block), Round: int32(round), Calls: 1000,
		Thread: ns, Process: ns, Wall: ns + ns/100, Cycles: -1, SpinBefore: 100_000, SpinAfter: 100_100,
	}
	if p.change != nil {
		p.change(&s)
	}
	f.run.Samples = append(f.run.Samples, s)
}

// end closes the run with a machine that was left in peace.
func (f *fixture) end() *result.Run {
	run := f.measure()
	run.End = &result.End{
		Samples: int64(len(run.Samples)), Seconds: 58.2,
		Strain: result.Strain{CPUSeconds: 116.4, StealSeconds: 0.3, LoadBefore: 0.1, LoadAfter: 1},
	}
	return run
}

// sm4 is a case of SM4.
func sm4(mode string, bytes int64) result.Case {
	return result.Case{Algorithm: "SM4", Mode: mode, Operation: "encrypt", Bytes: bytes}
}

var (
	gmsm  = result.Subject{Library: "gmsm", Version: "v0.44.0", Implementation: "avx2+gfni"}
	tjfoc = result.Subject{Library: "tjfoc", Version: "v1.4.1", Implementation: "generic"}
	ours  = result.Subject{Library: "cryptogauge", Version: "v0.1.0", Implementation: "avx512+gfni"}
)

// fullRun holds one row of every kind.
func fullRun() *result.Run {
	f := newFixture(15, 7)
	var cbc, all []int
	var pairs []result.Pair
	for _, size := range []int64{64, 1024, 16384} {
		e := f.trial("modes", sm4("ECB", size), gmsm, plan{ns: 60 + 0.8*float64(size), allocs: 1})
		c := f.trial("modes", sm4("CBC", size), gmsm, plan{ns: 80 + 5*float64(size)})
		cbc, all = append(cbc, c), append(all, e, c)
		pairs = append(pairs, result.Pair{Base: e, Other: c, Headline: size == 1024})
	}
	own := f.trial("modes", sm4("CBC", 1024), ours, plan{ns: 5200 * 0.98})
	gc := f.trial("modes", sm4("GCM", 1024), gmsm, plan{ns: 2000, allocs: 2, change: func(s *result.Sample) {
		s.Process = s.Thread * 3 / 2
		s.Collections = 1
	}})
	wrong := f.trial("modes", sm4("GCM", 1024), tjfoc, plan{ns: 90000})
	missing := f.trial("modes", sm4("ECB", 1024), result.Subject{Library: "openssl", Version: "3.0.22", CallPath: "cgo"}, plan{})
	crashed := f.trial("modes", sm4("CTR", 1024), tjfoc, plan{ns: 70000})
	moving := f.trial("modes", sm4("OFB", 1024), tjfoc, plan{ns: 60000, change: func(s *result.Sample) { s.SpinAfter = s.SpinBefore * 12 / 10 }})
	all = append(all, own, gc, wrong, missing, crashed, moving)
	pairs = append(pairs,
		result.Pair{Base: cbc[1], Other: own, Headline: true},
		result.Pair{Base: cbc[1], Other: gc, Headline: true},
		result.Pair{Base: gc, Other: wrong, Headline: true})
	f.group("modes", "SM4", "", all, pairs...)

	a := f.trial("modes", sm4("CTR", 1024), gmsm, plan{ns: 900})
	b := f.trial("modes", sm4("CTR", 1024), gmsm, plan{ns: 900.9})
	f.group("modes", "A/A", result.KindNoise, []int{a, b})
	empty := f.trial("harness", result.Case{Algorithm: "empty", Operation: "block"}, result.Subject{Library: "cryptogauge"}, plan{ns: 2.1})
	f.group("harness", "empty", result.KindHarness, []int{empty})

	f.status(wrong, result.Incorrect, "wrong tag; opens tampered text")
	f.status(missing, result.Unsupported, "libcrypto.so.3 was not found")
	f.status(crashed, result.Crashed, "its worker died: signal: segmentation fault")

	exposure := f.trial("modes", result.Case{Algorithm: "SM4", Mode: "ECB", Operation: "exposure", Bytes: 65536}, gmsm, plan{silent: true})
	f.run.Trials[exposure].Loop = "scenario"
	run := f.end()
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
