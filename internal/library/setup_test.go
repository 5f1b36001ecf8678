package library

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"hash"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/result"
)

// forgetful is a hash that keeps what the message before left in it.
type forgetful struct{ hash.Hash }

func (forgetful) Reset() {}

// TestPlantedPrimitives: each wrong operation is caught, in words that name what is wrong.
func TestPlantedPrimitives(t *testing.T) {
	zero := make([]byte, 16)
	gcm := func(key []byte) (cipher.AEAD, error) {
		b, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		return cipher.NewGCM(b)
	}
	tests := []struct {
		name string
		c    result.Case
		open func(*provider.Vector) provider.Operation
		want string
	}{
		{"another key", result.Case{Algorithm: "AES-128", Operation: "schedule"}, func(v *provider.Vector) provider.Operation {
			return loop.NewSchedule(func([]byte) (cipher.Block, error) { return aes.NewCipher(zero) }, v)
		}, "under the scheduled key: the output is wrong"},
		{"the right key", result.Case{Algorithm: "AES-128", Operation: "schedule"}, func(v *provider.Vector) provider.Operation {
			return loop.NewSchedule(aes.NewCipher, v)
		}, ""},
		{"another key", result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "new"}, func(v *provider.Vector) provider.Operation {
			return loop.NewConstruct(func([]byte) (cipher.AEAD, error) { return gcm(zero) }, v)
		}, "with the cipher made last: the body is wrong"},
		{"the right key", result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "new"}, func(v *provider.Vector) provider.Operation {
			return loop.NewConstruct(gcm, v)
		}, ""},
		{"another key", result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "new+encrypt", Bytes: 64}, func(v *provider.Vector) provider.Operation {
			return loop.NewFreshSeal(func([]byte) (cipher.AEAD, error) { return gcm(zero) }, v)
		}, "the body is wrong"},
		{"no reset", result.Case{Algorithm: "SHA-256", Operation: "hash", Bytes: 64}, func(v *provider.Vector) provider.Operation {
			return loop.NewHash(forgetful{sha256.New()}, v)
		}, "the output is wrong"},
		{"another hash", result.Case{Algorithm: "SM3", Operation: "hash", Bytes: 64}, func(v *provider.Vector) provider.Operation {
			return loop.NewHash(sha256.New(), v)
		}, "the output is wrong"},
		{"too little", result.Case{Algorithm: "HKDF-SHA-256", Operation: "derive", Bytes: 64}, func(v *provider.Vector) provider.Operation {
			return loop.NewDerive(func(secret, _, _ []byte, _ int) ([]byte, error) { return secret, nil }, v)
		}, "the output is 32 bytes long and should be 64"},
	}
	judge := judge.New(provider.Setting{Seed: 1})
	for _, test := range tests {
		err := providertest.Verify(planted{test.open, judge}, test.c)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s %s, %s: got %v, want %q", test.c.Name(), test.c.Operation, test.name, err, test.want)
		}
	}
}
