package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/library/native/planted"
)

// faulty runs the modes of AES-128 with a planted library for Botan, shortly, as a user
// would, and gives what stands on the screen, on one line, and the exit code.
func faulty(t *testing.T, dir, object, language string) (screen string, code int) {
	t.Helper()
	run := exec.Command(filepath.Join(dir, "cryptogauge"), "run", "modes", "--library", "botan="+object,
		"--libraries", "botan", "--algorithms", "AES-128", "--modes", "CTR", "--operations", "encrypt",
		"--sizes", "8KiB", "--blocks", "3", "--rounds", "1", "--seed", "7", "--quiet", "--lang", language, "--output", t.TempDir())
	var out bytes.Buffer
	run.Stdout, run.Stderr = &out, &out
	err := run.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	between := " "
	if language == "zh" {
		between = ""
	}
	return strings.Join(strings.Fields(out.String()), between), run.ProcessState.ExitCode()
}

// TestPlantedFaults: what is wrong with a library is said to who measures it.
func TestPlantedFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("a run for each fault")
	}
	dir := nativePair(t)
	for _, test := range []struct {
		macros []string
		says   []string
		not    string
	}{
		{[]string{"WRONG_LAST"}, []string{"from byte 8191 on"}, "crashed"},
		{[]string{"COUNT_ZERO"}, []string{"botan_cipher_update says that it wrote 0 bytes, and it had to be 8192"},
			"choose ctr-bypass"},
		{[]string{"COUNT_LESS"}, []string{"botan_cipher_update says that it wrote 8191 bytes, and it had to be 8192"},
			"choose ctr-bypass"},
		{[]string{"COUNT_MORE"}, []string{"botan_cipher_update says that it wrote 8208 bytes, and it had to be 8192"},
			"choose ctr-bypass"},
		{[]string{"OVERRUN=16"}, []string{"it wrote 16 bytes past the end of its output of 8192 bytes"}, "panicked"},
		{[]string{"UNDERRUN=16"}, []string{"it wrote 16 bytes before the start of its output of 8192 bytes"}, "panicked"},
		{[]string{"OVERRUN=20000"}, []string{"SIGSEGV: segmentation violation, in the library's own code, at memory that it has no right to"}, "panicked"},
		{[]string{"NIL=100"}, []string{"worker crashed: SIGSEGV: segmentation violation, in the library's own code."},
			"panicked"},
		{[]string{"EXIT=100"}, []string{"worker crashed: it ended with exit status 7"}, "SIGSEGV"},
		{[]string{"CODE=-20"}, []string{"are missing: botan_cipher_update returned -20 (Exception thrown)."}, "crashed"},
		{[]string{"PRINT=1"}, []string{"botan ctr-bypass"}, "crashed"},
		{[]string{"ALONE", "ONLY_REQUIRED"}, []string{"the shared library lacks botan_block_cipher_clear, ",
			"more functions; cases that need them are unsupported"}, "nothing to measure"},
		{[]string{"ALONE"}, []string{"the shared library lacks botan_block_cipher_clear, ",
			"has no function botan_block_cipher_init, which every Botan has since 2.19"}, "crashed"},
	} {
		t.Run(strings.Join(test.macros, "+"), func(t *testing.T) {
			t.Parallel()
			screen, code := faulty(t, dir, planted.Botan(t, test.macros...), "en")
			for _, says := range test.says {
				if !strings.Contains(screen, says) {
					t.Errorf("nothing says %q (exit %d):\n%s", says, code, screen)
				}
			}
			if strings.Contains(screen, test.not) {
				t.Errorf("it is said that %q:\n%s", test.not, screen)
			}
		})
	}
}

// TestPlantedFaultsInChinese: the same reasons, for readers of Chinese.
func TestPlantedFaultsInChinese(t *testing.T) {
	if testing.Short() {
		t.Skip("a run for each fault")
	}
	dir := nativePair(t)
	for macro, says := range map[string]string{
		"COUNT_ZERO": "botan_cipher_update报告写出0字节，应为8192字节", "OVERRUN=16": "越过长度为8192字节的输出缓冲区末尾，多写了16字节",
		"NIL=100": "发生在密码库自身的代码中", "CODE=-20": "botan_cipher_update返回-20",
	} {
		t.Run(macro, func(t *testing.T) {
			t.Parallel()
			if screen, code := faulty(t, dir, planted.Botan(t, macro), "zh"); !strings.Contains(screen, says) {
				t.Errorf("没有“%s”（退出码 %d）：\n%s", says, code, screen)
			}
		})
	}
}

// TestReplaced: of an object that is exchanged while a run goes on nothing more is
// measured, and both are named by their digests.
func TestReplaced(t *testing.T) {
	if testing.Short() {
		t.Skip("a run")
	}
	dir := nativePair(t)
	object := planted.Botan(t, "REPLACED=300")
	next, err := os.ReadFile(planted.Botan(t, "PIECE=64"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(object+".next", next, 0o700); err != nil {
		t.Fatal(err)
	}
	screen, code := faulty(t, dir, object, "en")
	if !strings.Contains(screen, " was replaced while the run went on: its SHA-256 began with ") || strings.Contains(screen, "crashed") {
		t.Errorf("exit %d:\n%s", code, screen)
	}
}

// TestPlantedList: a library of which functions are missing is not passed over in a list.
func TestPlantedList(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the native worker")
	}
	dir := nativePair(t)
	out, err := exec.Command(filepath.Join(dir, "cryptogauge"), "list", "--library", "botan="+planted.Botan(t, "ALONE",
		"ONLY_REQUIRED")).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.DeleteFunc(strings.Split(string(out), "\n"),
		func(line string) bool { return !strings.HasPrefix(line, "botan") })
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "botan is not here: its object has no botan_block_cipher_clear, ") {
		t.Errorf("%q", lines)
	}
}
