package multibuffer

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/multibuffer"
)

// An ending gives all of a message, then end, beside the last bytes or after them; after that, io.EOF.
type ending struct {
	left   []byte
	end    error
	beside bool
	ended  bool
}

func (e *ending) Read(p []byte) (int, error) {
	if e.ended {
		return 0, io.EOF
	}
	n := copy(p, e.left)
	e.left = e.left[n:]
	if len(e.left) == 0 && (e.beside || n == 0) {
		e.ended = true
		return n, e.end
	}
	return n, nil
}

// cutShort is a gzip file that lost its last bytes.
func cutShort(m []byte) io.Reader {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.NoCompression)
	z.Write(m)
	z.Close()
	r, err := gzip.NewReader(bytes.NewReader(b.Bytes()[:b.Len()-5]))
	if err != nil {
		return iotest.ErrReader(err)
	}
	return r
}

// endings are all ways in which a reader may come to an end, and pass its bytes on until then.
var endings = []struct {
	name string
	make func(m []byte) io.Reader
}{
	{"plain", func(m []byte) io.Reader { return bytes.NewReader(m) }},
	{"EOF beside the last bytes", func(m []byte) io.Reader { return iotest.DataErrReader(bytes.NewReader(m)) }},
	{"by halves", func(m []byte) io.Reader { return iotest.HalfReader(bytes.NewReader(m)) }},
	{"by one byte", func(m []byte) io.Reader { return iotest.OneByteReader(bytes.NewReader(m)) }},
	{"unexpected EOF", func(m []byte) io.Reader { return &ending{left: m, end: io.ErrUnexpectedEOF} }},
	{"unexpected EOF beside the last bytes", func(m []byte) io.Reader {
		return &ending{left: m, end: io.ErrUnexpectedEOF, beside: true}
	}},
	{"broken", func(m []byte) io.Reader { return &ending{left: m, end: errBroken} }},
	{"broken beside the last bytes", func(m []byte) io.Reader { return &ending{left: m, end: errBroken, beside: true} }},
	{"an EOF that is wrapped", func(m []byte) io.Reader { return &ending{left: m, end: errWrapped} }},
	{"nothing but an error", func([]byte) io.Reader { return iotest.ErrReader(io.ErrUnexpectedEOF) }},
	{"a timeout", func(m []byte) io.Reader { return iotest.TimeoutReader(iotest.HalfReader(bytes.NewReader(m))) }},
	{"a gzip file cut short", cutShort},
}

var (
	errBroken  = errors.New("broken")
	errWrapped = fmt.Errorf("wrapped: %w", io.EOF)
)

// sizesOfReaders are around the boundaries of blocks and of both buffers.
var sizesOfReaders = []int{0, 1, 55, 56, 63, 64, 65, 4095, 4096, 4097, bufferSize - 64, bufferSize - 1, bufferSize,
	bufferSize + 1, bufferSize + 64, 2*bufferSize - 1, 2 * bufferSize, 2*bufferSize + 1}

// Every reader, in every company, ends as io.Copy ends it: with the same digest or the same error.
func TestReadersEndAsInCopy(t *testing.T) {
	type made struct {
		name string
		make func() io.Reader
	}
	text := noise(22, 1<<17)
	var all []made
	for i, size := range sizesOfReaders {
		for j, e := range endings {
			m := text[64*i+j:][:size]
			all = append(all, made{fmt.Sprintf("%s, %d bytes", e.name, size), func() io.Reader { return e.make(m) }})
		}
	}
	each(t, func(t *testing.T, h Hasher, a algorithm) {
		want, wantErr := make([][]byte, len(all)), make([]error, len(all))
		for i, m := range all {
			s := successors[a.hash].New().(*successor)
			_, wantErr[i] = io.Copy(s.hash, struct{ io.Reader }{m.make()})
			want[i] = make([]byte, 4*a.hash.Words())
			if wantErr[i] == nil {
				want[i] = s.hash.Sum(nil)
			}
		}
		counts := []int{3, 65, 1, 2, 5, 17, len(all)}
		if testing.Short() {
			counts = counts[:1]
		}
		for _, n := range counts {
			for at := 0; at < len(all); at += n {
				now := all[at:min(at+n, len(all))]
				readers := make([]io.Reader, len(now))
				for i, m := range now {
					readers[i] = m.make()
				}
				digests, errs := a.read(h, readers)
				for i, got := range digests {
					if errs[i] != wantErr[at+i] || !bytes.Equal(got, want[at+i]) {
						t.Errorf("%d readers, %s: %x (%v), want %x (%v)", n, now[i].name, got, errs[i], want[at+i], wantErr[at+i])
					}
				}
			}
		}
	})
}

