package main

import (
	"math"
	"math/big"
	"math/bits"
)

// md5Table is RFC 1321, section 3.4: floor(2³²·|sin i|), i from 1.
func md5Table() (k [64]uint32) {
	for i := range k {
		k[i] = uint32(math.Floor(math.Abs(math.Sin(float64(i+1))) * (1 << 32)))
	}
	return k
}

// md5Shift is the rotation of each step.
func md5Shift(i int) int {
	return [4][4]int{{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}[i/16][i%4]
}

// md5Word is the word that each step adds.
func md5Word(i int) int {
	return [4]int{i, 5*i + 1, 3*i + 5, 7 * i}[i/16] % 16
}

// sm3Table is GB/T 32905-2016, section 4.2, with the rotation of each round (5.3.3) done.
func sm3Table() (k [64]uint32) {
	for i := range k {
		t := uint32(0x79cc4519)
		if i >= 16 {
			t = 0x7a879d8a
		}
		k[i] = bits.RotateLeft32(t, i)
	}
	return k
}

// sha256Table is FIPS 180-4, section 4.2.2: the fractions of the cube roots of the first primes.
func sha256Table() (k [64]uint32) {
	i := 0
	for n := int64(2); i < len(k); n++ {
		if !big.NewInt(n).ProbablyPrime(0) {
			continue
		}
		// floor(2³²·∛n) is the integer cube root of n·2⁹⁶.
		cube := new(big.Int).Lsh(big.NewInt(n), 96)
		low, high := big.NewInt(0), new(big.Int).Lsh(big.NewInt(1), 40)
		for one := big.NewInt(1); new(big.Int).Sub(high, low).Cmp(one) > 0; {
			mid := new(big.Int).Rsh(new(big.Int).Add(low, high), 1)
			if new(big.Int).Exp(mid, big.NewInt(3), nil).Cmp(cube) <= 0 {
				low = mid
			} else {
				high = mid
			}
		}
		k[i] = uint32(low.Uint64())
		i++
	}
	return k
}

// sha1Table is FIPS 180-4, section 4.2.1: one constant for twenty steps.
func sha1Table() []uint32 { return []uint32{0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6} }
