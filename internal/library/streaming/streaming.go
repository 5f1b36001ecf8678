// Package streaming is the timed loop of big files: data goes in chunks from a
// source through an AEAD, and where asked through zstd before it, into a sink.
//
//	streaming.go what a case asks for: chunk, source and sink, data, compression
//	stream.go    the operation, its latencies, its judgement and the memory that it takes
//	stages.go    how long each stage of a chunk takes
//	ends.go      sources and sinks, in memory and in files
//	compress.go  zstd, one frame a chunk
//
// # The laboratory's framing
//
// Each chunk is sealed on its own, so that a reader may use a chunk as soon as it
// has come. What binds the chunks to one another is the nonce, of 12 bytes:
//
//	prefix, 7 bytes, drawn for the stream ‖ number of the chunk, 4 bytes,
//	big-endian, from 0 ‖ 1 byte: 1 for the last chunk, else 0
//
// Chunks that were dropped, repeated, moved or taken from another stream under the
// key open under no nonce that the reader expects, and a stream that was cut short
// lacks the chunk with the mark. This is the construction STREAM of Hoang,
// Reyhanitabar, Rogaway and Vizár (CRYPTO 2015, section 7), as age and Tink have
// it too. It is the laboratory's framing and no standard, and what it writes is not
// meant to be kept.
//
// The number stands in the nonce alone. Additional data would bind it no better,
// and would cost a block of GHASH or Poly1305 a chunk, which is just what is
// measured here. Compressed chunks differ in length, so each is preceded by the
// length of its sealed form in 4 bytes, big-endian. A wrong length moves the
// borders of a chunk and so does not open.
//
// # What is timed
//
// A call streams the case's bytes as one stream: for each chunk one read into a
// buffer, compression where asked, sealing in place, one write. In memory the read
// and the write are copies, as with bytes.Reader and a buffer behind an io.Writer.
// Source, sink and expectation are held for one unit of the stream only, 1 MiB or a
// chunk where that is longer, so a stream of any length takes the same memory: the
// source is read again and again, and the sink in memory written over. A sink in a
// file grows by every byte that is written, and is emptied before the next sample.
package streaming

import (
	"crypto/cipher"
	"math"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/scratch"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

const (
	PrefixSize = 7
	LengthSize = 4 // before a compressed chunk
	nonceSize  = 12
)

const lastChunk = 1

// Open prepares a stream that a policy allows; nil allows all. The algorithm and the mode are the caller's to judge.
func Open(c result.Case, vs provider.Vectors, allowed func(result.Case) error,
	aead func(key []byte) (cipher.AEAD, error)) (provider.Operation, error) {
	shape, err := ShapeOf(c)
	if err != nil {
		return nil, err
	}
	v, err := provider.VectorOf(c, vs, allowed)
	if err != nil {
		return nil, err
	}
	a, err := aead(v.Key)
	if err != nil {
		return nil, err
	}
	return open(shape, v, a, provider.SettingOf(vs).Dir)
}

// Note says what a reader of a row must know: what the source and the sink are,
// and how the chunks are put together.
func Note(c result.Case, vs provider.Vectors) string {
	shape, err := ShapeOf(c)
	if err != nil {
		return ""
	}
	note := "source and sink in memory, each chunk copied once in and once out, both buffers 1 MiB (or one chunk, if longer) and reused"
	if shape.File {
		note = "source read from the page cache (warm), sink grown in the page cache and not synced, " +
			scratch.FileSystem(provider.SettingOf(vs).Dir)
	}
	if shape.Compress {
		note += "; zstd level 3, one frame a chunk, one goroutine"
	}
	return note + "; a nonce of prefix, chunk number and last-chunk mark (cryptogauge's own format)"
}

type Shape struct {
	Bytes    int64 // of one call: a whole stream
	Unit     int64 // after which source, memory sink and expectation begin again
	Chunk    int64
	File     bool // source and sink are files, else memory
	Compress bool
	Data     parameter.Kind // "": random, or the user's
}

const leastUnit = 1 << 20

// UnitOf is the least stream that is worth a sample: 1 MiB, in whole chunks.
func UnitOf(chunk int64) int64 { return (leastUnit + chunk - 1) / chunk * chunk }

// Parameters names a shape canonically, but for its bytes.
func (s Shape) Parameters() string {
	p := parameter.Join(parameter.Chunk.Is(s.Chunk), parameter.IO.Is(parameter.Memory))
	if s.File {
		p = parameter.With(p, parameter.IO.Is(parameter.File))
	}
	if s.Data != "" {
		p = parameter.With(p, parameter.Data.Is(s.Data), parameter.Compress.Is(parameter.Uncompressed))
	}
	if s.Compress {
		p = parameter.With(p, parameter.Compress.Is(parameter.Zstd))
	}
	return p
}

// ShapeOf reads a case. Without parameters it is chunks of 64 KiB in memory.
func ShapeOf(c result.Case) (Shape, error) {
	if c.Operation != algorithm.Stream {
		return Shape{}, provider.Absent("parameters", algorithm.Stream, "chunk=BYTES", c.Parameters)
	}
	p := c.Parameters
	if beyond := parameter.Beyond(p, parameter.Chunk, parameter.IO, parameter.Data, parameter.Compress); beyond != "" {
		return Shape{}, provider.Absent("parameters", algorithm.Stream, "chunk=BYTES", beyond)
	}
	s := Shape{Bytes: c.Bytes, Chunk: 64 << 10, File: parameter.IO.In(p) == parameter.File,
		Compress: parameter.Compress.In(p) == parameter.Zstd, Data: parameter.Data.In(p)}
	if parameter.Chunk.Has(p) {
		s.Chunk = parameter.Chunk.In(p)
	}
	if s.Chunk < parameter.MinChunk || s.Chunk > parameter.MaxChunk {
		return s, provider.Unsupported("chunk-bytes", s.Chunk, parameter.MinChunk, parameter.MaxChunk)
	}
	s.Unit = min(UnitOf(s.Chunk), s.Bytes)
	switch {
	case s.Bytes < 1 || s.Bytes%s.Unit != 0:
		return s, provider.Unsupported("stream-bytes", s.Bytes, s.Chunk, UnitOf(s.Chunk))
	case s.Bytes/s.Chunk > math.MaxUint32:
		return s, provider.Unsupported("stream-chunks", s.Bytes/s.Chunk)
	}
	return s, nil
}

func (s Shape) LastUnit() uint32 { return uint32((s.Bytes - s.Unit) / s.Chunk) }

// RoomFor is how many bytes of files a case needs while it is open.
func RoomFor(s Shape) int64 {
	if !s.File {
		return 0
	}
	const tag, block = 16, 4096
	chunks := s.Bytes/s.Chunk + 1
	return s.Unit + s.Bytes + chunks*int64(tag+LengthSize) + 2*block
}
