package aes

import "unsafe"

// anyOverlap reports whether x and y share a byte of memory.
func anyOverlap(x, y []byte) bool {
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	x0, y0 := uintptr(unsafe.Pointer(unsafe.SliceData(x))), uintptr(unsafe.Pointer(unsafe.SliceData(y)))
	return x0 < y0+uintptr(len(y)) && y0 < x0+uintptr(len(x))
}

// inexactOverlap reports whether x and y overlap and don't begin at the same byte.
func inexactOverlap(x, y []byte) bool {
	return anyOverlap(x, y) && unsafe.SliceData(x) != unsafe.SliceData(y)
}

// checkBuffers makes the demands of crypto/cipher on the buffers of a mode, in its words.
func checkBuffers(dst, src []byte) {
	if len(dst) < len(src) {
		panic("crypto/cipher: output smaller than input")
	}
	if inexactOverlap(dst[:len(src)], src) {
		panic("crypto/cipher: invalid buffer overlap")
	}
}

// checkBlocks is checkBuffers for the modes that take whole blocks only.
func checkBlocks(dst, src []byte) {
	if len(src)%BlockSize != 0 {
		panic("crypto/cipher: input not full blocks")
	}
	checkBuffers(dst, src)
}

// checkAEAD makes the demands on the buffers of Seal and Open.
func checkAEAD(out, in, additional []byte) {
	if inexactOverlap(out, in) {
		panic("crypto/cipher: invalid buffer overlap of output and input")
	}
	if anyOverlap(out, additional) {
		panic("crypto/cipher: invalid buffer overlap of output and additional data")
	}
}

// extend returns b with n more bytes, in place where its capacity allows, and these n bytes.
func extend(b []byte, n int) (whole, more []byte) {
	if total := len(b) + n; cap(b) >= total {
		whole = b[:total]
	} else {
		whole = make([]byte, total)
		copy(whole, b)
	}
	return whole, whole[len(b):]
}
