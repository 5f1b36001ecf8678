//go:build linux && (amd64 || arm64)

package openssl

import (
	"strconv"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Controls of EVP_CIPHER_CTX_ctrl, of openssl/evp.h.
const (
	ctrlGetTag = 0x10
	ctrlSetTag = 0x11
	tagSize    = 16
	blockSize  = 16
)

// padding of what is not whole blocks.
type padding uintptr

const (
	unpadded padding = 0
	pkcs7    padding = 1 // which is EVP's own where nobody says otherwise
)

const unchanged = ^uintptr(0) // the direction of a context, as EVP_CipherInit_ex has it: -1

// cipher is a keyed context, and how a message goes through it.
type cipher struct {
	*session
	ctx    uintptr
	d      loop.Direction
	seals  bool
	noIV   bool    // ECB: nothing belongs to a message
	length *uint64 // EVP writes what it wrote
}

// newCipher schedules the key in a context.
func (a *session) newCipher(c result.Case, d loop.Direction, v *provider.Vector, p padding) *cipher {
	name, _ := cipherName(c.Algorithm, c.Mode)
	ci := &cipher{session: a, d: d, seals: seals(c), noIV: c.Mode == "ECB" || c.Mode == algorithm.OneBlock, length: a.Word()}
	encrypt := uintptr(0)
	if d == loop.Encrypt {
		encrypt = 1
	}
	evp := a.fetch("EVP_CIPHER_fetch", name)
	ci.ctx = a.object("EVP_CIPHER_CTX_free", "EVP_CIPHER_CTX_new")
	a.one("EVP_CipherInit_ex", ci.ctx, evp, 0, a.Bytes(v.Key), 0, encrypt)
	if !ci.seals {
		a.one("EVP_CIPHER_CTX_set_padding", ci.ctx, uintptr(p))
	}
	return ci
}

// ivOf is a message's IV as EVP takes it: ChaCha20's begins with its counter, from 0
// (EVP_CIPHER-CHACHA(7)).
func ivOf(c result.Case, nonce []byte) []byte {
	if c.Algorithm == "ChaCha20" {
		return append(make([]byte, blockSize-len(nonce)), nonce...)
	}
	return nonce
}

// iv sets the message's IV; the key and the direction stay.
func (ci *cipher) iv(p *program, iv []byte) {
	if !ci.noIV {
		p.add("EVP_CipherInit_ex", call.One, ci.ctx, 0, 0, 0, p.Bytes(iv), unchanged)
	}
}

// update processes a part of a message.
func (ci *cipher) update(p *program, out uintptr, in []byte) {
	p.add("EVP_CipherUpdate", call.One, ci.ctx, out, call.Word(ci.length), p.Bytes(in), uintptr(len(in)))
}

func (ci *cipher) final(p *program, out uintptr) {
	p.add("EVP_CipherFinal_ex", call.One, ci.ctx, out, call.Word(ci.length))
}

func (ci *cipher) tag(p *program, what uintptr, tag []byte) {
	p.add("EVP_CIPHER_CTX_ctrl", call.One, ci.ctx, what, uintptr(len(tag)), p.Bytes(tag))
}

// message appends what a message takes: in goes to out, both with the tag at their
// end where there is one, by a way of handing it over.
func (ci *cipher) message(p *program, iv, aad, in, out []byte, hand handing) {
	ci.iv(p, iv)
	if ci.seals && len(aad) > 0 {
		ci.update(p, 0, aad)
	}
	tag := []byte(nil)
	if ci.seals && ci.d == loop.Decrypt {
		in, tag = in[:len(in)-tagSize], in[len(in)-tagSize:]
	}
	hand(ci, p, in, out)
	if !ci.seals {
		return
	}
	if ci.d == loop.Decrypt {
		ci.tag(p, ctrlSetTag, tag)
	}
	ci.final(p, call.Bytes(out)+uintptr(len(in)))
	p.expecting(ci.length, 0)
	if ci.d == loop.Encrypt {
		ci.tag(p, ctrlGetTag, out[len(in):len(in)+tagSize])
	}
}

// handing appends the calls that hand over a message.
type handing func(ci *cipher, p *program, in, out []byte)

// whole hands over a message in one call.
func whole(ci *cipher, p *program, in, out []byte) {
	ci.update(p, call.Bytes(out), in)
	p.expecting(ci.length, len(in))
}

// oneshot is EVP_Cipher, which knows no end and keeps nothing for later; what seals
// has an end of its own, and is handed over as a whole.
func oneshot(ci *cipher, p *program, in, out []byte) {
	if ci.seals {
		whole(ci, p, in, out)
		return
	}
	p.add("EVP_Cipher", call.Positive, ci.ctx, call.Bytes(out), p.Bytes(in), uintptr(len(in)))
}

// inCalls hands over a message in calls of a size. Modes of blocks keep what is not
// a whole one until the next call, so how much each must write is known, and held
// against what it says.
func inCalls(size int, block bool) handing {
	return func(ci *cipher, p *program, in, out []byte) {
		wrote := 0
		for taken := 0; taken < len(in); {
			part := in[taken:min(taken+size, len(in))]
			ci.update(p, call.Bytes(out)+uintptr(wrote), part)
			taken += len(part)
			upTo := taken
			if block {
				upTo = taken / blockSize * blockSize
			}
			p.expecting(ci.length, upTo-wrote)
			wrote = upTo
		}
	}
}

// handingOf reads call=BYTES and way=WAY.
func handingOf(c result.Case) (handing, error) {
	if c.Parameter("way") == "" {
		return whole, nil
	}
	const mostCalls = 1 << 16
	size, err := strconv.Atoi(c.Parameter("call"))
	if err != nil || size < 1 || c.Bytes/int64(size) > mostCalls {
		return nil, provider.Unsupported("call-bytes", c.Parameter("call"), mostCalls)
	}
	switch c.Parameter("way") {
	case "update":
		return inCalls(size, c.Mode == "ECB" || c.Mode == "CBC"), nil
	case "oneshot":
		if int64(size) < c.Bytes {
			return nil, provider.Unsupported("oneshot-short")
		}
		return oneshot, nil
	}
	return nil, provider.Absent("not-offered", "openssl", c.Parameters)
}

// openMessages is a message under a kept context, or a mix of them.
func (o on) openMessages(c result.Case, v *provider.Vector) (provider.Operation, error) {
	d, err := loop.DirectionOf(c.Operation)
	if err != nil {
		return nil, err
	}
	hand, err := handingOf(c)
	if err != nil {
		return nil, err
	}
	a := o.session(o.path)
	ci := a.newCipher(c, d, v, unpadded)
	tag, spare := 0, 0
	switch {
	case ci.seals:
		tag = tagSize
	case ci.noIV || c.Mode == "CBC":
		spare = blockSize
	}
	return o.messages(a, d, v, tag, spare, func(p *program, m binding.Message) {
		ci.message(p, ivOf(c, m.Nonce), m.AAD, m.In, m.Out, hand)
	})
}

// messages is the operation of a vector's message, or of its sequence of them. Behind
// their outputs is room for what EVP may write besides: a block, of modes of blocks
// (EVP_EncryptInit(3)).
func (o on) messages(a *session, d loop.Direction, v *provider.Vector, tag, spare int,
	add func(p *program, m binding.Message)) (provider.Operation, error) {
	w := binding.WorkOf(v, d, &a.Outputs, spare)
	f := loop.Foreign{Want: w.Want, Out: w.Out}
	if d == loop.Encrypt {
		f.Tag = tag
	}
	p := a.program()
	for _, i := range w.Sequence {
		add(p, w.Messages[i])
	}
	if last := w.Messages[len(w.Messages)-1]; tag > 0 && d == loop.Decrypt {
		f.Sealed, f.Tagged = last.In, tag
		f.Open = func(tampered []byte) error {
			other := a.scratch()
			last.In = tampered
			add(other, last)
			return other.run(o.path, 1)
		}
	}
	return p.operation(o, f)
}
