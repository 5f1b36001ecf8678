package algorithm

import "slices"

// FixedBytes returns the message size of what has no choice of one: a block's, or none
// where keys are worked with and not messages. Signatures are of a digest, and public
// keys encrypt a key of 32 bytes.
func FixedBytes(name Name, mode Mode, operation Operation) (n int64, fixed bool) {
	a := Of(name)
	if mode == OneBlock {
		return int64(a.Block), true
	}
	return 0, a.KeyPair() || slices.Contains([]Operation{Schedule, New, Handshake, Start}, operation)
}
