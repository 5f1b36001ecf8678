package multibuffer

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/subtle"
	"encoding"
	"encoding/binary"
	"hash"
	"io"
	"sync"

	"github.com/emmansun/gmsm/sm3"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/multibuffer"
)

// pieceSizes are how much of a message the libraries are given at a time. Their assembly can be preempted
// only where it begins; so much takes 5 to 20 µs.
var pieceSizes = [...]int{kernel.MD5: 8 << 10, kernel.SM3: 4 << 10, kernel.SHA256: 8 << 10, kernel.SHA1: 8 << 10}

// sumSerial hashes one message by the library that has the function.
func sumSerial(f kernel.Hash, digest, message []byte) {
	if len(message) > pieceSizes[f] {
		s := successorFor(f)
		defer s.giveBack(f)
		s.write(message)
		s.sum(digest)
		return
	}
	switch f {
	case kernel.MD5:
		d := md5.Sum(message)
		copy(digest, d[:])
	case kernel.SM3:
		d := sm3.Sum(message)
		copy(digest, d[:])
	case kernel.SHA256:
		d := sha256.Sum256(message)
		copy(digest, d[:])
	case kernel.SHA1:
		d := sha1.Sum(message)
		copy(digest, d[:])
	}
}

// sumContext is sumSerial until a context ends, whose error it returns.
func sumContext(ctx context.Context, f kernel.Hash, digest, message []byte) error {
	if ctx.Done() == nil || len(message) <= pieceSizes[f] {
		sumSerial(f, digest, message)
		return nil
	}
	s := successorFor(f)
	defer s.giveBack(f)
	for ; len(message) > s.piece; message = message[s.piece:] {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.hash.Write(message[:s.piece])
	}
	s.hash.Write(message)
	s.sum(digest)
	return nil
}

// A successor is a library's hash that goes on with a message that has left the lanes. The libraries'
// hashes are set by their saved form: a name of 4 bytes, the words of the state, a block that isn't
// full, and how many bytes have been hashed.
type successor struct {
	hash   hash.Hash
	setter encoding.BinaryUnmarshaler // the hash
	piece  int
	able   bool // the saved form is what it was when this was written
	saved  []byte
	buffer [4096]byte // for readers and for digests
	used   int        // bytes of the buffer that may hold something
}

var successors = [...]sync.Pool{
	kernel.MD5:    {New: func() any { return newSuccessor(kernel.MD5, md5.New()) }},
	kernel.SM3:    {New: func() any { return newSuccessor(kernel.SM3, sm3.New()) }},
	kernel.SHA256: {New: func() any { return newSuccessor(kernel.SHA256, sha256.New()) }},
	kernel.SHA1:   {New: func() any { return newSuccessor(kernel.SHA1, sha1.New()) }},
}

func newSuccessor(f kernel.Hash, h hash.Hash) *successor {
	s := &successor{hash: h, piece: pieceSizes[f]}
	m, ok := h.(interface {
		encoding.BinaryMarshaler
		encoding.BinaryUnmarshaler
	})
	if !ok {
		return s
	}
	saved, err := m.MarshalBinary()
	if err != nil || len(saved) != 4+4*f.Words()+kernel.BlockSize+8 {
		return s
	}
	for w := range f.Words() {
		if binary.BigEndian.Uint32(saved[4+4*w:]) != f.Initial(w) {
			return s
		}
	}
	clear(saved[4:])
	s.setter, s.saved, s.able = m, saved, true
	return s
}

// successorFor takes a successor out of the pool, in the state of a new message.
func successorFor(f kernel.Hash) *successor { return successors[f].Get().(*successor) }

// settable says whether a library's hash can be set to a state.
func settable(f kernel.Hash) bool {
	s := successorFor(f)
	defer s.giveBack(f)
	return s.able
}

// giveBack leaves nothing of a message in the pool. Deferred, it does so after a reader's panic and
// runtime.Goexit too.
func (s *successor) giveBack(f kernel.Hash) {
	s.hash.Reset()
	clear(s.buffer[:s.used])
	s.used = 0
	if s.able {
		clear(s.saved[4:])
	}
	successors[f].Put(s)
}

// takeOver sets s to the state of a lane whose message has had n bytes, whole blocks.
func (s *successor) takeOver(k kernel.Kernel, f kernel.Hash, l *kernel.Lanes, lane int, n uint64) {
	var state [8]uint32
	for w := range f.Words() {
		state[w] = l.Word(k, f, lane, w)
	}
	s.restore(state[:f.Words()], n)
}

// restore sets s to a state after n bytes, whole blocks.
func (s *successor) restore(state []uint32, n uint64) {
	to := s.saved[4:][:4*len(state)]
	for w, v := range state {
		binary.BigEndian.PutUint32(to[4*w:][:4], v)
	}
	binary.BigEndian.PutUint64(s.saved[len(s.saved)-8:], n)
	if err := s.setter.UnmarshalBinary(s.saved); err != nil {
		panic("multibuffer: internal error: " + err.Error())
	}
}

// save reads the state after whole blocks.
func (s *successor) save(state *[8]uint32) {
	saved, err := s.hash.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		panic("multibuffer: internal error: " + err.Error())
	}
	for w := range state {
		state[w] = binary.BigEndian.Uint32(saved[4+4*w:])
	}
	clear(saved)
}

// begin sets s to the state after a key's block.
func (s *successor) begin(m *HMAC, p pad) {
	if s.able {
		s.restore(m.states[p][:], kernel.BlockSize)
		return
	}
	s.used = max(s.used, kernel.BlockSize)
	subtle.XORBytes(s.buffer[:], m.block[:], pads[p][:])
	s.hash.Reset()
	s.hash.Write(s.buffer[:kernel.BlockSize])
}

// mac writes the MAC of a message.
func (s *successor) mac(m *HMAC, mac, message []byte) {
	s.begin(m, inner)
	s.write(message)
	s.finish(m, mac, s.hash.Sum(s.buffer[:0]))
}

// finish writes the MAC of a message that has a digest.
func (s *successor) finish(m *HMAC, mac, digest []byte) {
	var own [macSize]byte
	copy(own[:], digest)
	s.begin(m, outer)
	s.used = max(s.used, copy(s.buffer[:], own[:]))
	s.hash.Write(s.buffer[:macSize])
	copy(mac, s.hash.Sum(s.buffer[:0]))
}

// write hashes more bytes.
func (s *successor) write(p []byte) {
	for len(p) > s.piece {
		s.hash.Write(p[:s.piece])
		p = p[s.piece:]
	}
	s.hash.Write(p)
}

// readAll hashes what comes from r and writes the digest, unless r fails.
func (s *successor) readAll(digest []byte, r io.Reader) error {
	s.used = len(s.buffer)
	for {
		n, err := readSome(r, s.buffer[:])
		s.hash.Write(s.buffer[:n])
		switch err {
		case nil:
		case io.EOF:
			s.sum(digest)
			return nil
		default:
			s.hash.Reset()
			return err
		}
	}
}

// sum writes the digest, and is ready for another message.
func (s *successor) sum(digest []byte) {
	s.used = max(s.used, len(digest))
	copy(digest, s.hash.Sum(s.buffer[:0]))
	s.hash.Reset()
}
