//go:build amd64 && !purego

package aes_test

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

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/aes"
	"github.com/cryptogauge/cryptogauge/internal/kernel/aes/leaks"
	"github.com/cryptogauge/cryptogauge/internal/kernel/sm4/ctlint"
)

// linked keeps the kernels in this program, whose code is what is read.
var linked = []any{
	(*kernel.Keys).Expand, (*kernel.Keys).Encrypt, (*kernel.Keys).Decrypt, (*kernel.Keys).EncryptBlocks,
	(*kernel.Keys).DecryptBlocks, (*kernel.Keys).CBCEncrypt, (*kernel.Keys).CBCDecrypt, (*kernel.Keys).CTR,
	(*kernel.Keys).XTSEncrypt, (*kernel.Keys).XTSDecrypt, (*kernel.GCM).Init, (*kernel.GCM).Seal,
	(*kernel.GCM).Authenticate, (*kernel.GCM).SealWhole, (*kernel.GCM).OpenWhole, leaks.All,
	(*kernel.Lanes).Expand, (*kernel.Lanes).CBCEncrypt, (*kernel.Lanes).CBCEncryptKeyed, (*kernel.Lanes).StartGCM,
	(*kernel.Lanes).CTR, (*kernel.Lanes).HashResult, (*kernel.Lanes).Tags, (*kernel.Keys).Ahead, kernel.XOR,
	(*kernel.Lanes).SealShort, (*kernel.Lanes).OpenShort,
}

// rules: DX points to a counter, to a kernel.Last, whose pointer and length are read, or to a kernel.Lanes, whose
// pointers are, as R12 does to lengths in it and R13 to pointers; SI and R12 point to kernel.Message, whose pointers are
// read; CX and R15 are lengths.
var rules = ctlint.Rules{
	PublicPointers: map[string][]string{
		"wideCTR": {"%rdx"}, "wideAhead": {"%rdx"}, "wideSealBulk": {"%rdx"}, "wideSealLast": {"%rdx"}, "wideAuthenticate": {"%rdx"},
		"wideSealWhole": {"%rdx"}, "wideOpenWhole": {"%rdx"},
		"wideExpandLanes128": {"%rdx"}, "wideExpandLanes192": {"%rdx"}, "wideExpandLanes256": {"%rdx"},
		"wideCBCLanes": {"%rdx"}, "wideCBCLanesKeyed": {"%rdx"}, "wideStartLanes": {"%rdx"}, "wideTagLanes": {"%rdx"},
		"wideCTRLanes": {"%rdx", "%r12", "%r13"}, "wideAbsorbLanes": {"%r12", "%r13"},
		"wideSealShort128": {"%rsi", "%r12"}, "wideSealShort192": {"%rsi", "%r12"}, "wideSealShort256": {"%rsi", "%r12"},
		"wideOpenShort128": {"%rsi", "%r12"}, "wideOpenShort192": {"%rsi", "%r12"}, "wideOpenShort256": {"%rsi", "%r12"},
	},
	Index:      []string{"%rcx", "%r15"},
	StackCheck: true,
}

// excused are the findings that a kernel is allowed, and how often: the number of rounds lies behind the keys of a
// schedule, and whether a tag is right decides what is opened.
func excused(f ctlint.Finding) bool {
	switch {
	case f.Instruction == "mov    0xf0(%r8),%r9d":
		return true
	case f.Symbol == "wideOpenWhole" && strings.Contains(f.Why, "vptest"):
		verdicts++
		return verdicts == 1
	}
	return false
}

var verdicts int

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
	dir, err := os.MkdirTemp("", "lint")
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
	findings, seen, err := ctlint.Lint(bytes.NewReader(disassemble(t)), inPackage("aes"), rules)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		if strings.HasPrefix(f.Symbol, "wide") && !excused(f) {
			t.Error(f)
		}
	}
	text, err := os.ReadFile("avx512_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^TEXT ·(\w+)`).FindAllStringSubmatch(string(text), -1) {
		if !slices.Contains(seen, m[1]) {
			t.Errorf("%s was not looked at", m[1])
		}
	}
}

func TestPlantedLeaksAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	only := rules
	only.StackCheck = false // they have none, and must be found for what they leak
	findings, seen, err := ctlint.Lint(bytes.NewReader(disassemble(t)), inPackage("aes/leaks"), only)
	if err != nil {
		t.Fatal(err)
	}
	leaking := slices.DeleteFunc(slices.Clone(seen), func(name string) bool { return !strings.HasPrefix(name, "leak") })
	if len(leaking) != len(leaks.All) {
		t.Errorf("%d functions were looked at of %d", len(leaking), len(leaks.All))
	}
	for _, name := range leaking {
		i := slices.IndexFunc(findings, func(f ctlint.Finding) bool { return f.Symbol == name && !excused(f) })
		if i < 0 {
			t.Errorf("%s is not found", name)
			continue
		}
		t.Log(findings[i])
	}
}
