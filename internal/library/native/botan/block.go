//go:build linux && (amd64 || arm64)

package botan

import (
	"errors"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// newBlockCipher makes a keyed botan_block_cipher_t.
//
//	int botan_block_cipher_init(botan_block_cipher_t *bc, const char *name)
//	int botan_block_cipher_set_key(botan_block_cipher_t bc, const uint8_t key[], size_t len)
//	int botan_block_cipher_encrypt_blocks(botan_block_cipher_t bc, const uint8_t in[], uint8_t out[], size_t blocks)
//	int botan_block_cipher_decrypt_blocks(botan_block_cipher_t bc, const uint8_t in[], uint8_t out[], size_t blocks)
//	int botan_block_cipher_destroy(botan_block_cipher_t bc)
func newBlockCipher(s *binding.Session, name algorithm.Name, key []byte) uintptr {
	b := s.Make("botan_block_cipher_destroy", "botan_block_cipher_init", s.Text(name))
	s.Do("botan_block_cipher_set_key", b, s.Bytes(key), uintptr(len(key)))
	return b
}

// cryptBlocks appends the call for whole blocks.
func cryptBlocks(p *binding.Program, b uintptr, d loop.Direction, in, out []byte) {
	name := "botan_block_cipher_encrypt_blocks"
	if d == loop.Decrypt {
		name = "botan_block_cipher_decrypt_blocks"
	}
	p.Add(name, b, call.Bytes(in), call.Bytes(out), uintptr(len(in)/blockSize))
}

// openBlocks opens ECB, which in Botan is its block function, and a single block.
func openBlocks(s *binding.Session, m mode, h pattern, v *provider.Vector) (provider.Operation, error) {
	size := len(v.Plaintext)
	if h.call > 0 && h.way == parameter.Blocks {
		if size = h.call / blockSize * blockSize; size == 0 {
			return nil, provider.Absent("block-over-call", blockSize, h.call)
		}
	}
	b := newBlockCipher(s, m.algorithm, v.Key)
	return s.Messages(m.algorithm, m.direction, v, 0, 0, s.InOrder(func(p *binding.Program, msg binding.Message) {
		for at := 0; at < len(msg.In); at += size {
			end := min(at+size, len(msg.In))
			cryptBlocks(p, b, m.direction, msg.In[at:end], msg.Out[at:end])
		}
	}))
}

// openSchedule sets the key of a block cipher again and again, both ways' schedules
// at once. Check proves that the object encrypts, and takes the key away.
//
//	int botan_block_cipher_clear(botan_block_cipher_t bc)
func openSchedule(s *binding.Session, c result.Case, v *provider.Vector) (provider.Operation, error) {
	b, out := newBlockCipher(s, c.Algorithm, v.Key), s.Room(len(v.Plaintext))
	p, proof := s.Program(), s.Program()
	p.Add("botan_block_cipher_set_key", b, s.Bytes(v.Key), uintptr(len(v.Key)))
	cryptBlocks(proof, b, loop.Encrypt, v.Plaintext, out)
	proof.Add("botan_block_cipher_clear", b)
	return p.Operation(c.Name(), loop.Foreign{Accept: func([]byte) error {
		if err := errors.Join(proof.Times(1), s.Outputs.Check()); err != nil {
			return err
		}
		right := string(out) == string(v.Ciphertext)
		if clear(out); !right {
			return reason.New("last-wrong")
		}
		return nil
	}})
}
