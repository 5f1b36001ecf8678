package loop

import (
	"bytes"
	"cmp"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/subtle"
	"encoding/binary"
	"hash"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// NewAEAD seals or opens whole messages into a reused buffer. In the direction
// Decrypt, Check proves too that tampered text is refused. A vector of several
// messages is replayed, all of them in one call.
func NewAEAD(a cipher.AEAD, d Direction, v *provider.Vector) provider.Operation {
	switch {
	case len(v.Sequence) > 0:
		return newReplay(a, d, v)
	case d == Decrypt:
		return newOpen(a, v)
	}
	o := compared(algorithm.AEADLoop, v.Ciphertext)
	o.tag = tagSize(a)
	o.run = func(n int) error {
		for range n {
			o.got = a.Seal(o.got[:0], v.Nonce, v.Plaintext, v.AAD)
		}
		return nil
	}
	return o
}

func newOpen(a cipher.AEAD, v *provider.Vector) *timed {
	// CBC with padding decrypts more than the plaintext before it cuts it off.
	o := &timed{loop: algorithm.AEADLoop, output: placedOutput(v.Plaintext, len(v.Ciphertext))}
	o.run = func(n int) error {
		for i := range n {
			got, err := a.Open(o.got[:0], v.Nonce, v.Ciphertext, v.AAD)
			if err != nil {
				return reason.New("opening", i+1, n, err)
			}
			o.got = got
		}
		return nil
	}
	o.refuse = func(round int) error { return refusesMessage(a, &o.output, v.Nonce, v.Ciphertext, v.AAD, round) }
	return o
}

func refusesMessage(a cipher.AEAD, o *output, nonce, sealed, aad []byte, round int) error {
	defer o.spoil() // a failed Open may leave the plaintext behind
	return refuses(sealed, tagSize(a), round, func(tampered []byte) error {
		_, err := a.Open(o.got[:0], nonce, tampered, aad)
		return err
	})
}

// newReplay seals or opens the messages of a vector one after the other, in the
// order of its sequence: one call takes the whole sequence. So every sample of
// every library has done the same work, however many calls it had, and the time of
// a call over the number of messages is the mean of the traffic, without bias.
//
// Each distinct message has an output of its own, and each output is judged. Of one
// message a time, in turn, it is proved that tampered forms are refused.
func newReplay(a cipher.AEAD, d Direction, v *provider.Vector) *timed {
	outputs := sealedOutputs(v.Messages, tagSize(a))
	o := &timed{loop: algorithm.AEADLoop, judge: func() error {
		if i, err := judgeAll(outputs); err != nil {
			return reason.New("message", i, len(v.Messages[i].Plaintext), err)
		}
		return nil
	}}
	if d == Encrypt {
		o.run = func(n int) error {
			for range n {
				for _, i := range v.Sequence {
					m, out := &v.Messages[i], &outputs[i]
					out.got = a.Seal(out.got[:0], m.Nonce, m.Plaintext, v.AAD)
				}
			}
			return nil
		}
		return o
	}
	for i, m := range v.Messages {
		outputs[i] = newOutput(m.Plaintext, len(m.Ciphertext))
	}
	o.run = func(n int) error {
		for range n {
			for _, i := range v.Sequence {
				m, out := &v.Messages[i], &outputs[i]
				got, err := a.Open(out.got[:0], m.Nonce, m.Ciphertext, v.AAD)
				if err != nil {
					return reason.New("opening-bytes", len(m.Plaintext), err)
				}
				out.got = got
			}
		}
		return nil
	}
	o.refuse = func(round int) error {
		i := round % len(outputs)
		return refusesMessage(a, &outputs[i], v.Messages[i].Nonce, v.Messages[i].Ciphertext, v.AAD, round)
	}
	return o
}

func sealedOutputs(messages []provider.Message, tag int) (outputs []output) {
	for _, m := range messages {
		o := newOutput(m.Ciphertext, 0)
		o.tag = tag
		outputs = append(outputs, o)
	}
	return outputs
}

// tagSize is the overhead, but for a composite whose overhead holds padding too.
func tagSize(a cipher.AEAD) int {
	if t, ok := a.(interface{ TagSize() int }); ok {
		return t.TagSize()
	}
	return a.Overhead()
}

type NewAEADFunc func(key []byte) (cipher.AEAD, error)

// NewConstruct builds a cipher for whole messages under the vector's key, again
// and again. Check proves that the one made last seals and opens rightly.
func NewConstruct(construct NewAEADFunc, v *provider.Vector) provider.Operation {
	return accepted(algorithm.ConstructLoop, construct, v.Key, func(a cipher.AEAD) error {
		return worksBothWays("made-last", func(d Direction) provider.Operation { return NewAEAD(a, d, v) })
	})
}

// NewFreshSeal builds a cipher for each message and seals the message with it: what a
// program pays that keeps no cipher. It is not the speed of the cipher, and has a name
// of its own so that nobody takes it for that.
func NewFreshSeal(construct NewAEADFunc, v *provider.Vector) provider.Operation {
	o := compared(algorithm.FreshLoop, v.Ciphertext)
	o.tag = len(v.Ciphertext) - len(v.Plaintext)
	o.run = func(n int) error {
		for range n {
			a, err := construct(v.Key)
			if err != nil {
				return err
			}
			o.got = a.Seal(o.got[:0], v.Nonce, v.Plaintext, v.AAD)
		}
		return nil
	}
	return o
}

// Helper is a library's one-call function that schedules the key, and often pads,
// inside the call, and returns a buffer of its own.
type Helper struct {
	Call   func(in []byte) ([]byte, error)
	Before func() error // called once a Run, before its loop, to set what the library keeps in globals; may be nil
	In     []byte
	Want   []byte
	Tag    int // how many bytes at the end of Want are a tag

	// Open opens a sealed text where the helper is an authenticated one. With it, Check proves that tampered
	// forms of Sealed, whose last algorithm.TagBytes are the tag, are refused.
	Open   func(sealed []byte) ([]byte, error)
	Sealed []byte
}

func NewHelper(h Helper) provider.Operation {
	o := &timed{loop: algorithm.HelperLoop, output: output{want: h.Want, tag: h.Tag}}
	o.run = calls(&o.got, h.Call, h.In, asItIs)
	if h.Before != nil {
		loop := o.run
		o.run = func(n int) error {
			if err := h.Before(); err != nil {
				return err
			}
			return loop(n)
		}
	}
	if h.Open != nil {
		round := -1
		open := func(sealed []byte) error { _, err := h.Open(sealed); return err }
		o.judge = func() error {
			round++
			wrong, opens := o.output.judge(), refuses(h.Sealed, algorithm.TagBytes, round, open)
			if wrong != nil && opens != nil { // to compute a wrong tag and to verify none are two findings
				return reason.New("and", wrong, opens)
			}
			return cmp.Or(wrong, opens)
		}
	}
	return o
}

// EncryptThenMAC composes a block cipher in CBC mode with PKCS #7 padding
// (RFC 5652 §6.3) and HMAC (FIPS 198-1, GB/T 15852.2) into an AEAD. The nonce is
// CBC's IV, one block; the sealed text is ciphertext‖tag with the hash's whole
// digest as the tag. Opening verifies the tag, in constant time, before anything
// is decrypted.
//
// The tag is over IV‖ciphertext. Where there is additional data it is over
// IV‖ciphertext‖AAD‖zeros to a whole block‖len(AAD) in bits as 64 bits: that
// input is never whole blocks, and the other always is, so neither can be passed
// off as the other.
//
// It keeps the state of the hash, and so is an AEAD for one goroutine.
func EncryptThenMAC(b cipher.Block, newHash func() hash.Hash, macKey []byte) (cipher.AEAD, error) {
	if b.BlockSize() != etmBlock {
		return nil, reason.New("etm-block", etmBlock, b.BlockSize())
	}
	mac := hmac.New(newHash, macKey)
	return &encryptThenMAC{block: b, mac: mac, sum: make([]byte, 0, mac.Size())}, nil
}

const etmBlock = 16

type encryptThenMAC struct {
	block   cipher.Block
	mac     hash.Hash
	sum     []byte             // sum, last and trailer are fields and not variables of the calls,
	last    [etmBlock]byte     // because arguments of an interface call escape
	trailer [etmBlock + 8]byte // zeros between calls
}

var errTag = reason.New("tag-refused")

func (e *encryptThenMAC) NonceSize() int { return etmBlock }

// TagSize is the part of the overhead that is no padding.
func (e *encryptThenMAC) TagSize() int { return e.mac.Size() }

// Overhead is the longest: the tag and a whole block of padding.
func (e *encryptThenMAC) Overhead() int { return e.mac.Size() + etmBlock }

func (e *encryptThenMAC) Seal(dst, iv, plaintext, aad []byte) []byte {
	whole := len(plaintext) &^ (etmBlock - 1)
	padded := whole + etmBlock
	dst = slices.Grow(dst, padded+e.mac.Size())
	ret := dst[:len(dst)+padded+e.mac.Size()]
	out := ret[len(dst):]

	n := copy(e.last[:], plaintext[whole:]) // before CBC writes: out may be plaintext's own storage
	for i := range e.last[n:] {
		e.last[n+i] = byte(etmBlock - n)
	}
	mode := cipher.NewCBCEncrypter(e.block, iv)
	mode.CryptBlocks(out[:whole], plaintext[:whole])
	mode.CryptBlocks(out[whole:padded], e.last[:])
	copy(out[padded:], e.tag(iv, out[:padded], aad))
	return ret
}

func (e *encryptThenMAC) Open(dst, iv, sealed, aad []byte) ([]byte, error) {
	padded := len(sealed) - e.mac.Size()
	if padded < etmBlock || padded%etmBlock != 0 || len(iv) != etmBlock {
		return nil, errTag
	}
	ciphertext := sealed[:padded]
	if subtle.ConstantTimeCompare(e.tag(iv, ciphertext, aad), sealed[padded:]) != 1 {
		return nil, errTag
	}
	dst = slices.Grow(dst, padded)
	out := dst[len(dst) : len(dst)+padded]
	cipher.NewCBCDecrypter(e.block, iv).CryptBlocks(out, ciphertext)
	n, err := unpad(out)
	if err != nil {
		return nil, err
	}
	return dst[:len(dst)+n], nil
}

// unpad returns the length without padding. The tag was right, so the padding is
// the sealer's own and its timing tells an attacker nothing.
func unpad(padded []byte) (int, error) {
	last := padded[len(padded)-1:]
	n := int(last[0])
	if n < 1 || n > etmBlock || bytes.Count(padded[len(padded)-n:], last) != n {
		return 0, reason.New("padding")
	}
	return len(padded) - n, nil
}

// tag returns the tag in storage that the next call reuses.
func (e *encryptThenMAC) tag(iv, ciphertext, aad []byte) []byte {
	e.mac.Reset()
	e.mac.Write(iv)
	e.mac.Write(ciphertext)
	if len(aad) > 0 {
		e.mac.Write(aad)
		fill := -len(aad) & (etmBlock - 1)
		binary.BigEndian.PutUint64(e.trailer[fill:], uint64(len(aad))*8)
		e.mac.Write(e.trailer[:fill+8])
		clear(e.trailer[:])
	}
	e.sum = e.mac.Sum(e.sum[:0])
	return e.sum
}
