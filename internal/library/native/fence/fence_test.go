//go:build linux && (amd64 || arm64)

package fence

import (
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// beyond is the byte so far from the output's first.
func beyond(out []byte, at int) *byte {
	return (*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(out)), at))
}

// TestCheck: each byte that is changed outside is found, and counted, up to a page off.
func TestCheck(t *testing.T) {
	page := os.Getpagesize()
	for i, n := range []int{0, 1, 16, page - 1, page, page + 1, 0, 1, 16, page - 65, page - 64, page - 63, page} {
		var m Memory
		place := i / 6 * 64
		other, out := m.Bytes(32), m.BytesAt(place, n)
		clear(other)
		for i := range out {
			out[i] = byte(i)
		}
		if uintptr(unsafe.Pointer(unsafe.SliceData(out)))%uintptr(page) != uintptr(place) || cap(out) != max(n, 1) {
			t.Errorf("%d bytes: not where asked for, or with room for %d", n, cap(out))
		}
		if err := m.Check(); err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
		for at, want := range map[int]string{n: "wrote 1 bytes past the end", n + 15: "wrote 16 bytes past",
			n + page - 1: "bytes past",
			-1:           "wrote 1 bytes before the start", -16: "wrote 16 bytes before", -page: "bytes before"} {
			*beyond(out, at) ^= 0x40
			err := m.Check()
			if !errors.Is(err, provider.ErrIncorrect) || !strings.Contains(err.Error(), want) {
				t.Errorf("%d bytes, written at %d: %v", n, at, err)
			}
			if err := m.Check(); err != nil {
				t.Errorf("%d bytes, written at %d before: %v", n, at, err)
			}
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// greedy writes so many bytes more than its output has.
type greedy struct {
	cipher.AEAD
	past int
}

func (g greedy) Seal(dst, nonce, text, aad []byte) []byte {
	out := g.AEAD.Seal(dst, nonce, text, aad)
	for i := range g.past {
		*beyond(out, len(out)+i) ^= 1
	}
	return out
}

// TestSealing: a cipher that goes beyond its output is not handed out.
func TestSealing(t *testing.T) {
	for _, past := range []int{0, 3} {
		a, err := Sealing(func(key []byte) (cipher.AEAD, error) {
			b, err := aes.NewCipher(key)
			if err != nil {
				return nil, err
			}
			gcm, err := cipher.NewGCM(b)
			return greedy{gcm, past}, err
		})(make([]byte, 16))
		switch {
		case past == 0 && (err != nil || a == nil):
			t.Error(err)
		case past > 0 && (!errors.Is(err, provider.ErrIncorrect) || !strings.Contains(err.Error(),
			"3 bytes past the end of its output of 16 bytes")):
			t.Errorf("3 bytes too many: %v", err)
		}
	}
}
