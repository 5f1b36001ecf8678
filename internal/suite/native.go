package suite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// Native is a library in a worker of its own: one that is not Go's, in a shared object, or what is known
// of it where there is none; a side of a comparison; a worker that the user names. Two versions of a
// library are two of these.
type Native struct {
	// Library is its name, or what people call a worker that says itself which libraries it brings.
	Library string
	// Side is the side of a comparison that it is on, "A" for the first; the environment of its subjects
	// says so.
	Side string
	// Foreign says that the worker is somebody else's: it brings libraries and cases of its own, and its
	// input is not the laboratory's.
	Foreign bool
	// Only keeps some of the subjects that it names; nil keeps all.
	Only    func(result.Subject) bool
	Missing error // why it can't be asked, and what would help; nil where it can
	// Command starts its worker with an environment; twin, where it is above 1, tells
	// it from others of the same version, of which it is the one of that number.
	Command func(environment string, twin int) worker.Command
}

// loading is how long a shared object's constructors may take.
const loading = 10 * time.Second

// keyOf is what the library of a worker was found by: of its environment only the side of a comparison.
func keyOf(k plan.WorkerKey) plan.WorkerKey {
	k.Environment, k.Copy = parameter.Side(k.Environment), 0
	return k
}

// beyond is a library behind the boundary, with what it said of itself when it was
// found, or what stands for one that said nothing.
type beyond struct {
	Native
	twin      int
	libraries []result.Library
	subjects  []result.Subject
	cases     []result.Case // of its own
	warmUp    time.Duration // of each of its trials in each block
	fault     error         // why no worker of it is started
}

