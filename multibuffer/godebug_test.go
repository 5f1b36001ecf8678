package multibuffer

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestGODEBUG starts itself again with an instruction set turned off, since x/sys/cpu reads GODEBUG once.
func TestGODEBUG(t *testing.T) {
	const printVariable = "MULTIBUFFER_PRINT_IMPLEMENTATIONS"
	if os.Getenv(printVariable) != "" {
		fmt.Println("implementations:", strings.Join(Implementations(), " "))
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for off, gone := range map[string][]string{
		"all": {"avx512", "avx2", "avx2+sha-ni"}, "avx": {"avx512", "avx2", "avx2+sha-ni"}, "avx2": {"avx512", "avx2", "avx2+sha-ni"},
		"ssse3":  {"avx2+sha-ni"},
		"avx512": {"avx512"}, "avx512f": {"avx512"}, "avx512bw": {"avx512"}, "avx512dq": {"avx512"}, "avx512vl": {"avx512"},
	} {
		child := exec.Command(self, "-test.run=^TestGODEBUG$", "-test.count=1")
		child.Env = append(os.Environ(), printVariable+"=1", "GODEBUG=cpu."+off+"=off")
		out, err := child.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		_, line, found := strings.Cut(string(out), "implementations: ")
		line, _, _ = strings.Cut(line, "\n")
		left := strings.Fields(line)
		want := slices.DeleteFunc(slices.Clone(Implementations()), func(name string) bool { return slices.Contains(gone, name) })
		if !found || !slices.Equal(left, want) {
			t.Errorf("GODEBUG=cpu.%s=off leaves %q, want %q", off, left, want)
		}
	}
}
