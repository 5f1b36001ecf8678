package treehash

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
)

// A line is a Result that a test keeps.
type line struct {
	name   string
	digest digest.Sum
	Result
}

// hash runs a job and returns its results.
func hash(t *testing.T, algorithm string, source Source, change ...func(*Job)) (lines []line) {
	t.Helper()
	a, err := digest.Named(algorithm, 0)
	if err != nil {
		t.Fatal(err)
	}
	j := Job{Algorithm: a, Source: source, Emit: func(r *Result) error {
		lines = append(lines, line{name: string(r.Name), digest: r.Digest, Result: *r})
		return nil
	}}
	for _, c := range change {
		c(&j)
	}
	if err := Run(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	return lines
}

func names(lines []line) (all []string) {
	for _, l := range lines {
		all = append(all, l.name)
	}
	return all
}

func write(t testing.TB, path string, contents []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, contents, 0o644); err != nil {
		t.Fatal(err)
	}
}

// contents are as long as files of all kinds are: empty, short, as long as what is read at once, longer.
func contents(seed uint64, n int) []byte {
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(random.Uint32())
	}
	return p
}

// sizes are at and around what the code distinguishes.
var sizes = []int{0, 1, 63, 64, 65, 4095, 4096, 4097, short - 1, short, short + 1, 2 * short, partSize - 1, partSize, partSize + 1, 3*partSize + 5}

// old makes files look as if nobody had touched them lately, as far as a program can: the time of the last
// change of an inode is the kernel's.
func old(t testing.TB, root string) {
	t.Helper()
	long := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			err = os.Chtimes(path, long, long)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * tick)
}

// Every file of a tree is hashed, whatever its length, by every algorithm, by one worker and by many, as
// it was written just now and as it was written long ago.
func TestTree(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	root := filepath.Join(t.TempDir(), "tree")
	want := map[string][]byte{}
	for i, n := range sizes {
		for _, folder := range []string{"", "a", "a/b", "many"} {
			path := filepath.Join(root, folder, fmt.Sprintf("%02d", i))
			want[path] = contents(uint64(i), n)
			write(t, path, want[path])
		}
	}
	for i := range 700 {
		path := filepath.Join(root, "many", fmt.Sprintf("x%03d", i))
		want[path] = contents(uint64(i), i%97*41)
		write(t, path, want[path])
	}
	for _, algorithm := range digest.Names() {
		a, _ := digest.Named(algorithm, 0)
		for _, workers := range []int{1, 2, 5} {
			lines := hash(t, algorithm, Paths([]string{root}, Leave), func(j *Job) { j.Workers = workers })
			if len(lines) != len(want) {
				t.Fatalf("%s: %d results, want %d", algorithm, len(lines), len(want))
			}
			for _, l := range lines {
				var sum digest.Sum
				h := a.New()
				h.Write(want[l.name])
				h.Sum(sum[:0])
				if l.Err != nil || l.digest != sum || l.Bytes != int64(len(want[l.name])) || l.Changed {
					t.Fatalf("%s, %d workers: %s of %d bytes: %x of %d, changed %v, %v; want %x", algorithm, workers, l.name, len(want[l.name]), l.digest, l.Bytes, l.Changed, l.Err, sum)
				}
			}
			if got := names(lines); !slices.IsSorted(got) {
				t.Errorf("%s, %d workers: the paths are not in order", algorithm, workers)
			}
		}
		if algorithm == "md5" {
			old(t, root)
		}
	}
}

