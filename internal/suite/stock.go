package suite

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// Stock is what one library offers of one algorithm in one kernel.
type Stock struct {
	Library, Version, CallPath string
	Algorithm, Implementation  string
	Modes                      []string      // or operations, where there are no modes
	Found                      string        // where: built in, or a path
	Missing                    language.Text // why the library can't be asked; then all but its name is empty
}

// Take takes stock: it asks every library for every case of the experiments.
func Take(ctx context.Context, es []plan.Experiment, w *Workers) ([]Stock, error) {
	all, err := w.Discover(ctx, func(library string) bool { return library != plan.HarnessLibrary })
	if err != nil {
		return nil, err
	}
	found := make([][]Stock, len(all.Subjects))
	errs := make([]error, len(all.Subjects))
	var wg sync.WaitGroup
	for i, sub := range all.Subjects {
		if sub.Library == plan.HarnessLibrary {
			continue
		}
		if w.missing(sub) {
			found[i] = []Stock{{Library: sub.Library, Missing: why(all.Libraries, sub)}}
			continue
		}
		wg.Go(func() {
			found[i], errs[i] = w.stockOf(ctx, sub, es, all.Libraries)
			if lacks := lacks(all.Libraries, sub); len(found[i]) == 0 && lacks != "" {
				found[i] = []Stock{{Library: sub.Library, Missing: firstOf(strings.Fields(lacks))}}
			}
		})
	}
	wg.Wait()
	stock := slices.CompactFunc(slices.Concat(found...), func(x, y Stock) bool { // one line for all call paths
		return x.Missing != (language.Text{}) && x.Library == y.Library && x.Missing == y.Missing
	})
	return stock, cmp.Or(errs...)
}

// why is the reason why a library is not here.
func why(libs []result.Library, sub result.Subject) language.Text {
	for _, l := range libs {
		if l.Library == sub.Library && l.Version == sub.Version && l.Missing != "" {
			return reason.Text(reason.Read(l.Missing, l.Cause))
		}
	}
	return reason.Text(reason.Cause("no-answer-known"))
}

// firstOf names the first few functions of many that an object has not.
func firstOf(names []string) language.Text {
	const most = 3
	if more := len(names) - most; more > 0 {
		return reason.Text(reason.Cause("object-has-no-more", strings.Join(names[:most], ", "), more))
	}
	return reason.Text(reason.Cause("object-has-no", strings.Join(names, ", ")))
}

// lacks are the functions that a library's object has not.
func lacks(libs []result.Library, sub result.Subject) string {
	for _, l := range libs {
		if l.Library == sub.Library && l.Version == sub.Version && l.CallPath == sub.CallPath {
			return l.Lacks
		}
	}
	return ""
}

func (w *Workers) stockOf(ctx context.Context, sub result.Subject, es []plan.Experiment, libs []result.Library) ([]Stock, error) {
	var cases []result.Case
	for _, e := range es {
		for _, c := range e.Cases {
			cases = append(cases, probed(c))
		}
	}
	var stock []Stock
	err := w.probe(ctx, sub, cases, func(i int, a worker.About, err error) {
		if err == nil && !a.Scenario {
			stock = add(stock, sub, cases[i], a.Implementation, where(libs, sub))
		}
	})
	return stock, err
}

func where(libs []result.Library, sub result.Subject) string {
	for _, l := range libs {
		if l.Library == sub.Library && l.Version == sub.Version && l.Path != "" {
			return l.Path
		}
	}
	return "built in"
}

// add notes a case under its algorithm and kernel. What makes ciphers for a mode is
// left out: whoever has the mode has that.
func add(stock []Stock, sub result.Subject, c result.Case, implementation, found string) []Stock {
	if strings.HasPrefix(c.Operation, "new") {
		return stock
	}
	at := slices.IndexFunc(stock, func(s Stock) bool { return s.Algorithm == c.Algorithm && s.Implementation == implementation })
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
