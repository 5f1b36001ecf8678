package algorithm

import (
	"crypto"
	"crypto/aes"
	"crypto/ecdh"
	"crypto/ed25519"
	_ "crypto/md5"
	"crypto/mlkem"
	"crypto/rand"
	_ "crypto/sha1"
	_ "crypto/sha256"
	_ "crypto/sha3"
	_ "crypto/sha512"
	"slices"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	seen := map[Name]bool{}
	for _, a := range All() {
		if seen[a.Name] {
			t.Errorf("%s stands twice", a.Name)
		}
		seen[a.Name] = true
		if a.Kind == Other {
			t.Errorf("%s is of no kind", a.Name)
		}
		if a.KeyPair() != (a.Public > 0) || a.KeyPair() != (len(a.Uses) > 0) || a.KeyPair() && a.Name != RSA512 && a.Strength == 0 {
			t.Errorf("%s: %+v", a.Name, a)
		}
		if (a.Kind == KeyExchange) != (a.Reply > 0) || (a.Kind == RSA || a.Kind == Signature) != (a.Signature > 0) {
			t.Errorf("%s: what is sent: %+v", a.Name, a)
		}
		if (a.Kind == BlockCipher) != (a.Block > 0) || (a.Kind == HashFunction || a.Kind == KeyedHash) != (a.Size > 0) {
			t.Errorf("%s: %+v", a.Name, a)
		}
		if bits := RSABits(a.Name); a.Kind == RSA && (a.Public != bits/8 || a.Signature != bits/8) || (a.Kind == RSA) != (bits > 0) {
			t.Errorf("%s: of %d bits: %+v", a.Name, bits, a)
		}
	}
	if got := Of("XYZ"); got.Name != "XYZ" || got.Kind != Other || got.KeyPair() {
		t.Errorf("what is not in the table: %+v", got)
	}
}

