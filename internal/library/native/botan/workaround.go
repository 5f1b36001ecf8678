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

// pattern is how a message is handed over: in calls of at most so many bytes, 0 for all
// at once, by a way.
type pattern struct {
	call int
	way  parameter.Manner
}

func (h pattern) size(m *cbinding.Message) int { return cmp.Or(h.call, max(1, len(m.In))) }

const coalesced parameter.Manner = "coalesced"

// workaround is what a caller can do about an update that cuts its data into small
// pieces. None is offered on trust. Before a cipher is first opened by one, it is held
// against update over lengths, splits and a wrap of the counter (proof.go); where
// they differ, the case is unsupported and says so.
type workaround struct {
	name    string // Subject.Implementation
	pattern pattern
	goes    func(mode) bool // whether it is one for a mode
	note    string          // what a reader of a row must know
}

// workarounds, and first what people write who follow the manual. Small writes are taken
// to be of 64 bytes, since those of a whole message have none to be coalesced.
var workarounds = []workaround{
	{"", pattern{0, parameter.Update}, mode.named, noteUpdate},
	{"ctr-bypass", pattern{0, parameter.Blocks}, func(m mode) bool { return m.Mode == algorithm.CTR },
		"counters, the block function and XOR by the caller"},
	// Nothing says that a key stream goes on after FINAL, and it does.
	{"final", pattern{0, parameter.Final}, mode.keyStream, "update with the flag FINAL in every call"},
	{"oneshot", pattern{0, parameter.Oneshot}, func(m mode) bool { return cbinding.Seals(m.Case) }, noteOneshot},
	{"coalesced", pattern{64, coalesced}, mode.named, "small writes copied together into 4 KiB, then handed over"},
}

// goesAround says whether a mode has a workaround. CCM has none: the everyday way is all in one call with FINAL, since
// what update of 2.19.3 takes of it is lost.
func (m mode) goesAround(w *workaround) bool {
	return m.named() && m.Mode != algorithm.CCM && w.goes(m)
}

// patternOf reads the parameters call=N,way=W of a case as an implementation has them. To
// a workaround a message is given as to update, and it makes the best of it; its own way
// is the same.
func (w *workaround) patternOf(c result.Case) (pattern, error) {
	h, size, way := w.pattern, parameter.Call.In(c.Parameters), parameter.Way.In(c.Parameters)
	if c.Mode == algorithm.CCM {
		h.way = parameter.Oneshot
	}
	if size == 0 {
		return h, nil
	}
	h.call = int(size)
	switch {
	case c.Mode == algorithm.CCM && way != parameter.Oneshot:
		return h, provider.Absent("text-whole", c.Name())
	case way == h.way || w.name != "" && way == parameter.Update:
	case w.name == "" && (way == parameter.Final || way == parameter.Oneshot || way == parameter.Blocks):
		h.way = way
	default:
		return h, provider.Absent("not-offered", "botan", parameter.Way.Is(way))
	}
	switch {
	case h.way == parameter.Final && !modeOf(c).keyStream():
		return h, provider.Absent("final-ends", c.Name())
	case h.way == parameter.Blocks && c.Mode != algorithm.CTR && c.Mode != algorithm.ECB:
		return h, provider.Absent("not-blocks", c.Name(), whyNotBlocks(c))
	case h.way == parameter.Oneshot && size < c.Bytes:
		return h, provider.Absent("oneshot-bytes", c.Bytes, size)
	case (h.way == parameter.Update || h.way == parameter.Oneshot) && c.Mode == algorithm.ECB:
		return h, provider.Absent("not-offered", "botan", c.Name()+" "+c.Parameters)
	}
	return h, nil
}

func whyNotBlocks(c result.Case) result.Cause {
	switch c.Mode {
	case algorithm.GCM:
		return reason.Cause("ghash")
	case algorithm.CCM, algorithm.CBC, algorithm.CFB, algorithm.OFB:
		return reason.Cause("chained")
	}
	return reason.Cause("no-block-function")
}

// coalesceBytes is how much is collected before it is handed over: enough that the
// price of a call no longer counts, and little enough for the first cache.
const coalesceBytes = 4 << 10

// coalescing collects writes of h.call bytes in a buffer and hands that over when it
// is full: a key stream's with FINAL, other modes' with update; the rest goes with
// FINAL at the end. It copies as the caller would, in Go; in the loop in C by memcpy.
func (k *cipher) coalescing(w cbinding.Work, h pattern) (func(n int) error, error) {
	parts := make([][]part, len(w.Messages))
	for i, m := range w.Messages {
		var err error
		if parts[i], err = k.parts(m); err != nil {
			return nil, err
		}
	}
	k.Keep(parts)
	if k.Path.InC() {
		return k.coalescingInC(w, parts, h.call)
	}
	return func(n int) error {
		for range n {
			for _, i := range w.Sequence {
				for _, p := range parts[i] {
					p.collect(h.call)
					if err := k.Path.Run(p.calls, 1); err != nil {
						return k.Explain(p.calls, err)
					}
				}
			}
		}
		return nil
	}, nil
}

// part is a buffer's worth of a message: what is collected, and the call after it.
type part struct {
	buffer, in []byte
	calls      call.Program
}

func (p part) collect(write int) {
	for at := 0; at < len(p.in); at += write {
		copy(p.buffer[at:], p.in[at:min(at+write, len(p.in))])
	}
}

// parts cuts a message and makes its calls once.
func (k *cipher) parts(m cbinding.Message) ([]part, error) {
	p := planning{cipher: k, Message: m, program: k.Program(), buffer: make([]byte, coalesceBytes+k.held())}
	if err := k.begin(p.program, m); err != nil {
		return nil, err
	}
	all := []part{{calls: p.program.Calls}}
	body, flags := len(m.In)-k.held(), uintptr(0)
	if k.keyStream() {
		flags = flagFinal
	}
	for { // what was not taken stays at the buffer's beginning
		at, calls := p.taken, len(p.program.Calls)
		end, last := at+coalesceBytes, flags
		if end > body {
			end, last = len(m.In), flagFinal
		}
		if end == at && (k.keyStream() || len(m.In) == 0 && k.held() > 0) {
			return all, nil // nothing is left that waits for an end
		}
		if err := p.give(end, last); err != nil {
			return nil, err
		}
		if p.taken == at && last != flagFinal {
			return nil, provider.Unsupported("update-bytes", k.name, end-at)
		}
		all = append(all, part{p.buffer, m.In[at:end], p.program.Calls[calls:]})
		if p.taken == len(m.In) && last == flagFinal {
			return all, nil
		}
	}
}

// coalescingInC is the same with the copies as calls of their own, of the C library's
// memcpy, which Botan is linked with.
func (k *cipher) coalescingInC(w cbinding.Work, parts [][]part, write int) (func(n int) error, error) {
	p := k.Program()
	for _, i := range w.Sequence {
		for _, of := range parts[i] {
			for at := 0; at < len(of.in); at += write {
				n := min(write, len(of.in)-at)
				p.AddBy(call.Any, "memcpy", call.Bytes(of.buffer[at:]), call.Bytes(of.in[at:]), uintptr(n))
			}
			p.Calls = append(p.Calls, of.calls...)
		}
	}
	return p.Times, p.Err
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
		k.block = newBlockCipher(k.Session, k.Algorithm, k.key)
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
