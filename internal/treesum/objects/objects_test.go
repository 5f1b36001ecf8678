package objects

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

var errBusy = Temporary(language.Error("busy", "忙"))

// A fake is a store of one bucket, which does what a test says.
type fake struct {
	keys []string
	list func(in Range, try int) error // before anything is listed
	page int                           // so many keys a try; then the connection is reset; 0: all

	contents []byte
	get      func(from int64, try int) (Body, treehash.Stamp, error) // nil: the contents
	mu       sync.Mutex
	tries    int
}

func (f *fake) List(ctx context.Context, in Range, found func(string, treehash.Stamp) error) error {
	f.tries++
	if f.list != nil {
		if err := f.list(in, f.tries); err != nil {
			return err
		}
	}
	told := 0
	for _, key := range f.keys {
		if !strings.HasPrefix(key, in.Prefix) || key <= in.After {
			continue
		}
		if told++; f.page > 0 && told > f.page {
			return Temporary(errors.New("connection reset"))
		}
		if err := found(key, treehash.Stamp{Size: 1, ETag: key}); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (f *fake) stamp() treehash.Stamp {
	return treehash.Stamp{Size: int64(len(f.contents)), ETag: "etag", Version: "v1"}
}

func (f *fake) Get(ctx context.Context, _, _ string, span Span, _ treehash.Stamp) (Body, treehash.Stamp, error) {
	f.mu.Lock()
	f.tries++
	try := f.tries
	f.mu.Unlock()
	if f.get != nil {
		if body, s, err := f.get(span.From, try); body != nil || err != nil {
			return body, s, err
		}
	}
	if span.To == 0 {
		span.To = int64(len(f.contents))
	}
	return io.NopCloser(bytes.NewReader(f.contents[span.From:span.To])), f.stamp(), nil
}

// list lists what a name stands for, and how long that took.
func list(f *fake, name string) (names []string, spent time.Duration, err error) {
	begun := time.Now()
	err = New(f).List(context.Background(), name, func(name []byte, _ treehash.Stamp) error {
		names = append(names, string(name))
		return nil
	})
	return names, time.Since(begun), err
}

func TestListNames(t *testing.T) {
	f := &fake{keys: []string{"a", "a.sig", "a/", "a/b", "b", "b\nc"}}
	for name, want := range map[string]string{
		"s3://x":       "a a.sig a/ a/b b b\nc",
		"s3://x/":      "a a.sig a/ a/b b b\nc",
		"s3://x/a":     "a", // the object of that very name
		"s3://x/a/":    "a/ a/b",
		"s3://x/a.":    "a.sig",
		"s3://x/b":     "b",
		"s3://x/b\n":   "b\nc",
		"s3://x/other": "",
	} {
		names, _, err := list(f, name)
		if got := strings.ReplaceAll(strings.Join(names, " "), "s3://x/", ""); got != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"s3://", "s3:///a", "a"} {
		if _, _, err := list(f, name); err == nil || err.Error() != "the name of an object is s3://bucket/key" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A listing that is interrupted goes on from where it was, and each name comes once.
func TestListInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{page: 3}
		var want []string
		for i := range 100 {
			f.keys = append(f.keys, fmt.Sprintf("%03d", i))
			want = append(want, fmt.Sprintf("s3://x/%03d", i))
		}
		names, spent, err := list(f, "s3://x/")
		if err != nil || !slices.Equal(names, want) || spent > 34*firstPause {
			t.Errorf("%v, %d names, %v", err, len(names), spent)
		}
	})
}

// What is refused for the moment is tried again, later each time, and not for ever.
func TestListRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{keys: []string{"a"}, list: func(_ Range, try int) error {
			if try < tries {
				return errBusy
			}
			return nil
		}}
		names, spent, err := list(f, "s3://x/")
		if most := firstPause * (1<<(tries-1) - 1); err != nil || len(names) != 1 || spent > most || spent < most/2 {
			t.Errorf("%v, %q, %v", err, names, spent)
		}
		f.tries, f.list = 0, func(Range, int) error { return errBusy }
		if _, _, err = list(f, "s3://x/"); err == nil || err.Error() != "busy (tried 8 times)" || f.tries != tries {
			t.Errorf("%v after %d tries", err, f.tries)
		}
		f.tries, f.list = 0, func(Range, int) error { return ErrDenied }
		if _, spent, err = list(f, "s3://x/"); !errors.Is(err, fs.ErrPermission) || f.tries != 1 || spent != 0 {
			t.Errorf("%v after %d tries", err, f.tries)
		}
	})
}

