package check

import (
	"cmp"
	"math"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/document"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/store"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/suite"
	"github.com/cryptogauge/cryptogauge/result"
	"github.com/cryptogauge/cryptogauge/stat"
)

// OutputError is of what was measured and could not be written.
type OutputError struct{ Err error }

func (e *OutputError) Error() string { return e.Err.Error() }
func (e *OutputError) Unwrap() error { return e.Err }

type measured struct {
	folder string
	doc    *document.Document // of its run
	trials []*timed
	byID   map[string]*timed
	tried  []suite.Tried // abnormal inputs
}

type timed struct {
	id         string
	info       *result.TrialInfo
	row        *document.Row
	references []int // of its group, by their index in the run
	reference  bool  // it is one of them
	samples    bool  // it has some that count
	checked    bool  // its output was judged right at the end of a block
}

func (s *session) measure(l look) (*measured, error) {
	cfg := s.Suite
	cfg.References = true
	cfg.Selection.Seed = cfg.Setting.Seed // what is replayed of a histogram is drawn from it
	l.change(&cfg)
	planned, err := suite.Prepare(s.ctx, cfg)
	if err != nil {
		return nil, err
	}
	if err := s.Ready(planned); err != nil {
		return nil, err
	}
	var tried []suite.Tried
	if l.abnormal {
		if tried, err = planned.TryAbnormal(s.ctx); err != nil && s.ctx.Err() == nil {
			return nil, err
		}
	}
	folder, err := store.Create(s.Output, "check-"+l.round+"-"+cfg.Name, time.Now())
	if err != nil {
		return nil, language.Errorf("%w; name another directory with --output", "%s；请用 --output 指定其他目录", err)
	}
	s.Made(folder.Path)
	file, err := folder.CreateRun()
	if err != nil {
		return nil, err
	}
	_, err = planned.Run(s.ctx, file, s.Progress(roundNames[l.round], planned.Duration()))
	if err = cmp.Or(err, file.Close()); err != nil {
		return nil, &OutputError{language.Errorf("%w; what was measured until then reads with: cryptogauge report %s",
			"%s；此前的测量可用以下命令查看：cryptogauge report %s", err, folder.Path)}
	}
	run, err := store.Open(folder.Path)
	if err != nil {
		return nil, &OutputError{err}
	}
	m := read(run, folder.Path)
	m.tried = tried
	return m, nil
}

func read(run *result.Run, folder string) *measured {
	m := &measured{folder: folder, doc: document.Build(run), byID: map[string]*timed{}}
	ids := document.UniqueIDs{}
	for i := range run.Trials {
		info := &run.Trials[i]
		t := &timed{id: idOf(info), info: info, row: m.doc.Rows[i], reference: plan.IsReference(info.Trial)}
		if t.row.Group >= 0 {
			group := run.Groups[t.row.Group]
			if t.reference {
				t.id = info.Experiment + "/" + group.Name + "/" + info.Trial.ID()
			}
			for _, other := range group.Trials {
				if other != i && plan.IsReference(run.Trials[other].Trial) {
					t.references = append(t.references, other)
				}
			}
		}
		t.id = ids.Name(t.id)
		t.samples = len(m.doc.Times(i)) > 0 // of blocks, none of which is empty
		t.checked = m.doc.Checked(i)
		m.trials, m.byID[t.id] = append(m.trials, t), t
	}
	return m
}

// idOf names a trial as reports do, but for the version of our own library: two
// builds of it are to be compared.
func idOf(info *result.TrialInfo) string {
	t := info.Trial
	if t.Subject.Library == ownLibrary {
		t.Subject.Version = ""
	}
	return info.Experiment + "/" + t.ID()
}

func (t *timed) own() bool { return t.info.Subject.Library == subject.Harness }

func (m *measured) referenceName(trial int) string { return m.doc.Run.Trials[trial].Case.Name() }

// against returns a trial's log ratios to a reference by block, where its group has it.
func (m *measured) against(t *timed, name string) []float64 {
	for _, r := range t.references {
		if m.referenceName(r) == name {
			return blockRatios(m.doc.Paired(r, t.info.Index))
		}
	}
	return nil
}

// allocs are the heap objects and bytes per call: the least and the most that any
// block showed.
func (m *measured) allocs(trial int) (least, most, bytes float64, ok bool) {
	least = math.Inf(1)
	for _, o := range m.doc.Run.Opened {
		if o.Trial == trial && o.Allocs >= 0 {
			least, most, bytes, ok = min(least, o.Allocs), max(most, o.Allocs), max(bytes, o.AllocBytes), true
		}
	}
	return least, most, bytes, ok
}

// rounds are the log ratios of a trial to one of the references of its group, and
// its times, round by round in order of time.
func (m *measured) rounds(trial, reference int) (ratios, times []float64) {
	x, y := m.doc.Paired(reference, trial)
	for i := range x {
		r, t := logRatios(x[i], y[i])
		ratios, times = append(ratios, r...), append(times, t...)
	}
	return ratios, times
}

// calmest picks the reference that a trial's rounds follow best.
func (m *measured) calmest(t *timed) (reference int, ok bool) {
	best := math.Inf(1)
	for _, r := range t.references {
		ratios, _ := m.rounds(t.info.Index, r)
		if width := stat.Quantile(ratios, 0.75) - stat.Quantile(ratios, 0.25); width < best {
			best, reference, ok = width, r, true
		}
	}
	return reference, ok
}
