package main

import (
	"fmt"
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

var passed = regexp.MustCompile(`(?m)^--- (?:PASS|SKIP): (\S+) \(([0-9.]+s)\)$`)

// turns are flags that run the tests of a verbose run in turns: the quickest, which took a fiftieth of the time
// together, the next, which took a fifth, and all others.
func turns(verbose string) []string {
	type test struct {
		name string
		took time.Duration
	}
	var tests []test
	var total time.Duration
	for _, m := range passed.FindAllStringSubmatch(verbose, -1) {
		took, err := time.ParseDuration(m[2])
		if err != nil {
			continue // it is among the others
		}
		tests = append(tests, test{m[1], took})
		total += took
	}
	slices.SortStableFunc(tests, func(a, b test) int { return int(a.took - b.took) })
	var flags, before, turn []string
	var spent time.Duration
	next := func() {
		if len(turn) > 0 {
			flags = append(flags, "-test.run="+names(turn))
			before = append(before, turn...)
			turn = nil
		}
	}
	shares := []time.Duration{total / 50, total / 5}
	for _, t := range tests {
		spent += t.took
		for len(shares) > 0 && spent > shares[0] {
			next()
			shares = shares[1:]
		}
		if len(shares) == 0 {
			break
		}
		turn = append(turn, t.name)
	}
	next()
	return append(flags, "-test.skip="+names(before))
}

// names matches these tests and no others.
func names(tests []string) string { return "^(" + strings.Join(tests, "|") + ")$" }
