//go:build linux && (amd64 || arm64)

package botan

import (
	"cmp"
	"crypto/subtle"
	"encoding/binary"
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// newBlockCipher makes a keyed botan_block_cipher_t.
func newBlockCipher(s *cbinding.Session, name algorithm.Name, key []byte) uintptr {
	b := s.Make("botan_block_cipher_destroy", "botan_block_cipher_init", s.Text(name))
	s.Do("botan_block_cipher_set_key", b, s.Bytes(key), uintptr(len(key)))
	return b
}

func cryptBlocks(p *cbinding.Program, b uintptr, d loop.Direction, in, out []byte) {
	name := "botan_block_cipher_encrypt_blocks"
	if d == loop.Decrypt {
		name = "botan_block_cipher_decrypt_blocks"
	}
	p.Add(name, b, call.Bytes(in), call.Bytes(out), uintptr(len(in)/blockSize))
}

// openBlocks opens ECB, which in Botan is its block function, and a single block.
func openBlocks(s *cbinding.Session, m mode, h pattern, v *provider.Vector) (provider.Operation, error) {
	size := len(v.Plaintext)
	if size%blockSize != 0 { // it takes a number of blocks, and can't be given a part of one
		return nil, provider.Unsupported("whole-blocks", m.algorithm, blockSize, size)
	}
	if h.call > 0 && h.way == parameter.Blocks {
		if size = h.call / blockSize * blockSize; size == 0 {
			return nil, provider.Absent("block-over-call", blockSize, h.call)
		}
	}
	b := newBlockCipher(s, m.algorithm, v.Key)
	return s.Messages(m.algorithm, m.direction, v, 0, 0, s.InOrder(func(p *cbinding.Program, msg cbinding.Message) {
		for at := 0; at < len(msg.In); at += size {
			end := min(at+size, len(msg.In))
			cryptBlocks(p, b, m.direction, msg.In[at:end], msg.Out[at:end])
		}
	}))
}

// openSchedule sets the key of a block cipher again and again, both ways' schedules
// at once. Check proves that the object encrypts, and takes the key away.
func openSchedule(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	b, out := newBlockCipher(s, c.Algorithm, v.Key), s.RoomLike(v.Plaintext, len(v.Plaintext))
	p, proof := s.Program(), s.Program()
	p.Add("botan_block_cipher_set_key", b, s.Bytes(v.Key), uintptr(len(v.Key)))
	cryptBlocks(proof, b, loop.Encrypt, v.Plaintext, out)
	proof.Add("botan_block_cipher_clear", b)
	return p.Operation(c.Name(), loop.Foreign{Accept: func([]byte) error {
		if err := cmp.Or(proof.Times(1), s.Outputs.Check()); err != nil {
			return err
		}
		right := string(out) == string(v.Ciphertext)
		if clear(out); !right {
			return reason.New("last-wrong")
		}
		return nil
	}})
}

// window is how much key stream is made at a time: enough that the price of a call
// is spread over many blocks, and counters, stream, input and output stay in the
// first cache.
const window = 4 << 10

// counterMode is CTR (SP 800-38A §6.5) around Botan's block function: counters of 16
// bytes, big-endian, which wrap at 2^128 as Botan's own do.
type counterMode struct {
	*cbinding.Program // encrypts counters into stream, as many blocks as its argument says
	counters          []byte
	stream            []byte
	unused            []byte // the end of the stream that was made last
	hi, lo            uint64 // the next counter
	filled            uint64 // the upper half that stands in all counters
	fresh             bool   // filled is not true yet
}

func (c *counterMode) start(iv []byte) {
	c.hi, c.lo = binary.BigEndian.Uint64(iv), binary.BigEndian.Uint64(iv[8:])
	c.unused = nil
}

func (c *counterMode) xor(out, in []byte) error {
	if len(c.unused) > 0 {
		n := subtle.XORBytes(out, in, c.unused)
		c.unused, out, in = c.unused[n:], out[n:], in[n:]
	}
	for len(in) > 0 {
		blocks := min(window, len(in)+blockSize-1) / blockSize
		c.count(blocks)
		c.Calls[0].Args[3] = uintptr(blocks)
		if err := c.Path.Run(c.Calls, 1); err != nil {
			return c.Explain(c.Calls, err)
		}
		made := c.stream[:blocks*blockSize]
		n := subtle.XORBytes(out, in, made)
		c.unused, out, in = made[n:], out[n:], in[n:]
	}
	return nil
}

// count writes the next counters. The upper half seldom changes, and stands there
// from the time before.
func (c *counterMode) count(blocks int) {
	lo, at := c.lo, c.counters[:blocks*blockSize]
	if c.fresh || c.hi != c.filled || lo+uint64(blocks) < lo {
		c.countBoth(at)
		return
	}
	for ; len(at) >= blockSize; at = at[blockSize:] {
		binary.BigEndian.PutUint64(at[8:], lo)
		lo++
	}
	c.lo = lo
}

// countBoth writes both halves, of all counters that there is room for where the
// upper is the same in all.
func (c *counterMode) countBoth(at []byte) {
	c.filled, c.fresh = c.hi, c.lo+uint64(len(at)/blockSize) < c.lo
	if !c.fresh {
		for i := len(at); i < len(c.counters); i += blockSize {
			binary.BigEndian.PutUint64(c.counters[i:], c.hi)
		}
	}
	for ; len(at) >= blockSize; at = at[blockSize:] {
		binary.BigEndian.PutUint64(at, c.hi)
		binary.BigEndian.PutUint64(at[8:], c.lo)
		if c.lo++; c.lo == 0 {
			c.hi++
		}
	}
}

// bypass hands messages over in pieces of h.call bytes to CTR by the caller: in Go,
// and in C where the loop is.
func (k *cipher) bypass(w cbinding.Work, h pattern) (run func(n int) error, err error) {
	if k.block == 0 {
		k.block = newBlockCipher(k.Session, k.algorithm, k.key)
	}
	if k.Err != nil {
		return nil, k.Err
	}
	if k.Path.InC() {
		return k.bypassInC(w, h)
	}
	c := &counterMode{Program: k.Program(), counters: make([]byte, window), stream: k.Room(window), fresh: true}
	cryptBlocks(c.Program, k.block, loop.Encrypt, c.counters, c.stream)
	return func(n int) error {
		for range n {
			for _, i := range w.Sequence {
				m := &w.Messages[i]
				c.start(m.Nonce)
				size := h.size(m)
				for at := 0; at < len(m.In); at += size {
					end := min(at+size, len(m.In))
					if err := c.xor(m.Out[at:end], m.In[at:end]); err != nil {
						return err
					}
				}
			}
		}
		runtime.KeepAlive(c)
		return nil
	}, nil
}
