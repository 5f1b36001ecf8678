package algorithm

import (
	"slices"
	"strings"
)

// Name is an algorithm as cases, run files and reports call it, Mode a mode and
// Operation what is done. They are aliases, since package result, which anyone may
// import, has strings.
type (
	Name      = string
	Mode      = string
	Operation = string
)

// The algorithms. What is known of each stands in the table.
const (
	SM4              Name = "SM4"
	AES128           Name = "AES-128"
	AES192           Name = "AES-192"
	AES256           Name = "AES-256"
	ChaCha20         Name = "ChaCha20"
	ChaCha20Poly1305 Name = "ChaCha20-Poly1305"

	MD5        Name = "MD5"
	SHA1       Name = "SHA-1"
	SHA224     Name = "SHA-224"
	SHA256     Name = "SHA-256"
	SHA384     Name = "SHA-384"
	SHA512     Name = "SHA-512"
	SHA3of256  Name = "SHA3-256"
	SHA3of512  Name = "SHA3-512"
	SM3        Name = "SM3"
	BLAKE2b512 Name = "BLAKE2b-512"
	BLAKE3     Name = "BLAKE3"

	HMACSHA256 Name = "HMAC-SHA-256"
	HMACSM3    Name = "HMAC-SM3"
	HKDFSHA256 Name = "HKDF-SHA-256"

	Bcrypt       Name = "bcrypt"
	Scrypt       Name = "scrypt"
	Argon2id     Name = "Argon2id"
	PBKDF2SHA256 Name = "PBKDF2-HMAC-SHA-256"
	PBKDF2SM3    Name = "PBKDF2-HMAC-SM3"

	RSA512   Name = "RSA-512"
	RSA1024  Name = "RSA-1024"
	RSA2048  Name = "RSA-2048"
	RSA3072  Name = "RSA-3072"
	RSA4096  Name = "RSA-4096"
	RSA8192  Name = "RSA-8192"
	ECDSA256 Name = "ECDSA-P-256"
	ECDSA384 Name = "ECDSA-P-384"
	Ed25519  Name = "Ed25519"
	SM2      Name = "SM2"
	MLDSA44  Name = "ML-DSA-44"
	MLDSA65  Name = "ML-DSA-65"

	ECDH256        Name = "ECDH-P-256"
	ECDH384        Name = "ECDH-P-384"
	X25519         Name = "X25519"
	SM2Exchange    Name = "SM2-exchange"
	MLKEM768       Name = "ML-KEM-768"
	MLKEM1024      Name = "ML-KEM-1024"
	X25519MLKEM768 Name = "X25519MLKEM768"

	// P256 is a key exchange of TLS by the name that TLS gives it; alone it is ECDH256.
	P256 Name = "P-256"

	Random   Name = "random"   // bytes of a generator; the mode says what for
	Envelope Name = "Envelope" // hybrid encryption; the mode says what it is made of
	TLS13    Name = "TLS 1.3"  // the mode names key exchange and certificate
	HTTP     Name = "HTTP"     // the mode says what protects the answers of a service
)

// Modes of HTTP: what protects a connection. The others seal the body of each answer (see Payloads).
const (
	Cleartext Mode = "cleartext"
	ByTLS     Mode = "TLS"       // 1.3, X25519, the server's certificate
	ByMutual  Mode = "mTLS"      // and the client's
	ByHybrid  Mode = "TLS-MLKEM" // as by TLS, with X25519MLKEM768
	ByTLCP    Mode = "TLCP"      // ECC_SM4_CBC_SM3, the server's two certificates
)

// Protections are those of a service's connections, the least first.
func Protections() []Mode { return []Mode{Cleartext, ByTLS, ByMutual, ByHybrid, ByTLCP} }

// Suites are the ciphers of TLS 1.3 (RFC 8446 §B.4), each with its hash.
func Suites() []Name { return []Name{AES128 + "-" + GCM, AES256GCM, ChaCha20Poly1305} }

// Payloads are the ways to seal the body of an answer in GCM, then to sign it too. The connection is none of
// them: it is not protected.
func Payloads() []Mode {
	return []Mode{AES256GCM, SM4GCM, AES256GCM + "+" + Ed25519, AES256GCM + "+" + ECDSA256, SM4GCM + "+" + SM2,
		AES256GCM + "+" + RSA2048}
}

// PayloadParts are the cipher, and the signature scheme where the mode has one; false where it seals nothing.
func PayloadParts(mode Mode) (cipher, signer Name, ok bool) {
	if !slices.Contains(Payloads(), mode) {
		return "", "", false
	}
	sealed, signer, _ := strings.Cut(mode, "+")
	return strings.TrimSuffix(sealed, "-"+GCM), signer, true
}

// What the laboratory measures of itself, and of Go.
const (
	Empty     Name = "empty"     // a loop around nothing
	Planted   Name = "planted"   // known multiples of an operation
	Chain     Name = "chain"     // instructions that wait for each other
	Yardstick Name = "yardstick" // fixed work
	Goroutine Name = "goroutine"
	// Transaction is what several libraries do as one; the mode lists its steps (parameter.Step).
	Transaction Name = "transaction"
)

