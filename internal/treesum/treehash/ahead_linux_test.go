//go:build amd64 || arm64

package treehash

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/iouring"
)

// crowded is a folder of many files that are opened together, and among them what can't be, or is not to be.
func crowded(t *testing.T) string {
	root := t.TempDir()
	for i := range 5 * mostAhead {
		name := filepath.Join(root, fmt.Sprintf("%04d", i))
		switch i % 50 {
		case 7:
			if err := os.Symlink("0000", name); err != nil {
				t.Fatal(err)
			}
		case 8:
			if err := unix.Mkfifo(name, 0o644); err != nil {
				t.Fatal(err)
			}
		case 9, 10, 11:
			write(t, name, contents(uint64(i), 2*short+i))
		case 12:
			write(t, filepath.Join(name, "deeper"), contents(uint64(i), i))
		default:
			write(t, name, contents(uint64(i), i*13))
		}
	}
	time.Sleep(2 * tick) // what was written just now is read with more care
	return root
}

// mixed is a source of the files of a folder, and of as many that are no longer there.
func mixed(root string) Source {
	return func(f *Feed) error {
		if err := Paths([]string{root}, Leave)(f); err != nil {
			return err
		}
		for i := range 3 * mostAhead {
			name := filepath.Join(root, fmt.Sprintf("%04d", i))
			if i%2 == 1 {
				name += "-gone"
			}
			if err := f.add([]byte(name), linked); err != nil {
				return err
			}
		}
		return nil
	}
}

// Files that are opened together come out as those that are opened one by one.
func TestAhead(t *testing.T) {
	root := crowded(t)
	single := hash(t, "md5", mixed(root), func(j *Job) { j.oneByOne = true })
	together := hash(t, "md5", mixed(root))
	if len(single) != len(together) || len(single) < 7*mostAhead {
		t.Fatalf("%d results one by one, %d together", len(single), len(together))
	}
	gone := 0
	for i, want := range single {
		got := together[i]
		if got.name != want.name || got.digest != want.digest || got.Stamp != want.Stamp || got.LeftOut != want.LeftOut || fmt.Sprint(got.Err) != fmt.Sprint(want.Err) {
			t.Errorf("one by one %+v\ntogether %+v", want, got)
		}
		if errors.Is(got.Err, unix.ENOENT) {
			gone++
		}
	}
	if gone < mostAhead {
		t.Errorf("only %d files are gone", gone)
	}
}

// alone is a worker on the test's thread, and a batch of the files of a folder.
func alone(t *testing.T, root string) (*worker, *batch) {
	t.Helper()
	a, err := digest.Named("md5", 0)
	if err != nil {
		t.Fatal(err)
	}
	r := &run{Job: Job{Algorithm: a, Workers: 1, Progress: new(Progress)}, ready: make(chan struct{}, 1)}
	r.queue = newQueue(r.Job)
	w, b := newWorker(r), newBatch()
	found, err := filepath.Glob(filepath.Join(root, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range found {
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() && !b.full() {
			b.add([]byte(name), inTree)
		}
	}
	return w, b
}

// onItsThread runs f on a thread that ends with it, with a worker that may open ahead.
func onItsThread(t *testing.T, w *worker, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.settle()
		defer w.leave()
		f()
	}()
	<-done
}

// whyNoRing is what forbids a thread to open files ahead. Any other reason is a fault.
func whyNoRing(t *testing.T) error {
	if err := unix.Unshare(unix.CLONE_FILES); err != nil {
		return err
	}
	r, err := iouring.New(mostAhead)
	if err == nil {
		r.Close()
	}
	if !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EPERM) {
		t.Errorf("no ring, though nothing forbids one: %v", err)
	}
	return err
}

func ownDescriptors(t *testing.T) int {
	entries, err := os.ReadDir("/proc/thread-self/fd")
	if err != nil {
		t.Error(err)
	}
	return len(entries)
}

// A worker has closed what it opened ahead when a batch is done, and when it has to stop in one.
func TestAheadCloses(t *testing.T) {
	root := crowded(t)
	for _, stopped := range []bool{false, true} {
		w, b := alone(t, root)
		var forbidden error
		onItsThread(t, w, func() {
			if w.ahead.ring == nil {
				forbidden = whyNoRing(t)
				return
			}
			before := ownDescriptors(t)
			w.read(b)
			w.place.exit()
			if after := ownDescriptors(t); after != before {
				t.Errorf("%d descriptors before, %d after", before, after)
			}
			w.place.enter(b, 0)
			for i := range b.entries {
				b.entries[i].done.Store(false)
			}
			w.wasLong = false
			w.openAhead(b, 0)
			if _, ok := w.ahead.file(0); !ok || ownDescriptors(t) < before+mostAhead {
				t.Errorf("%d descriptors before files were opened ahead, %d after", before, ownDescriptors(t))
			}
			w.run.stop.Store(stopped)
			w.read(b)
			w.place.exit()
			if after := ownDescriptors(t); after != before {
				t.Errorf("stopped %v: %d descriptors before, %d after", stopped, before, after)
			}
		})
		if forbidden != nil {
			t.Skip("this system forbids to open files ahead: ", forbidden)
		}
	}
}

// Where there are few descriptors, files are opened one by one.
func TestAheadWithFewDescriptors(t *testing.T) {
	root := crowded(t)
	w, b := alone(t, root)
	onItsThread(t, w, func() {
		var limit unix.Rlimit
		if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
			t.Error(err)
			return
		}
		highest, err := fillUp()
		if err != nil {
			t.Error(err)
			return
		}
		few := limit // room for 20
		few.Cur = uint64(highest + 21)
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &few); err != nil {
			t.Error(err)
			return
		}
		w.read(b)
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
			t.Error(err)
		}
	})
	if w.ahead.ring != nil {
		t.Error("files are still opened ahead")
	}
	for i := range b.entries {
		e := &b.entries[i]
		if e.result.Err != nil {
			t.Errorf("%s: %v", b.name(e), e.result.Err)
		}
	}
}

// fillUp opens a file until no descriptor below the highest is free, and returns the highest.
func fillUp() (highest int, err error) {
	entries, err := os.ReadDir("/proc/thread-self/fd")
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil {
			return 0, err
		}
		highest = max(highest, fd)
	}
	fd := 0
	for fd < highest && err == nil {
		fd, err = unix.Open("/dev/null", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	}
	return fd, err
}
