//go:build linux && (amd64 || arm64)

package openssl

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/clock"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/cbinding"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// speedVariable asks for the comparison with OpenSSL's own benchmark. It times, so
// it wants a quiet machine:
//
//	CRYPTOGAUGE_OPENSSL_SPEED=5 go test -v -run TestAgainstSpeed ./internal/library/native/openssl
//
// runs five rounds of a second for each of the cells.
const speedVariable = "CRYPTOGAUGE_OPENSSL_SPEED"

// agreeing is how far both may lie apart.
const agreeing = 0.05

// shared are the cells, and what openssl speed calls them. Its loop differs from a
// row in this: in all, input and output are one buffer; of a cipher no message sets
// an IV, and of GCM none has a tag; with -aead there are 13 bytes of additional data
// and no tag is read; a hash is EVP_Digest. At these sizes none of it comes to 5 %.
var shared = []struct {
	result.Case
	speed []string
}{
	{result.Case{Algorithm: "AES-128", Mode: "CBC", Operation: "encrypt", Bytes: 16384}, []string{"-evp", "aes-128-cbc"}},
	{result.Case{Algorithm: "AES-256", Mode: "CBC", Operation: "encrypt", Bytes: 16384}, []string{"-evp", "aes-256-cbc"}},
	{result.Case{Algorithm: "AES-128", Mode: "CTR", Operation: "encrypt", Bytes: 65536}, []string{"-evp", "aes-128-ctr"}},
	{result.Case{Algorithm: "AES-256", Mode: "GCM", Operation: "encrypt", Bytes: 65536}, []string{"-evp", "aes-256-gcm"}},
	{result.Case{Algorithm: "ChaCha20-Poly1305", Operation: "encrypt", Bytes: 16384}, []string{"-aead", "-evp", "chacha20-poly1305"}},
	{result.Case{Algorithm: "ChaCha20", Operation: "encrypt", Bytes: 65536}, []string{"-evp", "chacha20"}},
	{result.Case{Algorithm: "SM4", Mode: "CBC", Operation: "encrypt", Bytes: 16384}, []string{"-evp", "sm4-cbc"}},
	{result.Case{Algorithm: "SM4", Mode: "CTR", Operation: "encrypt", Bytes: 1024}, []string{"-evp", "sm4-ctr"}},
	{result.Case{Algorithm: "SHA-256", Operation: "hash", Bytes: 16384}, []string{"-evp", "sha256"}},
	{result.Case{Algorithm: "SM3", Operation: "hash", Bytes: 16384}, []string{"-evp", "sm3"}},
	{result.Case{Algorithm: "MD5", Operation: "hash", Bytes: 16384}, []string{"-evp", "md5"}},
}

// TestAgainstSpeed holds rows of the path that loops in C against openssl speed, both
// in user time, in turns. Beside the row stands a loop as openssl speed has it, so
// that what differs by definition can be told from what differs by doing.
func TestAgainstSpeed(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv(speedVariable))
	if err != nil || rounds < 1 {
		t.Skipf("it takes a quiet machine: set %s to a number of rounds", speedVariable)
	}
	l, _ := openLibrary(t)
	if version, err := exec.Command("openssl", "version").Output(); err != nil || !strings.Contains(string(version), l.Release+" ") {
		t.Skipf("the program openssl is not of the library's version %s: %s%v", l.Release, version, err)
	}
	paths := call.Paths()
	path := paths[len(paths)-1]
	for _, cell := range shared {
		t.Run(cell.Name(), func(t *testing.T) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			s := l.Session(path)
			defer s.Close()
			same := asSpeed(s, cell.Case)
			var rows, loops []float64
			var theirs float64
			for range rounds {
				theirs = speedOf(t, cell.speed, cell.Bytes)
				rows = append(rows, rateOfRow(t, byPath(l, path), cell.Case)/theirs)
				loops = append(loops, rateOf(t, cell.Bytes, func(n int) error { return same.Times(n) })/theirs)
			}
			slices.Sort(rows)
			slices.Sort(loops)
			row := rows[rounds/2]
			t.Logf("%d bytes: openssl speed %.1f MB/s; the row is %.3f of it (%.3f to %.3f), its own loop here %.3f (%.3f to %.3f)",
				cell.Bytes, theirs/1e6, row, rows[0], rows[rounds-1], loops[rounds/2], loops[0], loops[rounds-1])
			if row < 1-agreeing || row > 1+agreeing {
				t.Errorf("the row is %.3f of openssl speed", row)
			}
		})
	}
}

