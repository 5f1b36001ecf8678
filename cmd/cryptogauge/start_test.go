package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestInitialisation holds what our packages do before main begins, which each block pays for
// every worker: what they allocate, which is the same at every start. The time is reported, for
// a machine that is idle to show.
func TestInitialisation(t *testing.T) {
	const mostAllocations, mostBytes = 400, 48 << 10
	program, err := exec.LookPath("cryptogauge")
	if err != nil {
		t.Fatal(err)
	}
	fewest, least := 0.0, 0.0
	for range 5 {
		allocations, bytes, ms := initialisation(t, program)
		if allocations > mostAllocations || bytes > mostBytes {
			t.Fatalf("our packages make %g allocations of %g bytes, at most %d of %d were allowed; make tables when they are first asked for, and see GODEBUG=inittrace=1 cryptogauge version",
				allocations, bytes, mostAllocations, mostBytes)
		}
		if least == 0 || ms < least {
			fewest, least = allocations, ms
		}
	}
	t.Logf("%g allocations, %.2f ms", fewest, least)
}

// initialisation sums up the lines of the runtime: "init PACKAGE @0.1 ms, 0.2 ms clock, 3 bytes, 4 allocs".
func initialisation(t *testing.T, program string) (allocations, bytes, ms float64) {
	t.Helper()
	start := exec.Command(program, "version")
	start.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := start.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	packages := 0
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) != 11 || f[0] != "init" || !strings.HasPrefix(f[1], "github.com/cryptogauge/cryptogauge/") ||
			strings.HasSuffix(f[1], "/cmd/cryptogauge") || // which here has these tests
			strings.HasSuffix(f[1], "/rendertest") { // what tests share, which the program has not
			continue
		}
		packages++
		for at, sum := range map[int]*float64{4: &ms, 7: &bytes, 9: &allocations} {
			n, err := strconv.ParseFloat(f[at], 64)
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			*sum += n
		}
	}
	if packages < 10 {
		t.Fatalf("%d packages of ours are named:\n%s", packages, out)
	}
	return allocations, bytes, ms
}
