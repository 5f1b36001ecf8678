package streaming

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// sealed is what a unit must become, put together by hand: chunk, number, mark.
func sealed(t testing.TB, s Shape, v *provider.Vector) []byte {
	t.Helper()
	a := gcm(t, v.Key)
	var out []byte
	first := (s.Bytes - s.Unit) / s.Chunk
	chunks := slices.Collect(slices.Chunk(v.Plaintext, int(s.Chunk)))
	for i, chunk := range chunks {
		n := first + int64(i)
		nonce := append(slices.Clone(v.Nonce), byte(n>>24), byte(n>>16), byte(n>>8), byte(n), 0)
		if i == len(chunks)-1 {
			nonce[11] = 1
		}
		out = a.Seal(out, nonce, chunk, nil)
	}
	return out
}

// material is a vector for a shape, without compression.
func material(t testing.TB, s Shape) (Shape, *provider.Vector) {
	t.Helper()
	s, err := ShapeOf(result.Case{Operation: algorithm.Stream, Bytes: s.Bytes, Parameters: s.Parameters()})
	if err != nil {
		t.Fatal(err)
	}
	v := &provider.Vector{Key: make([]byte, 32), Nonce: []byte("prefix!"), Plaintext: provider.Data(1, parameter.Random, int(s.Unit))}
	v.Ciphertext = sealed(t, s, v)
	return s, v
}

func opened(t testing.TB, s Shape, v *provider.Vector, a cipher.AEAD) *stream {
	t.Helper()
	op, err := open(s, v, a, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = op.Close() })
	return op.(*stream)
}

