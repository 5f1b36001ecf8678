package aes

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"unsafe"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/aes"
	"github.com/cryptogauge/cryptogauge/internal/kernel/buffers"
)

// counts are numbers of messages around everything that lanes come in.
func counts() (ns []int) {
	for n := range 34 {
		ns = append(ns, n)
	}
	return append(ns, 63, 64, 65, 100)
}

// shapes are what lengths the messages of a call have: equal ones, and mixtures.
var shapes = []struct {
	name   string
	length func(r *rand.Rand, i int) int
}{
	{"16 B", func(*rand.Rand, int) int { return 16 }},
	{"64 B", func(*rand.Rand, int) int { return 64 }},
	{"80 B", func(*rand.Rand, int) int { return 80 }},
	{"272 B", func(*rand.Rand, int) int { return 272 }},
	{"up to 4 blocks", func(r *rand.Rand, _ int) int { return 16 * r.IntN(5) }},
	{"up to 40 blocks", func(r *rand.Rand, _ int) int { return 16 * r.IntN(41) }},
	{"one long", func(_ *rand.Rand, i int) int { return 16 + 16*((i+1)%7/6*100) }},
}

func kernelOf(t *testing.T, implementation string) kernel.Kernel {
	t.Helper()
	k, err := kernelNamed(implementation)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func anyKey(r *rand.Rand) []byte { return random(r, 16+8*r.IntN(3)) }

// A gcmSet is messages with what they seal to by the standard library.
type gcmSet struct {
	messages     []GCMMessage
	plain, wants [][]byte
}

// newGCMSet makes n messages, some under kept keys and some in place, of lengths that need not be whole blocks.
func newGCMSet(t *testing.T, r *rand.Rand, implementation string, n int, length func(*rand.Rand, int) int) (set gcmSet) {
	t.Helper()
	var kept []*Cipher
	var keys [][]byte
	for range 3 {
		keys = append(keys, anyKey(r))
		kept = append(kept, newTest(t, keys[len(keys)-1], implementation))
	}
	for i := range n {
		key := anyKey(r)
		m := GCMMessage{Key: key, Nonce: random(r, 12), AdditionalData: random(r, r.IntN(2)*r.IntN(90))}
		if r.IntN(4) == 0 {
			j := r.IntN(len(kept))
			key, m.Key, m.Cipher = keys[j], nil, kept[j]
		}
		size := max(0, length(r, i)-r.IntN(2)*r.IntN(16))
		plain := random(r, size)
		b, err := aes.NewCipher(key)
		if err != nil {
			t.Fatal(err)
		}
		m.Dst = append(random(r, size+BlockSize), 0xa5)
		if m.Src = bytes.Clone(plain); r.IntN(2) == 0 {
			copy(m.Dst, plain)
			m.Src = m.Dst[:size]
		}
		set.messages, set.plain = append(set.messages, m), append(set.plain, plain)
		set.wants = append(set.wants, newGCM(b).Seal(nil, m.Nonce, plain, m.AdditionalData))
	}
	return set
}

func TestSealMany(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(61, 61))
		k := kernelOf(t, implementation)
		for _, shape := range shapes {
			for _, n := range counts() {
				set := newGCMSet(t, r, implementation, n, shape.length)
				sealMany(set.messages, k)
				for i, m := range set.messages {
					if !bytes.Equal(m.Dst[:len(set.wants[i])], set.wants[i]) || m.Dst[len(set.wants[i])] != 0xa5 {
						t.Fatalf("%s: message %d of %d, %d bytes, key %d: wrong", shape.name, i, n, len(set.plain[i]), len(m.Key))
					}
				}
			}
		}
	})
}

// alikeSet makes n messages of one length under raw keys of one length, without additional data, each second one in
// place.
func alikeSet(t *testing.T, r *rand.Rand, n, key, size int) (set gcmSet) {
	t.Helper()
	for i := range n {
		plain := random(r, size)
		m := GCMMessage{Key: random(r, key), Nonce: random(r, 12), Dst: append(random(r, size+BlockSize), 0xa5), Src: bytes.Clone(plain)}
		if i%2 == 0 {
			copy(m.Dst, plain)
			m.Src = m.Dst[:size]
		}
		b, err := aes.NewCipher(m.Key)
		if err != nil {
			t.Fatal(err)
		}
		set.messages, set.plain = append(set.messages, m), append(set.plain, plain)
		set.wants = append(set.wants, newGCM(b).Seal(nil, m.Nonce, plain, nil))
	}
	return set
}

