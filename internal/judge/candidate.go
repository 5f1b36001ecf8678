package judge

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha3"
	"hash"

	smcipher "github.com/emmansun/gmsm/cipher"
	"github.com/emmansun/gmsm/sm3"
	"github.com/emmansun/gmsm/sm4"
	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/reference"
	"github.com/cryptogauge/cryptogauge/result"
)

// candidate produces a case's output quickly, by libraries that are themselves
// under test. It proves nothing: the caller compares its digest with the
// reference's. A library that panics gives an error.
func candidate(key result.Case, v *provider.Vector) (out []byte, err error) {
	err = provider.Guard(func() error {
		if key.Operation == streaming.Operation {
			out, err = candidateStream(key, v)
			return err
		}
		if key.Algorithm == algorithm.ChaCha20Poly1305 {
			var a cipher.AEAD
			if a, err = chacha20poly1305.New(v.Key); err == nil {
				out = a.Seal(nil, v.Nonce, v.Plaintext, v.AAD)
			}
			return err
		}
		if key.Algorithm == algorithm.ChaCha20 {
			var s *chacha20.Cipher
			if s, err = chacha20.NewUnauthenticatedCipher(v.Key, v.Nonce); err == nil {
				out = make([]byte, len(v.Plaintext))
				s.XORKeyStream(out, v.Plaintext)
			}
			return err
		}
		newBlock := aes.NewCipher
		if key.Algorithm == algorithm.SM4 {
			newBlock = sm4.NewCipher
		}
		b, err := newBlock(v.Key)
		if err != nil {
			return err
		}
		out, err = encryptFast(b, key, v)
		return err
	})
	return out, err
}

func encryptFast(b cipher.Block, key result.Case, v *provider.Vector) ([]byte, error) {
	in := v.Plaintext
	if key.Operation == padded {
		in = reference.PadPKCS7(in)
	}
	out := make([]byte, len(in))
	switch key.Mode {
	case algorithm.ECB:
		smcipher.NewECBEncrypter(b).CryptBlocks(out, in)
	case algorithm.CBC:
		cipher.NewCBCEncrypter(b, v.Nonce).CryptBlocks(out, in)
	case algorithm.CFB:
		//lint:ignore SA1019 the laboratory measures what people still use
		cipher.NewCFBEncrypter(b, v.Nonce).XORKeyStream(out, in)
	case algorithm.OFB:
		//lint:ignore SA1019 the laboratory measures what people still use
		cipher.NewOFB(b, v.Nonce).XORKeyStream(out, in)
	case algorithm.CTR:
		cipher.NewCTR(b, v.Nonce).XORKeyStream(out, in)
	case algorithm.GCM:
		return sealFast(v)(cipher.NewGCM(b))
	case algorithm.CBCHMACSM3:
		return sealFast(v)(loop.EncryptThenMAC(b, sm3.New, v.MACKey))
	case algorithm.CBCHMACSHA256:
		return sealFast(v)(loop.EncryptThenMAC(b, sha256.New, v.MACKey))
	default:
		return nil, reason.New("no-fast", key.Name())
	}
	return out, nil
}

// candidateHash is candidate for hashes, keyed or not.
func candidateHash(c result.Case, v *provider.Vector) (out []byte, err error) {
	var newHash func() hash.Hash
	switch c.Algorithm {
	case algorithm.MD5:
		newHash = md5.New
	case algorithm.SHA256, algorithm.HMACSHA256:
		newHash = sha256.New
	case algorithm.SHA3of256:
		newHash = func() hash.Hash { return sha3.New256() }
	case algorithm.BLAKE2b512:
		newHash = func() hash.Hash { h, _ := blake2b.New512(nil); return h }
	case algorithm.SM3, algorithm.HMACSM3:
		newHash = sm3.New
	default:
		return nil, reason.New("no-fast", c.Name())
	}
	err = provider.Guard(func() error {
		h := newHash()
		if c.Operation == keyed {
			h = hmac.New(newHash, v.Key)
		}
		h.Write(v.Plaintext)
		out = h.Sum(nil)
		return nil
	})
	return out, err
}

func sealFast(v *provider.Vector) func(cipher.AEAD, error) ([]byte, error) {
	return func(a cipher.AEAD, err error) ([]byte, error) {
		if err != nil {
			return nil, err
		}
		return a.Seal(nil, v.Nonce, v.Plaintext, v.AAD), nil
	}
}
