package gmsm

import (
	"crypto/rand"

	"github.com/emmansun/gmsm/sm2"
	"github.com/emmansun/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

const (
	sealed          = algorithm.SM4GCM
	sealedAndSigned = algorithm.SM4GCM + "+" + algorithm.SM2
)

// services are those of net/http whose answers the library seals, and signs.
func services() gobinding.Offer {
	seal := gobinding.NewBlock(sm4.NewCipher).GCM()
	o := gobinding.Services(service.Maker{Library: subject.Gmsm, Allowed: approvedEnvelope, Seal: seal, Sign: signerOf},
		sealed, sealedAndSigned)
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
