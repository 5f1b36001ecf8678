package verify

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/statement"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// misnamed says which part of a selector is no name at all, on whatever machine: what a library that
// is not here can't tell, and what no library tells before it is opened. Kernels of a library that
// is not the laboratory's may have any name.
func misnamed(sel statement.Selector) error {
	paths := []string{subject.Direct, subject.Cgo, subject.Purego, subject.CLoop}
	if path := sel.Get("call_path"); path != "" && !named(paths, path) {
		return sel.Among("call_path", paths)
	}
	kernel, library := sel.Get("implementation"), sel.Get("library")
	if kernel == "" || library != "" && !named(subject.Libraries(), library) {
		return nil
	}
	switch mended := mendedKernel(kernel); mended {
	case kernel:
		return nil
	case "":
		return sel.Among("implementation", subject.KernelWords())
	default:
		return sel.Among("implementation", []string{mended})
	}
}

// named says whether a name is among some, however its letters are written.
func named(names []string, name string) bool {
	return slices.ContainsFunc(names, func(known string) bool { return strings.EqualFold(known, name) })
}

// unknownLibrary says that a selector names a library that neither the laboratory nor a run has.
func unknownLibrary(sel statement.Selector, run []result.Trial) error {
	names := subject.Libraries()
	for _, t := range run {
		if name := t.Subject.Library; name != subject.Harness && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if library := sel.Get("library"); library == "" || named(names, library) {
		return nil
	}
	return sel.Among("library", names)
}

// mendedKernel is the name of a kernel with the nearest word in the place of each that is in no
// such name; empty where none is near.
func mendedKernel(name string) string {
	known := subject.KernelWords()
	for _, word := range subject.InKernel(name) {
		if named(known, word) {
			continue
		}
		near := plan.Nearest(word, known)
		if len(near) == 0 {
			return ""
		}
		name = strings.Replace(name, word, near[0], 1)
	}
	return name
}
