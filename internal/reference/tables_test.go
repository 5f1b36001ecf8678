package reference

import (
	"math/big"
	"math/bits"
	"testing"
)

// The tables are typed in; here they are derived from their definitions, so a slip of the finger shows by name.

func TestAESSBoxIsInverseAndAffineMap(t *testing.T) {
	for x, got := range aesSBox() {
		inverse := fieldInverse(byte(x), 0x11b) // FIPS 197 §5.1.1
		want := affine(inverse, 0x63, 0, 1, 2, 3, 4)
		if got != want {
			t.Errorf("aesSBox[%#02x] = %#02x, want %#02x", x, got, want)
		}
	}
}

// The standard prints SM4's S-box without saying where it comes from; Liu et al., "Analysis of the SMS4 Block
// Cipher" (ACISP 2007), found A·(A·x + C)⁻¹ + C in GF(2⁸) modulo x⁸+x⁷+x⁶+x⁵+x⁴+x²+1.
func TestSM4SBoxIsAffineInverseAffine(t *testing.T) {
	a := func(x byte) byte { return affine(x, 0xd3, 0, 1, 3, 6, 7) }
	for x, got := range sm4SBox() {
		if want := a(fieldInverse(a(byte(x)), 0x1f5)); got != want {
			t.Errorf("sm4SBox[%#02x] = %#02x, want %#02x", x, got, want)
		}
	}
}

func TestSM4CK(t *testing.T) {
	for i, want := range map[int]uint32{0: 0x00070e15, 1: 0x1c232a31, 9: 0xfc030a11, 31: 0x646b7279} { // GB/T 32907 §7.3
		if got := sm4CK(i); got != want {
			t.Errorf("CK_%d = %08x, want %08x", i, got, want)
		}
	}
}

func TestSHA256KAreCubeRootsOfPrimes(t *testing.T) {
	for i, prime := range firstPrimes(64) {
		if want := uint32(fractionOfRoot(prime, 3, 32)); uint32(sha512K()[i]>>32) != want {
			t.Errorf("sha256K[%d] = %08x, want %08x", i, sha512K()[i]>>32, want)
		}
	}
}

func TestSHA512KAreCubeRootsOfPrimes(t *testing.T) {
	for i, prime := range firstPrimes(len(sha512K())) {
		if want := fractionOfRoot(prime, 3, 64); sha512K()[i] != want {
			t.Errorf("sha512K[%d] = %016x, want %016x", i, sha512K()[i], want)
		}
	}
}

func TestSHA512InitialAreSquareRootsOfPrimes(t *testing.T) {
	for i, prime := range firstPrimes(len(sha512Initial)) {
		if want := fractionOfRoot(prime, 2, 64); sha512Initial[i] != want {
			t.Errorf("sha512Initial[%d] = %016x, want %016x", i, sha512Initial[i], want)
		}
	}
}

// TestMD5T holds the computed table against its ends, as RFC 1321's appendix A.3 prints them.
func TestMD5T(t *testing.T) {
	for i, want := range map[int]uint32{0: 0xd76aa478, 1: 0xe8c7b756, 62: 0x2ad7d2bb, 63: 0xeb86d391} {
		if md5T()[i] != want {
			t.Errorf("T[%d] = %08x, want %08x", i+1, md5T()[i], want)
		}
	}
}

func firstPrimes(n int) (primes []int64) {
	for p := int64(2); len(primes) < n; p++ {
		if big.NewInt(p).ProbablyPrime(0) {
			primes = append(primes, p)
		}
	}
	return primes
}

// fractionOfRoot returns so many bits after the point of the root of n of that degree.
func fractionOfRoot(n int64, degree, bits uint) uint64 {
	root := integerRoot(new(big.Int).Lsh(big.NewInt(n), degree*bits), int64(degree))
	one := new(big.Int).Lsh(big.NewInt(1), bits)
	return root.Mod(root, one).Uint64()
}

// affine XORs x rotated left by each of rotations, and c.
func affine(x, c byte, rotations ...int) byte {
	for _, r := range rotations {
		c ^= bits.RotateLeft8(x, r)
	}
	return c
}

// fieldInverse searches for 1/x in GF(2)[x] modulo the polynomial; 0 maps to itself.
func fieldInverse(x byte, polynomial uint) byte {
	for y := range 256 {
		if fieldMul(uint(x), uint(y), polynomial) == 1 {
			return byte(y)
		}
	}
	return 0
}

func fieldMul(x, y, polynomial uint) (z uint) {
	for ; y != 0; y >>= 1 {
		if y&1 == 1 {
			z ^= x
		}
		if x <<= 1; x&0x100 != 0 {
			x ^= polynomial
		}
	}
	return z
}

func integerRoot(n *big.Int, degree int64) *big.Int {
	low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), 80)
	for high.Cmp(low) > 0 { // low is the largest integer whose power is at most n
		middle := new(big.Int).Add(low, high)
		middle.Add(middle, big.NewInt(1)).Rsh(middle, 1)
		if new(big.Int).Exp(middle, big.NewInt(degree), nil).Cmp(n) <= 0 {
			low = middle
		} else {
			high = middle.Sub(middle, big.NewInt(1))
		}
	}
	return low
}
