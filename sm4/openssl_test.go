package sm4

import (
	"bytes"
	"crypto/cipher"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// opensslRuns is the number of messages for each mode. Starting the program is what takes the time, 5
// ms, so a message is asked for once and serves all implementations.
const opensslRuns = 40

// TestAgainstOpenSSL compares with a library that shares no code with gmsm, which judges elsewhere. Its
// command has no GCM.
func TestAgainstOpenSSL(t *testing.T) {
	modes := []struct {
		name  string
		whole bool
		enc   func(c *Cipher, iv, dst, src []byte)
		dec   func(c *Cipher, iv, dst, src []byte)
	}{
		{"sm4-ecb", true,
			func(c *Cipher, _, dst, src []byte) { c.EncryptBlocks(dst, src) },
			func(c *Cipher, _, dst, src []byte) { c.DecryptBlocks(dst, src) }},
		{"sm4-cbc", true,
			func(c *Cipher, iv, dst, src []byte) { cipher.NewCBCEncrypter(c, iv).CryptBlocks(dst, src) },
			func(c *Cipher, iv, dst, src []byte) { cipher.NewCBCDecrypter(c, iv).CryptBlocks(dst, src) }},
		{"sm4-ctr", false,
			func(c *Cipher, iv, dst, src []byte) { cipher.NewCTR(c, iv).XORKeyStream(dst, src) },
			func(c *Cipher, iv, dst, src []byte) { cipher.NewCTR(c, iv).XORKeyStream(dst, src) }},
	}
	var names []string
	for _, m := range modes {
		names = append(names, m.name)
	}
	openssl := findOpenSSL(t, names)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	runs := opensslRuns
	if testing.Short() {
		runs = 5
	}
	for _, m := range modes {
		for range runs {
			n := r.IntN(9000)
			if r.IntN(2) == 0 {
				n = r.IntN(600)
			}
			if m.whole {
				n &^= BlockSize - 1
			}
			key, iv, plain := random(r, KeySize), random(r, BlockSize), random(r, n)
			if !m.whole && r.IntN(4) == 0 {
				copy(iv, bytes.Repeat([]byte{0xff}, BlockSize-1)) // the counter wraps
			}
			sealed := runOpenSSL(t, openssl, m.name, key, iv, plain)
			for _, implementation := range Implementations() {
				c := newTest(t, key, implementation)
				got := make([]byte, n)
				if m.enc(c, iv, got, plain); !bytes.Equal(got, sealed) {
					t.Fatalf("%s %s: encrypting %d bytes with key %x, iv %x differs", implementation, m.name, n, key, iv)
				}
				if m.dec(c, iv, got, got); !bytes.Equal(got, plain) {
					t.Fatalf("%s %s: decrypting %d bytes with key %x, iv %x differs", implementation, m.name, n, key, iv)
				}
			}
		}
	}
}

// findOpenSSL returns the command if it knows the modes. In CI it must.
func findOpenSSL(t *testing.T, modes []string) string {
	t.Helper()
	missing := t.Skipf
	if os.Getenv("CI") == "true" {
		missing = t.Fatalf
	}
	path, err := exec.LookPath("openssl")
	if err != nil {
		missing("no openssl: %v", err)
	}
	out, err := exec.Command(path, "enc", "-list").CombinedOutput()
	if err != nil {
		missing("%s enc -list: %v: %s", path, err, out)
	}
	for _, m := range modes {
		if !slices.Contains(strings.Fields(string(out)), "-"+m) {
			missing("%s has no %s", path, m)
		}
	}
	return path
}

// runOpenSSL encrypts. That the inverse is the same bytes back needs no second run.
func runOpenSSL(t *testing.T, path, mode string, key, iv, src []byte) []byte {
	t.Helper()
	args := []string{"enc", "-" + mode, "-nopad", "-K", hex.EncodeToString(key)}
	if mode != "sm4-ecb" {
		args = append(args, "-iv", hex.EncodeToString(iv))
	}
	cmd := exec.Command(path, args...)
	var errors bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(src), &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("openssl %s of %d bytes: %v: %s", mode, len(src), err, errors.String())
	}
	return out
}
