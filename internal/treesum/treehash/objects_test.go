package treehash

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
)

// A shelf is objects in memory.
type shelf struct {
	mu      sync.Mutex
	objects map[string][]byte
	broken  map[string]error // by what they fail to open
	opened  []string
	held    atomic.Int64  // opened and not yet closed
	most    atomic.Int64  // of these
	gate    chan struct{} // if it isn't nil, what is opened waits for it
}

var errBroken = errors.New("broken")

func stampOfObject(contents []byte) Stamp {
	return Stamp{Size: int64(len(contents)), Modified: 1, ETag: fmt.Sprintf("%x", md5.Sum(contents))}
}

func (s *shelf) List(_ context.Context, name string, found func([]byte, Stamp) error) error {
	if err := s.broken[name]; err != nil {
		return err
	}
	var names []string
	for n := range s.objects {
		if strings.HasPrefix(n, name) {
			names = append(names, n)
		}
	}
	if slices.Sort(names); len(names) > 0 && names[0] == name {
		names = names[:1]
	}
	for _, n := range names {
		if err := found([]byte(n), stampOfObject(s.objects[n])); err != nil {
			return err
		}
	}
	return nil
}

func (s *shelf) Open(ctx context.Context, name string, listed Stamp) (io.ReadCloser, Stamp, error) {
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-ctx.Done():
			return nil, Stamp{}, ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened = append(s.opened, name)
	contents, ok := s.objects[name]
	if err := s.broken[name]; err != nil {
		return nil, Stamp{}, err
	} else if !ok {
		return nil, Stamp{}, fs.ErrNotExist
	}
	now := stampOfObject(contents)
	now.Version = "v1"
	if listed != (Stamp{}) && !listed.Is(now) {
		return nil, Stamp{}, fmt.Errorf("listed as %+v, and is %+v", listed, now)
	}
	held := s.held.Add(1)
	for most := s.most.Load(); held > most && !s.most.CompareAndSwap(most, held); most = s.most.Load() {
	}
	return &shelved{bytes.NewReader(contents), s}, now, nil
}

type shelved struct {
	*bytes.Reader
	shelf *shelf
}

func (s *shelved) Close() error { s.shelf.held.Add(-1); return nil }

// shelfOf has objects of many sizes, long ones among them.
func shelfOf(n int) *shelf {
	s := &shelf{objects: map[string][]byte{}, broken: map[string]error{}}
	for i := range n {
		size := i % 5000
		switch i % 97 {
		case 0:
			size = 0
		case 1:
			size = short + i%3 - 1
		case 2:
			size = 3*partSize + i
		}
		s.objects[fmt.Sprintf("%sbucket/%d/%05d", Scheme, i%7, i)] = contents(uint64(i), size)
	}
	return s
}

// Objects come out as their digests are, in the order of their names, by every kind of algorithm, beside files.
func TestObjects(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "file", []byte("abc"))
	s := shelfOf(1500)
	algorithms := []string{"md5", "sm3", "sha256", "sha512"}
	if testing.Short() {
		algorithms = algorithms[:1]
	}
	for _, algorithm := range algorithms {
		results := hash(t, algorithm, Paths([]string{Scheme + "bucket/", "file", Scheme + "bucket/3/00010"}, Leave), func(j *Job) { j.Objects = s })
		a, _ := digest.Named(algorithm, 0)
		var names []string
		for i, r := range results {
			text, isObject := s.objects[r.name]
			if !isObject {
				text = []byte("abc")
			}
			h := a.New()
			h.Write(text)
			if want := h.Sum(nil); !bytes.Equal(r.digest[:a.Size], want) || r.Err != nil || r.Bytes != int64(len(text)) {
				t.Errorf("%s of %s (%d bytes): %x, want %x; %v", algorithm, r.name, len(text), r.digest[:a.Size], want, r.Err)
			}
			if isObject && (!r.Settled || r.Stamp.Version != "v1" || r.Stamp.ETag == "") {
				t.Errorf("%s: stamp %+v, settled %v", r.name, r.Stamp, r.Settled)
			}
			if i < len(s.objects) {
				names = append(names, r.name)
			}
		}
		if len(results) != len(s.objects)+2 || !slices.IsSorted(names) || results[1500].name != "file" {
			t.Errorf("%s: %d results, sorted %v", algorithm, len(results), slices.IsSorted(names))
		}
	}
	if s.held.Load() != 0 {
		t.Errorf("%d objects were left open", s.held.Load())
	}
}

