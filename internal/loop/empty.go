package loop

import (
	"crypto"
	"crypto/cipher"
	"io"

	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// The kinds of timed loops, as Loop names them.
const (
	LoopBlock          = "block"
	LoopBulk           = "bulk"
	LoopBlockMode      = "blockmode"
	LoopStream         = "stream"
	LoopAEAD           = "aead"
	LoopHelper         = "helper"
	LoopSign           = "sign"
	LoopVerify         = "verify"
	LoopPublicEncrypt  = "encrypt"
	LoopPrivateDecrypt = "decrypt"
	LoopAgree          = "agree"
	LoopGenerate       = "generate"
	LoopHash           = "hash"
	LoopDerive         = "derive"
	LoopSchedule       = "schedule"
	LoopConstruct      = "new"
	LoopFresh          = "new+encrypt"
)

// Loops lists the kinds of timed loops.
func Loops() []string {
	return []string{LoopBlock, LoopBulk, LoopBlockMode, LoopStream, LoopAEAD, LoopHelper,
		LoopSign, LoopVerify, LoopPublicEncrypt, LoopPrivateDecrypt, LoopAgree, LoopGenerate,
		LoopHash, LoopDerive, LoopSchedule, LoopConstruct, LoopFresh, LoopEnvelopeSeal, LoopEnvelopeOpen}
}

// NewEmpty is a kind's loop around nothing: what it takes is the laboratory's own
// cost. The loop is the very one that libraries run in, with the same buffers
// passed through the same interfaces; only the callee returns at once.
func NewEmpty(kind string) (provider.Operation, error) {
	v := &provider.Vector{Nonce: make([]byte, 16), Plaintext: make([]byte, 16), Ciphertext: make([]byte, 16)}
	switch kind {
	case LoopBlock:
		return emptied(NewBlockLoop(nothing{}, Encrypt, v).(*blockLoop)), nil
	case LoopBulk:
		return emptied(NewBulk(nothing{}, Encrypt, v).(*bulk)), nil
	case LoopBlockMode:
		return emptied(NewBlockMode(nothing{}, emptyMode, Encrypt, v).(*blockMode)), nil
	case LoopStream:
		return emptied(NewStream(nothing{}, emptyStream, Encrypt, v).(*streamed)), nil
	case LoopAEAD:
		return emptied(NewAEAD(emptyAEAD{}, Encrypt, v).(*seal)), nil
	case LoopHelper:
		h := Helper{Call: emptyCall, In: v.Plaintext}
		return emptied(NewHelper(h).(*helper)), nil
	case LoopSign:
		return emptied(NewSign(emptyKey{}, nil, v).(*sign)), nil
	case LoopVerify:
		return emptied(NewVerify(emptyVerify, v).(*verification)), nil
	case LoopPublicEncrypt:
		return emptied(NewPublicEncrypt(emptyCall, v).(*publicEncrypt)), nil
	case LoopPrivateDecrypt:
		return emptied(NewPrivateDecrypt(emptyKey{}, nil, NoIntegrity, v).(*privateDecrypt)), nil
	case LoopAgree:
		return emptied(NewAgree(emptyAgree, v).(*agreement)), nil
	case LoopGenerate:
		return emptied(NewGenerate(emptyAgree, nil).(*generation[[]byte])), nil
	}
	return emptySetup(kind, v)
}

// emptySetup are the empty operations of the loops around hashes, and of those
// that make ciphers.
func emptySetup(kind string, v *provider.Vector) (provider.Operation, error) {
	switch kind {
	case LoopHash:
		return emptied(NewHash(nothing{}, v).(*digest)), nil
	case LoopDerive:
		return emptied(NewDerive(emptyDerive, v).(*derivation)), nil
	case LoopSchedule:
		return emptied(NewSchedule(emptyBlock, v).(*scheduling)), nil
	case LoopConstruct:
		return emptied(NewConstruct(emptyNew, v).(*construction)), nil
	case LoopEnvelopeSeal:
		return emptied(NewEnvelopeSeal(emptyEnvelope, v).(*envelopeSeal)), nil
	case LoopEnvelopeOpen:
		return emptied(NewEnvelopeOpen(emptyEnvelope, v).(*envelopeOpen)), nil
	case LoopFresh:
		return emptied(NewFreshSeal(emptyNew, v).(*freshSeal)), nil
	}
	return nil, provider.Absent("not-offered", "harness", kind)
}

// emptied marks an operation as one without output. There is nothing to judge
// but that it ran.
func emptied[O interface {
	provider.Operation
	noOutput()
}](o O) provider.Operation {
	o.noOutput()
	return o
}

func (o *output) noOutput() { o.blank = true }

type nothing struct{}

func (nothing) BlockSize() int              { return 16 }
func (nothing) Size() int                   { return 16 }
func (nothing) Reset()                      {}
func (nothing) Write(b []byte) (int, error) { return len(b), nil }
func (nothing) Sum(b []byte) []byte         { return b }
func (nothing) Encrypt(dst, src []byte)     {}
func (nothing) Decrypt(dst, src []byte)     {}
func (nothing) CryptBlocks(dst, src []byte) {}
func (nothing) XORKeyStream(dst, src []byte) {
}

func emptyEnvelope(dst, in []byte) ([]byte, error)    { return in, nil }
func emptyMode(cipher.Block, []byte) cipher.BlockMode { return nothing{} }
func emptyStream(cipher.Block, []byte) cipher.Stream  { return nothing{} }
func emptyCall(in []byte) ([]byte, error)             { return in, nil }

type emptyAEAD struct{}

func (emptyAEAD) NonceSize() int                           { return 16 }
func (emptyAEAD) Overhead() int                            { return 0 }
func (emptyAEAD) Seal(dst, nonce, in, aad []byte) []byte   { return dst }
func (emptyAEAD) Open(dst, _, _, _ []byte) ([]byte, error) { return dst, nil }

func emptyDerive(_, _, _ []byte, _ int) ([]byte, error) { return nil, nil }
func emptyBlock([]byte) (cipher.Block, error)           { return nothing{}, nil }
func emptyNew([]byte) (cipher.AEAD, error)              { return emptyAEAD{}, nil }

func emptyVerify(_, _ []byte) error { return nil }
func emptyAgree() ([]byte, error)   { return nil, nil }

type emptyKey struct{}

func (emptyKey) Public() crypto.PublicKey                                        { return nil }
func (emptyKey) Sign(io.Reader, []byte, crypto.SignerOpts) ([]byte, error)       { return nil, nil }
func (emptyKey) Decrypt(io.Reader, []byte, crypto.DecrypterOpts) ([]byte, error) { return nil, nil }
