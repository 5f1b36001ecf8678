package sums

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/manifest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// said collects what the user is told.
type told struct {
	mu    sync.Mutex
	lines []string
}

func (s *told) say(t language.Text) {
	text := t.EN
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, text)
}

func (s *told) String() string { return strings.Join(s.lines, "\n") }

func making(t testing.TB, algorithm string, paths ...string) (Making, *bytes.Buffer, *told) {
	t.Helper()
	a, err := digest.Named(algorithm, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	var s told
	return Making{Algorithm: a, Source: treehash.Paths(paths, treehash.Leave), Out: &out, Say: s.say}, &out, &s
}

// makeFile makes the manifest m, and what stands beside it.
func makeFile(t testing.TB, algorithm string, paths ...string) {
	t.Helper()
	m, _, _ := making(t, algorithm, paths...)
	m.Output = "m"
	if _, err := Make(t.Context(), m); err != nil {
		t.Fatal(err)
	}
}

// resuming brings the manifest m up to date.
func resuming(t testing.TB, algorithm string, paths ...string) (Making, *told) {
	t.Helper()
	m, _, said := making(t, algorithm, paths...)
	m.Output, m.Resume = "m", "m"
	return m, said
}

func write(t testing.TB, path, contents string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(contents), 0o644); err != nil {
		t.Fatal(err)
	}
}

// settle waits until what was written shows by its stamps if it is changed again.
func settle() { time.Sleep(50 * time.Millisecond) }

// tree makes a tree of n files below "tree" in a directory of the test's own, which becomes the current
// one.
func tree(t testing.TB, n int) {
	if tt, ok := t.(*testing.T); ok {
		tt.Chdir(t.TempDir())
	}
	for i := range n {
		write(t, fmt.Sprintf("tree/%d/%05d", i%7, i), strings.Repeat(fmt.Sprint(i), i%100))
	}
}

// hostile are names that break programs.
var hostile = []string{"new\nline", "c\rr", `back\slash`, `\n`, "-dash", "--", " ", "sp ace ", "\xff\xfe", "#", "*star", ") = x", "'", `"`, "$(x)", "\t",
	"MD5 (a) = b", "é", "\u202e", "\x1b[31m", "~", strings.Repeat("l", 255), "a\\\n\r\\n"}

// The programs of coreutils print what is printed here, and accept it; what they print is accepted here.
func TestAgainstCoreutils(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	t.Chdir(t.TempDir())
	for i, name := range hostile {
		for _, folder := range []string{"tree", "tree/new\nfolder", "tree/-d", `tree/b\s/a`} {
			write(t, filepath.Join(folder, name), strings.Repeat("x", i*1000))
		}
	}
	for algorithm, program := range map[string][]string{"md5": {"md5sum"}, "sha1": {"sha1sum"}, "sha256": {"sha256sum"}, "sha512": {"sha512sum"}, "blake2b": {"b2sum"}, "sm3": {"cksum", "-a", "sm3"}} {
		for flag, form := range map[string]manifest.Form{"": {}, "--tag": {Tag: "yes"}, "-z": {Zero: true}} {
			args := program[1:]
			switch {
			case algorithm == "sm3" && flag != "--tag":
				args = append(args, "--untagged")
			case algorithm == "sm3":
				flag = ""
			}
			if flag != "" {
				args = append(args, flag)
			}
			t.Run(algorithm+flag, func(t *testing.T) { againstCoreutils(t, algorithm, program[0], args, form) })
		}
	}
}

func againstCoreutils(t *testing.T, algorithm, program string, args []string, form manifest.Form) {
	m, out, said := making(t, algorithm, "tree", "./tree/-d/-dash")
	if form.Tag != "" {
		form.Tag = m.Algorithm.Tag
	}
	m.Form = form
	made, err := Make(t.Context(), m)
	if err != nil || made.Failed != 0 || len(said.lines) != 0 {
		t.Fatalf("%v, %d failed, %s", err, made.Failed, said)
	}
	var names []string
	r := manifest.NewReader(bytes.NewReader(out.Bytes()), form)
	for {
		line, err := r.Next()
		if err != nil {
			break
		}
		names = append(names, string(line.Name))
	}
	if len(names) != 4*len(hostile)+1 {
		t.Fatalf("%d lines", len(names))
	}
	theirs, err := exec.Command(program, append(args, append([]string{"--"}, names...)...)...).Output()
	if err != nil {
		t.Skip(program, err)
	}
	if !bytes.Equal(theirs, out.Bytes()) {
		t.Fatalf("%s prints\n%q\nand we\n%q", program, theirs, out.Bytes())
	}
	checkBoth(t, program, args, form, m.Algorithm, theirs)
}

