//go:build amd64 && !purego

package ctlint

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
	"github.com/cryptogauge/cryptogauge/internal/kernel/sm4/ctlint/leaks"
)

// linked keeps the kernels in this program, whose code is what is read.
var linked = []any{
	kernel.Kernel.Expand, kernel.Kernel.FewPowers, (*kernel.Message).Seal, (*kernel.Message).Open,
	(*kernel.Message).SealOnce, (*kernel.Message).OpenOnce, kernel.Kernel.ECB, kernel.Kernel.CBCDecrypt, kernel.Kernel.CBCEncrypt, kernel.Kernel.CTR,
	kernel.Kernel.XTS, kernel.Kernel.Powers, kernel.Kernel.GHASH, kernel.Kernel.Seal, kernel.Kernel.CBCLanes,
	kernel.Kernel.CBCLanesKeyed, kernel.Kernel.Expand16, (*kernel.Sixteen).Expand, (*kernel.Sixteen).Gather, (*kernel.Sixteen).Seal,
	(*kernel.Sixteen).XORKeyStream, leaks.All, leaks.Stoppable, leaks.Unstoppable,
}

var rules = Rules{
	PublicPointers: map[string][]string{
		"wideCTR": {"%rdx"}, "wideGCMSeal": {"%rdx"},
		"wideMessageSeal": {"%rdx"}, "wideMessageOpen": {"%rdx"}, "wideOnceSeal": {"%rdx"}, "wideOnceOpen": {"%rdx"},
		"wideLanes64": {"%r11"}, "wideLanes64Keyed": {"%r11"}, "wideLanes32": {"%r11"}, "wideLanes16": {"%rdx"}, "wideLanes16Keyed": {"%rdx"},
		"wideExpand16": {"%rsi"}, "wideGather16": {"%rsi"}, "wideScatter16": {"%rsi"},
		"wideFirst16": {"%rdx"}, "wideCTR16": {"%rdx"}, "wideHash16": {"%rdi", "%rdx"}, "wideFew16": {"%rdi"}, "widePair16": {"%rdx"},
	},
	MaskFlags:  map[string]bool{"wideCTR": true, "wideGCMSeal": true},
	Index:      []string{"%rsi"},
	StackCheck: true,
}

func disassemble(t *testing.T) []byte {
	t.Helper()
	if len(linked) == 0 {
		t.Fatal("nothing linked")
	}
	if _, err := exec.LookPath("objdump"); err != nil && os.Getenv("CI") != "true" {
		t.Skip("GNU objdump is needed: ", err)
	}
	text, err := disassembled()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

var disassembled = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "ctlint")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	// go test strips the symbols of a program that it runs at once, not of one that it keeps.
	self := filepath.Join(dir, "self")
	if out, err := exec.Command("go", "test", "-c", "-o", self, ".").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building this program: %w\n%s", err, out)
	}
	return exec.Command("objdump", "-d", "--no-show-raw-insn", self).Output()
})

// inPackage matches the assembly functions of a package and gives their bare names.
func inPackage(path string) func(string) (string, bool) {
	return func(symbol string) (string, bool) {
		name, ok := strings.CutPrefix(symbol, "github.com/cryptogauge/cryptogauge/internal/kernel/"+path+".")
		if !ok {
			return "", false
		}
		return strings.CutSuffix(name, ".abi0")
	}
}

func TestKernelsAreConstantTime(t *testing.T) {
	findings, seen, err := Lint(bytes.NewReader(disassemble(t)), inPackage("sm4"), rules)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		if strings.HasPrefix(f.Symbol, "wide") || strings.HasPrefix(f.Symbol, "narrow") {
			t.Error(f)
		}
	}
	for _, file := range []string{"../avx512_amd64.s", "../gfni_amd64.s"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^TEXT ·(\w+)`).FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(seen, m[1]) {
				t.Errorf("%s was not looked at", m[1])
			}
		}
	}
}

func TestPlantedLeaksAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	only := rules
	only.StackCheck = false // they have none, and must be found for what they leak
	findings, seen, err := Lint(bytes.NewReader(disassemble(t)), inPackage("sm4/ctlint/leaks"), only)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, name := range seen {
		i := slices.IndexFunc(findings, func(f Finding) bool { return f.Symbol == name })
		if leaks := strings.HasPrefix(name, "leak"); leaks != (i >= 0) {
			t.Errorf("%s is reported: %t, want %t", name, !leaks, leaks)
		}
		if i >= 0 {
			found[name] = true
			t.Log(findings[i])
		}
	}
	if len(found) != len(leaks.All) {
		t.Errorf("found %d leaks of %d", len(found), len(leaks.All))
	}
}

func TestMissingStackChecksAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	findings, _, err := Lint(bytes.NewReader(disassemble(t)), inPackage("sm4/ctlint/leaks"), rules)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range findings {
		switch {
		case strings.HasPrefix(f.Symbol, "stoppable"):
			t.Errorf("reported without a reason: %v", f)
		case strings.HasPrefix(f.Symbol, "unstoppable"):
			found++
			t.Log(f)
		}
	}
	if found != len(leaks.Unstoppable) {
		t.Errorf("found %d functions that can't be stopped of %d", found, len(leaks.Unstoppable))
	}
}
