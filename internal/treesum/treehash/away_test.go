package treehash

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
)

var errRefused = fmt.Errorf("refused: %w", ErrUnreached)

// A dying store is a shelf that nobody reaches once all objects but some are read.
type dying struct {
	*shelf
	lost  map[string]bool // objects for which there is no connection
	alive sync.WaitGroup  // short ones that there is one for, and that aren't read yet
}

func dies(s *shelf, lost func(name string) bool) *dying {
	d := &dying{shelf: s, lost: map[string]bool{}}
	for name := range s.objects {
		if d.lost[name] = lost(name); !d.lost[name] && len(s.objects[name]) <= short {
			d.alive.Add(1)
		}
	}
	return d
}

func (d *dying) Open(ctx context.Context, name string, listed Stamp) (io.ReadCloser, Stamp, error) {
	if d.lost[name] {
		d.alive.Wait()
		return nil, Stamp{}, errRefused
	}
	in, s, err := d.shelf.Open(ctx, name, listed)
	if s.Size > short {
		return in, s, err
	}
	return &lastWords{in, d}, s, err
}

type lastWords struct {
	io.ReadCloser
	store *dying
}

func (l *lastWords) Close() error {
	l.store.alive.Done()
	return l.ReadCloser.Close()
}

// run gives what a job emits and what its rest is, without and with an error.
func (d *dying) run(t *testing.T, algorithm string, names ...string) (fine, failed, rest []string, err error) {
	t.Helper()
	a := algorithmNamed(t, algorithm)
	err = Run(t.Context(), Job{Algorithm: a, Objects: d, Source: Paths(names, Leave),
		Emit: func(r *Result) error {
			if r.Err != nil {
				failed = append(failed, string(r.Name))
			} else {
				fine = append(fine, string(r.Name))
			}
			return nil
		},
		Rest: func(r *Result, done bool) {
			if done && r.Err == nil {
				rest = append(rest, string(r.Name))
			}
		}})
	return fine, failed, rest, err
}

// A store that is away is given up, and no object is told of for it; what was read before is kept.
func TestStoreAway(t *testing.T) {
	s := shelfOf(0)
	for i := range 1500 {
		s.objects[fmt.Sprintf("%sbucket/%04d", Scheme, i)] = contents(uint64(i), i)
	}
	d := dies(s, func(name string) bool { return name >= Scheme+"bucket/0700" })
	fine, failed, rest, err := d.run(t, "md5", Scheme+"bucket/")
	if !errors.Is(err, ErrUnreached) || err.Error() != "the store is away: refused: no connection to the store" {
		t.Error(err)
	}
	// How many batches were read until then is a matter of chance; of those that were, nothing is left out.
	inRow := len(fine) == 0 || fine[len(fine)-1] == fmt.Sprintf("%sbucket/%04d", Scheme, len(fine)-1)
	if len(failed) > 0 || !slices.IsSorted(fine) || !inRow || len(fine)+len(rest) > 700 {
		t.Errorf("%d fine, %d at rest, failed %q", len(fine), len(rest), failed)
	}
}

// So is one of long objects, whether they are read in step or one by one.
func TestStoreAwayLong(t *testing.T) {
	for _, algorithm := range []string{"md5", "sha512"} {
		s := shelfOf(0)
		for i := range 100 {
			s.objects[fmt.Sprintf("%sbucket/%04d", Scheme, i)] = contents(uint64(i), short+1+i)
		}
		fine, failed, _, err := dies(s, func(string) bool { return true }).run(t, algorithm, Scheme+"bucket/")
		if !errors.Is(err, ErrUnreached) || len(fine)+len(failed) > 0 {
			t.Errorf("%s: %v, %d fine, failed %q", algorithm, err, len(fine), failed)
		}
	}
}

// A few objects for which there is no connection are a line each: among others, and behind them.
func TestObjectsUnreached(t *testing.T) {
	for what, lost := range map[string]func(name string) bool{
		"one":  func(name string) bool { return strings.HasSuffix(name, "/00070") },
		"last": func(name string) bool { return name >= Scheme+"bucket/6/00265" },
	} {
		d := dies(shelfOf(300), lost)
		var want []string
		for name := range d.lost {
			if d.lost[name] {
				want = append(want, name)
			}
		}
		slices.Sort(want)
		fine, failed, _, err := d.run(t, "md5", Scheme+"bucket/")
		if err != nil || !slices.Equal(failed, want) || len(want) == 0 || len(want) >= mostUnreached || len(fine) != 300-len(want) {
			t.Errorf("%s: %v, %d fine, failed %q, want %q", what, err, len(fine), failed, want)
		}
	}
}

// One that failed is held back while the source may bring others that fail alike, and no longer.
func TestHeldBack(t *testing.T) {
	for what, ends := range map[string]func(q *queue){"ended": (*queue).end, "waits": (*queue).pause} {
		told := 0
		r := &run{queue: newQueue(Job{Workers: 1, Algorithm: algorithmNamed(t, "md5")})}
		r.queue.waits = func() { told++ }
		b := &batch{entries: make([]entry, 1)}
		e := &b.entries[0]
		e.from = object
		r.queue.flight = []*batch{b}
		r.reach.failed(e, errRefused)
		e.done.Store(true)
		if r.mayEmit(e) {
			t.Errorf("%s: given back while more may come", what)
		}
		if ends(r.queue); !r.mayEmit(e) || what == "waits" && told != 1 {
			t.Errorf("%s: held back for ever; the collector is told %d times", what, told)
		}
	}
}

func algorithmNamed(t *testing.T, name string) *digest.Algorithm {
	t.Helper()
	a, err := digest.Named(name, 0)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Answers between objects for which there is no connection say that the store is there, also where they are errors.
func TestUnreachedInARow(t *testing.T) {
	var r reach
	for i := range 3 * mostUnreached {
		if i%(mostUnreached-1) == 0 {
			r.failed(new(entry), errBroken)
		}
		r.failed(new(entry), errRefused)
	}
	if r.lost() != nil {
		t.Error("given up")
	}
	for range mostUnreached {
		r.failed(new(entry), errRefused)
	}
	if r.lost() == nil {
		t.Error("not given up")
	}
}

// cutOff fails behind what it has listed.
type cutOff struct{ *shelf }

func (c cutOff) List(ctx context.Context, name string, found func([]byte, Stamp) error) error {
	if err := c.shelf.List(ctx, name, found); err != nil {
		return err
	}
	return errRefused
}

// A listing that is cut off ends the job: what it would have gone on with is in no manifest. One that can't begin is
// a line, as a folder that isn't there.
func TestListingUnreached(t *testing.T) {
	a, _ := digest.Named("md5", 0)
	for name, want := range map[string]error{Scheme + "bucket/": ErrUnreached, Scheme + "none/": nil} {
		failed := 0
		err := Run(t.Context(), Job{Algorithm: a, Objects: cutOff{shelfOf(100)}, Source: Paths([]string{name}, Leave),
			Emit: func(r *Result) error {
				if r.Err != nil {
					failed++
				}
				return nil
			}})
		if !errors.Is(err, want) || (failed == 1) != (want == nil) {
			t.Errorf("%s: %v, %d failed", name, err, failed)
		}
	}
}
