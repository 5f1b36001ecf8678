package main

import (
	"crypto/cipher"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/library"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/worker"
	"github.com/cryptogauge/cryptogauge/result"
)

// plantedLock is the program with one library more, whose cipher is behind a lock.
func plantedLock() { withBench(benchWithLock, onRealClock) }

func benchWithLock(s provider.Setting) worker.Bench {
	b := library.Bench(s)
	p := lockedLibrary{b.Judge.(provider.Vectors)}
	b.Providers = append(b.Providers, p)
	b.Libraries = append(b.Libraries, result.Library{Library: "planted", Version: "1", CallPath: "go"})
	return b
}

// lockedLibrary seals with AES in SM4's place in the plan, which takes no part in
// what it shows: only the lock does.
type lockedLibrary struct{ vectors provider.Vectors }

func (lockedLibrary) Subject() result.Subject {
	return result.Subject{Library: "planted", Version: "1", CallPath: "go"}
}

func (l lockedLibrary) Open(c result.Case) (provider.Operation, error) {
	if c.Algorithm != "SM4" || c.Mode != "GCM" || !provider.Concurrent(c) {
		return nil, provider.Absent("foreign", "planted is SM4-GCM by goroutines")
	}
	v, err := l.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	return loop.NewParallel(func([]byte) (cipher.AEAD, error) { return lockedAEAD{v}, nil }, c, v)
}

// theLock is one for all ciphers of the library, as a cache of keys may have it.
// Those who wait make it dearer, as a lock does that CPUs pull from each other, and
// who has it sleeps, so that others come and wait whoever has the CPUs meanwhile:
// the plant shows on a busy machine too.
var (
	theLock sync.Mutex
	waiters atomic.Int64
)

// lockedAEAD knows what comes out, and hands it over under the lock.
type lockedAEAD struct{ v *provider.Vector }

func (lockedAEAD) NonceSize() int { return 12 }
func (lockedAEAD) Overhead() int  { return 16 }

func (a lockedAEAD) Seal(dst, _, _, _ []byte) []byte {
	locked()
	return append(dst, a.v.Ciphertext...)
}

func (a lockedAEAD) Open(dst, _, _, _ []byte) ([]byte, error) {
	locked()
	return append(dst, a.v.Plaintext...), nil
}

func locked() {
	waiters.Add(1)
	defer waiters.Add(-1)
	theLock.Lock()
	defer theLock.Unlock()
	time.Sleep(20 * time.Microsecond)
	if waiters.Load() > 1 {
		time.Sleep(800 * time.Microsecond)
	}
}
