package sm4

import (
	"bytes"
	"crypto/cipher"
	"crypto/sha256"
	"crypto/sha3"
	"encoding/hex"
	"testing"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// GB/T 32907-2016, appendix A: one block, and a million encryptions of it.
func TestStandard(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		block := unhex(t, "0123456789abcdeffedcba9876543210")
		c := newTest(t, block, implementation)
		got := make([]byte, BlockSize)
		c.Encrypt(got, block)
		if want := unhex(t, "681edf34d206965e86b3e94f536e4246"); !bytes.Equal(got, want) {
			t.Fatalf("one block: %x, want %x", got, want)
		}
		c.Decrypt(got, got)
		if !bytes.Equal(got, block) {
			t.Fatalf("back: %x, want %x", got, block)
		}
		for range 1_000_000 {
			c.Encrypt(got, got)
		}
		if want := unhex(t, "595298c7c6fd271f0402f804c33d3f66"); !bytes.Equal(got, want) {
			t.Fatalf("a million: %x, want %x", got, want)
		}
	})
}

// RFC 8998, appendices A.1 and A.2.
func TestRFC8998(t *testing.T) {
	nonce := unhex(t, "00001234567800000000abcd")
	additional := unhex(t, "feedfacedeadbeeffeedfacedeadbeefabaddad2")
	plain := unhex(t, "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccddddddddddddddddeeeeeeeeeeeeeeeeffffffffffffffffeeeeeeeeeeeeeeeeaaaaaaaaaaaaaaaa")
	for _, tt := range []struct {
		name string
		new  func(*Cipher) (cipher.AEAD, error)
		want string
	}{
		{"gcm", func(c *Cipher) (cipher.AEAD, error) { return cipher.NewGCM(c) },
			"17f399f08c67d5ee19d0dc9969c4bb7d5fd46fd3756489069157b282bb200735d82710ca5c22f0ccfa7cbf93d496ac15a56834cbcf98c397b4024a2691233b8d83de3541e4c2b58177e065a9bf7b62ec"},
		{"ccm", func(c *Cipher) (cipher.AEAD, error) { return c.NewCCM(12, 16) },
			"48af93501fa62adbcd414cce6034d895dda1bf8f132f042098661572e7483094fd12e518ce062c98acee28d95df4416bed31a2f04476c18bb40c84a74b97dc5b16842d4fa186f56ab33256971fa110f4"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			everyImplementation(t, func(t *testing.T, implementation string) {
				a, err := tt.new(newTest(t, unhex(t, "0123456789abcdeffedcba9876543210"), implementation))
				if err != nil {
					t.Fatal(err)
				}
				got := a.Seal(nil, nonce, plain, additional)
				if want := unhex(t, tt.want); !bytes.Equal(got, want) {
					t.Fatalf("sealed\n%x, want\n%x", got, want)
				}
				if back, err := a.Open(nil, nonce, got, additional); err != nil || !bytes.Equal(back, plain) {
					t.Fatalf("opened %x (%v)", back, err)
				}
			})
		})
	}
}

// The accumulated set sm4-acc-v1: ten thousand messages of every length below 1024 and many above.
func TestAccumulated(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	for _, tt := range []struct{ mode, want string }{
		{"ecb", "985aff011db32e5efdea493ff9d24f3ae5df09b4a3b32f37f9ad51b8ae6540b3"},
		{"cbc", "e5c638240c62aa61f3845ebb0d4f2ab458a1da0c7d1d55bc1b619087167053f1"},
		{"ctr", "78f32d4a79691aa8380e9ee79d1b4782679d5a5c28c11cde56b0b6280885c1c5"},
		{"gcm", "f5ce6d6df20726a9a59858fa819c36720c43a8bb752e96b9809210f07322de40"},
	} {
		t.Run(tt.mode, func(t *testing.T) {
			everyImplementation(t, func(t *testing.T, implementation string) {
				t.Parallel()
				if got := accumulate(t, tt.mode, implementation); got != tt.want {
					t.Errorf("%s, want %s", got, tt.want)
				}
			})
		})
	}
}

func accumulate(t *testing.T, mode, implementation string) string {
	stream := sha3.NewSHAKE128()
	stream.Write([]byte("sm4-acc-v1/" + mode))
	read := func(n int) []byte {
		b := make([]byte, n)
		stream.Read(b)
		return b
	}
	sum := sha256.New()
	for i := range 10_000 {
		key, iv, additional := read(16), read(16), read(13*i%65)
		n := i
		if i >= 1024 {
			n = 7919 * i % 4097
		}
		text := read(n)
		c := newTest(t, key, implementation)
		whole := text[:n&^(BlockSize-1)]
		out := make([]byte, len(whole), n+BlockSize)
		var back []byte
		switch mode {
		case "ecb":
			c.EncryptBlocks(out, whole)
			back = make([]byte, len(out))
			c.DecryptBlocks(back, out)
		case "cbc":
			cipher.NewCBCEncrypter(c, iv).CryptBlocks(out, whole)
			back = make([]byte, len(out))
			cipher.NewCBCDecrypter(c, iv).CryptBlocks(back, out)
		case "ctr":
			out = out[:n]
			cipher.NewCTR(c, iv).XORKeyStream(out, text)
		case "gcm":
			a, err := cipher.NewGCM(c)
			if err != nil {
				t.Fatal(err)
			}
			out = a.Seal(nil, iv[:12], text, additional)
			back, err = a.Open(nil, iv[:12], out, additional)
			if err != nil {
				t.Fatalf("message %d: %v", i, err)
			}
		}
		if back != nil && !bytes.Equal(back, text[:len(back)]) {
			t.Fatalf("message %d does not come back", i)
		}
		sum.Write(out)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
