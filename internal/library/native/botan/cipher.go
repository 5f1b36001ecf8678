//go:build linux && (amd64 || arm64)

package botan

import (
	"cmp"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

const (
	flagFinal = 1 // BOTAN_CIPHER_UPDATE_FLAG_FINAL of botan/ffi.h
	blockSize = cbinding.BlockSize
)

type mode struct {
	result.Case        // its algorithm and mode
	name        string // Botan's; empty where it has the block function alone
	direction   loop.Direction
}

// modeOf names a cipher as Botan does (handbook, "Cipher Modes" and "Stream Ciphers").
func modeOf(c result.Case) mode {
	m := mode{result.Case{Algorithm: c.Algorithm, Mode: c.Mode}, c.Algorithm + "/" + c.Mode, cbinding.DirectionOf(c)}
	switch c.Mode {
	case algorithm.CBC:
		m.name += "/NoPadding"
	case algorithm.CTR:
		m.name += "-BE"
	case algorithm.CFB, algorithm.OFB, algorithm.GCM, algorithm.CCM:
	default:
		m.name = map[algorithm.Name]string{
			algorithm.ChaCha20: "ChaCha20", algorithm.ChaCha20Poly1305: "ChaCha20Poly1305"}[c.Algorithm]
	}
	return m
}

func (m mode) named() bool { return m.name != "" }

// keyStream says whether a mode's output is a key stream that depends on nothing but key
// and nonce: what Botan makes of its class StreamCipher.
func (m mode) keyStream() bool {
	return m.Algorithm == algorithm.ChaCha20 || m.Mode == algorithm.CTR || m.Mode == algorithm.OFB
}

// held is how much of a text's end must go with FINAL: the tag of a sealed one, and
// of CBC a block.
func (m mode) held() int {
	switch {
	case m.direction == loop.Encrypt:
		return 0
	case m.Mode == algorithm.CBC:
		return blockSize
	}
	return cbinding.TagOf(m.Case)
}

// added is by how much a message grows.
func (m mode) added() int {
	if m.direction == loop.Encrypt {
		return cbinding.TagOf(m.Case)
	}
	return 0
}

// cipher is a keyed botan_cipher_t.
//
//	int botan_cipher_update(botan_cipher_t cipher, uint32_t flags, uint8_t output[], size_t output_size,
//	    size_t *output_written, const uint8_t input[], size_t input_size, size_t *input_consumed)
type cipher struct {
	*cbinding.Session
	mode
	key               []byte
	handle, block     uintptr // block is a botan_block_cipher_t for the way blocks
	consumed, written *uint64
}

func newCipher(s *cbinding.Session, m mode, key []byte) (*cipher, error) {
	flags := uintptr(m.direction) // BOTAN_CIPHER_INIT_FLAG_DECRYPT
	k := &cipher{Session: s, mode: m, key: key, consumed: s.Word(), written: s.Word()}
	s.Fail(s.Need("botan_cipher_start", "botan_cipher_destroy", "botan_cipher_set_associated_data"))
	k.handle = s.Make("botan_cipher_destroy", "botan_cipher_init", s.Text(m.name), flags)
	s.Do("botan_cipher_set_key", k.handle, s.Bytes(key), uintptr(len(key)))
	if s.Err != nil {
		return nil, s.Refused(m.name)
	}
	return k, nil
}

// start appends what sets the nonce; everything else of the key stays.
func (k *cipher) start(p *cbinding.Program, m cbinding.Message) {
	if len(m.AAD) > 0 {
		p.Add("botan_cipher_set_associated_data", k.handle, call.Bytes(m.AAD), uintptr(len(m.AAD)))
	}
	p.Add("botan_cipher_start", k.handle, call.Bytes(m.Nonce), uintptr(len(m.Nonce)))
}

func (k *cipher) update(p *cbinding.Program, flags uintptr, in, out []byte) *call.Call {
	return p.Add("botan_cipher_update", k.handle, flags, call.Bytes(out), uintptr(len(out)), call.Word(k.written),
		call.Bytes(in), uintptr(len(in)), call.Word(k.consumed))
}

// begin starts a message and appends the calls of that.
func (k *cipher) begin(p *cbinding.Program, m cbinding.Message) error {
	from := len(p.Calls)
	k.start(p, m)
	return k.Refusal("the nonce of "+k.name, k.Run(k.Path, p.Calls[from:], 1))
}

// plan hands a message over once, as an application does that heeds what was
// consumed, and appends the calls that it took, to be made again.
func (k *cipher) plan(program *cbinding.Program, m cbinding.Message, h pattern) error {
	const mostCalls = 1 << 14 // which are held in memory
	size := h.size(&m)
	if len(m.In)/size > mostCalls {
		return provider.Unsupported("calls-many", len(m.In), size, mostCalls)
	}
	if err := k.begin(program, m); err != nil {
		return err
	}
	p := planning{cipher: k, Message: m, program: program}
	flags, body := uintptr(0), 0
	switch h.way {
	case parameter.Final:
		flags, body = flagFinal, len(m.In)
	case parameter.Update:
		body = len(m.In) - k.held()
	}
	for end := 0; end < body; {
		end = min(end+size, body)
		if err := p.give(end, flags); err != nil {
			return err
		}
	}
	if flags == flagFinal || len(m.In) == 0 && k.held() > 0 {
		return nil // there is no end to give, nor a last block of CBC of nothing
	}
	return p.give(len(m.In), flagFinal)
}

// planning is a message on its way, whose output has room for what becomes of it and no more.
type planning struct {
	*cipher
	cbinding.Message
	program      *cbinding.Program
	taken, wrote int
	buffer       []byte // in which what is given is collected before; nil where it is not
}

// give gives what was not taken yet, up to end. What it says that it took and wrote must
// be what it can be, and the same in every run.
func (p *planning) give(end int, flags uintptr) error {
	in, out := p.In[p.taken:end], p.Out[p.wrote:]
	if p.buffer != nil {
		in = p.buffer[:copy(p.buffer, in)]
	}
	at := len(p.program.Calls)
	c := p.update(p.program, flags, in, out)
	if err := p.Run(p.Path, p.program.Calls[at:], 1); err != nil {
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
	c.Expecting(p.written, written).Expecting(p.consumed, consumed)
	return nil
}

// counted holds what a call says that it wrote against what it can have written: a key
// stream as much as it took, FINAL all the rest, and update otherwise no more than was
// taken, since a mode may keep some of that back.
func (p *planning) counted(flags uintptr, consumed int, written uint64) error {
	least, most := 0, p.taken+consumed-p.wrote
	switch {
	case p.keyStream():
		least, most = consumed, consumed
	case flags == flagFinal:
		least = len(p.Out) - p.wrote
		most = least
	}
	switch {
	case written >= uint64(least) && written <= uint64(most):
		return nil
	case least == most:
		return provider.Incorrect("says-wrote", "botan_cipher_update", written, most)
	}
	return provider.Incorrect("says-wrote-most", "botan_cipher_update", written, most)
}

func (k *cipher) runner(h pattern) cbinding.Runner {
	switch h.way {
	case coalesced:
		return func(w cbinding.Work) (func(n int) error, error) { return k.coalescing(w, h) }
	case parameter.Blocks:
		return func(w cbinding.Work) (func(n int) error, error) { return k.bypass(w, h) }
	}
	return k.InOrder(func(p *cbinding.Program, m cbinding.Message) { p.Fail(k.plan(p, m, h)) })
}

func (o *on) openCipher(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	h, err := o.patternOf(c)
	if err != nil {
		return nil, err
	}
	m := modeOf(c)
	if !m.named() {
		return openBlocks(s, m, h, v)
	}
	if err := o.lib.proven(s.Path, m, h.way); err != nil {
		return nil, err
	}
	k, err := newCipher(s, m, v.Key)
	if err != nil {
		return nil, err
	}
	if h.way == parameter.Update {
		s.Pieces = k.pieces()
	}
	return s.Messages(m.name, m.direction, v, cbinding.TagOf(c), 0, k.runner(h))
}

// pieces are as long as the library says that update makes them, from 3.0 on.
func (k *cipher) pieces() int64 {
	const function = "botan_cipher_get_ideal_update_granularity"
	n := k.Word()
	if k.Need(function) != nil || k.Library.Call(function, k.handle, call.Word(n)) != 0 {
		return 0
	}
	return int64(*n)
}

// sealer is a keyed cipher with the calls of a message, whose addresses and lengths
// are those of the last.
type sealer struct {
	*cipher
	calls      call.Program // additional data, start, update, and the call with FINAL
	way        parameter.Manner
	additional bool // the last message had additional data, which would stay
}

func (o *on) openHandle(s *cbinding.Session, c result.Case, key []byte, d loop.Direction) (*cbinding.Handle, error) {
	m, way := modeOf(c), o.pattern.way
	if err := o.lib.proven(s.Path, m, way); err != nil {
		return nil, err
	}
	m.direction = d
	k, err := newCipher(s, m, key)
	if err != nil {
		return nil, err
	}
	p := k.Program()
	k.start(p, cbinding.Message{AAD: []byte{0}})
	k.update(p, 0, nil, nil)
	k.update(p, flagFinal, nil, nil)
	x := &sealer{cipher: k, calls: p.Calls, way: way}
	return &cbinding.Handle{Crypt: x.crypt, Free: k.Close}, nil
}

const atAAD, atStart, atUpdate, atFinal = 0, 1, 2, 3

// crypt does a message: update with as much as it takes, and FINAL with the rest, or
// all of it with FINAL. It allocates nothing.
func (x *sealer) crypt(out, in, nonce, aad []byte) error {
	x.calls[atStart].Args[1], x.calls[atStart].Args[2] = call.Bytes(nonce), uintptr(len(nonce))
	from, to := atStart, atUpdate
	if len(aad) > 0 || x.additional {
		from, x.additional = atAAD, len(aad) > 0
		x.calls[atAAD].Args[1], x.calls[atAAD].Args[2] = call.Bytes(aad), uintptr(len(aad))
	}
	body := len(in) - x.held()
	if x.way == parameter.Update && body > 0 {
		to = atFinal
		hand(&x.calls[atUpdate], out, in[:body])
	}
	if err := x.Path.Run(x.calls[from:to], 1); err != nil {
		return x.Explain(x.calls[from:to], err)
	}
	taken, wrote := 0, 0
	if to == atFinal {
		if taken, wrote = int(*x.consumed), int(*x.written); taken < 0 || taken > body || wrote < 0 || wrote > taken {
			return provider.Incorrect("says-took-wrote", "botan_cipher_update", *x.consumed, body, *x.written)
		}
	}
	hand(&x.calls[atFinal], out[wrote:], in[taken:])
	if err := x.Path.Run(x.calls[atFinal:], 1); err != nil {
		return x.Explain(x.calls[atFinal:], err)
	}
	if wrote+int(*x.written) != len(out) {
		return provider.Incorrect("says-wrote", "botan_cipher_update", *x.written, len(out)-wrote)
	}
	return nil
}

func hand(c *call.Call, out, in []byte) {
	c.Args[2], c.Args[3] = call.Bytes(out), uintptr(len(out))
	c.Args[5], c.Args[6] = call.Bytes(in), uintptr(len(in))
}

// openSetup makes ciphers in Go's shape: of a loop in C none can be told from
// another.
func (o *on) openSetup(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	if c.Operation == algorithm.New {
		return loop.NewConstruct(o.AEAD(c), v), nil
	}
	return loop.NewFreshSeal(o.AEAD(c), v), nil
}

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
		return nil, provider.Unsupported("whole-blocks", m.Algorithm, blockSize, size)
	}
	if h.call > 0 && h.way == parameter.Blocks {
		if size = h.call / blockSize * blockSize; size == 0 {
			return nil, provider.Absent("block-over-call", blockSize, h.call)
		}
	}
	b := newBlockCipher(s, m.Algorithm, v.Key)
	return s.Messages(m.Algorithm, m.direction, v, 0, 0, s.InOrder(func(p *cbinding.Program, msg cbinding.Message) {
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
