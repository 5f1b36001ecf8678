package aes

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// everyImplementation runs a test for each implementation of this machine, by name.
func everyImplementation(t *testing.T, f func(t *testing.T, implementation string)) {
	for _, name := range Implementations() {
		t.Run(name, func(t *testing.T) { f(t, name) })
	}
}

// TestImplementationsOfThisMachine asks another source, the operating system or x/sys, what the
// processor has. Where an implementation must exist and doesn't, nothing above was tested for it.
func TestImplementationsOfThisMachine(t *testing.T) {
	names := Implementations()
	t.Logf("implementations: %s", strings.Join(names, " "))
	if names[len(names)-1] != fallback {
		t.Errorf("std must be the last of %v", names)
	}
	var must []string
	if assembly {
		has := func(flags ...string) bool {
			for _, f := range flags {
				if !slices.Contains(processorFlags(), f) {
					return false
				}
			}
			return true
		}
		if has("aes", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512vbmi", "vaes", "vpclmulqdq", "bmi2") {
			must = append(must, "avx512+vaes")
		}
	}
	for _, m := range must {
		if !slices.Contains(names, m) {
			if os.Getenv("CI") == "true" {
				t.Fatalf("the processor has what %s needs, but it did not run", m)
			}
			t.Errorf("the processor has what %s needs, but it did not run", m)
		}
	}
}

// What GODEBUG turns off is not there, by the names of golang.org/x/sys/cpu, nor what is no validated module where
// the program asks for FIPS 140-3.
func TestGODEBUG(t *testing.T) {
	if os.Getenv("AES_PRINT_IMPLEMENTATIONS") != "" {
		fmt.Println("implementations:", strings.Join(Implementations(), " "))
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, off := range []string{"cpu.all=off", "cpu.aes=off", "cpu.avx=off", "cpu.avx2=off", "cpu.pclmulqdq=off", "cpu.avx512=off",
		"cpu.avx512vl=off", "cpu.avx512vaes=off", "fips140=on", "fips140=only"} {
		child := exec.Command(self, "-test.run=^TestGODEBUG$", "-test.count=1")
		child.Env = append(os.Environ(), "AES_PRINT_IMPLEMENTATIONS=1", "GODEBUG="+off)
		out, err := child.CombinedOutput()
		if err != nil {
			t.Skipf("this program can't start itself: %v", err)
		}
		_, line, found := strings.Cut(string(out), "implementations: ")
		line, _, _ = strings.Cut(line, "\n")
		if !found || strings.Join(strings.Fields(line), " ") != fallback {
			t.Errorf("GODEBUG=%s leaves %q", off, line)
		}
	}
}

func processorFlags() []string {
	b, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(b)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "flags" {
			return strings.Fields(value)
		}
	}
	return nil
}

func newTest(t testing.TB, key []byte, implementation string) *Cipher {
	t.Helper()
	c, err := NewWith(key, implementation)
	if err != nil {
		t.Fatal(err)
	}
	if c.Implementation() != implementation {
		t.Fatalf("asked for %s, got %s", implementation, c.Implementation())
	}
	return c
}

func random(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func mustPanic(t *testing.T, name, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got := recover(); got != want {
			t.Errorf("%s: panic %v, want %q", name, got, want)
		}
	}()
	f()
}
