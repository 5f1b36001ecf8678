package vectors

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"

	"github.com/cryptogauge/cryptogauge/internal/reference"
)

// cbc is what a subject does, padding included.
type cbc struct {
	encrypt, decrypt func(key, iv, src []byte) ([]byte, error)
}

var (
	referenceCBC = cbc{referenceCBCEncrypt, referenceCBCDecrypt}
	stdCBC       = cbcOf(aes.NewCipher) // std has no padding, so its mode is judged with reference's
)

// judge wants a valid case encrypted and decrypted, and an invalid one's padding refused.
func (s cbc) judge(v vector) error {
	plaintext, err := s.decrypt(v.Key, v.IV, v.Ciphertext)
	if !v.valid() {
		if err == nil {
			return fmt.Errorf("wrong padding accepted: %x", plaintext)
		}
		return nil
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(plaintext, v.Msg) {
		return fmt.Errorf("decrypted to %x, want %x", plaintext, v.Msg)
	}
	ciphertext, err := s.encrypt(v.Key, v.IV, v.Msg)
	if err != nil {
		return err
	}
	if !bytes.Equal(ciphertext, v.Ciphertext) {
		return fmt.Errorf("encrypted to %x, want %x", ciphertext, v.Ciphertext)
	}
	return nil
}

func referenceCBCEncrypt(key, iv, plaintext []byte) ([]byte, error) {
	b, err := reference.NewAES(key)
	if err != nil {
		return nil, err
	}
	return reference.EncryptCBC(b, iv, reference.PadPKCS7(plaintext)), nil
}

func referenceCBCDecrypt(key, iv, ciphertext []byte) ([]byte, error) {
	b, err := reference.NewAES(key)
	if err != nil {
		return nil, err
	}
	if len(ciphertext)%reference.BlockSize != 0 {
		return nil, errors.New("not whole blocks")
	}
	return reference.UnpadPKCS7(reference.DecryptCBC(b, iv, ciphertext))
}

// cbcOf is the mode of crypto/cipher over a constructor of blocks.
func cbcOf(newBlock func([]byte) (cipher.Block, error)) cbc {
	return cbc{
		encrypt: func(key, iv, plaintext []byte) ([]byte, error) {
			b, err := newBlock(key)
			if err != nil {
				return nil, err
			}
			padded := reference.PadPKCS7(plaintext)
			cipher.NewCBCEncrypter(b, iv).CryptBlocks(padded, padded)
			return padded, nil
		},
		decrypt: func(key, iv, ciphertext []byte) ([]byte, error) {
			b, err := newBlock(key)
			if err != nil {
				return nil, err
			}
			if len(ciphertext)%aes.BlockSize != 0 {
				return nil, errors.New("not whole blocks")
			}
			padded := make([]byte, len(ciphertext))
			cipher.NewCBCDecrypter(b, iv).CryptBlocks(padded, ciphertext)
			return reference.UnpadPKCS7(padded)
		},
	}
}
