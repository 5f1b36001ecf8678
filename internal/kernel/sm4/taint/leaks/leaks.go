// Package leaks holds planted leaks, all of which the tool must report.
package leaks

import "bytes"

// All are the leaks by name.
var All = []struct {
	Name string
	Run  func(key *[16]byte, tag []byte) byte
}{
	{"branch", branch},
	{"lookup", lookup},
	{"earlyExit", earlyExit},
	{"equal", equal},
	{"secretIndex", secretIndex},
	{"double", double},
	{"division", division},
}

// branch jumps on a bit of the key.
//
//go:noinline
func branch(key *[16]byte, _ []byte) byte {
	if key[3]&1 == 1 {
		return third(1)
	}
	return third(2)
}

//go:noinline
func third(x byte) byte { return 3 * x }

var table [256]byte

// lookup reads a table at a byte of the key.
//
//go:noinline
func lookup(key *[16]byte, _ []byte) byte { return table[key[5]] }

// earlyExit compares a tag as long as its bytes agree.
//
//go:noinline
func earlyExit(key *[16]byte, tag []byte) byte {
	for i, b := range tag {
		if b != key[i] {
			return 0
		}
	}
	return 1
}

// equal compares a tag by the library's function for what isn't secret.
//
//go:noinline
func equal(key *[16]byte, tag []byte) byte {
	if bytes.Equal(key[:], tag) {
		return 1
	}
	return 0
}

// secretIndex writes where the key says.
//
//go:noinline
func secretIndex(key *[16]byte, _ []byte) byte {
	var to [16]byte
	to[key[7]&15] = 1
	return to[0]
}

// double multiplies a tweak by α with a branch.
//
//go:noinline
func double(key *[16]byte, _ []byte) byte {
	low := key[0] << 1
	if key[15]>>7 != 0 {
		low ^= 0x87
		low = third(low)
	}
	return low
}

// division takes as long as its operand is wide, which memcheck doesn't know: a branch stands for it
// where the compiler checks for zero.
//
//go:noinline
func division(key *[16]byte, _ []byte) byte { return 200 / key[9] }
