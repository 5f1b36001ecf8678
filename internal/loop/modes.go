package loop

import (
	"crypto/cipher"
	"hash"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// BlockCipher is a library's block cipher under the modes of crypto/cipher,
// which hand over to the library's own where it has them.
type BlockCipher struct {
	New  func(key []byte) (cipher.Block, error)
	ECB  func(b cipher.Block, d Direction) cipher.BlockMode // nil where the library has none; then a loop over blocks
	Hash func() hash.Hash                                   // of the composite with a MAC
	MAC  string                                             // the composite's name for it: "HMAC-SM3"

	// Feedback is the library's own CFB or OFB; nil where it has none, and crypto/cipher's goes by single blocks.
	Feedback func(mode string, d Direction) func(b cipher.Block, iv []byte) cipher.Stream

	// CCM is the library's own, with a nonce of 12 bytes and a tag of 16; nil where it has none, as crypto/cipher.
	CCM func(b cipher.Block) (cipher.AEAD, error)

	// Allowed asks a policy for a case that the library offers; nil allows all.
	Allowed func(result.Case) error
}

// Open prepares encryption or decryption in the case's mode or of one block, the
// key schedule, or a cipher in GCM, made for itself or for each message. The
// case's algorithm is the caller's to judge.
func (bc BlockCipher) Open(c result.Case, vs provider.Vectors) (provider.Operation, error) {
	type vector = *provider.Vector
	switch c.Operation {
	case algorithm.Schedule:
		return bc.openSetup(c, "", vs, func(v vector) provider.Operation { return NewSchedule(bc.New, v) })
	case algorithm.New:
		return bc.openSetup(c, algorithm.GCM, vs, func(v vector) provider.Operation { return NewConstruct(GCM(bc.New), v) })
	case algorithm.NewEncrypt:
		return bc.openSetup(c, algorithm.GCM, vs, func(v vector) provider.Operation { return NewFreshSeal(GCM(bc.New), v) })
	}
	d, err := DirectionOf(c.Operation)
	if err != nil {
		return nil, err
	}
	if provider.Concurrent(c) {
		v, err := bc.many(c, vs)
		if err != nil {
			return nil, err
		}
		return NewParallel(GCM(bc.New), c, v)
	}
	if err := bc.offers(c); err != nil {
		return nil, err
	}
	b, v, err := bc.keyed(c, vs)
	if err != nil {
		return nil, err
	}
	return bc.operation(c.Mode, b, d, v)
}

func (bc BlockCipher) OpenScenario(c result.Case, vs provider.Vectors) (provider.Scenario, error) {
	_, _, buffered := provider.BuffersOf(c)
	switch {
	case buffered && c.Operation != algorithm.Encrypt:
		return nil, provider.Absent("not-offered", c.Algorithm, c.Mode+" "+c.Operation)
	case !buffered && c.Operation != algorithm.Arrival:
		return bc.OpenExposure(c, vs)
	}
	v, err := bc.many(c, vs)
	if err != nil {
		return nil, err
	}
	if !buffered {
		return NewArrival(GCM(bc.New), c, v)
	}
	a, err := GCM(bc.New)(v.Key)
	if err != nil {
		return nil, err
	}
	return SealGC(c, a, v)
}

func (bc BlockCipher) many(c result.Case, vs provider.Vectors) (*provider.Vector, error) {
	if c.Mode != algorithm.GCM {
		return nil, provider.Absent("not-offered", c.Algorithm, c.Mode+" "+c.Operation)
	}
	_, v, err := bc.keyed(provider.Alone(c), vs)
	return v, err
}

func (bc BlockCipher) openSetup(c result.Case, mode string, vs provider.Vectors,
	open func(*provider.Vector) provider.Operation) (provider.Operation, error) {
	if c.Mode != mode || c.Parameters != "" {
		return nil, provider.Absent("not-offered", c.Algorithm, c.Mode+" "+c.Operation)
	}
	_, v, err := bc.keyed(c, vs)
	if err != nil {
		return nil, err
	}
	return open(v), nil
}

// Encrypted is the vector's plaintext in a mode, by the loop that is timed.
func (bc BlockCipher) Encrypted(mode string, b cipher.Block, v *provider.Vector) ([]byte, error) {
	of := *v
	of.Ciphertext = make([]byte, len(v.Plaintext))
	op, err := bc.operation(mode, b, Encrypt, &of)
	if err != nil {
		return nil, err
	}
	err = op.Run(1)
	return op.(*timed).got, err
}

// GCM makes a block cipher in GCM of a key.
func GCM(create func(key []byte) (cipher.Block, error)) NewAEADFunc {
	return func(key []byte) (cipher.AEAD, error) {
		b, err := create(key)
		if err != nil {
			return nil, err
		}
		return cipher.NewGCM(b)
	}
}

// keyed makes the block cipher under the case's key, if a policy allows it.
func (bc BlockCipher) keyed(c result.Case, vs provider.Vectors) (cipher.Block, *provider.Vector, error) {
	v, err := provider.VectorOf(c, vs, bc.Allowed)
	if err != nil {
		return nil, nil, err
	}
	b, err := bc.New(v.Key)
	return b, v, err
}

func (bc BlockCipher) offers(c result.Case) error {
	parameters := ""
	switch c.Mode {
	case algorithm.ECB, algorithm.CBC, algorithm.CFB, algorithm.OFB, algorithm.CTR, algorithm.GCM, algorithm.OneBlock:
	case algorithm.CCM:
		if bc.CCM == nil {
			return provider.Absent("has-no-mode", c.Algorithm, c.Mode)
		}
	case "CBC+" + bc.MAC:
		parameters = parameter.PKCS7Padding
	default:
		return provider.Absent("has-no-mode", c.Algorithm, c.Mode)
	}
	mixed, rest := seeded.MixOf(c)
	if rest != parameters {
		return provider.Absent("parameters", c.Name(), parameter.PKCS7Padding, rest)
	}
	if mixed > 0 && !algorithm.Authenticates(c.Algorithm, c.Mode) {
		return provider.Absent("mix-authenticates", c.Name())
	}
	return nil
}

func (bc BlockCipher) operation(mode string, b cipher.Block, d Direction, v *provider.Vector) (
	provider.Operation, error) {
	whole := func(a cipher.AEAD, err error) (provider.Operation, error) {
		if err != nil {
			return nil, err
		}
		return NewAEAD(a, d, v), nil
	}
	switch mode {
	case algorithm.OneBlock:
		return NewBlockLoop(b, d, v), nil
	case algorithm.ECB:
		if bc.ECB == nil {
			return NewBlockLoop(b, d, v), nil
		}
		return NewBulk(bc.ECB(b, d), d, v), nil
	case algorithm.CBC:
		if d == Decrypt {
			return NewBlockMode(b, cipher.NewCBCDecrypter, d, v), nil
		}
		return NewBlockMode(b, cipher.NewCBCEncrypter, d, v), nil
	case algorithm.CFB, algorithm.OFB:
		if bc.Feedback != nil {
			return NewStream(b, bc.Feedback(mode, d), d, v), nil
		}
		return NewStream(b, genericFeedback(mode, d), d, v), nil
	case algorithm.CTR:
		return NewStream(b, cipher.NewCTR, d, v), nil
	case algorithm.GCM:
		return whole(cipher.NewGCM(b))
	case algorithm.CCM:
		return whole(bc.CCM(b))
	}
	return whole(EncryptThenMAC(b, bc.Hash, v.MACKey))
}

// genericFeedback is CFB or OFB of crypto/cipher.
func genericFeedback(mode string, d Direction) func(b cipher.Block, iv []byte) cipher.Stream {
	switch {
	case mode == algorithm.OFB:
		//lint:ignore SA1019 the laboratory measures what people still use
		return cipher.NewOFB
	case d == Decrypt:
		//lint:ignore SA1019 the laboratory measures what people still use
		return cipher.NewCFBDecrypter
	}
	//lint:ignore SA1019 the laboratory measures what people still use
	return cipher.NewCFBEncrypter
}
