package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// The assembly in the tree is what this program writes.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	for name, want := range generate() {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is not what gen writes: run go generate ./internal/kernel/multibuffer", name)
		}
	}
}

// The first and the last constants of each table, as the standards print them.
func TestTables(t *testing.T) {
	md5, sm3, sha := md5Table(), sm3Table(), sha256Table()
	for _, c := range []struct {
		name      string
		got, want uint32
	}{
		{"MD5 1", md5[0], 0xd76aa478}, {"MD5 64", md5[63], 0xeb86d391},
		{"SM3 0", sm3[0], 0x79cc4519}, {"SM3 16", sm3[16], 0x9d8a7a87}, {"SM3 63", sm3[63], 0x3d43cec5},
		{"SHA-256 0", sha[0], 0x428a2f98}, {"SHA-256 63", sha[63], 0xc67178f2},
	} {
		if c.got != c.want {
			t.Errorf("constant %s is %#08x, want %#08x", c.name, c.got, c.want)
		}
	}
}

// A kernel that works on a number of blocks can be preempted where it is entered, so that who stops the
// world waits for one call and not for a loop of calls. The assembler puts a check of the stack there
// unless it is told not to, and unless the frame is small.
func TestKernelsCanBePreempted(t *testing.T) {
	const small = 128 // abi.StackSmall, in the standard library's internal/abi
	kernel := regexp.MustCompile(`// func (\w+)\(.*blocks int\)\nTEXT ·\w+\(SB\), (\w+), \$(\d+)-`)
	for name, text := range generate() {
		found := kernel.FindAllStringSubmatch(text, -1)
		if len(found) < 2 {
			t.Errorf("%s: only %d kernels", name, len(found))
		}
		for _, k := range found {
			if frame, err := strconv.Atoi(k[3]); err != nil || frame < small || k[2] != "0" {
				t.Errorf("%s: %s has flags %s and a frame of %s bytes: no check of the stack", name, k[1], k[2], k[3])
			}
		}
	}
}
