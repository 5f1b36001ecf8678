package loop

import (
	"context"
	"slices"
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
// Metrics are repeated_share_KIND, unit "1", from 0 to 1; of the user's own data, where there are any, at most their
// first MiB. Artifacts, in block 0
// only, are picture-ALGORITHM-MODE.png and, beside ECB, picture-plain.png.
func (bc BlockCipher) OpenExposure(c result.Case, vs provider.Vectors) (provider.Scenario, error) {
	if err := exposable(c); err != nil {
		return nil, err
	}
	b, v, err := bc.keyed(c, vs)
	if err != nil {
		return nil, err
	}
	return NewExposure(c, v, provider.SettingOf(vs), func(plain []byte) ([]byte, error) {
		return bc.Encrypted(c.Mode, b, &provider.Vector{Nonce: v.Nonce, Plaintext: plain})
	})
}

func exposable(c result.Case) error {
	if c.Operation != algorithm.Exposure || c.Parameters != "" ||
		!slices.Contains([]string{algorithm.ECB, algorithm.CBC, algorithm.CTR}, c.Mode) {
		return provider.Absent("parameters", c.Name(), "–", c.Operation+" "+c.Parameters)
	}
	if c.Bytes != ExposureBytes {
		return provider.Unsupported("exposure-bytes", ExposureBytes, c.Bytes)
	}
	return nil
}

// NewExposure is the scenario of what encrypts under the vector's key.
func NewExposure(c result.Case, v *provider.Vector, s provider.Setting, encrypt func(plain []byte) ([]byte, error)) (
	provider.Scenario, error) {
	return &exposure{c: c, v: v, setting: s, encrypt: encrypt}, exposable(c)
}

type exposure struct {
	c       result.Case
	v       *provider.Vector
	setting provider.Setting
	encrypt func(plain []byte) ([]byte, error)
	picture []byte // the bitmap's ciphertext, for Check
}

func (s *exposure) Measure(ctx context.Context, budget provider.Budget) (record result.Record, err error) {
	count := func(kind parameter.Kind, plain []byte) (ciphertext []byte, err error) {
		if ciphertext, err = s.encrypt(plain); err == nil {
			metric(&record, "repeated_share_"+string(kind), "1", repeatedShare(ciphertext))
		}
		return ciphertext, err
	}
	for _, kind := range provider.Kinds() {
		if err := ctx.Err(); err != nil {
			return record, err
		}
		plain := s.v.Plaintext
		if kind != parameter.Bitmap {
			plain = provider.Data(s.setting.Seed, kind, ExposureBytes)
		}
		ciphertext, err := count(kind, plain)
		if err != nil {
			return record, err
		}
		if kind == parameter.Bitmap {
			s.picture = ciphertext
		}
	}
	const block = 16
	if own := s.setting.Own; own != nil && own.Bytes >= block {
		// No more than there are: what is only repeated to be long enough repeats.
		plain := make([]byte, min(own.Bytes, ExposureBytes)/block*block)
		if err := own.Fill(plain); err != nil {
			return record, err
		}
		if _, err := count(parameter.Sampled, plain); err != nil {
			return record, err
		}
	}
	if budget.Block == 0 {
		record.Artifacts, err = s.pictures()
	}
	return record, err
}

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
		return provider.ErrNotRun
	}
	defer func() { s.picture = nil }()
	return compare(s.picture, s.v.Ciphertext, 0)
}

func (s *exposure) Close() error { return nil }