// So many are opened at once, and no more.
func TestObjectsAtOnce(t *testing.T) {
	s := &shelf{objects: map[string][]byte{}, gate: make(chan struct{})}
	for i := range 1000 {
		s.objects[fmt.Sprintf("%sb/%04d", Scheme, i)] = []byte("x")
	}
	go func() {
		for range s.objects {
			s.gate <- struct{}{}
		}
	}()
	results := hash(t, "md5", Paths([]string{Scheme + "b/"}, Leave), func(j *Job) { j.Objects = s })
	if most := s.most.Load(); len(results) != 1000 || most > mostRequests {
		t.Errorf("%d results, %d at once", len(results), most)
	}
}

// What fails does so in its turn, and the rest doesn't.
func TestObjectsFail(t *testing.T) {
	s := shelfOf(300)
	broken := []string{Scheme + "bucket/0/00000", Scheme + "bucket/2/00002", Scheme + "bucket/6/00020"}
	for _, name := range broken {
		s.broken[name] = errBroken
	}
	s.broken[Scheme+"denied/"] = errBroken
	results := hash(t, "md5", Paths([]string{Scheme + "denied/", Scheme + "bucket/", Scheme + "none"}, Leave), func(j *Job) { j.Objects = s })
	failed := map[string]string{}
	for _, r := range results {
		if r.Err != nil {
			failed[r.name] = r.Err.Error()
		}
	}
	want := map[string]string{Scheme + "denied/": "broken", Scheme + "none": errNoObject.Error()}
	for _, name := range broken {
		want[name] = "broken"
	}
	if len(results) != 302 || fmt.Sprint(failed) != fmt.Sprint(want) {
		t.Errorf("%d results, failed: %v\nwant %v", len(results), failed, want)
	}
	if r := hash(t, "md5", Paths([]string{Scheme + "bucket/"}, Leave)); len(r) != 1 || r[0].Err != errNoStore {
		t.Errorf("without a store: %v", r)
	}
}

// What is known isn't fetched; what was changed since is.
func TestObjectsKnown(t *testing.T) {
	s := shelfOf(200)
	first := hash(t, "md5", Paths([]string{Scheme + "bucket/"}, Leave), func(j *Job) { j.Objects = s })
	known := map[string]Given{}
	for _, r := range first {
		known[r.name] = Given{Digest: r.digest, Stamp: r.Stamp}
	}
	changed := first[7].name
	s.objects[changed] = append(s.objects[changed], 'x')
	s.opened = nil
	second := hash(t, "md5", Paths([]string{Scheme + "bucket/"}, Leave), func(j *Job) {
		j.Objects, j.Known = s, func(name []byte) (Given, bool) { g, ok := known[string(name)]; return g, ok }
	})
	if len(s.opened) != 1 || s.opened[0] != changed {
		t.Errorf("opened %q", s.opened)
	}
	for i, r := range second {
		if r.Skipped == (i == 7) || (r.digest == first[i].digest) == (i == 7) || r.Skipped && r.Stamp != first[i].Stamp {
			t.Errorf("%+v, before %+v", r, first[i])
		}
	}
}

