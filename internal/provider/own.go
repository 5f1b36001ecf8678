package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/cryptogauge/cryptogauge/result"
)

// MostOwn is how many bytes of their own users may give: each worker reads them whenever it starts.
const MostOwn = 16 << 20

// Own is data of the user's: as many bytes as a case has, from the beginning on, again and again where it has more.
type Own struct {
	result.OwnData
	// File holds them and is read and never written: it has no place in any folder, or none that matters.
	File *os.File
}

// ReadOwn reads the data of a file once, to say how many there are and which.
func ReadOwn(f *os.File) (*Own, error) {
	h := sha256.New()
	n, err := io.Copy(h, io.NewSectionReader(f, 0, MostOwn+1))
	if err != nil {
		return nil, err
	}
	return &Own{result.OwnData{Bytes: n, SHA256: hex.EncodeToString(h.Sum(nil))}, f}, nil
}

// Known is what a run file says of the data; nil where there are none.
func (o *Own) Known() *result.OwnData {
	if o == nil {
		return nil
	}
	return &o.OwnData
}

// Fill overwrites a text with the data.
func (o *Own) Fill(text []byte) error {
	first := text[:min(int64(len(text)), o.Bytes)]
	if _, err := o.File.ReadAt(first, 0); err != nil {
		return fmt.Errorf("reading the user's data: %w", err)
	}
	for n := len(first); n < len(text); n *= 2 {
		copy(text[n:], text[:n])
	}
	return nil
}
