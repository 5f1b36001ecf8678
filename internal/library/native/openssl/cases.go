//go:build linux && (amd64 || arm64)

package openssl

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/result"
)

// kind is what a case is for OpenSSL: which part of EVP does it, and in
// which shape.
type kind int

// The kinds.
const (
	kindNone      kind = iota // not asked for
	kindMessage               // a cipher over whole messages
	kindComposite             // CBC, then HMAC
	kindSetup                 // a key schedule, a context for messages
	kindMany                  // an AEAD that many goroutines hold
	kindStream                // a big file in chunks
	kindCollected             // an AEAD or a key pair beside Go's collector
	kindExposed               // what a mode gives away
	kindHash
	kindMAC
	kindDerivation
	kindSignature
	kindTransport // encryption under a public key
	kindAgreement
	kindGeneration
	kindDraws    // RSA keys, each a draw
	kindExchange // a step of a key exchange
	kindEnvelope // a key pair wraps the message's key
)

// OpenSSL says what a case is.
func kindOf(c result.Case) kind {
	c, cpus := withoutBusy(c)
	for _, is := range []func(result.Case) kind{cipherKind, hashKind, rsaKind, curveKind, envelopeKind} {
		if kind := is(c); kind != kindNone {
			if cpus && kind < kindSignature {
				return kindNone // every CPU busy is asked of key pairs
			}
			return kind
		}
	}
	return kindNone
}

// withoutBusy is a case without the parameter of several CPUs at once.
func withoutBusy(c result.Case) (alone result.Case, cpus bool) {
	p, err := result.ParseParameters(c.Parameters)
	if err != nil || p["busy"] == "" {
		return c, false
	}
	delete(p, "busy")
	c.Parameters = p.String()
	return c, true
}

// takes says whether a case has these parameters and no others; those that
// end in a question mark it may lack.
func takes(c result.Case, names ...string) bool {
	p, err := result.ParseParameters(c.Parameters)
	if err != nil {
		return false
	}
	for _, name := range names {
		bare, optional := strings.CutSuffix(name, "?")
		if _, there := p[bare]; !there && !optional {
			return false
		}
		delete(p, bare)
	}
	return len(p) == 0
}

// cipherName is what OpenSSL calls a cipher in a mode (EVP_CIPHER-AES(7),
// EVP_CIPHER-SM4(7), EVP_CIPHER-CHACHA(7)), of a composite its CBC; false where it
// is not asked for it.
func cipherName(algorithm, mode string) (name string, ok bool) {
	switch algorithm {
	case "SM4", "AES-128", "AES-192", "AES-256":
		switch mode {
		case "ECB", "CBC", "CFB", "OFB", "CTR", "GCM":
			return algorithm + "-" + mode, true
		case "block", "":
			return algorithm + "-ECB", true // a block is the whole of it
		case macMode(algorithm):
			return algorithm + "-CBC", true
		}
	case "ChaCha20", "ChaCha20-Poly1305":
		return algorithm, mode == ""
	}
	return "", false
}

// macMode is the composite of a block cipher.
func macMode(algorithm string) string {
	if algorithm == "SM4" {
		return "CBC+HMAC-SM3"
	}
	return "CBC+HMAC-SHA-256"
}

// seals says whether a cipher authenticates.
func seals(c result.Case) bool { return c.Mode == "GCM" || c.Algorithm == "ChaCha20-Poly1305" }

func cipherKind(c result.Case) kind {
	if _, ok := cipherName(c.Algorithm, c.Mode); !ok {
		return kindNone
	}
	seals, composite := seals(c), strings.Contains(c.Mode, "HMAC")
	switch c.Operation {
	case "encrypt", "decrypt":
		switch {
		case composite && takes(c, "padding", "sizes?", "messages?"):
			return kindComposite
		case composite || c.Mode == "" && !strings.HasPrefix(c.Algorithm, "ChaCha20"):
			return kindNone
		case c.Parameters == "", takes(c, "batch"), seals && takes(c, "sizes", "messages"):
			return kindMessage
		case c.Operation == "decrypt":
			return kindNone
		case c.Mode != "block" && takes(c, "call", "way"):
			return kindMessage
		case seals && takes(c, "goroutines", "holding", "request", "sizes?", "messages?"):
			return kindMany
		case seals && takes(c, "buffers", "heap"):
			return kindCollected
		}
	case "arrival":
		if seals && takes(c, "load", "request", "sizes?", "messages?") {
			return kindMany
		}
	case "stream":
		if seals {
			return kindStream
		}
	case "schedule":
		if c.Mode == "" && c.Parameters == "" && !strings.HasPrefix(c.Algorithm, "ChaCha20") {
			return kindSetup
		}
	case "new", "new+encrypt":
		if seals && c.Parameters == "" {
			return kindSetup
		}
	case "exposure":
		if slices.Contains([]string{"ECB", "CBC", "CTR"}, c.Mode) && c.Parameters == "" {
			return kindExposed
		}
	}
	return kindNone
}

