package reference

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"hash"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/emmansun/gmsm/sm3"
	"github.com/emmansun/gmsm/sm4"
	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"
)

// Two libraries judge the judge. They appear in test files only: the package itself must not depend on them.

// peer is a cipher here beside the same cipher of a library.
type peer struct {
	name    string
	keySize int
	ours    func(key []byte) (Block, error)
	theirs  func(key []byte) (cipher.Block, error)
}

var peers = []peer{
	{"AES-128", 16, NewAES, aes.NewCipher},
	{"AES-192", 24, NewAES, aes.NewCipher},
	{"AES-256", 32, NewAES, aes.NewCipher},
	{"SM4", 16, NewSM4, sm4.NewCipher},
}

func (p peer) open(t testing.TB, key []byte) (Block, cipher.Block) {
	t.Helper()
	ours, err := p.ours(key)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := p.theirs(key)
	if err != nil {
		t.Fatal(err)
	}
	return ours, theirs
}

// lengths are all up to 300, and a few around larger powers of two.
func lengths() []int {
	var all []int
	for n := range 301 {
		all = append(all, n)
	}
	return append(all, 1023, 1024, 1025, 4096, 16383, 65536, 65537)
}

// source draws test data, the same in every run.
type source struct{ *rand.ChaCha8 }

func newSource(name string) source {
	return source{rand.NewChaCha8(sha256.Sum256([]byte(name)))}
}

func (s source) bytes(n int) []byte {
	b := make([]byte, n)
	s.Read(b)
	return b
}

func TestModesAgree(t *testing.T) {
	for _, p := range peers {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			s := newSource("modes " + p.name)
			for _, n := range lengths() {
				ours, theirs := p.open(t, s.bytes(p.keySize))
				modesAgree(t, ours, theirs, s.bytes(16), s.bytes(n))
				modesAgree(t, ours, theirs, bytes.Repeat([]byte{0xff}, 16), s.bytes(n)) // the counter wraps
			}
		})
	}
}

func modesAgree(t testing.TB, ours Block, theirs cipher.Block, iv, src []byte) {
	t.Helper()
	whole := src[:len(src)&^15]
	blockwise := func(f func(dst, src []byte)) []byte {
		dst := make([]byte, len(whole))
		for i := 0; i < len(whole); i += BlockSize {
			f(dst[i:i+BlockSize], whole[i:i+BlockSize])
		}
		return dst
	}
	chained := func(m cipher.BlockMode) []byte {
		dst := make([]byte, len(whole))
		m.CryptBlocks(dst, whole)
		return dst
	}
	streamed := func(m cipher.Stream) []byte {
		dst := make([]byte, len(src))
		m.XORKeyStream(dst, src)
		return dst
	}
	equal(t, "ECB encrypted", EncryptECB(ours, whole), blockwise(theirs.Encrypt))
	equal(t, "ECB decrypted", DecryptECB(ours, whole), blockwise(theirs.Decrypt))
	equal(t, "CBC encrypted", EncryptCBC(ours, iv, whole), chained(cipher.NewCBCEncrypter(theirs, iv)))
	equal(t, "CBC decrypted", DecryptCBC(ours, iv, whole), chained(cipher.NewCBCDecrypter(theirs, iv)))
	//lint:ignore SA1019 the judge must know what people still use
	equal(t, "CFB encrypted", EncryptCFB(ours, iv, src), streamed(cipher.NewCFBEncrypter(theirs, iv)))
	//lint:ignore SA1019 the judge must know what people still use
	equal(t, "CFB decrypted", DecryptCFB(ours, iv, src), streamed(cipher.NewCFBDecrypter(theirs, iv)))
	//lint:ignore SA1019 the judge must know what people still use
	equal(t, "OFB", OFB(ours, iv, src), streamed(cipher.NewOFB(theirs, iv)))
	equal(t, "CTR", CTR(ours, iv, src), streamed(cipher.NewCTR(theirs, iv)))
}

func TestGCMAgrees(t *testing.T) {
	for _, p := range peers {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			s := newSource("gcm " + p.name)
			for i, n := range lengths() {
				ours, theirs := p.open(t, s.bytes(p.keySize))
				gcmAgrees(t, ours, theirs, s.bytes(12), s.bytes(n), s.bytes(i%70))
				gcmAgrees(t, ours, theirs, s.bytes(1+i%130), s.bytes(n), s.bytes(n%300))
			}
		})
	}
}

func gcmAgrees(t testing.TB, ours Block, theirs cipher.Block, nonce, plaintext, aad []byte) {
	t.Helper()
	aead, err := cipher.NewGCMWithNonceSize(theirs, len(nonce))
	if err != nil {
		t.Fatal(err)
	}
	sealed := SealGCM(ours, nonce, plaintext, aad)
	equal(t, "GCM sealed", sealed, aead.Seal(nil, nonce, plaintext, aad))
	opened, err := OpenGCM(ours, nonce, sealed, aad)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "GCM opened", opened, plaintext)
}

