//go:build linux && (amd64 || arm64)

package libgcrypt_test

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/catalog"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/libgcrypt"
	"github.com/cryptogauge/cryptogauge/internal/library/native/object"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// find returns the installed library. In CI there must be one.
func find(t *testing.T) string {
	t.Helper()
	for _, l := range catalog.Libraries() {
		if l.Name != "libgcrypt" { // looking for another, among all objects of the machine, takes long
			continue
		}
		if paths := l.Find(); len(paths) > 0 {
			return paths[0]
		}
	}
	if os.Getenv("CI") != "" {
		t.Fatal("libgcrypt is not installed: apt-get install libgcrypt20")
	}
	t.Skip("libgcrypt is not installed")
	return ""
}

var (
	once       sync.Once
	opened     *object.Object
	errOpening error
)

// open opens it on a path with vectors.
func open(t *testing.T, p call.Path, v provider.Vectors) provider.Provider {
	t.Helper()
	path := find(t)
	once.Do(func() { opened, errOpening = object.Open(path) })
	if errOpening != nil {
		t.Fatal(errOpening)
	}
	l, err := libgcrypt.Open(opened, v)
	if err != nil {
		t.Fatal(err)
	}
	return l.On(p, result.Subject{Library: "libgcrypt", Version: l.Version(), CallPath: p.Name})[0]
}

var bothWays = []string{"encrypt", "decrypt"}

// cases are all combinations, at each size.
func cases(algorithms, modes, operations []string, parameters string, sizes ...int) (cs []result.Case) {
	for _, a := range algorithms {
		for _, m := range modes {
			for _, o := range operations {
				cs = append(cs, providertest.Sizes(result.Case{Algorithm: a, Mode: m, Operation: o, Parameters: parameters}, sizes...)...)
			}
		}
	}
	return cs
}

var (
	blocks  = []string{"AES-128", "AES-192", "AES-256", "SM4"}
	chained = []string{"ECB", "CBC"}
	streams = []string{"CFB", "OFB", "CTR", "GCM", "CCM"}
	chacha  = []string{"ChaCha20", "ChaCha20-Poly1305"}
	none    = []string{""}
	mix     = []result.SizeShare{{Bytes: 0, Weight: 1}, {Bytes: 64, Weight: 3}, {Bytes: 1350, Weight: 1}}
)

// mixed are cases that replay the mix.
func mixed() []result.Case {
	c := result.Case{Parameters: seeded.MixParameters("", 16)}
	for _, n := range seeded.DrawMix(1, mix, 16) {
		c.Bytes += int64(n)
	}
	cs := cases(blocks, []string{"GCM", "CCM"}, bothWays, c.Parameters, int(c.Bytes))
	return append(cs, cases(chacha[1:], none, bothWays, c.Parameters, int(c.Bytes))...)
}

func messages() []result.Case {
	whole, any := []int{16, 48, 1024, 4096}, []int{0, 1, 15, 16, 17, 64, 1000, 4097}
	return slices.Concat(
		cases(blocks, chained, bothWays, "", whole...),
		cases(blocks, streams, bothWays, "", any...),
		cases(chacha, none, bothWays, "", any...),
		cases(blocks, []string{algorithm.OneBlock}, bothWays, "", 16),
		cases([]string{"MD5", "SHA-256", "SHA3-256", "BLAKE2b-512", "SM3"}, none, []string{"hash"}, "", any...),
		cases([]string{"HMAC-SHA-256", "HMAC-SM3"}, none, []string{"mac"}, "", any...),
		cases(blocks, chained, bothWays, "call=64,way=update", 64, 1024, 4096),
		cases(blocks, streams, bothWays, "call=7,way=update", 7, 64, 1000),
		cases(blocks, streams, bothWays, "call=4096,way=oneshot", 16, 1000, 4096),
		cases(chacha, none, bothWays, "call=7,way=update", 7, 64, 1000),
		mixed())
}

