package gauge_test

import (
	"crypto/sha256"
	"fmt"

	"github.com/cryptogauge/cryptogauge/gauge"
)

// An operation of one's own. In a program's main function it is given to Main; by itself it can be tried as here.
// The laboratory knows SHA-256, so in a run its output is checked.
func ExampleOp() {
	sum := gauge.Op{
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
	}
	output, err := sum.Output(gauge.Input{Data: []byte("abc")})
	fmt.Printf("%x %v\n", output[:4], err)
	// Output: ba7816bf <nil>
}
