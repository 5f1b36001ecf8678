package multibuffer

import (
	"crypto/subtle"
	"encoding/binary"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/multibuffer"
)

// keys are what the messages of a job are authenticated under: nothing, one key for all, or a key for
// each.
type keys struct {
	one  *HMAC
	each []*HMAC
}

func (k keys) none() bool { return k.one == nil && k.each == nil }

func (k keys) of(message int) *HMAC {
	if k.one != nil {
		return k.one
	}
	return k.each[message]
}

func (k keys) part(from, to int) keys {
	if k.each != nil {
		k.each = k.each[from:to]
	}
	return k
}

// begin gives lanes the states in which their messages begin, a message in each.
func (k keys) begin(of kernel.Kernel, f kernel.Hash, l *kernel.Lanes) {
	switch {
	case k.one != nil:
		l.SetAllStates(of, f, &k.one.states[inner])
		k.one.before(l)
	case k.each != nil:
		for lane, m := range k.each {
			l.SetState(of, f, lane, &m.states[inner])
		}
		k.each[0].before(l)
	default:
		l.BeginAll(of, f)
	}
}

// beginSome is begin for lanes that work on the messages of a list.
func (k keys) beginSome(of kernel.Kernel, f kernel.Hash, l *kernel.Lanes, messages []uint16) {
	if k.each == nil {
		k.begin(of, f, l)
		return
	}
	for lane, i := range messages {
		k.beginOne(of, f, l, lane, int(i))
	}
}

// beginOne is begin for a lane that has been given the beginning of a message.
func (k keys) beginOne(of kernel.Kernel, f kernel.Hash, l *kernel.Lanes, lane, message int) {
	if k.none() {
		return
	}
	l.SetState(of, f, lane, &k.of(message).states[inner])
	l.Before[lane%kernel.MaxLanes] = kernel.BlockSize
}

// before tells lanes that the block of a key came before their messages.
func (*HMAC) before(l *kernel.Lanes) {
	for i := range l.Before {
		l.Before[i] = kernel.BlockSize
	}
}

// A pad is what a key's block is changed by, before a message or before its digest (RFC 2104, section 2).
type pad int

const (
	inner pad = iota
	outer
)

var pads = [...][kernel.BlockSize]byte{inner: filled(0x36), outer: filled(0x5c)}

func filled(with byte) (block [kernel.BlockSize]byte) {
	for i := range block {
		block[i] = with
	}
	return block
}

// keyBlock is a key as a block: padded with zeros, and hashed before where it is longer.
func keyBlock(f kernel.Hash, key []byte) (block [kernel.BlockSize]byte) {
	if len(key) > len(block) {
		sumSerial(f, block[:macSize], key)
	} else {
		copy(block[:], key)
	}
	return block
}

// prepareSerial computes the states by the library.
func (m *HMAC) prepareSerial(key []byte) {
	s := successorFor(m.hash)
	defer s.giveBack(m.hash)
	block := keyBlock(m.hash, key)
	s.used = len(block)
	for p := range pads {
		subtle.XORBytes(s.buffer[:], block[:], pads[p][:])
		s.hash.Reset()
		s.hash.Write(s.buffer[:len(block)])
		s.save(&m.states[p])
	}
}

// prepareLanes computes the states of keys, which are of the same hash, in lanes.
func prepareLanes(k kernel.Kernel, f kernel.Hash, ms []HMAC, keys [][]byte) {
	lanes := k.Lanes(f)
	if lanes == 2 {
		preparePairs(f, ms, keys)
		return
	}
	var blocks, changed [macLanes][kernel.BlockSize]byte
	var l kernel.Lanes
	for from := 0; from < len(ms); from += lanes {
		now := ms[from:min(from+lanes, len(ms))]
		for i := range now {
			blocks[i] = keyBlock(f, keys[from+i])
			l.Start[i], l.Len[i] = &changed[i][0], goesOn
		}
		for p := range pads {
			for i := range now {
				subtle.XORBytes(changed[i][:], blocks[i][:], pads[p][:])
			}
			l.BeginAll(k, f)
			hashLanes(k, f, &l, len(now), 1)
			for i := range now {
				l.State(k, f, i, &now[i].states[p])
			}
		}
	}
}

// macLanes are as many as any kernel has for a hash that HMAC is made of here.
const macLanes = 32

// sumOuter makes MACs of the digests that sum has left in their places.
func (j *job) sumOuter() {
	var blocks [macLanes][kernel.BlockSize]byte
	var l kernel.Lanes
	for i := range blocks {
		b := &blocks[i]
		b[macSize] = 0x80
		binary.BigEndian.PutUint64(b[kernel.BlockSize-8:], 8*(kernel.BlockSize+macSize))
		l.Start[i], l.Len[i] = &b[0], goesOn // it is padded already
	}
	for from, n := 0, 0; from < len(j.messages); from += n {
		n = j.entering(len(j.messages) - from)
		if j.tooFew(n, 1) {
			left := j.part(from, from+n)
			left.outerLeft()
			continue
		}
		for i := range n {
			copy(blocks[i][:macSize], j.digest(from+i))
		}
		if m := j.keys.one; m != nil {
			l.SetAllStates(j.kernel, j.hash, &m.states[outer])
		} else {
			for i, m := range j.keys.each[from : from+n] {
				l.SetState(j.kernel, j.hash, i, &m.states[outer])
			}
		}
		hashLanes(j.kernel, j.hash, &l, n, 1)
		l.Digests(j.kernel, j.hash, n, j.digests[from*macSize:])
	}
}

// outerLeft is sumOuter for messages that are too few for the job's lanes.
func (j *job) outerLeft() {
	if p := j.forPairs(); p.inPairs() {
		var pairs pairing
		pairs.prepare(p.keys)
		pairs.sumOuter(&p)
		return
	}
	for i := range j.messages {
		j.keys.of(i).sumOuter(j.digest(i))
	}
}
