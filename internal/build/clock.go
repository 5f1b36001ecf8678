package build

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// clockFile is the one file of package testing that knows how benchmarks take the time.
const clockFile = "testing_other.go"

// clockNames are what that file must say of it, and what is exchanged.
var clockNames = []string{"highPrecisionTime", "highPrecisionTimeNow", "highPrecisionTimeSince"}

// clockDeclarations let a test binary count the CPU time of its process where the environment asks for it
// (gobench.ClockVariable): clock 2 of Linux, CLOCK_PROCESS_CPUTIME_ID.
const clockDeclarations = `

type highPrecisionTime struct {
	now time.Time
	cpu int64
}

var benchmarksCountCPU = os.Getenv("CRYPTOGAUGE_BENCH_CLOCK") == "process"

func processCPUTime() int64 {
	var t syscall.Timespec
	_, _, _ = syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, 2, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano()
}

func highPrecisionTimeNow() highPrecisionTime {
	if benchmarksCountCPU {
		return highPrecisionTime{now: time.Now(), cpu: processCPUTime()}
	}
	return highPrecisionTime{now: time.Now()}
}

func highPrecisionTimeSince(b highPrecisionTime) time.Duration {
	if benchmarksCountCPU {
		return time.Duration(processCPUTime() - b.cpu)
	}
	return time.Since(b.now)
}
`

// cpuClock are the arguments with which the go command builds such a binary: a file of package testing is
// another one for this build. There are none where that is not Go's file any more, or on another system; the
// benchmarks' own figures must do then.
func cpuClock(g *goCommand, w *workplace) ([]string, error) {
	if g.is["GOOS"] != "linux" || strings.Contains(g.is["GOFLAGS"], "-overlay") {
		return nil, nil
	}
	file := filepath.Join(g.is["GOROOT"], "src", "testing", clockFile)
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil
	}
	exchanged := withClock(string(text))
	if exchanged == "" {
		return nil, nil
	}
	other, list := filepath.Join(w.dir, clockFile), filepath.Join(w.dir, "overlay.json")
	if err := os.WriteFile(other, []byte(exchanged), 0o644); err != nil {
		return nil, err
	}
	said, err := json.Marshal(map[string]map[string]string{"Replace": {file: other}})
	if err != nil {
		return nil, err
	}
	return []string{"-overlay=" + list}, os.WriteFile(list, said, 0o644)
}

// withClock is the file with another clock; "" where it is not as expected.
func withClock(text string) string {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, clockFile, text, parser.SkipObjectResolution)
	if err != nil || len(f.Imports) != 1 || f.Imports[0].Path.Value != `"time"` {
		return ""
	}
	var edits []edit
	for _, d := range f.Decls {
		if slices.Contains(clockNames, nameOf(d)) {
			edits = append(edits, edit{set.Position(d.Pos()).Offset, set.Position(d.End()).Offset, ""})
		}
	}
	if len(edits) != len(clockNames) {
		return ""
	}
	at := set.Position(f.Imports[0].Pos()).Offset
	edits = append(edits, edit{at, at, `("os"; "syscall"; "unsafe"; `},
		edit{at + len(`"time"`), at + len(`"time"`), `)`})
	return string(apply([]byte(text), edits)) + clockDeclarations
}

// nameOf is the name of a function or of a type that stands alone.
func nameOf(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Name.Name
	case *ast.GenDecl:
		if len(d.Specs) == 1 {
			if s, ok := d.Specs[0].(*ast.TypeSpec); ok {
				return s.Name.Name
			}
		}
	}
	return ""
}
