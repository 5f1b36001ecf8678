// Command agree times two implementations that must agree: the parity of a text's bits, counted bit by bit and
// by the CPU's own instruction. Where they don't agree, neither the one nor the other is fast: it is wrong.
//
//	cryptogauge run own --worker ./agree
package main

import (
	"math/bits"
	"os"

	"github.com/cryptogauge/cryptogauge/gauge"
)

func main() {
	plain := gauge.Op{Library: "plain", Algorithm: "Parity", Operation: "sum", Sizes: []int{1 << 10}, Prepare: prepare(bitByBit)}
	fast := plain
	fast.Library, fast.Prepare, fast.Expect = "fast", prepare(popcount), plain.Output
	if os.Getenv("AGREE_WRONG") != "" { // to see what is said of a wrong one
		fast.Prepare = prepare(func(text []byte) byte { return 1 - popcount(text) })
	}
	gauge.Main(plain, fast)
}

func bitByBit(text []byte) (parity byte) {
	for _, b := range text {
		for ; b != 0; b >>= 1 {
			parity ^= b & 1
		}
	}
	return parity
}

func popcount(text []byte) (parity byte) {
	for _, b := range text {
		parity ^= byte(bits.OnesCount8(b)) & 1
	}
	return parity
}

func prepare(sum func([]byte) byte) func(gauge.Input) (gauge.Call, error) {
	return func(in gauge.Input) (gauge.Call, error) {
		out := make([]byte, 1)
		return gauge.Call{
			Run:    func() error { out[0] = sum(in.Data); return nil },
			Output: func() []byte { return out },
		}, nil
	}
}
