package digest

import (
	"crypto/fips140"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/multibuffer"
)

// Names are those of all algorithms, as they are typed.
func Names() []string {
	var names []string
	for _, a := range all {
		names = append(names, a.Name)
	}
	return names
}

// Named returns the algorithm that is typed so.
func Named(name string) (*Algorithm, error) {
	for _, a := range all {
		if a.Name == name {
			return a, a.allowed()
		}
	}
	return nil, fmt.Errorf("there is no algorithm %q, but %s", name, strings.Join(Names(), ", "))
}

// Tagged returns the algorithm that manifests of BSD's form call so, or nil.
func Tagged(tag string) *Algorithm {
	for _, a := range all {
		if a.Tag == tag {
			return a
		}
	}
	return nil
}

// Sized returns the algorithm that a digest of this size is taken for where nothing names it: the one
// that has a program in every coreutils. SM3's are taken for SHA-256's, and BLAKE2b's for SHA-512's.
func Sized(bytes int) *Algorithm {
	for _, name := range []string{"md5", "sha1", "sha256", "sha512"} {
		if a, err := Named(name); a != nil && a.Size == bytes && err == nil {
			return a
		}
	}
	return nil
}

// errForbidden is why an algorithm can't be used under a policy.
var errForbidden = errors.New("GODEBUG=fips140=only forbids it; sha256 and sha512 are allowed")

// allowed is nil unless the process is held to FIPS 140-3, where the standard library refuses the rest
// in the middle of things.
func (a *Algorithm) allowed() error {
	if fips140.Enforced() && a.Name != "sha256" && a.Name != "sha512" {
		return fmt.Errorf("%s: %w", a.Name, errForbidden)
	}
	return nil
}

// New returns a hash for one long message.
func (a *Algorithm) New() hash.Hash { return a.new() }

// Summer returns one for the calling goroutine.
func (a *Algorithm) Summer() Summer { return a.summer() }

// Read hashes what comes from readers until io.EOF: sums[i] is the digest of readers[i], or errs[i] is
// what ended it. Call it with so many as Together says that it pays.
func (a *Algorithm) Read(sums []Sum, errs []error, readers []io.Reader) { a.read(sums, errs, readers) }

// Together says from how many long messages on reading them at once beats one after the other, and how
// many at once are best. Both are 1 where it never does.
func (a *Algorithm) Together() (fewest, most int) {
	if t, ok := together[multibuffer.New().Implementation()][a.Name]; ok && !fips140.Enforced() {
		return t.fewest, t.most
	}
	return 1, 1
}

// together is what multibuffer's package documentation says of its implementations.
var together = map[string]map[string]struct{ fewest, most int }{
	"avx512": {"md5": {3, 64}, "sm3": {2, 32}, "sha256": {10, 32}, "sha1": {6, 48}},
	"avx2":   {"md5": {3, 16}, "sm3": {2, 8}},
}

// inLanes is a Summer by multibuffer.
func inLanes[D any](sum func([]D, [][]byte), bytes func(*D) []byte) func() Summer {
	return func() Summer {
		var digests []D
		return func(sums []Sum, messages [][]byte) {
			digests = slices.Grow(digests[:0], len(messages))[:len(messages)]
			sum(digests, messages)
			for i := range digests {
				copy(sums[i][:], bytes(&digests[i]))
			}
		}
	}
}

// inStep reads by multibuffer.
func inStep[D any](read func(multibuffer.Hasher, []D, []error, []io.Reader), bytes func(*D) []byte) func([]Sum, []error, []io.Reader) {
	return func(sums []Sum, errs []error, readers []io.Reader) {
		digests := make([]D, len(readers))
		read(multibuffer.New(), digests, errs, readers)
		for i := range digests {
			copy(sums[i][:], bytes(&digests[i]))
		}
	}
}

// oneByOne is a Summer where nothing is faster.
func oneByOne(sum func(message []byte) Sum) func() Summer {
	return func() Summer {
		return func(sums []Sum, messages [][]byte) {
			for i, m := range messages {
				sums[i] = sum(m)
			}
		}
	}
}