func gcm(t testing.TB, key []byte) cipher.AEAD {
	t.Helper()
	b, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	a, err := cipher.NewGCM(b)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// liar is an AEAD that does one thing wrong.
type liar struct {
	cipher.AEAD
	calls int
	lie   func(call int, nonce, sealed []byte)
}

func (l *liar) Seal(dst, nonce, plaintext, aad []byte) []byte {
	used := slices.Clone(nonce)
	l.lie(l.calls, used, nil)
	out := l.AEAD.Seal(dst, used, plaintext, aad)
	l.lie(l.calls, nil, out)
	l.calls++
	return out
}

// TestCheckFindsWhatIsWrong plants one wrong byte, a chunk under the nonce of
// another, and a lost mark, wherever the stream goes.
func TestCheckFindsWhatIsWrong(t *testing.T) {
	lies := map[string]func(call int, nonce, sealed []byte){
		"":                      func(int, []byte, []byte) {},
		"a byte of one chunk":   func(call int, _, sealed []byte) { flip(sealed, call == 300, 0) },
		"a tag of one chunk":    func(call int, _, sealed []byte) { flip(sealed, call == 511, len(sealed)-1) },
		"the number of a chunk": func(call int, nonce, _ []byte) { flip(nonce, call == 400, 10) },
		"the last chunk's mark": func(call int, nonce, _ []byte) { flip(nonce, call == 511, 11) },
		"every prefix":          func(_ int, nonce, _ []byte) { flip(nonce, true, 0) },
	}
	for name, lie := range lies {
		for _, file := range []bool{false, true} {
			s, v := material(t, Shape{Bytes: 2 << 20, Chunk: 4096, File: file})
			op := opened(t, s, v, &liar{AEAD: gcm(t, make([]byte, 32)), lie: lie})
			if err := op.Run(1); err != nil {
				t.Fatal(err)
			}
			if err := op.Check(); (err == nil) != (name == "") {
				t.Errorf("file %v, %q: %v", file, name, err)
			}
			if op.Check() == nil {
				t.Errorf("file %v, %q: a second Check passes", file, name)
			}
		}
	}
}

func flip(b []byte, yes bool, at int) {
	if yes && at >= 0 && at < len(b) {
		b[at] ^= 1
	}
}

// TestSinkGrowsAndIsCleared: what is written makes the file longer by as much, and
// nothing of it is left for the next sample, nor a name in the directory.
func TestSinkGrowsAndIsCleared(t *testing.T) {
	s, v := material(t, Shape{Bytes: 2 << 20, Chunk: 64 << 10, File: true})
	op := opened(t, s, v, gcm(t, make([]byte, 32)))
	size := func() int64 {
		info, err := op.sink.(*fileSink).file.Stat()
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	stream := int64(2<<20 + 32*16)
	for _, n := range []int{1, 2} {
		if err := op.Run(n); err != nil {
			t.Fatal(err)
		}
	}
	if size() != 3*stream {
		t.Errorf("three streams made a file of %d bytes, want %d", size(), 3*stream)
	}
	if err := op.Check(); err != nil {
		t.Error(err)
	}
	if err := op.Run(1); err != nil || size() != stream {
		t.Errorf("after a check a stream made a file of %d bytes, want %d: %v", size(), stream, err)
	}
	if err := op.Clear(); err != nil || size() != 0 {
		t.Errorf("cleared, the file has %d bytes: %v", size(), err)
	}
	dir := t.TempDir()
	another, err := open(s, v, gcm(t, make([]byte, 32)), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := another.Run(1); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("files with names: %v, %v", left, err)
	}
	if err := another.Close(); err != nil {
		t.Error(err)
	}
}

// TestStreamsDontAllocate: what a chunk allocates is what the library allocates in it.
func TestStreamsDontAllocate(t *testing.T) {
	for _, file := range []bool{false, true} {
		s, v := material(t, Shape{Bytes: 1 << 20, Chunk: 4096, File: file})
		op := opened(t, s, v, gcm(t, make([]byte, 32)))
		if n := testing.AllocsPerRun(10, func() { _ = op.Run(1) }); n > 1 {
			t.Errorf("file %v: %v allocations in 256 chunks", file, n)
		}
	}
}

func TestRecord(t *testing.T) {
	s, v := material(t, Shape{Bytes: 2 << 20, Chunk: 16 << 10})
	op := opened(t, s, v, gcm(t, make([]byte, 32)))
	if err := op.Run(2); err != nil {
		t.Fatal(err)
	}
	r, err := op.Record()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, m := range r.Metrics {
		got[m.Name] = m.Value
	}
	if got["chunk_latency_p50_ns"] <= 0 || got["chunk_latency_p99_ns"] < got["chunk_latency_p50_ns"] || got["first_byte_ns"] <= 0 {
		t.Errorf("latencies: %v", got)
	}
	if want := 1 + 16.0/(16<<10); got["written_per_byte"] != want {
		t.Errorf("%v bytes were written for one, want %v", got["written_per_byte"], want)
	}
	count := map[string]int64{}
	for _, h := range r.Histograms {
		for _, b := range h.Buckets {
			count[h.Name] += b[1]
		}
	}
	if count["chunk_latency"] != 256 || count["first_byte"] != 2 {
		t.Errorf("counted %v", count)
	}
	if memory, known := got["memory_beyond_baseline_bytes"]; known && memory < 16<<10 {
		t.Errorf("%v bytes of memory are less than a chunk", memory)
	}
	if again, err := op.Record(); err != nil || len(again.Histograms) != 0 {
		t.Errorf("recorded twice: %v, %v", again, err)
	}
	if err := op.Run(1); err != nil {
		t.Fatal(err)
	}
	few, v := material(t, Shape{Bytes: 1 << 20, Chunk: 64 << 10})
	op = opened(t, few, v, gcm(t, make([]byte, 32)))
	if err := op.Run(1); err != nil {
		t.Fatal(err)
	}
	if r, _ := op.Record(); slices.ContainsFunc(r.Metrics, func(m result.Metric) bool { return m.Name == "chunk_latency_p99_ns" }) {
		t.Error("16 chunks have a 99th percentile")
	}
}

// TestPackingRepeats: the frames of a text are the same whatever was packed before,
// since the expectation of a stream is packed elsewhere.
func TestPackingRepeats(t *testing.T) {
	for _, kind := range []parameter.Kind{parameter.Text, parameter.Records, parameter.Random, parameter.Zeros} {
		text := provider.Data(1, kind, 256<<10)
		for _, chunk := range []int{4096, 5000, 64 << 10, 256 << 10} {
			once, err := Packed(text, chunk)
			if err != nil {
				t.Fatal(err)
			}
			c, err := newCompressor(text[:chunk])
			if err != nil {
				t.Fatal(err)
			}
			c.pack(provider.Data(2, parameter.Text, 300_000))
			for i, frame := range once {
				part := text[i*chunk : min((i+1)*chunk, len(text))]
				if !bytes.Equal(c.pack(part), frame) {
					t.Fatalf("%s in chunks of %d: frame %d is another the second time", kind, chunk, i)
				}
				if len(frame) > len(part)+slackFor(Shape{Chunk: int64(chunk), Compress: true}) {
					t.Errorf("%s: %d bytes became %d", kind, len(part), len(frame))
				}
				if got, err := Unpacked(frame); err != nil || !bytes.Equal(got, part) {
					t.Fatalf("%s in chunks of %d: frame %d does not unpack: %v", kind, chunk, i, err)
				}
			}
		}
	}
}

func TestParametersAreRead(t *testing.T) {
	for _, s := range []Shape{
		{Chunk: 4096, Data: parameter.Random},
		{Chunk: 8 << 20, File: true, Data: parameter.Text},
		{Chunk: 65536, Compress: true, Data: parameter.Records},
	} {
		s.Bytes, s.Unit = UnitOf(s.Chunk), UnitOf(s.Chunk)
		got, err := ShapeOf(result.Case{Operation: algorithm.Stream, Bytes: s.Bytes, Parameters: s.Parameters()})
		if err != nil || got != s {
			t.Errorf("%s: %+v, %v", s.Parameters(), got, err)
		}
	}
}

// BenchmarkRecording is what the latency of a chunk costs: one reading of the clock
// and one of two counters. It is to stay below 80 ns.
func BenchmarkRecording(b *testing.B) {
	s, v := material(b, Shape{Bytes: 1 << 20, Chunk: 64 << 10})
	op := opened(b, s, v, gcm(b, make([]byte, 32)))
	b.ReportAllocs()
	began := clock.Wall()
	for b.Loop() {
		ended := clock.Wall()
		op.spent.latency.Record(time.Duration(ended - began))
		began = ended
	}
}

// TestStages: a chunk of every MiB is timed by stages, which together are no more than the stream took.
func TestStages(t *testing.T) {
	s, v := material(t, Shape{Bytes: 4 << 20, Chunk: 64 << 10})
	op := opened(t, s, v, gcm(t, make([]byte, 32)))
	if err := op.Run(2); err != nil {
		t.Fatal(err)
	}
	wall, all := op.spent.wall, int64(0)
	for _, ns := range op.laps.spent {
		all += ns
	}
	if op.laps.chunks != 8 || all <= 0 || all > wall {
		t.Errorf("%d chunks of 8 MiB were timed, %d ns in %d", op.laps.chunks, all, wall)
	}
	r, err := op.Record()
	if err != nil {
		t.Fatal(err)
	}
	stages := slices.DeleteFunc(r.Metrics, func(m result.Metric) bool { return !strings.HasPrefix(m.Name, "stage_") })
	if len(stages) != 3 || op.laps != (laps{}) {
		t.Errorf("stages of a stream without compression: %v", stages)
	}
}

// TestStageMetrics: a stage's metric is its mean, and compression has one where there is some.
func TestStageMetrics(t *testing.T) {
	for _, compresses := range []bool{false, true} {
		l, got := laps{spent: [stageCount]int64{2, 4, 6, 8}, chunks: 2}, map[string]float64{}
		l.metrics(func(name string, value float64, _ string) { got[name] = value }, Shape{Compress: compresses})
		want := map[string]float64{"stage_read_ns": 1, "stage_seal_ns": 3, "stage_write_ns": 4}
		if compresses {
			want["stage_compress_ns"] = 2
		}
		if !maps.Equal(got, want) {
			t.Errorf("compression %v: %v, want %v", compresses, got, want)
		}
	}
}
