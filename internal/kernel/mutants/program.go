package main

import (
	"cmp"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A program is the tests of a folder. They run in turns, the quick ones first, since those kill most mutants.
type program struct {
	folder string
	turns  []string // flags that choose a turn's tests: all are in one
	took   time.Duration
	linkage
}

// newProgram builds the tests of a folder in another, and runs them without a mutant. They must pass.
func newProgram(folder, dir string) (p program, err error) {
	p.folder = folder
	binary := filepath.Join(dir, "sound.test")
	if err := p.build(binary, ""); err != nil {
		return p, err
	}
	began := time.Now()
	out, err := p.run(binary, time.Hour, "-test.v")
	if err != nil {
		return p, fmt.Errorf("the tests of %s fail: %w\n%s", folder, err, out)
	}
	p.turns, p.took = turns(out), time.Since(began)
	p.linkage, err = linkageOf(folder)
	return p, err
}

// buildWith builds the program with a mutant, which an overlay puts in place and which lies beside it.
func (p program) buildWith(m mutant, binary, overlay string) error {
	if strings.HasSuffix(m.file, ".s") {
		return p.link(binary, m.file, filepath.Join(filepath.Dir(overlay), filepath.Base(m.file)))
	}
	return p.build(binary, overlay)
}

// build links without symbols, as go test does for what it runs at once.
func (p program) build(binary, overlay string) error {
	args := []string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", binary}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	if out, err := exec.Command("go", append(args, p.folder)...).CombinedOutput(); err != nil {
		return fmt.Errorf("the tests of %s do not build: %w\n%s", p.folder, err, out)
	}
	return nil
}

// run runs tests where go test would.
func (p program) run(binary string, limit time.Duration, flags ...string) (string, error) {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return "", err
	}
	cmd := exec.Command(binary, append(flags, "-test.paniconexit0", "-test.timeout="+limit.String())...)
	cmd.Dir = p.folder
	out, err := cmd.CombinedOutput()
	return string(out), err
}

var passed = regexp.MustCompile(`(?m)^( *)--- (?:PASS|SKIP): ([^/\s]+)\S* \(([0-9.]+s)\)$`)

// A test of a program, and how long it took: what its subtests took at any one depth, since those that run in parallel
// are not in its own time.
type test struct {
	name string
	took time.Duration
}

// tests are those of a verbose run, the quickest first.
func tests(verbose string) []test {
	took := map[string]map[string]time.Duration{} // by name and indent
	var list []test
	for _, m := range passed.FindAllStringSubmatch(verbose, -1) {
		indent, name := m[1], m[2]
		of, known := took[name]
		if !known {
			of = map[string]time.Duration{}
			took[name] = of
			list = append(list, test{name: name})
		}
		d, _ := time.ParseDuration(m[3]) // what is no duration counts as none
		of[indent] += d
	}
	for i, t := range list {
		list[i].took = slices.Max(slices.Collect(maps.Values(took[t.name])))
	}
	slices.SortStableFunc(list, func(a, b test) int { return cmp.Compare(a.took, b.took) })
	return list
}

// turns are flags that run the tests of a verbose run in turns: the quickest, which took a thousandth of the time
// together, then each time so many more that the time doubles, and all others. A start takes a few milliseconds, and
// within a turn tests run in the order of the source: so few wait for slower ones.
func turns(verbose string) []string {
	list := tests(verbose)
	var total time.Duration
	for _, t := range list {
		total += t.took
	}
	var flags, before, turn []string
	next := func() {
		if len(turn) > 0 {
			flags = append(flags, "-test.run="+names(turn))
			before = append(before, turn...)
			turn = nil
		}
	}
	var spent time.Duration
	share := max(1, total/1000)
	for _, t := range list {
		spent += t.took
		for spent > share && share < total {
			next()
			share *= 2
		}
		if share >= total {
			break
		}
		turn = append(turn, t.name)
	}
	next()
	return append(flags, "-test.skip="+names(before))
}

// names matches these tests and no others.
func names(tests []string) string { return "^(" + strings.Join(tests, "|") + ")$" }