// A lying gives some bytes and then says a count of its own, again and again.
type lying struct {
	left  []byte
	count func(room int) int
}

func (l *lying) Read(p []byte) (int, error) {
	if len(l.left) > 0 {
		n := copy(p, l.left)
		l.left = l.left[n:]
		return n, nil
	}
	return l.count(len(p)), nil
}

// A reader that breaks io.Reader's contract gets an error, and the others their digests.
func TestReadersThatLie(t *testing.T) {
	text := noise(23, 1<<17)
	each(t, func(t *testing.T, h Hasher, a algorithm) {
		for _, c := range []struct {
			count func(room int) int
			want  string
		}{
			{func(int) int { return -1 }, "*multibuffer.lying.Read returned -1 bytes for a buffer of "},
			{func(room int) int { return room + 1 }, "*multibuffer.lying.Read returned "},
			{func(int) int { return 0 }, io.ErrNoProgress.Error()},
		} {
			for _, size := range sizesOfReaders {
				for _, n := range []int{3, 1, 20} {
					if testing.Short() && n != 3 {
						continue
					}
					readers := make([]io.Reader, n)
					for i := range readers {
						readers[i] = bytes.NewReader(text[i:][:bufferSize+i])
					}
					readers[n/2] = &lying{text[:size], c.count}
					digests, errs := a.read(h, readers)
					for i, got := range digests {
						switch {
						case i != n/2:
							if errs[i] != nil || !bytes.Equal(got, a.want(text[i:][:bufferSize+i])) {
								t.Fatalf("beside a reader that lies: %x (%v)", got, errs[i])
							}
						case errs[i] == nil || !strings.Contains(errs[i].Error(), c.want):
							t.Fatalf("after %d bytes: error %v, want %q", size, errs[i], c.want)
						case !bytes.Equal(got, make([]byte, len(got))):
							t.Fatalf("after %d bytes: a digest beside the error: %x", size, got)
						}
					}
				}
			}
		}
	})
}

// A hesitant reader returns nothing some times before each byte.
type hesitant struct {
	left  []byte
	empty int
	times int
}

func (r *hesitant) Read(p []byte) (int, error) {
	if r.empty < r.times {
		r.empty++
		return 0, nil
	}
	r.empty = 0
	if len(r.left) == 0 {
		return 0, io.EOF
	}
	p[0], r.left = r.left[0], r.left[1:]
	return 1, nil
}

func TestReadersThatHesitate(t *testing.T) {
	text := noise(24, 1<<10)
	each(t, func(t *testing.T, h Hasher, a algorithm) {
		for _, n := range []int{1, 3, 17} {
			readers := make([]io.Reader, n)
			for i := range readers {
				readers[i] = &hesitant{left: text[:70+i], times: emptyReads - 1}
			}
			digests, errs := a.read(h, readers)
			for i, got := range digests {
				if errs[i] != nil || !bytes.Equal(got, a.want(text[:70+i])) {
					t.Errorf("reader %d of %d: %x (%v)", i, n, got, errs[i])
				}
			}
		}
	})
}

// A leaving reader gives some bytes and then leaves by a panic or by runtime.Goexit.
type leaving struct {
	left  []byte
	leave func()
}

func (l *leaving) Read(p []byte) (int, error) {
	if len(l.left) == 0 {
		l.leave()
	}
	n := copy(p, l.left)
	l.left = l.left[n:]
	return n, nil
}

