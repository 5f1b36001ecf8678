package suite

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// Stock is what one library offers of one algorithm in one kernel.
type Stock struct {
	Library, Version, CallPath string
	Algorithm, Implementation  string
	Modes                      []string      // or operations, where there are no modes
	Found                      string        // BuiltIn, or a path
	Missing                    language.Text // why the library can't be asked; then all but its name is empty
}

// BuiltIn is where a library of this program is found.
const BuiltIn = "built in"

// Take takes stock: it asks every library for every case of the experiments.
func Take(ctx context.Context, es []plan.Experiment, w *Workers) ([]Stock, error) {
	all, err := w.Discover(ctx, func(library string) bool { return library != subject.Harness })
	if err != nil {
		return nil, err
	}
	var cases []result.Case
	for _, e := range es {
		for _, c := range e.Cases {
			cases = append(cases, probed(c))
		}
	}
	found, err := sideBySide(all.Subjects, func(sub result.Subject) ([]Stock, error) {
		return w.stockOf(ctx, sub, cases, all.Libraries)
	})
	stock := slices.CompactFunc(slices.Concat(found...), func(x, y Stock) bool { // one line for all call paths
		return x.Missing != (language.Text{}) && x.Library == y.Library && x.Missing == y.Missing
	})
	return stock, err
}

// sideBySide asks all of a list at once, and keeps the order. One error is enough for a line.
func sideBySide[T, A any](list []T, ask func(T) (A, error)) ([]A, error) {
	answers, errs := make([]A, len(list)), make([]error, len(list))
	var wg sync.WaitGroup
	for i, x := range list {
		wg.Go(func() { answers[i], errs[i] = ask(x) })
	}
	wg.Wait()
	return answers, cmp.Or(errs...)
}

// lacking names the first few functions of many that an object has not.
func lacking(names []string) result.Cause {
	const most = 3
	if more := len(names) - most; more > 0 {
		return reason.Cause("object-has-no-more", strings.Join(names[:most], ", "), more)
	}
	return reason.Cause("object-has-no", strings.Join(names, ", "))
}

func (w *Workers) stockOf(ctx context.Context, sub result.Subject, cases []result.Case,
	libs []result.Library) (stock []Stock, err error) {
	var of result.Library // as it was called, or at least its version
	for _, l := range libs {
		if l.Library == sub.Library && l.Version == sub.Version && (of.Library == "" || l.CallPath == sub.CallPath) {
			of = l
		}
	}
	missing := func(why result.Cause) []Stock { return []Stock{{Library: sub.Library, Missing: reason.Text(why)}} }
	if w.missing(sub) {
		if of.Missing == "" {
			return missing(reason.Cause("no-answer-known")), nil
		}
		return missing(reason.Read(of.Missing, of.Cause)), nil
	}
	err = w.probe(ctx, sub, cases, func(i int, a worker.About, err error) {
		if err == nil && !a.Scenario {
			stock = add(stock, sub, cases[i], a.Implementation, cmp.Or(of.Path, BuiltIn))
		}
	})
	if of.Lacks != "" && len(stock) == 0 {
		stock = missing(lacking(strings.Fields(of.Lacks)))
	}
	return stock, err
}

// add notes a case under its algorithm and kernel. What makes ciphers for a mode is
// left out: whoever has the mode has that.
func add(stock []Stock, sub result.Subject, c result.Case, implementation, found string) []Stock {
	if c.Operation == algorithm.New || c.Operation == algorithm.NewEncrypt {
		return stock
	}
	at := slices.IndexFunc(stock, func(s Stock) bool {
		return s.Algorithm == c.Algorithm && s.Implementation == implementation
	})
	if at < 0 {
		at = len(stock)
		stock = append(stock, Stock{Library: sub.Library, Version: sub.Version, CallPath: sub.CallPath,
			Algorithm: c.Algorithm, Implementation: implementation, Found: found})
	}
	if word := cmp.Or(c.Mode, c.Operation); !slices.Contains(stock[at].Modes, word) {
		stock[at].Modes = append(stock[at].Modes, word)
	}
	return stock
}
