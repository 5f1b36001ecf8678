package multibuffer

import (
	"bytes"
	"crypto/fips140"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/emmansun/gmsm/sm3"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/multibuffer"
)

// A keyed is HMAC with one hash, and the library's, which judges it.
type keyed struct {
	name string
	hash kernel.Hash
	new  func() hash.Hash
	one  func(h Hasher, key []byte) *HMAC
	many func(h Hasher, keys [][]byte) []HMAC
}

var keyeds = []keyed{
	{"HMAC-SHA-256", kernel.SHA256, sha256.New, Hasher.NewHMACSHA256, Hasher.NewHMACsSHA256},
	{"HMAC-SM3", kernel.SM3, sm3.New, Hasher.NewHMACSM3, Hasher.NewHMACsSM3},
}

func (k keyed) want(key, message []byte) []byte {
	h := hmac.New(k.new, key)
	h.Write(message)
	return h.Sum(nil)
}

// eachKeyed runs a test for each implementation of this machine and each hash.
func eachKeyed(t *testing.T, f func(t *testing.T, h Hasher, k keyed)) {
	for _, name := range Implementations() {
		h, err := NewWith(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range keyeds {
			t.Run(name+"/"+k.name, func(t *testing.T) { f(t, h, k) })
		}
	}
}

// verify holds the MACs of messages under one key, and under a key for each, against the library's.
func (k keyed) verify(t *testing.T, h Hasher, keys, messages [][]byte) {
	t.Helper()
	made := k.many(h, keys)
	ready := make([]*HMAC, len(messages))
	for i := range ready {
		ready[i] = &made[i%len(made)]
	}
	macs := make([][32]byte, len(messages))
	SumHMAC(macs, ready, messages)
	for i, got := range macs {
		if want := k.want(keys[i%len(keys)], messages[i]); !bytes.Equal(got[:], want) {
			t.Fatalf("message %d of %d, %d bytes, key %d of %d: %x, want %x",
				i, len(messages), len(messages[i]), i%len(keys), len(keys), got, want)
		}
	}
	made[0].Sum(macs, messages)
	for i, got := range macs {
		if want := k.want(keys[0], messages[i]); !bytes.Equal(got[:], want) {
			t.Fatalf("message %d of %d, %d bytes: %x, want %x", i, len(messages), len(messages[i]), got, want)
		}
	}
}

// RFC 4231, sections 4.2 to 4.8; of the fifth case the first 16 bytes are given.
func TestHMACVectors(t *testing.T) {
	repeat := func(b byte, n int) string { return strings.Repeat(string([]byte{b}), n) }
	counting, _ := hex.DecodeString("0102030405060708090a0b0c0d0e0f10111213141516171819")
	long := "This is a test using a larger than block-size key and a larger than block-size data. " +
		"The key needs to be hashed before being used by the HMAC algorithm."
	for _, name := range Implementations() {
		h, err := NewWith(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range []struct{ key, data, mac string }{
			{repeat(0x0b, 20), "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
			{"Jefe", "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
			{repeat(0xaa, 20), repeat(0xdd, 50), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
			{string(counting), repeat(0xcd, 50), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"},
			{repeat(0x0c, 20), "Test With Truncation", "a3b6167473100ee06e0c796c2955552b"},
			{strings.Repeat("\xaa", 131), "Test Using Larger Than Block-Size Key - Hash Key First",
				"60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
			{strings.Repeat("\xaa", 131), long, "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"},
		} {
			for _, n := range []int{1, 5, 40} {
				messages, macs := make([][]byte, n), make([][32]byte, n)
				for i := range messages {
					messages[i] = []byte(v.data)
				}
				h.NewHMACSHA256([]byte(v.key)).Sum(macs, messages)
				for _, got := range macs {
					if !strings.HasPrefix(hex.EncodeToString(got[:]), v.mac) {
						t.Errorf("%s, case %d, %d of it: %x, want %s", name, i+1, n, got, v.mac)
					}
				}
			}
		}
	}
}

// Keys and messages of every length to four blocks, in every lane, beside others.
func TestHMACEveryLength(t *testing.T) {
	text := noise(70, 4096)
	eachKeyed(t, func(t *testing.T, h Hasher, k keyed) {
		lanes := max(h.kernel.Lanes(k.hash), 1)
		for n := range 260 {
			for _, step := range []int{0, 1} {
				keys, messages := make([][]byte, lanes), make([][]byte, lanes)
				for i := range keys {
					keys[i] = text[i:][:(n+i)%260]
					messages[i] = text[i:][:(n+i*step)%260]
				}
				k.verify(t, h, keys, messages)
			}
		}
	})
}

// Every number of messages, and of keys, around every boundary of lanes and batches.
func TestHMACEveryCount(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	counts := []int{maxBatch + 1, maxBatch + 70, 2*maxBatch + 3}
	for n := 1; n < 140; n++ {
		counts = append(counts, n)
	}
	text := noise(71, 1<<16)
	eachKeyed(t, func(t *testing.T, h Hasher, k keyed) {
		r := rand.New(rand.NewPCG(71, 71))
		for _, n := range counts {
			for _, most := range []int{0, 70, 700} {
				keys, messages := make([][]byte, n), make([][]byte, n)
				for i := range messages {
					size := 64
					if most > 0 {
						size = r.IntN(most)
					}
					messages[i] = text[r.IntN(len(text)-size):][:size]
					keys[i] = text[r.IntN(len(text)-64):][:r.IntN(64)]
				}
				k.verify(t, h, keys, messages)
			}
		}
	})
}

func TestHMACRandomBatches(t *testing.T) {
	text := noise(72, 1<<17)
	total := min(*messagesFlag, 100_000)
	if testing.Short() {
		total = min(total, 5000)
	}
	eachKeyed(t, func(t *testing.T, h Hasher, k keyed) {
		t.Parallel()
		r := rand.New(rand.NewPCG(72, uint64(k.hash)))
		for done := 0; done < total; {
			n := 1 + int(math.Exp2(r.Float64()*11))
			longest := 3 + r.Float64()*6
			if r.IntN(40) == 0 {
				longest = 15
			}
			keys, messages := make([][]byte, 1+r.IntN(n)), make([][]byte, n)
			for i := range keys {
				keys[i] = text[r.IntN(len(text)-200):][:r.IntN(200)]
			}
			for i := range messages {
				size := int(math.Exp2(r.Float64() * longest))
				messages[i] = text[r.IntN(len(text)-size):][:size-r.IntN(2)]
			}
			k.verify(t, h, keys, messages)
			done += n
		}
	})
}

// A MAC with any bit changed, too short or too long isn't valid, and no other message suffers by it.
func TestVerify(t *testing.T) {
	text := noise(73, 4096)
	eachKeyed(t, func(t *testing.T, h Hasher, k keyed) {
		key := []byte("a key of this test")
		for _, n := range []int{1, 2, 3, 32, 33, verifyMost, verifyMost + 1, 2*verifyMost + 5} {
			messages, macs := make([][]byte, n), make([][]byte, n)
			bad := func(i int) bool { return i%3 == n%3 }
			ready, valid := make([]*HMAC, n), make([]bool, n+1)
			for i := range messages {
				messages[i] = text[i:][:64+i%3]
				macs[i] = k.want(key, messages[i])
				switch i / 3 % 4 {
				case 0, 1:
					if bad(i) {
						macs[i][i%32] ^= 1 << (i % 8)
					}
				case 2:
					if bad(i) {
						macs[i] = macs[i][:i%32]
					}
				case 3:
					if bad(i) {
						macs[i] = append(macs[i], 0)
					}
				}
				ready[i] = k.one(h, key)
			}
			for name, verify := range map[string]func(){
				"one key":  func() { ready[0].Verify(valid, macs, messages) },
				"each key": func() { VerifyHMAC(valid, ready, macs, messages) },
			} {
				for i := range valid {
					valid[i] = true
				}
				verify()
				for i := range messages {
					if valid[i] == bad(i) {
						t.Fatalf("%s, MAC %d of %d: valid is %v", name, i, n, valid[i])
					}
				}
				if !valid[n] {
					t.Fatal("what is beyond the messages was written")
				}
			}
		}
	})
}

// The same key in another's place is another's MAC: no lane has a neighbour's key.
func TestKeysOfLanes(t *testing.T) {
	message := []byte("the same for all")
	eachKeyed(t, func(t *testing.T, h Hasher, k keyed) {
		for _, n := range []int{2, 16, 32, 64, 100} {
			keys, messages := make([][]byte, n), make([][]byte, n)
			for i := range keys {
				keys[i], messages[i] = fmt.Appendf(nil, "key %d", i), message
			}
			k.verify(t, h, keys, messages)
		}
	})
}

func TestHMACPanics(t *testing.T) {
	sha, other := NewHMACSHA256(nil), NewHMACSM3(nil)
	serially := Hasher{}.NewHMACSHA256(nil)
	two := [][]byte{nil, nil}
	for _, c := range []struct {
		want string
		call func()
	}{
		{"fewer digests than messages", func() { sha.Sum(make([][32]byte, 1), two) }},
		{"not as many keys as messages", func() { SumHMAC(make([][32]byte, 2), []*HMAC{sha}, two) }},
		{"not as many keys as messages", func() { VerifyHMAC(make([]bool, 2), []*HMAC{sha, sha, sha}, two, two) }},
		{"keys of different hashes", func() { SumHMAC(make([][32]byte, 2), []*HMAC{sha, other}, two) }},
		{"an HMAC that none of", func() { new(HMAC).Sum(nil, nil) }},
		{"an HMAC that none of", func() { SumHMAC(make([][32]byte, 2), []*HMAC{sha, {}}, two) }},
		{"fewer MACs", func() { sha.Verify(make([]bool, 2), two[:1], two) }},
		{"less room", func() { sha.Verify(make([]bool, 1), two, two) }},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, c.want) {
					t.Errorf("panic %q, want %q", got, c.want)
				}
			}()
			c.call()
		}()
	}
	if Implementations()[0] != serial {
		defer func() {
			if recover() == nil {
				t.Error("keys of different implementations were taken together")
			}
		}()
		SumHMAC(make([][32]byte, 2), []*HMAC{sha, serially}, two)
	}
}

// Nothing at all is fine.
func TestHMACOfNothing(t *testing.T) {
	SumHMAC(nil, nil, nil)
	VerifyHMAC(nil, nil, nil, nil)
	NewHMACSM3(nil).Sum(nil, nil)
	NewHMACSM3(nil).Verify(nil, nil, nil)
	if len(NewHMACsSM3(nil)) != 0 {
		t.Error("keys out of none")
	}
}

// A library whose state can't be set does the whole work.
func TestHMACByAnUnknownLibrary(t *testing.T) {
	text := noise(74, 1<<16)
	eachKeyed(t, func(t *testing.T, h Hasher, k keyed) {
		made := successors[k.hash].New
		defer func() { successors[k.hash] = sync.Pool{New: made} }()
		successors[k.hash] = sync.Pool{New: func() any {
			s := made().(*successor)
			s.able = false
			return s
		}}
		for _, n := range []int{1, 2, 5, 40} {
			keys, messages := make([][]byte, 1+n/3), make([][]byte, n)
			for i := range keys {
				keys[i] = text[i:][:30*i]
			}
			for i := range messages {
				messages[i] = text[i:][:i*i*i%5000]
			}
			k.verify(t, h, keys, messages)
		}
	})
}

// Goroutines share a key.
func TestHMACConcurrently(t *testing.T) {
	text := noise(75, 1<<14)
	eachKeyed(t, func(t *testing.T, h Hasher, k keyed) {
		key := text[:40]
		m := k.one(h, key)
		var all sync.WaitGroup
		for g := range 8 {
			all.Go(func() {
				for n := 1; n < 60; n += 7 {
					messages, macs := make([][]byte, n), make([][32]byte, n)
					for i := range messages {
						messages[i] = text[g*100+i:][:50+i%20*g]
					}
					m.Sum(macs, messages)
					for i, got := range macs {
						if !bytes.Equal(got[:], k.want(key, messages[i])) {
							t.Errorf("goroutine %d, message %d of %d: wrong", g, i, n)
						}
					}
				}
			})
		}
		all.Wait()
	})
}

func TestHMACNoAllocations(t *testing.T) {
	if race {
		t.Skip("the race detector lets the pool of successors forget")
	}
	text := noise(76, 1<<16)
	eachKeyed(t, func(t *testing.T, h Hasher, k keyed) {
		m := k.one(h, text[:32])
		for _, shape := range []struct{ n, most int }{{1, 64}, {2, 5000}, {64, 1}, {64, 1000}, {300, 300}} {
			messages, macs, sums := make([][]byte, shape.n), make([][32]byte, shape.n), make([][]byte, shape.n)
			ready, valid := make([]*HMAC, shape.n), make([]bool, shape.n)
			for i := range messages {
				messages[i], ready[i], sums[i] = text[i:i+1+(i*7919)%shape.most], m, macs[i][:]
			}
			// A garbage collection may empty the pool of successors within a run.
			n := testing.AllocsPerRun(20, func() {
				m.Sum(macs, messages)
				SumHMAC(macs, ready, messages)
				m.Verify(valid, sums, messages)
				VerifyHMAC(valid, ready, sums, messages)
			})
			if n >= 1 {
				t.Errorf("%d messages: %v allocations a call", shape.n, n)
			}
		}
		if n := testing.AllocsPerRun(20, func() { k.one(h, text[:100]) }); n > 3 {
			t.Errorf("%v allocations a key", n)
		}
	})
}

// What crypto/hmac refuses under FIPS 140 is refused here in its way; the rest is done by the libraries.
func TestHMACUnderFIPS140(t *testing.T) {
	if !assembly {
		t.Skip("with the build tag purego there is no such mode")
	}
	if !fips140.Enforced() {
		again := exec.Command(os.Args[0], "-test.run=^TestHMACUnderFIPS140$", "-test.v")
		again.Env = append(os.Environ(), "GODEBUG=fips140=only")
		out, err := again.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS") {
			t.Errorf("with GODEBUG=fips140=only: %v\n%s", err, out)
		}
		return
	}
	for what, call := range map[string]func(){
		"use of keys shorter than 112 bits": func() { NewHMACSHA256(make([]byte, 13)) },
		"use of hash functions other than":  func() { NewHMACSM3(make([]byte, 32)) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, what) {
					t.Errorf("panic %q, want %q", got, what)
				}
			}()
			call()
		}()
	}
	key, messages, macs := make([]byte, 14), make([][]byte, 40), make([][32]byte, 40)
	NewHMACSHA256(key).Sum(macs, messages)
	if want := keyeds[0].want(key, nil); !bytes.Equal(macs[39][:], want) {
		t.Errorf("%x, want %x", macs[39], want)
	}
}

// Every bit of a MAC counts.
func TestVerifyLooksAtEveryBit(t *testing.T) {
	eachKeyed(t, func(t *testing.T, h Hasher, k keyed) {
		m, message := k.one(h, []byte("key")), []byte("message")
		messages, macs, valid := make([][]byte, 8*macSize), make([][]byte, 8*macSize), make([]bool, 8*macSize)
		for i := range macs {
			messages[i], macs[i] = message, k.want([]byte("key"), message)
			macs[i][i/8] ^= 1 << (i % 8)
		}
		m.Verify(valid, macs, messages)
		for i, v := range valid {
			if v {
				t.Errorf("bit %d of byte %d is not looked at", i%8, i/8)
			}
		}
	})
}