// Whatever a reader does, nothing of its bytes is in the pool, nor in another digest.
func TestReadersThatLeave(t *testing.T) {
	text, secret := noise(25, 1<<17), bytes.Repeat([]byte("a secret"), 1<<13)
	each(t, func(t *testing.T, h Hasher, a algorithm) {
		for _, leave := range []func(){func() { panic("left") }, runtime.Goexit} {
			for _, n := range []int{1, 2, 3, 64} {
				for _, given := range []int{0, 10, 64, 5000, 3*bufferSize + 10} {
					readers := make([]io.Reader, n)
					for i := range readers {
						readers[i] = bytes.NewReader(text[:100])
					}
					readers[n/2] = &leaving{secret[:given], leave}
					left := make(chan struct{})
					go func() {
						defer close(left)
						defer checkPool(t, a)
						defer func() { recover() }()
						a.read(h, readers)
						t.Errorf("%d readers: what one does was kept from the caller", n)
					}()
					<-left
				}
			}
		}
	})
}

// checkPool reads and sums as if nothing had been.
func checkPool(t *testing.T, a algorithm) {
	m := noise(26, 3*pieceSizes[a.hash])
	digests, errs := a.read(Hasher{}, []io.Reader{bytes.NewReader(m)})
	if errs[0] != nil || !bytes.Equal(digests[0], a.want(m)) {
		t.Errorf("the next reader: %x (%v), want %x", digests[0], errs[0], a.want(m))
	}
	got := make([]byte, 4*a.hash.Words())
	if sumSerial(a.hash, got, m); !bytes.Equal(got, a.want(m)) {
		t.Errorf("the next message: %x, want %x", got, a.want(m))
	}
	s := successorFor(a.hash)
	defer s.giveBack(a.hash)
	if s.buffer != [len(s.buffer)]byte{} || !bytes.Equal(s.saved[4:], make([]byte, len(s.saved)-4)) {
		t.Error("a message's bytes are in the pool")
	}
	if got := s.hash.Sum(nil); !bytes.Equal(got, a.want(nil)) {
		t.Errorf("a hash in the pool is not that of a new message: %x", got)
	}
}

// A recorder notes how much a library's hash is given at a time.
type recorder struct {
	library
	most, all int
}

type library interface {
	io.Writer
	Sum([]byte) []byte
	Reset()
	Size() int
	BlockSize() int
	MarshalBinary() ([]byte, error)
	UnmarshalBinary([]byte) error
}

func (r *recorder) Write(p []byte) (int, error) {
	r.most, r.all = max(r.most, len(p)), r.all+len(p)
	return r.library.Write(p)
}

// recording lets one successor after the other be made anew, each of which writes to a recorder.
func recording(f kernel.Hash, made func() any) *recorder {
	r := new(recorder)
	successors[f] = sync.Pool{New: func() any {
		s := made().(*successor)
		r.library = s.hash.(library)
		s.hash = r
		return s
	}}
	return r
}

// However long messages are, no library is given more than a piece at a time: a call that can't be
// preempted is short.
func TestPieces(t *testing.T) {
	text := noise(27, 4<<20) // more than all others together, which the other of two lanes takes meanwhile
	messages := [][]byte{text}
	for i := range 64 {
		messages = append(messages, text[i:][:1000*i])
	}
	each(t, func(t *testing.T, h Hasher, a algorithm) {
		made := successors[a.hash].New
		defer func() { successors[a.hash] = sync.Pool{New: made} }()
		counts := []int{1, 2, 3, 10, len(messages)}
		if testing.Short() {
			counts = []int{3}
		}
		for _, n := range counts {
			r := recording(a.hash, made)
			a.verify(t, h, messages[:n])
			if r.most > pieceSizes[a.hash] || r.all < len(text)/2 {
				t.Errorf("%d messages, one of them long: a library was given %d bytes, %d at a time", n, r.all, r.most)
			}
			r = recording(a.hash, made)
			readers := make([]io.Reader, n)
			for i := range readers {
				readers[i] = bytes.NewReader(messages[i])
			}
			digests, errs := a.read(h, readers)
			for i, got := range digests {
				if errs[i] != nil || !bytes.Equal(got, a.want(messages[i])) {
					t.Fatalf("reader %d of %d: %x (%v)", i, n, got, errs[i])
				}
			}
			if r.most > pieceSizes[a.hash] || r.all < len(text)/2 {
				t.Errorf("%d readers, one of them long: a library was given %d bytes, %d at a time", n, r.all, r.most)
			}
		}
	})
}
