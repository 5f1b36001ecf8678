package sm4

import (
	"bytes"
	"crypto/cipher"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	gmsm "github.com/emmansun/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/sm4"
)

// keying says what keys the messages of a set have.
type keying int

const (
	rawKeys keying = iota
	oneCipher
	ownCiphers
	mixedKeys // raw ones, own ciphers and shared ones
	keyings
)

func testKernel(t testing.TB, implementation string) kernel.Kernel {
	t.Helper()
	k, err := kernelNamed(implementation)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// A manySet is messages for GCM and CTR and what must come out.
type manySet struct {
	gcm            []GCMMessage // to be sealed
	ctr            []CTRMessage
	sealed, stream [][]byte
}

// newManySet makes n messages with the lengths that size and additional give; every third is worked on in place.
func newManySet(t testing.TB, r *rand.Rand, implementation string, n int, how keying, size, additional func(i int) int) manySet {
	t.Helper()
	var s manySet
	sharedKey := random(r, KeySize)
	shared := newTest(t, sharedKey, implementation)
	for i := range n {
		key, raw, c := random(r, KeySize), []byte(nil), (*Cipher)(nil)
		switch {
		case how == rawKeys || how == mixedKeys && i%3 == 0:
			raw = key
		case how == oneCipher || how == mixedKeys && i%3 == 1:
			key, c = sharedKey, shared
		default:
			c = newTest(t, key, implementation)
		}
		b, err := gmsm.NewCipher(key)
		if err != nil {
			t.Fatal(err)
		}
		judged, err := cipher.NewGCM(judge{b})
		if err != nil {
			t.Fatal(err)
		}
		iv, text, more := random(r, BlockSize), random(r, size(i)), random(r, additional(i))
		sealed := judged.Seal(nil, iv[:12], text, more)
		stream := make([]byte, len(text))
		cipher.NewCTR(judge{b}, iv).XORKeyStream(stream, text)
		m := GCMMessage{Cipher: c, Key: raw, Nonce: iv[:12], AdditionalData: more, Dst: make([]byte, len(sealed)), Src: text}
		x := CTRMessage{Cipher: c, Key: raw, IV: iv, Dst: make([]byte, len(text)), Src: text}
		if i%3 == 2 {
			copy(m.Dst, text)
			copy(x.Dst, text)
			m.Src, x.Src = m.Dst[:len(text)], x.Dst
		}
		s.gcm, s.ctr = append(s.gcm, m), append(s.ctr, x)
		s.sealed, s.stream = append(s.sealed, sealed), append(s.stream, stream)
	}
	return s
}

// toOpen are the sealed messages with room for their texts, in place for every third, and the texts.
func (s manySet) toOpen() (messages []GCMMessage, texts [][]byte) {
	for i, m := range s.gcm {
		text := bytes.Clone(m.Src)
		m.Src = bytes.Clone(s.sealed[i])
		m.Dst = make([]byte, len(text))
		if i%3 == 2 {
			m.Dst = m.Src
		}
		messages, texts = append(messages, m), append(texts, text)
	}
	return messages, texts
}

// check seals, opens and XORs, and compares.
func (s manySet) check(t *testing.T, k kernel.Kernel) {
	t.Helper()
	opened, texts := s.toOpen()
	sealMany(s.gcm, k)
	for i, m := range s.gcm {
		if !bytes.Equal(m.Dst, s.sealed[i]) {
			t.Fatalf("message %d of %d, %d bytes and %d of additional data: sealed wrong", i, len(s.gcm), len(texts[i]), len(m.AdditionalData))
		}
	}
	if err := openMany(opened, k); err != nil {
		t.Fatal(err)
	}
	for i, m := range opened {
		if m.Err != nil || !bytes.Equal(m.Dst[:len(texts[i])], texts[i]) {
			t.Fatalf("message %d of %d, %d bytes and %d of additional data: opened wrong (%v)", i, len(opened), len(texts[i]), len(m.AdditionalData), m.Err)
		}
	}
	xorKeyStreamMany(s.ctr, k)
	for i, m := range s.ctr {
		if !bytes.Equal(m.Dst, s.stream[i]) {
			t.Fatalf("message %d of %d, %d bytes: the key stream is wrong", i, len(s.ctr), len(m.Dst))
		}
	}
}

// manyCounts are the numbers of messages around those that lanes take, and in short some of them.
func manyCounts() (counts []int) {
	if testing.Short() {
		return []int{0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 33, 65}
	}
	for n := range 34 {
		counts = append(counts, n)
	}
	return append(counts, 47, 48, 49, 63, 64, 65, 100)
}

func TestMany(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		k := testKernel(t, implementation)
		r := rand.New(rand.NewPCG(61, 61))
		for _, n := range manyCounts() {
			for how := range keyings {
				for _, most := range []int{0, 64, 300, 1500} {
					if most > 300 && (n > 33 || n%4 > 1 || !assembly) {
						continue
					}
					same := r.IntN(most + 1)
					newManySet(t, r, implementation, n, how, func(int) int { return r.IntN(most + 1) },
						func(int) int { return r.IntN(40) }).check(t, k)
					newManySet(t, r, implementation, n, how, func(int) int { return same }, func(int) int { return 0 }).check(t, k)
				}
			}
		}
	})
}

