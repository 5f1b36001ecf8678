package engine

import (
	"crypto/cipher"
	"crypto/sha256"

	"github.com/cryptogauge/cryptogauge/aes"
	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

func blockCipherAES(implementation string) gobinding.Offer {
	const singles = "crypto/cipher's generic mode around the library's single blocks"
	return gobinding.BlockCipher(loop.BlockCipher{
		New:  func(key []byte) (cipher.Block, error) { return aes.NewWith(key, implementation) },
		ECB:  codebookAES,
		Hash: sha256.New,
		MAC:  algorithm.HMACSHA256,
		CCM:  func(b cipher.Block) (cipher.AEAD, error) { return b.(*aes.Cipher).NewCCM(12, algorithm.TagBytes) },
	}, "aes.NewCipher", gobinding.Notes{
		algorithm.Schedule: "aes.NewCipher, for this kernel",
		algorithm.CFB:      singles, algorithm.OFB: singles,
		algorithm.CCM: "the engine's own mode, not crypto/cipher's",
	}, algorithm.AES128, algorithm.AES192, algorithm.AES256).By(nil, gobinding.Always(reason.Timing("yes", "aes-lint")))
}

// A codebook is package aes's whole blocks in the shape that the loops take.
type codebook func(dst, src []byte)

func (codebook) BlockSize() int                { return aes.BlockSize }
func (c codebook) CryptBlocks(dst, src []byte) { c(dst, src) }

func codebookAES(b cipher.Block, d loop.Direction) cipher.BlockMode {
	c := b.(*aes.Cipher)
	if d == loop.Decrypt {
		return codebook(c.DecryptBlocks)
	}
	return codebook(c.EncryptBlocks)
}
