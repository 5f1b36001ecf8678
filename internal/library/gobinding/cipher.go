package gobinding

import (
	"crypto/cipher"
	"crypto/hmac"
	"hash"
	"maps"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/batch"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/library/streaming"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// BlockCipher offers a block cipher, made by the named constructor, in the modes of
// crypto/cipher, its set-up, and streams under GCM.
func BlockCipher(bc loop.BlockCipher, constructor string, notes Notes, names ...algorithm.Name) Offer {
	said := Notes{
		algorithm.Schedule:   constructor,
		algorithm.New:        constructor + " and cipher.NewGCM",
		algorithm.NewEncrypt: constructor + " and cipher.NewGCM for each message, then Seal",
		"CBC+" + bc.MAC:      "put together: PKCS #7 padding, CBC, then HMAC over IV and ciphertext",
	}
	maps.Copy(said, notes)
	return Offer{
		Has: func(c result.Case) bool { return slices.Contains(names, c.Algorithm) },
		Open: func(c result.Case, vs provider.Vectors) (provider.Operation, error) {
			switch {
			case c.Operation != algorithm.Stream:
				return bc.Open(c, vs)
			case c.Mode != algorithm.GCM:
				return nil, provider.Absent("not-offered", c.Name(), c.Operation)
			}
			return streaming.Open(c, vs, bc.Allowed, loop.GCM(bc.New))
		},
		OpenScenario: bc.OpenScenario,
		Note:         said.Of,
	}
}

// For offers an operation of an algorithm, whatever the mode and the parameters are.
func For(name algorithm.Name, operation algorithm.Operation, note func(result.Case) string,
	open func(result.Case, provider.Vectors) (provider.Operation, error)) Offer {
	has := func(c result.Case) bool { return c.Algorithm == name && c.Operation == operation }
	return Offer{Has: has, Open: open, Note: note}
}

// Many offers the hash of many messages at once, by a library's loops for a way.
func Many[D bulkhash.Digest](name algorithm.Name, allowed func(result.Case) error, shared *bulkhash.Shared,
	loops func(parameter.Manner) bulkhash.Loops[D]) Offer {
	return For(name, algorithm.HashMany, bulkhash.Note,
		func(c result.Case, vs provider.Vectors) (provider.Operation, error) {
			return bulkhash.Open(c, vs, shared, loops(parameter.Way.In(c.Parameters)), allowed)
		})
}

// MACs offers the MACs of many messages in one call, by what makes the call of a way.
func MACs(name algorithm.Name, allowed func(result.Case) error, makers map[parameter.Manner]batch.Maker) Offer {
	return For(name, algorithm.MACMany, batch.Note, func(c result.Case, vs provider.Vectors) (provider.Operation, error) {
		return batch.Open(c, vs, makers, allowed)
	})
}

// Texts offers the encryption of many messages in one call by GCM and CBC, by what makes the call of a mode and way.
func Texts(name algorithm.Name, allowed func(result.Case) error, makers map[algorithm.Mode]map[parameter.Manner]batch.TextMaker) Offer {
	return For(name, algorithm.EncryptMany, batch.Note,
		func(c result.Case, vs provider.Vectors) (provider.Operation, error) {
			return batch.OpenTexts(c, vs, makers[c.Mode], allowed)
		})
}

// NewBlock makes a block cipher of a key.
type NewBlock func(key []byte) (cipher.Block, error)

// Blocks are the ways of crypto/cipher around a block cipher.
func (create NewBlock) Blocks() map[algorithm.Mode]map[parameter.Manner]batch.TextMaker {
	seal := func(b cipher.Block, t batch.Texts, i int) error {
		a, err := cipher.NewGCM(b)
		if err == nil {
			a.Seal(t.Out[i][:0], t.Nonces[i], t.Messages[i], nil)
		}
		return err
	}
	encrypt := func(b cipher.Block, t batch.Texts, i int) error {
		cipher.NewCBCEncrypter(b, t.Nonces[i]).CryptBlocks(t.Out[i], t.Messages[i])
		return nil
	}
	return map[algorithm.Mode]map[parameter.Manner]batch.TextMaker{
		algorithm.GCM: {parameter.New: create.each(seal), parameter.Kept: create.keptGCM},
		algorithm.CBC: {parameter.New: create.each(encrypt), parameter.Kept: create.keptCBC},
	}
}

// each makes a new cipher for every message.
func (create NewBlock) each(encrypt func(cipher.Block, batch.Texts, int) error) batch.TextMaker {
	return func(t batch.Texts) (func(), error) {
		return func() {
			for i := range t.Messages {
				b, err := create(t.Keys[t.Key(i)])
				if err == nil {
					err = encrypt(b, t, i)
				}
				if err != nil {
					clear(t.Out[i]) // which the check finds
				}
			}
		}, nil
	}
}

// perKey is what is made of each key.
func perKey[T any](keys [][]byte, create func(key []byte) (T, error)) (kept []T, err error) {
	kept = make([]T, len(keys))
	for i, key := range keys {
		if kept[i], err = create(key); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

func (create NewBlock) keptGCM(t batch.Texts) (func(), error) {
	kept, err := perKey(t.Keys, loop.GCM(create))
	return func() {
		for i, m := range t.Messages {
			kept[t.Key(i)].Seal(t.Out[i][:0], t.Nonces[i], m, nil)
		}
	}, err
}

func (create NewBlock) keptCBC(t batch.Texts) (func(), error) {
	kept, err := perKey(t.Keys, create)
	return func() {
		for i, m := range t.Messages {
			cipher.NewCBCEncrypter(kept[t.Key(i)], t.Nonces[i]).CryptBlocks(t.Out[i], m)
		}
	}, err
}

// HMACs are the ways of crypto/hmac around a hash.
func HMACs(h func() hash.Hash) map[parameter.Manner]batch.Maker {
	return map[parameter.Manner]batch.Maker{
		parameter.New: func(b batch.Batch) func([][batch.MACSize]byte) {
			return func(macs [][batch.MACSize]byte) {
				for i, m := range b.Messages {
					one := hmac.New(h, b.Keys[b.Key(i)])
					one.Write(m)
					one.Sum(macs[i][:0])
				}
			}
		},
		parameter.Kept: func(b batch.Batch) func([][batch.MACSize]byte) {
			kept := make([]hash.Hash, len(b.Keys))
			for i, key := range b.Keys {
				kept[i] = hmac.New(h, key)
			}
			return func(macs [][batch.MACSize]byte) {
				for i, m := range b.Messages {
					one := kept[b.Key(i)]
					one.Reset()
					one.Write(m)
					one.Sum(macs[i][:0])
				}
			}
		},
	}
}

func Hash(h func() hash.Hash) Opener {
	return func(v *provider.Vector) (provider.Operation, error) { return loop.NewHash(h(), v), nil }
}

func HMAC(h func() hash.Hash) Opener {
	return func(v *provider.Vector) (provider.Operation, error) { return loop.NewHash(hmac.New(h, v.Key), v), nil }
}

func SM3Timing(result.Case) result.ConstantTime { return reason.Timing("yes", "arx-sm3") }

func SM3(h func() hash.Hash, kernel func(result.Case) string) Offer {
	return Offer{
		Cases: Cases{
			{Algorithm: algorithm.SM3, Operation: algorithm.Hash}:    Hash(h),
			{Algorithm: algorithm.HMACSM3, Operation: algorithm.MAC}: HMAC(h),
		},
		Allowed: Approved,
		Kernel:  kernel,
		Timing:  SM3Timing,
		Note:    Notes{algorithm.MAC: "crypto/hmac around the library's SM3; the key is set before"}.Of,
	}
}
