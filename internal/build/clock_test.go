package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestClock exchanges the clock of the toolchain's own package testing, and builds with it: what sleeps then
// costs next to nothing, and in a build like any other what it lasts.
func TestClock(t *testing.T) {
	if testing.Short() {
		t.Skip("builds tests by another clock")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the clock is Linux's")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module slow\n\ngo 1.25\n")
	write("slow_test.go", "package slow\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\n"+
		"func BenchmarkSleep(b *testing.B) {\n\ttime.Sleep(100 * time.Millisecond)\n\tif b.Elapsed() > 90*time.Millisecond {\n\t\tb.Fatal(\"on the wall\")\n\t}\n}\n")
	if os.Getenv("GOCACHE") == "" { // what is compiled already lies where it lay
		cache, err := exec.Command("go", "env", "GOCACHE").Output()
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	b, err := Tests(t.Context(), Spec{Dir: dir, Package: "."})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for value, want := range map[string]bool{"": false, "process": true} {
		cmd := exec.Command(b.Program, "-test.bench=.", "-test.benchtime=1x")
		cmd.Env = append(os.Environ(), "CRYPTOGAUGE_BENCH_CLOCK="+value)
		out, _ := cmd.CombinedOutput()
		if got := !strings.Contains(string(out), "on the wall"); got != want {
			t.Errorf("clock %q: %s", value, out)
		}
	}
}

// TestClockUnknown: a file that is not as expected is left as it is.
func TestClockUnknown(t *testing.T) {
	known := "package testing\n\nimport \"time\"\n\ntype highPrecisionTime struct{ now time.Time }\n\nfunc highPrecisionTimeNow() highPrecisionTime { return highPrecisionTime{} }\n\n" +
		"func highPrecisionTimeSince(highPrecisionTime) time.Duration { return 0 }\n\nfunc other() {}\n"
	if got := withClock(known); !strings.Contains(got, "func other() {}") || !strings.Contains(got, "processCPUTime()") || strings.Contains(got, "return 0 }") {
		t.Errorf("%s", got)
	}
	for _, text := range []string{"", "package", strings.Replace(known, "func highPrecisionTimeNow()", "func now()", 1), strings.Replace(known, `"time"`, `"times"`, 1)} {
		if got := withClock(text); got != "" {
			t.Errorf("%q became %s", text, got)
		}
	}
}
