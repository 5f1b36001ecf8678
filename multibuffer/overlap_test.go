package multibuffer

import (
	"bytes"
	"testing"
)

// A digest may lie in its own message, wherever, as in a chain of hashes.
func TestDigestsInTheirOwnMessages(t *testing.T) {
	testInOwn(t, Hasher.SumMD5, algorithms[0])
	testInOwn(t, Hasher.SumSM3, algorithms[1])
	testInOwn(t, Hasher.SumSHA256, algorithms[2])
	testInOwn(t, Hasher.SumSHA1, algorithms[3])
}

func testInOwn[D [16]byte | [20]byte | [32]byte](t *testing.T, sum func(Hasher, []D, [][]byte), a algorithm) {
	for _, name := range Implementations() {
		h, err := NewWith(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 2, 3, 16, 64, 100} {
			digests, messages, want := make([]D, n), make([][]byte, n), make([][]byte, n)
			copy(flatten(digests), noise(60, len(flatten(digests))))
			for i := range messages {
				messages[i] = flatten(digests[i : i+1])[i%3 : 4+i%12]
				want[i] = a.want(messages[i])
			}
			sum(h, digests, messages)
			for i := range digests {
				if got := flatten(digests[i : i+1]); !bytes.Equal(got, want[i]) {
					t.Errorf("%s %s, digest %d of %d in its message: %x, want %x", name, a.name, i, n, got, want[i])
				}
			}
		}
	}
}

// A digest in another's message is refused, whichever they are, and however little they share.
func TestDigestsInOtherMessages(t *testing.T) {
	for _, name := range Implementations() {
		h, err := NewWith(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{2, 3, 64, 100} {
			memory := make([][16]byte, n+4)
			bytes := flatten(memory)
			digests := memory[2 : 2+n]
			end := 32 + 16*n
			for _, c := range []struct {
				at, from, to int
				refused      bool
			}{
				{0, 32, 48, false},            // its own
				{0, 0, 32, false},             // up to the first digest
				{n - 1, end, end + 32, false}, // behind the last one
				{n - 1, end - 1, end + 1, false},
				{1, 48, 48, false}, // no byte at all
				{0, 0, 48, false},  // its own and memory before
				{0, 32, 49, true},
				{1, 47, 64, true},
				{1, 31, 33, true},
				{1, 0, end + 32, true},
				{0, end - 1, end, true},
				{n - 1, 40, 41, true},
			} {
				messages := make([][]byte, n)
				messages[c.at] = bytes[c.from:c.to]
				got := func() (got any) {
					defer func() { got = recover() }()
					h.SumMD5(digests, messages)
					return nil
				}()
				want := any(nil)
				if c.refused {
					want = "multibuffer: a digest overlaps the message of another"
				}
				if got != want {
					t.Errorf("%s: message %d of %d at bytes %d to %d, digests at 32 to %d: panic %v, want %v",
						name, c.at, n, c.from, c.to, end, got, want)
				}
			}
		}
	}
}

// A MAC may lie in its own message, and in no other.
func TestMACsInMessages(t *testing.T) {
	eachKeyed(t, func(t *testing.T, h Hasher, k keyed) {
		key := []byte("key")
		for _, n := range []int{2, 3, 16, 64, 100} {
			macs, messages, want := make([][32]byte, n), make([][]byte, n), make([][]byte, n)
			copy(flatten(macs), noise(61, 32*n))
			for i := range messages {
				messages[i] = macs[i][i%3 : 4+i%28]
				want[i] = k.want(key, messages[i])
			}
			k.one(h, key).Sum(macs, messages)
			for i := range macs {
				if !bytes.Equal(macs[i][:], want[i]) {
					t.Errorf("MAC %d of %d in its message: wrong", i, n)
				}
			}
			messages[n-1] = macs[0][:5]
			func() {
				defer func() {
					if recover() == nil {
						t.Error("a MAC in another's message was let pass")
					}
				}()
				k.one(h, key).Sum(macs, messages)
			}()
		}
	})
}
