package vectors

import (
	"bytes"
	"crypto"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/mlkem"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"encoding/asn1"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/reference"
	gmdsa "github.com/emmansun/gmsm/mldsa"
	gmkem "github.com/emmansun/gmsm/mlkem"
)

// keyPairSuites run RSA, the curves, ML-KEM and ML-DSA by the judge and by every
// library that is measured with them. Wycheproof holds no SM2; the examples of GB/T
// 32918 are run in package reference.
var keyPairSuites = slices.Concat(rsaSuites(), curveSuites(), latticeSuites())

func each(files []string, subject string, try func(keyPairVector) outcome) (suites []keyPairSuite) {
	for _, file := range files {
		suites = append(suites, keyPairSuite{file + "_test.json", subject, try})
	}
	return suites
}

func rsaSuites() []keyPairSuite {
	oaep := []string{"rsa_oaep_2048_sha256_mgf1sha256", "rsa_oaep_3072_sha256_mgf1sha256", "rsa_oaep_4096_sha256_mgf1sha256"}
	pkcs1 := []string{"rsa_pkcs1_2048", "rsa_pkcs1_3072", "rsa_pkcs1_4096"}
	signature := []string{"rsa_signature_2048_sha256", "rsa_signature_3072_sha256", "rsa_signature_4096_sha256"}
	pss := []string{"rsa_pss_2048_sha256_mgf1_32", "rsa_pss_3072_sha256_mgf1_32", "rsa_pss_4096_sha256_mgf1_32"}
	return slices.Concat(
		each(oaep, "go", func(v keyPairVector) outcome {
			got, err := rsa.DecryptOAEP(sha256.New(), nil, privateRSA(v), v.CT, v.Label)
			return outcome(err == nil && bytes.Equal(got, v.Msg))
		}),
		each(oaep, "reference", func(v keyPairVector) outcome {
			got, err := reference.RSADecryptOAEP(referenceRSA(v), reference.SHA256, v.Label, v.CT)
			return outcome(err == nil && bytes.Equal(got, v.Msg))
		}),
		each(pkcs1, "go", func(v keyPairVector) outcome {
			got, err := rsa.DecryptPKCS1v15(nil, privateRSA(v), v.CT)
			return outcome(err == nil && bytes.Equal(got, v.Msg))
		}),
		each(pkcs1, "reference", func(v keyPairVector) outcome {
			got, err := reference.RSADecryptPKCS1v15(referenceRSA(v), v.CT)
			return outcome(err == nil && bytes.Equal(got, v.Msg))
		}),
		each(signature, "go", func(v keyPairVector) outcome {
			digest := sha256.Sum256(v.Msg)
			return outcome(rsa.VerifyPKCS1v15(publicKey(v).(*rsa.PublicKey), crypto.SHA256, digest[:], v.Sig) == nil)
		}),
		each(signature, "reference", func(v keyPairVector) outcome {
			k := publicKey(v).(*rsa.PublicKey)
			return outcome(reference.RSAVerifyPKCS1v15(reference.RSAKey{N: k.N, E: big.NewInt(int64(k.E))},
				reference.DigestInfoSHA256(reference.SHA256(v.Msg)), v.Sig) == nil)
		}),
		each(pss, "go", func(v keyPairVector) outcome {
			digest := sha256.Sum256(v.Msg)
			return outcome(rsa.VerifyPSS(publicKey(v).(*rsa.PublicKey), crypto.SHA256, digest[:], v.Sig, &rsa.PSSOptions{SaltLength: 32}) == nil)
		}),
		each(pss, "reference", func(v keyPairVector) outcome {
			k := publicKey(v).(*rsa.PublicKey)
			return outcome(reference.RSAVerifyPSS(reference.RSAKey{N: k.N, E: big.NewInt(int64(k.E))}, reference.SHA256, 32,
				reference.SHA256(v.Msg), v.Sig) == nil)
		}),
	)
}

