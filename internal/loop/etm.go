package loop

import (
	"crypto/cipher"
	"crypto/hmac"
	"crypto/subtle"
	"encoding/binary"
	"hash"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/reason"
)

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
	n := int(padded[len(padded)-1])
	if n < 1 || n > etmBlock {
		return 0, reason.New("padding")
	}
	for _, v := range padded[len(padded)-n:] {
		if int(v) != n {
			return 0, reason.New("padding")
		}
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
