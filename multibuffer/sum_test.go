package multibuffer

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/multibuffer"
)

var messagesFlag = flag.Int("messages", 250_000, "random messages in TestRandomBatches, for each implementation and algorithm")

// The standards' own vectors, every one in a batch of its own copies and in a batch of all.
func TestStandardVectors(t *testing.T) {
	alphanumeric := "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	digits := "12345678901234567890123456789012345678901234567890123456789012345678901234567890"
	sha := "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
	vectors := map[string]map[string]string{
		"MD5": { // RFC 1321, A.5
			"":                           "d41d8cd98f00b204e9800998ecf8427e",
			"a":                          "0cc175b9c0f1b6a831c399e269772661",
			"abc":                        "900150983cd24fb0d6963f7d28e17f72",
			"message digest":             "f96b697d7cb7938d525a2f31aaf161d0",
			"abcdefghijklmnopqrstuvwxyz": "c3fcd3d76192e4007dfb496cca67e13b",
			alphanumeric:                 "d174ab98d277d9f5a5611c2c9f419d9f",
			digits:                       "57edf4a22be3c955ac49da2e2107b67a",
		},
		"SM3": { // GB/T 32905-2016, A.1 and A.2
			"abc": "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0",
			"abcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcd": "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732",
		},
		"SHA-256": { // FIPS 180-4, the examples
			"abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
			sha:   "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
		},
		"SHA-1": {
			"abc": "a9993e364706816aba3e25717850c26c9cd0d89d",
			sha:   "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
		},
	}
	each(t, func(t *testing.T, h Hasher, a algorithm) {
		var all [][]byte
		var want []string
		for message, digest := range vectors[a.name] {
			for range 70 {
				all, want = append(all, []byte(message)), append(want, digest)
			}
			for i, got := range a.sum(h, all[len(all)-70:]) {
				if hex.EncodeToString(got) != digest {
					t.Errorf("%q in lane %d: %x, want %s", message, i, got, digest)
				}
			}
		}
		rand.New(rand.NewPCG(1, 1)).Shuffle(len(all), func(i, j int) {
			all[i], all[j], want[i], want[j] = all[j], all[i], want[j], want[i]
		})
		for i, got := range a.sum(h, all) {
			if hex.EncodeToString(got) != want[i] {
				t.Errorf("%q: %x, want %s", all[i], got, want[i])
			}
		}
	})
}

// Every length to 1024 in every lane: batches of equal lengths, then batches in which lanes differ by a
// byte, so that every tail stands beside every other nearby.
func TestEveryLengthInEveryLane(t *testing.T) {
	each(t, func(t *testing.T, h Hasher, a algorithm) {
		text := noise(2, 4096)
		want := make([][]byte, 1025)
		lanes := max(h.kernel.Lanes(a.hash), 1)
		for n := range want {
			want[n] = a.want(text[n : 2*n])
		}
		messages, lengths := make([][]byte, lanes), make([]int, lanes)
		for n := range want {
			for _, step := range []int{0, 1} {
				for i := range messages {
					lengths[i] = (n + i*step) % len(want)
					messages[i] = text[lengths[i] : 2*lengths[i]]
				}
				for i, got := range a.sum(h, messages) {
					if !bytes.Equal(got, want[lengths[i]]) {
						t.Fatalf("%d bytes in lane %d (step %d): %x, want %x", lengths[i], i, step, got, want[lengths[i]])
					}
				}
			}
		}
	})
}

