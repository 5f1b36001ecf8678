package provider

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/result"
)

func ownOf(t *testing.T, data string) *Own {
	t.Helper()
	name := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	own, err := ReadOwn(f)
	if err != nil {
		t.Fatal(err)
	}
	return own
}

// TestOwnData: the data from the beginning on, again and again, or no more of them than there is room for.
func TestOwnData(t *testing.T) {
	const data = "abcdefg"
	own := ownOf(t, data)
	want := result.OwnData{Bytes: 7, SHA256: "7d1a54127b222502f5b79b5fb0803061152a44f92b37e23c6527baf665d4da9a"}
	if own.OwnData != want || *own.Known() != want || (*Own)(nil).Known() != nil {
		t.Errorf("%+v", own)
	}
	for _, n := range []int{0, 1, 6, 7, 8, 13, 14, 15, 100} {
		text := bytes.Repeat([]byte("?"), n)
		if err := own.Fill(text); err != nil || string(text) != strings.Repeat(data, n/7+1)[:n] {
			t.Errorf("%d bytes: %q, %v", n, text, err)
		}
	}
	own.File.Close()
	if own.Fill(make([]byte, 8)) == nil {
		t.Error("what can't be read is data")
	}
}
