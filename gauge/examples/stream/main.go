// Command stream times a stream: what a pipeline reads is compressed, then sealed in records. Nothing is there to
// hold its output against, so its row says that it is unchecked.
//
//	cryptogauge run own --worker ./stream
package main

import (
	"compress/flate"
	"crypto/aes"
	"crypto/cipher"
	"io"

	"github.com/cryptogauge/cryptogauge/gauge"
)

func main() {
	gauge.Main(gauge.Op{Algorithm: "Backup", Operation: "compress+seal", Sizes: []int{64 << 10}, Goroutines: []int{1, 2}, Prepare: gauge.Stream(open)})
}

func open(in gauge.Input) (func(dst io.Writer, src io.Reader) error, error) {
	block, err := aes.NewCipher(in.Key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	packer, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	return func(dst io.Writer, src io.Reader) error {
		packer.Reset(&sealer{dst: dst, aead: aead, nonce: make([]byte, aead.NonceSize())})
		if _, err := io.Copy(packer, src); err != nil {
			return err
		}
		return packer.Close()
	}, nil
}

// sealer seals each record that is written to it, under the next nonce.
type sealer struct {
	dst    io.Writer
	aead   cipher.AEAD
	nonce  []byte
	record []byte
}

func (s *sealer) Write(b []byte) (int, error) {
	s.record = s.aead.Seal(s.record[:0], s.nonce, b, nil)
	for i := len(s.nonce) - 1; i >= 0; i-- {
		s.nonce[i]++
		if s.nonce[i] != 0 {
			break
		}
	}
	_, err := s.dst.Write(s.record)
	return len(b), err
}
