package sm4

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
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
		t.Errorf("gmsm must be the last of %v", names)
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
		if has("avx2", "gfni", "pclmulqdq", "bmi2") {
			must = append(must, "avx2+gfni")
		}
		if has("avx512f", "avx512bw", "avx512dq", "avx512vl", "gfni", "vpclmulqdq", "bmi2") ||
			cpu.X86.HasAVX512GFNI && cpu.X86.HasAVX512VPCLMULQDQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL && cpu.X86.HasBMI2 {
			must = append(must, "avx512+gfni")
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

// What GODEBUG turns off is not there, by the names of golang.org/x/sys/cpu, as in package multibuffer.
func TestGODEBUG(t *testing.T) {
	if os.Getenv("SM4_PRINT_IMPLEMENTATIONS") != "" {
		fmt.Println("implementations:", strings.Join(Implementations(), " "))
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		off  string
		gone []string
	}{
		{"all", []string{"avx512+gfni", "avx2+gfni"}},
		{"avx", []string{"avx512+gfni", "avx2+gfni"}},
		{"avx2", []string{"avx512+gfni", "avx2+gfni"}},
		{"pclmulqdq", []string{"avx512+gfni", "avx2+gfni"}},
		{"avx512", []string{"avx512+gfni"}},
		{"avx512f", []string{"avx512+gfni"}},
		{"avx512vl", []string{"avx512+gfni"}},
	} {
		child := exec.Command(self, "-test.run=^TestGODEBUG$", "-test.count=1")
		child.Env = append(os.Environ(), "SM4_PRINT_IMPLEMENTATIONS=1", "GODEBUG=cpu."+tt.off+"=off")
		out, err := child.CombinedOutput()
		if err != nil {
			t.Skipf("this program can't start itself: %v", err)
		}
		_, line, found := strings.Cut(string(out), "implementations: ")
		line, _, _ = strings.Cut(line, "\n")
		names := strings.Fields(line)
		for _, name := range Implementations() {
			if want := !slices.Contains(tt.gone, name); !found || slices.Contains(names, name) != want {
				t.Errorf("GODEBUG=cpu.%s=off: %s there: %t, want %t (%q)", tt.off, name, !want, want, line)
			}
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