// Every two lengths to 640 beside each other, alone, with a third, and behind keys: two messages take turns, one goes on
// alone, or each is hashed by itself.
func TestEveryTwoLengths(t *testing.T) {
	const longest = 640 // more than two messages of a pair differ by
	text := noise(4, 2*longest)
	first, second := func(n int) []byte { return text[:n] }, func(n int) []byte { return text[longest-n%7:][:n] }
	step := 7 // from one length of the second message to the next
	if testing.Short() {
		step = 163
	}
	each(t, func(t *testing.T, h Hasher, a algorithm) {
		var want [2][longest][]byte
		for n := range longest {
			want[0][n], want[1][n] = a.want(first(n)), a.want(second(n))
		}
		for n := range longest {
			for m := n % step; m < longest; m += step {
				got := a.sum(h, [][]byte{first(n), second(m), first(m)})
				got = append(got, a.sum(h, [][]byte{second(n), first(m)})...)
				for i, right := range [][]byte{want[0][n], want[1][m], want[0][m], want[1][n], want[0][m]} {
					if !bytes.Equal(got[i], right) {
						t.Fatalf("%d and %d bytes, message %d: %x, want %x", n, m, i, got[i], right)
					}
				}
			}
		}
	})
	eachKeyed(t, func(t *testing.T, h Hasher, k keyed) {
		keys := [][]byte{[]byte("one key"), []byte("and another"), noise(5, 100)}
		for n := range 2 * longest {
			k.verify(t, h, keys[:1], [][]byte{text[:n]})
		}
		for n := range longest {
			for m := n % (10 * step); m < longest; m += 10 * step {
				k.verify(t, h, keys, [][]byte{first(n), second(m), first(m)})
			}
		}
	})
}

// Every number of messages, equal and mixed, around every boundary of lanes and batches.
func TestEveryCount(t *testing.T) {
	counts := []int{maxBatch - 1, maxBatch, maxBatch + 1, maxBatch + 2, maxBatch + 64, 2*maxBatch + 3}
	for n := range 200 {
		if !testing.Short() || n < 36 {
			counts = append(counts, n)
		}
	}
	text := noise(3, 1<<16)
	each(t, func(t *testing.T, h Hasher, a algorithm) {
		r := rand.New(rand.NewPCG(3, 3))
		for _, n := range counts {
			for _, most := range []int{0, 70, 500} {
				messages := make([][]byte, n)
				for i := range messages {
					size := 55
					if most > 0 {
						size = r.IntN(most)
					}
					from := r.IntN(len(text) - size)
					messages[i] = text[from : from+size]
				}
				a.verify(t, h, messages)
			}
		}
	})
}

// One message much longer than the others, in every place: it is left alone, and handed over.
func TestOneLongMessage(t *testing.T) {
	text := noise(4, 1<<17)
	each(t, func(t *testing.T, h Hasher, a algorithm) {
		for _, n := range []int{2, 3, 5, 17, 64, 65, 100} {
			for _, long := range []int{200, 64 * 63, 64*64 + 55, 64 * 65, 100_000} {
				for _, place := range []int{0, 1, n / 2, n - 1} {
					messages := make([][]byte, n)
					for i := range messages {
						messages[i] = text[i : i+100+i%3]
					}
					messages[place] = text[7 : 7+long]
					a.verify(t, h, messages)
				}
			}
		}
	})
}

func TestRandomBatches(t *testing.T) {
	text := noise(5, 1<<17)
	total := *messagesFlag
	if testing.Short() {
		total = min(total, 10_000)
	}
	each(t, func(t *testing.T, h Hasher, a algorithm) {
		if h.kernel.Lanes(a.hash) == 0 {
			t.Skip("the judge is the library itself")
		}
		t.Parallel()
		r := rand.New(rand.NewPCG(5, uint64(a.hash)))
		for done := 0; done < total; {
			n := min(1+int(math.Exp2(r.Float64()*11)), total-done)
			longest := 3 + r.Float64()*5
			if r.IntN(50) == 0 {
				longest = 14
			}
			messages := make([][]byte, n)
			for i := range messages {
				size := int(math.Exp2(r.Float64() * longest))
				from := r.IntN(len(text) - size)
				messages[i] = text[from : from+size-r.IntN(2)]
			}
			a.verify(t, h, messages)
			done += n
		}
	})
}

