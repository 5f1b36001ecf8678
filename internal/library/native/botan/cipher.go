//go:build linux && (amd64 || arm64)

package botan

import (
	"errors"
	"runtime"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/fence"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// Of botan/ffi.h.
const (
	flagDecrypt = 1 // BOTAN_CIPHER_INIT_FLAG_DECRYPT
	flagFinal   = 1 // BOTAN_CIPHER_UPDATE_FLAG_FINAL
	tagSize     = 16
	blockSize   = 16
)

// mostCalls bounds a program, whose calls are held in memory.
const mostCalls = 1 << 14

// mode is a cipher in a mode, and a direction.
type mode struct {
	algorithm, mode string
	name            string // Botan's
	direction       loop.Direction
}

func modeOf(c result.Case) (m mode, err error) {
	m.algorithm, m.mode = c.Algorithm, c.Mode
	m.name, _ = cipherName(c.Algorithm, c.Mode)
	m.direction, err = loop.DirectionOf(c.Operation)
	return m, err
}

func (m mode) aead() bool      { return isAEAD(m.algorithm, m.mode) }
func (m mode) keyStream() bool { return isKeyStream(m.algorithm, m.mode) }

// held is how much of a text's end must go with FINAL: the tag of a sealed one, and
// of CBC a block.
func (m mode) held() int {
	switch {
	case m.direction == loop.Decrypt && m.aead():
		return tagSize
	case m.direction == loop.Decrypt && m.mode == "CBC":
		return blockSize
	}
	return 0
}

// cipher is a keyed botan_cipher_t, and for the way blocks a keyed
// botan_block_cipher_t.
//
//	int botan_cipher_init(botan_cipher_t *cipher, const char *name, uint32_t flags)
//	int botan_cipher_set_key(botan_cipher_t cipher, const uint8_t *key, size_t key_len)
//	int botan_cipher_set_associated_data(botan_cipher_t cipher, const uint8_t *ad, size_t ad_len)
//	int botan_cipher_start(botan_cipher_t cipher, const uint8_t *nonce, size_t nonce_len)
//	int botan_cipher_update(botan_cipher_t cipher, uint32_t flags, uint8_t output[], size_t output_size,
//	    size_t *output_written, const uint8_t input[], size_t input_size, size_t *input_consumed)
//	int botan_cipher_destroy(botan_cipher_t cipher)
type cipher struct {
	mode
	lib               *Library
	path              call.Path
	key               []byte
	handle            uintptr
	blocks            *blockCipher
	consumed, written *uint64
	keep              []any // what programs point to
	outputs           fence.Memory
}

// newCipher schedules a key.
func (l *Library) newCipher(path call.Path, m mode, key []byte) (*cipher, error) {
	if err := l.need("botan_cipher_set_key", "botan_cipher_start", "botan_cipher_destroy", "botan_cipher_set_associated_data"); err != nil {
		return nil, err
	}
	handle, name, flags := new(uint64), binding.CString(m.name), uintptr(0)
	if m.direction == loop.Decrypt {
		flags = flagDecrypt
	}
	err := l.try("botan_cipher_init", call.Word(handle), call.Bytes(name), flags)
	runtime.KeepAlive(name)
	if err != nil {
		return nil, l.offered(m.name, err)
	}
	k := &cipher{mode: m, lib: l, path: path, key: key, handle: uintptr(*handle), consumed: new(uint64), written: new(uint64)}
	if err := l.try("botan_cipher_set_key", k.handle, call.Bytes(key), uintptr(len(key))); err != nil {
		return nil, errors.Join(l.offered("the key of "+m.name, err), k.close())
	}
	runtime.KeepAlive(key)
	return k, nil
}

func (k *cipher) close() (err error) {
	if k.handle != 0 {
		err = k.lib.try("botan_cipher_destroy", k.handle)
		k.handle = 0
	}
	if k.blocks != nil {
		err = errors.Join(err, k.blocks.close())
	}
	return errors.Join(err, k.outputs.Close())
}

// start sets the nonce; everything else of the key stays.
func (k *cipher) start(m binding.Message) (p call.Program) {
	if len(m.AAD) > 0 {
		p = append(p, call.New(k.lib.fn("botan_cipher_set_associated_data"), call.Zero, k.handle, call.Bytes(m.AAD), uintptr(len(m.AAD))))
	}
	return append(p, call.New(k.lib.fn("botan_cipher_start"), call.Zero, k.handle, call.Bytes(m.Nonce), uintptr(len(m.Nonce))))
}

func (k *cipher) update(flags uintptr, in, out []byte) call.Call {
	return call.New(k.lib.fn("botan_cipher_update"), call.Zero, k.handle, flags, call.Bytes(out), uintptr(len(out)), call.Word(k.written),
		call.Bytes(in), uintptr(len(in)), call.Word(k.consumed))
}

// plan hands a message over once, as an application does that heeds what was
// consumed, and returns the calls that it took, to be made again.
func (k *cipher) plan(m binding.Message, h handing) (call.Program, error) {
	if h.call == 0 {
		h.call = max(1, len(m.In))
	}
	if len(m.In)/h.call > mostCalls {
		return nil, provider.Unsupported("calls-many", len(m.In), h.call, mostCalls)
	}
	p := planning{cipher: k, Message: m, program: k.start(m), total: k.total(m)}
	if err := k.lib.run(k.path, p.program, 1); err != nil {
		return nil, k.lib.offered("the nonce of "+k.name, err)
	}
	switch h.way {
	case byFinal:
		for end := 0; end < len(m.In); {
			end = min(end+h.call, len(m.In))
			if err := p.give(end, flagFinal); err != nil {
				return nil, err
			}
		}
		return p.program, nil
	case byUpdate:
		for end := 0; end < len(m.In)-k.held(); {
			end = min(end+h.call, len(m.In)-k.held())
			if err := p.give(end, 0); err != nil {
				return nil, err
			}
		}
	}
	if len(m.In) == 0 && k.held() > 0 {
		return p.program, nil // CBC of nothing: there is no last block to give
	}
	err := p.give(len(m.In), flagFinal)
	return p.program, err
}

// total is how much becomes of a message. Of CBC with padding it is as much as there is
// room for.
func (k *cipher) total(m binding.Message) int {
	switch {
	case k.aead() && k.direction == loop.Encrypt:
		return len(m.In) + tagSize
	case k.aead():
		return len(m.In) - tagSize
	case strings.HasSuffix(k.name, "PKCS7"):
		return len(m.Out)
	}
	return len(m.In)
}

// planning is a message on its way.
type planning struct {
	*cipher
	binding.Message
	program      call.Program
	taken, wrote int
	ahead        int // how much was taken before and not written yet
	total        int // how much is to be written, up to the message's end
}

// give gives what was not taken yet, up to end. What it says that it took and wrote must
// be what it can be, and the same in every run.
func (p *planning) give(end int, flags uintptr) error {
	in, out := p.In[p.taken:end], p.Out[p.wrote:]
	c := p.update(flags, in, out)
	if err := p.lib.run(p.path, call.Program{c}, 1); err != nil {
		return err
	}
	consumed, written := *p.consumed, *p.written
	if consumed > uint64(len(in)) || flags == flagFinal && consumed != uint64(len(in)) {
		return provider.Incorrect("says-took", "botan_cipher_update", consumed, len(in))
	}
	if err := p.counted(flags, int(consumed), written); err != nil {
		return err
	}
	p.taken, p.wrote = p.taken+int(consumed), p.wrote+int(written)
	p.program = append(p.program, c.Expecting(p.consumed, consumed).Expecting(p.written, written))
	return nil
}

// counted holds what a call says that it wrote against what it can have written: a key
// stream as much as it took, FINAL all the rest, and update otherwise no more than was
// taken, since a mode may keep some of that back.
func (p *planning) counted(flags uintptr, consumed int, written uint64) error {
	least, most := 0, p.ahead+p.taken+consumed-p.wrote
	switch {
	case p.keyStream():
		least, most = consumed, consumed
	case flags == flagFinal:
		least, most = p.total-p.wrote, p.total-p.wrote
	}
	switch {
	case written >= uint64(least) && written <= uint64(most):
		return nil
	case least == most:
		return provider.Incorrect("says-wrote", "botan_cipher_update", written, most)
	}
	return provider.Incorrect("says-wrote-most", "botan_cipher_update", written, most)
}

// runner makes the function that does the work n times.
func (k *cipher) runner(w binding.Work, h handing) (func(n int) error, error) {
	k.keep = append(k.keep, w)
	switch h.way {
	case aroundCoalesced:
		return k.coalescing(w, h)
	case byBlocks:
		return k.bypass(w, h)
	}
	programs := make([]call.Program, len(w.Messages))
	for i, m := range w.Messages {
		var err error
		if programs[i], err = k.plan(m, h); err != nil {
			return nil, err
		}
	}
	p := inOrder(programs, w.Sequence)
	return func(n int) error { return k.lib.run(k.path, p, n) }, nil
}

// inOrder puts the programs of messages one after the other.
func inOrder(programs []call.Program, sequence []int) (all call.Program) {
	if len(sequence) == 1 {
		return programs[sequence[0]]
	}
	for _, i := range sequence {
		all = append(all, programs[i]...)
	}
	return all
}

// openMessage opens a case of whole messages, by an implementation.
func (o on) openMessage(c result.Case) (provider.Operation, error) {
	plain := c
	if n, rest := seeded.MixOf(c); n > 0 {
		plain.Parameters = rest
	}
	h, err := handingOf(plain, o.subject.Implementation)
	if err != nil {
		return nil, err
	}
	m, err := modeOf(c)
	if err != nil {
		return nil, err
	}
	asked := c
	if h.way != "" && plain.Parameters != "" {
		asked.Parameters = "" // how it is handed over changes nothing of the message
	}
	v, err := o.vectors.Vector(asked)
	if err != nil {
		return nil, err
	}
	if m.name == "" {
		return o.openBlocks(m, h, v)
	}
	if err := o.proofs.of(o.path, m, h.way); err != nil {
		return nil, err
	}
	k, err := o.newCipher(o.path, m, v.Key)
	if err != nil {
		return nil, err
	}
	f, err := k.foreign(v, h)
	if err != nil {
		return nil, errors.Join(err, k.close())
	}
	return loop.NewForeign(f)
}

// pieces are as long as the library says that update makes them, from 3.0 on.
//
//	int botan_cipher_get_ideal_update_granularity(botan_cipher_t cipher, size_t *ug)
func (k *cipher) pieces() int64 {
	n := new(uint64)
	if err := k.lib.try("botan_cipher_get_ideal_update_granularity", k.handle, call.Word(n)); err != nil {
		return 0
	}
	return int64(*n)
}

func (k *cipher) foreign(v *provider.Vector, h handing) (f loop.Foreign, err error) {
	w := binding.WorkOf(v, k.direction, &k.outputs, 0)
	f = loop.Foreign{Out: w.Out, Want: w.Want, Intact: k.outputs.Check, Close: k.close}
	if h.way == byUpdate {
		f.Pieces = k.pieces()
	}
	if f.Run, err = k.runner(w, h); err != nil || !k.aead() {
		return f, err
	}
	if k.direction == loop.Encrypt {
		f.Tag = tagSize
		return f, nil
	}
	m := w.Messages[len(w.Messages)-1]
	f.Sealed, f.Tagged = m.In, tagSize
	m.In, m.Out = slices.Clone(m.In), k.outputs.Bytes(len(m.Out))
	open, err := k.runner(binding.Work{Messages: []binding.Message{m}, Sequence: []int{0}}, h)
	f.Open = func(tampered []byte) error {
		copy(m.In, tampered)
		return open(1)
	}
	return f, err
}
