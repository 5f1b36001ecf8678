package loop

import (
	"context"
	"crypto/cipher"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// ExposureBytes is how much of each kind of data the scenario encrypts.
const ExposureBytes = 1 << 20

// OpenExposure prepares the scenario "exposure": what a mode lets an eavesdropper
// see of structured data. It encrypts 1 MiB of every kind and counts the blocks
// of ciphertext that equal an earlier one, and draws what is left of a picture.
//
// Metrics are repeated_share_KIND, unit "1", from 0 to 1. Artifacts, in block 0
// only, are picture-ALGORITHM-MODE.png and, beside ECB, picture-plain.png.
func (bc BlockCipher) OpenExposure(c result.Case, vs provider.Vectors) (provider.Scenario, error) {
	if c.Operation != algorithm.Exposure || c.Parameters != "" || c.Mode != algorithm.ECB && c.Mode != algorithm.CBC && c.Mode != algorithm.CTR {
		return nil, provider.Absent("parameters", c.Name(), "–", c.Operation+" "+c.Parameters)
	}
	if c.Bytes != ExposureBytes {
		return nil, provider.Unsupported("exposure-bytes", ExposureBytes, c.Bytes)
	}
	b, v, err := bc.keyed(c, vs)
	if err != nil {
		return nil, err
	}
	s := &exposure{c: c, v: v}
	switch c.Mode {
	case algorithm.ECB:
		s.encrypt = func(dst, src []byte) { bc.ecb(b).CryptBlocks(dst, src) }
	case algorithm.CBC:
		s.encrypt = func(dst, src []byte) { cipher.NewCBCEncrypter(b, v.Nonce).CryptBlocks(dst, src) }
	case algorithm.CTR:
		s.encrypt = func(dst, src []byte) { cipher.NewCTR(b, v.Nonce).XORKeyStream(dst, src) }
	}
	s.seed = provider.SettingOf(vs).Seed
	return s, nil
}

func (bc BlockCipher) ecb(b cipher.Block) cipher.BlockMode {
	if bc.ECB == nil {
		return blockByBlock{b}
	}
	return bc.ECB(b, Encrypt)
}

// blockByBlock is ECB encryption for a library that has none.
type blockByBlock struct{ cipher.Block }

func (m blockByBlock) CryptBlocks(dst, src []byte) {
	for size := m.BlockSize(); len(src) >= size; dst, src = dst[size:], src[size:] {
		m.Encrypt(dst, src)
	}
}

type exposure struct {
	c       result.Case
	v       *provider.Vector
	seed    uint64
	encrypt func(dst, src []byte)
	picture []byte // the bitmap's ciphertext, for Check
}

func (s *exposure) Measure(ctx context.Context, budget provider.Budget) (result.Record, error) {
	var record result.Record
	for _, kind := range provider.Kinds() {
		if err := ctx.Err(); err != nil {
			return record, err
		}
		plain := s.v.Plaintext
		if kind != parameter.Bitmap {
			plain = provider.Data(s.seed, kind, ExposureBytes)
		}
		ciphertext := make([]byte, len(plain))
		s.encrypt(ciphertext, plain)
		if kind == parameter.Bitmap {
			s.picture = ciphertext
		}
		record.Metrics = append(record.Metrics,
			result.Metric{Name: "repeated_share_" + string(kind), Value: repeatedShare(ciphertext), Unit: "1"})
	}
	if budget.Block > 0 {
		return record, nil
	}
	var err error
	record.Artifacts, err = s.pictures()
	return record, err
}

// repeatedShare is the share of 16-byte blocks that equal one before them.
func repeatedShare(ciphertext []byte) float64 {
	seen := make(map[[16]byte]struct{}, len(ciphertext)/16)
	for i := 0; i+16 <= len(ciphertext); i += 16 {
		seen[[16]byte(ciphertext[i:])] = struct{}{}
	}
	blocks := len(ciphertext) / 16
	return float64(blocks-len(seen)) / float64(blocks)
}

func (s *exposure) pictures() ([]result.Artifact, error) {
	png, err := provider.EncryptedPicture(s.picture)
	if err != nil {
		return nil, reason.New("drawing", err)
	}
	name := "picture-" + strings.ToLower(s.c.Name()) + ".png"
	pictures := []result.Artifact{{Name: name, MediaType: "image/png", Data: png}}
	if s.c.Mode != algorithm.ECB {
		return pictures, nil
	}
	plain, err := provider.PlainPicture(s.v.Plaintext)
	if err != nil {
		return nil, reason.New("drawing", err)
	}
	return append(pictures, result.Artifact{Name: "picture-plain.png", MediaType: "image/png", Data: plain}), nil
}

// Check proves that the picture was encrypted rightly, then forgets it.
func (s *exposure) Check() error {
	if s.picture == nil {
		return errNotRun
	}
	defer func() { s.picture = nil }()
	return compare(s.picture, s.v.Ciphertext, 0)
}

func (s *exposure) Close() error { return nil }