func checkBoth(t *testing.T, program string, args []string, form manifest.Form, a *digest.Algorithm, text []byte) {
	write(t, "manifest", string(text))
	if !form.Zero {
		check := exec.Command(program, "--check", "--strict", "--quiet", "manifest")
		if program == "cksum" {
			check = exec.Command(program, "-a", a.Name, "--check", "--strict", "--quiet", "manifest")
		}
		if out, err := check.CombinedOutput(); err != nil || len(out) != 0 {
			t.Errorf("%s --check: %v, %s", program, err, out)
		}
	}
	var out bytes.Buffer
	var s told
	checked, err := Check(t.Context(), Checking{Algorithm: a, Form: form, Manifests: []string{"manifest"}, Strict: true, Out: &out, Say: s.say})
	if err != nil || !checked.Fine || checked.Right != int64(4*len(hostile)+1) || len(s.lines) != 0 {
		t.Errorf("%+v, %v, %s", checked, err, &s)
	}
}

const manyFiles = 3000

// What takes so many files that none of the tests may change shares them.
func TestManyFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	tree(t, manyFiles)
	settle()
	made, err := filepath.Abs("tree")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]func(*testing.T){"interrupted and resumed": interruptAndResume, "whole stays": wholeStays,
		"part interrupted": mergeInterrupted} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.Rename(made, "tree"); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := os.Rename("tree", made); err != nil {
					t.Fatal(err)
				}
			}()
			test(t)
		})
	}
}

// An interrupted manifest is a beginning of a whole one, and resumed it is the whole one, whenever it was
// interrupted, and however often.
func interruptAndResume(t *testing.T) {
	m, out, _ := making(t, "md5", "tree")
	if _, err := Make(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	whole := out.String()
	for _, stops := range [][]int{{700, 300}, {1}, {manyFiles - 300}, {10, 20, 30, 2000}} {
		for tries := 1; !stopped(t, whole, stops); tries++ {
			if tries == 100 {
				t.Fatal("a hundred runs ended before they were interrupted")
			}
		}
		if text, _ := os.ReadFile("m"); string(text) != whole {
			t.Errorf("stopped at %v: the manifest is another in the end", stops)
		}
		if left, _ := filepath.Glob("m.*"); !slices.Equal(left, []string{"m.state"}) {
			t.Errorf("left behind: %v", left)
		}
	}
}

// stopped makes the manifest m, stopped so often, and then to its end. It returns false where a run was done
// before anybody could interrupt it.
func stopped(t *testing.T, whole string, stops []int) bool {
	files := strings.Count(whole, "\n")
	for _, name := range []string{"m", "m.state", "m.part", "m.state.part"} {
		os.Remove(name)
	}
	before := 0
	for i, stop := range append(slices.Clip(stops), files+1) {
		made, err := interrupted(t, stop, i > 0)
		if err == nil && stop <= files {
			return false
		}
		text, readErr := os.ReadFile("m")
		if readErr != nil {
			t.Fatal(readErr)
		}
		if !strings.HasPrefix(whole, string(text)) || len(text) > 0 && text[len(text)-1] != '\n' {
			t.Fatalf("stopped at %d: the manifest is no beginning of the whole", stop)
		}
		lines := strings.Count(string(text), "\n")
		if made.Kept > 0 { // the part before was longer
			if lines != int(made.Kept) || made.Lines >= made.Kept || err == nil {
				t.Fatalf("stopped at %d: %d lines are there, %d are said to be kept, since this run came to %d (%v)", stop, lines, made.Kept, made.Lines, err)
			}
			continue
		}
		if lines < before {
			t.Fatalf("stopped at %d: %d lines, and there were %d", stop, lines, before)
		}
		before = lines
		if err == nil != (stop > files) || made.Lines != int64(lines) || lines > 0 && !strings.HasSuffix(strings.TrimSpace(string(text)), "  "+made.Last) {
			t.Fatalf("stopped at %d: %v, %d lines to %q, and there are %d", stop, err, made.Lines, made.Last, lines)
		}
		if i > 0 && made.Skipped == 0 {
			t.Errorf("stopped at %d: everything was read again", stop)
		}
	}
	return true
}

// interrupted makes the manifest m, and is interrupted soon after so many files are done.
func interrupted(t *testing.T, stop int, resume bool) (*Made, error) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	m, _, _ := making(t, "md5", "tree")
	m.Output = "m"
	if resume {
		m.Resume = "m"
	}
	m.Progress = new(treehash.Progress)
	go func() {
		for ctx.Err() == nil && m.Progress.Files.Load() < int64(stop) {
			time.Sleep(50 * time.Microsecond)
		}
		cancel()
	}()
	made, err := Make(ctx, m)
	return made, err
}

