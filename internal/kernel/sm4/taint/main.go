// Taint runs the engine's Go code under valgrind with secret keys and data, and demands that no branch
// and no address depends on them:
//
//	go run ./internal/kernel/sm4/taint
//
// The lint beside it reads the kernels; this is for the code around them. Valgrind can't run the
// kernels, so the tags purego and valgrind put a model in Go in their place (model.go), which the
// tests check as any implementation. What gmsm and the standard library do with a secret is theirs:
// only reports count whose top frame is ours, or a copy or comparison of memory that ours asked for.
// Each of the planted leaks must be reported. Exit code 1 otherwise, and where there is no valgrind.
package main

import (
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/kernel/sm4/taint/leaks"
)

const (
	module  = "github.com/cryptogauge/cryptogauge/"
	tool    = module + "internal/kernel/sm4/taint/"
	planted = tool + "leaks."
)

// verdicts are the functions in which a comparison in constant time becomes a branch, which tells what
// the caller is told anyway. Each may have that one and no other.
var verdicts = []string{
	"sm4.(*ccmAEAD).Open", "sm4.(*gcm).Open", "sm4.OpenOnce", "sm4.(*oneKey).open", "sm4.(*gcm).openShort",
	"sm4.(*gcm).openLong", "sm4.newXTS", "sm4.(*gcmSIV).Open", "sm4.(*manyWork).openLanes",
	"internal/kernel/sm4.(*Sixteen).Open",
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "taint:", err)
		os.Exit(1)
	}
}

func run() error {
	began := time.Now()
	reports, err := observe()
	if err != nil {
		return err
	}
	leaked, branches := map[string]bool{}, map[string][]string{}
	var found []string
	for _, r := range reports {
		f, ok := r.culprit()
		name := strings.TrimPrefix(f.Function, module)
		switch {
		case !ok:
		case strings.HasPrefix(f.Function, planted):
			leaked[strings.TrimPrefix(f.Function, planted)] = true
		case r.Kind == "UninitCondition" && slices.Contains(verdicts, name):
			if !slices.Contains(branches[name], f.Address) {
				branches[name] = append(branches[name], f.Address)
			}
		default:
			found = append(found, fmt.Sprintf("%s: %s (%s:%d)", r.Kind, name, f.File, f.Line))
		}
	}
	var faults []string
	slices.Sort(found)
	for _, f := range slices.Compact(found) {
		faults = append(faults, "depends on a secret: "+f)
	}
	for _, l := range leaks.All {
		if !leaked[l.Name] {
			faults = append(faults, "planted leak not reported: "+l.Name)
		}
	}
	for _, v := range verdicts {
		if n := len(branches[v]); n != 1 {
			faults = append(faults, fmt.Sprintf("%d branches in %s, want its verdict and no other", n, v))
		}
	}
	for _, f := range faults {
		fmt.Println(f)
	}
	fmt.Printf("%d reports, %d planted leaks of %d found, %.0f s\n", len(reports), len(leaked), len(leaks.All), time.Since(began).Seconds())
	if len(faults) > 0 {
		return fmt.Errorf("%d faults", len(faults))
	}
	return nil
}

// A report is one place that valgrind saw use undefined memory.
type report struct {
	Kind  string  `xml:"kind"`
	Stack []frame `xml:"stack>frame"`
}

type frame struct {
	Address  string `xml:"ip"`
	Function string `xml:"fn"`
	File     string `xml:"file"`
	Line     int    `xml:"line"`
}

// observe builds the subject and runs it.
func observe() ([]report, error) {
	dir, err := os.MkdirTemp("", "taint")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	subject, log := filepath.Join(dir, "subject"), filepath.Join(dir, "log")
	build := exec.Command("go", "build", "-tags=purego,valgrind", "-o", subject, tool+"subject")
	// Valgrind 3.19 can't read line numbers in DWARF 5.
	build.Env = append(os.Environ(), "GOEXPERIMENT=nodwarf5", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the subject: %w\n%s", err, out)
	}
	// Goroutines' stacks lie so close together that a switch looks like a frame, whose memory valgrind takes
	// for undefined: on a busy machine, everything would soon depend on a secret.
	valgrind := exec.Command("valgrind", "--error-limit=no", "--leak-check=no", "--max-stackframe=4096",
		"--xml=yes", "--xml-file="+log, subject)
	// The collector reads memory as it likes, and a preempted function saves all its registers.
	valgrind.Env = append(os.Environ(), "GOGC=off", "GODEBUG=asyncpreemptoff=1")
	if out, err := valgrind.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("running the subject: %w\n%s", err, out)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return nil, err
	}
	var all struct {
		Errors []report `xml:"error"`
	}
	if err := xml.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("reading valgrind's log: %w", err)
	}
	return slices.DeleteFunc(all.Errors, func(r report) bool {
		return r.Kind != "UninitCondition" && r.Kind != "UninitValue"
	}), nil
}

// onBehalf are functions that do with memory what their caller asked for, and those inlined.
var onBehalf = regexp.MustCompile(`^(UnknownInlinedFun|memeqbody|cmpbody|indexbytebody|runtime\.(mem\w+|panic\w+|makeslice)|internal/bytealg\..*|bytes\..*|crypto/subtle\..*)$`)

// culprit is the top frame below those functions, if it is ours.
func (r report) culprit() (frame, bool) {
	for _, f := range r.Stack {
		if !onBehalf.MatchString(strings.TrimSuffix(f.Function, ".abi0")) {
			return f, strings.HasPrefix(f.Function, module)
		}
	}
	return frame{}, false
}
