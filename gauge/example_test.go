package gauge_test

import (
	"crypto/sha256"

	"github.com/cryptogauge/cryptogauge/gauge"
)

// A program that times one operation. The laboratory knows SHA-256, so its output is checked.
func ExampleMain() {
	gauge.Main(gauge.Op{
		Algorithm: "SHA-256",
		Operation: "hash",
		Sizes:     []int{64, 1 << 10},
		Prepare: func(in gauge.Input) (gauge.Call, error) {
			var sum [sha256.Size]byte
			return gauge.Call{
				Run:    func() error { sum = sha256.Sum256(in.Data); return nil },
				Output: func() []byte { return sum[:] },
			}, nil
		},
	})
}