// Messages that are alike, of every length around those that are done whole, and one among them that isn't.
func TestManyAlike(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(73, 73))
		k := kernelOf(t, implementation)
		for size := range 70 {
			for _, n := range []int{1, 3, 4, 5, 8, 11, 12, 16, 31, 32, 33, 70} {
				set := alikeSet(t, r, n, 16+8*r.IntN(3), size)
				if other := r.IntN(2 * n); size%3 == 0 && other < n {
					odd := newGCMSet(t, r, implementation, 1, func(*rand.Rand, int) int { return size })
					set.messages[other], set.plain[other], set.wants[other] = odd.messages[0], odd.plain[0], odd.wants[0]
				}
				sealMany(set.messages, k)
				for i, m := range set.messages {
					if !bytes.Equal(m.Dst[:len(set.wants[i])], set.wants[i]) || m.Dst[len(set.wants[i])] != 0xa5 {
						t.Fatalf("message %d of %d, %d bytes, key %d: wrong", i, n, size, len(m.Key))
					}
				}
				openSet(t, r, set, k, false)
				for i := range set.messages {
					set.messages[i].Err = nil
				}
				openAlike(t, r, set, k)
			}
		}
	})
}

// A whole line and parts of lines side by side, stored across the end of a page at every place, by all lanes and by the
// few whose messages are longer.
func TestXORKeyStreamManyAcrossPages(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(75, 75))
		k := kernelOf(t, implementation)
		const page = 4096
		arena := make([]byte, 20*page)
		start := page - int(uintptr(unsafe.Pointer(&arena[0]))%page)
		for before := range 64 {
			messages, wants := make([]CTRMessage, 9), make([][]byte, 9)
			for i := range messages {
				at, n := start+(i+1)*page-before, 64-i%2*(1+r.IntN(60))
				if i < 4 {
					at, n = at-64, n+64
				}
				messages[i] = CTRMessage{Key: random(r, 16), IV: make([]byte, 16), Dst: arena[at : at+n], Src: random(r, n)}
				b, err := aes.NewCipher(messages[i].Key)
				if err != nil {
					t.Fatal(err)
				}
				wants[i] = make([]byte, n)
				cipher.NewCTR(b, messages[i].IV).XORKeyStream(wants[i], messages[i].Src)
			}
			xorMany(messages, k)
			for i, m := range messages {
				if !bytes.Equal(m.Dst, wants[i]) {
					t.Fatalf("message %d, %d bytes before a page's end: wrong", i, before)
				}
			}
		}
	})
}

// openAlike opens messages some of which are forged without a change of their lengths.
func openAlike(t *testing.T, r *rand.Rand, set gcmSet, k kernel.Kernel) {
	t.Helper()
	forged, before := make([]bool, len(set.messages)), make([][]byte, len(set.messages))
	for i := range set.messages {
		m := &set.messages[i]
		m.Src, m.Dst = bytes.Clone(set.wants[i]), random(r, len(set.plain[i])+1)
		if forged[i] = r.IntN(3) == 0; forged[i] {
			m.Src[r.IntN(len(m.Src))] ^= 1 << r.IntN(8)
		}
		if r.IntN(2) == 0 {
			m.Dst = m.Src
		}
		before[i] = bytes.Clone(m.Dst)
	}
	err := openMany(set.messages, k)
	if (err != nil) != slices.Contains(forged, true) {
		t.Fatalf("%d messages, forged %v: %v", len(set.messages), forged, err)
	}
	for i, m := range set.messages {
		n := len(set.plain[i])
		if forged[i] != (m.Err != nil) || forged[i] && !bytes.Equal(m.Dst, before[i]) ||
			!forged[i] && (!bytes.Equal(m.Dst[:n], set.plain[i]) || !bytes.Equal(m.Dst[n:], before[i][n:])) {
			t.Fatalf("message %d of %d, %d bytes, forged %v: wrong (%v)", i, len(set.messages), n, forged[i], m.Err)
		}
	}
}