// The order is that of the bytes of the paths, not of names folder by folder.
func TestOrder(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a/x", "a-b", "a.b", "a0", "a b", "A", "-", "a/x.y/z", "a/x-", "a/x/"} {
		if !strings.HasSuffix(name, "/") && name != "a/x" {
			write(t, filepath.Join(root, name), nil)
		}
	}
	write(t, filepath.Join(root, "a/x/1"), nil)
	got := names(hash(t, "md5", Paths([]string{root + "/"}, Leave)))
	for i := range got {
		got[i] = strings.TrimPrefix(got[i], root+"/")
	}
	want := []string{"-", "A", "a b", "a-b", "a.b", "a/x-", "a/x.y/z", "a/x/1", "a0"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Arguments keep their order and may be named twice; "-" is standard input.
func TestArguments(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "b", []byte("abc"))
	write(t, "a/c", nil)
	lines := hash(t, "md5", Paths([]string{"b", "-", "a/", "./b", "nothing", "a"}, Leave), func(j *Job) { j.Stdin = strings.NewReader("abc") })
	if got, want := names(lines), []string{"b", "-", "a/c", "./b", "nothing", "a/c"}; !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	if lines[0].digest != lines[1].digest || lines[0].digest != lines[3].digest || lines[0].Settled && lines[1].Settled {
		t.Error("the digests of what is the same differ")
	}
	if !errors.Is(lines[4].Err, fs.ErrNotExist) {
		t.Errorf("what isn't there: %v", lines[4].Err)
	}
}

// Names of a list come in its order, and what is wrong with one is told in its place.
func TestNames(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "new\nline", nil)
	write(t, "tree/x", nil)
	long := strings.Repeat("n", 100<<10)
	lines := hash(t, "sha256", Names(strings.NewReader("tree\x00\x00new\nline\x00"+long+"\x00tree/x"), 0, Leave))
	if got, want := names(lines), []string{"tree/x", "", "new\nline", long, "tree/x"}; !slices.Equal(got, want) {
		t.Fatalf("got %.200q, want %.200q", got, want)
	}
	for i, bad := range []bool{false, true, false, true, false} {
		if (lines[i].Err != nil) != bad {
			t.Errorf("%.20q: %v", lines[i].name, lines[i].Err)
		}
	}
	if lines := hash(t, "sha256", Names(strings.NewReader("a\x00b\nc"), '\n', Leave)); len(lines) != 2 || !strings.Contains(lines[0].Err.Error(), "-0") {
		t.Errorf("a list with NUL in it: %q, %v", names(lines), lines[0].Err)
	}
	if lines := hash(t, "md5", Names(strings.NewReader(""), '\n', Leave)); len(lines) != 0 {
		t.Errorf("an empty list has %q", names(lines))
	}
}

// Links in a tree are left out, or followed; a loop is told of, and ends.
func TestLinks(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "d/x"), []byte("x"))
	for to, from := range map[string]string{"d/x": "file", "d": "folder", "nowhere": "broken", "..": "d/up"} {
		if err := os.Symlink(to, filepath.Join(root, from)); err != nil {
			t.Skip(err)
		}
	}
	if got := names(hash(t, "md5", Paths([]string{root}, Leave))); len(got) != 1 {
		t.Errorf("links were followed: %q", got)
	}
	var got []string
	for _, l := range hash(t, "md5", Paths([]string{root}, Follow)) {
		name := strings.TrimPrefix(l.name, root+"/")
		if l.Err != nil {
			name += " !"
		}
		got = append(got, name)
	}
	want := []string{"broken !", "d/up !", "d/x", "file", "folder/up !", "folder/x"}
	if runtime.GOOS == "windows" {
		t.Skip("no inodes, no loops")
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// What was known and is unchanged isn't read; what was changed is, even if its length and the time that
// programs may set are as before.
func TestKnown(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"same", "other", "long"} {
		write(t, filepath.Join(root, name), contents(1, map[string]int{"long": 3 * short}[name]+100))
	}
	old(t, root)
	known := map[string]Given{}
	for _, l := range hash(t, "md5", Paths([]string{root}, Leave)) {
		if !l.Settled {
			t.Skip("this system proves nothing of files")
		}
		known[l.name] = Given{Digest: l.digest, Stamp: l.Stamp}
	}
	info, err := os.Stat(filepath.Join(root, "other"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, "other"), contents(2, 100))
	if err := os.Chtimes(filepath.Join(root, "other"), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	for _, l := range hash(t, "md5", Paths([]string{root}, Leave), func(j *Job) {
		j.Known = func(name []byte) (Given, bool) { g, ok := known[string(name)]; return g, ok }
	}) {
		changed := filepath.Base(l.name) == "other"
		if l.Skipped == changed || (l.digest == known[l.name].Digest) == changed {
			t.Errorf("%s: skipped %v, digest as before %v", l.name, l.Skipped, l.digest == known[l.name].Digest)
		}
	}
	for _, l := range hash(t, "md5", Paths([]string{root}, Leave), func(j *Job) {
		j.Reread = true
		j.Known = func(name []byte) (Given, bool) { g, ok := known[string(name)]; return g, ok }
	}) {
		if l.Skipped || l.Given != known[l.name] {
			t.Errorf("%s: skipped %v where all is to be read; known was %+v", l.name, l.Skipped, l.Given)
		}
	}
}

// A file that grows or is replaced in place while it is read is reported.
func TestChanged(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	name := filepath.Join(t.TempDir(), "grows")
	write(t, name, contents(1, 64<<20))
	old(t, name)
	stop, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return
		}
		defer f.Close()
		for n := 0; n < 1<<12; n++ {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				f.Write([]byte("more"))
			}
		}
	}()
	lines := hash(t, "md5", Paths([]string{name}, Leave))
	close(stop)
	<-gone
	if len(lines) != 1 || !lines[0].Changed || lines[0].Settled {
		t.Errorf("it grew, and that was not seen: %+v", lines[0].Result)
	}
}

