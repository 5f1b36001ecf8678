package reference

import "testing"

func TestAESFIPS197AppendixC(t *testing.T) {
	plaintext := unhex(t, "00112233445566778899aabbccddeeff")
	for _, v := range []struct{ name, key, ciphertext string }{
		{"C.1", "000102030405060708090a0b0c0d0e0f", "69c4e0d86a7b0430d8cdb78070b4c55a"},
		{"C.2", "000102030405060708090a0b0c0d0e0f1011121314151617", "dda97ca4864cdfe06eaf70a0ec0d7191"},
		{"C.3", "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "8ea2b7ca516745bfeafc49904b496089"},
	} {
		b := aesBlockFor(t, unhex(t, v.key))
		got := make([]byte, BlockSize)
		b.Encrypt(got, plaintext)
		equal(t, v.name, got, unhex(t, v.ciphertext))
		decrypt(b, got)
		equal(t, v.name+" decrypted", got, plaintext)
	}
}

func TestSM4AppendixA(t *testing.T) {
	key := unhex(t, "0123456789abcdeffedcba9876543210") // GB/T 32907 appendix A.1; the plaintext is the same
	b := sm4BlockFor(t, key)
	got := make([]byte, BlockSize)
	b.Encrypt(got, key)
	equal(t, "A.1", got, unhex(t, "681edf34d206965e86b3e94f536e4246"))
	decrypt(b, got)
	equal(t, "A.1 decrypted", got, key)
}

func TestSM4MillionIterations(t *testing.T) {
	if testing.Short() {
		t.Skip("a million iterations")
	}
	key := unhex(t, "0123456789abcdeffedcba9876543210") // GB/T 32907 appendix A.2
	b := sm4BlockFor(t, key)
	x := append([]byte{}, key...)
	for range 1_000_000 {
		b.Encrypt(x, x)
	}
	equal(t, "A.2", x, unhex(t, "595298c7c6fd271f0402f804c33d3f66"))
	for range 1_000_000 {
		decrypt(b, x)
	}
	equal(t, "A.2 decrypted", x, key)
}

func TestKeySizes(t *testing.T) {
	for n := range 65 {
		if _, err := NewAES(make([]byte, n)); (err == nil) != (n == 16 || n == 24 || n == 32) {
			t.Errorf("NewAES, %d bytes: %v", n, err)
		}
		if _, err := NewSM4(make([]byte, n)); (err == nil) != (n == 16) {
			t.Errorf("NewSM4, %d bytes: %v", n, err)
		}
	}
}