// The kernels read messages where the compiler puts their fields.
func TestLayoutOfMessages(t *testing.T) {
	var m GCMMessage
	var k kernel.Message
	for name, o := range map[string][2]uintptr{
		"Key": {unsafe.Offsetof(m.Key), unsafe.Offsetof(k.Key)}, "Nonce": {unsafe.Offsetof(m.Nonce), unsafe.Offsetof(k.Nonce)},
		"AdditionalData": {unsafe.Offsetof(m.AdditionalData), unsafe.Offsetof(k.AdditionalData)},
		"Dst":            {unsafe.Offsetof(m.Dst), unsafe.Offsetof(k.Dst)}, "Src": {unsafe.Offsetof(m.Src), unsafe.Offsetof(k.Src)},
		"all": {unsafe.Sizeof(m), unsafe.Sizeof(k)},
	} {
		if o[0] != o[1] {
			t.Errorf("%s lies at %d, the kernels look at %d", name, o[0], o[1])
		}
	}
}

// What is forged keeps its Dst and has its Err, and no other message.
func TestOpenMany(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(62, 62))
		k := kernelOf(t, implementation)
		for _, shape := range shapes {
			for _, n := range counts() {
				for _, forge := range []bool{false, true} {
					set := newGCMSet(t, r, implementation, n, shape.length)
					openSet(t, r, set, k, forge)
				}
			}
		}
	})
}

func openSet(t *testing.T, r *rand.Rand, set gcmSet, k kernel.Kernel, forge bool) {
	t.Helper()
	forged, before := make([]bool, len(set.messages)), make([][]byte, len(set.messages))
	any := false
	for i := range set.messages {
		m := &set.messages[i]
		sealed := bytes.Clone(set.wants[i])
		if forge && r.IntN(3) == 0 {
			forged[i], any = true, true
			switch kind := r.IntN(4); {
			case kind == 0:
				sealed = sealed[:r.IntN(BlockSize)]
			case kind == 1 && len(m.AdditionalData) > 0:
				m.AdditionalData[r.IntN(len(m.AdditionalData))] ^= 1
			default:
				sealed[r.IntN(len(sealed))] ^= 1 << r.IntN(8)
			}
		}
		m.Dst, m.Src = random(r, len(set.plain[i])+1), sealed
		if r.IntN(2) == 0 {
			m.Dst = sealed
		}
		before[i], m.Err = bytes.Clone(m.Dst), errors.New("an old one")
	}
	err := openMany(set.messages, k)
	if (err != nil) != any || any && err.Error() != errOpen.Error() {
		t.Fatalf("%d messages, forged: %v: %v", len(set.messages), any, err)
	}
	for i, m := range set.messages {
		n := len(set.plain[i])
		switch {
		case forged[i] && (!errors.Is(m.Err, errOpen) || !bytes.Equal(m.Dst, before[i])):
			t.Fatalf("message %d of %d, %d bytes, is forged: %v, or Dst was written", i, len(set.messages), n, m.Err)
		case !forged[i] && (m.Err != nil || !bytes.Equal(m.Dst[:n], set.plain[i]) || !bytes.Equal(m.Dst[n:], before[i][n:])):
			t.Fatalf("message %d of %d, %d bytes: wrong (%v)", i, len(set.messages), n, m.Err)
		}
	}
}

func TestXORKeyStreamMany(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(63, 63))
		k := kernelOf(t, implementation)
		for _, shape := range shapes {
			for _, n := range counts() {
				set := newGCMSet(t, r, implementation, n, shape.length)
				messages, wants := make([]CTRMessage, n), make([][]byte, n)
				for i, m := range set.messages {
					iv := random(r, BlockSize)
					if r.IntN(4) == 0 { // wraps
						copy(iv[4:], bytes.Repeat([]byte{0xff}, 12))
						iv[15] -= byte(r.IntN(5))
					}
					dst := m.Dst[:len(m.Src)+1]
					messages[i] = CTRMessage{m.Cipher, m.Key, bytes.Clone(iv), dst, m.Src}
					c := m.Cipher
					if c == nil {
						c = newTest(t, m.Key, fallback)
					}
					wants[i] = append(make([]byte, len(m.Src)), dst[len(m.Src)])
					cipher.NewCTR(judge{c}, iv).XORKeyStream(wants[i], m.Src)
				}
				xorMany(messages, k)
				for i, m := range messages {
					if !bytes.Equal(m.Dst, wants[i]) {
						t.Fatalf("%s: message %d of %d, %d bytes: wrong", shape.name, i, n, len(m.Src))
					}
				}
			}
		}
	})
}