// setups are what changes handles from call to call, and what many goroutines ask.
func setups() []result.Case {
	return slices.Concat(
		cases(blocks, []string{"GCM"}, []string{"new"}, "", 0), cases(blocks, []string{"GCM"}, []string{"new+encrypt"}, "", 16, 1000),
		cases(chacha[1:], none, []string{"new"}, "", 0), cases(chacha[1:], none, []string{"new+encrypt"}, "", 16, 1000),
		cases(blocks, []string{"GCM"}, []string{"encrypt"}, "goroutines=3,holding=shared,request=2", 1024),
		cases(blocks[:1], []string{"GCM"}, []string{"encrypt"}, "goroutines=3,holding=new,request=2", 64),
		cases(chacha[1:], none, []string{"encrypt"}, "goroutines=3,holding=pool,request=2", 1024),
		cases(blocks, []string{"GCM"}, []string{"stream"}, "chunk=65536,io=memory", 1<<20),
		cases(chacha[1:], none, []string{"stream"}, "chunk=65536,io=memory", 1<<20))
}

func TestConformance(t *testing.T) {
	judge := judge.New(provider.Setting{Seed: 1, Mix: mix})
	schedules := cases(blocks, none, []string{"schedule"}, "", 0)
	paths := call.Paths()
	if testing.Short() {
		paths = paths[:1]
	}
	for _, path := range paths {
		t.Run(path.Name, func(t *testing.T) {
			all := append(messages(), schedules...)
			if path.Name != "c-loop" {
				all = append(all, setups()...)
			}
			providertest.Run(t, open(t, path, judge), all)
			for _, c := range all {
				if _, err := provider.Prepare(open(t, path, judge), c); err != nil {
					t.Errorf("%s %s of %d bytes with %q is not opened: %v", c.Name(), c.Operation, c.Bytes, c.Parameters, err)
				}
				if _, fixed := algorithm.FixedBytes(c.Algorithm, c.Mode, c.Operation); c.Bytes == 0 && !fixed || c.Operation == "stream" || testing.Short() && c.Bytes > 64 {
					continue
				}
				if err := providertest.Sensitive(func(v provider.Vectors) provider.Provider { return open(t, path, v) }, judge, c); err != nil {
					t.Errorf("%s with %q: %v", path.Name, c.Parameters, err)
				}
			}
		})
	}
}

func TestAbsent(t *testing.T) {
	judge := judge.New(provider.Setting{Seed: 1})
	for _, path := range call.Paths() {
		p := open(t, path, judge)
		absent := []result.Case{
			{Algorithm: "AES-128", Mode: "XTS", Operation: "encrypt", Bytes: 64},
			{Algorithm: "AES-128", Mode: "CTR", Operation: "new"},
			{Algorithm: "AES-128", Mode: "CTR", Operation: "encrypt", Bytes: 64, Parameters: "workers=2"},
			{Algorithm: "AES-128", Mode: "CTR", Operation: "encrypt", Bytes: 64, Parameters: "call=64,way=blocks"},
			{Algorithm: "AES-128", Mode: "CTR", Operation: "encrypt", Bytes: 64, Parameters: "call=16,way=oneshot"},
			{Algorithm: "AES-128", Mode: "CTR", Operation: "encrypt", Bytes: 64, Parameters: "goroutines=2,holding=own,request=1"},
			{Algorithm: "RSA-2048", Mode: "PKCS1v15-SHA-256", Operation: "sign"},
			{Algorithm: "SHA-256", Operation: "encrypt", Bytes: 64},
		}
		if path.Name == "c-loop" {
			absent = append(absent, setups()...)
		}
		for _, c := range absent {
			if _, err := provider.Prepare(p, c); !errors.Is(err, provider.ErrAbsent) {
				t.Errorf("%s: %s %s %s: %v, want absent", path.Name, c.Name(), c.Operation, c.Parameters, err)
			}
		}
	}
}

