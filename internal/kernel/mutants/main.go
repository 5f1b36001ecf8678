// Mutants plants known bugs into copies of the kernels and of the code around them and demands that the
// default tests kill every one:
//
//	go run ./internal/kernel/mutants [package]
//
// Without the name of a package, all are judged. Each mutant is one replacement in one file, put in place by a build
// overlay, or where it is assembly by another link, so nothing in the tree changes. It must compile. A mutant that the
// tests pass is a hole in the tests: exit code 1.
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// A mutant replaces the n-th occurrence (from 1) of old in function (a TEXT symbol; anywhere if empty).
type mutant struct {
	name     string
	file     string
	function string
	old, new string
	n        int
}

// A set is the mutants of one package and the folders of the tests that must kill them. The kernels' own
// tests come last: few mutants reach them, so that few need a second program linked.
type set struct {
	pkg     string
	mutants []mutant
	tests   []string
}

var sets = []set{
	{"sm4", sm4Mutants, []string{"./sm4", "./internal/kernel/sm4"}},
	{"sm4-beside", besideMutants, []string{"./sm4", "./internal/kernel/sm4"}},
	{"sm4-portable", portableMutants, []string{"./sm4", "./internal/kernel/buffers", "./internal/kernel/sm4"}},
	{"aes", aesMutants, []string{"./aes", "./internal/kernel/aes"}},
	{"aes-lanes", aesLaneMutants, []string{"./aes", "./internal/kernel/aes"}},
	{"aes-portable", aesPortableMutants, []string{"./aes", "./internal/kernel/aes"}},
	{"multibuffer", multibufferMutants, []string{"./multibuffer", "./internal/kernel/multibuffer"}},
	{"multibuffer-sha", pairMutants, []string{"./multibuffer", "./internal/kernel/multibuffer"}},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(pkgs []string) error {
	for _, pkg := range pkgs {
		if !slices.ContainsFunc(sets, func(s set) bool { return s.pkg == pkg }) {
			return fmt.Errorf("no mutants of package %q", pkg)
		}
	}
	alive, sound := 0, map[string]program{}
	for _, s := range sets {
		if len(pkgs) > 0 && !slices.Contains(pkgs, s.pkg) {
			continue
		}
		n, err := s.judge(sound)
		if err != nil {
			return fmt.Errorf("package %s: %w", s.pkg, err)
		}
		alive += n
	}
	if alive > 0 {
		return fmt.Errorf("%d mutants survive the tests", alive)
	}
	return nil
}

// judge prints a line for each mutant and returns how many are alive. Sound are the programs that have run without one.
func (s set) judge(sound map[string]program) (alive int, err error) {
	began := time.Now()
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	var programs []program
	limit := time.Minute
	for _, folder := range s.tests {
		if _, known := sound[folder]; !known {
			if sound[folder], err = newProgram(folder, dir); err != nil {
				return 0, fmt.Errorf("without a mutant: %w", err)
			}
		}
		programs = append(programs, sound[folder])
		limit += 10 * sound[folder].took // a busy machine must kill no mutant
	}
	verdicts := make([]verdict, len(s.mutants))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.NumCPU())
	for i, m := range s.mutants {
		wg.Go(func() {
			slots <- struct{}{}
			verdicts[i] = m.verdict(programs, filepath.Join(dir, fmt.Sprint(i)), limit)
			<-slots
		})
	}
	wg.Wait()
	for i, m := range s.mutants {
		v := verdicts[i]
		switch {
		case v.err != nil:
			return 0, fmt.Errorf("mutant %q: %w", m.name, v.err)
		case v.by == "":
			alive++
			fmt.Printf("ALIVE   %s\n", m.name)
		default:
			fmt.Printf("killed  %-56s %s\n", m.name, v.by)
		}
	}
	fmt.Printf("%s: %d mutants, %d alive, %.0f s\n", s.pkg, len(s.mutants), alive, time.Since(began).Seconds())
	return alive, nil
}

// A verdict is the test that killed a mutant, none if it lives, or why there is no verdict.
type verdict struct {
	by  string
	err error
}

// verdict builds the programs with the mutant, one after the other, until a test kills it.
func (m mutant) verdict(programs []program, dir string, limit time.Duration) verdict {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return verdict{err: err}
	}
	defer os.RemoveAll(dir)
	overlay, err := m.plant(dir)
	if err != nil {
		return verdict{err: fmt.Errorf("planting it: %w", err)}
	}
	for _, p := range programs {
		binary := filepath.Join(dir, "mutated.test")
		if err := p.buildWith(m, binary, overlay); err != nil {
			return verdict{err: err}
		}
		for _, turn := range p.turns {
			if out, err := p.run(binary, limit, "-test.failfast", turn); err != nil {
				return verdict{by: killer(out, err)}
			}
		}
	}
	return verdict{}
}

// plant writes the mutated file and an overlay that puts it in the original's place.
func (m mutant) plant(dir string) (string, error) {
	text, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	mutated, err := m.apply(string(text))
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, filepath.Base(m.file))
	if err := os.WriteFile(file, []byte(mutated), 0o644); err != nil {
		return "", err
	}
	original, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{original: file}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, overlay, 0o644)
}

func (m mutant) apply(text string) (string, error) {
	from, to := 0, len(text)
	if m.function != "" {
		from = strings.Index(text, "TEXT ·"+m.function+"(SB)")
		if from < 0 {
			return "", fmt.Errorf("no function %s in %s", m.function, m.file)
		}
		if next := strings.Index(text[from+1:], "\nTEXT "); next >= 0 {
			to = from + 1 + next
		}
	}
	at := from
	for i := 0; i < m.n; i++ {
		next := strings.Index(text[at:to], m.old)
		if next < 0 {
			return "", fmt.Errorf("%q does not occur %d times in %s %s", m.old, m.n, m.file, m.function)
		}
		at += next
		if i < m.n-1 {
			at += len(m.old)
		}
	}
	return text[:at] + m.new + text[at+len(m.old):], nil
}

// killer names the first failing test, or says how the tests ended: a mutant may take the program with it.
func killer(out string, ended error) string {
	deepest := ""
	for line := range strings.Lines(out) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "--- FAIL: "); ok {
			if name, _, _ := strings.Cut(rest, " "); len(name) > len(deepest) {
				deepest = name
			}
		}
	}
	if deepest == "" {
		first, _, _ := strings.Cut(strings.TrimSpace(out), "\n")
		return cmp.Or(first, ended.Error())
	}
	return deepest
}
