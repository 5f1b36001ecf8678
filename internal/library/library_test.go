package library

import (
	stdaes "crypto/aes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/judge"
	"github.com/cryptogauge/cryptogauge/internal/library/harness"
	"github.com/cryptogauge/cryptogauge/internal/library/isa"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/provider/providertest"
	"github.com/cryptogauge/cryptogauge/internal/question"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// inTests are the providers that the tests of single cases know, by number. What else
// is on the list TestEveryLibrary proves.
var inTests = []string{"go", "xcrypto", "gmsm", "tjfoc", "tjfoc helpers"}

// established is where the engine's kernels for SM4 begin, each of which offers what
// gmsm does.
const established = 5

// withCiphers are these providers, and then the engine's for SM4.
func withCiphers(v provider.Vectors) []provider.Provider {
	all := make([]provider.Provider, established)
	for _, p := range Go(v) {
		s := p.Subject()
		if i := slices.Index(inTests, strings.TrimSpace(s.Library+" "+s.Implementation)); i >= 0 {
			all[i] = p
		} else if s.Library == "cryptogauge" && !hashesOnly(p) && !oursOfAES(p) {
			all = append(all, p)
		}
	}
	return all
}

// library opens the i-th of them.
func library(i int) func(provider.Vectors) provider.Provider {
	return func(v provider.Vectors) provider.Provider { return withCiphers(v)[i] }
}

var newAES = stdaes.NewCipher

func vector(t *testing.T, j *judge.Judge, c result.Case) *provider.Vector {
	t.Helper()
	v, err := j.Vector(c)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func cases(algorithms, modes, operations []string, sizes ...int) (cs []result.Case) {
	for _, a := range algorithms {
		for _, m := range modes {
			for _, o := range operations {
				c := result.Case{Algorithm: a, Mode: m, Operation: o}
				if strings.Contains(m, "HMAC") {
					c.Parameters = parameter.PKCS7Padding
				}
				cs = append(cs, providertest.Sizes(c, sizes...)...)
			}
		}
	}
	return cs
}

var (
	bothWays   = []string{"encrypt", "decrypt"}
	allAES     = []string{"AES-128", "AES-192", "AES-256"}
	onlySM4    = []string{"SM4"}
	modesOfAES = []string{"ECB", "CBC", "CFB", "OFB", "CTR", "GCM", "CBC+HMAC-SHA-256"}
	modesOfSM4 = []string{"ECB", "CBC", "CFB", "OFB", "CTR", "GCM", "CBC+HMAC-SM3"}
	withCCM    = append(modesOfSM4, "CCM") // of gmsm and of the engine
)

// helperCases are those that tjfoc's helpers do right.
func helperCases(sizes ...int) []result.Case {
	return cases(onlySM4, []string{"ECB", "CBC", "CFB", "OFB"}, []string{"init+encrypt+pad", "init+decrypt+unpad"}, sizes...)
}

// setup are the cases of one block, and those that make ciphers.
func setup(algorithms []string) []result.Case {
	return slices.Concat(
		cases(algorithms, []string{algorithm.OneBlock}, bothWays, 16),
		cases(algorithms, []string{""}, []string{"schedule"}, 0),
		cases(algorithms, []string{"GCM"}, []string{"new"}, 0),
		cases(algorithms, []string{"GCM"}, []string{"new+encrypt"}, 64, 1024))
}

func hashes(sizes ...int) []result.Case {
	return cases([]string{"MD5", "SHA-256", "SHA3-256", "BLAKE2b-512", "SM3"}, []string{""}, []string{"hash"}, sizes...)
}

// primitives are what libraries offer beside the modes and key pairs.
func primitives(sizes ...int) []result.Case {
	derived := slices.DeleteFunc(slices.Clone(sizes), func(n int) bool { return n == 0 || n > judge.MostDerived })
	return slices.Concat(setup(allAES), setup(onlySM4), hashes(sizes...),
		cases([]string{"HMAC-SHA-256", "HMAC-SM3"}, []string{""}, []string{"mac"}, sizes...),
		cases([]string{"HKDF-SHA-256"}, []string{""}, []string{"derive"}, derived...),
		cases([]string{"ChaCha20"}, []string{""}, bothWays, sizes...),
		cases([]string{"ChaCha20-Poly1305"}, []string{""}, []string{"new"}, 0),
		cases([]string{"ChaCha20-Poly1305"}, []string{""}, []string{"new+encrypt"}, sizes...))
}

// offersPrimitive says which of them the i-th provider offers.
func offersPrimitive(i int, c result.Case) bool {
	switch c.Algorithm {
	case "AES-128", "AES-192", "AES-256", "MD5", "SHA-256", "SHA3-256", "HMAC-SHA-256", "HKDF-SHA-256":
		return i == 0
	case "ChaCha20", "ChaCha20-Poly1305", "BLAKE2b-512":
		return i == 1
	case "SM3", "HMAC-SM3":
		return i == 2 || i == 3
	}
	return i != 0 && i != 1 && i != 4 // SM4, not of tjfoc's helpers
}

// TestPrimitives: every provider does rightly what it offers, reads its input, and
// calls the rest absent.
func TestPrimitives(t *testing.T) {
	judge := judge.New(provider.Setting{Seed: 1})
	for i, p := range withCiphers(judge) {
		var opened []result.Case
		for _, c := range primitives(append(providertest.Boundaries(64), 1000, 1024)...) {
			err := providertest.Verify(p, c)
			if !offersPrimitive(i, c) {
				if !errors.Is(err, provider.ErrAbsent) {
					t.Errorf("%s: %s %s: %v, want absent", p.Subject().Library, c.Name(), c.Operation, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %s %s of %d bytes: %v", p.Subject().Library, c.Name(), c.Operation, c.Bytes, err)
				continue
			}
			opened = append(opened, c)
			if _, fixed := algorithm.FixedBytes(c.Algorithm, c.Mode, c.Operation); c.Bytes == 0 && !fixed {
				continue
			}
			if err := providertest.Sensitive(library(i), judge, c); err != nil {
				t.Error(err)
			}
		}
		if err := providertest.SideBySide(p, opened); err != nil {
			t.Error(err)
		}
		if (len(opened) == 0) != (i == 4) {
			t.Errorf("provider %d, %s, opens %d primitives", i, p.Subject().Library, len(opened))
		}
	}
}

// The cases with a key pair, of Go's library and of the SM2 ones.
var (
	publicOfGo = slices.Concat(
		cases([]string{"RSA-2048"}, []string{"OAEP-SHA-256", "PKCS1v15"}, bothWays, 0),
		cases([]string{"RSA-2048"}, []string{"PKCS1v15-SHA-256", "PSS-SHA-256"}, signatures, 0),
		cases([]string{"ECDSA-P-256"}, []string{""}, signatures, 0),
		cases([]string{"ECDH-P-256", "X25519"}, []string{""}, []string{"agree"}, 0))
	signaturesOfSM2 = cases([]string{"SM2"}, []string{""}, signatures, 0)
	publicOfGmsm    = append(cases([]string{"SM2"}, []string{""}, bothWays, 0), signaturesOfSM2...)
	signatures      = []string{"sign", "verify"}
)

func TestConformance(t *testing.T) {
	sizes := append(providertest.Boundaries(16), 1000, 1024, 4096, 4097)
	tests := []struct {
		name  string
		i     int
		cases []result.Case
		why   []providertest.OneAtATime
	}{
		{"go", 0, cases(allAES, modesOfAES, bothWays, sizes...), nil},
		{"xcrypto", 1, cases([]string{"ChaCha20-Poly1305"}, []string{""}, bothWays, sizes...), nil},
		{"gmsm", 2, cases(onlySM4, withCCM, bothWays, sizes...), nil},
		{"tjfoc", 3, cases(onlySM4, modesOfSM4, bothWays, sizes...), nil},
		{"tjfoc helpers", 4, helperCases(sizes...),
			[]providertest.OneAtATime{"its IV is a variable of the package"}},
		{"go, key pairs", 0, publicOfGo, nil},
		{"gmsm, key pairs", 2, publicOfGmsm, nil},
		{"tjfoc, key pairs", 3, signaturesOfSM2, nil},
	}
	for i, p := range withCiphers(judge.New(provider.Setting{Seed: 1}))[established:] {
		kernel := tests[2]
		kernel.name, kernel.i = "cryptogauge "+p.Subject().Implementation, established+i
		tests = append(tests, kernel)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			open, j := library(test.i), judge.New(provider.Setting{Seed: 1})
			providertest.Run(t, open(j), test.cases, test.why...)
			for _, c := range test.cases {
				if c.Bytes == 0 && !algorithm.Of(c.Algorithm).KeyPair() || (c.Bytes%16 != 0 && refusesPartialBlocks(c)) {
					continue
				}
				if err := providertest.Sensitive(open, j, c); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func refusesPartialBlocks(c result.Case) bool {
	return (c.Mode == "ECB" || c.Mode == "CBC") && !strings.Contains(c.Operation, "pad")
}

// TestWhatIsOpened proves that no case of the conformance is skipped: all are
// opened but partial blocks without padding.
func TestWhatIsOpened(t *testing.T) {
	all := withCiphers(judge.New(provider.Setting{Seed: 1}))
	wanted := map[int][]result.Case{
		0: append(cases(allAES, modesOfAES, bothWays, 64), publicOfGo...),
		1: cases([]string{"ChaCha20-Poly1305"}, []string{""}, bothWays, 64),
		2: append(cases(onlySM4, withCCM, bothWays, 64), publicOfGmsm...),
		3: append(cases(onlySM4, modesOfSM4, bothWays, 64), signaturesOfSM2...),
		4: append(helperCases(64), cases(onlySM4, []string{"GCM"}, []string{"init+encrypt", "init+decrypt"}, 64)...),
	}
	if len(all) == established {
		t.Error("the engine offers nothing, not even gmsm's work")
	}
	for i, p := range all {
		offers := wanted[i]
		if i >= established {
			i, offers = 2, cases(onlySM4, withCCM, bothWays, 64)
		}
		for _, c := range offers {
			if _, err := provider.Prepare(p, c); err != nil {
				t.Errorf("%s: %s %s: %v", p.Subject().Library, c.Name(), c.Operation, err)
			}
		}
		for j, other := range wanted {
			if j == i || (i == 2 || i == 3) && (j == 2 || j == 3) {
				continue
			}
			for _, c := range other {
				if _, err := provider.Prepare(p, c); !errors.Is(err, provider.ErrAbsent) {
					t.Errorf("%s: %s %s: %v, want absent", p.Subject().Library, c.Name(), c.Operation, err)
				}
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	tests := []struct {
		i    int
		c    result.Case
		want string
		kind error
	}{
		{0, result.Case{Algorithm: "SM4", Mode: "CBC", Operation: "encrypt", Bytes: 64}, "go does not offer SM4", provider.ErrAbsent},
		{0, result.Case{Algorithm: "AES-128", Mode: "XTS", Operation: "encrypt", Bytes: 64}, "no mode XTS", provider.ErrAbsent},
		{0, result.Case{Algorithm: "AES-128", Mode: "CBC", Operation: "encrypt", Bytes: 65}, "whole blocks of 16 bytes; a message of 65 is not", nil},
		{0, result.Case{Algorithm: "AES-128", Mode: "CBC", Operation: "encrypt", Bytes: -1}, "0 to", nil},
		{0, result.Case{Algorithm: "AES-128", Mode: "CTR", Operation: "encrypt", Bytes: 64, Parameters: "workers=2"}, "workers=2", provider.ErrAbsent},
		{0, result.Case{Algorithm: "AES-128", Mode: "CBC+HMAC-SHA-256", Operation: "encrypt", Bytes: 64}, "padding=pkcs7", provider.ErrAbsent},
		{0, result.Case{Algorithm: "AES-128", Mode: "CBC", Operation: "sign", Bytes: 64}, `"sign"`, provider.ErrAbsent},
		{4, result.Case{Algorithm: "SM4", Mode: "CBC", Operation: "encrypt", Bytes: 64}, "tjfoc does not offer SM4-CBC encrypt", provider.ErrAbsent},
		{4, result.Case{Algorithm: "SM4", Mode: "CTR", Operation: "init+encrypt+pad", Bytes: 64}, "tjfoc does not offer SM4-CTR", provider.ErrAbsent},
	}
	all := withCiphers(judge.New(provider.Setting{Seed: 1}))
	for _, test := range tests {
		_, err := provider.Prepare(all[test.i], test.c)
		if errors.Is(err, provider.ErrAbsent) != (test.kind != nil) {
			t.Errorf("%+v: whether it is absent: %v", test.c, err)
		}
		if !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v, want unsupported with %q in it", test.c, err, test.want)
		}
	}
}

// TestSm4GCMIsWrong: tjfoc's own GCM computes a wrong tag and opens tampered
// text, and a sentence says so.
func TestSm4GCMIsWrong(t *testing.T) {
	helpers := library(4)(judge.New(provider.Setting{Seed: 1}))
	for _, n := range []int{16, 64, 1000, 1024, 65536} {
		for operation, want := range map[string]string{
			"init+encrypt": "the tag is wrong from byte ",
			"init+decrypt": "tampered text was opened without an error: one bit of the tag flipped, in byte ",
		} {
			c := result.Case{Algorithm: "SM4", Mode: "GCM", Operation: operation, Bytes: int64(n)}
			op, err := provider.Prepare(helpers, c)
			if err != nil {
				t.Fatal(err)
			}
			if err := provider.Guard(func() error { return op.Run(2) }); err != nil {
				t.Errorf("%d bytes: %v", n, err)
			}
			err = provider.Guard(op.Check)
			if n == 1024 {
				t.Logf("%s: %v", operation, err)
			}
			if operation == "init+decrypt" && n%16 != 0 {
				want = "1008 bytes long and should be 1000"
			}
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "tampered text was opened") {
				t.Errorf("%s of %d bytes: %v, want %q", operation, n, err, want)
			}
		}
	}
}

// TestLibraries: each has a name, a version and its own subject, and the engine comes
// after the established ones.
func TestLibraries(t *testing.T) {
	seen, ours := map[result.Subject]bool{}, false
	for i, p := range Go(judge.New(provider.Setting{Seed: 1})) {
		s := p.Subject()
		if s.Library == "" || s.Version == "" || s.CallPath != "go" || seen[s] {
			t.Errorf("provider %d is %+v", i, s)
		}
		seen[s], ours = true, ours || s.Library == "cryptogauge"
		if ours && s.Library != "cryptogauge" {
			t.Errorf("%s comes after the engine", s.Library)
		}
	}
	t.Log(slices.Collect(maps.Keys(seen)))
}

// TestLibrariesAreNamed: each has its line in package subject, by which it is built alone, compared in other
// versions, planned with and told from a user's own worker.
func TestLibrariesAreNamed(t *testing.T) {
	var have, named []string
	for _, p := range Go(judge.New(provider.Setting{Seed: 1})) {
		have = append(have, p.Subject().Library)
	}
	for _, l := range subject.Bound() {
		named = append(named, l.Name)
	}
	slices.Sort(have)
	slices.Sort(named)
	if have = slices.Compact(have); !slices.Equal(have, named) {
		t.Errorf("the libraries are %q, those that internal/subject/subject.go binds %q", have, named)
	}
}

// TestEveryLibrary is the conformance of whatever is on the list: of all cases that are
// ever planned, a library does rightly what it opens, in the sizes that it takes, depends
// on its input, and refuses the rest with a reason.
func TestEveryLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("every case of every library")
	}
	var cases []result.Case
	for _, e := range question.All() {
		for _, c := range e.Cases {
			sizes := []int{64, 1000}
			if n, fixed := algorithm.FixedBytes(c.Algorithm, c.Mode, c.Operation); fixed {
				sizes = []int{int(n)}
			}
			cases = append(cases, providertest.Sizes(c, sizes...)...)
		}
	}
	slices.SortFunc(cases, func(a, b result.Case) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	cases = slices.DeleteFunc(slices.Compact(cases), func(c result.Case) bool { // TestRSAOfEveryLength has these
		return strings.Contains(c.Name(), "RSA-3072") || strings.Contains(c.Name(), "RSA-4096") || strings.Contains(c.Name(), "RSA-8192")
	})
	for i, p := range Go(judge.New(provider.Setting{Seed: 1})) {
		s := p.Subject()
		t.Run(strings.Join([]string{s.Library, s.Implementation}, "_"), func(t *testing.T) {
			t.Parallel()
			j := judge.New(provider.Setting{Seed: 1, Dir: t.TempDir()})
			p, opened := Go(j)[i], []result.Case(nil)
			for _, c := range cases {
				err := known(s.Library, c, func() error { return providertest.Verify(p, c) })
				if err == nil {
					noted(t, p, c)
					opened = append(opened, c)
					err = known(s.Library, c, func() error { return sensitive(i, j, c) })
				}
				if err != nil && !errors.Is(err, errors.ErrUnsupported) && !knownWrong(s, c) {
					t.Errorf("%s: %v", result.Trial{Subject: s, Case: c}.ID(), err)
				}
			}
			if len(opened) == 0 {
				t.Errorf("it opens none of %d cases", len(cases))
			}
			if s.Implementation == "helpers" {
				return // whose IV is a variable of the package
			}
			exchanges := result.Case{Algorithm: "SM2-exchange"}
			if err := known(s.Library, exchanges, func() error { return providertest.SideBySide(p, opened) }); err != nil {
				t.Error(err)
			}
		})
	}
}

// noted holds what a library notes of a case against the table of notes: a report in Chinese says it too.
func noted(t *testing.T, p provider.Provider, c result.Case) {
	d, ok := p.(provider.Describer)
	if !ok || d.Note(c) == "" {
		return
	}
	if note := reason.Note(d.Note(c)); strings.Contains(note.ZH, "“") {
		t.Errorf("%s: internal/reason/notes.txt lacks part of the note %q: %q", c.Name(), note.EN, note.ZH)
	}
}

// sensitive holds a library's output against another input; what is drawn in the call has none, and a secret that
// nothing seals is its own output.
func sensitive(i int, j *judge.Judge, c result.Case) error {
	drawn := []string{"generate", "encapsulate", "session", "precompute", "handshake", "start", "draw"}
	if slices.Contains(drawn, c.Operation) || parameter.Opened.In(c.Parameters) == parameter.Never {
		return nil
	}
	return providertest.Sensitive(func(v provider.Vectors) provider.Provider { return Go(v)[i] }, j, c)
}

// knownWrong is what TestSm4GCMIsWrong shows.
func knownWrong(s result.Subject, c result.Case) bool {
	return s.Library == "tjfoc" && s.Implementation == "helpers" && c.Mode == "GCM"
}

// inChild runs the named test again in a child of this binary with more in its
// environment, and returns what it printed.
func inChild(t *testing.T, test string, environment ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+test+"$", "-test.v")
	cmd.Env = append(os.Environ(), append(environment, "CRYPTOGAUGE_TEST_CHILD=1")...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("with %v: %v\n%s", environment, err, out)
	}
	return string(out)
}

func child() bool { return os.Getenv("CRYPTOGAUGE_TEST_CHILD") != "" }

// TestFIPS proves in a child under GODEBUG=fips140=only that what is forbidden is
// refused with a reason, and what is allowed runs.
func TestFIPS(t *testing.T) {
	if !isa.Assembly {
		t.Skip("Go refuses to start in FIPS 140-3 mode with the build tag purego")
	}
	if !child() {
		inChild(t, "TestFIPS", "GODEBUG=fips140=only")
		return
	}
	j := judge.New(provider.Setting{Seed: 1})
	allowed := map[string]bool{"ECB": true, "CBC": true, "CTR": true, "CBC+HMAC-SHA-256": true, algorithm.OneBlock: true, "": true}
	for i, p := range withCiphers(j) {
		cs := append(cases(allAES, modesOfAES, bothWays, 64), cases(onlySM4, modesOfSM4, bothWays, 64)...)
		cs = append(cs, helperCases(64)...)
		cs = append(cs, cases([]string{"ChaCha20-Poly1305"}, []string{""}, bothWays, 64)...)
		cs = append(append(cs, everyPublic...), primitives(64)...)
		for _, c := range cs {
			err := providertest.Verify(p, c)
			if i == 0 && err == nil && (strings.HasPrefix(c.Algorithm, "AES") && allowed[c.Mode] || algorithm.Of(c.Algorithm).Hashes() && c.Algorithm != "MD5" ||
				slices.Contains(publicOfGo, c) && c.Mode != "PKCS1v15" && c.Algorithm != "X25519") {
				continue
			}
			// What a policy forbids is listed, what a library lacks is not.
			if absent := errors.Is(err, provider.ErrAbsent); absent == offered(i, c) || !errors.Is(err, errors.ErrUnsupported) {
				t.Errorf("%s %s %s: %v, want unsupported", p.Subject().Library, c.Name(), c.Operation, err)
			}
		}
	}
	// The library's own refusal, had nobody asked it before.
	c := result.Case{Algorithm: "AES-128", Mode: "CFB", Operation: "encrypt", Bytes: 64}
	_, err := provider.Prepare(bare{j}, c)
	if !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), "FIPS 140-only") {
		t.Errorf("the standard library's panic became %v", err)
	}
}

// offered says which cases TestFIPS asks of which library.
func offered(i int, c result.Case) bool {
	if slices.Contains(primitives(64), c) {
		return offersPrimitive(i, c)
	}
	helper := strings.HasPrefix(c.Operation, "init")
	switch i {
	case 0:
		return strings.HasPrefix(c.Algorithm, "AES") || slices.Contains(publicOfGo, c)
	case 1:
		return strings.HasPrefix(c.Algorithm, "ChaCha")
	case 2:
		return c.Algorithm == "SM4" && !helper || slices.Contains(publicOfGmsm, c)
	case 3:
		return c.Algorithm == "SM4" && !helper || slices.Contains(signaturesOfSM2, c)
	case 4:
		return helper
	}
	return c.Algorithm == "SM4" && !helper
}

// bare opens without asking whether FIPS 140-only mode is on.
type bare struct{ v provider.Vectors }

func (bare) Subject() result.Subject { return result.Subject{Library: "bare"} }
func (b bare) Open(c result.Case) (provider.Operation, error) {
	return loop.BlockCipher{New: newAES}.Open(c, b.v)
}

func TestHarness(t *testing.T) {
	p := harness.Providers(judge.New(provider.Setting{Seed: 1}))[0]
	var cs []result.Case
	for _, kind := range algorithm.Loops() {
		cs = append(cs, result.Case{Algorithm: "empty", Mode: kind, Operation: "call"})
	}
	for _, mode := range []string{"add", "imul"} {
		cs = append(cs, result.Case{Algorithm: "chain", Mode: mode, Operation: "steps", Parameters: "steps=1024"})
	}
	for _, parameters := range []string{"calls=103", "calls=97", "calls=1"} {
		cs = append(cs, result.Case{Algorithm: "planted", Mode: "AES-128-CBC", Operation: "encrypt", Bytes: 1024, Parameters: parameters})
	}
	for _, c := range cs {
		if err := providertest.Verify(p, c); err != nil {
			t.Errorf("%s %s: %v", c.Name(), c.Parameters, err)
		}
	}
	for _, c := range []result.Case{
		{Algorithm: "empty", Mode: "nothing", Operation: "call"},
		{Algorithm: "empty", Mode: "block", Operation: "call", Bytes: 1},
		{Algorithm: "chain", Mode: "add", Operation: "steps", Parameters: "steps=0"},
		{Algorithm: "chain", Mode: "div", Operation: "steps", Parameters: "steps=64"},
		{Algorithm: "planted", Mode: "AES-128-CBC", Operation: "encrypt", Bytes: 1024, Parameters: "calls=03"},
	} {
		if err := providertest.Verify(p, c); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s %s: %v, want unsupported", c.Name(), c.Parameters, err)
		}
	}
}

// TestExposureIsOffered: the worker asks for a scenario before it asks for an
// operation, so what is none must be absent as one.
func TestExposureIsOffered(t *testing.T) {
	for i, p := range withCiphers(judge.New(provider.Setting{Seed: 1})) {
		for _, algorithm := range []string{"SM4", "AES-128"} {
			c := result.Case{Algorithm: algorithm, Mode: "CTR", Operation: "exposure", Bytes: loop.ExposureBytes}
			_, err := provider.PrepareScenario(p, c)
			want := i == 0 && algorithm == "AES-128" || (i == 2 || i >= established) && algorithm == "SM4"
			if want != (err == nil) || !want && !errors.Is(err, provider.ErrAbsent) {
				t.Errorf("%s %s: %v, want it opened: %v", p.Subject().Library, c.Name(), err, want)
			}
			if _, err := provider.Prepare(p, c); !errors.Is(err, provider.ErrAbsent) {
				t.Errorf("%s %s as an operation: %v", p.Subject().Library, c.Name(), err)
			}
			c.Operation = "encrypt"
			if _, err := provider.PrepareScenario(p, c); !errors.Is(err, provider.ErrAbsent) {
				t.Errorf("%s %s as a scenario: %v", p.Subject().Library, c.Name(), err)
			}
			c.Operation, c.Bytes = "exposure", 16
			if _, err := provider.PrepareScenario(p, c); want && (err == nil || errors.Is(err, provider.ErrAbsent)) {
				t.Errorf("%s %s of 16 bytes: %v, want unsupported, not absent", p.Subject().Library, c.Name(), err)
			}
		}
	}
}

// TestWithoutAES: under GODEBUG=cpu.aes=off the kernels of the libraries that heed
// it are named as what then runs, the others' stay, and the output is right.
func TestWithoutAES(t *testing.T) {
	if !child() {
		inChild(t, "TestWithoutAES", "GODEBUG=cpu.aes=off")
		return
	}
	if !isa.AMD64 && !isa.ARM64 {
		t.Skip("no kernel is named on this architecture")
	}
	judge := judge.New(provider.Setting{Seed: 1})
	for i, test := range []struct{ algorithm, mode, kernel string }{
		{"AES-128", "GCM", "generic tables"},
		{"ChaCha20-Poly1305", "", ""}, // any: it has no AES in it
		{"SM4", "GCM", "generic tables"},
		{"SM4", "GCM", "generic tables"},
	} {
		p := withCiphers(judge)[i]
		for _, c := range cases([]string{test.algorithm}, []string{test.mode}, bothWays, 16, 64, 1350) {
			if err := providertest.Verify(p, c); err != nil {
				t.Errorf("%s %s of %d bytes: %v", c.Name(), c.Operation, c.Bytes, err)
			}
			k, ok := p.(provider.Describer)
			if got := k.Implementation(c); !ok || test.kernel != "" && got != test.kernel && !isa.SM4() {
				t.Errorf("%s %s of %d bytes: %q, want %q", c.Name(), c.Operation, c.Bytes, got, test.kernel)
			}
		}
	}
}

// TestKernelWords: names of kernels are made of known words, so that a statement that misspells one is
// told from one about another machine.
func TestKernelWords(t *testing.T) {
	t.Setenv("FORCE_SM4BLOCK_AESNI", "1")
	known, named := subject.KernelWords(), 0
	for _, p := range Go(judge.New(provider.Setting{Seed: 1})) {
		s := p.Subject()
		for _, e := range question.All() {
			for _, c := range e.Cases {
				name := p.(provider.Describer).Implementation(c)
				for _, word := range subject.InKernel(name) {
					if named++; !slices.Contains(known, word) {
						t.Fatalf("%s: %q of %q is not among them", s.Library, word, name)
					}
				}
			}
		}
	}
	if named == 0 {
		t.Error("no kernel has a name")
	}
}
