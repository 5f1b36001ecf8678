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
	construct, ok := map[string]func(v *provider.Vector) provider.Operation{
		algorithm.BlockLoop: func(v *provider.Vector) provider.Operation { return NewBlockLoop(nothing{}, Encrypt, v) },
		algorithm.BulkLoop:  func(v *provider.Vector) provider.Operation { return NewBulk(nothing{}, Encrypt, v) },
		algorithm.BlockModeLoop: func(v *provider.Vector) provider.Operation {
			return NewBlockMode(nothing{}, func(cipher.Block, []byte) cipher.BlockMode { return nothing{} }, Encrypt, v)
		},
		algorithm.StreamLoop: func(v *provider.Vector) provider.Operation {
			return NewStream(nothing{}, func(cipher.Block, []byte) cipher.Stream { return nothing{} }, Encrypt, v)
		},
		algorithm.AEADLoop: func(v *provider.Vector) provider.Operation { return NewAEAD(emptyAEAD{}, Encrypt, v) },
		algorithm.HelperLoop: func(v *provider.Vector) provider.Operation {
			return NewHelper(Helper{Call: emptyCall, In: v.Plaintext})
		},
		algorithm.SignLoop: func(v *provider.Vector) provider.Operation { return NewSign(emptyKey{}, nil, v) },
		algorithm.VerifyLoop: func(v *provider.Vector) provider.Operation {
			return NewVerify(func(_, _ []byte) error { return nil }, v)
		},
		algorithm.PublicEncryptLoop: func(v *provider.Vector) provider.Operation { return NewPublicEncrypt(emptyCall, v) },
		algorithm.PrivateDecryptLoop: func(v *provider.Vector) provider.Operation {
			return NewPrivateDecrypt(emptyKey{}, nil, NoIntegrity, v)
		},
		algorithm.AgreeLoop:    func(v *provider.Vector) provider.Operation { return NewAgree(emptyMake, v) },
		algorithm.GenerateLoop: func(v *provider.Vector) provider.Operation { return NewGenerate(emptyMake, nil) },
		algorithm.HashLoop:     func(v *provider.Vector) provider.Operation { return NewHash(nothing{}, v) },
		algorithm.DeriveLoop: func(v *provider.Vector) provider.Operation {
			return NewDerive(func(_, _, _ []byte, _ int) ([]byte, error) { return nil, nil }, v)
		},
		algorithm.ScheduleLoop: func(v *provider.Vector) provider.Operation {
			return NewSchedule(func([]byte) (cipher.Block, error) { return nothing{}, nil }, v)
		},
		algorithm.ConstructLoop:    func(v *provider.Vector) provider.Operation { return NewConstruct(emptyNew, v) },
		algorithm.FreshLoop:        func(v *provider.Vector) provider.Operation { return NewFreshSeal(emptyNew, v) },
		algorithm.EnvelopeSealLoop: func(v *provider.Vector) provider.Operation { return NewEnvelopeSeal(emptyEnvelope, v) },
		algorithm.EnvelopeOpenLoop: func(v *provider.Vector) provider.Operation { return NewEnvelopeOpen(emptyEnvelope, v) },
	}[kind]
	if !ok {
		return nil, provider.Absent("not-offered", "harness", kind)
	}
	v := &provider.Vector{Nonce: make([]byte, 16), Plaintext: make([]byte, 16), Ciphertext: make([]byte, 16)}
	o := construct(v)
	o.(interface{ noOutput() }).noOutput()
	return o, nil
}

func (o *timed) noOutput() { o.blank = true }

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

func emptyEnvelope(dst, in []byte) ([]byte, error) { return in, nil }
func emptyCall(in []byte) ([]byte, error)          { return in, nil }
func emptyMake() ([]byte, error)                   { return nil, nil }
func emptyNew([]byte) (cipher.AEAD, error)         { return emptyAEAD{}, nil }

type emptyAEAD struct{}

func (emptyAEAD) NonceSize() int                           { return 16 }
func (emptyAEAD) Overhead() int                            { return 0 }
func (emptyAEAD) Seal(dst, nonce, in, aad []byte) []byte   { return dst }
func (emptyAEAD) Open(dst, _, _, _ []byte) ([]byte, error) { return dst, nil }

type emptyKey struct{}

func (emptyKey) Public() crypto.PublicKey                                        { return nil }
func (emptyKey) Sign(io.Reader, []byte, crypto.SignerOpts) ([]byte, error)       { return nil, nil }
func (emptyKey) Decrypt(io.Reader, []byte, crypto.DecrypterOpts) ([]byte, error) { return nil, nil }
