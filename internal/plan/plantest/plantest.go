package plantest

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// NativeOffers are those of OpenSSL and Botan by every path, of Botan's workarounds,
// and of empty calls.
func NativeOffers(e plan.Experiment) (o plan.Offers) {
	for _, path := range []string{"cgo", "purego", "c-loop"} {
		openssl := result.Subject{Library: "openssl", Version: "3.0.19", CallPath: path}
		botan := result.Subject{Library: "botan", Version: "2.19.3", CallPath: path}
		o = append(o, plan.Offer{Subject: result.Subject{Library: subject.Harness, Version: "1", CallPath: path}, Case: plan.Crossing})
		for _, c := range e.Cases {
			way := c.Parameter("way")
			if way != string(parameter.Final) && way != string(parameter.Blocks) && (c.Parameter("batch") == "" || path == "cgo") {
				o = append(o, plan.Offer{Subject: openssl, Case: c, Loop: "foreign"})
			}
			if c.Algorithm == "SHA-256" || c.Parameter("batch") != "" {
				continue
			}
			stream := c.Mode == "CTR" || c.Mode == "OFB" || c.Algorithm == "ChaCha20"
			if way == "" || way == string(parameter.Update) || way == string(parameter.Oneshot) || way == string(parameter.Final) && stream || way == string(parameter.Blocks) && c.Mode == "CTR" {
				o = append(o, plan.Offer{Subject: botan, Case: c, Loop: "foreign"})
			}
			around := botan
			around.Implementation = "ctr-bypass"
			if c.Mode == "CTR" && (way == "" || way == string(parameter.Update)) {
				o = append(o, plan.Offer{Subject: around, Case: c, Loop: "foreign"})
			}
		}
	}
	return o
}

func Headlines(groups []plan.Group) (n int) {
	for _, g := range groups {
		for _, p := range g.Pairs {
			if p.Headline {
				n++
			}
		}
	}
	return n
}

var (
	GoLibrary = result.Subject{Library: "go", Version: "go1.26", CallPath: "go"}
	XCrypto   = result.Subject{Library: "xcrypto", Version: "v0", CallPath: "go"}
	GMSM      = result.Subject{Library: "gmsm", Version: "v0.44.0", CallPath: "go"}
	TJFOC     = result.Subject{Library: "tjfoc", Version: "v1.4.1", CallPath: "go"}
	Helpers   = result.Subject{Library: "tjfoc", Version: "v1.4.1", Implementation: "helpers", CallPath: "go"}
	Token     = result.Subject{Library: subject.PKCS11, Version: "SoftHSM-2.6", CallPath: subject.Cgo}
)

// Offered are today's offers: AES of Go's, SM4 of gmsm and tjfoc, one-call
// helpers of tjfoc only.
func Offered(e plan.Experiment) (o plan.Offers) {
	o = plan.SelfOffers()
	if e.Name == "boundary" || e.Name == "chunking" { // which ask what is not Go's
		o = append(o, NativeOffers(e)...)
	}
	if e.Name == "offload" { // which asks a token that the user names
		for _, c := range e.Cases {
			o = append(o, plan.Offer{Subject: Token, Case: c, Loop: "sessions"})
		}
	}
	for _, s := range []result.Subject{GoLibrary, XCrypto, GMSM, TJFOC, Helpers} {
		for _, c := range e.Cases {
			if c.Operation == algorithm.Unwrap { // a token's
				continue
			}
			var has bool
			helped := strings.HasPrefix(c.Operation, "init+")
			switch s {
			case GoLibrary:
				has = !strings.HasPrefix(c.Algorithm, "SM") && c.Algorithm != "HMAC-SM3" && c.Algorithm != algorithm.PBKDF2SM3 && !ofXCrypto(c)
			case XCrypto:
				has = ofXCrypto(c)
			case GMSM, TJFOC:
				has = strings.HasPrefix(c.Algorithm, "SM") && !helped || c.Algorithm == "HMAC-SM3" || c.Algorithm == algorithm.PBKDF2SM3 && s == GMSM
			case Helpers:
				has = c.Algorithm == "SM4" && helped
			}
			if has || offersKeyPairs(s, c) {
				o = append(o, plan.Offer{Subject: s, Case: c, Loop: "aead"})
			}
		}
	}
	return o
}

func ofXCrypto(c result.Case) bool {
	return slices.Contains([]string{algorithm.Argon2id, algorithm.Scrypt, algorithm.Bcrypt}, c.Algorithm) ||
		strings.HasPrefix(c.Algorithm, "ChaCha20") || strings.HasPrefix(c.Algorithm, "BLAKE2b")
}

// Selections are ways to ask; the zero one is the full form of everything.
var Selections = map[string]plan.Selection{
	"full":          {},
	"short":         {Short: true},
	"short, sizes":  {Short: true, Sizes: []int64{64, 1 << 10, 16 << 10, 64 << 10, 1 << 20}},
	"short, odd":    {Short: true, Sizes: []int64{1, 15, 17, 1350}},
	"full, sizes":   {Sizes: []int64{64 << 10, 16 << 10, 1 << 10}},
	"one algorithm": {Algorithms: []string{"sm4"}},
	"one mode":      {Modes: []string{"gcm"}, Short: true},
	"one direction": {Operations: []string{"encrypt"}},
}

// offersKeyPairs are today's offers of what has a key pair.
func offersKeyPairs(s result.Subject, c result.Case) bool {
	switch s {
	case GoLibrary:
		return strings.HasPrefix(c.Algorithm, "RSA-") || slices.Contains([]string{algorithm.ECDSA256, algorithm.ECDSA384, algorithm.Ed25519,
			algorithm.ECDH256, algorithm.ECDH384, algorithm.X25519, algorithm.MLKEM768, algorithm.MLKEM1024, algorithm.X25519MLKEM768}, c.Algorithm)
	case GMSM:
		return c.Algorithm == algorithm.SM2 || c.Algorithm == algorithm.SM2Exchange || strings.HasPrefix(c.Algorithm, "ML-")
	case TJFOC:
		return c.Algorithm == algorithm.SM2Exchange || c.Algorithm == algorithm.SM2 && (c.Parameters == "" || c.Operation == algorithm.Verify)
	}
	return false
}
