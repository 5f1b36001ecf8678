package multibuffer

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/emmansun/gmsm/sm3"
	"golang.org/x/sys/cpu"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/multibuffer"
)

// An algorithm is one hash function with digests as slices, and the library that judges it.
type algorithm struct {
	name string
	hash kernel.Hash
	want func(m []byte) []byte
	sum  func(h Hasher, messages [][]byte) [][]byte
	read func(h Hasher, readers []io.Reader) ([][]byte, []error)
}

var algorithms = []algorithm{
	{"MD5", kernel.MD5, func(m []byte) []byte { d := md5.Sum(m); return d[:] },
		summer(Hasher.SumMD5), reader(Hasher.ReadMD5)},
	{"SM3", kernel.SM3, func(m []byte) []byte { d := sm3.Sum(m); return d[:] },
		summer(Hasher.SumSM3), reader(Hasher.ReadSM3)},
	{"SHA-256", kernel.SHA256, func(m []byte) []byte { d := sha256.Sum256(m); return d[:] },
		summer(Hasher.SumSHA256), reader(Hasher.ReadSHA256)},
	{"SHA-1", kernel.SHA1, func(m []byte) []byte { d := sha1.Sum(m); return d[:] },
		summer(Hasher.SumSHA1), reader(Hasher.ReadSHA1)},
}

func summer[D [16]byte | [20]byte | [32]byte](f func(Hasher, []D, [][]byte)) func(Hasher, [][]byte) [][]byte {
	return func(h Hasher, messages [][]byte) [][]byte {
		digests := make([]D, len(messages))
		f(h, digests, messages)
		return split(digests)
	}
}

func reader[D [16]byte | [20]byte | [32]byte](f func(Hasher, []D, []error, []io.Reader)) func(Hasher, []io.Reader) ([][]byte, []error) {
	return func(h Hasher, readers []io.Reader) ([][]byte, []error) {
		digests, errs := make([]D, len(readers)), make([]error, len(readers))
		f(h, digests, errs, readers)
		return split(digests), errs
	}
}

func split[D [16]byte | [20]byte | [32]byte](digests []D) [][]byte {
	out := make([][]byte, len(digests))
	for i := range digests {
		out[i] = flatten(digests[i : i+1])
	}
	return out
}

// each runs a test for each implementation of this machine and each algorithm.
func each(t *testing.T, f func(t *testing.T, h Hasher, a algorithm)) {
	for _, name := range Implementations() {
		h, err := NewWith(name)
		if err != nil {
			t.Fatal(err)
		}
		if h.Implementation() != name {
			t.Fatalf("asked for %s, got %s", name, h.Implementation())
		}
		for _, a := range algorithms {
			t.Run(name+"/"+a.name, func(t *testing.T) { f(t, h, a) })
		}
	}
}

// verify holds digests against the judge's.
func (a algorithm) verify(t *testing.T, h Hasher, messages [][]byte) {
	t.Helper()
	for i, got := range a.sum(h, messages) {
		if want := a.want(messages[i]); !bytes.Equal(got, want) {
			t.Fatalf("message %d of %d, %d bytes: %x, want %x", i, len(messages), len(messages[i]), got, want)
		}
	}
}

// TestImplementationsOfThisMachine asks another source, the operating system or x/sys, what the
// processor has. Where an implementation must exist and doesn't, nothing here was tested for it.
func TestImplementationsOfThisMachine(t *testing.T) {
	names := Implementations()
	t.Logf("implementations: %s", strings.Join(names, " "))
	if names[len(names)-1] != serial {
		t.Errorf("serial must be the last of %v", names)
	}
	if New().Implementation() != names[0] {
		t.Errorf("New gives %s, not the first of %v", New().Implementation(), names)
	}
	var must []string
	if assembly {
		flags := processorFlags()
		has := func(names ...string) bool {
			return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(flags, n) })
		}
		if has("avx2") || cpu.X86.HasAVX2 {
			must = append(must, "avx2")
		}
		if has("avx2", "sha_ni") {
			must = append(must, "avx2+sha-ni")
		}
		if has("avx512f", "avx512bw", "avx512dq", "avx512vl") {
			must = append(must, "avx512")
		}
	}
	for _, m := range must {
		if !slices.Contains(names, m) {
			t.Errorf("the processor has what %s needs, but it did not run", m)
		}
	}
}

func processorFlags() []string {
	b, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(b)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "flags" {
			return strings.Fields(value)
		}
	}
	return nil
}

// Few messages go two and two by the SHA instructions, where these are there beside AVX-512.
func TestFewMessagesGoInPairs(t *testing.T) {
	if names := Implementations(); !slices.Contains(names, kernel.AVX512.String()) || !slices.Contains(names, kernel.SHA.String()) {
		t.Skip("no AVX-512 with SHA instructions here")
	}
	h, messages := Hasher{kernel.AVX512}, make([][]byte, 64)
	for f, most := range map[kernel.Hash]int{kernel.SHA256: 14, kernel.SHA1: 11} {
		for n := 2; n <= len(messages); n++ {
			want := kernel.AVX512
			if n < most {
				want = kernel.SHA
			}
			if got := h.lanes(&costs, f, messages[:n]); got != want {
				t.Errorf("%d messages of hash %d by %s, not %s", n, f, got, want)
			}
		}
	}
}

func TestNewWithRefusesTheUnknown(t *testing.T) {
	if _, err := NewWith("sse9"); err == nil || !strings.Contains(err.Error(), serial) {
		t.Errorf("the error should name what there is: %v", err)
	}
	if got := (Hasher{}).Implementation(); got != serial {
		t.Errorf("the zero Hasher is %s", got)
	}
}

// noise is random bytes to cut messages from.
func noise(seed uint64, n int) []byte {
	b := make([]byte, n)
	c := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), byte(seed >> 16)})
	c.Read(b)
	return b
}
