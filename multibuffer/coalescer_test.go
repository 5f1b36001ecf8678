package multibuffer

import (
	"crypto/fips140"
	"crypto/md5"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emmansun/gmsm/sm3"
)

// Every call gets the digest of its own message, whether calls are gathered or not.
func TestCoalescer(t *testing.T) {
	text := noise(40, 1<<17)
	for _, gather := range []bool{false, true} {
		for _, crowd := range []int{1, 2, 7, 64, 300} {
			var c Coalescer
			if gather && assembly {
				c.md5.trial.hold(true, time.Now())
				c.sm3.trial.hold(true, time.Now())
			}
			var all sync.WaitGroup
			for g := range crowd {
				all.Go(func() {
					r := rand.New(rand.NewPCG(40, uint64(g)))
					for range max(400/crowd, 4) {
						n := r.IntN(5 << r.IntN(13))
						m := text[r.IntN(len(text)-n):][:n]
						if c.SumMD5(m) != md5.Sum(m) {
							t.Errorf("MD5 of %d bytes: wrong", n)
						}
						if c.SumSM3(m) != sm3.Sum(m) {
							t.Errorf("SM3 of %d bytes: wrong", n)
						}
					}
				})
			}
			all.Wait()
		}
	}
}

// A call that nobody joins comes back, soon, and after some of them gathering ends.
func TestCoalescerAlone(t *testing.T) {
	if !assembly {
		t.Skip("nothing is gathered without assembly")
	}
	var c Coalescer
	c.md5.trial.hold(true, time.Now())
	for range lonelyMax {
		if !c.md5.trial.gathering.Load() {
			t.Error("gathering ended early")
		}
		c.SumMD5(make([]byte, gatherFrom))
	}
	if c.md5.trial.gathering.Load() {
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
	c.md5.trial.hold(true, time.Now())
	c.md5.waiting[0], c.md5.n = &request{message: make([]byte, gatherFrom), done: make(chan struct{}, 1)}, 1
	func() {
		defer func() {
			if got := fmt.Sprint(recover()); !strings.Contains(got, "crypto/md5: use of MD5 is not allowed") {
				t.Errorf("panic %v", got)
			}
		}()
		c.SumMD5(make([]byte, gatherFrom))
	}()
	if c.md5.n != 1 {
		t.Errorf("%d calls wait, there must be the one that another made", c.md5.n)
	}
}
