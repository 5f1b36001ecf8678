// Command slowwrapper sets a wrapper of one's own beside what it wraps: its CTR goes block by block, as
// wrappers do that ask for one block at a time.
//
//	cryptogauge run own --worker ./slowwrapper
package main

import (
	"crypto/aes"
	"crypto/cipher"

	"github.com/cryptogauge/cryptogauge/gauge"
)

func main() {
	sizes := []int{1 << 10, 16 << 10}
	direct := gauge.Op{Library: "direct", Algorithm: "AES-256", Mode: "CTR", Operation: "encrypt", Sizes: sizes, Prepare: prepare(whole)}
	wrapped := direct
	wrapped.Library, wrapped.Prepare = "wrapper", prepare(blockwise)
	gauge.Main(direct, wrapped)
}

func whole(s cipher.Stream, dst, src []byte) { s.XORKeyStream(dst, src) }

// blockwise is what makes the wrapper slow.
func blockwise(s cipher.Stream, dst, src []byte) {
	for len(src) > 0 {
		n := min(aes.BlockSize, len(src))
		s.XORKeyStream(dst[:n], src[:n])
		dst, src = dst[n:], src[n:]
	}
}

func prepare(pass func(s cipher.Stream, dst, src []byte)) func(gauge.Input) (gauge.Call, error) {
	return func(in gauge.Input) (gauge.Call, error) {
		block, err := aes.NewCipher(in.Key)
		if err != nil {
			return gauge.Call{}, err
		}
		dst := make([]byte, len(in.Data))
		return gauge.Call{
			Run: func() error {
				pass(cipher.NewCTR(block, in.Nonce), dst, in.Data)
				return nil
			},
			Output: func() []byte { return dst },
		}, nil
	}
}