// What was changed just now might be changed again without another stamp.
func TestSettled(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		stamp Stamp
		want  bool
	}{
		{Stamp{}, false},
		{Stamp{Inode: 1}, true},
		{Stamp{Inode: 1, Modified: now.UnixNano()}, false},
		{Stamp{Inode: 1, Status: now.UnixNano()}, false},
		{Stamp{Inode: 1, Modified: now.Add(time.Hour).UnixNano()}, false},
		{Stamp{Inode: 1, Modified: now.Add(-time.Second).UnixNano() | 1}, true},
		{Stamp{Inode: 1, Modified: now.Add(-time.Second).Unix() * 1e9}, false}, // a clock of whole seconds, it seems
		{Stamp{Inode: 1, Modified: now.Add(-4*time.Second).Unix() * 1e9}, true},
	} {
		if got := settled(c.stamp, now); got != c.want {
			t.Errorf("%+v: %v", c.stamp, got)
		}
	}
}

// Results are written into a file that is in the tree, too; it is left out.
func TestOutputs(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "a"), nil)
	write(t, filepath.Join(root, "out"), []byte("so far"))
	info, err := os.Stat(filepath.Join(root, "out"))
	if err != nil {
		t.Fatal(err)
	}
	if idOf(info) == (fileID{}) {
		t.Skip("no inodes here")
	}
	lines := hash(t, "md5", Paths([]string{root, filepath.Join(root, "out")}, Leave), func(j *Job) { j.Outputs = []os.FileInfo{info} })
	if len(lines) != 3 || lines[0].LeftOut || !lines[1].LeftOut || !lines[1].Output || !lines[2].Output {
		t.Errorf("got %+v", lines)
	}
}

// Each file by its own algorithm, short and long, one after the other and in lanes, with the job's in between; of
// several candidates it is the one whose digest was given.
func TestAlgorithms(t *testing.T) {
	for _, otherwise := range []string{"md5", "sha1"} {
		if testing.Short() && otherwise != "md5" {
			continue
		}
		t.Run(otherwise, func(t *testing.T) { algorithms(t, otherwise) })
	}
}

