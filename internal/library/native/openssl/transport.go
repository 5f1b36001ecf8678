//go:build linux && (amd64 || arm64)

package openssl

import (
	"encoding/asn1"
	"math/big"
	"runtime"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// paddingOf are the controls of a case's padding; SM2 has none to choose.
func paddingOf(mode string) []setting {
	switch mode {
	case "OAEP-SHA-256":
		return []setting{{"rsa_padding_mode", "oaep"}, {"rsa_oaep_md", "SHA256"}, {"rsa_mgf1_md", "SHA256"}}
	case "PKCS1v15":
		return []setting{{"rsa_padding_mode", "pkcs1"}}
	}
	return nil
}

// openTransport encrypts under a public key, or decrypts with the private one.
func (o on) openTransport(c result.Case, v *provider.Vector) (provider.Operation, error) {
	a := o.arena(o.path)
	key := a.privateKey(c, v)
	size := a.word()
	add := func(p *program, function string, ctx uintptr, in, out []byte) {
		p.add(function, call.One, ctx, p.bytes(out), call.Word(size), p.bytes(in), uintptr(len(in)))
		p.writing(size, len(out))
	}
	f := loop.Foreign{Out: a.room(longestCiphertext), Size: func() int { return int(*size) }}
	encrypting := a.contextOf(key, "EVP_PKEY_encrypt_init", paddingOf(c.Mode)...)
	p := a.program()
	add(p, "EVP_PKEY_encrypt", encrypting, v.Plaintext, f.Out)
	if err := p.run(o.path, 1); err != nil { // such as a message that is too long for the padding
		if a.err == nil {
			a.err = err
		}
		return nil, a.failed()
	}
	if c.Operation == "encrypt" {
		f.Accept = v.Accept
		if c.Algorithm == "SM2" {
			f.Accept = func(got []byte) error { return acceptDER(got, v.Accept) }
		}
		return p.operation(o, f)
	}
	sealed := v.Ciphertext
	if c.Algorithm == "SM2" {
		sealed = toDER(sealed)
	}
	decrypting := a.contextOf(key, "EVP_PKEY_decrypt_init", paddingOf(c.Mode)...)
	p = a.program()
	add(p, "EVP_PKEY_decrypt", decrypting, sealed, f.Out)
	f.Want = v.Plaintext
	if c.Mode != "PKCS1v15" { // which finds most changes and promises nothing
		f.Sealed, f.Tagged = sealed, tamperedTail
		f.Open = func(tampered []byte) error {
			other := a.scratch()
			add(other, "EVP_PKEY_decrypt", decrypting, tampered, f.Out)
			defer runtime.KeepAlive(tampered)
			return other.run(o.path, 1)
		}
	}
	return p.operation(o, f)
}

// longestCiphertext is of RSA with 8192 bits, and longer than SM2's of a key.
const longestCiphertext = 1024

// sm2Ciphertext is that of GM/T 0009-2012 §7.2, which OpenSSL writes; the judge's is
// C1‖C3‖C2 of GB/T 32918.4.
type sm2Ciphertext struct {
	X, Y   *big.Int
	C3, C2 []byte
}

func toDER(raw []byte) []byte {
	const at = 1 + 64 + 32
	der, err := asn1.Marshal(sm2Ciphertext{new(big.Int).SetBytes(raw[1:33]), new(big.Int).SetBytes(raw[33:65]), raw[65:at], raw[at:]})
	if err != nil {
		panic("openssl: internal error: " + err.Error()) // numbers and bytes can always be written
	}
	return der
}

func fromDER(der []byte) ([]byte, error) {
	var s sm2Ciphertext
	rest, err := asn1.Unmarshal(der, &s)
	if err != nil || len(rest) > 0 || s.X.Sign() < 0 || s.Y.Sign() < 0 || s.X.BitLen() > 256 || s.Y.BitLen() > 256 {
		return nil, reason.New("sm2-der")
	}
	point := make([]byte, 65)
	point[0] = 4
	s.X.FillBytes(point[1:33])
	s.Y.FillBytes(point[33:])
	return slices.Concat(point, s.C3, s.C2), nil
}

func acceptDER(got []byte, accept func([]byte) error) error {
	raw, err := fromDER(got)
	if err != nil {
		return err
	}
	return accept(raw)
}
