package streaming

import (
	"cmp"
	"math"

	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Shape is what a case asks for.
type Shape struct {
	Bytes    int64 // of one call: a whole stream
	Unit     int64 // after which source, memory sink and expectation begin again
	Chunk    int64
	File     bool // source and sink are files, else memory
	Compress bool
	Data     parameter.Kind
}

const (
	defaultChunk = 64 << 10
	leastUnit    = 1 << 20
)

// UnitOf is the least stream that is worth a sample: 1 MiB, in whole chunks.
func UnitOf(chunk int64) int64 { return (leastUnit + chunk - 1) / chunk * chunk }

// Parameters names a shape canonically, but for its bytes. Plain random data is
// what is meant where nothing is said.
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
	if c.Operation != Operation {
		return Shape{}, provider.Absent("parameters", Operation, "chunk=BYTES", c.Parameters)
	}
	p := c.Parameters
	if beyond := parameter.Beyond(p, parameter.Chunk, parameter.IO, parameter.Data, parameter.Compress); beyond != "" {
		return Shape{}, provider.Absent("parameters", Operation, "chunk=BYTES", beyond)
	}
	s := Shape{Bytes: c.Bytes, Chunk: defaultChunk, File: parameter.IO.In(p) == parameter.File,
		Compress: parameter.Compress.In(p) == parameter.Zstd, Data: cmp.Or(parameter.Data.In(p), parameter.Random)}
	if parameter.Chunk.Has(p) {
		s.Chunk = parameter.Chunk.In(p)
	}
	return s, s.bound()
}

// bound refuses what can't be streamed, and sets the unit.
func (s *Shape) bound() error {
	if s.Chunk < parameter.MinChunk || s.Chunk > parameter.MaxChunk {
		return provider.Unsupported("chunk-bytes", s.Chunk, parameter.MinChunk, parameter.MaxChunk)
	}
	s.Unit = UnitOf(s.Chunk)
	if s.Bytes <= s.Unit {
		s.Unit = s.Bytes
	}
	switch {
	case s.Bytes < 1 || s.Bytes%s.Unit != 0:
		return provider.Unsupported("stream-bytes", s.Bytes, s.Chunk, UnitOf(s.Chunk))
	case s.Bytes/s.Chunk > math.MaxUint32:
		return provider.Unsupported("stream-chunks", s.Bytes/s.Chunk)
	}
	return nil
}

// LastUnit is the number of the first chunk of the stream's last unit.
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