// judge hides everything of a cipher but its single blocks.
type judge struct{ b cipher.Block }

func (j judge) BlockSize() int          { return j.b.BlockSize() }
func (j judge) Encrypt(dst, src []byte) { j.b.Encrypt(dst, src) }
func (j judge) Decrypt(dst, src []byte) { j.b.Decrypt(dst, src) }

func TestNewCiphers(t *testing.T) {
	r := rand.New(rand.NewPCG(64, 64))
	for _, n := range counts() {
		keys, block := make([][]byte, n), random(r, BlockSize)
		for i := range keys {
			keys[i] = anyKey(r)
		}
		ciphers, err := NewCiphers(keys)
		if err != nil || len(ciphers) != n {
			t.Fatalf("%d keys: %d ciphers (%v)", n, len(ciphers), err)
		}
		for i, c := range ciphers {
			want, got := make([]byte, BlockSize), make([]byte, BlockSize)
			b, _ := aes.NewCipher(keys[i])
			b.Encrypt(want, block)
			if c.Encrypt(got, block); !bytes.Equal(got, want) {
				t.Fatalf("cipher %d of %d encrypts otherwise", i, n)
			}
			if c.Decrypt(got, got); !bytes.Equal(got, block) {
				t.Fatalf("cipher %d of %d does not come back", i, n)
			}
		}
	}
	for _, wrong := range []int{0, 15, 20, 33} {
		ciphers, err := NewCiphers([][]byte{make([]byte, 16), make([]byte, wrong), make([]byte, 1)})
		if ciphers != nil || fmt.Sprint(err) != fmt.Sprint(KeySizeError(wrong)) {
			t.Errorf("a key of %d bytes: %v, %v", wrong, ciphers, err)
		}
	}
}

// Misuse panics before a byte is written.
func TestManyPanics(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		k := kernelOf(t, implementation)
		c := newTest(t, make([]byte, 16), implementation)
		key, nonce, buf := make([]byte, 16), make([]byte, 12), make([]byte, 256)
		good := GCMMessage{Key: key, Nonce: nonce, Dst: buf[:80], Src: buf[:64]}
		const overlap, wrongNonce = "crypto/cipher: invalid buffer overlap", "crypto/cipher: incorrect nonce length given to GCM"
		for _, tt := range []struct {
			name, want string
			m          GCMMessage
		}{
			{"no key", "without a key", GCMMessage{Nonce: nonce, Dst: buf[128:], Src: buf[128:160]}},
			{"a zero cipher", "without a key", GCMMessage{Cipher: new(Cipher), Nonce: nonce, Dst: buf[128:], Src: buf[128:160]}},
			{"two keys", "with two keys", GCMMessage{Cipher: c, Key: key, Nonce: nonce, Dst: buf[128:], Src: buf[128:160]}},
			{"nonce", wrongNonce, GCMMessage{Key: key, Nonce: nonce[:11], Dst: buf[128:], Src: buf[128:160]}},
			{"short", "crypto/cipher: output smaller than input", GCMMessage{Key: key, Nonce: nonce, Dst: buf[128:143], Src: buf[128:160]}},
			{"itself", overlap, GCMMessage{Key: key, Nonce: nonce, Dst: buf[129:200], Src: buf[128:160]}},
			{"own nonce", overlap, GCMMessage{Key: key, Nonce: buf[130:142], Dst: buf[128:200], Src: buf[128:160]}},
			{"own key", overlap, GCMMessage{Key: buf[130:146], Nonce: nonce, Dst: buf[128:200], Src: buf[128:160]}},
			{"own data", overlap, GCMMessage{Key: key, Nonce: nonce, AdditionalData: buf[140:141], Dst: buf[128:200], Src: buf[128:160]}},
			{"another's output", overlap, GCMMessage{Key: key, Nonce: nonce, Dst: buf[60:128], Src: buf[200:232]}},
			{"another's input", overlap, GCMMessage{Key: key, Nonce: nonce, Dst: buf[128:200], Src: buf[40:72]}},
			{"another's nonce", overlap, GCMMessage{Key: key, Nonce: buf[30:42], Dst: buf[128:200], Src: buf[128:160]}},
			{"another's data", overlap, GCMMessage{Key: key, Nonce: nonce, AdditionalData: buf[:9], Dst: buf[128:200], Src: buf[128:160]}},
			{"another's key", overlap, GCMMessage{Key: buf[10:26], Nonce: nonce, Dst: buf[128:200], Src: buf[128:160]}},
		} {
			for _, order := range [][]GCMMessage{{good, tt.m}, {tt.m, good}} {
				want := tt.want
				if want == "without a key" || want == "with two keys" {
					want = "message " + want
				}
				mustPanic(t, tt.name, prefixed("aes.SealMany: ", want), func() { sealMany(order, k) })
				mustPanic(t, tt.name, prefixed("aes.OpenMany: ", want), func() { openMany(order, k) })
			}
		}
		for _, n := range []int{0, 15, 20, 33} {
			for name, misuse := range map[string]func(){
				"SealMany": func() { sealMany([]GCMMessage{good, {Key: buf[:n], Nonce: nonce, Dst: buf[200:]}}, k) },
				"OpenMany": func() { openMany([]GCMMessage{good, {Key: buf[:n], Nonce: nonce, Dst: buf[200:]}}, k) },
				"XOR":      func() { xorMany([]CTRMessage{{Key: buf[:n], IV: buf[:16]}}, k) },
				"CBC":      func() { encryptKeys([]CBCKeyStream{{buf[:n], buf[:16], nil, nil}}, k) },
			} {
				if got := caught(misuse); fmt.Sprint(got) != fmt.Sprint(KeySizeError(n)) {
					t.Errorf("%s, a key of %d bytes: %v", name, n, got)
				}
			}
		}
		if !bytes.Equal(buf, make([]byte, len(buf))) {
			t.Error("something was written before the panic")
		}
		// One key, one nonce and one text may serve many, and what lies behind a result isn't written.
		sealMany([]GCMMessage{{Key: key, Nonce: nonce, Dst: buf[:100], Src: nil}, {Key: key, Nonce: nonce, Dst: buf[16:48], Src: nil}}, k)
		if !bytes.Equal(buf[:16], buf[16:32]) || bytes.Equal(buf[:16], buf[32:48]) {
			t.Error("equal messages are sealed otherwise")
		}
	})
}

