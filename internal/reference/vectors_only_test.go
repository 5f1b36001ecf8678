package reference

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"slices"
)

// What the standards' vectors need and nothing here is judged by.

// DigestInfoSHA512 wraps a digest of SHA-512 for RSASignPKCS1v15 and RSAVerifyPKCS1v15.
func DigestInfoSHA512(digest []byte) []byte {
	return digestInfo([]byte{0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 3}, digest) // 2.16.840.1.101.3.4.2.3
}

// DecryptECB reverses EncryptECB.
func DecryptECB(b Block, src []byte) []byte {
	must(len(src)%BlockSize == 0, "ECB needs whole blocks")
	dst := append([]byte{}, src...)
	for block := range slices.Chunk(dst, BlockSize) {
		decrypt(b, block)
	}
	return dst
}

// DecryptCFB reverses EncryptCFB.
func DecryptCFB(b Block, iv, src []byte) []byte {
	return chained(iv, src, func(block, chain []byte) {
		ciphertext := bytes.Clone(block)
		b.Encrypt(chain, chain)
		xorInto(block, chain)
		copy(chain, ciphertext)
	})
}

// UnwrapKey returns the key that was wrapped, or ErrOpen: KW-AD of SP 800-38F §6.2.
func UnwrapKey(b Block, wrapped []byte) ([]byte, error) {
	n := len(wrapped)/wrapUnit - 1
	if len(wrapped)%wrapUnit != 0 || n < 2 {
		return nil, ErrOpen
	}
	out := bytes.Clone(wrapped)
	var block [BlockSize]byte
	for t := wrapRounds * n; t > 0; t-- {
		unit := out[wrapUnit*((t-1)%n+1):][:wrapUnit]
		binary.BigEndian.PutUint64(block[:], binary.BigEndian.Uint64(out)^uint64(t))
		copy(block[wrapUnit:], unit)
		decrypt(b, block[:])
		copy(out, block[:wrapUnit])
		copy(unit, block[wrapUnit:])
	}
	if !bytes.Equal(out[:wrapUnit], bytes.Repeat([]byte{0xa6}, wrapUnit)) {
		return nil, ErrOpen
	}
	return out[wrapUnit:], nil
}

// OpenCBCHMAC returns the plaintext of sealed = ciphertext‖tag. The tag is judged before the padding is looked at,
// so anything changed on the way is ErrOpen.
func OpenCBCHMAC(b Block, hash func([]byte) []byte, blockSize int, macKey, iv, sealed []byte) ([]byte, error) {
	n := len(sealed) - len(hash(nil))
	if n < 0 || n%BlockSize != 0 || !bytes.Equal(sealed[n:], HMAC(hash, blockSize, macKey, slices.Concat(iv, sealed[:n]))) {
		return nil, ErrOpen
	}
	return UnpadPKCS7(DecryptCBC(b, iv, sealed[:n]))
}

// BLAKE2b256 returns the digest of msg by BLAKE2b without a key, 32 bytes (RFC 7693 §3.3). It is not a part of
// BLAKE2b512's, whose parameters differ.
func BLAKE2b256(msg []byte) []byte { return sumBLAKE2b(32, msg) }

func hexInt(s string) *big.Int {
	n, ok := new(big.Int).SetString(s, 16)
	must(ok, "not a hexadecimal number: "+s)
	return n
}