// A manifest that is brought up to date is what a new one would be; only what was touched is read.
func TestResumeChanged(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	tree(t, 500)
	settle()
	makeFile(t, "sm3", "tree")
	write(t, "tree/0/00007", "other")
	write(t, "tree/0/00014", strings.Repeat("x", len("14")*14)) // as long as before
	write(t, "tree/3/new", "new")
	for _, gone := range []string{"tree/1", "tree/2/00002"} {
		if err := os.RemoveAll(gone); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename("tree/4/00004", "tree/4/00011"); err != nil { // it takes the place of another
		t.Fatal(err)
	}
	m, out, _ := making(t, "sm3", "tree")
	if _, err := Make(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	m.Output, m.Resume = "m", "m"
	made, err := Make(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile("m"); string(text) != out.String() {
		t.Error("the manifest is not what a new one is")
	}
	if read := made.Lines - made.Skipped; read != 4 {
		t.Errorf("%d files were read, want 4", read)
	}
}

// A whole manifest stays until another is whole.
func wholeStays(t *testing.T) {
	makeFile(t, "md5", "tree")
	m, _, _ := making(t, "md5", "tree")
	m.Output = "m"
	before, _ := os.ReadFile("m")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	made, err := Make(ctx, m)
	if !errors.Is(err, context.Canceled) || made.File != "m.part" {
		t.Fatalf("%v, in %s", err, made.File)
	}
	if after, _ := os.ReadFile("m"); !bytes.Equal(before, after) {
		t.Error("the whole manifest was touched")
	}
	m.Resume = "m"
	if made, err = Make(t.Context(), m); err != nil || made.File != "m" {
		t.Fatalf("%v, in %s", err, made.File)
	}
	if after, _ := os.ReadFile("m"); !bytes.Equal(before, after) {
		t.Error("resumed, it is another")
	}
}

// Two runs that write one manifest: the second is refused.
func TestTogether(t *testing.T) {
	tree(t, 1)
	f, _, err := openLocked("m.part")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, _, _ := making(t, "md5", "tree")
	m.Output = "m"
	_, err = Make(t.Context(), m)
	var usage *UsageError
	if !errors.As(err, &usage) {
		t.Skipf("no locks here: %v", err)
	}
	if _, err := os.Stat("m"); err == nil {
		t.Error("there is a manifest")
	}
}

// A run that begins while another one ends is refused, or finds all that this has done.
func TestOneAfterTheOther(t *testing.T) {
	tree(t, 40)
	settle()
	m, out, _ := making(t, "md5", "tree")
	if _, err := Make(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	m.Output, m.Resume = "m", "m"
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	tries := 20
	if testing.Short() {
		tries = 3
	}
	for try := range tries {
		for _, name := range []string{"m", "m.state"} {
			os.Remove(name)
		}
		var first, others sync.WaitGroup
		var failed error
		var ended atomic.Bool
		first.Go(func() { _, failed = Make(t.Context(), m); ended.Store(true) })
		for range 2 {
			others.Go(func() {
				for !ended.Load() {
					_, _ = Make(stopped, m)
				}
				_, _ = Make(stopped, m)
			})
		}
		first.Wait()
		others.Wait()
		var usage *UsageError
		if errors.As(failed, &usage) {
			continue // one of the others was first
		}
		if text, err := os.ReadFile("m"); failed != nil || err != nil || string(text) != out.String() {
			t.Fatalf("try %d: %v, %v; a manifest of %d bytes, want %d", try, failed, err, len(text), out.Len())
		}
	}
}

// A state of something else is refused, and nothing is touched.
func TestForeignState(t *testing.T) {
	tree(t, 3)
	settle()
	makeFile(t, "md5", "tree")
	other, _ := resuming(t, "sha256", "tree")
	var usage *UsageError
	if _, err := Make(t.Context(), other); !errors.As(err, &usage) {
		t.Errorf("another algorithm's state: %v", err)
	}
	write(t, "m.state", "not a state\n")
	m, _ := resuming(t, "md5", "tree")
	if _, err := Make(t.Context(), m); !errors.As(err, &usage) {
		t.Errorf("no state: %v", err)
	}
	if left, _ := filepath.Glob("m*"); !slices.Equal(left, []string{"m", "m.state"}) {
		t.Errorf("left behind: %v", left)
	}
}

// A state that was cut anywhere proves no more than what is whole in it.
func TestCutState(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	tree(t, 60)
	settle()
	makeFile(t, "md5", "tree")
	state, _ := os.ReadFile("m.state")
	want, _ := os.ReadFile("m")
	header := bytes.IndexByte(state, '\n') + 1
	for cut := header; cut < len(state); cut += 97 {
		write(t, "m.state", string(state[:cut]))
		m, _ := resuming(t, "md5", "tree")
		made, err := Make(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		if records := int64(bytes.Count(state[header:cut], []byte{'\n'})); made.Skipped != min(records, 60) {
			t.Errorf("cut at %d: %d skipped, %d records", cut, made.Skipped, records)
		}
		if got, _ := os.ReadFile("m"); !bytes.Equal(got, want) {
			t.Fatalf("cut at %d: another manifest", cut)
		}
	}
}

// limited is a disk that is full after so many bytes.
type limited struct {
	bytes.Buffer
	left int
}

var errFull = errors.New("full")

func (l *limited) Write(p []byte) (int, error) {
	n := min(len(p), l.left)
	l.left -= n
	l.Buffer.Write(p[:n])
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

// Of what fits, the last whole line is named.
func TestFull(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	tree(t, 400)
	m, out, _ := making(t, "md5", "tree")
	if _, err := Make(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	for _, room := range []int{0, 10, 45, 46, 5000, out.Len() - 1} {
		l := &limited{left: room}
		m.Out = l
		made, err := Make(t.Context(), m)
		var output *OutputError
		if !errors.As(err, &output) || !errors.Is(err, errFull) {
			t.Fatalf("room for %d: %v", room, err)
		}
		lines := strings.Split(l.String(), "\n")
		if whole := lines[:len(lines)-1]; made.Lines != int64(len(whole)) || len(whole) > 0 && !strings.HasSuffix(whole[len(whole)-1], "  "+made.Last) {
			t.Errorf("room for %d: %d lines up to %q of %d", room, made.Lines, made.Last, len(whole))
		}
	}
}

// What md5sum --check prints, and when it says that all is fine.
func TestCheck(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a", "abc")
	write(t, "new\nline", "")
	const abc, empty, wrong = "900150983cd24fb0d6963f7d28e17f72", "d41d8cd98f00b204e9800998ecf8427e", "00000000000000000000000000000000"
	for _, c := range []struct {
		text, out, said string
		fine            bool
		change          func(*Checking)
	}{
		{abc + "  a\n", "a: OK\n", "", true, nil},
		{"\\" + empty + "  new\\nline\n", "\\new\\nline: OK\n", "", true, nil},
		{wrong + "  a\n" + abc + " *a\n", "a: FAILED\na: OK\n", "WARNING: 1 computed checksum did NOT match", false, nil},
		{abc + "  gone\n" + abc + "  a\n", "gone: FAILED open or read\na: OK\n", "gone: no such file or directory\nWARNING: 1 listed file could not be read", false, nil},
		{abc + "  gone\n" + abc + "  a\n", "a: OK\n", "", true, func(c *Checking) { c.IgnoreMissing = true }},
		{abc + "  gone\n", "", "manifest: no file was verified", false, func(c *Checking) { c.IgnoreMissing = true }},
		{abc + "  a\n", "", "", true, func(c *Checking) { c.Quiet = true }},
		{wrong + "  a\n", "a: FAILED\n", "WARNING: 1 computed checksum did NOT match", false, func(c *Checking) { c.Quiet = true }},
		{wrong + "  a\n", "", "", false, func(c *Checking) { c.Status = true }},
		{"x\n" + abc + "  a\ny\n", "a: OK\n", "WARNING: 2 lines are improperly formatted, the first is line 1", true, nil},
		{"x\n" + abc + "  a\n", "a: OK\n", "WARNING: 1 line is improperly formatted, the first is line 1", false, func(c *Checking) { c.Strict = true }},
		{abc + "  a\nx\n", "a: OK\n", "manifest: 2: improperly formatted MD5 checksum line\nWARNING: 1 line is improperly formatted, the first is line 2", true, func(c *Checking) { c.Warn = true }},
		{"x\n", "", "manifest: no properly formatted checksum lines found", false, nil},
		{abc + "  a\x00", "", "manifest: no properly formatted checksum lines found; there are NULs in it: lines that end in NUL, not newline, need -z", false, nil},
		{"0123456789abcdef  a\n", "", "manifest: no properly formatted checksum lines found; digests of 64 bits are taken for some only with -a blake2b -l 64", false, nil},
		{strings.Repeat("ab", 65) + "  a\n", "", "manifest: no properly formatted checksum lines found", false, nil},
		{"beef a\n", "", "manifest: no properly formatted checksum lines found", false, nil},
		{"", "", "manifest: no properly formatted checksum lines found", false, nil},
		{"SHA256 (a) = " + abc + "\n", "", "manifest: no properly formatted checksum lines found", false, nil},
		{"SHA256 (a) = ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n", "a: OK\n", "", true, nil},
		{"SM3 (a) = 66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0\n", "a: OK\n", "", true, nil},
		{abc + "  .\n" + abc + "  a\n", ".: FAILED open or read\na: OK\n", ".: is a directory\nWARNING: 1 listed file could not be read", false, nil},
		{wrong + "  a\n", `{"name":"a","algorithm":"md5","status":"failed"}` + "\n", "WARNING: 1 computed checksum did NOT match", false, func(c *Checking) { c.JSON = true }},
	} {
		write(t, "manifest", c.text)
		var out bytes.Buffer
		var s told
		checking := Checking{Manifests: []string{"manifest"}, Out: &out, Say: s.say}
		if c.change != nil {
			c.change(&checking)
		}
		checked, err := Check(t.Context(), checking)
		if err != nil || checked.Fine != c.fine || out.String() != c.out || s.String() != c.said {
			t.Errorf("%q: fine %v, %v\n%s\n%s\nwant fine %v\n%s\n%s", c.text, checked.Fine, err, out.String(), &s, c.fine, c.out, c.said)
		}
	}
}

// A manifest that comes by standard input, and one that stands for it.
func TestCheckStdin(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a", "abc")
	sum := fmt.Sprintf("%x", md5.Sum([]byte("abc")))
	write(t, "manifest", sum+"  -\n")
	for _, c := range []struct {
		manifest, stdin string
		right           int64
	}{{"-", sum + "  a\n", 1}, {"manifest", "abc", 1}, {"-", sum + "  -\n", 0}} {
		var s told
		checked, err := Check(t.Context(), Checking{Manifests: []string{c.manifest}, Stdin: strings.NewReader(c.stdin), Out: io.Discard, Say: s.say})
		if err != nil || checked.Right != c.right || checked.Fine != (c.right > 0) {
			t.Errorf("%s: %+v, %v, %s", c.manifest, checked, err, &s)
		}
	}
}

func TestQuote(t *testing.T) {
	for name, want := range map[string]string{"a b": "a b", "é": "é", "": `""`, "a\nb": `"a\nb"`, "\xff": `"\xff"`, "\x1b[1m": `"\x1b[1m"`, "\u202e": `"\u202e"`} {
		if got := Quote([]byte(name)); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}