// What a message had before goes into its length: all 64 bits of it, in every lane.
func TestLongMessages(t *testing.T) {
	text := noise(9, 256)
	each(t, func(t *testing.T, h Hasher, a algorithm) {
		k, lanes := h.kernel, h.kernel.Lanes(a.hash)
		for _, n := range []int{0, 10, 56, 64, 120} {
			var l kernel.Lanes
			for lane := range lanes {
				l.Begin(k, a.hash, lane, &text[lane], uint64(n), 0)
				l.Before[lane] = uint64(lane+1) << 27
			}
			if lanes == 0 {
				t.Skip("no lanes")
			}
			k.Advance(a.hash, &l, lanes, 0, blocksOf(text[:n]))
			for lane := range lanes {
				s := successors[a.hash].New().(*successor)
				var initial kernel.Lanes
				initial.Begin(k, a.hash, 0, nil, 0, 0)
				s.takeOver(k, a.hash, &initial, 0, uint64(lane+1)<<27)
				s.hash.Write(text[lane:][:n])
				got, want := make([]byte, 4*a.hash.Words()), make([]byte, 4*a.hash.Words())
				s.sum(want)
				l.Digest(k, a.hash, lane, got)
				if !bytes.Equal(got, want) {
					t.Fatalf("%d bytes after %d in lane %d: %x, want %x", n, uint64(lane+1)<<27, lane, got, want)
				}
			}
		}
	})
}

func TestNoMessages(t *testing.T) {
	each(t, func(t *testing.T, h Hasher, a algorithm) {
		if got := a.sum(h, nil); len(got) != 0 {
			t.Errorf("%d digests of nothing", len(got))
		}
		a.verify(t, h, make([][]byte, 100)) // nil slices
	})
}

func TestFewerDigestsThanMessages(t *testing.T) {
	defer func() {
		if got := recover(); got != "multibuffer: fewer digests than messages" {
			t.Errorf("panic %v", got)
		}
	}()
	SumMD5(make([][16]byte, 99), make([][]byte, 100))
}

// More digests than messages: the others stay as they are.
func TestMoreDigestsThanMessages(t *testing.T) {
	digests := make([][16]byte, 102)
	digests[100][3], digests[101][15] = 7, 9
	SumMD5(digests, make([][]byte, 100))
	if digests[100] != [16]byte{3: 7} || digests[101] != [16]byte{15: 9} {
		t.Error("digests beyond the messages were written")
	}
}

func TestNoAllocations(t *testing.T) {
	if race {
		t.Skip("the race detector lets the pool of successors forget")
	}
	text := noise(6, 1<<16)
	for _, shape := range []struct{ n, most int }{{1, 64}, {2, 5000}, {64, 1}, {64, 1000}, {100, 5000}, {3000, 300}} {
		t.Run(fmt.Sprintf("%d of %d", shape.n, shape.most), func(t *testing.T) {
			messages := make([][]byte, shape.n)
			for i := range messages {
				messages[i] = text[i : i+1+(i*7919)%shape.most]
			}
			md5s, sm3s := make([][16]byte, shape.n), make([][32]byte, shape.n)
			// A garbage collection may empty the pool of successors within a run.
			if n := testing.AllocsPerRun(20, func() { SumMD5(md5s, messages); SumSM3(sm3s, messages) }); n >= 1 {
				t.Errorf("%v allocations a call", n)
			}
		})
	}
}

func TestSortByBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	text := make([]byte, 1<<20)
	for _, n := range []int{1, 2, 24, 25, 1000, maxBatch} {
		messages := make([][]byte, n)
		for i := range messages {
			messages[i] = text[:int(math.Exp2(r.Float64()*20))]
		}
		order := make([]uint16, n)
		if n <= few {
			sortFew(order, messages)
		} else {
			sortByBlocks(order, messages)
		}
		seen := make([]bool, n)
		for i, m := range order {
			if seen[m] {
				t.Fatalf("message %d stands twice", m)
			}
			seen[m] = true
			if i > 0 {
				before, here := kernel.Blocks(uint64(len(messages[order[i-1]]))), kernel.Blocks(uint64(len(messages[m])))
				if float64(here) > 1.07*float64(before) {
					t.Fatalf("%d blocks after %d", here, before)
				}
			}
		}
	}
	last := uint16(0)
	for blocks := uint64(1); blocks < 1<<20; blocks++ {
		r := rankOf(blocks)
		if r < last || r >= ranks {
			t.Fatalf("rank %d of %d blocks after %d", r, blocks, last)
		}
		last = r
	}
	if r := rankOf(kernel.Blocks(math.MaxInt64)); r >= ranks {
		t.Fatalf("the longest message has rank %d", r)
	}
}