func privateRSA(v keyPairVector) *rsa.PrivateKey {
	key, err := x509.ParsePKCS8PrivateKey(v.group.PrivateKeyPKCS8)
	if err != nil {
		panic(err)
	}
	return key.(*rsa.PrivateKey)
}

func referenceRSA(v keyPairVector) reference.RSAKey {
	k := privateRSA(v)
	return reference.RSAKey{N: k.N, E: big.NewInt(int64(k.E)), D: k.D}
}

func publicKey(v keyPairVector) any {
	key, err := x509.ParsePKIXPublicKey(v.group.PublicKeyDER)
	if err != nil {
		panic(err)
	}
	return key
}

func curveSuites() []keyPairSuite {
	p256, p384 := []string{"ecdsa_secp256r1_sha256"}, []string{"ecdsa_secp384r1_sha384"}
	return slices.Concat(
		each(p256, "go", func(v keyPairVector) outcome {
			digest := sha256.Sum256(v.Msg)
			return outcome(ecdsa.VerifyASN1(publicKey(v).(*ecdsa.PublicKey), digest[:], v.Sig))
		}),
		each(p384, "go", func(v keyPairVector) outcome {
			digest := sha512.Sum384(v.Msg)
			return outcome(ecdsa.VerifyASN1(publicKey(v).(*ecdsa.PublicKey), digest[:], v.Sig))
		}),
		each(p256, "reference", referenceECDSA(reference.P256(), func(m []byte) []byte { return reference.SHA256(m) })),
		each(p384, "reference", referenceECDSA(reference.P384(), func(m []byte) []byte { d := sha512.Sum384(m); return d[:] })),
		each([]string{"ed25519"}, "go", func(v keyPairVector) outcome {
			return outcome(len(v.Sig) == ed25519.SignatureSize && ed25519.Verify(publicKey(v).(ed25519.PublicKey), v.Msg, v.Sig))
		}),
		each([]string{"ed25519"}, "reference", func(v keyPairVector) outcome {
			return outcome(reference.Ed25519Verify(publicKey(v).(ed25519.PublicKey), v.Msg, v.Sig) == nil)
		}),
		each([]string{"x25519"}, "go", goECDH(ecdh.X25519())),
		each([]string{"x25519"}, "reference", func(v keyPairVector) outcome {
			got, err := reference.X25519(v.Private, v.Public)
			return outcome(err == nil && bytes.Equal(got, v.Shared))
		}),
		each([]string{"ecdh_secp256r1_ecpoint"}, "go", goECDH(ecdh.P256())),
		each([]string{"ecdh_secp384r1_ecpoint"}, "go", goECDH(ecdh.P384())),
		each([]string{"ecdh_secp256r1_ecpoint"}, "reference", referenceECDH(reference.P256())),
		each([]string{"ecdh_secp384r1_ecpoint"}, "reference", referenceECDH(reference.P384())),
	)
}

// referenceECDSA reads signatures as strictly as the judge does, for DER has one form.
func referenceECDSA(c *reference.Curve, hash func([]byte) []byte) func(keyPairVector) outcome {
	return func(v keyPairVector) outcome {
		point, err := publicKey(v).(*ecdsa.PublicKey).Bytes()
		if err != nil {
			return refused
		}
		x, y := coordinates(point)
		var s struct{ R, S *big.Int }
		rest, err := asn1.Unmarshal(v.Sig, &s)
		if err != nil || len(rest) > 0 {
			return refused
		}
		if again, err := asn1.Marshal(s); err != nil || !bytes.Equal(again, v.Sig) {
			return refused
		}
		return outcome(reference.ECDSAVerify(c, x, y, hash(v.Msg), s.R, s.S) == nil)
	}
}

func coordinates(point []byte) (x, y *big.Int) {
	half := len(point) / 2
	return new(big.Int).SetBytes(point[1 : 1+half]), new(big.Int).SetBytes(point[1+half:])
}