// prefixed is what is said of keys with the function's name before it.
func prefixed(function, want string) string {
	if want == "message without a key" || want == "message with two keys" {
		return function + want
	}
	return want
}

func TestXORKeyStreamManyPanics(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		k := kernelOf(t, implementation)
		key, iv, buf := make([]byte, 16), make([]byte, 16), make([]byte, 256)
		good := CTRMessage{Key: key, IV: iv, Dst: buf[:64], Src: buf[:64]}
		for _, tt := range []struct {
			name, want string
			m          CTRMessage
		}{
			{"no key", "aes.XORKeyStreamMany: message without a key", CTRMessage{IV: iv}},
			{"two keys", "aes.XORKeyStreamMany: message with two keys", CTRMessage{Cipher: newTest(t, key, implementation), Key: key, IV: iv}},
			{"IV", "aes.XORKeyStreamMany: IV length must equal block size", CTRMessage{Key: key, IV: iv[:12]}},
			{"short", "crypto/cipher: output smaller than input", CTRMessage{Key: key, IV: iv, Dst: buf[128:130], Src: buf[128:131]}},
			{"itself", buffers.Overlap, CTRMessage{Key: key, IV: iv, Dst: buf[129:150], Src: buf[128:140]}},
			{"own key", buffers.Overlap, CTRMessage{Key: buf[130:146], IV: iv, Dst: buf[128:160], Src: buf[128:160]}},
			{"another's output", buffers.Overlap, CTRMessage{Key: key, IV: iv, Dst: buf[63:80], Src: buf[128:129]}},
			{"another's input", buffers.Overlap, CTRMessage{Key: key, IV: iv, Dst: buf[128:160], Src: buf[63:70]}},
			{"another's IV", buffers.Overlap, CTRMessage{Key: key, IV: buf[50:66], Dst: buf[128:160], Src: buf[128:160]}},
			{"another's key", buffers.Overlap, CTRMessage{Key: buf[50:66], IV: iv, Dst: buf[128:160], Src: buf[128:160]}},
		} {
			mustPanic(t, tt.name, tt.want, func() { xorMany([]CTRMessage{good, tt.m}, k) })
			mustPanic(t, tt.name, tt.want, func() { xorMany([]CTRMessage{tt.m, good}, k) })
		}
		if !bytes.Equal(buf, make([]byte, len(buf))) {
			t.Error("something was written before the panic")
		}
	})
}

