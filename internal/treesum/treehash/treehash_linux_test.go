package treehash

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// FIFOs and sockets in a tree keep nobody waiting; one that is named is read.
func TestSpecial(t *testing.T) {
	root := t.TempDir()
	fifo := filepath.Join(root, "fifo")
	if err := unix.Mkfifo(fifo, 0o644); err != nil {
		t.Skip(err)
	}
	write(t, filepath.Join(root, "x"), []byte("abc"))
	lines := hash(t, "md5", Paths([]string{root}, Leave))
	if len(lines) != 2 || !lines[0].LeftOut || lines[1].Err != nil {
		t.Errorf("got %+v", lines)
	}
	go os.WriteFile(fifo, []byte("abc"), 0)
	named := hash(t, "md5", Paths([]string{fifo, "/dev/null"}, Leave))
	if named[0].Err != nil || named[0].digest != lines[1].digest || named[1].Err != nil || named[1].Bytes != 0 || named[0].Settled {
		t.Errorf("got %+v", named)
	}
	// Another one: the reader of the first may still have it open, and would swallow what is written.
	second := filepath.Join(root, "second")
	if err := unix.Mkfifo(second, 0o644); err != nil {
		t.Fatal(err)
	}
	go os.WriteFile(second, []byte("abc"), 0)
	listed := hash(t, "md5", func(f *Feed) error {
		for _, name := range []string{second, root, filepath.Join(root, "x")} {
			if err := f.List([]byte(name), Given{Line: 7}); err != nil {
				return err
			}
		}
		return nil
	})
	if listed[0].digest != lines[1].digest || listed[1].Err != errFolder || listed[2].digest != lines[1].digest || listed[2].Given.Line != 7 {
		t.Errorf("got %+v", listed)
	}
}

// Files of /proc have no size, and those of /sys more than is in them.
func TestProc(t *testing.T) {
	for _, name := range []string{"/proc/version", "/proc/filesystems", "/sys/kernel/mm/transparent_hugepage/enabled"} {
		want, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		got := hash(t, "sha256", Paths([]string{name}, Leave))
		if got[0].Err != nil || got[0].Bytes != int64(len(want)) || got[0].Changed {
			t.Errorf("%s: %d bytes, want %d; changed %v, %v", name, got[0].Bytes, len(want), got[0].Changed, got[0].Err)
		}
	}
}

// Trees may be deeper than the paths that system calls take.
func TestDeep(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	name := strings.Repeat("d", 250)
	path := "."
	for range 20 { // not by Chdir of the test, which is for paths
		path += "/" + name
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chdir(name); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("x", []byte("abc"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(t, "long", contents(1, 3*short))
	t.Chdir(root)
	lines := hash(t, "md5", Paths([]string{"."}, Leave))
	if len(lines) != 21 {
		t.Fatalf("%d results", len(lines))
	}
	for _, l := range lines {
		if l.Err != nil {
			t.Errorf("a path of %d bytes: %v", len(l.name), l.Err)
		}
	}
	deepest := slices.MaxFunc(lines, func(a, b line) int { return cmp.Compare(len(a.name), len(b.name)) })
	if len(deepest.name) < longestPath {
		t.Fatalf("the longest path has only %d bytes", len(deepest.name))
	}
	if l := hash(t, "md5", func(f *Feed) error { return f.List([]byte(deepest.name), Given{}) }); l[0].Err != nil || l[0].digest != deepest.digest {
		t.Errorf("listed: %v", l[0].Err)
	}
	if err := os.RemoveAll(root + "/" + name); err != nil {
		t.Log(err)
	}
}

// No descriptor stays open, whatever becomes of files.
func TestDescriptors(t *testing.T) {
	root := t.TempDir()
	for _, n := range sizes {
		write(t, filepath.Join(root, strings.Repeat("x", n%7+1), "f"), contents(1, n))
	}
	count := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(entries)
	}
	before := count()
	for range 3 {
		for _, a := range []string{"md5", "sha512"} {
			hash(t, a, Paths([]string{root, filepath.Join(root, "nothing")}, Leave))
		}
	}
	if after := count(); after > before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}
