package streaming

import (
	"math"
	"slices"
	"strconv"

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
	Data     provider.Kind
}

// The sizes that a chunk may have, in bytes.
const (
	MinChunk     = 1 << 10
	MaxChunk     = 64 << 20
	defaultChunk = 64 << 10
	leastUnit    = 1 << 20
)

// UnitOf is the least stream that is worth a sample: 1 MiB, in whole chunks.
func UnitOf(chunk int64) int64 { return (leastUnit + chunk - 1) / chunk * chunk }

// Parameters names a shape canonically, but for its bytes. Plain random data is
// what is meant where nothing is said.
func (s Shape) Parameters() string {
	p := result.Parameters{"chunk": strconv.FormatInt(s.Chunk, 10), "io": "memory"}
	if s.File {
		p["io"] = "file"
	}
	if s.Data != "" {
		p["data"], p["compress"] = string(s.Data), "none"
	}
	if s.Compress {
		p["compress"] = "zstd"
	}
	return p.String()
}

// ShapeOf reads a case. Without parameters it is chunks of 64 KiB in memory.
func ShapeOf(c result.Case) (Shape, error) {
	p, err := result.ParseParameters(c.Parameters)
	if c.Operation != Operation || err != nil {
		return Shape{}, provider.Absent("parameters", Operation, "chunk=BYTES", c.Parameters)
	}
	s := Shape{Bytes: c.Bytes, Chunk: defaultChunk, Data: provider.Random}
	for key, value := range p {
		ok := false
		switch key {
		case "chunk":
			s.Chunk, err = strconv.ParseInt(value, 10, 64)
			ok = err == nil && strconv.FormatInt(s.Chunk, 10) == value
		case "io":
			s.File = value == "file"
			ok = s.File || value == "memory"
		case "compress":
			s.Compress = value == "zstd"
			ok = s.Compress || value == "none"
		case "data":
			s.Data = provider.Kind(value)
			ok = slices.Contains(provider.Kinds(), s.Data) && s.Data != provider.Bitmap
		}
		if !ok {
			return Shape{}, provider.Absent("parameters", Operation, "chunk=BYTES", key+"="+value)
		}
	}
	return s, s.bound()
}

// bound refuses what can't be streamed, and sets the unit.
func (s *Shape) bound() error {
	if s.Chunk < MinChunk || s.Chunk > MaxChunk {
		return provider.Unsupported("chunk-bytes", s.Chunk, MinChunk, MaxChunk)
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
