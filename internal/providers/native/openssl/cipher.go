//go:build linux && (amd64 || arm64)

package openssl

import (
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/providers/native/call"
	"github.com/cryptogauge/cryptogauge/provider"
)

// Controls of EVP_CIPHER_CTX_ctrl, of openssl/evp.h.
const (
	ctrlSetIVLen = 0x9
	ctrlGetTag   = 0x10
	ctrlSetTag   = 0x11
	tagSize      = 16
)

// cipher is a keyed EVP_CIPHER_CTX and what a message is written into.
type cipher struct {
	lib     *Library
	path    call.Path
	ctx     uintptr
	program call.Program
	other   call.Program // opens tampered text
	keep    [][]byte     // what the programs point to
	length  *uint64      // EVP writes lengths, which nobody here reads
}

// openCipher schedules the key in a context. Per message the IV is set, the data
// processed, and the tag made or checked.
func (o on) openCipher(name string, d provider.Direction, v *provider.Vector) (provider.Operation, error) {
	encrypt := uintptr(0)
	if d == provider.Encrypt {
		encrypt = 1
	}
	fetched := append([]byte(name), 0)
	evp := o.call("EVP_CIPHER_fetch", 0, call.Bytes(fetched), 0)
	if evp == 0 {
		return nil, provider.Absent("OpenSSL %s has no %s", o.version, name)
	}
	c := &cipher{lib: o.Library, path: o.path, ctx: o.call("EVP_CIPHER_CTX_new"), length: new(uint64)}
	sealed := len(v.Ciphertext) == len(v.Plaintext)+tagSize
	ready := int32(o.call("EVP_CipherInit_ex", c.ctx, evp, 0, call.Bytes(v.Key), call.Bytes(v.Nonce), encrypt)) == 1 &&
		(sealed || int32(o.call("EVP_CIPHER_CTX_set_padding", c.ctx, 0)) == 1)
	runtime.KeepAlive(fetched)
	if !ready {
		c.close()
		return nil, provider.Unsupported("OpenSSL %s refuses the key or the IV of %s", o.version, name)
	}
	return provider.NewForeign(c.foreign(d, v, sealed))
}

func (c *cipher) foreign(d provider.Direction, v *provider.Vector, sealed bool) provider.Foreign {
	f := provider.Foreign{Run: c.run, Close: c.close}
	switch {
	case !sealed && d == provider.Encrypt:
		f.Want = v.Ciphertext
		f.Out = make([]byte, len(f.Want))
		c.program = c.plain(v.Nonce, v.Plaintext, f.Out)
	case !sealed:
		f.Want = v.Plaintext
		f.Out = make([]byte, len(f.Want))
		c.program = c.plain(v.Nonce, v.Ciphertext, f.Out)
	case d == provider.Encrypt:
		f.Want, f.Tag = v.Ciphertext, tagSize
		f.Out = make([]byte, len(f.Want))
		c.program = c.seal(v, f.Out)
	default:
		f.Want = v.Plaintext
		f.Out = make([]byte, len(f.Want)+tagSize)
		f.Sealed, f.Tagged = v.Ciphertext, tagSize
		c.program = c.open(v, v.Ciphertext, f.Out)
		f.Open = func(tampered []byte) error {
			c.other = c.open(v, tampered, f.Out)
			defer runtime.KeepAlive(tampered)
			return c.path.Run(c.other, 1)
		}
	}
	c.keep = append(c.keep, v.Nonce, v.Plaintext, v.Ciphertext, v.AAD, f.Out)
	return f
}

// iv sets the message's IV; the key and the direction stay.
func (c *cipher) iv(iv []byte) call.Call {
	const unchanged = uintptr(1<<64 - 1)
	return call.New(c.lib.functions["EVP_CipherInit_ex"], call.One, c.ctx, 0, 0, 0, call.Bytes(iv), unchanged)
}

func (c *cipher) update(out uintptr, in []byte) call.Call {
	return call.New(c.lib.functions["EVP_CipherUpdate"], call.One, c.ctx, out, call.Word(c.length), call.Bytes(in), uintptr(len(in)))
}

func (c *cipher) final(out uintptr) call.Call {
	return call.New(c.lib.functions["EVP_CipherFinal_ex"], call.One, c.ctx, out, call.Word(c.length))
}

func (c *cipher) control(what uintptr, tag []byte) call.Call {
	return call.New(c.lib.functions["EVP_CIPHER_CTX_ctrl"], call.One, c.ctx, what, uintptr(len(tag)), call.Bytes(tag))
}

func (c *cipher) plain(iv, in, out []byte) call.Program {
	return call.Program{c.iv(iv), c.update(call.Bytes(out), in)}
}

func (c *cipher) seal(v *provider.Vector, out []byte) call.Program {
	n := len(v.Plaintext)
	p := call.Program{c.iv(v.Nonce)}
	if len(v.AAD) > 0 {
		p = append(p, c.update(0, v.AAD))
	}
	return append(p, c.update(call.Bytes(out), v.Plaintext), c.final(call.Bytes(out[n:])), c.control(ctrlGetTag, out[n:n+tagSize]))
}

func (c *cipher) open(v *provider.Vector, sealed, out []byte) call.Program {
	n := len(sealed) - tagSize
	p := call.Program{c.iv(v.Nonce)}
	if len(v.AAD) > 0 {
		p = append(p, c.update(0, v.AAD))
	}
	return append(p, c.update(call.Bytes(out), sealed[:n]), c.control(ctrlSetTag, sealed[n:]), c.final(call.Bytes(out[n:])))
}

func (c *cipher) run(n int) error { return c.path.Run(c.program, n) }

func (c *cipher) close() error {
	if c.ctx != 0 {
		c.lib.call("EVP_CIPHER_CTX_free", c.ctx)
		c.ctx = 0
	}
	return nil
}
