package loop

import (
	"crypto/cipher"

	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// StreamFunc builds a key stream for one message: cipher.NewCTR.
type StreamFunc func(b cipher.Block, iv []byte) cipher.Stream

// NewStream is a mode that makes a key stream (CTR, CFB, OFB). The stream is
// built for each message, which is how Go sets an IV. One is built here as well,
// so that a library that refuses does so now.
func NewStream(b cipher.Block, stream StreamFunc, d Direction, v *provider.Vector) provider.Operation {
	stream(b, v.Nonce)
	in, want := d.sides(v)
	return &streamed{output: newOutput(want, 0), block: b, stream: stream, iv: v.Nonce, in: in}
}

type streamed struct {
	output
	block  cipher.Block
	stream StreamFunc
	iv, in []byte
}

func (o *streamed) Run(n int) error {
	o.ran = n > 0
	for range n {
		o.stream(o.block, o.iv).XORKeyStream(o.got, o.in)
	}
	return nil
}

func (o *streamed) Check() error { return o.check() }
func (o *streamed) Close() error { return nil }
func (o *streamed) Loop() string { return LoopStream }