// Every length in every lane, beside others of the same and of other lengths.
func TestManyOfEveryLength(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		k := testKernel(t, implementation)
		r := rand.New(rand.NewPCG(62, 62))
		step := 1
		if testing.Short() || !assembly { // the kernels' model is slow
			step = 23
		}
		for n := 0; n < 300; n += step {
			newManySet(t, r, implementation, 16, keying(n%2)*ownCiphers, func(i int) int { return n }, func(i int) int { return n * i / 16 % 90 }).check(t, k)
			newManySet(t, r, implementation, 17, rawKeys, func(i int) int { return (n + 37*i) % 300 }, func(int) int { return n % 70 }).check(t, k)
		}
		for lane := range 16 {
			for _, n := range []int{0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1024, 2000} {
				newManySet(t, r, implementation, 16, rawKeys, func(i int) int {
					if i == lane {
						return n
					}
					return 128
				}, func(i int) int { return (i ^ lane) * 9 }).check(t, k)
			}
		}
	})
}

func TestManyThousands(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		k := testKernel(t, implementation)
		r := rand.New(rand.NewPCG(63, 63))
		count := 10_000
		if testing.Short() || !assembly {
			count = 500
		}
		newManySet(t, r, implementation, count, mixedKeys, func(i int) int { return r.IntN(1 << r.IntN(13)) },
			func(i int) int { return r.IntN(3) * r.IntN(30) }).check(t, k)
	})
}

// Long additional data and long messages among short ones, and counters that wrap.
func TestManyOutliers(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		k := testKernel(t, implementation)
		r := rand.New(rand.NewPCG(64, 64))
		for _, how := range []keying{rawKeys, ownCiphers} {
			for outliers := range 4 {
				s := newManySet(t, r, implementation, 20, how, func(i int) int {
					if i < outliers {
						return 70_000 + i
					}
					return 40 + i
				}, func(i int) int {
					if 19-i < outliers {
						return 9000 + i
					}
					return 13
				})
				s.check(t, k)
			}
			s := newManySet(t, r, implementation, 40, how, func(i int) int { return 400 + i }, func(i int) int { return 0 })
			for i := range s.ctr {
				m := &s.ctr[i]
				for j := range m.IV[16-i%17:] {
					m.IV[15-j] = 0xff
				}
				m.IV[15] -= byte(i % 3 * 5)
				b := cipher.Block(m.Cipher)
				if m.Cipher == nil {
					b, _ = gmsm.NewCipher(m.Key)
				}
				cipher.NewCTR(judge{b}, m.IV).XORKeyStream(s.stream[i], m.Src)
			}
			xorKeyStreamMany(s.ctr, k)
			for i, m := range s.ctr {
				if !bytes.Equal(m.Dst, s.stream[i]) {
					t.Fatalf("counter %x: wrong", m.IV)
				}
			}
		}
	})
}

// A message that isn't authentic is neither opened nor written, wherever it stands, and the others are.
func TestManyForgeries(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		k := testKernel(t, implementation)
		r := rand.New(rand.NewPCG(65, 65))
		for _, n := range []int{1, 2, 3, 5, 15, 16, 17, 33} {
			for bad := range n {
				for how := range keyings {
					if (testing.Short() || !assembly) && bad%5 > 0 {
						continue
					}
					s := newManySet(t, r, implementation, n, how, func(int) int { return r.IntN(200) }, func(int) int { return r.IntN(20) })
					checkForgeries(t, r, k, s, func(i int) bool { return i == bad })
				}
			}
		}
		for range 30 {
			s := newManySet(t, r, implementation, 40, mixedKeys, func(int) int { return r.IntN(2000) }, func(int) int { return r.IntN(20) })
			checkForgeries(t, r, k, s, func(i int) bool { return r.IntN(3) == 0 })
			same := r.IntN(500)
			s = newManySet(t, r, implementation, 40, rawKeys, func(int) int { return same }, func(int) int { return 0 })
			checkForgeries(t, r, k, s, func(i int) bool { return r.IntN(20) == 0 })
		}
	})
}

