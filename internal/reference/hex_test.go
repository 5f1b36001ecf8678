package reference

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
)

// unhex decodes a vector as the standards print it, blanks allowed.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func equal(t testing.TB, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("%s:\n got %x\nwant %x", what, got, want)
	}
}

func aesBlockFor(t testing.TB, key []byte) Block {
	t.Helper()
	b, err := NewAES(key)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func sm4BlockFor(t testing.TB, key []byte) Block {
	t.Helper()
	b, err := NewSM4(key)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}
