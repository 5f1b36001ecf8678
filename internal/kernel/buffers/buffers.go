// Package buffers has what the ciphers of the engine demand of a caller's buffers, in the words of
// crypto/cipher, and finds out which of many messages' buffers share memory.
package buffers

import "unsafe"

// Overlap is what is panicked with where buffers share memory that may not.
const Overlap = "crypto/cipher: invalid buffer overlap"

const blockSize = 16

func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// AnyOverlap reports whether x and y share a byte of memory.
func AnyOverlap(x, y []byte) bool {
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	x0, y0 := addressOf(x), addressOf(y)
	return x0 < y0+uintptr(len(y)) && y0 < x0+uintptr(len(x))
}

// InexactOverlap reports whether x and y overlap and don't begin at the same byte.
func InexactOverlap(x, y []byte) bool {
	return AnyOverlap(x, y) && unsafe.SliceData(x) != unsafe.SliceData(y)
}

// Check makes the demands of crypto/cipher on the buffers of a mode, in its words.
func Check(dst, src []byte) {
	if len(dst) < len(src) {
		panic("crypto/cipher: output smaller than input")
	}
	if InexactOverlap(dst[:len(src)], src) {
		panic(Overlap)
	}
}

// CheckBlocks is Check for the modes that take whole blocks only.
func CheckBlocks(dst, src []byte) {
	if len(src)%blockSize != 0 {
		panic("crypto/cipher: input not full blocks")
	}
	Check(dst, src)
}

// CheckAEAD makes the demands on the buffers of Seal and Open.
func CheckAEAD(out, in, additional []byte) {
	if InexactOverlap(out, in) {
		panic("crypto/cipher: invalid buffer overlap of output and input")
	}
	if AnyOverlap(out, additional) {
		panic("crypto/cipher: invalid buffer overlap of output and additional data")
	}
}

// Extend returns b with n more bytes, in place where its capacity allows, and these n bytes.
func Extend(b []byte, n int) (whole, more []byte) {
	if total := len(b) + n; cap(b) >= total {
		whole = b[:total]
	} else {
		whole = make([]byte, total)
		copy(whole, b)
	}
	return whole, whole[len(b):]
}
