package ccm

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
)

// TestFormat is example 1 of SP 800-38C, appendix C.
func TestFormat(t *testing.T) {
	s, err := New(7, 4)
	if err != nil {
		t.Fatal(err)
	}
	nonce, additional := []byte("\x10\x11\x12\x13\x14\x15\x16"), []byte("\x00\x01\x02\x03\x04\x05\x06\x07")
	var first [32]byte
	used, left := s.Begin(&first, nonce, additional, 4)
	if got := hex.EncodeToString(first[:used]); got != "4f101112131415160000000000000004"+"00080001020304050607000000000000" || len(left) > 0 {
		t.Errorf("%s, %d bytes left", got, len(left))
	}
	counter := s.Counter(nonce)
	if got := hex.EncodeToString(counter[:]); got != "07101112131415160000000000000000" {
		t.Error(got)
	}
	if used, left = s.Begin(&first, nonce, nil, 4); used != 16 || left != nil || first[0] != 0x0f {
		t.Errorf("without additional data: %d bytes, %x, %d left", used, first, len(left))
	}
}

// TestHeads: the length of additional data stands in two, six or, beyond any here, ten bytes.
func TestHeads(t *testing.T) {
	s, err := New(13, 16)
	if err != nil {
		t.Fatal(err)
	}
	for n, head := range map[int]string{1: "0001", 14: "000e", 15: "000f", 65279: "feff", 65280: "fffe0000ff00", 70000: "fffe00011170"} {
		additional := bytes.Repeat([]byte{7}, n)
		var first [32]byte
		used, left := s.Begin(&first, make([]byte, 13), additional, 1)
		inside := min(n, 16-len(head)/2)
		want := head + strings.Repeat("07", inside) + strings.Repeat("00", 16-len(head)/2-inside)
		if got := hex.EncodeToString(first[16:used]); got != want || len(left) != n-inside {
			t.Errorf("%d bytes: %s and %d left, want %s", n, got, len(left), want)
		}
	}
}

func TestSizes(t *testing.T) {
	for nonce := range 20 {
		for tag := range 20 {
			_, err := New(nonce, tag)
			if ok := nonce >= 7 && nonce <= 13 && tag >= 4 && tag <= 16 && tag%2 == 0; ok != (err == nil) {
				t.Errorf("nonces of %d, tags of %d: %v", nonce, tag, err)
			}
		}
	}
	s, _ := New(13, 16)
	if s.TooLong(1<<16-1) || !s.TooLong(1<<16) {
		t.Error("a text of 64 KiB has no length of two bytes")
	}
}
