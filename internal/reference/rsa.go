package reference

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/big"
	"slices"
)

// RSAKey is a modulus and its exponents (RFC 8017 §3); D may be nil where only the public operations are used. With the
// primes P and Q, which may be nil, the private ones take a third of the time.
type RSAKey struct{ N, E, D, P, Q *big.Int }

// size is k of RFC 8017: the bytes that the modulus takes, and with it every signature and ciphertext.
func (k RSAKey) size() int { return (k.N.BitLen() + 7) / 8 }

// Raise is the primitive under all schemes: RSAEP and RSAVP1 with E, RSADP and RSASP1 with D (RFC 8017 §5), on
// numbers in as many bytes as the modulus has.
func (k RSAKey) Raise(in []byte, exponent *big.Int) ([]byte, error) {
	must(exponent != nil, "the RSA key lacks this exponent")
	x := new(big.Int).SetBytes(in)
	switch {
	case len(in) != k.size():
		return nil, errors.New("reference: RSA input is not as long as the modulus")
	case x.Cmp(k.N) >= 0:
		return nil, errors.New("reference: RSA input is not below the modulus")
	}
	if exponent == k.D && k.P != nil && k.Q != nil {
		x = k.raiseByPrimes(x)
	} else {
		x.Exp(x, exponent, k.N)
	}
	return x.FillBytes(make([]byte, k.size())), nil
}

// raiseByPrimes is x to the power of D by the Chinese remainder theorem (RFC 8017 §5.1.2, step 2.b).
func (k RSAKey) raiseByPrimes(x *big.Int) *big.Int {
	modulo := func(prime *big.Int) *big.Int {
		exponent := new(big.Int).Sub(prime, big.NewInt(1))
		return new(big.Int).Exp(new(big.Int).Mod(x, prime), exponent.Mod(k.D, exponent), prime)
	}
	m1, m2 := modulo(k.P), modulo(k.Q)
	h := new(big.Int).Sub(m1, m2)
	h.Mul(h, new(big.Int).ModInverse(k.Q, k.P)).Mod(h, k.P)
	return h.Mul(h, k.Q).Add(h, m2)
}

// DigestInfoSHA256 wraps a digest of SHA-256 for RSASignPKCS1v15 and RSAVerifyPKCS1v15.
func DigestInfoSHA256(digest []byte) []byte {
	return digestInfo([]byte{0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1}, digest) // 2.16.840.1.101.3.4.2.1
}

// digestInfo is the DER encoding T of a DigestInfo, RFC 8017 §9.2 and appendix B.1: the hash's object identifier
// with parameters NULL, and the digest.
func digestInfo(oid, digest []byte) []byte {
	const sequence, octetString, objectIdentifier = 0x30, 0x04, 0x06
	algorithm := der(sequence, append(der(objectIdentifier, oid), 0x05, 0x00))
	return der(sequence, append(algorithm, der(octetString, digest)...))
}

func der(tag byte, value []byte) []byte {
	must(len(value) < 128, "DER lengths beyond 127 are not needed here")
	return append([]byte{tag, byte(len(value))}, value...)
}

// RSASignPKCS1v15 signs a digest wrapped by DigestInfoSHA256 or its like: RSASSA-PKCS1-v1_5, RFC 8017 §8.2.1. It
// fails if the modulus is too short.
func RSASignPKCS1v15(k RSAKey, digestInfo []byte) ([]byte, error) {
	em, err := encodePKCS1v15(k.size(), digestInfo)
	if err != nil {
		return nil, err
	}
	return k.Raise(em, k.D)
}

// RSAVerifyPKCS1v15 checks such a signature by encoding anew and comparing, RFC 8017 §8.2.2, so nothing but the one
// encoding passes.
func RSAVerifyPKCS1v15(k RSAKey, digestInfo, signature []byte) error {
	em, err := k.Raise(signature, k.E)
	if err != nil {
		return err
	}
	want, err := encodePKCS1v15(k.size(), digestInfo)
	if err != nil {
		return err
	}
	if !bytes.Equal(em, want) {
		return errors.New("reference: RSA PKCS #1 v1.5 signature is of something else")
	}
	return nil
}

