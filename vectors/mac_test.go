package vectors

import (
	"bytes"
	"crypto/hmac"
	"fmt"
	"hash"

	"github.com/cryptogauge/cryptogauge/internal/reference"
)

// tagger computes the whole tag of a case's message.
type tagger func(vector) ([]byte, error)

// judgeMAC wants a valid case's tag computed and an invalid one's not. Shorter tags are the first bytes of the whole.
func judgeMAC(tag tagger) func(vector) error {
	return func(v vector) error {
		whole, err := tag(v)
		if err != nil {
			return err
		}
		if got := whole[:v.tagSize]; bytes.Equal(got, v.Tag) != v.valid() {
			return fmt.Errorf("computed %x, the case has %x", got, v.Tag)
		}
		return nil
	}
}

// gmac is GCM without a plaintext: the message is the associated data (SP 800-38D §3).
func gmac(s aead) tagger {
	return func(v vector) ([]byte, error) { return s.seal(v.Key, v.IV, nil, v.Msg) }
}

func referenceHMAC(h func([]byte) []byte) tagger {
	return func(v vector) ([]byte, error) {
		return reference.HMAC(h, reference.HashBlockSize, v.Key, v.Msg), nil
	}
}

func stdHMAC(h func() hash.Hash) tagger {
	return func(v vector) ([]byte, error) {
		mac := hmac.New(h, v.Key)
		mac.Write(v.Msg)
		return mac.Sum(nil), nil
	}
}
