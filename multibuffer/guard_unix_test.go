//go:build unix

package multibuffer

import (
	"bytes"
	"crypto/md5"
	"math/rand/v2"
	"runtime/debug"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/multibuffer"
)

// A guarded is memory between two pages that can't be touched.
type guarded struct{ all, inner []byte }

func newGuarded(t *testing.T, n int) guarded {
	t.Helper()
	page := unix.Getpagesize()
	size := (n + page - 1) &^ (page - 1)
	all, err := unix.Mmap(-1, 0, size+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Munmap(all) })
	for _, edge := range [][]byte{all[:page], all[page+size:]} {
		if err := unix.Mprotect(edge, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return guarded{all, all[page : page+size]}
}

// last and first are n bytes at the end and at the beginning.
func (g guarded) last(n int) []byte  { return g.inner[len(g.inner)-n:] }
func (g guarded) first(n int) []byte { return g.inner[:n:n] }

// Messages that end, and that begin, where memory ends: a load too wide is a fault. All lanes' messages
// and digests end there in turn.
func TestGuardPages(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const pages = 64
	from := make([]guarded, pages)
	for i := range from {
		from[i] = newGuarded(t, 4096)
		copy(from[i].inner, noise(uint64(30+i), len(from[i].inner)))
	}
	each(t, func(t *testing.T, h Hasher, a algorithm) {
		r := rand.New(rand.NewPCG(30, 30))
		for n := 0; n < 400; n += 1 + n/130*3 {
			for _, spread := range []int{0, 3, 100, 3600} {
				for _, place := range []func(guarded, int) []byte{guarded.last, guarded.first} {
					messages := make([][]byte, pages)
					for i := range messages {
						messages[i] = place(from[i], n+r.IntN(spread+1))
					}
					a.verify(t, h, messages)
				}
			}
		}
	})
}

// Lists and digests that end where memory ends.
func TestGuardPagesOfDigests(t *testing.T) {
	to := newGuarded(t, 4096)
	text := noise(31, 200)
	for _, name := range Implementations() {
		h, err := NewWith(name)
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= 70; n++ {
			messages := make([][]byte, n)
			for i := range messages {
				messages[i] = text[:100+i]
			}
			md5s := unsafe.Slice((*[16]byte)(unsafe.Pointer(&to.last(16 * n)[0])), n)
			h.SumMD5(md5s, messages)
			for i, m := range messages {
				if !bytes.Equal(md5s[i][:], algorithms[0].want(m)) {
					t.Fatalf("%s: digest %d of %d: wrong", name, i, n)
				}
			}
			sm3s := unsafe.Slice((*[32]byte)(unsafe.Pointer(&to.last(32 * n)[0])), n)
			h.SumSM3(sm3s, messages)
			for i, m := range messages {
				if !bytes.Equal(sm3s[i][:], algorithms[1].want(m)) {
					t.Fatalf("%s: digest %d of %d: wrong", name, i, n)
				}
			}
		}
	}
}

// Messages, keys and MACs that end, and begin, where memory ends.
func TestGuardPagesOfMACs(t *testing.T) {
	const pages = 40
	from := make([]guarded, pages)
	for i := range from {
		from[i] = newGuarded(t, 4096)
		copy(from[i].inner, noise(uint64(80+i), len(from[i].inner)))
	}
	to, key := newGuarded(t, 4096), newGuarded(t, 4096)
	copy(key.inner, noise(79, len(key.inner)))
	eachKeyed(t, func(t *testing.T, h Hasher, k keyed) {
		for n := 0; n < 200; n += 1 + n/130*7 {
			for _, place := range []func(guarded, int) []byte{guarded.last, guarded.first} {
				messages, secret := make([][]byte, 1+n%pages), place(key, n)
				for i := range messages {
					messages[i] = place(from[i], n+i%2)
				}
				macs := unsafe.Slice((*[32]byte)(unsafe.Pointer(&place(to, 32*len(messages))[0])), len(messages))
				k.one(h, secret).Sum(macs, messages)
				for i, m := range messages {
					if !bytes.Equal(macs[i][:], k.want(secret, m)) {
						t.Fatalf("MAC %d of %d, %d bytes: wrong", i, len(messages), len(m))
					}
				}
			}
		}
	})
}

// Where a message can't be read, no MAC of the batch is said to be valid.
func TestVerifyFaults(t *testing.T) {
	bad := newGuarded(t, 4096)
	if err := unix.Mprotect(bad.inner, unix.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	eachKeyed(t, func(t *testing.T, h Hasher, k keyed) {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		for _, n := range []int{1, 2, 40} {
			messages, macs, valid := make([][]byte, n), make([][]byte, n), make([]bool, n)
			for i := range messages {
				macs[i], valid[i] = k.want(nil, nil), true
			}
			messages[n-1] = bad.inner
			func() {
				defer func() {
					if recover() == nil {
						t.Error("no panic for a message that can't be read")
					}
				}()
				k.one(h, nil).Verify(valid, macs, messages)
			}()
			for i, v := range valid {
				if v {
					t.Errorf("MAC %d of %d is said to be valid", i, n)
				}
			}
		}
	})
}

// One message that can't be read is its own call's matter. The others of its batch neither wait for ever
// nor get a wrong digest.
func TestCoalescerFaults(t *testing.T) {
	bad := newGuarded(t, 2*gatherFrom)
	good := noise(32, gatherFrom)
	if err := unix.Mprotect(bad.inner, unix.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for f := kernel.MD5; f <= kernel.SHA1; f++ {
		for _, place := range []int{0, 3, gatherMost - 1} {
			var g gatherer
			var batch [gatherMost]*request
			for i := range batch {
				batch[i] = &request{message: good, done: make(chan struct{}, 1)}
			}
			batch[place].message = bad.inner
			g.waiting, g.n = batch, len(batch)
			g.mu.Lock()
			g.hash(f)
			for i, r := range batch {
				select {
				case <-r.done:
				default:
					t.Fatalf("call %d of %d waits for ever", i, len(batch))
				}
				if r.hashed {
					t.Errorf("call %d of %d was told that it has a digest", i, len(batch))
				}
			}
		}
	}
	if !assembly {
		return // nothing is gathered
	}
	var c Coalescer
	c.gatherers[kernel.MD5].trial.hold(true, time.Now())
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic for a message that can't be read")
			}
		}()
		c.SumMD5(bad.inner)
	}()
	if c.SumMD5(good) != md5.Sum(good) {
		t.Error("the next digest is wrong")
	}
}
