package judge

import (
	"bytes"
	"crypto/cipher"
	"encoding/binary"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/result"
)

// A stream is judged by its last unit, a megabyte or a chunk where that is longer.
// The judge puts the framing together on its own, from what package streaming says
// of it, and seals every chunk: ChaCha20-Poly1305 with the reference; GCM, of which
// the reference would take most of a short run's time, with crypto/cipher's generic
// code around single blocks, which shares no kernel with what is measured, and then
// the reference judges chunks of that (see proveChunk).

// streamed returns the key of a stream in the memo. Memory and files have the same.
func streamed(c result.Case) (result.Case, error) {
	shape, err := streaming.ShapeOf(c)
	if err != nil {
		return c, err
	}
	if c.Algorithm != algorithm.ChaCha20Poly1305 && c.Mode != algorithm.GCM || algorithm.Of(c.Algorithm).Key == 0 {
		return c, provider.Unsupported("no-judge", c.Name())
	}
	shape.File = false
	c.Parameters = shape.Parameters()
	return c, nil
}

// lastUnit seals the chunks of the last unit, one after the other; seal appends one, the
// i-th of n.
func lastUnit(key result.Case, v *provider.Vector,
	seal func(dst, nonce, chunk []byte, i, n int) ([]byte, error)) (out []byte, err error) {
	shape, _ := streaming.ShapeOf(key)
	chunks := slices.Collect(slices.Chunk(v.Plaintext, int(shape.Chunk)))
	if shape.Compress {
		if chunks, err = streaming.Packed(v.Plaintext, int(shape.Chunk)); err != nil {
			return nil, err
		}
	}
	out = make([]byte, 0, len(v.Plaintext)+len(chunks)*(algorithm.TagBytes+streaming.LengthSize+64))
	for i, chunk := range chunks {
		nonce := append(binary.BigEndian.AppendUint32(slices.Clone(v.Nonce), shape.LastUnit()+uint32(i)), 0)
		if i == len(chunks)-1 {
			nonce[len(nonce)-1] = 1
		}
		if shape.Compress {
			out = binary.BigEndian.AppendUint32(out, uint32(len(chunk)+algorithm.TagBytes))
		}
		if out, err = seal(out, nonce, chunk, i, len(chunks)); err != nil {
			return nil, reason.New("chunk", i, len(chunks), err)
		}
	}
	return out, nil
}

func candidateStream(key result.Case, v *provider.Vector) ([]byte, error) {
	a, err := fastAEAD(key.Algorithm, v.Key)
	if err != nil {
		return nil, err
	}
	return lastUnit(key, v, func(dst, nonce, chunk []byte, _, _ int) ([]byte, error) {
		return a.Seal(dst, nonce, chunk, nil), nil
	})
}

func judgedStream(key result.Case, v *provider.Vector) ([]byte, error) {
	if shape, _ := streaming.ShapeOf(key); shape.Compress {
		if err := unpacks(v.Plaintext, int(shape.Chunk)); err != nil {
			return nil, err
		}
	}
	if key.Algorithm == algorithm.ChaCha20Poly1305 {
		return lastUnit(key, v, func(dst, nonce, chunk []byte, _, _ int) ([]byte, error) {
			sealed, err := reference.SealChaCha20Poly1305(v.Key, nonce, chunk, nil)
			return append(dst, sealed...), err
		})
	}
	b, err := fastBlock(key.Algorithm, v.Key)
	if err != nil {
		return nil, err
	}
	second, err := cipher.NewGCM(single{b})
	if err != nil {
		return nil, err
	}
	judge, err := referenceBlock(key.Algorithm, v.Key)
	if err != nil {
		return nil, err
	}
	return lastUnit(key, v, func(dst, nonce, chunk []byte, i, n int) ([]byte, error) {
		out := second.Seal(dst, nonce, chunk, nil)
		if i < 2 || i == n/2 || i == n-1 {
			return out, proveChunk(judge, nonce, chunk, out[len(dst):])
		}
		return out, nil
	})
}

// single hides a library's own GCM, so that crypto/cipher's generic one is used.
type single struct{ cipher.Block }

const (
	// Whole is the longest text that the reference seals or opens as a whole; it does
	// some 25 MB a second.
	Whole = 64 << 10
	// sampled is how much of a longer one it encrypts, at each of some places.
	sampled = 4 << 10
)

func proveChunk(b reference.Block, nonce, chunk, sealed []byte) error {
	same := len(chunk) <= Whole && bytes.Equal(sealed, reference.SealGCM(b, nonce, chunk, nil))
	if len(chunk) > Whole {
		_, same = sample(b, nonce, chunk, sealed, 3)
	}
	if !same {
		return reason.New("second-gcm")
	}
	return nil
}

// sample holds a sealed text against the reference at the beginnings of so many parts
// and at its end, and says where it differs.
func sample(b reference.Block, nonce, plaintext, sealed []byte, parts int) (at int, same bool) {
	blocks := len(plaintext) / reference.BlockSize
	for part := range parts + 1 {
		block := min(part*blocks/parts, blocks-sampled/reference.BlockSize)
		// GCM encrypts from the counter 2 on (NIST SP 800-38D §7.1).
		counter := binary.BigEndian.AppendUint32(slices.Clone(nonce), uint32(block)+2)
		at = block * reference.BlockSize
		if !bytes.Equal(sealed[at:at+sampled], reference.CTR(b, counter, plaintext[at:at+sampled])) {
			return at, false
		}
	}
	return 0, true
}

func unpacks(text []byte, chunk int) error {
	frames, err := streaming.Packed(text, chunk)
	if err != nil {
		return err
	}
	for i, frame := range frames {
		part := text[i*chunk : min((i+1)*chunk, len(text))]
		if got, err := streaming.Unpacked(frame); err != nil || !bytes.Equal(got, part) {
			return reason.New("zstd", i, err)
		}
	}
	return nil
}