// peerHash is a hash here beside the same hash of a library.
type peerHash struct {
	name      string
	blockSize int
	ours      func([]byte) []byte
	theirs    func() hash.Hash
}

var peerHashes = []peerHash{
	{"MD5", HashBlockSize, MD5, md5.New},
	{"SHA-1", HashBlockSize, SHA1, sha1.New},
	{"SHA-256", HashBlockSize, SHA256, sha256.New},
	{"SM3", HashBlockSize, SM3, sm3.New},
	{"SHA-512", SHA512BlockSize, SHA512, sha512.New},
	{"SHA3-256", 136, SHA3of256, func() hash.Hash { return sha3.New256() }},
	{"BLAKE2b-256", 128, BLAKE2b256, unkeyed(blake2b.New256)},
	{"BLAKE2b-512", 128, BLAKE2b512, unkeyed(blake2b.New512)},
}

func unkeyed(open func(key []byte) (hash.Hash, error)) func() hash.Hash {
	return func() hash.Hash {
		h, err := open(nil)
		if err != nil {
			panic(err)
		}
		return h
	}
}

func TestHashesAndMACsAgree(t *testing.T) {
	s := newSource("hashes")
	for i, n := range lengths() {
		hashesAgree(t, s.bytes(i%150), s.bytes(n), i)
	}
}

func hashesAgree(t testing.TB, key, msg []byte, outputSize int) {
	t.Helper()
	for _, p := range peerHashes {
		h := p.theirs()
		h.Write(msg)
		equal(t, p.name, p.ours(msg), h.Sum(nil))
		equal(t, "HMAC-"+p.name, HMAC(p.ours, p.blockSize, key, msg), theirHMAC(p.theirs, key, msg))
		salt, info := msg[:len(msg)/2], msg[len(msg)/2:]
		want, err := hkdf.Key(p.theirs, key, salt, string(info), outputSize)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "HKDF-"+p.name, HKDF(p.ours, p.blockSize, key, salt, info, outputSize), want)
	}
}

func theirHMAC(h func() hash.Hash, key []byte, parts ...[]byte) []byte {
	mac := hmac.New(h, key)
	for _, part := range parts {
		mac.Write(part)
	}
	return mac.Sum(nil)
}

func TestCBCHMACAgrees(t *testing.T) {
	for _, p := range peers {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			s := newSource("cbchmac " + p.name)
			for i, n := range lengths() {
				ours, theirs := p.open(t, s.bytes(p.keySize))
				cbcHMACAgrees(t, ours, theirs, s.bytes(i%100), s.bytes(16), s.bytes(n))
			}
		})
	}
}

func cbcHMACAgrees(t testing.TB, ours Block, theirs cipher.Block, macKey, iv, plaintext []byte) {
	t.Helper()
	n := BlockSize - len(plaintext)%BlockSize
	ciphertext := append(bytes.Clone(plaintext), bytes.Repeat([]byte{byte(n)}, n)...)
	cipher.NewCBCEncrypter(theirs, iv).CryptBlocks(ciphertext, ciphertext)
	for _, h := range []struct {
		name   string
		ours   func([]byte) []byte
		theirs func() hash.Hash
	}{
		{"SHA-256", SHA256, sha256.New},
		{"SM3", SM3, sm3.New},
	} {
		want := append(bytes.Clone(ciphertext), theirHMAC(h.theirs, macKey, iv, ciphertext)...)
		got := SealCBCHMAC(ours, h.ours, HashBlockSize, macKey, iv, plaintext)
		equal(t, "CBC then HMAC, "+h.name, got, want)
		opened, err := OpenCBCHMAC(ours, h.ours, HashBlockSize, macKey, iv, got)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "opened", opened, plaintext)
	}
}

func TestCBCHMACRefuses(t *testing.T) {
	b := sm4BlockFor(t, make([]byte, 16))
	macKey, iv, plaintext := []byte("another key"), make([]byte, 16), []byte("a message of two blocks")
	sealed := SealCBCHMAC(b, SM3, HashBlockSize, macKey, iv, plaintext)
	checkOpen(t, sealed, plaintext, func(sealed []byte) ([]byte, error) {
		return OpenCBCHMAC(b, SM3, HashBlockSize, macKey, iv, sealed)
	})
	iv[0] ^= 1 // the first block of plaintext hangs on it, so the tag must cover it
	if _, err := OpenCBCHMAC(b, SM3, HashBlockSize, macKey, iv, sealed); err != ErrOpen {
		t.Errorf("changed IV: %v", err)
	}
}

func TestChaCha20Poly1305Agrees(t *testing.T) {
	s := newSource("chacha20poly1305")
	for i, n := range lengths() {
		chachaAgrees(t, s.bytes(32), s.bytes(12), s.bytes(n), s.bytes(i%70))
	}
}