// encodePKCS1v15 is EMSA-PKCS1-v1_5, RFC 8017 §9.2: 00‖01‖ff…ff‖00‖T, with eight bytes of ff or more.
func encodePKCS1v15(size int, digestInfo []byte) ([]byte, error) {
	filling := size - len(digestInfo) - 3
	if filling < 8 {
		return nil, errors.New("reference: RSA modulus is too short for this digest")
	}
	return slices.Concat([]byte{0, 1}, bytes.Repeat([]byte{0xff}, filling), []byte{0}, digestInfo), nil
}

// RSAEncryptPKCS1v15 encrypts msg after filling, which are the random bytes PS: none of them zero, as many as the
// modulus has but 3 less the message, and 8 at least (RSAES-PKCS1-v1_5, RFC 8017 §7.2.1). Decryption that tells its
// callers why it fails is an oracle for the plaintext; don't use this encryption for anything new.
func RSAEncryptPKCS1v15(k RSAKey, filling, msg []byte) ([]byte, error) {
	if len(msg) > k.size()-11 {
		return nil, errors.New("reference: message is too long for the RSA modulus")
	}
	must(len(filling) == k.size()-3-len(msg), "PKCS #1 v1.5 filling is not what the message leaves free")
	must(!bytes.Contains(filling, []byte{0}), "PKCS #1 v1.5 filling has a zero byte")
	return k.Raise(slices.Concat([]byte{0, 2}, filling, []byte{0}, msg), k.E)
}

// RSADecryptPKCS1v15 returns the message, or says what is wrong with the ciphertext (RFC 8017 §7.2.2).
func RSADecryptPKCS1v15(k RSAKey, ciphertext []byte) ([]byte, error) {
	em, err := k.Raise(ciphertext, k.D)
	if err != nil {
		return nil, err
	}
	if len(em) < 11 || em[0] != 0 || em[1] != 2 {
		return nil, errors.New("reference: RSA plaintext does not begin with 00 02")
	}
	filling, msg, found := bytes.Cut(em[2:], []byte{0})
	switch {
	case !found:
		return nil, errors.New("reference: RSA plaintext has no zero byte before the message")
	case len(filling) < 8:
		return nil, errors.New("reference: RSA plaintext has fewer than 8 bytes of filling")
	}
	return msg, nil
}

// RSAEncryptOAEP encrypts msg with a random seed as long as a digest of hash, which serves the label and the mask
// alike (RSAES-OAEP, RFC 8017 §7.1.1).
func RSAEncryptOAEP(k RSAKey, hash func([]byte) []byte, seed, label, msg []byte) ([]byte, error) {
	labelHash := hash(label)
	must(len(seed) == len(labelHash), "the OAEP seed is not as long as a digest")
	zeros := k.size() - len(msg) - 2*len(labelHash) - 2
	if zeros < 0 {
		return nil, errors.New("reference: message is too long for the RSA modulus")
	}
	db := slices.Concat(labelHash, make([]byte, zeros), []byte{1}, msg)
	maskedDB := xored(db, mgf1(hash, seed, len(db)))
	maskedSeed := xored(seed, mgf1(hash, maskedDB, len(seed)))
	return k.Raise(slices.Concat([]byte{0}, maskedSeed, maskedDB), k.E)
}

// RSADecryptOAEP returns the message, or says what is wrong with the ciphertext (RFC 8017 §7.1.2).
func RSADecryptOAEP(k RSAKey, hash func([]byte) []byte, label, ciphertext []byte) ([]byte, error) {
	labelHash := hash(label)
	h := len(labelHash)
	if k.size() < 2*h+2 {
		return nil, errors.New("reference: RSA modulus is too short for OAEP with this hash")
	}
	em, err := k.Raise(ciphertext, k.D)
	if err != nil {
		return nil, err
	}
	maskedSeed, maskedDB := em[1:1+h], em[1+h:]
	seed := xored(maskedSeed, mgf1(hash, maskedDB, h))
	db := xored(maskedDB, mgf1(hash, seed, len(maskedDB)))
	rest := bytes.TrimLeft(db[h:], "\x00")
	switch {
	case em[0] != 0:
		return nil, errors.New("reference: OAEP plaintext does not begin with zero")
	case !bytes.Equal(db[:h], labelHash):
		return nil, errors.New("reference: OAEP label is another")
	case len(rest) == 0 || rest[0] != 1:
		return nil, errors.New("reference: OAEP plaintext has no 01 before the message")
	}
	return rest[1:], nil
}

