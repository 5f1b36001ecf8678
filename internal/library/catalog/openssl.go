package catalog

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/result"
)

// OpenSSLKind is what a case is for OpenSSL: which part of EVP does it, and in
// which shape.
type OpenSSLKind int

// The kinds.
const (
	OpenSSLNone      OpenSSLKind = iota // not asked for
	OpenSSLMessage                      // a cipher over whole messages
	OpenSSLComposite                    // CBC, then HMAC
	OpenSSLSetup                        // a key schedule, a context for messages
	OpenSSLMany                         // an AEAD that many goroutines hold
	OpenSSLStream                       // a big file in chunks
	OpenSSLCollected                    // an AEAD or a key pair beside Go's collector
	OpenSSLExposed                      // what a mode gives away
	OpenSSLHash
	OpenSSLMAC
	OpenSSLDerivation
	OpenSSLSignature
	OpenSSLTransport // encryption under a public key
	OpenSSLAgreement
	OpenSSLGeneration
	OpenSSLDraws    // RSA keys, each a draw
	OpenSSLExchange // a step of a key exchange
	OpenSSLEnvelope // a key pair wraps the message's key
)

func hasOpenSSL(c result.Case) bool { return OpenSSL(c) != OpenSSLNone }

// OpenSSL says what a case is.
func OpenSSL(c result.Case) OpenSSLKind {
	c, cpus := withoutBusy(c)
	for _, is := range []func(result.Case) OpenSSLKind{cipherOfOpenSSL, hashOfOpenSSL, rsaOfOpenSSL, curveOfOpenSSL, envelopeOfOpenSSL} {
		if kind := is(c); kind != OpenSSLNone {
			if cpus && kind < OpenSSLSignature {
				return OpenSSLNone // every CPU busy is asked of key pairs
			}
			return kind
		}
	}
	return OpenSSLNone
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

// parameters says whether a case has these parameters and no others; those that
// end in a question mark it may lack.
func parameters(c result.Case, names ...string) bool {
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

// OpenSSLCipher is what OpenSSL calls a cipher in a mode (EVP_CIPHER-AES(7),
// EVP_CIPHER-SM4(7), EVP_CIPHER-CHACHA(7)), of a composite its CBC; false where it
// is not asked for it.
func OpenSSLCipher(algorithm, mode string) (name string, ok bool) {
	switch algorithm {
	case "SM4", "AES-128", "AES-192", "AES-256":
		switch mode {
		case "ECB", "CBC", "CFB", "OFB", "CTR", "GCM":
			return algorithm + "-" + mode, true
		case "block", "":
			return algorithm + "-ECB", true // a block is the whole of it
		case OpenSSLMACMode(algorithm):
			return algorithm + "-CBC", true
		}
	case "ChaCha20", "ChaCha20-Poly1305":
		return algorithm, mode == ""
	}
	return "", false
}

// OpenSSLMACMode is the composite of a block cipher.
func OpenSSLMACMode(algorithm string) string {
	if algorithm == "SM4" {
		return "CBC+HMAC-SM3"
	}
	return "CBC+HMAC-SHA-256"
}

// OpenSSLSeals says whether a cipher authenticates.
func OpenSSLSeals(c result.Case) bool { return c.Mode == "GCM" || c.Algorithm == "ChaCha20-Poly1305" }

func cipherOfOpenSSL(c result.Case) OpenSSLKind {
	if _, ok := OpenSSLCipher(c.Algorithm, c.Mode); !ok {
		return OpenSSLNone
	}
	seals, composite := OpenSSLSeals(c), strings.Contains(c.Mode, "HMAC")
	switch c.Operation {
	case "encrypt", "decrypt":
		switch {
		case composite && parameters(c, "padding", "sizes?", "messages?"):
			return OpenSSLComposite
		case composite || c.Mode == "" && !strings.HasPrefix(c.Algorithm, "ChaCha20"):
			return OpenSSLNone
		case c.Parameters == "", parameters(c, "batch"), seals && parameters(c, "sizes", "messages"):
			return OpenSSLMessage
		case c.Operation == "decrypt":
			return OpenSSLNone
		case c.Mode != "block" && parameters(c, "call", "way"):
			return OpenSSLMessage
		case seals && parameters(c, "goroutines", "holding", "request", "sizes?", "messages?"):
			return OpenSSLMany
		case seals && parameters(c, "buffers", "heap"):
			return OpenSSLCollected
		}
	case "arrival":
		if seals && parameters(c, "load", "request", "sizes?", "messages?") {
			return OpenSSLMany
		}
	case "stream":
		if seals {
			return OpenSSLStream
		}
	case "schedule":
		if c.Mode == "" && c.Parameters == "" && !strings.HasPrefix(c.Algorithm, "ChaCha20") {
			return OpenSSLSetup
		}
	case "new", "new+encrypt":
		if seals && c.Parameters == "" {
			return OpenSSLSetup
		}
	case "exposure":
		if slices.Contains([]string{"ECB", "CBC", "CTR"}, c.Mode) && c.Parameters == "" {
			return OpenSSLExposed
		}
	}
	return OpenSSLNone
}

// OpenSSLDigest is what OpenSSL calls a hash, or the hash of what is built on one.
func OpenSSLDigest(algorithm string) (name string, ok bool) {
	switch hash := strings.TrimPrefix(strings.TrimPrefix(algorithm, "HMAC-"), "HKDF-"); hash {
	case "MD5", "SM3", "SHA-1", "SHA-256", "SHA-384", "SHA-512", "SHA3-256", "BLAKE2b-512":
		return hash, true
	}
	return "", false
}

func hashOfOpenSSL(c result.Case) OpenSSLKind {
	if _, ok := OpenSSLDigest(c.Algorithm); !ok || c.Mode != "" || !parameters(c, "batch?") {
		return OpenSSLNone
	}
	keyed, derives := strings.HasPrefix(c.Algorithm, "HMAC-"), strings.HasPrefix(c.Algorithm, "HKDF-")
	switch {
	case c.Operation == "hash" && !keyed && !derives:
		return OpenSSLHash
	case c.Operation == "mac" && keyed:
		return OpenSSLMAC
	case c.Operation == "derive" && derives:
		return OpenSSLDerivation
	}
	return OpenSSLNone
}

func rsaOfOpenSSL(c result.Case) OpenSSLKind {
	if !strings.HasPrefix(c.Algorithm, "RSA-") {
		return OpenSSLNone
	}
	private := c.Operation == "sign" || c.Operation == "decrypt"
	if private && parameters(c, "buffers", "heap") {
		return OpenSSLCollected
	}
	usual := c.Parameters == "" || private && c.Parameters == "crt=no"
	switch {
	case c.Operation == "generate" && c.Mode == "" && parameters(c, "draws"):
		return OpenSSLDraws
	case (c.Operation == "sign" || c.Operation == "verify") && (c.Mode == "PKCS1v15-SHA-256" || c.Mode == "PSS-SHA-256") && usual:
		return OpenSSLSignature
	case (c.Operation == "encrypt" || c.Operation == "decrypt") && (c.Mode == "PKCS1v15" || c.Mode == "OAEP-SHA-256") &&
		(usual || parameters(c, "message")):
		return OpenSSLTransport
	}
	return OpenSSLNone
}

// curveOfOpenSSL is for the curves, and since OpenSSL 3.5 the lattices.
func curveOfOpenSSL(c result.Case) OpenSSLKind {
	signs := slices.Contains([]string{"ECDSA-P-256", "ECDSA-P-384", "Ed25519", "SM2", "ML-DSA-44", "ML-DSA-65"}, c.Algorithm)
	agrees := slices.Contains([]string{"ECDH-P-256", "ECDH-P-384", "X25519", "ML-KEM-768", "ML-KEM-1024", "X25519MLKEM768"}, c.Algorithm)
	if !signs && !agrees || c.Mode != "" {
		return OpenSSLNone
	}
	if parameters(c, "buffers", "heap") && (signs && c.Operation == "sign" || agrees && c.Operation == "agree") {
		return OpenSSLCollected
	}
	za := c.Algorithm == "SM2" && c.Parameters == "za=precomputed"
	if signs && (c.Operation == "sign" || c.Operation == "verify") && (za || c.Parameters == "") {
		return OpenSSLSignature
	}
	if c.Parameters != "" {
		return OpenSSLNone
	}
	switch c.Operation {
	case "encrypt", "decrypt":
		if c.Algorithm == "SM2" {
			return OpenSSLTransport
		}
	case "generate":
		if signs {
			return OpenSSLGeneration
		}
		return OpenSSLExchange
	case "agree":
		if c.Algorithm == "ECDH-P-256" || c.Algorithm == "X25519" {
			return OpenSSLAgreement
		}
	case "encapsulate", "decapsulate", "session", "session-key":
		if agrees {
			return OpenSSLExchange
		}
	}
	return OpenSSLNone
}

// envelopeOfOpenSSL: HPKE is another interface than EVP, and not asked for.
func envelopeOfOpenSSL(c result.Case) OpenSSLKind {
	if c.Algorithm != "Envelope" || c.Operation != "seal" && c.Operation != "open" {
		return OpenSSLNone
	}
	switch c.Mode {
	case "RSA-2048-OAEP+AES-256-GCM", "RSA-4096-OAEP+AES-256-GCM", "SM2+SM4-GCM":
		if c.Parameters == "" {
			return OpenSSLEnvelope
		}
	case "AES-256-GCM", "SM4-GCM":
		if c.Parameters == "key=reused" {
			return OpenSSLEnvelope
		}
	}
	return OpenSSLNone
}