func TestChaCha20Agrees(t *testing.T) {
	s := newSource("chacha20")
	for i, n := range lengths() {
		chacha20Agrees(t, s.bytes(32), s.bytes(12), uint32(i*i), s.bytes(n))
	}
	chacha20Agrees(t, s.bytes(32), s.bytes(12), 1<<32-2, s.bytes(128)) // the last block that the counter has
}

func chacha20Agrees(t testing.TB, key, nonce []byte, counter uint32, src []byte) {
	t.Helper()
	c, err := chacha20.NewUnauthenticatedCipher(key, nonce)
	if err != nil {
		t.Fatal(err)
	}
	c.SetCounter(counter)
	want := make([]byte, len(src))
	c.XORKeyStream(want, src)
	equal(t, "ChaCha20", ChaCha20(key, nonce, counter, src), want)
}

func chachaAgrees(t testing.TB, key, nonce, plaintext, aad []byte) {
	t.Helper()
	aead, err := chacha20poly1305.New(key)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := SealChaCha20Poly1305(key, nonce, plaintext, aad)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "sealed", sealed, aead.Seal(nil, nonce, plaintext, aad))
	opened, err := OpenChaCha20Poly1305(key, nonce, sealed, aad)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "opened", opened, plaintext)
}

// TestArgumentsAreLeftAlone and results share no memory with them, even where the capacity would allow it.
func TestArgumentsAreLeftAlone(t *testing.T) {
	s := newSource("arguments")
	for _, p := range peers {
		ours, _ := p.open(t, s.bytes(p.keySize))
		iv, src, aad := s.bytes(16), s.bytes(64)[:32], s.bytes(64)[:20]
		before := [][]byte{bytes.Clone(iv), bytes.Clone(src[:64]), bytes.Clone(aad[:64])}
		for _, out := range [][]byte{
			EncryptECB(ours, src), DecryptECB(ours, src), EncryptCBC(ours, iv, src), DecryptCBC(ours, iv, src),
			EncryptCFB(ours, iv, src), DecryptCFB(ours, iv, src), OFB(ours, iv, src), CTR(ours, iv, src),
			SealGCM(ours, iv, src, aad), PadPKCS7(src), HMAC(SM3, HashBlockSize, aad, src),
			MD5(src), SHA1(src), SHA256(src), SHA512(src), SHA3of256(src), BLAKE2b256(src), BLAKE2b512(src), SM3(src),
			HKDF(SHA256, HashBlockSize, src, aad, iv, 40), ChaCha20(src, iv[:12], 0, aad),
			SealCBCHMAC(ours, SHA256, HashBlockSize, aad, iv, src),
		} {
			clear(out)
		}
		equal(t, "iv", iv, before[0])
		equal(t, "src", src[:64], before[1])
		equal(t, "aad", aad[:64], before[2])
	}
}

// TestPublicKeyArgumentsAreLeftAlone holds the same of keys, numbers, and bytes with room behind them.
func TestPublicKeyArgumentsAreLeftAlone(t *testing.T) {
	k, _ := rsaTestKey(t, 1152)
	numbers := []*big.Int{k.N, k.E, k.D, sm2ExampleD, sm2ExampleK, sm2ExampleX, sm2ExampleY}
	var before []*big.Int
	for _, n := range numbers {
		before = append(before, new(big.Int).Set(n))
	}
	room := newSource("room").bytes(1000)
	bytesBefore := bytes.Clone(room)
	sealed, digest, label, msg := room[:k.size()], room[200:232], room[300:310], room[400:420]
	sealed[0], bytesBefore[0] = 0, 0 // below the modulus

	RSASignPKCS1v15(k, digest)
	RSAVerifyPKCS1v15(k, digest, sealed)
	RSASignPSS(k, SHA256, digest, label)
	RSAVerifyPSS(k, SHA256, 10, digest, sealed)
	RSAEncryptOAEP(k, SHA256, digest, label, msg)
	RSADecryptOAEP(k, SHA256, label, sealed)
	RSADecryptPKCS1v15(k, sealed)
	SM2Verify(sm2ExampleX, sm2ExampleY, label, msg, sm2ExampleD, sm2ExampleK)
	SM2Sign(sm2ExampleD, sm2ExampleK, label, msg)
	SM2Decrypt(sm2ExampleD, append(append([]byte{4}, sm2ExampleX.Bytes()...), append(sm2ExampleY.Bytes(), room[500:600]...)...))
	ECDH(SM2Curve(), sm2ExampleD, sm2ExampleX, sm2ExampleY)
	ECDSAVerify(SM2Curve(), sm2ExampleX, sm2ExampleY, digest, sm2ExampleD, sm2ExampleK)
	X25519(digest, room[700:732])
	Ed25519Verify(edwardsBase().encode(), msg, append(digest[:32:32], label...))
	for i, n := range numbers {
		sameInt(t, "number", n, before[i])
	}
	equal(t, "bytes", room, bytesBefore)
}
