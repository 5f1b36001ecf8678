// Package check is the gate that users run: is everything still right on this
// machine, and as fast as it was?
//
//	no baseline   screening ──▶ stress ──▶ passes ──▶ baseline
//	a baseline    regression
//
// Screening measures a little of everything: is it right, is it alive. Stress
// gives it ten times that load in workers that live on: does the last quarter go
// as the first did, in rate and tail, without an error and without growing. The
// passes measure speed in workers that are started again and again, and what they
// show is kept as this machine's baseline. Regression measures the same again,
// with the baseline's seed: are the outputs the same, and the speeds.
//
// # Speed
//
// Speed is a ratio: a trial's time over that of fixed work measured in the same
// round (plan.ReferenceCases), so that a slower clock today cancels out. Of
// the references each trial gets the one against which its baseline shows most. A
// trial is slower where the exact interval of now against the baseline's lies beyond
// its tolerance, which is the baseline's spread between passes and at least 3 %. It
// is fine where its interval ends before its resolution, which is at least 4 % and
// grows with the baseline's noise. Else it is undecided. What is not fine is measured
// again, twice at most, and slow is only what every look shows. Where the references
// moved against each other it is the machine that changed and not the library, and
// nothing is called slow.
//
// A trial in whose noise 15 % could hide is guarded coarsely: by the same rule, with
// the tolerance and the resolution that its noise leaves, up to 50 %. A check ends fine
// where nothing is slower, a slowdown of 15 % (50 % of those guarded coarsely) is
// excluded of every guarded trial, and at most a tenth of them is undecided; it says
// which slowdown is excluded of how many. Heap objects per operation are a count, in
// which there is no noise: one more, in every block, fails.
//
// # Outputs
//
// Every output is judged by an implementation of its own before and after it is
// timed, in every round of a check. A baseline keeps what that judge said, as a
// digest: with the same seed it must say the same. A wrong output fails the check,
// unless the experiment marked the trial as an exhibit: a library's known defect,
// which is shown and does not fail on every machine for ever. What no block's end
// judged, since a budget was over before, is inconclusive: it is neither right nor wrong.
package check

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/layout"
	"github.com/cryptogauge/cryptogauge/internal/machine"
	"github.com/cryptogauge/cryptogauge/internal/measure"
	"github.com/cryptogauge/cryptogauge/internal/store"
	"github.com/cryptogauge/cryptogauge/internal/suite"
)

type Config struct {
	Suite  suite.Config  // what is measured, and how workers are started; its seed and extent are the check's to choose
	Output string        // directory for the runs' folders
	Dir    string        // directory of baselines
	Path   string        // a baseline by name; "" finds this machine's in Dir
	Flag   string        // the flag that named the baseline or its directory, for messages; "" where none did
	Renew  bool          // make a new baseline, whether there is one or not
	Budget time.Duration // wall time of all rounds together; 0: what they need

	Made  func(folder string)      // called with the folder of each run as it is made
	Ready func(*suite.Suite) error // says what a planned round lacks, as room for files

	Show     func(Round)                                                                  // each round as it ends; may be nil
	Progress func(round layout.Text, expected time.Duration) func(share measure.Progress) // called as a round begins
}

type Verdict string

// The verdicts. Of a round only Fine, Failed, Inconclusive, Wrong, Refused and
// Interrupted are used.
const (
	Fine         Verdict = "fine"
	Inconclusive Verdict = "inconclusive"
	Wrong        Verdict = "wrong"       // an output that is not what it must be
	Failed       Verdict = "failed"      // a gate failed
	Refused      Verdict = "refused"     // the baseline can't be compared
	Interrupted  Verdict = "interrupted" // what was measured is kept

	Slower    Verdict = "slower"
	Faster    Verdict = "faster" // a remark
	Allocates Verdict = "allocates"
	Unsteady  Verdict = "unsteady"  // under stress
	Gone      Verdict = "gone"      // it answered once and does no more
	Exhibit   Verdict = "exhibit"   // known to be wrong, and shown
	Unguarded Verdict = "unguarded" // right and alive; its speed can't be held against a baseline
	New       Verdict = "new"       // not in the baseline
)

type session struct {
	Config
	ctx    context.Context
	id     identity
	path   string    // of the baseline, found or to be written
	base   *Baseline // nil where there is none to compare with
	apart  bool      // the baseline is of something else, and serves for outputs alone
	report *Report
	// take measures: it is measure, or what a test puts in its place.
	take func(look) (*measured, error)
}

// look is one run of a round.
type look struct {
	round    string
	change   func(*suite.Config) // sets what is measured, and for how long
	abnormal bool                // abnormal inputs are tried first
}

// Run runs a check. The error is for what kept it from its end: a usage error, a
// baseline that can't be read, a disk that is full; the report then holds the
// rounds that were completed.
func Run(ctx context.Context, cfg Config) (*Report, error) {
	s := &session{Config: cfg, ctx: ctx}
	s.take = s.measure
	s.report = &Report{Schema: SchemaReport, Tool: cfg.Suite.Tool, Suite: cfg.Suite.Name, Started: time.Now().UTC().Truncate(time.Second), Rounds: []Round{}}
	if err := s.find(); err != nil {
		return s.report, err
	}
	// A second check would be noise to this one, and this to it. A directory that can't be written to, as with a
	// baseline kept in a repository, has no lock.
	lock, taken := store.Lock(filepath.Join(s.Dir, ".lock"))
	defer lock.Close()
	if taken {
		return s.report, language.Errorf(
			"another check is measuring on this machine, and would be noise to this one: let it end first",
			"本机正有另一次检查在测量，会干扰此次检查：请等它结束")
	}
	return s.report, s.rounds()
}

