package aes

import (
	"crypto/subtle"
	"encoding/binary"
	"math/bits"
)

// Encrypt encrypts one block.
func (k *Keys) Encrypt(dst, src *[blockSize]byte) {
	wideEncryptBlock(&k.enc, &dst[0], &src[0])
}

// Decrypt decrypts one block.
func (k *Keys) Decrypt(dst, src *[blockSize]byte) {
	wideDecryptBlock(&k.dec, &dst[0], &src[0])
}

// EncryptBlocks encrypts whole blocks one by one.
func (k *Keys) EncryptBlocks(dst, src []byte) {
	for len(src) > 0 {
		n := min(len(src), callBytes)
		wideECBEncrypt(&k.enc, &dst[0], &src[0], n)
		dst, src = dst[n:], src[n:]
	}
}

// DecryptBlocks is the inverse of EncryptBlocks.
func (k *Keys) DecryptBlocks(dst, src []byte) {
	for len(src) > 0 {
		n := min(len(src), callBytes)
		wideECBDecrypt(&k.dec, &dst[0], &src[0], n)
		dst, src = dst[n:], src[n:]
	}
}

// CBCEncrypt encrypts whole blocks of one message and leaves the last one in iv.
func (k *Keys) CBCEncrypt(dst, src []byte, iv *[blockSize]byte) {
	for len(src) > 0 {
		n := min(len(src), chainBytes)
		wideCBCEncrypt(&k.enc, &dst[0], &src[0], iv, n)
		dst, src = dst[n:], src[n:]
	}
}

// CBCDecrypt decrypts whole blocks and leaves the last one of src in iv.
func (k *Keys) CBCDecrypt(dst, src []byte, iv *[blockSize]byte) {
	if len(src) == blockSize {
		last := [blockSize]byte(src)
		k.Decrypt((*[blockSize]byte)(dst), &last)
		subtle.XORBytes(dst, dst[:blockSize], iv[:])
		*iv = last
		return
	}
	for len(src) > 0 {
		n := min(len(src), callBytes)
		last := [blockSize]byte(src[n-blockSize:])
		wideCBCDecrypt(&k.dec, &dst[0], &src[0], iv, n)
		*iv = last
		dst, src = dst[n:], src[n:]
	}
}

// XTSEncrypt encrypts whole blocks and advances the tweak, which is that of the first block already encrypted
// (IEEE 1619-2018, section 5.3).
func (k *Keys) XTSEncrypt(dst, src []byte, tweak *[blockSize]byte) {
	for len(src) > 0 {
		n := min(len(src), callBytes)
		wideXTSEncrypt(&k.enc, &dst[0], &src[0], tweak, n)
		dst, src = dst[n:], src[n:]
	}
}

// XTSDecrypt is the inverse of XTSEncrypt.
func (k *Keys) XTSDecrypt(dst, src []byte, tweak *[blockSize]byte) {
	for len(src) > 0 {
		n := min(len(src), callBytes)
		wideXTSDecrypt(&k.dec, &dst[0], &src[0], tweak, n)
		dst, src = dst[n:], src[n:]
	}
}

// A Counter is a counter block as two integers.
type Counter struct{ high, low uint64 }

// LoadCounter reads a block.
func LoadCounter(b *[blockSize]byte) Counter {
	return Counter{binary.BigEndian.Uint64(b[:]), binary.BigEndian.Uint64(b[8:])}
}

// Block is the counter as the cipher takes it.
func (c Counter) Block() (b [blockSize]byte) {
	c.store(&b)
	return b
}

func (c Counter) store(b *[blockSize]byte) {
	binary.BigEndian.PutUint64(b[:], c.high)
	binary.BigEndian.PutUint64(b[8:], c.low)
}

// Plus is the counter n blocks on, modulo 2¹²⁸.
func (c Counter) Plus(n uint64) Counter {
	low, carry := bits.Add64(c.low, n, 0)
	return Counter{c.high + carry, low}
}

// plus32 is the counter n blocks on as GCM counts: modulo 2³² in the last four bytes.
func (c Counter) plus32(n uint32) Counter {
	return Counter{c.high, c.low&^(1<<32-1) | uint64(uint32(c.low)+n)}
}

// wraps says whether the last four bytes wrap before block n from c on.
func (c Counter) wraps(n uint64) bool { return uint64(uint32(c.low))+n > 1<<32 }

// CTR XORs text of any length with the key stream from c on. The counter is the whole block.
func (k *Keys) CTR(dst, src []byte, c Counter) { k.CTRAndRest(dst, src, c, nil) }

// CTRAndRest is CTR that leaves in rest, if it isn't nil and the text doesn't end where they do, the last 64 bytes of
// key stream begun.
func (k *Keys) CTRAndRest(dst, src []byte, c Counter, rest *[lineSize]byte) {
	var block [blockSize]byte
	for len(src) > 0 {
		n := min(len(src), callBytes)
		c.store(&block)
		wideCTR(&k.enc, &dst[0], &src[0], &block, rest, n)
		c = c.Plus(callBytes / blockSize)
		dst, src = dst[n:], src[n:]
	}
}

// FirstAhead and MostAhead are the two numbers of bytes that [Keys.Ahead] makes.
const (
	FirstAhead = 128
	MostAhead  = 384
)

// Ahead fills stream, which has one of two lengths, with key stream from c on.
func (k *Keys) Ahead(stream []byte, c Counter) {
	var block [blockSize]byte
	c.store(&block)
	wideAhead(&k.enc, &stream[0], &block, len(stream))
}

// XOR writes to dst the XOR of src, which isn't empty, and as many bytes of stream.
func XOR(dst, src, stream []byte) { wideXOR(&dst[0], &src[0], &stream[0], len(src)) }

// ctr32 is CTR with the counter of GCM.
func (k *Keys) ctr32(dst, src []byte, c Counter) {
	for left := (1<<32 - uint64(uint32(c.low))) * blockSize; uint64(len(src)) > left; left = 1 << 36 {
		k.CTR(dst[:left], src[:left], c)
		dst, src = dst[left:], src[left:]
		c.low &^= 1<<32 - 1
	}
	k.CTR(dst, src, c)
}