// algorithms hashes files of which each has an algorithm of its own, or none: it is then the job's.
func algorithms(t *testing.T, otherwise string) {
	root := t.TempDir()
	named := []string{"md5", "sm3", "sha256", "sha512", "blake2b-160"}
	type want struct {
		name, by string
		digest   digest.Sum
	}
	var wants []want
	var fits []*digest.Algorithm
	for _, name := range []string{"sha256", "sm3", "sha3-256"} {
		a, err := digest.Named(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		fits = append(fits, a)
	}
	feed := func(f *Feed) error {
		for i := range 40 {
			name := filepath.Join(root, fmt.Sprint(i))
			data := contents(uint64(i), []int{0, 100, 3000, short + 1, 3*partSize + 5}[i%5])
			write(t, name, data)
			for _, by := range append(slices.Clone(named), "", "sm3 of several", "none of several") {
				var g Given
				w := want{name: name, by: by}
				switch by {
				case "":
					w.by = otherwise
				case "sm3 of several":
					w.by, g.Algorithm, g.Digest = "sm3", digest.OneOf(fits), sumBy(t, "sm3", data)
				case "none of several":
					w.by, g.Algorithm, g.Digest = "sha256", digest.OneOf(fits), digest.Sum{1}
				default:
					g.Algorithm, _ = digest.Named(by, 0)
				}
				w.digest = sumBy(t, w.by, data)
				wants = append(wants, w)
				if err := f.List([]byte(name), g); err != nil {
					return err
				}
			}
		}
		return nil
	}
	lines := hash(t, otherwise, feed)
	if len(lines) != len(wants) {
		t.Fatalf("%d results for %d files", len(lines), len(wants))
	}
	for i, w := range wants {
		if l := lines[i]; l.Err != nil || l.name != w.name || l.By.Name != w.by || l.digest != w.digest {
			t.Errorf("%s by %s: by %s, %x, %v; want %x", w.name, w.by, l.By.Name, l.digest, l.Err, w.digest)
		}
	}
}

func sumBy(t *testing.T, name string, data []byte) (sum digest.Sum) {
	t.Helper()
	a, err := digest.Named(name, 0)
	if err != nil {
		t.Fatal(err)
	}
	h := a.New()
	h.Write(data)
	h.Sum(sum[:0])
	return sum
}

// A job that is given up has told of a beginning of the files, in order; the rest says what else was
// done.
func TestGivenUp(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	root := t.TempDir()
	for i := range 3000 {
		write(t, filepath.Join(root, fmt.Sprintf("%04d", i)), []byte{byte(i)})
	}
	a, _ := digest.Named("md5", 0)
	ctx, cancel := context.WithCancel(t.Context())
	var got, rest []string
	err := Run(ctx, Job{Algorithm: a, Source: Paths([]string{root}, Leave), Emit: func(r *Result) error {
		if got = append(got, filepath.Base(string(r.Name))); len(got) == 1000 {
			cancel()
		}
		return nil
	}, Rest: func(r *Result, done bool) { rest = append(rest, filepath.Base(string(r.Name))) }})
	if !errors.Is(err, context.Canceled) && err != nil {
		t.Fatal(err)
	}
	for i, name := range append(got, rest...) {
		if name != fmt.Sprintf("%04d", i) {
			t.Fatalf("result %d is %s", i, name)
		}
	}
	full := errors.New("full")
	n := 0
	err = Run(t.Context(), Job{Algorithm: a, Source: Paths([]string{root}, Leave), Emit: func(r *Result) error {
		if n++; n == 300 {
			return full
		}
		return nil
	}})
	if !errors.Is(err, full) || n != 300 {
		t.Errorf("%d results, %v", n, err)
	}
}

// What a job that is given up was told of files is told on with the rest, to the last of them; and once the
// job has ended, or tells of the rest, it asks no more.
func TestGivenUpKnown(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	root := t.TempDir()
	for i := range 2000 {
		write(t, filepath.Join(root, fmt.Sprintf("%04d", i)), []byte{byte(i)})
	}
	a, _ := digest.Named("md5", 0)
	for round := range 20 {
		// Neither is safe for concurrent use, on purpose: the race detector and the counts tell of a
		// source that is still at work.
		told, asked := map[string]bool{}, map[string]bool{}
		over := false
		j := Job{Algorithm: a, Workers: 2, Source: Paths([]string{root}, Leave)}
		j.Known = func(name []byte) (Given, bool) {
			if asked[string(name)] = true; over {
				t.Errorf("asked of %s after the end", name)
			}
			return Given{Stamp: Stamp{Size: -1}}, true
		}
		j.Emit = func(r *Result) error {
			told[string(r.Name)] = true
			if len(told) > 50*round {
				return errStopped
			}
			return nil
		}
		j.Rest = func(r *Result, done bool) {
			over = true
			told[string(r.Name)] = true
		}
		if err := Run(t.Context(), j); !errors.Is(err, errStopped) {
			t.Fatal(err)
		}
		over = true
		if !maps.Equal(told, asked) {
			t.Fatalf("asked of %d files, told of %d", len(asked), len(told))
		}
	}
}

// A job ends when it is told to, even if it waits for standard input.
func TestGivenUpWaiting(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	a, _ := digest.Named("md5", 0)
	for _, source := range []Source{Paths([]string{"-"}, Leave), Names(in, '\n', Leave)} {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		if err := Run(ctx, Job{Algorithm: a, Source: source, Stdin: in, Emit: func(*Result) error { return nil }}); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

// Who sends names one by one gets results one by one.
func TestNamesInTurn(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a", nil)
	write(t, "big", contents(1, 3*short))
	in, out := io.Pipe()
	results := make(chan string)
	a, _ := digest.Named("md5", 0)
	go func() {
		defer close(results)
		if err := Run(t.Context(), Job{Algorithm: a, Source: Names(in, '\n', Leave), Emit: func(r *Result) error { results <- string(r.Name); return nil }}); err != nil {
			t.Error(err)
		}
	}()
	for _, name := range []string{"a", "big", "a", "nothing"} {
		fmt.Fprintln(out, name)
		if got := <-results; got != name {
			t.Errorf("got %q for %q", got, name)
		}
	}
	out.Close()
	if _, more := <-results; more {
		t.Error("more results than names")
	}
}

// More batches than are ever held, and names that fill them early: memory is used again, and nothing gets
// mixed up.
func TestManyNames(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a", []byte("a"))
	write(t, "b", []byte("b"))
	deep := strings.Repeat("./", 900)
	var list bytes.Buffer
	n := 60000
	if testing.Short() {
		n /= 20
	}
	for i := range n {
		if i%7 == 0 {
			list.WriteString(deep)
		}
		list.WriteString([]string{"a", "b", "c"}[i%3] + "\n")
	}
	want := map[string]digest.Sum{}
	for _, l := range hash(t, "md5", Paths([]string{"a", "b"}, Leave)) {
		want[l.name] = l.digest
	}
	lines := hash(t, "md5", Names(&list, '\n', Leave))
	if len(lines) != n {
		t.Fatalf("%d results, want %d", len(lines), n)
	}
	for i, l := range lines {
		name := []string{"a", "b", "c"}[i%3]
		if strings.TrimLeft(l.name, "./") != name || l.digest != want[name] && name != "c" || (l.Err != nil) != (name == "c") {
			t.Fatalf("result %d: %s %x %v", i, l.name[max(0, len(l.name)-3):], l.digest, l.Err)
		}
	}
}

// A source that fails ends the job when all before was told.
func TestSourceFails(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a", nil)
	broken := errors.New("broken")
	a, _ := digest.Named("md5", 0)
	n := 0
	err := Run(t.Context(), Job{Algorithm: a, Source: Names(io.MultiReader(strings.NewReader("a\na\n"), errReader{broken}), '\n', Leave), Emit: func(*Result) error { n++; return nil }})
	if n != 2 || !errors.Is(err, broken) {
		t.Errorf("%d results, %v", n, err)
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }
