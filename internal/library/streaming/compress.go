package streaming

import "github.com/klauspost/compress/zstd"

// compressor makes one zstd frame of each chunk, on the calling goroutine. A chunk
// so stays what it is without compression: something that a reader can open and
// use by itself. One frame over all chunks would compress short ones better, and
// take every chunk before to read one.
type compressor struct {
	encoder *zstd.Encoder
	packed  []byte
}

// newCompressor has packed a sample chunk when it returns, since the encoder takes
// its memory then. There is no checksum in the frames: the tag is one.
func newCompressor(sample []byte) (*compressor, error) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault),
		zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	c := &compressor{encoder: encoder, packed: make([]byte, 0, len(sample)+slackFor(Shape{Chunk: int64(len(sample)), Compress: true}))}
	c.pack(sample)
	return c, nil
}

func (c *compressor) pack(chunk []byte) []byte {
	c.packed = c.encoder.EncodeAll(chunk, c.packed[:0])
	return c.packed
}

// Packed returns the frames of a text's chunks, as every stream makes them. The
// compressor is not under test; its frames are what is sealed.
func Packed(text []byte, chunk int) (frames [][]byte, err error) {
	c, err := newCompressor(text[:min(chunk, len(text))])
	if err != nil {
		return nil, err
	}
	for ; len(text) > 0; text = text[min(chunk, len(text)):] {
		frames = append(frames, append([]byte(nil), c.pack(text[:min(chunk, len(text))])...))
	}
	return frames, nil
}

func Unpacked(frame []byte) ([]byte, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	return decoder.DecodeAll(frame, nil)
}