// asSpeed is the loop of openssl speed: EVP_Update_loop, EVP_Update_loop_aead and
// EVP_Digest_MD_loop of apps/speed.c.
func asSpeed(s *cbinding.Session, c result.Case) *cbinding.Program {
	buffer, p := make([]byte, c.Bytes+2*cbinding.BlockSize), s.Program()
	at, n := s.Bytes(buffer), uintptr(c.Bytes)
	if c.Operation == "hash" {
		p.Add("EVP_Digest", at, n, s.Bytes(make([]byte, 64)), 0, fetch(s, "EVP_MD_fetch", digestName(c.Algorithm)), 0)
		return p
	}
	key, iv := make([]byte, 32), s.Bytes(make([]byte, cbinding.BlockSize))
	ctx, length := s.Get("EVP_CIPHER_CTX_free", "EVP_CIPHER_CTX_new"), call.Word(s.Word())
	s.Do("EVP_CipherInit_ex", ctx, fetch(s, "EVP_CIPHER_fetch", cipherName(c)), 0, s.Bytes(key), iv, 1)
	update := func(out, in, n uintptr) { p.Add("EVP_EncryptUpdate", ctx, out, length, in, n) }
	if c.Algorithm != "ChaCha20-Poly1305" {
		update(at, at, n)
		return p
	}
	const additional = 13
	p.Add("EVP_EncryptInit_ex", ctx, 0, 0, 0, iv)
	update(0, s.Bytes(make([]byte, additional)), additional)
	update(at, at, n)
	p.Add("EVP_EncryptFinal_ex", ctx, at+n, length)
	return p
}

// speedOf is openssl speed's rate in bytes per second of user time.
func speedOf(t *testing.T, arguments []string, bytes int64) float64 {
	t.Helper()
	out, err := exec.Command("openssl", slices.Concat([]string{"speed", "-mr", "-seconds", "1", "-bytes", strconv.FormatInt(bytes, 10)}, arguments)...).CombinedOutput()
	if err != nil {
		t.Fatalf("openssl speed: %v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		// +R:operations:name:seconds
		fields := strings.Split(strings.TrimSpace(line), ":")
		if fields[0] != "+R" || len(fields) < 4 {
			continue
		}
		operations, err1 := strconv.ParseFloat(fields[1], 64)
		seconds, err2 := strconv.ParseFloat(fields[len(fields)-1], 64)
		if err1 == nil && err2 == nil && seconds > 0 {
			return operations * float64(bytes) / seconds
		}
	}
	t.Fatalf("openssl speed says nothing that is understood:\n%s", out)
	return 0
}

// rateOfRow is a row's rate, checked before and after.
func rateOfRow(t *testing.T, p provider.Provider, c result.Case) float64 {
	t.Helper()
	op, err := p.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	defer op.Close()
	check := func() {
		if err := errors.Join(op.Run(1), op.Check()); err != nil {
			t.Fatal(err)
		}
	}
	check()
	defer check()
	return rateOf(t, c.Bytes, op.Run)
}

// rateOf is a rate in bytes per second of the thread's user time, which is the clock
// of openssl speed, over half a second. A row's clock is the thread's whole CPU time:
// where interrupts and neighbours take a share, that counts them too.
func rateOf(t *testing.T, bytes int64, run func(n int) error) float64 {
	t.Helper()
	timed := func(n int) time.Duration {
		begun := clock.Thread()
		if err := run(n); err != nil {
			t.Fatal(err)
		}
		return time.Duration(clock.Thread() - begun)
	}
	n := 1
	for timed(n) < 10*time.Millisecond {
		n *= 2
	}
	const lasts = 500 * time.Millisecond
	begun, calls := userTime(t), 0
	for userTime(t)-begun < lasts {
		timed(n)
		calls += n
	}
	return float64(bytes) * float64(calls) / (userTime(t) - begun).Seconds()
}

func userTime(t *testing.T) time.Duration {
	const thread = 1 // RUSAGE_THREAD of getrusage(2)
	var r syscall.Rusage
	if err := syscall.Getrusage(thread, &r); err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Utime.Nano())
}
