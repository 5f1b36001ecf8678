package suite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// Native is a library that is not Go's, in one shared object, or what is known of
// it where there is none. Two versions of a library are two of these.
type Native struct {
	Library string
	Missing error // why it can't be asked, and what would help; nil where it can
	// Command starts its worker with an environment; twin, where it is above 1, tells
	// it from others of the same version, of which it is the one of that number.
	Command func(environment string, twin int) worker.Command
}

// loading is how long a shared object's constructors may take.
const loading = 10 * time.Second

// natives are the libraries behind the boundary, and where each subject of theirs
// was found.
type natives struct {
	list   []Native
	origin map[subjectKey]origin
}

type subjectKey struct{ library, version, callPath string }

func keyOf(s result.Subject) subjectKey { return subjectKey{s.Library, s.Version, s.CallPath} }

type origin struct {
	Native
	twin      int
	libraries []result.Library // as its worker described them when it was found
	fault     error            // of a library that can't be asked: why no worker of it is started
}

// unchanged says whether a worker opened the same object as the one that was found: a
// file can be exchanged while a run goes on, and what is measured then is another library.
func (o origin) unchanged(now []result.Library) error {
	for _, l := range now {
		for _, was := range o.libraries {
			if l.CallPath == was.CallPath && l.Missing == "" && (l.SHA256 != was.SHA256 || l.Path != was.Path) {
				return worker.FaultOf(worker.Failed,
					reason.New("replaced-running", was.Path, fmt.Sprintf("%.12s", was.SHA256), fmt.Sprintf("%.12s", l.SHA256)))
			}
		}
	}
	return nil
}

// Beyond adds the libraries that are not Go's. It returns w.
func (w *Workers) Beyond(list []Native) *Workers {
	w.native = natives{list: list, origin: map[subjectKey]origin{}}
	return w
}

// commandFor says how a key's worker is started, or why there can be none.
func (w *Workers) commandFor(key plan.WorkerKey) (worker.Command, error) {
	o, beyond := w.native.origin[subjectKey{key.Library, key.Version, key.CallPath}]
	switch {
	case !beyond:
		return w.command(key), nil
	case o.fault != nil:
		return worker.Command{}, o.fault
	}
	return o.Command(key.Environment, o.twin), nil
}

// missing says whether a subject stands for a library that can't be asked.
func (w *Workers) missing(s result.Subject) bool {
	o, beyond := w.native.origin[keyOf(s)]
	return beyond && o.fault != nil
}

// Found is what there is to measure.
type Found struct {
	Libraries []result.Library
	Subjects  []result.Subject
	Known     []string // the names of all libraries, wanted or not
	Counter   string   // why no cycle counter can be read; empty where one can
}

// Discover asks a worker of each kind what it offers. Established libraries come
// first, Go's before the others; our own engine comes after them.
func (w *Workers) Discover(ctx context.Context, wanted func(library string) bool) (f Found, err error) {
	p, hello, err := w.Start(ctx, plan.WorkerKey{})
	if err != nil {
		return f, err
	}
	p.Stop()
	f.Counter, f.Libraries, f.Subjects = hello.Counter, hello.Libraries, hello.Subjects
	beyond, err := w.askNatives(ctx, wanted)
	if err != nil {
		return f, err
	}
	f.Libraries = beforeOurs(f.Libraries, beyond.Libraries, func(l result.Library) string { return l.Library })
	f.Subjects = beforeOurs(f.Subjects, beyond.Subjects, func(s result.Subject) string { return s.Library })
	for _, l := range f.Libraries {
		f.know(l.Library)
	}
	for _, n := range w.native.list {
		f.know(n.Library)
	}
	f.Libraries = slices.DeleteFunc(f.Libraries, func(l result.Library) bool { return !wanted(l.Library) })
	f.Subjects = slices.DeleteFunc(f.Subjects, func(s result.Subject) bool { return !wanted(s.Library) })
	return f, nil
}

// know notes a library's name. The harness is none.
func (f *Found) know(name string) {
	if name != plan.HarnessLibrary && !slices.Contains(f.Known, name) {
		f.Known = append(f.Known, name)
	}
}

// beforeOurs puts what was found beyond Go before our own engine, or last.
func beforeOurs[T any](all, beyond []T, library func(T) string) []T {
	at := slices.IndexFunc(all, func(x T) bool { return library(x) == subject.Engine })
	if at < 0 {
		at = len(all)
	}
	return slices.Insert(all, at, beyond...)
}

// askNatives asks the libraries behind the boundary side by side, since one whose
// constructors never end would keep the others waiting.
func (w *Workers) askNatives(ctx context.Context, wanted func(string) bool) (f Found, err error) {
	list := slices.DeleteFunc(slices.Clone(w.native.list), func(n Native) bool { return !wanted(n.Library) })
	answers, _ := sideBySide(list, func(n Native) (answer, error) { return w.ask(ctx, n, 1), nil })
	if ctx.Err() != nil {
		return f, ctx.Err()
	}
	for i, n := range list {
		a, twin := answers[i], 1
		for w.native.taken(a.subjects) {
			twin++
			if a = w.ask(ctx, n, twin); twin > len(list) {
				return f, fmt.Errorf("suite: internal error: %s can't be told from another of its version", n.Library)
			}
		}
		for _, s := range a.subjects {
			w.native.origin[keyOf(s)] = origin{n, twin, a.libraries, a.fault}
		}
		if n.Library != plan.HarnessLibrary { // which is none
			f.Libraries = append(f.Libraries, a.libraries...)
		}
		f.Subjects = append(f.Subjects, a.subjects...)
	}
	return f, nil
}

// answer is what a library behind the boundary said of itself, or what stands for
// one that said nothing.
type answer struct {
	libraries []result.Library
	subjects  []result.Subject
	fault     error
}

func (n natives) taken(subjects []result.Subject) bool {
	return slices.ContainsFunc(subjects, func(s result.Subject) bool { _, taken := n.origin[keyOf(s)]; return taken })
}

func (w *Workers) ask(ctx context.Context, n Native, twin int) answer {
	if n.Missing != nil {
		return absence(n, twin, worker.FaultOf(worker.Unsupported, n.Missing))
	}
	ctx, cancel := context.WithTimeout(ctx, min(loading, w.greeting))
	defer cancel()
	p, hello, err := w.greet(ctx, plan.WorkerKey{Library: n.Library}, n.Command("", twin))
	if err != nil {
		return absence(n, twin, err)
	}
	p.Stop()
	for _, l := range hello.Libraries {
		if l.Missing != "" {
			return absence(n, twin, &worker.Fault{Kind: worker.Unsupported, Text: l.Missing, Cause: l.Cause})
		}
	}
	return answer{libraries: hello.Libraries, subjects: hello.Subjects}
}

// absence is a library that is not here: its rows say why.
func absence(n Native, twin int, why error) answer {
	s := result.Subject{Library: n.Library, CallPath: subject.Purego}
	if twin > 1 {
		s.Version = fmt.Sprintf("#%d", twin)
	}
	said := why
	if died, ok := errors.AsType[*worker.Died](why); ok {
		said = died
	}
	return answer{
		libraries: []result.Library{{Library: s.Library, Version: s.Version, CallPath: s.CallPath, Missing: said.Error(), Cause: reason.Of(said)}},
		subjects:  []result.Subject{s}, fault: why,
	}
}
