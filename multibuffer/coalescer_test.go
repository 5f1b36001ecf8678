package multibuffer

import (
	"bytes"
	"context"
	"crypto/fips140"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/multibuffer"
)

// coalesced are the functions of a Coalescer, with a context and without.
func (c *Coalescer) coalesced(a algorithm, ctx context.Context, m []byte) ([]byte, error) {
	switch a.hash {
	case kernel.MD5:
		d, err := c.SumMD5Context(ctx, m)
		if without := c.SumMD5(m); err == nil && without != d {
			return without[:], nil
		}
		return d[:], err
	case kernel.SM3:
		d, err := c.SumSM3Context(ctx, m)
		if without := c.SumSM3(m); err == nil && without != d {
			return without[:], nil
		}
		return d[:], err
	case kernel.SHA256:
		d, err := c.SumSHA256Context(ctx, m)
		if without := c.SumSHA256(m); err == nil && without != d {
			return without[:], nil
		}
		return d[:], err
	}
	d, err := c.SumSHA1Context(ctx, m)
	if without := c.SumSHA1(m); err == nil && without != d {
		return without[:], nil
	}
	return d[:], err
}

// Every call gets the digest of its own message, whether calls are gathered or not.
func TestCoalescer(t *testing.T) {
	text := noise(40, 1<<17)
	for _, a := range algorithms {
		for _, gather := range []bool{false, true} {
			for _, crowd := range []int{1, 2, 7, 64, 300} {
				var c Coalescer
				if gather && assembly {
					c.gatherers[a.hash].trial.hold(true, time.Now())
				}
				var all sync.WaitGroup
				for g := range crowd {
					all.Go(func() {
						r := rand.New(rand.NewPCG(40, uint64(g)))
						for range max(400/crowd, 4) {
							n := r.IntN(5 << r.IntN(13))
							m := text[r.IntN(len(text)-n):][:n]
							if got, err := c.coalesced(a, t.Context(), m); err != nil || !bytes.Equal(got, a.want(m)) {
								t.Errorf("%s of %d bytes: %x (%v)", a.name, n, got, err)
							}
						}
					})
				}
				all.Wait()
			}
		}
	}
}

// A call whose context has ended hashes nothing and returns the context's error and no digest.
func TestCoalescerOfAnEndedContext(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for _, a := range algorithms {
		for _, n := range []int{0, 1, gatherFrom, 1 << 20} {
			var c Coalescer
			got, err := c.coalesced(a, ended, make([]byte, n))
			if !errors.Is(err, context.Canceled) || !bytes.Equal(got, make([]byte, len(got))) {
				t.Errorf("%s of %d bytes: %x (%v)", a.name, n, got, err)
			}
		}
	}
}

// A call that waits for others leaves them when its context ends, and they have their digests.
func TestCoalescerLeave(t *testing.T) {
	text := noise(41, 1<<17)
	for _, a := range algorithms {
		var g gatherer
		ctx, end := context.WithCancel(t.Context())
		requests := make([]*request, 5) // the first leads
		for i := range requests {
			requests[i] = &request{message: text[i:][:gatherFrom+i], done: make(chan struct{}, 1)}
			g.waiting[g.n] = requests[i]
			g.n++
		}
		var left sync.WaitGroup
		errs := make([]error, 3)
		for i := range errs {
			left.Go(func() { _, errs[i] = g.join(ctx, a.hash, text[:gatherFrom], new([32]byte)) })
		}
		for {
			g.mu.Lock()
			n := g.n
			g.mu.Unlock()
			if n == len(requests)+len(errs) {
				break
			}
			runtime.Gosched()
		}
		end()
		left.Wait()
		for _, err := range errs {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: a call that has left returned %v", a.name, err)
			}
		}
		if g.n != len(requests) {
			t.Fatalf("%s: %d calls wait, want %d", a.name, g.n, len(requests))
		}
		if g.leave(requests[0], g.batch+1) {
			t.Errorf("%s: a call has left a batch that is hashed", a.name)
		}
		g.mu.Lock()
		g.hash(a.hash)
		for i, r := range requests {
			<-r.done
			if want := a.want(r.message); !r.hashed || !bytes.Equal(r.digest[:len(want)], want) {
				t.Errorf("%s: call %d of those that stayed: wrong", a.name, i)
			}
		}
	}
}