// digestName is what OpenSSL calls a hash, or the hash of what is built on one.
func digestName(algorithm string) (name string, ok bool) {
	switch hash := strings.TrimPrefix(strings.TrimPrefix(algorithm, "HMAC-"), "HKDF-"); hash {
	case "MD5", "SM3", "SHA-1", "SHA-256", "SHA-384", "SHA-512", "SHA3-256", "BLAKE2b-512":
		return hash, true
	}
	return "", false
}

func hashKind(c result.Case) kind {
	if _, ok := digestName(c.Algorithm); !ok || c.Mode != "" || !takes(c, "batch?") {
		return kindNone
	}
	keyed, derives := strings.HasPrefix(c.Algorithm, "HMAC-"), strings.HasPrefix(c.Algorithm, "HKDF-")
	switch {
	case c.Operation == "hash" && !keyed && !derives:
		return kindHash
	case c.Operation == "mac" && keyed:
		return kindMAC
	case c.Operation == "derive" && derives:
		return kindDerivation
	}
	return kindNone
}

func rsaKind(c result.Case) kind {
	if !strings.HasPrefix(c.Algorithm, "RSA-") {
		return kindNone
	}
	private := c.Operation == "sign" || c.Operation == "decrypt"
	if private && takes(c, "buffers", "heap") {
		return kindCollected
	}
	usual := c.Parameters == "" || private && c.Parameters == "crt=no"
	switch {
	case c.Operation == "generate" && c.Mode == "" && takes(c, "draws"):
		return kindDraws
	case (c.Operation == "sign" || c.Operation == "verify") && (c.Mode == "PKCS1v15-SHA-256" || c.Mode == "PSS-SHA-256") && usual:
		return kindSignature
	case (c.Operation == "encrypt" || c.Operation == "decrypt") && (c.Mode == "PKCS1v15" || c.Mode == "OAEP-SHA-256") &&
		(usual || takes(c, "message")):
		return kindTransport
	}
	return kindNone
}

// curveKind is for the curves, and since OpenSSL 3.5 the lattices.
func curveKind(c result.Case) kind {
	signs := slices.Contains([]string{"ECDSA-P-256", "ECDSA-P-384", "Ed25519", "SM2", "ML-DSA-44", "ML-DSA-65"}, c.Algorithm)
	agrees := slices.Contains([]string{"ECDH-P-256", "ECDH-P-384", "X25519", "ML-KEM-768", "ML-KEM-1024", "X25519MLKEM768"}, c.Algorithm)
	if !signs && !agrees || c.Mode != "" {
		return kindNone
	}
	if takes(c, "buffers", "heap") && (signs && c.Operation == "sign" || agrees && c.Operation == "agree") {
		return kindCollected
	}
	za := c.Algorithm == "SM2" && c.Parameters == "za=precomputed"
	if signs && (c.Operation == "sign" || c.Operation == "verify") && (za || c.Parameters == "") {
		return kindSignature
	}
	if c.Parameters != "" {
		return kindNone
	}
	switch c.Operation {
	case "encrypt", "decrypt":
		if c.Algorithm == "SM2" {
			return kindTransport
		}
	case "generate":
		if signs {
			return kindGeneration
		}
		return kindExchange
	case "agree":
		if c.Algorithm == "ECDH-P-256" || c.Algorithm == "X25519" {
			return kindAgreement
		}
	case "encapsulate", "decapsulate", "session", "session-key":
		if agrees {
			return kindExchange
		}
	}
	return kindNone
}

// envelopeKind: HPKE is another interface than EVP, and not asked for.
func envelopeKind(c result.Case) kind {
	if c.Algorithm != "Envelope" || c.Operation != "seal" && c.Operation != "open" {
		return kindNone
	}
	switch c.Mode {
	case "RSA-2048-OAEP+AES-256-GCM", "RSA-4096-OAEP+AES-256-GCM", "SM2+SM4-GCM":
		if c.Parameters == "" {
			return kindEnvelope
		}
	case "AES-256-GCM", "SM4-GCM":
		if c.Parameters == "key=reused" {
			return kindEnvelope
		}
	}
	return kindNone
}
