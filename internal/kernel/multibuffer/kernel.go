package multibuffer

// A Kernel is one implementation in assembly. The zero Kernel is none.
type Kernel uint8

const (
	None   Kernel = iota
	AVX2          // AVX2
	SHA           // AVX2 and the SHA extensions
	AVX512        // AVX-512 F BW DQ VL
)

// String names the instruction set that the kernel is made of.
func (k Kernel) String() string {
	switch k {
	case AVX512:
		return "avx512"
	case SHA:
		return "avx2+sha-ni"
	case AVX2:
		return "avx2"
	}
	return "none"
}

// Kernels are those that this processor and operating system can run, fastest first.
func Kernels() []Kernel {
	var ks []Kernel
	for _, k := range []Kernel{AVX512, SHA, AVX2} {
		if supported(k) {
			ks = append(ks, k)
		}
	}
	return ks
}

// A Hash is one of the functions that kernels compute.
type Hash uint8

const (
	MD5    Hash = iota // RFC 1321
	SM3                // GB/T 32905-2016
	SHA256             // FIPS 180-4
	SHA1               // FIPS 180-4
)

// BlockSize is the size in bytes of a block of every Hash.
const BlockSize = 64

// Words is the size of h's state and digest in words of 32 bits.
func (h Hash) Words() int { return [...]int{MD5: 4, SM3: 8, SHA256: 8, SHA1: 5}[h] }

// BigEndian is the byte order of h's words.
func (h Hash) BigEndian() bool { return h != MD5 }

var initial = [...][8]uint32{
	MD5:    {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476},
	SM3:    {0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e},
	SHA256: {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
	SHA1:   {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0},
}

// Initial is a word of h's initial state.
func (h Hash) Initial(w int) uint32 { return initial[h][w] }

// Lanes is how many messages k hashes at once, 0 if it doesn't compute h.
func (k Kernel) Lanes(h Hash) int {
	switch {
	case k == AVX512:
		return [...]int{MD5: 64, SM3: 32, SHA256: 32, SHA1: 48}[h]
	case k == AVX2 || k == SHA:
		return [...]int{MD5: 16, SM3: 8, SHA256: pairs(k), SHA1: pairs(k)}[h]
	}
	return 0
}

// pairs is the lanes of the SHA extensions.
func pairs(k Kernel) int {
	if k == SHA {
		return 2
	}
	return 0
}

// Pairs is the kernel for few messages: that of the SHA extensions where AVX-512 has them beside it, else k itself.
func (k Kernel) Pairs(h Hash) Kernel {
	if k == AVX512 && (h == SHA256 || h == SHA1) && supported(SHA) {
		return SHA
	}
	return k
}

// Blocks is how many blocks a message of n bytes is with its padding.
func Blocks(n uint64) uint64 { return (n+8)/BlockSize + 1 }