func goECDH(curve ecdh.Curve) func(keyPairVector) outcome {
	return func(v keyPairVector) outcome {
		key, err := curve.NewPrivateKey(scalar(v.Private, curve))
		if err != nil {
			return refused
		}
		peer, err := curve.NewPublicKey(v.Public)
		if err != nil {
			return refused
		}
		got, err := key.ECDH(peer)
		return outcome(err == nil && bytes.Equal(got, v.Shared))
	}
}

// scalar is a private key in all its bytes; Wycheproof writes it as a number.
func scalar(number []byte, curve ecdh.Curve) []byte {
	size := map[ecdh.Curve]int{ecdh.P256(): 32, ecdh.P384(): 48, ecdh.X25519(): 32}[curve]
	if curve == ecdh.X25519() {
		return number
	}
	return new(big.Int).SetBytes(number).FillBytes(make([]byte, size))
}

func referenceECDH(c *reference.Curve) func(keyPairVector) outcome {
	return func(v keyPairVector) outcome {
		if len(v.Public) != 1+2*c.FieldSize() || v.Public[0] != 4 {
			return refused // compressed points are nobody's here
		}
		x, y := coordinates(v.Public)
		got, err := reference.ECDH(c, new(big.Int).SetBytes(v.Private), x, y)
		return outcome(err == nil && bytes.Equal(got, v.Shared))
	}
}

func latticeSuites() []keyPairSuite {
	return slices.Concat(
		kemSuites("768", reference.MLKEM768(),
			func(seed []byte) (kemKey, []byte, error) {
				k, err := mlkem.NewDecapsulationKey768(seed)
				if err != nil {
					return nil, nil, err
				}
				return k, k.EncapsulationKey().Bytes(), nil
			},
			func(ek []byte) error { _, err := mlkem.NewEncapsulationKey768(ek); return err },
			func(seed []byte) (kemKey, []byte, error) {
				k, err := gmkem.NewDecapsulationKeyFromSeed768(seed)
				if err != nil {
					return nil, nil, err
				}
				return k, k.EncapsulationKey().Bytes(), nil
			},
			func(ek []byte) error { _, err := gmkem.NewEncapsulationKey768(ek); return err }),
		kemSuites("1024", reference.MLKEM1024(),
			func(seed []byte) (kemKey, []byte, error) {
				k, err := mlkem.NewDecapsulationKey1024(seed)
				if err != nil {
					return nil, nil, err
				}
				return k, k.EncapsulationKey().Bytes(), nil
			},
			func(ek []byte) error { _, err := mlkem.NewEncapsulationKey1024(ek); return err },
			func(seed []byte) (kemKey, []byte, error) {
				k, err := gmkem.NewDecapsulationKeyFromSeed1024(seed)
				if err != nil {
					return nil, nil, err
				}
				return k, k.EncapsulationKey().Bytes(), nil
			},
			func(ek []byte) error { _, err := gmkem.NewEncapsulationKey1024(ek); return err }),
		each([]string{"mldsa_44_verify"}, "reference", referenceMLDSA(reference.MLDSA44())),
		each([]string{"mldsa_65_verify"}, "reference", referenceMLDSA(reference.MLDSA65())),
		each([]string{"mldsa_44_verify"}, "gmsm", func(v keyPairVector) outcome {
			k, err := gmdsa.NewPublicKey44(rawPublic(v))
			return outcome(err == nil && k.VerifyWithOptions(v.Sig, v.Msg, &gmdsa.Options{Context: v.Ctx}))
		}),
		each([]string{"mldsa_65_verify"}, "gmsm", func(v keyPairVector) outcome {
			k, err := gmdsa.NewPublicKey65(rawPublic(v))
			return outcome(err == nil && k.VerifyWithOptions(v.Sig, v.Msg, &gmdsa.Options{Context: v.Ctx}))
		}),
		each([]string{"mldsa_44_sign_seed"}, "reference", signsMLDSA(reference.MLDSA44())),
		each([]string{"mldsa_65_sign_seed"}, "reference", signsMLDSA(reference.MLDSA65())),
	)
}

