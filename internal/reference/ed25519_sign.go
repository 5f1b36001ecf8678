package reference

import (
	"bytes"
	"math/big"
)

// Ed25519Public returns the public key of a private one, both of 32 bytes (RFC 8032 §5.1.5).
func Ed25519Public(private []byte) []byte {
	scalar, _ := ed25519Halves(private)
	return edwardsBase().multiply(scalar).encode()
}

// Ed25519Sign signs msg (RFC 8032 §5.1.6).
func Ed25519Sign(private, msg []byte) []byte {
	scalar, prefix := ed25519Halves(private)
	public, order := edwardsBase().multiply(scalar).encode(), edwardsOrder()
	r := fromLittleEndian(SHA512(append(bytes.Clone(prefix), msg...)))
	r.Mod(r, order)
	out := edwardsBase().multiply(r).encode()
	k := fromLittleEndian(SHA512(append(append(bytes.Clone(out), public...), msg...)))
	s := new(big.Int).Mul(k.Mod(k, order), scalar)
	return append(out, littleEndian32(s.Add(s, r).Mod(s, order))...)
}

// ed25519Halves are the secret scalar and the prefix that a private key hashes to.
func ed25519Halves(private []byte) (scalar *big.Int, prefix []byte) {
	must(len(private) == 32, "an Ed25519 private key has 32 bytes")
	h := SHA512(private)
	low := bytes.Clone(h[:32])
	low[0] &= 0xf8
	low[31] = low[31]&0x7f | 0x40
	return fromLittleEndian(low), h[32:]
}
