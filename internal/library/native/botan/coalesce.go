//go:build linux && (amd64 || arm64)

package botan

import (
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/provider"
)

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
		if parts[i], err = k.parts(m, h.call); err != nil {
			return nil, err
		}
	}
	k.Keep(parts)
	if k.Path.InC() {
		return k.coalescingInC(w, parts)
	}
	return func(n int) error {
		for range n {
			for _, i := range w.Sequence {
				for _, p := range parts[i] {
					p.collect()
					if err := k.Path.Run(p.program, 1); err != nil {
						return k.Explain(p.program, err)
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
	write      int
	program    call.Program
}

func (p part) collect() {
	for at := 0; at < len(p.in); at += p.write {
		copy(p.buffer[at:], p.in[at:min(at+p.write, len(p.in))])
	}
}

// parts cuts a message and makes its calls once.
func (k *cipher) parts(m cbinding.Message, write int) ([]part, error) {
	start := k.Program()
	if err := k.begin(start, m); err != nil {
		return nil, err
	}
	all := []part{{program: start.Calls}}
	buffer := make([]byte, coalesceBytes+k.held())
	body, flags := len(m.In)-k.held(), uintptr(0)
	if k.keyStream() {
		flags = flagFinal
	}
	for at, wrote := 0, 0; ; { // what was not taken stays at the buffer's beginning
		end, last := at+coalesceBytes, flags
		if end > body {
			end, last = len(m.In), flagFinal
		}
		if end == at && (k.keyStream() || len(m.In) == 0 && k.held() > 0) {
			return all, nil // nothing is left that waits for an end
		}
		p := part{buffer: buffer, in: m.In[at:end], write: write}
		p.collect()
		c := planning{cipher: k, Message: cbinding.Message{In: buffer[:end-at], Out: m.Out[wrote:]}, program: k.Program(),
			ahead: at - wrote, total: k.total(m) - wrote}
		if err := c.give(end-at, last); err != nil {
			return nil, err
		}
		if c.taken == 0 && last != flagFinal {
			return nil, provider.Unsupported("update-bytes", k.name, end-at)
		}
		p.program = c.program.Calls
		all, at, wrote = append(all, p), at+c.taken, wrote+c.wrote
		if at == len(m.In) && last == flagFinal {
			return all, nil
		}
	}
}

// coalescingInC is the same with the copies as calls of their own, of the C library's
// memcpy, which Botan is linked with.
func (k *cipher) coalescingInC(w cbinding.Work, parts [][]part) (func(n int) error, error) {
	p := k.Program()
	for _, i := range w.Sequence {
		for _, of := range parts[i] {
			for at := 0; at < len(of.in); at += of.write {
				n := min(of.write, len(of.in)-at)
				p.AddBy(call.Any, "memcpy", call.Bytes(of.buffer[at:]), call.Bytes(of.in[at:]), uintptr(n))
			}
			p.Calls = append(p.Calls, of.program...)
		}
	}
	return p.Times, p.Err
}