func referenceMLDSA(m reference.MLDSA) func(keyPairVector) outcome {
	return func(v keyPairVector) outcome {
		return outcome(m.Verify(rawPublic(v), v.Msg, v.Ctx, v.Sig) == nil)
	}
}

// signsMLDSA signs with the randomness that a case gives, or with none, the
// deterministic variant: then there is one right signature. Cases of a ready μ have no
// message.
func signsMLDSA(m reference.MLDSA) func(keyPairVector) outcome {
	return func(v keyPairVector) outcome {
		if len(v.group.PrivateSeed) != 32 || len(v.Ctx) > 255 {
			return refused
		}
		if v.Msg == nil && v.Mu != nil {
			return outcome(v.Result == "valid") // not signed here
		}
		random := make([]byte, 32)
		copy(random, v.Rnd)
		return outcome(bytes.Equal(m.Sign(v.group.PrivateSeed, v.Msg, v.Ctx, random), v.Sig))
	}
}

// rawPublic is a group's public key where it is bytes and not an object.
func rawPublic(v keyPairVector) []byte {
	var text string
	if json.Unmarshal(v.group.PublicKey, &text) != nil {
		return nil
	}
	b, _ := hex.DecodeString(text)
	return b
}

// kemKey decapsulates.
type kemKey interface{ Decapsulate([]byte) ([]byte, error) }

func kemSuites(size string, m reference.MLKEM, readGo func([]byte) (kemKey, []byte, error), publicGo func([]byte) error,
	readGmsm func([]byte) (kemKey, []byte, error), publicGmsm func([]byte) error) []keyPairSuite {
	whole := func(read func([]byte) (kemKey, []byte, error)) func(keyPairVector) outcome {
		return func(v keyPairVector) outcome {
			k, public, err := read(v.Seed)
			if err != nil || !bytes.Equal(public, v.EK) && v.EK != nil {
				return refused
			}
			got, err := k.Decapsulate(v.C)
			return outcome(err == nil && bytes.Equal(got, v.K))
		}
	}
	keys := func(read func([]byte) (kemKey, []byte, error)) func(keyPairVector) outcome {
		return func(v keyPairVector) outcome {
			_, public, err := read(v.Seed)
			return outcome(err == nil && bytes.Equal(public, v.EK))
		}
	}
	readReference := func(seed []byte) (kemKey, []byte, error) {
		if len(seed) != 64 {
			return nil, nil, errSeed
		}
		return referenceKEM{m, seed}, m.Public(seed), nil
	}
	// Libraries draw themselves what an encapsulation takes, so of these cases they
	// are asked for the key alone.
	takes := func(public func([]byte) error) func(keyPairVector) outcome {
		return func(v keyPairVector) outcome { return outcome(public(v.EK) == nil) }
	}
	all, encaps, keygen := []string{"mlkem_" + size}, []string{"mlkem_" + size + "_encaps"}, []string{"mlkem_" + size + "_keygen_seed"}
	return slices.Concat(
		each(all, "reference", whole(readReference)), each(all, "go", whole(readGo)), each(all, "gmsm", whole(readGmsm)),
		each(keygen, "reference", keys(readReference)), each(keygen, "go", keys(readGo)), each(keygen, "gmsm", keys(readGmsm)),
		each(encaps, "go", takes(publicGo)), each(encaps, "gmsm", takes(publicGmsm)),
		each(encaps, "reference", func(v keyPairVector) outcome {
			secret, ciphertext, err := m.Encapsulate(v.EK, v.M)
			return outcome(err == nil && bytes.Equal(secret, v.K) && bytes.Equal(ciphertext, v.C))
		}),
	)
}

type referenceKEM struct {
	m    reference.MLKEM
	seed []byte
}

func (k referenceKEM) Decapsulate(ciphertext []byte) ([]byte, error) {
	return k.m.Decapsulate(k.seed, ciphertext)
}

var errSeed = errNamed("the seed has another length")

type errNamed string

func (e errNamed) Error() string { return string(e) }
