//go:build linux && (amd64 || arm64)

package openssl

import (
	stdcipher "crypto/cipher"
	"errors"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// askExposure encrypts a picture: what a mode gives away has no speed.
func askExposure(s *binding.Session, c result.Case, _ *provider.Vector) (provider.Scenario, error) {
	fetch(s, "EVP_CIPHER_fetch", cipherName(c))
	blocks := loop.BlockCipher{
		ECB: func(b stdcipher.Block, _ loop.Direction) stdcipher.BlockMode { return b.(exposed) },
		New: func(key []byte) (stdcipher.Block, error) {
			return exposed{s.Library, c.Algorithm, algorithm.ECB, key, nil}, s.Err
		},
	}
	return blocks.OpenExposure(c, s.Vectors)
}

// exposed is a keyed cipher in Go's shapes, each message with a context of its own.
type exposed struct {
	*binding.Library
	algorithm algorithm.Name
	mode      algorithm.Mode
	key, iv   []byte
}

func (e exposed) BlockSize() int               { return binding.BlockSize }
func (e exposed) Encrypt(dst, src []byte)      { e.XORKeyStream(dst, src) }
func (e exposed) Decrypt(_, _ []byte)          { panic("openssl: internal error: nothing is decrypted here") }
func (e exposed) CryptBlocks(dst, src []byte)  { e.XORKeyStream(dst, src) }
func (e exposed) XORKeyStream(dst, src []byte) { e.crypt(dst, src) }

func (e exposed) NewCBCEncrypter(iv []byte) stdcipher.BlockMode {
	return exposed{e.Library, e.algorithm, algorithm.CBC, e.key, iv}
}

func (e exposed) NewCTR(iv []byte) stdcipher.Stream {
	return exposed{e.Library, e.algorithm, algorithm.CTR, e.key, iv}
}

func (e exposed) crypt(dst, src []byte) {
	s := e.Session(call.Purego)
	defer s.Close()
	ci := newCipher(s, result.Case{Algorithm: e.algorithm, Mode: e.mode}, loop.Encrypt, e.key, unpadded)
	p, out := s.Program(), s.Room(len(src) + binding.BlockSize)[:len(src)]
	ci.message(p, binding.Message{Nonce: e.iv, In: src, Out: out}, whole)
	if err := errors.Join(p.Times(1), s.Outputs.Check()); err != nil {
		panic(err)
	}
	copy(dst, out)
}