func checkForgeries(t *testing.T, r *rand.Rand, k kernel.Kernel, s manySet, forge func(i int) bool) {
	t.Helper()
	messages, texts := s.toOpen()
	before := make([][]byte, len(messages))
	forged := 0
	for i := range messages {
		m := &messages[i]
		if i%3 != 2 {
			copy(m.Dst, random(r, len(m.Dst)))
		}
		if forge(i) {
			forged++
			switch r.IntN(4) {
			case 0:
				m.Src = m.Src[:r.IntN(BlockSize)]
			case 1:
				m.Nonce = bytes.Clone(m.Nonce)
				m.Nonce[r.IntN(12)] ^= 1
			default:
				m.Src[r.IntN(len(m.Src))] ^= 1 << r.IntN(8)
			}
			before[i] = bytes.Clone(m.Dst)
		}
	}
	if err := openMany(messages, k); (err != nil) != (forged > 0) {
		t.Fatalf("%d messages of %d are forged: %v", forged, len(messages), err)
	}
	for i, m := range messages {
		switch {
		case before[i] != nil && (!errors.Is(m.Err, errOpen) || !bytes.Equal(m.Dst, before[i])):
			t.Fatalf("message %d of %d was opened or written: %v", i, len(messages), m.Err)
		case before[i] == nil && (m.Err != nil || !bytes.Equal(m.Dst[:len(texts[i])], texts[i])):
			t.Fatalf("message %d of %d beside a forgery: wrong (%v)", i, len(messages), m.Err)
		}
	}
}

// Every bit of every tag counts.
func TestManyTags(t *testing.T) {
	r := rand.New(rand.NewPCG(66, 66))
	s := newManySet(t, r, Implementations()[0], 128, rawKeys, func(int) int { return 20 }, func(int) int { return 0 })
	messages, _ := s.toOpen()
	for i := range messages {
		messages[i].Src[20+i/8] ^= 1 << (i % 8)
	}
	if err := OpenMany(messages); err == nil {
		t.Error("nothing is authentic, and no error")
	}
	for i, m := range messages {
		if m.Err == nil {
			t.Errorf("bit %d of the tag does not count", i)
		}
	}
}

func TestNewCiphers(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(67, 67))
		for _, n := range append(manyCounts(), 1000) {
			keys := make([][]byte, n)
			for i := range keys {
				keys[i] = random(r, KeySize)
			}
			ciphers, err := newCiphers(keys, testKernel(t, implementation))
			if err != nil || len(ciphers) != n {
				t.Fatalf("%d ciphers of %d keys: %v", len(ciphers), n, err)
			}
			for i, c := range ciphers {
				sameCipher(t, c, newTest(t, keys[i], implementation))
			}
		}
	})
	if _, err := NewCiphers([][]byte{make([]byte, 16), make([]byte, 15)}); !errors.Is(err, KeySizeError(15)) {
		t.Errorf("a key of 15 bytes: %v", err)
	}
}

// sameCipher compares what ciphers do: single blocks both ways, streams and GCM.
func sameCipher(t *testing.T, got, want *Cipher) {
	t.Helper()
	src, iv := []byte("sixteen is eight twice, and here are more bytes.")[:48], make([]byte, BlockSize)
	results := func(c *Cipher) (all []byte) {
		buf := make([]byte, len(src))
		c.EncryptBlocks(buf, src)
		all = append(all, buf...)
		c.DecryptBlocks(buf, src)
		all = append(all, buf...)
		cipher.NewCBCEncrypter(c, iv).CryptBlocks(buf, src)
		all = append(all, buf...)
		a, err := c.NewGCM(12, 16)
		if err != nil {
			t.Fatal(err)
		}
		streams := make([]CBCStream, 64)
		for i := range streams {
			streams[i] = CBCStream{c, iv, make([]byte, len(src)), src}
		}
		EncryptCBC(streams)
		for _, s := range streams {
			all = append(all, s.Dst...)
		}
		return a.Seal(all, iv[:12], src, nil)
	}
	if !bytes.Equal(results(got), results(want)) {
		t.Fatal("a cipher made among others is not the one made alone")
	}
}