// What the standard library has too has the same sizes there.
func TestSizesAgainstTheStandardLibrary(t *testing.T) {
	for name, h := range map[Name]crypto.Hash{MD5: crypto.MD5, SHA1: crypto.SHA1, SHA224: crypto.SHA224, SHA256: crypto.SHA256,
		SHA384: crypto.SHA384, SHA512: crypto.SHA512, SHA3of256: crypto.SHA3_256, SHA3of512: crypto.SHA3_512, BLAKE2b512: crypto.BLAKE2b_512} {
		if got := Of(name).Size; got != h.Size() {
			t.Errorf("%s: %d bytes, want %d", name, got, h.Size())
		}
	}
	for _, name := range []Name{AES128, AES192, AES256} {
		b, err := aes.NewCipher(make([]byte, Of(name).Key))
		if err != nil || b.BlockSize() != Of(name).Block {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, curve := range map[Name]ecdh.Curve{ECDH256: ecdh.P256(), ECDH384: ecdh.P384(), X25519: ecdh.X25519()} {
		k, err := curve.GenerateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		if a := Of(name); a.Public != len(k.PublicKey().Bytes()) || a.Reply != a.Public {
			t.Errorf("%s: %+v", name, a)
		}
	}
	if a := Of(Ed25519); a.Public != ed25519.PublicKeySize || a.Signature != ed25519.SignatureSize {
		t.Errorf("%+v", a)
	}
	if a := Of(MLKEM768); a.Public != mlkem.EncapsulationKeySize768 || a.Reply != mlkem.CiphertextSize768 {
		t.Errorf("%+v", a)
	}
	if a := Of(MLKEM1024); a.Public != mlkem.EncapsulationKeySize1024 || a.Reply != mlkem.CiphertextSize1024 {
		t.Errorf("%+v", a)
	}
	both, kem, curve := Of(X25519MLKEM768), Of(MLKEM768), Of(X25519)
	if both.Public != kem.Public+curve.Public || both.Reply != kem.Reply+curve.Reply || both.Strength != max(kem.Strength, curve.Strength) {
		t.Errorf("%+v", both)
	}
}

// TestSizesAgainstTheStandards: what the standard library has not.
func TestSizesAgainstTheStandards(t *testing.T) {
	derOf := func(number int) int { return 2 + 2*(2+1+number) } // X.690 §8: a leading zero, a tag and a length each
	for _, c := range []struct {
		name              Name
		public, signature int
	}{
		{ECDSA256, 1 + 2*32, derOf(32)}, {ECDSA384, 1 + 2*48, derOf(48)}, // FIPS 186-5 §6, SEC 1 §2.3.3
		{SM2, 1 + 2*32, derOf(32)},                   // GB/T 32918.5-2017: a curve of 256 bits
		{MLDSA44, 1312, 2420}, {MLDSA65, 1952, 3309}, // FIPS 204, table 2
	} {
		if a := Of(c.name); a.Public != c.public || a.Signature != c.signature {
			t.Errorf("%s: %d and %d bytes, want %d and %d", c.name, a.Public, a.Signature, c.public, c.signature)
		}
	}
	if a := Of(SM4); a.Key != 16 || a.Block != 16 { // GB/T 32907-2016 §5
		t.Errorf("%+v", a)
	}
	for _, name := range []Name{ChaCha20, ChaCha20Poly1305} { // RFC 8439 §2.3
		if a := Of(name); a.Key != 32 || a.Nonce != 12 {
			t.Errorf("%+v", a)
		}
	}
	for name, wrapped := range map[Mode]int{RSA2048Envelope: Of(RSA2048).Public, RSA4096Envelope: Of(RSA4096).Public,
		X25519Envelope: Of(X25519).Reply, MLKEM768Envelope: Of(MLKEM768).Reply, HybridEnvelope: Of(X25519MLKEM768).Reply,
		SM2Envelope: Of(SM2).Public + Of(SM3).Size + Of(SM4).Key, AES256GCM: 0, SM4GCM: 0} { // C1‖C3‖C2
		e, ok := EnvelopeOf(name)
		if !ok || e.Wrapped != wrapped || Of(e.Cipher).Kind != BlockCipher || e.Payload != e.Cipher+"-"+GCM || !strings.HasSuffix(name, e.Payload) {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if got := len(Envelopes()); got != 8 {
		t.Errorf("%d envelopes are in the table, and 8 are held against the standards", got)
	}
}

// TestStrengths holds them against NIST SP 800-57 Part 1 Rev. 5, table 2, which has
// ranges of lengths: 128 bits are a modulus of 3072 to 7679 bits, a curve of 256 to 383.
func TestStrengths(t *testing.T) {
	for bits, want := range map[int]int{1024: 80, 2048: 112, 3072: 128, 4096: 128, 7680: 192, 8192: 192} {
		for _, a := range All() {
			if RSABits(a.Name) == bits && a.Strength != want {
				t.Errorf("%s: %d, want %d", a.Name, a.Strength, want)
			}
		}
	}
	for want, names := range map[int][]Name{
		128: {SM4, AES128, ECDSA256, ECDH256, Ed25519, X25519, SM2, SM2Exchange},
		192: {AES192, ECDSA384, ECDH384},
		256: {AES256},
	} {
		for _, name := range names {
			if got := Of(name).Strength; got != want {
				t.Errorf("%s: %d, want %d", name, got, want)
			}
		}
	}
	// FIPS 204 §4 and FIPS 203 §8: categories 2, 3 and 5.
	category := map[int]int{2: 128, 3: 192, 5: 256}
	for name, claimed := range map[Name]int{MLDSA44: 2, MLDSA65: 3, MLKEM768: 3, MLKEM1024: 5, X25519MLKEM768: 3} {
		if a := Of(name); a.Strength != category[claimed] || !a.PostQuantum {
			t.Errorf("%+v", a)
		}
	}
}

func TestStandards(t *testing.T) {
	for _, c := range []struct{ name, mode, operation, want string }{
		{SM4, ECB, Encrypt, "GB/T 32907-2016 (ISO/IEC 18033-3:2010/Amd 1:2021); GB/T 17964-2021"},
		{SM4, GCM, Encrypt, "GB/T 32907-2016 (ISO/IEC 18033-3:2010/Amd 1:2021); GB/T 36624-2018; RFC 8998"},
		{SM4, OneBlock, Encrypt, "GB/T 32907-2016 (ISO/IEC 18033-3:2010/Amd 1:2021)"},
		{SM4, CBCHMACSM3, Encrypt, "GB/T 32907-2016 (ISO/IEC 18033-3:2010/Amd 1:2021); GB/T 17964-2021; GB/T 15852.2-2024; GB/T 32905-2016"},
		{AES128, "", Schedule, "FIPS 197 (ISO/IEC 18033-3)"},
		{AES128, CCM, Encrypt, "FIPS 197 (ISO/IEC 18033-3); NIST SP 800-38C"},
		{AES128, CBCHMACSHA256, Encrypt, "FIPS 197 (ISO/IEC 18033-3); NIST SP 800-38A; RFC 2104; FIPS 180-4"},
		{AES128, "CBC+XYZ", Encrypt, ""},
		{SM4, "XYZ", Encrypt, ""},
		{SM3, "XYZ", Hash, ""},
		{HKDFSHA256, "", Derive, "RFC 5869; FIPS 180-4"},
		{RSA1024, PKCS1v15, Decrypt, "RFC 8017 §7.2"},
		{RSA1024, OAEP, Encrypt, "RFC 8017 §7.1; NIST SP 800-56B rev. 2"},
		{RSA2048, OAEPSHA1, Unwrap, "RFC 8017 §7.1; NIST SP 800-56B rev. 2"},
		{AES256, KeyWrap, Unwrap, "FIPS 197 (ISO/IEC 18033-3); NIST SP 800-38F"},
		{RSA1024, "", Generate, "RFC 8017; FIPS 186-5"},
		{SM2, "", Sign, "GB/T 32918.2-2016; GB/T 32918.5-2017"},
		{SM2, "", Decrypt, "GB/T 32918.4-2016; GB/T 32918.5-2017"},
		{ECDSA256, "", Sign, "FIPS 186-5; NIST SP 800-186"},
		{TLS13, HandshakeMode(P256, RSA2048), Handshake, "RFC 8446; NIST SP 800-56A"},
		{Envelope, X25519Envelope, Seal, "RFC 9180; RFC 7748"},
		{Envelope, "XYZ", Seal, ""},
		{BLAKE3, "", Hash, ""},
		{Empty, "", Call, ""},
		{"XYZ", "", Hash, ""},
	} {
		if got := Standard(c.name, c.mode, c.operation); got != c.want {
			t.Errorf("%s %s %s: %q, want %q", c.name, c.mode, c.operation, got, c.want)
		}
	}
}

func TestModes(t *testing.T) {
	for _, c := range []struct {
		name, mode    string
		nonce         int
		authenticates bool
		weaknesses    []Weakness
	}{
		{SM4, ECB, 0, false, []Weakness{EqualBlocks}},
		{SM4, CBC, 16, false, []Weakness{NoIntegrity}}, // SP 800-38A §6.2: a block
		{AES128, CTR, 16, false, []Weakness{NoIntegrity}},
		{AES128, GCM, 12, true, nil}, // SP 800-38D §5.2.1.1
		{AES128, CCM, 12, true, nil}, // SP 800-38C appendix A.1: 7 to 13
		{AES128, CBCHMACSHA256, 16, true, nil},
		{AES256, KeyWrap, 0, true, nil}, // SP 800-38F §5.1: deterministic
		{SM4, Composite(SM4), 16, true, nil},
		{AES256, Composite(AES256), 16, true, nil},
		{AES128, OneBlock, 0, false, nil},
		{ChaCha20, "", 12, false, []Weakness{NoIntegrity}},
		{ChaCha20Poly1305, "", 12, true, nil},
		{MD5, "", 0, false, []Weakness{BrokenMD5}},
		{RSA1024, PSS, 0, false, []Weakness{ShortKey}},
	} {
		if got := NonceBytes(c.name, c.mode); got != c.nonce {
			t.Errorf("%s-%s: a nonce of %d bytes, want %d", c.name, c.mode, got, c.nonce)
		}
		if got := Authenticates(c.name, c.mode); got != c.authenticates {
			t.Errorf("%s-%s authenticates: %v", c.name, c.mode, got)
		}
		if got := Weaknesses(c.name, c.mode); !slices.Equal(got, c.weaknesses) {
			t.Errorf("%s-%s: %v, want %v", c.name, c.mode, got, c.weaknesses)
		}
	}
}

func TestUses(t *testing.T) {
	for _, c := range []struct {
		name, mode, operation string
		does                  bool
	}{
		{RSA2048, PSS, Sign, true}, {RSA2048, OAEP, Decrypt, true}, {RSA2048, "", Precompute, true},
		{RSA2048, OAEP, Unwrap, false}, {RSA2048, OAEPSHA1, Decrypt, false},
		{RSA2048, OAEP, Sign, false}, {RSA2048, "", Sign, false}, {RSA2048, PSS, Generate, false},
		{SM2, "", Encrypt, true}, {SM2, "", Agree, false}, {ECDSA256, "", Encrypt, false},
		{X25519, "", Agree, true}, {ECDH384, "", Agree, false}, {MLKEM768, "", SessionKey, true},
		{AES128, GCM, Encrypt, false},
	} {
		if got := Of(c.name).Does(c.operation, c.mode); got != c.does {
			t.Errorf("%s %s %s: %v", c.name, c.mode, c.operation, got)
		}
	}
}

func TestUnwraps(t *testing.T) {
	for _, c := range []struct {
		name, mode string
		does       bool
	}{{RSA2048, OAEP, true}, {RSA2048, OAEPSHA1, true}, {RSA2048, PKCS1v15, false}, {AES256, KeyWrap, true}, {AES256, GCM, false}, {SM2, "", false}} {
		if got := Of(c.name).Unwraps(c.mode); got != c.does {
			t.Errorf("%s-%s: %v", c.name, c.mode, got)
		}
	}
}

func TestHandshakes(t *testing.T) {
	for _, exchange := range Exchanges() {
		if Standard(TLS13, HandshakeMode(exchange, ECDSA256), Handshake) == "" {
			t.Errorf("%s has no standard", exchange)
		}
		for _, certificate := range Certificates() {
			if e, c := HandshakeParts(HandshakeMode(exchange, certificate)); e != exchange || c != certificate {
				t.Errorf("%s and %s become %s and %s", exchange, certificate, e, c)
			}
		}
	}
}

func TestRSABits(t *testing.T) {
	for name, want := range map[Name]int{RSA2048: 2048, "RSA-": 0, "RSA": 0, "RSA--8": 0, SM2: 0, AES128: 0, MLDSA44: 0} {
		if got := RSABits(name); got != want {
			t.Errorf("%s: %d bits, want %d", name, got, want)
		}
	}
}

// TestLongest: SP 800-38C appendix A.1 leaves three bytes for the length beside a nonce of twelve.
func TestLongest(t *testing.T) {
	if got := Longest(AES128, CCM); got != 1<<24-1 {
		t.Errorf("a message of CCM has at most %d bytes", got)
	}
	if Longest(AES128, GCM) <= 1<<30 {
		t.Error("GCM is no CCM")
	}
}