func (s *session) find() error {
	cfg := s.Suite // what is asked of whom does not depend on the round
	cfg.Selection.Seed, cfg.Blocks, cfg.Rounds = cfg.Setting.Seed, screenBlocks, screenRounds
	planned, err := suite.Prepare(s.ctx, cfg)
	if err != nil {
		return err
	}
	s.id = identity{machine.Read(), planned.Libraries(), suite.Environment(), s.Suite.Setting.Dir, s.Suite.Setting.Own.Known()}
	s.report.Own = s.id.Own
	s.report.Machine, s.report.Libraries = s.id.Machine, s.id.Libraries
	if err := s.load(); err != nil {
		return err
	}
	if s.base != nil {
		s.report.Baseline = &BaselineRef{Path: s.path, Made: s.base.Made, Seed: s.base.Seed}
		s.Suite.Setting.Seed = s.base.Seed
		return nil
	}
	s.Suite.Setting.Seed = rand.Uint64N(1_000_000)
	if err := probe(s.path); err != nil {
		flag := cmp.Or(s.Flag, "--baseline-dir")
		return language.Errorf("%w; name another with %s", "%s；请用 %s 指定其他位置", err, flag)
	}
	return nil
}

func (s *session) load() (err error) {
	if s.path = s.Path; s.path == "" {
		s.path = filepath.Join(s.Dir, s.id.file(s.Suite.Name, s.Suite.Selection))
	}
	switch {
	case s.Renew:
		return nil
	case s.Path != "":
		s.base, err = Load(s.path)
		if errors.Is(err, fs.ErrNotExist) {
			return language.Errorf("%s: there is no such baseline; --new-baseline makes one there",
				"%s：没有该基线；--new-baseline 可在此处新建", s.path)
		}
	default:
		var found string
		if s.base, found, err = lookup(s.Dir, s.id, s.Suite.Name, s.Suite.Selection); s.base != nil {
			s.path = found
		}
	}
	if err != nil {
		return s.unreadable(err)
	}
	return nil
}

// unreadable says by which flag a baseline was named that can't be read. Where the
// directory can't be searched there is no telling whether it holds one, and the
// directory is the mistake.
func (s *session) unreadable(err error) error {
	if known := (*ErrBaseline)(nil); !errors.As(err, &known) {
		cause := err
		if p, ok := errors.AsType[*fs.PathError](err); ok {
			cause = p.Err
		}
		if _, hidden := os.Lstat(s.path); hidden != nil && s.Path == "" {
			return language.Errorf("the directory of baselines can't be read: %s: %s; name another with --baseline-dir",
				"无法读取基线目录：%s：%s；请用 --baseline-dir 指定其他目录", s.Dir, cause)
		}
		err = refused("%s: the baseline can't be read: %s; name another with --baseline, or make one elsewhere with --new-baseline",
			"%s：无法读取基线：%s；请用 --baseline 指定其他基线，或用 --new-baseline 在别处新建", s.path, cause)
	}
	if s.Flag != "" {
		err = refused("%s: %w", "%s：%s", s.Flag, err)
	}
	return err
}

// rounds runs the rounds that are due, until one does not end fine.
func (s *session) rounds() error {
	s.report.Seed = s.Suite.Setting.Seed
	if s.base == nil {
		// What screening had no time for, stress checks: no budget cuts its one block short.
		if r, err := s.round(s.screening); err != nil || r.Verdict != Fine && r.Verdict != Inconclusive {
			return err
		}
		for _, round := range []func() (Round, error){s.stress, s.passes} {
			if r, err := s.round(round); err != nil || r.Verdict != Fine {
				return err
			}
		}
		return nil
	}
	if list := s.base.differs(s.id, s.Suite.Name, s.Suite.Selection); len(list) > 0 {
		s.apart = true
		r, err := s.round(s.screening)
		if err == nil && (r.Verdict == Fine || r.Verdict == Inconclusive) {
			s.refuse(list, r.Trials)
		}
		return err
	}
	_, err := s.round(s.regression)
	return err
}

func (s *session) round(run func() (Round, error)) (Round, error) {
	begun := time.Now()
	r, err := run()
	if err != nil {
		return r, err
	}
	r.Seconds = time.Since(begun).Seconds()
	if s.ctx.Err() != nil {
		r.Verdict = Interrupted
		r.Says = []Line{{markOf(Interrupted), layout.Say("interrupted; what was measured is kept", "已中断；已测数据已保存")}}
	}
	s.keep(r)
	return r, nil
}

func (s *session) keep(r Round) {
	s.report.Rounds = append(s.report.Rounds, r)
	s.report.Verdict = r.Verdict
	if s.Show != nil {
		s.Show(r)
	}
}