func TestEncryptCBCKeys(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		k := testKernel(t, implementation)
		r := rand.New(rand.NewPCG(68, 68))
		for _, n := range append(manyCounts(), 255, 256, 257, 600) {
			sizes := []func() int{func() int { return r.IntN(2) }, func() int { return r.IntN(6) }, func() int { return r.IntN(41) },
				func() int { return 1 }, func() int { return kernel.MaxSteps + 3 }}
			for _, size := range sizes {
				var streams []CBCKeyStream
				var want [][]byte
				for i := range n {
					s := CBCKeyStream{Key: random(r, KeySize), IV: random(r, BlockSize), Src: random(r, BlockSize*size())}
					b, _ := gmsm.NewCipher(s.Key)
					result := make([]byte, len(s.Src))
					cipher.NewCBCEncrypter(judge{b}, s.IV).CryptBlocks(result, s.Src)
					if s.Dst = s.Src; i%2 == 0 {
						s.Dst = make([]byte, len(s.Src))
					}
					streams, want = append(streams, s), append(want, result)
				}
				encryptCBCKeys(streams, k)
				for i, s := range streams {
					if !bytes.Equal(s.Dst, want[i]) {
						t.Fatalf("stream %d of %d, %d bytes: wrong", i, n, len(s.Src))
					}
				}
			}
		}
	})
}

// Streams of one batch have their keys where those of the batch before had theirs.
func TestEncryptCBCKeysOfBatches(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(74, 74))
		streams := make([]CBCKeyStream, 2*maxBatch)
		for i := range streams {
			streams[i] = CBCKeyStream{Key: random(r, KeySize), IV: random(r, BlockSize)}
			if i%maxBatch < 4 {
				streams[i].Src, streams[i].Dst = random(r, 64), make([]byte, 64)
			}
		}
		encryptCBCKeys(streams, testKernel(t, implementation))
		for i, s := range streams {
			b, _ := gmsm.NewCipher(s.Key)
			want := make([]byte, len(s.Src))
			cipher.NewCBCEncrypter(judge{b}, s.IV).CryptBlocks(want, s.Src)
			if !bytes.Equal(s.Dst, want) {
				t.Fatalf("stream %d: wrong", i)
			}
		}
	})
}

func TestManyIsMisused(t *testing.T) {
	c, key := newTest(t, make([]byte, KeySize), Implementations()[0]), make([]byte, KeySize)
	buf, iv := make([]byte, 400), make([]byte, BlockSize)
	one := GCMMessage{Key: key, Nonce: iv[:12], Dst: buf[:80], Src: buf[:64]}
	with := func(change func(m *GCMMessage)) []GCMMessage {
		m := GCMMessage{Key: key, Nonce: iv[:12], Dst: buf[100:180], Src: buf[200:264]}
		change(&m)
		return []GCMMessage{one, m, {Cipher: c, Nonce: iv[:12], Dst: buf[300:316]}}
	}
	for _, tt := range []struct {
		name, want string
		change     func(m *GCMMessage)
	}{
		{"no key", "sm4.SealMany: message without a key", func(m *GCMMessage) { m.Key = nil }},
		{"zero cipher", "sm4.SealMany: message without a key", func(m *GCMMessage) { m.Key, m.Cipher = nil, new(Cipher) }},
		{"two keys", "sm4.SealMany: message with two keys", func(m *GCMMessage) { m.Cipher = c }},
		{"nonce", "crypto/cipher: incorrect nonce length given to GCM", func(m *GCMMessage) { m.Nonce = iv }},
		{"short output", "crypto/cipher: output smaller than input", func(m *GCMMessage) { m.Dst = m.Dst[:79] }},
		{"own input", buffers.Overlap, func(m *GCMMessage) { m.Src = buf[101:165] }},
		{"own nonce", buffers.Overlap, func(m *GCMMessage) { m.Nonce = buf[170:182] }},
		{"own additional data", buffers.Overlap, func(m *GCMMessage) { m.AdditionalData = buf[179:185] }},
		{"own key", buffers.Overlap, func(m *GCMMessage) { m.Key = buf[90:106] }},
		{"another's output", buffers.Overlap, func(m *GCMMessage) { m.Dst = buf[79:159] }},
		{"another's tag", buffers.Overlap, func(m *GCMMessage) { m.Src = buf[76:140] }},
		{"another's nonce", buffers.Overlap, func(m *GCMMessage) { m.Nonce = buf[70:82] }},
		{"another's output as additional data", buffers.Overlap, func(m *GCMMessage) { m.AdditionalData = buf[315:316] }},
		{"another's output as key", buffers.Overlap, func(m *GCMMessage) { m.Key = buf[304:320] }},
	} {
		before := bytes.Clone(buf)
		mustPanic(t, tt.name, tt.want, func() { SealMany(with(tt.change)) })
		if !bytes.Equal(buf, before) {
			t.Errorf("%s: written before the panic", tt.name)
		}
	}
	func() {
		defer func() {
			if got := recover(); got != KeySizeError(15) {
				t.Errorf("a key of 15 bytes: panic %v", got)
			}
		}()
		SealMany(with(func(m *GCMMessage) { m.Key = key[:15] }))
	}()
	mustPanic(t, "open", "sm4.OpenMany: message without a key", func() { OpenMany(with(func(m *GCMMessage) { m.Key = nil })) })
	mustPanic(t, "open", "crypto/cipher: output smaller than input", func() { OpenMany(with(func(m *GCMMessage) { m.Dst = m.Dst[:47] })) })
	mustPanic(t, "ctr", "sm4.XORKeyStreamMany: message without a key", func() { XORKeyStreamMany(make([]CTRMessage, 1)) })
	mustPanic(t, "ctr", "sm4.XORKeyStreamMany: IV length must equal block size", func() { XORKeyStreamMany([]CTRMessage{{Key: key, IV: iv[:12]}}) })
	mustPanic(t, "ctr", buffers.Overlap, func() { XORKeyStreamMany([]CTRMessage{{Key: key, IV: iv, Dst: buf[1:40], Src: buf[:39]}}) })
	mustPanic(t, "cbc", "sm4.EncryptCBCKeys: IV length must equal block size", func() { EncryptCBCKeys([]CBCKeyStream{{Key: key}}) })
	mustPanic(t, "cbc", buffers.Overlap, func() { EncryptCBCKeys([]CBCKeyStream{{Key: buf[40:56], IV: iv, Dst: buf[:64], Src: buf[64:128]}}) })
}

