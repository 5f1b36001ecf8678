package loop

import (
	"crypto/cipher"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// Direction says which way a cipher runs.
type Direction int

// The two directions.
const (
	Encrypt Direction = iota
	Decrypt
)

// DirectionOf reads a case's operation, "encrypt" or "decrypt".
func DirectionOf(operation string) (Direction, error) {
	switch operation {
	case algorithm.Encrypt:
		return Encrypt, nil
	case algorithm.Decrypt:
		return Decrypt, nil
	}
	return 0, provider.Absent("parameters", "operation", "encrypt|decrypt", operation)
}

// sides gives what goes in and what must come out.
func (d Direction) sides(v *provider.Vector) (in, want []byte) {
	if d == Decrypt {
		return v.Ciphertext, v.Plaintext
	}
	return v.Plaintext, v.Ciphertext
}

// NewBlockLoop is ECB as a library without ECB has it: one call of the block
// cipher for each block, in order.
func NewBlockLoop(b cipher.Block, d Direction, v *provider.Vector) provider.Operation {
	in, want := d.sides(v)
	return &blockLoop{output: newOutput(want, 0), block: b, direction: d, in: in}
}

type blockLoop struct {
	output
	block     cipher.Block
	direction Direction
	in        []byte
}

func (o *blockLoop) Run(n int) error {
	o.ran = n > 0
	size, dst, src := o.block.BlockSize(), o.got, o.in
	each := o.block.Encrypt
	if o.direction == Decrypt {
		each = o.block.Decrypt
	}
	if len(src) == size { // a block takes ten nanoseconds: no loop within the loop
		for range n {
			each(dst, src)
		}
		return nil
	}
	for range n {
		for at := 0; at+size <= len(src); at += size {
			each(dst[at:], src[at:])
		}
	}
	return nil
}

func (o *blockLoop) Check() error { return o.check() }
func (o *blockLoop) Close() error { return nil }
func (o *blockLoop) Loop() string { return LoopBlock }

// NewBulk is a mode without an IV (ECB) over whole messages: the mode is built
// once, since nothing about it belongs to a message.
func NewBulk(mode cipher.BlockMode, d Direction, v *provider.Vector) provider.Operation {
	in, want := d.sides(v)
	return &bulk{output: newOutput(want, 0), mode: mode, in: in}
}

type bulk struct {
	output
	mode cipher.BlockMode
	in   []byte
}

func (o *bulk) Run(n int) error {
	o.ran = n > 0
	for range n {
		o.mode.CryptBlocks(o.got, o.in)
	}
	return nil
}

func (o *bulk) Check() error { return o.check() }
func (o *bulk) Close() error { return nil }
func (o *bulk) Loop() string { return LoopBulk }

// BlockModeFunc builds a mode for one message: cipher.NewCBCEncrypter.
type BlockModeFunc func(b cipher.Block, iv []byte) cipher.BlockMode

// NewBlockMode is a chained mode (CBC). The mode is built for each message,
// which is how Go sets an IV. One is built here as well, so that a library that
// refuses does so now.
func NewBlockMode(b cipher.Block, mode BlockModeFunc, d Direction, v *provider.Vector) provider.Operation {
	mode(b, v.Nonce)
	in, want := d.sides(v)
	return &blockMode{output: newOutput(want, 0), block: b, mode: mode, iv: v.Nonce, in: in}
}

type blockMode struct {
	output
	block  cipher.Block
	mode   BlockModeFunc
	iv, in []byte
}

func (o *blockMode) Run(n int) error {
	o.ran = n > 0
	for range n {
		o.mode(o.block, o.iv).CryptBlocks(o.got, o.in)
	}
	return nil
}

func (o *blockMode) Check() error { return o.check() }
func (o *blockMode) Close() error { return nil }
func (o *blockMode) Loop() string { return LoopBlockMode }