// RSASignPSS signs a digest of hash with a random salt of any length that fits (RSASSA-PSS, RFC 8017 §8.1.1).
func RSASignPSS(k RSAKey, hash func([]byte) []byte, digest, salt []byte) ([]byte, error) {
	emBits := k.N.BitLen() - 1
	emLen := (emBits + 7) / 8
	zeros := emLen - len(digest) - len(salt) - 2 // EMSA-PSS-ENCODE, §9.1.1
	if zeros < 0 {
		return nil, errors.New("reference: RSA modulus is too short for this digest and salt")
	}
	h := hash(pssInput(digest, salt))
	db := slices.Concat(make([]byte, zeros), []byte{1}, salt)
	maskedDB := xored(db, mgf1(hash, h, len(db)))
	maskedDB[0] &= 0xff >> (8*emLen - emBits)
	return k.Raise(slices.Concat(make([]byte, k.size()-emLen), maskedDB, h, []byte{0xbc}), k.D)
}

// RSAVerifyPSS checks such a signature, whose salt must be of saltLen bytes (RFC 8017 §8.1.2 and §9.1.2).
func RSAVerifyPSS(k RSAKey, hash func([]byte) []byte, saltLen int, digest, signature []byte) error {
	whole, err := k.Raise(signature, k.E)
	if err != nil {
		return err
	}
	emBits := k.N.BitLen() - 1
	emLen := (emBits + 7) / 8
	front, em := whole[:k.size()-emLen], whole[k.size()-emLen:] // front is one byte if the modulus's top bit stands alone
	zeros := emLen - len(digest) - saltLen - 2
	if zeros < 0 {
		return errors.New("reference: RSA modulus is too short for this digest and salt")
	}
	maskedDB, h := em[:emLen-len(digest)-1], em[emLen-len(digest)-1:emLen-1]
	topMask := byte(0xff >> (8*emLen - emBits))
	if em[emLen-1] != 0xbc || maskedDB[0]&^topMask != 0 || len(bytes.TrimLeft(front, "\x00")) > 0 {
		return errors.New("reference: RSA signature is not in PSS form")
	}
	db := xored(maskedDB, mgf1(hash, h, len(maskedDB)))
	db[0] &= topMask
	if filling := db[:zeros+1]; len(bytes.TrimLeft(filling, "\x00")) != 1 || filling[zeros] != 1 {
		return errors.New("reference: PSS salt is of another length")
	}
	if !bytes.Equal(h, hash(pssInput(digest, db[zeros+1:]))) {
		return errors.New("reference: PSS signature is of something else")
	}
	return nil
}

// pssInput is M′ of RFC 8017 §9.1.1, step 5.
func pssInput(digest, salt []byte) []byte {
	return slices.Concat(make([]byte, 8), digest, salt)
}

// mgf1 is MGF1, RFC 8017 appendix B.2.1.
func mgf1(hash func([]byte) []byte, seed []byte, n int) []byte {
	return counted(hash, seed, 0, n)
}

// counted is n bytes of the digests of a seed with a counter of four bytes behind it.
func counted(hash func([]byte) []byte, seed []byte, counter uint32, n int) (out []byte) {
	for ; len(out) < n; counter++ {
		out = append(out, hash(binary.BigEndian.AppendUint32(bytes.Clone(seed), counter))...)
	}
	return out[:n]
}

func xored(a, b []byte) []byte {
	must(len(a) == len(b), "XOR of two lengths")
	c := bytes.Clone(a)
	xorInto(c, b)
	return c
}