// unchanged says whether a worker opened the same object as the one that was found: a
// file can be exchanged while a run goes on, and what is measured then is another library.
func (n beyond) unchanged(now []result.Library) error {
	for _, l := range now {
		for _, was := range n.libraries {
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
	w.natives, w.found = list, map[plan.WorkerKey]beyond{}
	return w
}

func (w *Workers) foreign(key plan.WorkerKey) bool { return w.found[keyOf(key)].Foreign }

// missing says whether a subject stands for a library that can't be asked.
func (w *Workers) missing(s result.Subject) bool {
	return w.found[keyOf(plan.WorkerOf(s))].fault != nil
}

// unasked says why a side or a worker that the user named can't be asked: nothing is compared with what is not there.
func (w *Workers) unasked() error {
	for _, n := range w.natives {
		for _, b := range w.found {
			if (n.Side != "" || n.Foreign) && b.Library == n.Library && b.Side == n.Side && b.fault != nil {
				return language.Errorf("%s: %s", "%s：%s", n.Library, reason.Said(b.libraries[0].Missing, b.libraries[0].Cause))
			}
		}
	}
	return nil
}

// idle says which worker that the user named has nothing to do in a run.
func (s *Suite) idle() error {
	busy := map[string]bool{}
	s.each(func(_ plan.Group, t plan.Trial) { busy[s.workers.found[keyOf(t.Worker())].Library] = true })
	for _, n := range s.workers.natives {
		if n.Foreign && n.Side == "" && !busy[n.Library] {
			return language.Errorf("--worker %s offers none of the cases that are asked: ask another question, or leave out what narrows this one",
				"--worker %s 没有所问的测试项：请换一个问题，或去掉缩小范围的参数", n.Library)
		}
	}
	return nil
}

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
	if w.alone {
		f.Libraries = nil
		f.Subjects = slices.DeleteFunc(f.Subjects, func(s result.Subject) bool { return s.Library != subject.Harness })
	}
	others, err := w.askNatives(ctx, wanted)
	if err != nil {
		return f, err
	}
	f.Libraries = beforeOurs(f.Libraries, others.Libraries, func(l result.Library) string { return l.Library })
	f.Subjects = beforeOurs(f.Subjects, others.Subjects, func(s result.Subject) string { return s.Library })
	know := func(name string) { // the harness is no library
		if name != subject.Harness && !slices.Contains(f.Known, name) {
			f.Known = append(f.Known, name)
		}
	}
	for _, l := range f.Libraries {
		know(l.Library)
	}
	for _, n := range w.natives {
		if !n.Foreign {
			know(n.Library)
		}
	}
	named := w.brought() // by the user, who wants it
	f.Libraries = slices.DeleteFunc(f.Libraries, func(l result.Library) bool { return !wanted(l.Library) && !named[l.Library] })
	f.Subjects = slices.DeleteFunc(f.Subjects, func(s result.Subject) bool { return !wanted(s.Library) && !w.foreign(plan.WorkerOf(s)) })
	return f, nil
}

// brought are the names of the libraries that foreign workers bring.
func (w *Workers) brought() map[string]bool {
	names := map[string]bool{}
	for key, b := range w.found {
		if b.Foreign {
			names[key.Library] = true
			for _, l := range b.libraries { // also those that it lacks
				names[l.Library] = true
			}
		}
	}
	return names
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
	list := slices.DeleteFunc(slices.Clone(w.natives), func(n Native) bool { return !wanted(n.Library) && !n.Foreign })
	answers, _ := sideBySide(list, func(n Native) (beyond, error) { return w.ask(ctx, n, 1), nil })
	if ctx.Err() != nil {
		return f, ctx.Err()
	}
	for i, n := range list {
		a := answers[i]
		taken := func(s result.Subject) bool { _, taken := w.found[keyOf(plan.WorkerOf(s))]; return taken }
		for slices.ContainsFunc(a.subjects, taken) {
			if a = w.ask(ctx, n, a.twin+1); a.twin > len(list) {
				return f, fmt.Errorf("suite: internal error: %s has the version and the number of another", n.Library)
			}
		}
		for _, s := range a.subjects {
			w.found[keyOf(plan.WorkerOf(s))] = a
		}
		if n.Library != subject.Harness { // which is none
			f.Libraries = append(f.Libraries, a.libraries...)
		}
		f.Subjects = append(f.Subjects, a.subjects...)
	}
	return f, nil
}

func (w *Workers) ask(ctx context.Context, n Native, twin int) beyond {
	if n.Missing != nil {
		return absence(n, twin, worker.FaultOf(worker.Unsupported, n.Missing))
	}
	ctx, cancel := context.WithTimeout(ctx, min(loading, w.greeting))
	defer cancel()
	p, hello, err := w.greet(ctx, n.Library, n.Command("", twin))
	if err != nil {
		return absence(n, twin, err)
	}
	p.Stop()
	for _, l := range hello.Libraries {
		if l.Missing != "" && (!n.Foreign || len(hello.Subjects) == 0) { // the others of a foreign worker may be there
			return absence(n, twin, &worker.Fault{Kind: worker.Unsupported, Text: l.Missing, Cause: l.Cause})
		}
	}
	b := beyond{Native: n, twin: twin, libraries: hello.Libraries, cases: hello.Cases, warmUp: max(0, time.Duration(hello.WarmUp))}
	for _, s := range hello.Subjects {
		s.Environment = parameter.WithSide(s.Environment, n.Side)
		if n.Only == nil || n.Only(s) {
			b.subjects = append(b.subjects, s)
		}
	}
	return b
}

func absence(n Native, twin int, why error) beyond {
	s := result.Subject{Library: n.Library, CallPath: subject.Purego}
	if twin > 1 {
		s.Version = fmt.Sprintf("#%d", twin)
	}
	said := why
	if died, ok := errors.AsType[*worker.Died](why); ok {
		said = died
	}
	l := result.Library{Library: s.Library, Version: s.Version, CallPath: s.CallPath,
		Missing: said.Error(), Cause: reason.Of(said)}
	s.Environment = parameter.WithSide("", n.Side)
	return beyond{Native: n, twin: twin, libraries: []result.Library{l}, subjects: []result.Subject{s}, fault: why}
}