// An ending context ends the hashing of a long message.
func TestCoalescerEndsALongMessage(t *testing.T) {
	for _, a := range algorithms {
		ctx := &countdown{Context: t.Context(), left: 3}
		digest := make([]byte, 4*a.hash.Words())
		err := sumContext(ctx, a.hash, digest, make([]byte, 100*pieceSizes[a.hash]))
		if !errors.Is(err, context.DeadlineExceeded) || ctx.left != 0 {
			t.Errorf("%s: error %v, the context was asked %d times too few", a.name, err, ctx.left)
		}
		checkPool(t, a)
	}
}

// A countdown is a context that ends when it has been asked so many times.
type countdown struct {
	context.Context
	left int
}

func (*countdown) Done() <-chan struct{} { return make(chan struct{}) }

func (c *countdown) Err() error {
	if c.left--; c.left == 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// A call that nobody joins comes back, soon, and after some of them gathering ends.
func TestCoalescerAlone(t *testing.T) {
	if !assembly {
		t.Skip("nothing is gathered without assembly")
	}
	var c Coalescer
	c.gatherers[kernel.MD5].trial.hold(true, time.Now())
	for range lonelyMax {
		if !c.gatherers[kernel.MD5].trial.gathering.Load() {
			t.Error("gathering ended early")
		}
		c.SumMD5(make([]byte, gatherFrom))
	}
	if c.gatherers[kernel.MD5].trial.gathering.Load() {
		t.Error("gathering goes on with one caller")
	}
}

// A trial chooses what moves more bytes, and tries the other less and less often.
func TestTrial(t *testing.T) {
	for _, gatheredIsFaster := range []bool{false, true} {
		var tr trial
		now, gatheredFor, total := time.Unix(0, 0), 0, 0
		for now.Before(time.Unix(20, 0)) {
			now = now.Add(50 * time.Microsecond)
			total++
			if tr.gathering.Load() {
				gatheredFor++
				bytes := 1000
				if gatheredIsFaster {
					bytes = 3000
				}
				tr.gathered(16, bytes, now)
			} else {
				tr.single(2000, now)
			}
		}
		share := float64(gatheredFor) / float64(total)
		if gatheredIsFaster && share < 0.97 || !gatheredIsFaster && share > 0.03 {
			t.Errorf("gathered faster: %v, but it is chosen %.1f %% of the time", gatheredIsFaster, 100*share)
		}
	}
}

func TestZeroTrialStartsAlone(t *testing.T) {
	var tr trial
	if tr.gathering.Load() {
		t.Error("a Coalescer gathers before it knows that this pays")
	}
}

// A call that FIPS 140 is enforced on panics as md5.Sum does, and takes no other call with it.
func TestCoalescerUnderFIPS140(t *testing.T) {
	if !assembly {
		t.Skip("nothing is gathered without assembly")
	}
	if !fips140.Enforced() {
		again := exec.Command(os.Args[0], "-test.run=^TestCoalescerUnderFIPS140$", "-test.v")
		again.Env = append(os.Environ(), "GODEBUG=fips140=only")
		out, err := again.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS") {
			t.Errorf("with GODEBUG=fips140=only: %v\n%s", err, out)
		}
		return
	}
	var c Coalescer
	c.gatherers[kernel.MD5].trial.hold(true, time.Now())
	c.gatherers[kernel.MD5].waiting[0], c.gatherers[kernel.MD5].n = &request{message: make([]byte, gatherFrom), done: make(chan struct{}, 1)}, 1
	func() {
		defer func() {
			if got := fmt.Sprint(recover()); !strings.Contains(got, "crypto/md5: use of MD5 is not allowed") {
				t.Errorf("panic %v", got)
			}
		}()
		c.SumMD5(make([]byte, gatherFrom))
	}()
	if c.gatherers[kernel.MD5].n != 1 {
		t.Errorf("%d calls wait, there must be the one that another made", c.gatherers[kernel.MD5].n)
	}
}