func TestListOrder(t *testing.T) {
	for _, keys := range [][]string{{"b", "a"}, {"a", "a"}} {
		names, _, err := list(&fake{keys: keys, list: nil}, "s3://x/")
		if len(names) != 1 || !errors.Is(err, errOrder) {
			t.Errorf("%q: %q, %v", keys, names, err)
		}
	}
}

// What the caller says ends a listing.
func TestListEnded(t *testing.T) {
	ended := errors.New("ended")
	f := &fake{keys: []string{"a", "b"}}
	if err := New(f).List(t.Context(), "s3://x/", func([]byte, treehash.Stamp) error { return ended }); err != ended || f.tries != 1 {
		t.Errorf("%v after %d tries", err, f.tries)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		f := &fake{list: func(Range, int) error { return errBusy }}
		if err := New(f).List(ctx, "s3://x/", nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

func open(f *fake, listed treehash.Stamp) ([]byte, treehash.Stamp, error) {
	r, s, err := New(f).Open(context.Background(), "s3://x/a", listed)
	if err != nil {
		return nil, s, err
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	return text, s, err
}

// A body that breaks off.
type breaking struct {
	io.Reader
	err error
}

func (b breaking) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		err = b.err
	}
	return n, err
}

func (breaking) Close() error { return nil }

// However often a connection breaks off, and however it does, what is read is the object.
func TestOpenBreaking(t *testing.T) {
	contents := bytes.Repeat([]byte("0123456789abcdef"), 100<<10)
	for _, broken := range []error{io.EOF, io.ErrUnexpectedEOF, errors.New("connection reset")} {
		synctest.Test(t, func(t *testing.T) {
			f := &fake{contents: contents}
			f.get = func(from int64, try int) (Body, treehash.Stamp, error) {
				switch {
				case try%3 == 1:
					return nil, treehash.Stamp{}, errBusy
				case try%3 == 2: // 100 KiB, and then nothing
					return breaking{bytes.NewReader(contents[from:min(from+100<<10, int64(len(contents)))]), broken}, f.stamp(), nil
				}
				return breaking{bytes.NewReader(nil), broken}, f.stamp(), nil
			}
			text, s, err := open(f, treehash.Stamp{Size: int64(len(contents)), ETag: "etag", Modified: 7})
			if !bytes.Equal(text, contents) || err != nil || s.Version != "v1" || s.Modified != 7 {
				t.Errorf("%v: %d bytes, %v, %+v", broken, len(text), err, s)
			}
		})
	}
}

// One that breaks off after next to nothing each time is given up.
func TestOpenGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{contents: make([]byte, 1000)}
		f.get = func(from int64, _ int) (Body, treehash.Stamp, error) {
			return breaking{bytes.NewReader(f.contents[from : from+1]), io.EOF}, f.stamp(), nil
		}
		text, _, err := open(f, treehash.Stamp{})
		if len(text) != tries || err == nil || err.Error() != "the store sent less than the object has (tried 8 times)" {
			t.Errorf("%d bytes, %v", len(text), err)
		}
	})
}

// A connection that falls silent is given up for another.
func TestOpenSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{contents: []byte("contents")}
		silent := &silentClient{fake: f}
		begun := time.Now()
		r, _, err := New(silent).Open(t.Context(), "s3://x/a", treehash.Stamp{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		text, err := io.ReadAll(r)
		if spent := time.Since(begun); string(text) != "contents" || err != nil || spent < 2*silence || spent > 2*silence+time.Second {
			t.Errorf("%q, %v, %v", text, err, spent)
		}
	})
}

// silentClient says nothing where it should answer first, and then nothing where it should send.
type silentClient struct{ *fake }