func TestScenarios(t *testing.T) {
	judge := judge.New(provider.Setting{Seed: 1})
	for _, path := range call.Paths() {
		p := open(t, path, judge)
		for _, c := range []result.Case{
			{Algorithm: "AES-256", Mode: "GCM", Operation: "arrival", Bytes: 1024, Parameters: "load=80,request=8"},
			{Algorithm: "AES-256", Mode: "GCM", Operation: "encrypt", Bytes: 1024, Parameters: "buffers=fresh,heap=0"},
		} {
			s, err := provider.PrepareScenario(p, c)
			if path.Name == "c-loop" {
				if !errors.Is(err, provider.ErrAbsent) {
					t.Errorf("%s: %v, want absent", c.Operation, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s on %s: %v", c.Operation, path.Name, err)
				continue
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
		c := result.Case{Algorithm: "AES-256", Mode: "GCM", Operation: "encrypt", Bytes: 1024}
		if _, err := provider.PrepareScenario(p, c); !errors.Is(err, provider.ErrAbsent) {
			t.Errorf("an operation as a scenario: %v, want absent", err)
		}
	}
}

// TestErrors: an error names the function that refused and why.
func TestErrors(t *testing.T) {
	judge := judge.New(provider.Setting{Seed: 1})
	for _, path := range call.Paths() {
		c := result.Case{Algorithm: "AES-128", Mode: "GCM", Operation: "decrypt", Bytes: 64}
		op, err := provider.Prepare(open(t, path, tampered{judge}), c)
		if err != nil {
			t.Fatal(err)
		}
		if err := op.Run(1); err == nil || err.Error() != "gcry_cipher_checktag: Checksum error (10), in call 3 of 3" {
			t.Errorf("%s: %v", path.Name, err)
		}
	}
}

// tampered hands out sealed text that is not authentic.
type tampered struct{ provider.Vectors }

func (t tampered) Vector(c result.Case) (*provider.Vector, error) {
	v, err := t.Vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	wrong := *v
	wrong.Ciphertext = slices.Clone(v.Ciphertext)
	wrong.Ciphertext[0] ^= 1
	return &wrong, nil
}

// TestDisableHWF: features that are switched off by the variable leave right
// output, and a name that libgcrypt does not know is an error that says so.
func TestDisableHWF(t *testing.T) {
	path := find(t)
	if os.Getenv("CRYPTOGAUGE_TEST_CHILD") == "" {
		for features, want := range map[string]string{"all": "right", "nonsense": parameter.DisableHWF + "=nonsense: gcry_control: Invalid name (88)"} {
			cmd := exec.Command(os.Args[0], "-test.run=^TestDisableHWF$", "-test.v")
			cmd.Env = append(os.Environ(), "CRYPTOGAUGE_TEST_CHILD=1", parameter.DisableHWF+"="+features)
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
				t.Errorf("%s: %v, want %q in\n%s", features, err, want, out)
			}
		}
		return
	}
	o, err := object.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	l, err := libgcrypt.Open(o, judge.New(provider.Setting{Seed: 1}))
	if err != nil {
		t.Log(err)
		return
	}
	p := l.On(call.Purego, result.Subject{Library: "libgcrypt", Version: l.Version(), CallPath: call.Purego.Name})[0]
	for _, c := range append(cases(blocks, streams, bothWays, "", 1000), result.Case{Algorithm: "SHA-256", Operation: "hash", Bytes: 1000}) {
		if err := providertest.Verify(p, c); err != nil {
			t.Errorf("%s: %v", c.Name(), err)
		}
	}
	t.Log("right")
}

// TestRandom: both draws are new each time, on every path.
func TestRandom(t *testing.T) {
	judge := judge.New(provider.Setting{Seed: 1})
	for _, p := range call.Paths() {
		for mode, n := range map[string]int64{"nonce": 12, "iv": 16} {
			c := result.Case{Algorithm: "random", Mode: mode, Operation: "draw", Bytes: n}
			if err := providertest.Verify(open(t, p, judge), c); err != nil {
				t.Errorf("%s, %s: %v", p.Name, mode, err)
			}
		}
	}
}
