//go:build linux && (amd64 || arm64)

package binding

import (
	"github.com/cryptogauge/cryptogauge/internal/library/native/fence"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// Message is what goes in and where it comes out, both with the tag at the end where
// there is one.
type Message struct{ Nonce, AAD, In, Out []byte }

// Work is what a call of an operation does: its messages in order.
type Work struct {
	Messages  []Message
	Sequence  []int  // places in Messages
	Want, Out []byte // what they leave one behind the other; Out may be longer
}

// WorkOf takes a vector's message, or its sequence of messages, with memory for what
// becomes of them, and behind it for what a library may write besides.
func WorkOf(v *provider.Vector, d loop.Direction, outputs *fence.Memory, spare int) Work {
	w, all := Work{Sequence: v.Sequence, Want: []byte{}}, v.Messages
	if len(w.Sequence) == 0 {
		all, w.Sequence = []provider.Message{{Nonce: v.Nonce, Plaintext: v.Plaintext, Ciphertext: v.Ciphertext}}, []int{0}
	}
	for _, m := range all {
		one := Message{Nonce: m.Nonce, AAD: v.AAD, In: m.Plaintext, Out: m.Ciphertext}
		if d == loop.Decrypt {
			one.In, one.Out = one.Out, one.In
		}
		w.Want, w.Messages = append(w.Want, one.Out...), append(w.Messages, one)
	}
	w.Out = outputs.Bytes(len(w.Want) + spare)
	at := 0
	for i := range w.Messages {
		end := at + len(w.Messages[i].Out)
		w.Messages[i].Out = w.Out[at:end:end]
		at = end
	}
	return w
}
