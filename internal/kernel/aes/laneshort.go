package aes

import "github.com/cryptogauge/cryptogauge/internal/kernel/buffers"

// A Message is a message of GCM under a raw key.
type Message = buffers.GCMMessage

const (
	// ShortBytes is the longest text that is sealed and opened whole, by SealShort and OpenShort.
	ShortBytes = lineSize
	// ShortMessages is how many they take at once; their number is a multiple of PerGroup.
	ShortMessages = MaxLanes
	PerGroup      = perGroup
)

// SealShort seals messages that are alike: texts of n bytes, at most [ShortBytes], keys of one length, nonces of 12
// bytes, and no additional data.
func (l *Lanes) SealShort(messages []Message) {
	m, n, groups := &messages[0], len(messages[0].Src), len(messages)/perGroup
	switch len(m.Key) {
	case 16:
		wideSealShort128(l, m, groups, n)
	case 24:
		wideSealShort192(l, m, groups, n)
	default:
		wideSealShort256(l, m, groups, n)
	}
}

// OpenShort leaves what messages that are alike, as those of SealShort, are when decrypted where [Lanes.Opened] finds
// it, and the tags that they should have where [Lanes.Tag] does.
func (l *Lanes) OpenShort(messages []Message) {
	m, n, groups := &messages[0], len(messages[0].Src)-blockSize, len(messages)/perGroup
	switch len(m.Key) {
	case 16:
		wideOpenShort128(l, m, groups, n)
	case 24:
		wideOpenShort192(l, m, groups, n)
	default:
		wideOpenShort256(l, m, groups, n)
	}
}

// Opened is what OpenShort has left of a message.
func (l *Lanes) Opened(lane int) *[ShortBytes]byte { return &l.tile[lane] }

// ForgetOpened clears what OpenShort has left of so many messages.
func (l *Lanes) ForgetOpened(lanes int) {
	clear(l.tile[:lanes])
	clear(l.mask[:lanes/perGroup])
}
