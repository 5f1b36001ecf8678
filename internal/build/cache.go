package build

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// cache is a directory of this program's own:
//
//	built/KEY    a worker, and what is to be said of it
//	work/NAME    a build in progress, or a tree that is in use; its process holds a lock on NAME/owner
//	lock         held by who makes or removes something in work
//
// A worker comes into built whole, by one rename. Two builds of the same one both build, and the
// first that ends is kept. What a process that was killed left in work the next one removes.
type cache struct{ dir string }

const (
	unusedFor    = 30 * 24 * time.Hour // a worker is removed that nobody asked for so long
	abandonedFor = 24 * time.Hour      // what lies in work so long, of an owner who is not known, belongs to nobody
)

func openCache() (cache, error) {
	root, err := os.UserCacheDir()
	if err != nil {
		return cache{}, language.Errorf("there is no directory for builds (%w): set XDG_CACHE_HOME to a directory with an absolute path",
			"没有可供构建使用的目录（%s）：请将 XDG_CACHE_HOME 设为一个绝对路径", err)
	}
	c := cache{filepath.Join(root, "cryptogauge")}
	for _, part := range []string{c.built(), c.work()} {
		if err := os.MkdirAll(part, 0o755); err != nil {
			return c, c.unwritable(err)
		}
	}
	if real, err := filepath.EvalSymlinks(c.dir); err == nil { // as git names what lies there
		c.dir = real
	}
	c.sweep(c.built(), func(dir fs.DirEntry) bool { return unusedSince(dir, unusedFor) })
	defer c.alone()()
	c.sweep(c.work(), c.abandoned)
	return c, nil
}

// alone has nobody else make or remove anything in work until the function is called that it returns. Where
// there are no locks, such as on some network file systems, everybody goes on at once.
func (c cache) alone() (done func()) {
	f, err := hold(filepath.Join(c.dir, "lock"), waiting)
	if err != nil {
		return func() {}
	}
	return func() { _ = f.Close() }
}

// abandoned says of a workplace that its process is gone.
func (c cache) abandoned(dir fs.DirEntry) bool {
	f, err := os.OpenFile(filepath.Join(c.work(), dir.Name(), owner), os.O_RDWR, 0)
	if err != nil {
		return unusedSince(dir, abandonedFor)
	}
	defer f.Close()
	return lock(f, atOnce) == nil
}

func unusedSince(dir fs.DirEntry, age time.Duration) bool {
	info, err := dir.Info()
	return err == nil && time.Since(info.ModTime()) > age
}

// hold makes a file and locks it until it is closed, or the process ends.
func hold(name string, how waits) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := lock(f, how); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// waits says whether one waits for a lock that another has.
type waits bool

const (
	waiting waits = true
	atOnce  waits = false
)

func (c cache) built() string { return filepath.Join(c.dir, "built") }
func (c cache) work() string  { return filepath.Join(c.dir, "work") }

func (c cache) unwritable(err error) error {
	return language.Errorf("builds can't be kept in %s (%w): set XDG_CACHE_HOME to a directory that you may write to",
		"构建结果无法存放在 %s（%s）：请将 XDG_CACHE_HOME 设为可写的目录", c.dir, err)
}

// sweep removes what is of no use. Whoever else removes it at the same time is welcome.
func (c cache) sweep(dir string, useless func(fs.DirEntry) bool) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if useless(e) {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// newWorkplace makes a directory for a build, with one for the go command's temporary files.
func newWorkplace() (*workplace, error) {
	c, err := openCache()
	if err != nil {
		return nil, err
	}
	defer c.alone()()
	dir, err := os.MkdirTemp(c.work(), "")
	if err != nil {
		return nil, c.unwritable(err)
	}
	w := &workplace{cache: c, dir: dir}
	if w.owned, err = hold(filepath.Join(dir, owner), atOnce); err != nil { // then its age tells
		_ = os.Remove(filepath.Join(dir, owner))
	}
	if err := errors.Join(os.Mkdir(w.temporary(), 0o755), os.Mkdir(w.source(), 0o755), os.Mkdir(w.product(), 0o755)); err != nil {
		return nil, errors.Join(c.unwritable(err), w.remove())
	}
	return w, nil
}

type workplace struct {
	cache  cache
	dir    string
	owned  *os.File     // tells that this process uses it
	forget func() error // has git forget what lies here; nil where it knows of nothing
}

// inWorkplace makes a program that needs its workplace until it is closed.
func inWorkplace(make func(*workplace) (Built, error)) (Built, error) {
	w, err := newWorkplace()
	if err != nil {
		return Built{}, err
	}
	b, err := make(w)
	if err == nil {
		b.remove = w.remove
		return b, nil
	}
	if gone := w.remove(); gone != nil {
		err = errors.Join(err, gone)
	}
	return Built{}, err
}

const owner = "owner"

func (w *workplace) temporary() string { return filepath.Join(w.dir, "tmp") }
func (w *workplace) source() string    { return filepath.Join(w.dir, "source") }
func (w *workplace) product() string   { return filepath.Join(w.dir, "product") }
func (w *workplace) program() string   { return filepath.Join(w.product(), "worker") }

func (w *workplace) remove() (gone error) {
	if w.forget != nil {
		gone = w.forget()
	}
	gone = errors.Join(gone, os.RemoveAll(w.dir))
	if w.owned != nil {
		_ = w.owned.Close()
	}
	return gone
}

// said is what a cached worker is described by, beside it.
type said struct {
	Version string
	Notes   []language.Text
}

const saidIn = "said.json"

func (c cache) get(key string) (Built, bool) {
	dir := filepath.Join(c.built(), key)
	text, err := os.ReadFile(filepath.Join(dir, saidIn))
	if err != nil {
		return Built{}, false
	}
	var s said
	program := filepath.Join(dir, "worker")
	if _, err := os.Stat(program); err != nil || json.Unmarshal(text, &s) != nil {
		return Built{}, false
	}
	now := time.Now()
	_ = os.Chtimes(dir, now, now) // it is in use
	return Built{Program: program, Version: s.Version, Notes: s.Notes}, true
}

func (c cache) put(key string, w *workplace, s said) (Built, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return Built{}, err
	}
	dir := filepath.Join(c.built(), key)
	if err := os.WriteFile(filepath.Join(w.product(), saidIn), text, 0o644); err != nil {
		return Built{}, c.unwritable(err)
	}
	err = os.Rename(w.product(), dir)
	b, there := c.get(key) // also where another build was faster
	if !there {
		return b, c.unwritable(cmp.Or(err, fs.ErrNotExist))
	}
	return b, nil
}
