package worker

import (
	"crypto/aes"
	"crypto/cipher"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// TestOnlyTheMeasuringThreadIsPinned: threads that the runtime makes for goroutines
// that a pinned thread waits for may use every CPU.
func TestOnlyTheMeasuringThreadIsPinned(t *testing.T) {
	all, err := clock.AllowedCPUs(0)
	if err != nil || len(all) < 2 || runtime.GOMAXPROCS(0) < 2 {
		t.Skip("there is one CPU, where all are pinned")
	}
	pinned := make(chan int)
	go func() {
		runtime.LockOSThread()
		defer close(pinned)
		defer func() {
			if clock.Allow(0, all) == nil {
				runtime.UnlockOSThread() // else the thread ends with the goroutine
			}
		}()
		if err := clock.Pin(all[0]); err != nil {
			t.Log(err)
			return
		}
		op, err := loop.NewParallel(func(key []byte) (cipher.AEAD, error) {
			b, err := aes.NewCipher(key)
			if err != nil {
				return nil, err
			}
			return cipher.NewGCM(b)
		}, result.Case{Parameters: "goroutines=8,holding=new,request=8"}, &provider.Vector{Key: make([]byte, 16), Nonce: make([]byte, 12),
			Plaintext: make([]byte, 1024), Ciphertext: make([]byte, 1040)})
		if err != nil {
			t.Error(err)
			return
		}
		defer op.Close()
		if err := op.Run(20_000); err != nil {
			t.Error(err)
		}
		pinned <- threadsOnOneCPU(t)
	}()
	if n, ok := <-pinned; ok && n != 1 {
		t.Errorf("%d threads are pinned to one CPU, want the one that measures", n)
	}
}

func threadsOnOneCPU(t *testing.T) (n int) {
	t.Helper()
	files, err := filepath.Glob("/proc/self/task/*/status")
	if err != nil || len(files) == 0 {
		t.Errorf("no threads: %v", err)
	}
	alone := regexp.MustCompile(`(?m)^Cpus_allowed_list:\s*\d+$`)
	for _, f := range files {
		if text, err := os.ReadFile(f); err == nil && alone.Match(text) { // one that has ended meanwhile has no file
			n++
		}
	}
	return n
}