// Modes of Empty: the kinds of timed loops, and a call across a boundary, or across none.
const (
	BlockLoop          Mode = "block"
	BulkLoop           Mode = "bulk"
	BlockModeLoop      Mode = "blockmode"
	StreamLoop         Mode = "stream"
	AEADLoop           Mode = "aead"
	HelperLoop         Mode = "helper"
	SignLoop           Mode = "sign"
	VerifyLoop         Mode = "verify"
	PublicEncryptLoop  Mode = "encrypt"
	PrivateDecryptLoop Mode = "decrypt"
	AgreeLoop          Mode = "agree"
	GenerateLoop       Mode = "generate"
	HashLoop           Mode = "hash"
	DeriveLoop         Mode = "derive"
	DrawLoop           Mode = "draw"
	ScheduleLoop       Mode = "schedule"
	ConstructLoop      Mode = "new"
	FreshLoop          Mode = "new+encrypt"
	EnvelopeSealLoop   Mode = "envelope-seal"
	EnvelopeOpenLoop   Mode = "envelope-open"

	Crossing Mode = "crossing"
)

func Loops() []Mode {
	return []Mode{BlockLoop, BulkLoop, BlockModeLoop, StreamLoop, AEADLoop, HelperLoop, SignLoop, VerifyLoop,
		PublicEncryptLoop, PrivateDecryptLoop, AgreeLoop, GenerateLoop, HashLoop, DeriveLoop, DrawLoop, ScheduleLoop,
		ConstructLoop, FreshLoop, EnvelopeSealLoop, EnvelopeOpenLoop}
}

// Modes of block ciphers.
const (
	ECB Mode = "ECB"
	CBC Mode = "CBC"
	CFB Mode = "CFB"
	OFB Mode = "OFB"
	CTR Mode = "CTR"
	GCM Mode = "GCM"
	CCM Mode = "CCM"

	OneBlock Mode = "block" // a single block, without a mode around it
	KeyWrap  Mode = "KW"    // of keys under keys, NIST SP 800-38F

	// CBC with PKCS #7 padding, then a MAC over IV and ciphertext.
	CBCHMACSM3    Mode = "CBC+HMAC-SM3"
	CBCHMACSHA256 Mode = "CBC+HMAC-SHA-256"
)

// Modes of RSA: the paddings of RFC 8017, of signatures and of encryption.
const (
	PSS          Mode = "PSS-SHA-256"
	PKCS1v15Sign Mode = "PKCS1v15-SHA-256"
	OAEP         Mode = "OAEP-SHA-256"
	OAEPSHA1     Mode = "OAEP-SHA-1" // of tokens that have no other hash for it
	PKCS1v15     Mode = "PKCS1v15"
)

// Modes of Random: what is drawn.
const (
	ForNonce Mode = "nonce"
	ForIV    Mode = "iv"
)

// Modes of envelopes: how the key is wrapped, and what the message is sealed with.
// The last two have a key that was wrapped before.
const (
	RSA2048Envelope  Mode = "RSA-2048-OAEP+AES-256-GCM"
	RSA4096Envelope  Mode = "RSA-4096-OAEP+AES-256-GCM"
	SM2Envelope      Mode = "SM2+SM4-GCM"
	X25519Envelope   Mode = "HPKE-X25519+AES-256-GCM"
	MLKEM768Envelope Mode = "HPKE-ML-KEM-768+AES-256-GCM"
	HybridEnvelope   Mode = "HPKE-MLKEM768-X25519+AES-256-GCM"
	AES256GCM        Mode = "AES-256-GCM"
	SM4GCM           Mode = "SM4-GCM"
)

// Operations of ciphers on messages.
const (
	Encrypt    Operation = "encrypt"
	Decrypt    Operation = "decrypt"
	Schedule   Operation = "schedule"    // a block cipher under a key
	New        Operation = "new"         // a cipher ready for messages
	NewEncrypt Operation = "new+encrypt" // such a cipher for each message

	EncryptMany Operation = "encrypt-many" // many messages, in one call
	Stream      Operation = "stream"       // a big file in chunks
	Arrival     Operation = "arrival"      // requests at a constant rate
	Exposure    Operation = "exposure"     // what a mode gives away

	// A helper's one call, which schedules the key, and may pad.
	InitEncrypt    Operation = "init+encrypt"
	InitDecrypt    Operation = "init+decrypt"
	InitEncryptPad Operation = "init+encrypt+pad"
	InitDecryptPad Operation = "init+decrypt+unpad"
)

// Operations of hashes, and of what is built on them.
const (
	Hash     Operation = "hash"
	HashMany Operation = "hash-many"
	HashFile Operation = "hash-file"
	MAC      Operation = "mac"
	MACMany  Operation = "mac-many" // of many messages, in one call
	Derive   Operation = "derive"
	Draw     Operation = "draw" // random bytes
)

// Login holds a password against what is stored of it.
const Login Operation = "login"

// What a service does with a configuration of secrets: it starts, and it uses one.
const (
	StartUp   Operation = "start-up"
	UseSecret Operation = "use-secret"
)

// Operations with a key pair, beside Encrypt and Decrypt, and of what is made of such.
const (
	Generate   Operation = "generate"
	Precompute Operation = "precompute" // what a private key is used with
	Sign       Operation = "sign"
	Verify     Operation = "verify"
	Agree      Operation = "agree"

	Encapsulate Operation = "encapsulate"
	Decapsulate Operation = "decapsulate"
	Session     Operation = "session"     // a whole exchange, and a session key of it on both sides
	SessionKey  Operation = "session-key" // that key alone

	Seal      Operation = "seal" // an envelope
	Open      Operation = "open"
	Unwrap    Operation = "unwrap" // by a token: in a session that is opened for it, the key found, the session closed
	Handshake Operation = "handshake"
	Serve     Operation = "serve"    // a request of HTTP
	Download  Operation = "download" // one with a long answer
	Bench     Operation = "bench"    // a benchmark of package testing, whose name says what it does
)

// Operations of the laboratory itself.
const (
	Call  Operation = "call"
	Steps Operation = "steps"
	Start Operation = "start" // goroutines

	Transact Operation = "transact" // a transaction
)
