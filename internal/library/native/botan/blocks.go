//go:build linux && (amd64 || arm64)

package botan

import (
	"errors"
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/fence"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// blockCipher is a keyed botan_block_cipher_t.
//
//	int botan_block_cipher_init(botan_block_cipher_t *bc, const char *name)
//	int botan_block_cipher_set_key(botan_block_cipher_t bc, const uint8_t key[], size_t len)
//	int botan_block_cipher_encrypt_blocks(botan_block_cipher_t bc, const uint8_t in[], uint8_t out[], size_t blocks)
//	int botan_block_cipher_decrypt_blocks(botan_block_cipher_t bc, const uint8_t in[], uint8_t out[], size_t blocks)
//	int botan_block_cipher_destroy(botan_block_cipher_t bc)
type blockCipher struct {
	lib    *Library
	handle uintptr
}

func (l *Library) newBlockCipher(name string, key []byte) (*blockCipher, error) {
	if err := l.need("botan_block_cipher_init", "botan_block_cipher_set_key", "botan_block_cipher_encrypt_blocks",
		"botan_block_cipher_decrypt_blocks", "botan_block_cipher_destroy"); err != nil {
		return nil, err
	}
	handle, cname := new(uint64), binding.CString(name)
	err := l.try("botan_block_cipher_init", call.Word(handle), call.Bytes(cname))
	runtime.KeepAlive(cname)
	if err != nil {
		return nil, l.offered(name, err)
	}
	b := &blockCipher{l, uintptr(*handle)}
	if err := l.try("botan_block_cipher_set_key", b.handle, call.Bytes(key), uintptr(len(key))); err != nil {
		return nil, errors.Join(l.offered("the key of "+name, err), b.close())
	}
	runtime.KeepAlive(key)
	return b, nil
}

func (b *blockCipher) close() (err error) {
	if b.handle != 0 {
		err = b.lib.try("botan_block_cipher_destroy", b.handle)
		b.handle = 0
	}
	return err
}

// crypt is the call for whole blocks.
func (b *blockCipher) crypt(d loop.Direction, in, out []byte) call.Call {
	name := "botan_block_cipher_encrypt_blocks"
	if d == loop.Decrypt {
		name = "botan_block_cipher_decrypt_blocks"
	}
	return call.New(b.lib.fn(name), call.Zero, b.handle, call.Bytes(in), call.Bytes(out), uintptr(len(in)/blockSize))
}

// openBlocks opens ECB, which in Botan is its block function, and a single block.
func (o on) openBlocks(m mode, h handing, v *provider.Vector) (provider.Operation, error) {
	if o.subject.Implementation != "" {
		return nil, provider.Absent("not-offered", "botan", "workaround")
	}
	size := len(v.Plaintext)
	if h.call > 0 && h.way == byBlocks {
		if size = h.call / blockSize * blockSize; size == 0 {
			return nil, provider.Absent("block-over-call", blockSize, h.call)
		}
	}
	b, err := o.newBlockCipher(m.algorithm, v.Key)
	if err != nil {
		return nil, err
	}
	outputs := &fence.Memory{}
	w := binding.WorkOf(v, m.direction, outputs, 0)
	var p call.Program
	for at := 0; at < len(w.Want); at += size {
		end := min(at+size, len(w.Want))
		p = append(p, b.crypt(m.direction, w.Messages[0].In[at:end], w.Out[at:end]))
	}
	return loop.NewForeign(loop.Foreign{
		Run: func(n int) error { defer runtime.KeepAlive(w); return o.run(o.path, p, n) },
		Out: w.Out, Want: w.Want,
		Intact: outputs.Check,
		Close:  func() error { return errors.Join(b.close(), outputs.Close()) },
	})
}

// openSchedule sets the key of a block cipher again and again, both ways' schedules
// at once. Check proves that the object encrypts, and takes the key away.
//
//	int botan_block_cipher_clear(botan_block_cipher_t bc)
func (o on) openSchedule(c result.Case, v *provider.Vector) (provider.Operation, error) {
	b, err := o.newBlockCipher(c.Algorithm, v.Key)
	if err != nil {
		return nil, err
	}
	outputs := &fence.Memory{}
	out := outputs.Bytes(len(v.Plaintext))
	p := call.Program{call.New(o.fn("botan_block_cipher_set_key"), call.Zero, b.handle, call.Bytes(v.Key), uintptr(len(v.Key)))}
	return loop.NewForeign(loop.Foreign{
		Run: func(n int) error { return o.run(o.path, p, n) },
		Accept: func([]byte) error {
			err := o.run(o.path, call.Program{b.crypt(loop.Encrypt, v.Plaintext, out)}, 1)
			if err = errors.Join(err, o.try("botan_block_cipher_clear", b.handle)); err != nil {
				return err
			}
			if string(out) != string(v.Ciphertext) {
				return reason.New("last-wrong")
			}
			return outputs.Check()
		},
		Close: func() error { return errors.Join(b.close(), outputs.Close()) },
	})
}
