package vectors

import (
	"bytes"
	"slices"
	"testing"

	tjfoc "github.com/tjfoc/gmsm/sm4"
)

// tjfoc/gmsm v1.4.1 has a GCM of its own, Sm4GCM, which these tests show to be wrong; so cryptogauge measures the
// library's block under crypto/cipher's GCM instead. A version that fails here has changed: then measure it.

// TestTjfocSealsWrong: it hashes lengths in bytes where SP 800-38D §7.1 wants bits, so only the case without any
// data comes out right, and with a nonce that isn't 12 bytes the counter and all the ciphertext are wrong too.
func TestTjfocSealsWrong(t *testing.T) {
	valid, wrongText, wrongTag := 0, 0, 0
	for _, v := range load(t, "sm4_gcm_test.json") {
		if !v.valid() {
			continue
		}
		valid++
		text, tag, err := tjfoc.Sm4GCM(v.Key, slices.Clip(v.IV), v.Msg, v.AAD, true)
		if err != nil {
			t.Fatalf("tcId %d: %v", v.ID, err)
		}
		if !bytes.Equal(text, v.Ciphertext) {
			wrongText++
		}
		if !bytes.Equal(tag, v.Tag) {
			wrongTag++
		}
	}
	if valid != 75 || wrongTag != 74 || wrongText != 31 {
		t.Errorf("of %d valid cases %d have a wrong tag and %d a wrong ciphertext; known: of 75, 74 and 31",
			valid, wrongTag, wrongText)
	}
}

// TestTjfocOpensTampered: it takes no tag to compare with, so a flipped bit of ciphertext yields another plaintext
// and no error, and so does every case that Wycheproof made invalid.
func TestTjfocOpensTampered(t *testing.T) {
	flipped, invalid, opened := 0, 0, 0
	for _, v := range load(t, "sm4_gcm_test.json") {
		if len(v.Ciphertext) == 0 {
			continue
		}
		tampered := slices.Grow(bytes.Clone(v.Ciphertext), 16) // for want of room it panics, see below
		if v.valid() {
			tampered[0] ^= 1
			flipped++
		} else {
			invalid++
		}
		if _, _, err := tjfoc.Sm4GCM(v.Key, slices.Clip(v.IV), tampered, v.AAD, false); err == nil {
			opened++
		}
	}
	if opened != flipped+invalid {
		t.Errorf("%d of %d tampered texts opened; known: all", opened, flipped+invalid)
	}
	t.Logf("%d flipped and %d invalid cases, %d opened without an error", flipped, invalid, opened)
}

// TestTjfocPanicsOnPartialBlock: it reads past the end of a ciphertext that isn't whole blocks.
func TestTjfocPanicsOnPartialBlock(t *testing.T) {
	for _, v := range load(t, "sm4_gcm_test.json") {
		if !v.valid() || len(v.Ciphertext) == 0 {
			continue
		}
		err := recovered(func() error {
			_, _, err := tjfoc.Sm4GCM(v.Key, slices.Clip(v.IV), slices.Clip(v.Ciphertext), v.AAD, false)
			return err
		})
		if partial := len(v.Ciphertext)%16 != 0; (err != nil) != partial {
			t.Errorf("tcId %d, %d bytes: %v", v.ID, len(v.Ciphertext), err)
		}
	}
}
