package aes

import (
	"bytes"
	"slices"
	"testing"
	"unsafe"
)

// Lanes that go back to a pool hold no key, no text and no pointer.
func TestLanesForget(t *testing.T) {
	if len(Kernels()) == 0 {
		t.Skip("the processor runs no kernel")
	}
	var l Lanes
	text := bytes.Repeat([]byte("plaintext, four blocks of it, and a bit more of it: 80 bytes. "), 2)[:80]
	for i := range MaxLanes {
		l.RawKey(i, &bytes.Repeat([]byte{byte(i + 1)}, 16)[0])
	}
	l.Expand(MaxLanes, 16)
	for i := range MaxLanes {
		l.Begin(i, make([]byte, 80), text, text[:16])
	}
	l.CBCEncryptKeyed(10, MaxLanes, 5)
	l.Forget(MaxLanes, MaxLanes)
	if l.src != [MaxLanes]*byte{} || l.dst != [MaxLanes]*byte{} || l.raw != [MaxLanes]*byte{} {
		t.Error("pointers stay")
	}
	if l.round != (Lanes{}).round {
		t.Error("keys stay")
	}
	all := unsafe.Slice((*byte)(unsafe.Pointer(&l)), unsafe.Sizeof(l))
	for i := 0; i < len(text); i += 16 {
		if bytes.Contains(all, text[i:i+16]) {
			t.Errorf("block %d of the plaintext stays", i/16)
		}
	}
}

// Neither the kernels for short messages leave anything but ciphertext.
func TestShortMessagesForget(t *testing.T) {
	if len(Kernels()) == 0 {
		t.Skip("the processor runs no kernel")
	}
	for _, n := range []int{64, 50} {
		messages := make([]Message, MaxLanes)
		for i := range messages {
			m := &messages[i]
			m.Key, m.Nonce, m.Dst = bytes.Repeat([]byte{byte(i + 1)}, 16), make([]byte, 12), make([]byte, n+blockSize)
			m.Src = bytes.Repeat([]byte{byte(i)}, n)
		}
		var l, sealing, opening Lanes
		sealing.SealShort(messages)
		for i := range messages {
			messages[i].Src = slices.Clone(messages[i].Dst)
		}
		opening.OpenShort(messages)
		if *opening.Opened(5) == [ShortBytes]byte{} || *opening.Tag(5) == [blockSize]byte{} {
			t.Fatal("nothing was opened")
		}
		opening.ForgetOpened(len(messages))
		for i := range messages { // the ciphertext of the last eight is all that may be left
			copy(l.sink[i%8*ShortBytes:], messages[i].Src[:n])
		}
		if n == 64 {
			l.sink = opening.sink
		}
		if sealing != l || opening != l {
			t.Errorf("%d bytes: something stays", n)
		}
	}
}
