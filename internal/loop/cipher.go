package loop

import (
	"cmp"
	"crypto/cipher"
	"hash"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

type Direction int

const (
	Encrypt Direction = iota
	Decrypt
)

func DirectionOf(operation string) (Direction, error) {
	switch operation {
	case algorithm.Encrypt:
		return Encrypt, nil
	case algorithm.Decrypt:
		return Decrypt, nil
	}
	return 0, provider.Absent("parameters", "operation", "encrypt|decrypt", operation)
}

// operation is one in a direction, and what it is given.
func (d Direction) operation(loop string, v *provider.Vector) (o *timed, in []byte) {
	if d == Decrypt {
		return compared(loop, v.Plaintext), v.Ciphertext
	}
	return compared(loop, v.Ciphertext), v.Plaintext
}

// NewBlockLoop is ECB as a library without ECB has it: one call of the block
// cipher for each block, in order.
func NewBlockLoop(b cipher.Block, d Direction, v *provider.Vector) provider.Operation {
	o, in := d.operation(algorithm.BlockLoop, v)
	each := b.Encrypt
	if d == Decrypt {
		each = b.Decrypt
	}
	if whole := len(in) / b.BlockSize() * b.BlockSize(); whole < len(in) { // it is for the library to refuse the rest
		o.run = func(int) error {
			each(o.got[whole:], in[whole:])
			return nil
		}
		return o
	}
	o.run = func(n int) error {
		size, dst, src := b.BlockSize(), o.got, in
		each := each          // as a variable of its own it is called as fast as before
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
	return o
}

// NewBulk is a mode without an IV (ECB) over whole messages: the mode is built
// once, since nothing about it belongs to a message.
func NewBulk(mode cipher.BlockMode, d Direction, v *provider.Vector) provider.Operation {
	o, in := d.operation(algorithm.BulkLoop, v)
	o.run = func(n int) error {
		for range n {
			mode.CryptBlocks(o.got, in)
		}
		return nil
	}
	return o
}

// NewBlockMode is a chained mode (CBC). The mode is built for each message,
// which is how Go sets an IV. One is built here as well, so that a library that
// refuses does so now.
func NewBlockMode(b cipher.Block, mode func(b cipher.Block, iv []byte) cipher.BlockMode,
	d Direction, v *provider.Vector) provider.Operation {
	mode(b, v.Nonce)
	o, in := d.operation(algorithm.BlockModeLoop, v)
	o.run = func(n int) error {
		for range n {
			mode(b, v.Nonce).CryptBlocks(o.got, in)
		}
		return nil
	}
	return o
}

// NewStream is a mode that makes a key stream (CTR, CFB, OFB), built like NewBlockMode's.
func NewStream(b cipher.Block, stream func(b cipher.Block, iv []byte) cipher.Stream,
	d Direction, v *provider.Vector) provider.Operation {
	stream(b, v.Nonce)
	o, in := d.operation(algorithm.StreamLoop, v)
	o.run = func(n int) error {
		for range n {
			stream(b, v.Nonce).XORKeyStream(o.got, in)
		}
		return nil
	}
	return o
}

// NewSchedule schedules the vector's key, again and again. Check proves that the
// cipher that was made last encrypts and decrypts rightly.
func NewSchedule(schedule func(key []byte) (cipher.Block, error), v *provider.Vector) provider.Operation {
	return accepted(algorithm.ScheduleLoop, schedule, v.Key, func(b cipher.Block) error {
		return worksBothWays("scheduled-key", func(d Direction) provider.Operation { return NewBlockLoop(b, d, v) })
	})
}

// worksBothWays proves that a cipher encrypts and decrypts rightly; a code says which it is.
func worksBothWays(code string, open func(Direction) provider.Operation) error {
	for _, d := range []Direction{Encrypt, Decrypt} {
		o := open(d)
		if err := cmp.Or(o.Run(1), o.Check()); err != nil {
			return reason.New(code, err)
		}
	}
	return nil
}

// NewHash digests whole messages into an owned buffer: the state is reset, the
// message written, the sum appended. What a keyed hash makes of its key is made
// outside the loop. One-shot functions would spare a little and can't be keyed,
// so this is the contract for all.
func NewHash(h hash.Hash, v *provider.Vector) provider.Operation {
	o := compared(algorithm.HashLoop, v.Digest)
	o.run = func(n int) error {
		for range n {
			h.Reset()
			h.Write(v.Plaintext)
			o.got = h.Sum(o.got[:0])
		}
		return nil
	}
	return o
}

// NewDraw fills a buffer of the plaintext's length with random bytes, which the vector's Accept judges.
func NewDraw(read func([]byte) (int, error), v *provider.Vector) provider.Operation {
	drawn := provider.PlacedLike(v.Plaintext, len(v.Plaintext), len(v.Plaintext))
	o := &timed{loop: algorithm.DrawLoop}
	o.run = func(n int) error {
		for range n {
			if _, err := read(drawn); err != nil {
				return err
			}
		}
		return nil
	}
	o.judge = func() error {
		defer clear(drawn) // so that what nobody fills is found
		return v.Accept(drawn)
	}
	return o
}

// NewDerive derives the vector's Secret from its key, with its nonce as salt and
// its additional data as info, into a buffer of the library's own.
func NewDerive(derive func(secret, salt, info []byte, n int) ([]byte, error), v *provider.Vector) provider.Operation {
	o := compared(algorithm.DeriveLoop, v.Secret)
	o.run = calls(&o.got, func(key []byte) ([]byte, error) {
		return derive(key, v.Nonce, v.AAD, len(v.Secret))
	}, v.Key, asItIs)
	return o
}