// Outputs lie between bytes that are nobody's, in any order.
func TestManyLeavesNeighboursAlone(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		k := testKernel(t, implementation)
		r := rand.New(rand.NewPCG(69, 69))
		const n = 50
		s := newManySet(t, r, implementation, n, mixedKeys, func(int) int { return r.IntN(150) }, func(int) int { return r.IntN(3) })
		arena := random(r, 200*n)
		places := r.Perm(n)
		for i := range s.gcm {
			m := &s.gcm[i]
			m.Src = bytes.Clone(m.Src)
			m.Dst = arena[200*places[i]:][:166]
		}
		want := bytes.Clone(arena)
		for i := range s.gcm {
			copy(want[200*places[i]:], s.sealed[i])
		}
		sealMany(s.gcm, k)
		if !bytes.Equal(arena, want) {
			t.Fatal("a result or the bytes between are wrong")
		}
	})
}

func TestManyAllocations(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		if implementation == fallback {
			t.Skip("gmsm makes objects of its own")
		}
		if race || !assembly {
			t.Skip("pools forget at random under the race detector, and the kernels' model allocates")
		}
		k := testKernel(t, implementation)
		r := rand.New(rand.NewPCG(70, 70))
		s := newManySet(t, r, implementation, 300, mixedKeys, func(int) int { return r.IntN(2000) }, func(int) int { return r.IntN(30) })
		opened, _ := s.toOpen()
		for i := range opened {
			opened[i].Dst = make([]byte, len(opened[i].Src)) // to be opened again
		}
		keyed := make([]CBCKeyStream, 300)
		for i := range keyed {
			keyed[i] = CBCKeyStream{Key: s.ctr[i].IV, IV: s.ctr[i].IV, Dst: make([]byte, 48), Src: make([]byte, 48)}
		}
		if got := testing.AllocsPerRun(10, func() {
			sealMany(s.gcm, k)
			if err := openMany(opened, k); err != nil {
				t.Fatal(err)
			}
			xorKeyStreamMany(s.ctr, k)
			encryptCBCKeys(keyed, k)
		}); got > 20 {
			t.Errorf("%v allocations for 300 messages", got)
		}
	})
}

// One set of ciphers, keys and texts for many goroutines.
func TestManyConcurrently(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		k := testKernel(t, implementation)
		r := rand.New(rand.NewPCG(71, 71))
		s := newManySet(t, r, implementation, 60, mixedKeys, func(i int) int { return 10 * i }, func(int) int { return 5 })
		for i := range s.gcm {
			s.gcm[i].Src = bytes.Clone(s.gcm[i].Src)
		}
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				own := slices.Clone(s.gcm)
				for range 20 {
					for i := range own {
						own[i].Dst = make([]byte, len(s.sealed[i]))
					}
					sealMany(own, k)
					for i, m := range own {
						if !bytes.Equal(m.Dst, s.sealed[i]) {
							t.Errorf("message %d: wrong", i)
							return
						}
					}
				}
			})
		}
		wg.Wait()
	})
}
