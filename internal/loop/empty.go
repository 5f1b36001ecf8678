package loop

import (
	"crypto"
	"crypto/cipher"
	"io"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// NewEmpty is a kind's loop (algorithm.Loops) around nothing: what it takes is the
// laboratory's own cost. The loop is the very one that libraries run in, with the same
// buffers passed through the same interfaces; only the callee returns at once.
func NewEmpty(kind string) (provider.Operation, error) {
	v := &provider.Vector{Nonce: make([]byte, 16), Plaintext: make([]byte, 16), Ciphertext: make([]byte, 16)}
	o, ok := map[string]provider.Operation{
		algorithm.BlockLoop:          NewBlockLoop(nothing{}, Encrypt, v),
		algorithm.BulkLoop:           NewBulk(nothing{}, Encrypt, v),
		algorithm.BlockModeLoop:      NewBlockMode(nothing{}, emptyMode, Encrypt, v),
		algorithm.StreamLoop:         NewStream(nothing{}, emptyStream, Encrypt, v),
		algorithm.AEADLoop:           NewAEAD(nothing{}, Encrypt, v),
		algorithm.HelperLoop:         NewHelper(Helper{Call: emptyCall, In: v.Plaintext}),
		algorithm.SignLoop:           NewSign(emptyKey{}, nil, v),
		algorithm.VerifyLoop:         NewVerify(func(_, _ []byte) error { return nil }, v),
		algorithm.PublicEncryptLoop:  NewPublicEncrypt(emptyCall, v),
		algorithm.PrivateDecryptLoop: NewPrivateDecrypt(emptyKey{}, nil, NoIntegrity, v),
		algorithm.AgreeLoop:          NewAgree(emptyMake, v),
		algorithm.GenerateLoop:       NewGenerate(emptyMake, nil),
		algorithm.HashLoop:           NewHash(nothing{}, v),
		algorithm.DeriveLoop:         NewDerive(func(_, _, _ []byte, _ int) ([]byte, error) { return nil, nil }, v),
		algorithm.DrawLoop:           NewDraw(func(b []byte) (int, error) { return len(b), nil }, v),
		algorithm.ScheduleLoop:       NewSchedule(func([]byte) (cipher.Block, error) { return nothing{}, nil }, v),
		algorithm.ConstructLoop:      NewConstruct(emptyNew, v),
		algorithm.FreshLoop:          NewFreshSeal(emptyNew, v),
		algorithm.EnvelopeSealLoop:   NewEnvelopeSeal(emptyEnvelope, v),
		algorithm.EnvelopeOpenLoop:   NewEnvelopeOpen(emptyEnvelope, v),
	}[kind]
	if !ok {
		return nil, provider.Absent("not-offered", "harness", kind)
	}
	o.(interface{ noOutput() }).noOutput()
	return o, nil
}

// noOutput leaves nothing to judge but that the operation ran.
func (o *timed) noOutput() { o.judge, o.refuse = succeed, nil }

type nothing struct{}

func (nothing) BlockSize() int                           { return 16 }
func (nothing) Size() int                                { return 16 }
func (nothing) Reset()                                   {}
func (nothing) Write(b []byte) (int, error)              { return len(b), nil }
func (nothing) Sum(b []byte) []byte                      { return b }
func (nothing) Encrypt(dst, src []byte)                  {}
func (nothing) Decrypt(dst, src []byte)                  {}
func (nothing) CryptBlocks(dst, src []byte)              {}
func (nothing) XORKeyStream(_, _ []byte)                 {}
func (nothing) NonceSize() int                           { return 16 }
func (nothing) Overhead() int                            { return 0 }
func (nothing) Seal(dst, nonce, in, aad []byte) []byte   { return dst }
func (nothing) Open(dst, _, _, _ []byte) ([]byte, error) { return dst, nil }

func emptyMode(cipher.Block, []byte) cipher.BlockMode { return nothing{} }
func emptyStream(cipher.Block, []byte) cipher.Stream  { return nothing{} }
func emptyEnvelope(dst, in []byte) ([]byte, error)    { return in, nil }
func emptyCall(in []byte) ([]byte, error)             { return in, nil }
func emptyMake() ([]byte, error)                      { return nil, nil }
func emptyNew([]byte) (cipher.AEAD, error)            { return nothing{}, nil }

type emptyKey struct{}

func (emptyKey) Public() crypto.PublicKey                                        { return nil }
func (emptyKey) Sign(io.Reader, []byte, crypto.SignerOpts) ([]byte, error)       { return nil, nil }
func (emptyKey) Decrypt(io.Reader, []byte, crypto.DecrypterOpts) ([]byte, error) { return nil, nil }