func (s *silentClient) Get(ctx context.Context, bucket, key string, span Span, same treehash.Stamp) (Body, treehash.Stamp, error) {
	body, now, err := s.fake.Get(ctx, bucket, key, span, same)
	switch s.tries {
	case 1:
		<-ctx.Done()
		return nil, now, ctx.Err()
	case 2:
		return &silentBody{ctx}, now, nil
	}
	return body, now, err
}

type silentBody struct{ ctx context.Context }

func (s *silentBody) Read([]byte) (int, error) { <-s.ctx.Done(); return 0, s.ctx.Err() }
func (*silentBody) Close() error               { return nil }

// What isn't the object that was listed is an error, before anything is read of it and after.
func TestOpenChanged(t *testing.T) {
	contents := make([]byte, 300<<10)
	f := &fake{contents: contents}
	for _, listed := range []treehash.Stamp{{Size: 1, ETag: "etag"}, {Size: int64(len(contents)), ETag: "other"}, {Size: int64(len(contents)), ETag: "etag", Version: "v0"}} {
		if _, _, err := open(f, listed); !errors.Is(err, ErrChanged) {
			t.Errorf("%+v: %v", listed, err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		f.get = func(from int64, try int) (Body, treehash.Stamp, error) {
			if from == 0 {
				return breaking{bytes.NewReader(contents[:200<<10]), io.EOF}, f.stamp(), nil
			}
			now := f.stamp()
			now.ETag = "other"
			return io.NopCloser(bytes.NewReader(contents[from:])), now, nil
		}
		if text, _, err := open(f, treehash.Stamp{}); !errors.Is(err, ErrChanged) || len(text) != 200<<10 {
			t.Errorf("%d bytes, %v", len(text), err)
		}
	})
	f.get = func(int64, int) (Body, treehash.Stamp, error) {
		return io.NopCloser(bytes.NewReader(append(contents, 'x'))), f.stamp(), nil
	}
	if _, _, err := open(f, treehash.Stamp{}); !errors.Is(err, errLonger) {
		t.Error(err)
	}
	f.get = func(int64, int) (Body, treehash.Stamp, error) { return nil, treehash.Stamp{}, ErrGone }
	if _, _, err := open(f, treehash.Stamp{}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// longContents are those of an object that is read by parts.
func longContents(size int) []byte {
	contents := make([]byte, size)
	for i := range contents {
		contents[i] = byte((i >> 3) * i)
	}
	return contents
}

// A long object is read by parts, of which some break off, and comes out as it is.
func TestParts(t *testing.T) {
	for _, size := range []int{long - 1, long, long + 1, long + partSize - 1, long + partSize, 7*partSize + 5} {
		synctest.Test(t, func(t *testing.T) {
			f := &fake{contents: longContents(size)}
			f.get = func(from int64, try int) (Body, treehash.Stamp, error) {
				if try%4 != 3 {
					return nil, treehash.Stamp{}, nil
				}
				return breaking{bytes.NewReader(f.contents[from:min(from+1000, int64(size))]), io.EOF}, f.stamp(), nil
			}
			text, s, err := open(f, treehash.Stamp{Size: int64(size), ETag: "etag"})
			if !bytes.Equal(text, f.contents) || err != nil || s.Version != "v1" {
				t.Errorf("%d bytes: %d came, %v, %+v", size, len(text), err, s)
			}
			if size >= long && f.tries < size/partSize {
				t.Errorf("%d bytes: %d requests", size, f.tries)
			}
		})
	}
}

// Many long objects at once have no more read ahead than there is room for, and give all room back, also where they are
// not read to their end.
func TestPartsRoom(t *testing.T) {
	f := &fake{contents: longContents(long + 3)}
	s := New(f)
	listed := treehash.Stamp{Size: int64(len(f.contents)), ETag: "etag"}
	var readers []io.ReadCloser
	for range 6 {
		r, _, err := s.Open(t.Context(), "s3://x/a", listed)
		if err != nil {
			t.Fatal(err)
		}
		readers = append(readers, r)
	}
	room := make([]byte, 1000)
	for range 5 { // in turns, as lanes are read
		for _, r := range readers {
			if _, err := io.ReadFull(r, room); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(s.room) != partsAhead {
		t.Errorf("%d parts are read ahead, and there is room for %d", len(s.room), partsAhead)
	}
	for i, r := range readers {
		if i%2 == 0 {
			if rest, err := io.ReadAll(r); err != nil || len(rest) != len(f.contents)-5*len(room) {
				t.Errorf("%d bytes, %v", len(rest), err)
			}
		}
		r.Close()
	}
	if len(s.room) != 0 {
		t.Errorf("%d parts were not given back", len(s.room))
	}
}

// A part that can't be read is the object's error.
func TestPartsFail(t *testing.T) {
	f := &fake{contents: longContents(long + 3)}
	f.get = func(from int64, _ int) (Body, treehash.Stamp, error) {
		if from >= 2*partSize {
			return nil, treehash.Stamp{}, ErrChanged
		}
		return nil, treehash.Stamp{}, nil
	}
	s := New(f)
	r, _, err := s.Open(t.Context(), "s3://x/a", treehash.Stamp{Size: int64(len(f.contents)), ETag: "etag"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if r.Close(); !errors.Is(err, ErrChanged) || len(text) != 2*partSize || len(s.room) != 0 {
		t.Errorf("%d bytes, %v, %d parts", len(text), err, len(s.room))
	}
}

var errRefused = Unreached(language.Error("refused", "拒绝"))

// That there was no connection is still known when it was tried often enough; a store that comes back in between is
// waited for.
func TestUnreached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{contents: []byte("contents"), get: func(_ int64, try int) (Body, treehash.Stamp, error) {
			if try < tries {
				return nil, treehash.Stamp{}, errRefused
			}
			return nil, treehash.Stamp{}, nil
		}}
		r, _, err := New(f).Open(t.Context(), "s3://x/a", treehash.Stamp{})
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		f.tries, f.get = 0, func(int64, int) (Body, treehash.Stamp, error) { return nil, treehash.Stamp{}, errRefused }
		f.list = func(Range, int) error { return errRefused }
		_, _, err = New(f).Open(t.Context(), "s3://x/a", treehash.Stamp{})
		_, _, listErr := list(f, "s3://x/")
		for _, err := range []error{err, listErr} {
			if !errors.Is(err, treehash.ErrUnreached) || err.Error() != "refused (tried 8 times)" || language.Of(err).ZH != "拒绝（已尝试 8 次）" {
				t.Error(err, language.Of(err).ZH)
			}
		}
		f.list = func(Range, int) error { return errBusy }
		if _, _, err := list(f, "s3://x/"); errors.Is(err, treehash.ErrUnreached) {
			t.Errorf("%v: was an answer", err)
		}
	})
}

// A store that dies is given up after the tries of a few objects, however many there are.
func TestStoreDies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{contents: []byte("c"), get: func(_ int64, try int) (Body, treehash.Stamp, error) {
			if try > 300 {
				return nil, treehash.Stamp{}, errRefused
			}
			return nil, treehash.Stamp{}, nil
		}}
		s := New(f)
		a, err := digest.Named("md5", 0)
		if err != nil {
			t.Fatal(err)
		}
		begun, fine := time.Now(), 0
		err = treehash.Run(t.Context(), treehash.Job{Algorithm: a, Objects: s,
			Source: func(feed *treehash.Feed) error {
				for i := range 1000 {
					if err := feed.List(fmt.Appendf(nil, "s3://x/%04d", i), treehash.Given{}); err != nil {
						return err
					}
				}
				return nil
			},
			Emit: func(r *treehash.Result) error {
				if fine++; r.Err != nil {
					t.Errorf("%s: %v", r.Name, r.Err)
				}
				return nil
			},
			Rest: func(r *treehash.Result, done bool) {
				if done && r.Err == nil {
					fine++
				}
			}})
		if most := firstPause * (1<<(tries-1) - 1); !errors.Is(err, treehash.ErrUnreached) || time.Since(begun) > most {
			t.Errorf("%v, after %v", err, time.Since(begun))
		}
		if err.Error() != "the store is away: refused (tried 8 times)" || language.Of(err).ZH != "无法连接存储：拒绝（已尝试 8 次）" {
			t.Error(err, language.Of(err).ZH)
		}
	})
}
