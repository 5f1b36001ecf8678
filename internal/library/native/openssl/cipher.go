//go:build linux && (amd64 || arm64)

package openssl

import (
	"cmp"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// Of openssl/evp.h.
const (
	ctrlSetIVLength = 0x09
	ctrlGetTag      = 0x10
	ctrlSetTag      = 0x11
	unchanged       = ^uintptr(0) // the direction of a context, as EVP_CipherInit_ex has it: -1
)

// Paddings of what is not whole blocks.
const (
	unpadded uintptr = 0
	pkcs7    uintptr = 1 // which is EVP's own where nobody says otherwise
)

// cipherName is what OpenSSL calls a cipher in a mode (EVP_CIPHER-AES(7), EVP_CIPHER-SM4(7),
// EVP_CIPHER-CHACHA(7)), of a composite its CBC.
func cipherName(c result.Case) string {
	switch {
	case algorithm.Of(c.Algorithm).Kind != algorithm.BlockCipher:
		return c.Algorithm
	case c.Mode == algorithm.OneBlock || c.Mode == "":
		return c.Algorithm + "-ECB" // a block is the whole of it
	case c.Mode == algorithm.Composite(c.Algorithm):
		return c.Algorithm + "-CBC"
	}
	return c.Algorithm + "-" + c.Mode
}

// cipher is a keyed context, and how a message goes through it.
type cipher struct {
	c      result.Case
	ctx    uintptr
	d      loop.Direction
	length *uint64 // EVP writes what it wrote
}

func newCipher(s *cbinding.Session, c result.Case, d loop.Direction, key []byte, padding uintptr) *cipher {
	evp := fetch(s, "EVP_CIPHER_fetch", cipherName(c))
	ci := &cipher{c: c, d: d, length: s.Word(), ctx: s.Get("EVP_CIPHER_CTX_free", "EVP_CIPHER_CTX_new")}
	if c.Mode == algorithm.CCM { // its sizes come before the key
		s.Do("EVP_CipherInit_ex", ci.ctx, evp, 0, 0, 0, uintptr(1-d))
		s.Do("EVP_CIPHER_CTX_ctrl", ci.ctx, ctrlSetIVLength, cbinding.NonceSize, 0)
		s.Do("EVP_CIPHER_CTX_ctrl", ci.ctx, ctrlSetTag, cbinding.TagSize, 0)
		evp = 0
	}
	s.Do("EVP_CipherInit_ex", ci.ctx, evp, 0, s.Bytes(key), 0, uintptr(1-d)) // 1 encrypts
	if !cbinding.Seals(c) {
		s.Do("EVP_CIPHER_CTX_set_padding", ci.ctx, padding)
	}
	return ci
}

// iv sets the message's IV; the key and the direction stay. ChaCha20's begins with its
// counter, from 0 (EVP_CIPHER-CHACHA(7)).
func (ci *cipher) iv(p *cbinding.Program, iv []byte) {
	if len(iv) == 0 {
		return
	}
	if ci.c.Algorithm == algorithm.ChaCha20 {
		iv = append(make([]byte, cbinding.BlockSize-len(iv)), iv...)
	}
	p.Add("EVP_CipherInit_ex", ci.ctx, 0, 0, 0, p.Bytes(iv), unchanged)
}

func (ci *cipher) update(p *cbinding.Program, out uintptr, in []byte) *call.Call {
	return p.Add("EVP_CipherUpdate", ci.ctx, out, call.Word(ci.length), p.Bytes(in), uintptr(len(in)))
}

func (ci *cipher) final(p *cbinding.Program, out uintptr) *call.Call {
	return p.Add("EVP_CipherFinal_ex", ci.ctx, out, call.Word(ci.length))
}

func (ci *cipher) tag(p *cbinding.Program, what uintptr, tag []byte) {
	p.Add("EVP_CIPHER_CTX_ctrl", ci.ctx, what, uintptr(len(tag)), p.Bytes(tag))
}

// message appends what a message takes: in goes to out, both with the tag at their
// end where there is one, by a call pattern.
func (ci *cipher) message(p *cbinding.Program, m cbinding.Message, hand pattern) {
	ci.iv(p, m.Nonce)
	if !cbinding.Seals(ci.c) {
		hand(ci, p, m.In, m.Out)
		return
	}
	n := min(len(m.In), len(m.Out))
	if ci.c.Mode == algorithm.CCM {
		ci.counted(p, m, n)
		return
	}
	if len(m.AAD) > 0 {
		ci.update(p, 0, m.AAD)
	}
	hand(ci, p, m.In[:n], m.Out)
	if ci.d == loop.Decrypt {
		ci.tag(p, ctrlSetTag, m.In[n:])
	}
	ci.final(p, call.Bytes(m.Out)+uintptr(n)).Expecting(ci.length, 0)
	if ci.d == loop.Encrypt {
		ci.tag(p, ctrlGetTag, m.Out[n:n+cbinding.TagSize])
	}
}

// counted appends a message of CCM, whose length comes first, whose tag must be there before the text that is opened,
// and whose end is that of the text (EVP_EncryptInit(3), "CCM Mode").
func (ci *cipher) counted(p *cbinding.Program, m cbinding.Message, n int) {
	if ci.d == loop.Decrypt {
		ci.tag(p, ctrlSetTag, m.In[n:])
	}
	if ci.d == loop.Decrypt || len(m.AAD) > 0 { // a context that has refused a message keeps that one's length
		p.Add("EVP_CipherUpdate", ci.ctx, 0, call.Word(ci.length), 0, uintptr(n))
	}
	if len(m.AAD) > 0 {
		ci.update(p, 0, m.AAD)
	}
	whole(ci, p, m.In[:n], m.Out)
	if ci.d == loop.Encrypt {
		ci.tag(p, ctrlGetTag, m.Out[n:n+cbinding.TagSize])
	}
}

type pattern func(ci *cipher, p *cbinding.Program, in, out []byte)

func whole(ci *cipher, p *cbinding.Program, in, out []byte) {
	ci.update(p, call.Bytes(out), in).Expecting(ci.length, uint64(len(in)))
}

// oneshot is EVP_Cipher, which knows no end and keeps nothing for later; what seals
// has an end of its own, and is handed over as a whole.
func oneshot(ci *cipher, p *cbinding.Program, in, out []byte) {
	if cbinding.Seals(ci.c) {
		whole(ci, p, in, out)
		return
	}
	p.Add("EVP_Cipher", ci.ctx, call.Bytes(out), p.Bytes(in), uintptr(len(in)))
}

// inCalls hands over a message in calls of a size. Modes of blocks keep what is not
// a whole one until the next call, so how much each must write is known, and held
// against what it says.
func inCalls(size int) pattern {
	return func(ci *cipher, p *cbinding.Program, in, out []byte) {
		for taken, wrote := 0, 0; taken < len(in); {
			part := in[taken:min(taken+size, len(in))]
			taken += len(part)
			upTo := taken
			if algorithm.WholeBlocks(ci.c.Mode) {
				upTo = taken / cbinding.BlockSize * cbinding.BlockSize
			}
			ci.update(p, call.Bytes(out)+uintptr(wrote), part).Expecting(ci.length, uint64(upTo-wrote))
			wrote = upTo
		}
	}
}

func patternOf(c result.Case) (pattern, error) {
	const mostCalls = 1 << 16
	size, way := parameter.Call.In(c.Parameters), parameter.Way.In(c.Parameters)
	switch {
	case size == 0:
		return whole, nil
	case c.Bytes/size > mostCalls:
		return nil, provider.Unsupported("call-bytes", size, mostCalls)
	case c.Mode == algorithm.CCM && size < c.Bytes:
		return nil, provider.Absent("text-whole", c.Name())
	case way == parameter.Update:
		return inCalls(int(size)), nil
	case way == parameter.Oneshot && size < c.Bytes:
		return nil, provider.Unsupported("oneshot-short")
	case way == parameter.Oneshot:
		return oneshot, nil
	}
	return nil, provider.Absent("not-offered", "openssl", c.Parameters)
}

// openCipher is a message under a kept context, or a mix of them. Behind their outputs is
// room for what EVP may write besides: a block, of modes of blocks (EVP_EncryptInit(3)).
func openCipher(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	hand, err := patternOf(c)
	if err != nil {
		return nil, err
	}
	d, spare := cbinding.DirectionOf(c), 0
	if c.Mode == algorithm.CCM || algorithm.WholeBlocks(c.Mode) || c.Mode == algorithm.OneBlock {
		spare = cbinding.BlockSize // of CCM, whose output of no bytes has an address
	}
	ci := newCipher(s, c, d, v.Key, unpadded)
	add := func(p *cbinding.Program, m cbinding.Message) { ci.message(p, m, hand) }
	return s.Messages(c.Name(), d, v, cbinding.TagOf(c), spare, s.InOrder(add))
}

// openSetup is what comes before the first message. A context that is made anew for
// each would have another address each time; it is reset instead, which gives back
// all that it holds but its own 200 bytes, and set up from nothing.
func openSetup(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	ci := newCipher(s, c, loop.Encrypt, v.Key, unpadded)
	p, f := s.Program(), loop.Foreign{Want: v.Ciphertext, Tag: cbinding.TagSize, Out: s.RoomLike(v.Ciphertext, len(v.Ciphertext))}
	message := cbinding.Message{AAD: v.AAD, In: v.Plaintext, Out: f.Out}
	if c.Operation == algorithm.Schedule {
		p.Add("EVP_CipherInit_ex", ci.ctx, 0, 0, p.Bytes(v.Key), 0, unchanged)
	} else {
		message.Nonce = v.Nonce
		p.Add("EVP_CIPHER_CTX_reset", ci.ctx)
		p.Add("EVP_CipherInit_ex", ci.ctx, fetch(s, "EVP_CIPHER_fetch", cipherName(c)), 0, p.Bytes(v.Key), 0, 1)
	}
	if c.Operation == algorithm.NewEncrypt {
		ci.message(p, message, whole)
		return p.Operation(c.Name(), f)
	}
	proof := s.Program() // that the context that was set up last encrypts rightly
	ci.message(proof, message, whole)
	return p.Operation(c.Name(), loop.Foreign{Accept: func([]byte) error {
		if err := cmp.Or(proof.Times(1), s.Outputs.Check()); err != nil {
			return reason.New("made-last", err)
		}
		right := string(message.Out) == string(v.Ciphertext)
		if clear(message.Out); !right {
			return reason.New("last-wrong")
		}
		return nil
	}})
}

func newOneWay(s *cbinding.Session, c result.Case, key []byte, d loop.Direction) *cbinding.OneWay {
	ci, tagAt, finalAt := newCipher(s, c, d, key, unpadded), 2, 1
	if d == loop.Decrypt {
		tagAt, finalAt = finalAt, tagAt
	}
	w := &cbinding.OneWay{Program: s.Program(), Direction: d, Nonce: 4, AAD: 3}
	w.Point = func(rest call.Program, out, in, tag, n uintptr) {
		text := &rest[0]
		text.Args[1], text.Args[3], text.Args[4], text.After[0].Value = out, in, n, n
		rest[tagAt].Args[3], rest[finalAt].Args[1] = tag, out+n
	}
	return w.Begin(func(p *cbinding.Program, m cbinding.Message) { ci.message(p, m, whole) })
}

// askExposure encrypts a picture: what a mode gives away has no speed. Each message has a
// context of its own.
func askExposure(s *cbinding.Session, c result.Case, v *provider.Vector) (provider.Scenario, error) {
	if fetch(s, "EVP_CIPHER_fetch", cipherName(c)); s.Err != nil {
		return nil, s.Err
	}
	return loop.NewExposure(c, v, provider.SettingOf(s.Vectors), func(plain []byte) ([]byte, error) {
		s := s.Session(call.Purego)
		defer s.Close()
		ci := newCipher(s, c, loop.Encrypt, v.Key, unpadded)
		p, out := s.Program(), s.Room(len(plain) + cbinding.BlockSize)[:len(plain)]
		ci.message(p, cbinding.Message{Nonce: v.Nonce, In: plain, Out: out}, whole)
		err := cmp.Or(p.Times(1), s.Outputs.Check())
		return slices.Clone(out), err
	})
}
