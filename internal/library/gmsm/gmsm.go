// Package gmsm measures github.com/emmansun/gmsm: SM4 in its own ECB and in the
// modes of crypto/cipher, which hand CBC, CTR and GCM over to it, SM4-CBC with
// HMAC-SM3 put together from its parts, SM3, and in keys.go SM2, ML-DSA, ML-KEM and
// envelopes.
package gmsm

import (
	"crypto/cipher"
	"crypto/rand"

	smcipher "github.com/emmansun/gmsm/cipher"
	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/sm3"
	"github.com/emmansun/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/batch"
	"github.com/cryptogauge/cryptogauge/internal/library/bulkhash"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

func Providers(v provider.Vectors) []provider.Provider {
	offers := []gobinding.Offer{
		many(),
		gobinding.MACs(algorithm.HMACSM3, gobinding.Approved, gobinding.HMACs(sm3.New)).By(sm3Kernel, gobinding.SM3Timing),
		passwords(),
		gobinding.Configurations(gobinding.Approved, sm4.NewCipher, algorithm.SM4).By(cipherKernel, cipherTiming),
		services(), gobinding.SM3(sm3.New, sm3Kernel), sm2Keys(), lattices(), envelopes(), texts(), blockCipher(),
	}
	if !isa.AMD64 && !isa.ARM64 {
		for i := range offers {
			offers[i].Kernel = gobinding.Always("unknown")
			offers[i].Timing = gobinding.Always(reason.Timing("unknown", "gmsm-unexamined"))
		}
	}
	return []provider.Provider{gobinding.New(gobinding.Go(subject.Gmsm, "github.com/emmansun/gmsm"), v, offers...)}
}

func blockCipher() gobinding.Offer {
	return gobinding.BlockCipher(loop.BlockCipher{New: sm4.NewCipher, ECB: ecb, Hash: sm3.New, MAC: algorithm.HMACSM3,
		CCM: smcipher.NewCCM, Allowed: gobinding.Approved}, "sm4.NewCipher", gobinding.Notes{
		algorithm.CFB: "crypto/cipher's generic mode around the library's single blocks",
		algorithm.OFB: "crypto/cipher's generic mode around the library's single blocks",
		algorithm.CCM: "the library's own mode: CTR, and a chain of single blocks",
	}, algorithm.SM4).By(cipherKernel, cipherTiming)
}

func texts() gobinding.Offer {
	return gobinding.Texts(algorithm.SM4, gobinding.Approved, gobinding.NewBlock(sm4.NewCipher).Blocks()).By(
		func(c result.Case) string { return cipherKernel(batch.One(c)) },
		func(c result.Case) result.ConstantTime { return cipherTiming(batch.One(c)) })
}

func ecb(b cipher.Block, d loop.Direction) cipher.BlockMode {
	if d == loop.Decrypt {
		return smcipher.NewECBDecrypter(b)
	}
	return smcipher.NewECBEncrypter(b)
}

func many() gobinding.Offer {
	loops := func(parameter.Manner) bulkhash.Loops[[sm3.Size]byte] { return bulkhash.Sums(sum) }
	return gobinding.Many(algorithm.SM3, gobinding.Approved, new(bulkhash.Shared), loops).By(sm3Kernel, gobinding.SM3Timing)
}

// passwords are hashed by crypto/pbkdf2 around gmsm's SM3: gmsm has no PBKDF2 of its own.
func passwords() gobinding.Offer {
	return gobinding.Logins(algorithm.PBKDF2SM3, gobinding.Approved, gobinding.PBKDF2(sm3.New)).
		By(sm3Kernel, gobinding.SM3Timing).Noted("crypto/pbkdf2 around the library's SM3")
}

func sum(digests [][sm3.Size]byte, messages [][]byte) {
	for i, m := range messages {
		digests[i] = sm3.Sum(m)
	}
}

const (
	sealed          = algorithm.SM4GCM
	sealedAndSigned = algorithm.SM4GCM + "+" + algorithm.SM2
)

var newGCM = loop.GCM(sm4.NewCipher)

// services are those of net/http whose answers the library seals, and signs.
func services() gobinding.Offer {
	o := gobinding.Services(service.Maker{Library: subject.Gmsm, Seal: newGCM, Sign: signerOf,
		Allowed: gobinding.Enforced(provider.Unsupported("fips-sm2-sm4"))}, sealed, sealedAndSigned)
	o.Kernel = func(c result.Case) string {
		seals := cipherKernel(result.Case{Algorithm: algorithm.SM4, Mode: algorithm.GCM, Operation: algorithm.Encrypt, Bytes: c.Bytes})
		if c.Mode == sealed {
			return seals
		}
		return seals + " / " + sm2Kernel(c)
	}
	return o
}

func signerOf(_ algorithm.Name, v *provider.Vector) (made service.Signer, err error) {
	key, err := sm2.NewPrivateKey(v.Static[0])
	if err != nil {
		return made, err
	}
	pair, err := sm2Signature.Pair(key)
	if err != nil {
		return made, err
	}
	return service.Signer{Public: pair[len(v.Static[0]):], Sign: func(message []byte) ([]byte, error) {
		return key.Sign(rand.Reader, message, sm2Signature.Opts)
	}}, nil
}
