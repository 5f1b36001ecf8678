package gobinding

import (
	"crypto/cipher"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/startup"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// Configurations offers what a service does with secrets that are sealed by a block cipher in GCM.
func Configurations(allowed func(result.Case) error, create NewBlock, names ...algorithm.Name) Offer {
	seal := create.GCM()
	return Offer{
		Has: func(c result.Case) bool {
			return startup.Is(c) && c.Mode == algorithm.GCM && slices.Contains(names, c.Algorithm)
		},
		Open: func(c result.Case, vs provider.Vectors) (provider.Operation, error) {
			return startup.Open(c, vs, seal, allowed)
		},
	}
}

func (create NewBlock) GCM() func(key []byte) (cipher.AEAD, error) {
	return func(key []byte) (cipher.AEAD, error) {
		b, err := create(key)
		if err != nil {
			return nil, err
		}
		return cipher.NewGCM(b)
	}
}