// What another has found is read as what was found here.
func TestFound(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "tree/a", []byte("abc"))
	s := shelfOf(10)
	want := hash(t, "md5", Paths([]string{"tree", Scheme + "bucket/"}, Leave), func(j *Job) { j.Objects = s })
	got := hash(t, "md5", func(f *Feed) error {
		for _, r := range want {
			stamp := r.Stamp
			if stamp.Version = ""; !IsObject([]byte(r.name)) {
				stamp = Stamp{}
			}
			if err := f.Found([]byte(r.name), stamp); err != nil {
				return err
			}
		}
		return nil
	}, func(j *Job) { j.Objects = s })
	for i := range want {
		if got[i].name != want[i].name || got[i].digest != want[i].digest || got[i].Err != nil {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
	if len(got) != 11 {
		t.Errorf("%d results", len(got))
	}
}

// Many objects that are all known take their batches back before a worker has come to any.
func TestObjectsAllKnown(t *testing.T) {
	s := &shelf{objects: map[string][]byte{}}
	for i := range 40_000 {
		s.objects[fmt.Sprintf("%sb/%05d", Scheme, i)] = nil
	}
	given := Given{Stamp: stampOfObject(nil)}
	results := hash(t, "md5", Paths([]string{Scheme + "b/", "gone"}, Leave), func(j *Job) {
		j.Objects, j.Known = s, func([]byte) (Given, bool) { return given, true }
	})
	for i, r := range results[:40_000] {
		if r.name != fmt.Sprintf("%sb/%05d", Scheme, i) || !r.Skipped {
			t.Fatalf("result %d: %+v", i, r)
		}
	}
	if len(results) != 40_001 || len(s.opened) > 0 {
		t.Errorf("%d results, %d opened", len(results), len(s.opened))
	}
}

// Objects that are listed in a manifest are read as they are.
func TestObjectsListed(t *testing.T) {
	s := shelfOf(100)
	var names []string
	for name := range s.objects {
		names = append(names, name)
	}
	slices.Sort(names)
	names = append(names, Scheme+"bucket/gone")
	results := hash(t, "md5", func(f *Feed) error {
		for _, name := range names {
			if err := f.List([]byte(name), Given{}); err != nil {
				return err
			}
		}
		return nil
	}, func(j *Job) { j.Objects = s })
	for i, r := range results[:len(results)-1] {
		if sum := md5.Sum(s.objects[r.name]); r.name != names[i] || !bytes.Equal(r.digest[:md5.Size], sum[:]) || r.Err != nil {
			t.Errorf("%s: %x, want %x; %v", r.name, r.digest[:md5.Size], sum, r.Err)
		}
	}
	if last := results[len(results)-1]; !errors.Is(last.Err, fs.ErrNotExist) {
		t.Errorf("%+v", last)
	}
}

// A job is given up while a store keeps it waiting, and what was known of its objects is told.
func TestObjectsGivenUp(t *testing.T) {
	s := shelfOf(500)
	s.gate = make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	a, _ := digest.Named("md5", 0)
	asked, rest := 0, 0
	given := Given{Stamp: Stamp{Size: 1, ETag: "before"}}
	err := Run(ctx, Job{Algorithm: a, Objects: s, Source: Paths([]string{Scheme + "bucket/"}, Leave),
		Known: func([]byte) (Given, bool) {
			if asked++; asked == 300 {
				cancel()
			}
			return given, true
		},
		Emit: func(*Result) error { return errors.New("nothing can be done") },
		Rest: func(r *Result, done bool) {
			if !done && r.Given == given {
				rest++
			}
		}})
	if !errors.Is(err, context.Canceled) || rest < 256 {
		t.Errorf("%v, %d are told of", err, rest)
	}
}

// Whether a job is of one shard or of all, each object is in one of them.
func TestObjectsMine(t *testing.T) {
	s := shelfOf(100)
	counted := 0
	for shard := range 3 {
		for range hash(t, "md5", Paths([]string{Scheme + "bucket/"}, Leave), func(j *Job) {
			j.Objects, j.Mine = s, func(name []byte) bool { return int(name[len(name)-1])%3 == shard }
		}) {
			counted++
		}
	}
	if counted != 100 || len(s.opened) != 100 {
		t.Errorf("%d results, %d opened", counted, len(s.opened))
	}
}
