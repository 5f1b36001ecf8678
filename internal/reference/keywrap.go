package reference

import (
	"bytes"
	"encoding/binary"
)

// wrapUnit is the half of a block in which keys are wrapped.
const wrapUnit = BlockSize / 2

// wrapRounds are the passes over all units.
const wrapRounds = 6

// WrapKey wraps a key of two units or more, 8 bytes each, under b: KW-AE of SP 800-38F §6.2, which is RFC 3394 §2.2.1.
func WrapKey(b Block, key []byte) []byte {
	must(len(key)%wrapUnit == 0 && len(key) >= 2*wrapUnit, "a key that KW does not wrap")
	out := append(bytes.Repeat([]byte{0xa6}, wrapUnit), key...) // ICV1, SP 800-38F §6.2
	n := len(key) / wrapUnit
	var block [BlockSize]byte
	for t := 1; t <= wrapRounds*n; t++ {
		unit := out[wrapUnit*((t-1)%n+1):][:wrapUnit]
		copy(block[:], out[:wrapUnit])
		copy(block[wrapUnit:], unit)
		b.Encrypt(block[:], block[:])
		copy(unit, block[wrapUnit:])
		binary.BigEndian.PutUint64(out, binary.BigEndian.Uint64(block[:])^uint64(t))
	}
	return out
}

// UnwrapKey returns the key that was wrapped, or ErrOpen: KW-AD of SP 800-38F §6.2.
func UnwrapKey(b Block, wrapped []byte) ([]byte, error) {
	n := len(wrapped)/wrapUnit - 1
	if len(wrapped)%wrapUnit != 0 || n < 2 {
		return nil, ErrOpen
	}
	out := bytes.Clone(wrapped)
	var block [BlockSize]byte
	for t := wrapRounds * n; t > 0; t-- {
		unit := out[wrapUnit*((t-1)%n+1):][:wrapUnit]
		binary.BigEndian.PutUint64(block[:], binary.BigEndian.Uint64(out)^uint64(t))
		copy(block[wrapUnit:], unit)
		b.Decrypt(block[:], block[:])
		copy(out, block[:wrapUnit])
		copy(unit, block[wrapUnit:])
	}
	if !bytes.Equal(out[:wrapUnit], bytes.Repeat([]byte{0xa6}, wrapUnit)) {
		return nil, ErrOpen
	}
	return out[wrapUnit:], nil
}