// Calls on many messages allocate nothing, whatever the lengths; the standard library makes objects for raw keys.
func TestNoAllocationsOfMany(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector empties pools")
	}
	for _, implementation := range Implementations() {
		if implementation == fallback {
			continue
		}
		r := rand.New(rand.NewPCG(65, 65))
		k := kernelOf(t, implementation)
		for _, n := range []int{1, 20, 100} {
			set := newGCMSet(t, r, implementation, n, func(_ *rand.Rand, i int) int { return 16 * (i * i * i % 1000) })
			ctr, raw, kept := make([]CTRMessage, n), make([]CBCKeyStream, n), make([]CBCStream, n)
			for i, m := range set.messages {
				set.messages[i].Src = bytes.Clone(set.plain[i])
				whole := len(set.plain[i]) &^ 15
				ctr[i] = CTRMessage{m.Cipher, m.Key, make([]byte, 16), m.Dst, set.plain[i]}
				raw[i] = CBCKeyStream{make([]byte, 16), make([]byte, 16), m.Dst[:whole], set.plain[i][:whole]}
				kept[i] = CBCStream{newTest(t, raw[i].Key, implementation), raw[i].IV, raw[i].Dst, raw[i].Src}
			}
			opened := make([]GCMMessage, n)
			for i, m := range set.messages {
				opened[i] = m
				opened[i].Dst, opened[i].Src = make([]byte, len(m.Src)), set.wants[i]
			}
			for name, f := range map[string]func(){
				"SealMany":         func() { sealMany(set.messages, k) },
				"OpenMany":         func() { openMany(opened, k) },
				"XORKeyStreamMany": func() { xorMany(ctr, k) },
				"EncryptCBC":       func() { EncryptCBC(kept) },
				"EncryptCBCKeys":   func() { encryptKeys(raw, k) },
			} {
				if got := testing.AllocsPerRun(5, f); got != 0 {
					t.Errorf("%s of %d messages: %v allocations", name, n, got)
				}
			}
		}
	}
}

// Ten thousand messages in one call are more than are sorted at once, and than the first call has room for.
func TestTenThousand(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(67, 67))
		k := kernelOf(t, implementation)
		set := newGCMSet(t, r, implementation, 10_000, func(r *rand.Rand, _ int) int { return r.IntN(100) })
		sealMany(set.messages, k)
		for i, m := range set.messages {
			if !bytes.Equal(m.Dst[:len(set.wants[i])], set.wants[i]) {
				t.Fatalf("message %d, %d bytes: wrong", i, len(set.plain[i]))
			}
		}
		openSet(t, r, set, k, true)
		streams, want := streamSet(t, r, implementation, 10_000, 3, func(r *rand.Rand, _ int) int { return 16 * r.IntN(5) })
		EncryptCBC(streams)
		for i, s := range streams {
			if !bytes.Equal(s.Dst, want[i]) {
				t.Fatalf("stream %d, %d bytes: wrong", i, len(s.Src))
			}
		}
	})
}

// Any number of goroutines may use one kept cipher in calls on many, from the first call on.
func TestManyConcurrent(t *testing.T) {
	everyImplementation(t, func(t *testing.T, implementation string) {
		r := rand.New(rand.NewPCG(68, 68))
		k := kernelOf(t, implementation)
		kept := newTest(t, anyKey(r), implementation)
		nonce, text := random(r, 12), random(r, 100)
		want := kept.aead().Seal(nil, nonce, text, nil)
		for range 20 {
			c := newTest(t, anyKey(r), implementation)
			own := newGCM(c).Seal(nil, nonce, text, nil)
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					messages := make([]GCMMessage, 40)
					for i := range messages {
						messages[i] = GCMMessage{Cipher: []*Cipher{c, kept}[i%2], Nonce: nonce, Dst: make([]byte, len(want)), Src: text}
					}
					sealMany(messages, k)
					for i, m := range messages {
						if !bytes.Equal(m.Dst, [][]byte{own, want}[i%2]) {
							t.Error("sealed otherwise beside other goroutines")
						}
					}
				})
			}
			wg.Wait()
		}
	})
}
