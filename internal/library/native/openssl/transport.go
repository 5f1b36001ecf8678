//go:build linux && (amd64 || arm64)

package openssl

import (
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
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
	a := o.session(o.path)
	key := a.privateKey(c, v)
	size := a.Word()
	add := func(p *program, function string, ctx uintptr, in, out []byte) {
		p.add(function, call.One, ctx, p.Bytes(out), call.Word(size), p.Bytes(in), uintptr(len(in)))
		p.writing(size, len(out))
	}
	f := loop.Foreign{Out: a.Room(longestCiphertext), Size: func() int { return int(*size) }}
	encrypting := a.contextOf(key, "EVP_PKEY_encrypt_init", paddingOf(c.Mode)...)
	p := a.program()
	add(p, "EVP_PKEY_encrypt", encrypting, v.Plaintext, f.Out)
	if err := p.run(o.path, 1); err != nil { // such as a message that is too long for the padding
		if a.Err == nil {
			a.Err = err
		}
		return nil, a.failed()
	}
	if c.Operation == "encrypt" {
		f.Accept = v.Accept
		if c.Algorithm == "SM2" {
			f.Accept = binding.SM2Accept(v.Accept)
		}
		return p.operation(o, f)
	}
	sealed := v.Ciphertext
	if c.Algorithm == "SM2" {
		sealed = binding.SM2ToDER(sealed)
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
