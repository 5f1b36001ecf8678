package algorithm

import "strings"

// FixedBytes returns the message size of what has no choice of one: a block's, or none
// where keys are worked with and not messages. Signatures are of a digest, and public
// keys encrypt a key of 32 bytes.
func FixedBytes(name Name, mode Mode, op Operation) (n int64, fixed bool) {
	if mode == OneBlock {
		return 16, true
	}
	switch op {
	case Sign, Verify, Agree, Generate, Precompute, Schedule, New, Encapsulate, Decapsulate, Session, SessionKey, Handshake, Start:
		return 0, true
	}
	return 0, strings.HasPrefix(name, "RSA-") || name == SM2
}
