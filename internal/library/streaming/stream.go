package streaming

import (
	"cmp"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/arrival"
	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/library/peak"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

type stream struct {
	Shape
	aead   cipher.AEAD
	nonce  [nonceSize]byte
	buffer []byte      // a chunk, as read and, in place, as sealed; after room for its length
	packer *compressor // nil where nothing is compressed
	source io.ReaderAt
	sink   sink
	files  []*os.File // those of both, where they are files
	want   []byte     // what the last unit must have become

	ran   bool
	own   int64 // bytes of memory that were taken for the buffers
	spent record
	laps  laps
}

type record struct {
	latency, first arrival.Histogram
	process, wall  int64 // ns
	plain, written int64
}

// digits are those of the histograms. Three would take 16 times the cache for what no
// reader needs.
const digits = 2

func open(shape Shape, v *provider.Vector, a cipher.AEAD, dir string) (provider.Operation, error) {
	if len(v.Nonce) != PrefixSize || int64(len(v.Plaintext)) != shape.Unit || a.NonceSize() != nonceSize {
		return nil, provider.Unsupported("stream-shape", PrefixSize, shape.Unit, nonceSize,
			len(v.Nonce), len(v.Plaintext), a.NonceSize())
	}
	s := &stream{Shape: shape, aead: a, want: v.Ciphertext}
	copy(s.nonce[:], v.Nonce)
	s.spent.latency, s.spent.first = arrival.NewHistogram(digits), arrival.NewHistogram(digits)
	err := s.open(v, dir)
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	s.buffer = touched(LengthSize + int(shape.Chunk) + a.Overhead() + slackFor(shape))
	s.own = int64(len(s.buffer))
	if shape.Compress {
		before := allocated()
		if s.packer, err = newCompressor(v.Plaintext[:min(shape.Chunk, shape.Unit)]); err != nil {
			_ = s.Close()
			return nil, err
		}
		s.own += allocated() - before
	}
	resident.begin()
	return s, nil
}

// touched returns memory that is resident: untouched, it would be counted as the
// streams' growth as well.
func touched(n int) []byte {
	b := make([]byte, n)
	for i := 0; i < n; i += 4096 {
		b[i] = 0xff
	}
	return b
}

// slackFor is what incompressible data grows by under zstd: 3 bytes a block of
// 128 KiB, and the frame's header.
func slackFor(s Shape) int {
	if !s.Compress {
		return 0
	}
	return int(s.Chunk>>17+1)*3 + 18
}

// Clock: a file is waited for, memory is not.
func (s *stream) Clock() result.Clock {
	if s.File {
		return result.WallClock
	}
	return result.ThreadClock
}

func (s *stream) Loop() string { return "streaming" }

func (s *stream) Clear() error { return s.sink.clear() }

func (s *stream) Run(n int) error {
	s.ran = n > 0
	resident.moved.Store(true)
	process, wall := clock.Process(), clock.Wall()
	for range n {
		if err := s.once(); err != nil {
			return err
		}
	}
	s.spent.process += clock.Process() - process
	s.spent.wall += clock.Wall() - wall
	return nil
}

// once streams the case's bytes. A chunk's latency is the time from the end of the
// chunk before to its own, so the clock is read once a chunk; the first one's is
// the time to the first byte out.
func (s *stream) once() error {
	began := clock.Wall()
	for at, number := int64(0), uint32(0); at < s.Bytes; number++ {
		n := min(s.Chunk, s.Bytes-at)
		mark := byte(0)
		if at+n == s.Bytes {
			mark = lastChunk
		}
		timed := s.staged(number, began)
		sealed, err := s.seal(at%s.Unit, int(n), number, mark, timed)
		if err != nil {
			return err
		}
		if err := s.sink.write(sealed, s.Unit-at%s.Unit-n); err != nil {
			return reason.New("writing-sink", err)
		}
		timed.end(writing)
		at += n
		s.spent.plain += n
		s.spent.written += int64(len(sealed))
		ended := clock.Wall()
		latency := time.Duration(ended - began)
		s.spent.latency.Record(latency)
		if number == 0 {
			s.spent.first.Record(latency)
		}
		began = ended
	}
	return nil
}

func (s *stream) seal(at int64, n int, number uint32, mark byte, timed *laps) ([]byte, error) {
	chunk := s.buffer[LengthSize : LengthSize+n]
	if _, err := s.source.ReadAt(chunk, at); err != nil {
		return nil, reason.New("reading-source", err)
	}
	timed.end(reading)
	binary.BigEndian.PutUint32(s.nonce[PrefixSize:], number)
	s.nonce[nonceSize-1] = mark
	if s.packer == nil {
		sealed := s.aead.Seal(chunk[:0], s.nonce[:], chunk, nil)
		timed.end(sealing)
		return sealed, nil
	}
	packed := s.packer.pack(chunk)
	timed.end(packing)
	sealed := s.aead.Seal(s.buffer[LengthSize:LengthSize], s.nonce[:], packed, nil)
	binary.BigEndian.PutUint32(s.buffer, uint32(len(sealed)))
	timed.end(sealing)
	return s.buffer[:LengthSize+len(sealed)], nil
}

func (s *stream) Check() error {
	if !s.ran {
		return provider.ErrNotRun
	}
	s.ran = false
	return cmp.Or(s.sink.judge(s.want), s.sink.clear())
}

func (s *stream) Close() (err error) {
	for _, f := range s.files {
		err = errors.Join(err, f.Close())
	}
	return err
}

// Record tells what the calls since the last one left: the latency of the chunks,
// the time to the first byte out of each stream, the share of a CPU, what was
// written for a byte, and the memory.
func (s *stream) Record() (result.Record, error) {
	r := &s.spent
	var out result.Record
	add := func(name string, value float64, unit string) {
		out.Metrics = append(out.Metrics, result.Metric{Name: name, Value: value, Unit: unit})
	}
	chunks := r.latency.TotalCount()
	if chunks > 0 {
		add("chunk_latency_p50_ns", float64(r.latency.ValueAtQuantile(50)), "ns")
		add("first_byte_ns", float64(r.first.ValueAtQuantile(50)), "ns")
		out.Histograms = []result.Histogram{
			{Name: "chunk_latency", Unit: "ns", Buckets: r.latency.Pairs()},
			{Name: "first_byte", Unit: "ns", Buckets: r.first.Pairs()},
		}
	}
	if chunks >= 100 { // the greatest of fewer is no 99th percentile
		add("chunk_latency_p99_ns", float64(r.latency.ValueAtQuantile(99)), "ns")
	}
	if r.wall > 0 && clock.HasCPUTime {
		add("cpu_share", float64(r.process)/float64(r.wall), "1")
	}
	if r.plain > 0 {
		add("written_per_byte", float64(r.written)/float64(r.plain), "1")
	}
	if grown, ok := resident.grown(); ok {
		add("memory_beyond_baseline_bytes", float64(s.own+grown), "B")
	}
	s.laps.metrics(add, s.Shape)
	r.latency.Reset()
	r.first.Reset()
	r.process, r.wall, r.plain, r.written = 0, 0, 0, 0
	return out, nil
}

// What streaming takes is told in two parts. The buffers of a stream are counted
// when they are made; of the compressor, which does not tell, by what came to the
// heap, where small objects may be counted late. Whatever else the process comes to hold while
// its streams run is the growth of its peak of resident memory since the last
// stream was opened: the baseline holds what the streams read, are judged by and,
// in memory, write to, and it holds their buffers, so these are not counted twice.
// The growth is of all streams that are open in the process, so for each of them it
// is an upper bound. The kernel counts pages in batches, so it is exact to about
// 100 KiB a CPU. Pages of the page cache are nobody's.

type watch struct {
	mu    sync.Mutex
	base  int64
	last  int64
	known bool        // the kernel lets the peak be followed
	moved atomic.Bool // something ran since it was last read
}

var resident watch

func (w *watch) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.base, w.known = peak.Restart()
	w.last = 0
	w.moved.Store(false)
}

// grown is by how much the peak exceeds the baseline. What happens between two
// streams, such as a check, is not the streams': once read, the growth stands until
// one runs again.
func (w *watch) grown() (int64, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.known && w.moved.Swap(false) {
		most, ok := peak.Read()
		w.known = ok
		w.last = max(w.last, most-w.base, 0)
	}
	return w.last, w.known
}

func allocated() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
