package digest

import (
	"crypto/fips140"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/crypto/blake2b"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Names are those of all algorithms, as they are typed.
func Names() []string {
	var names []string
	for _, a := range all {
		names = append(names, a.Name)
	}
	return names
}

// canonical is a name without what people write differently: SHA-256, sha_256 and sha256 are one.
func canonical(name string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(name))
}

// families are names that stand for an algorithm only with a length, as for cksum of the coreutils.
var families = map[string]string{"sha2": "sha", "sha3": "sha3-"}

// Named returns the algorithm that is typed so, with digests of so many bits; 0 is as many as the name says.
func Named(name string, bits int) (*Algorithm, error) {
	typed := canonical(name)
	if prefix, ok := families[typed]; ok {
		if bits != 224 && bits != 256 && bits != 384 && bits != 512 {
			return nil, language.Errorf("%s needs a length: -l 224, 256, 384 or 512", "%s 需要长度：-l 224、256、384 或 512", name)
		}
		typed, bits = canonical(prefix+strconv.Itoa(bits)), 0
	}
	a := find(typed)
	switch {
	case a == nil:
		return nil, language.Errorf("%q: there is no such algorithm; take one of %s", "%q：没有该算法；可用：%s", name, strings.Join(Names(), ", "))
	case bits == 0:
	case strings.HasPrefix(a.Name, "blake2b") && typed != "blake2b":
		if bits != 8*a.Size {
			return nil, language.Errorf("%s: its length is %d bits, and -l says %d; leave one out", "%s：长度为 %d 位，而 -l 给出 %d；请去掉其一", name, 8*a.Size, bits)
		}
	case a.Name != "blake2b":
		return nil, language.Errorf("%s: -l is only for blake2b, sha2 and sha3", "%s：-l 只用于 blake2b、sha2 与 sha3", name)
	case bits < 0 || bits%8 != 0 || bits > 8*MostBytes:
		return nil, language.Errorf("%s -l %d: the length is a multiple of 8, from 8 to %d", "%s -l %d：长度须为 8 至 %d 之间 8 的倍数", name, bits, 8*MostBytes)
	default:
		a = BLAKE2b(bits / 8)
	}
	return a, a.allowed()
}

// LengthOpen says whether what is typed names BLAKE2b without saying how long a digest is.
func LengthOpen(name string) bool { return canonical(name) == "blake2b" }

func find(typed string) *Algorithm {
	for _, a := range all {
		if canonical(a.Name) == typed {
			return a
		}
	}
	if bits, ok := strings.CutPrefix(typed, "blake2b"); ok {
		return tagged("BLAKE2b-" + bits)
	}
	return nil
}

// MostBytes is the size of the longest digest.
const MostBytes = blake2b.Size

// BLAKE2b returns BLAKE2b with digests of this size; nil if there is none.
func BLAKE2b(size int) *Algorithm {
	switch {
	case size == blake2b.Size:
		return find("blake2b")
	case size < 0 || size > blake2b.Size:
		return nil
	}
	return shortBLAKE2b()[size]
}

// Tagged returns the algorithm that manifests of BSD's form call so, or nil.
func Tagged(tag string) *Algorithm {
	if a := tagged(tag); a != nil && a.allowed() == nil {
		return a
	}
	return nil
}

func tagged(tag string) *Algorithm {
	for _, a := range all {
		if a.Tag == tag {
			return a
		}
	}
	bits, ok := strings.CutPrefix(tag, "BLAKE2b-")
	n, err := strconv.Atoi(bits)
	if !ok || err != nil || n <= 0 || n%8 != 0 || n > 8*MostBytes || strconv.Itoa(n) != bits {
		return nil
	}
	return BLAKE2b(n / 8)
}

// fewestBytes is the size of the shortest digest that anybody is taken to have meant where nothing names its
// algorithm.
const fewestBytes = 16

// Fitting returns the algorithms with digests of this size, the likeliest first: SHA-2, which has a program in
// every coreutils.
func Fitting(bytes int) (fitting []*Algorithm) {
	if bytes < fewestBytes || bytes > MostBytes {
		return nil
	}
	for _, a := range all {
		if a.Size == bytes && a.allowed() == nil {
			fitting = append(fitting, a)
		}
	}
	if i := slices.IndexFunc(fitting, isSHA2); i > 0 {
		fitting[0], fitting[i] = fitting[i], fitting[0]
	}
	if short := BLAKE2b(bytes); !slices.Contains(fitting, short) && short.allowed() == nil {
		fitting = append(fitting, short)
	}
	return fitting
}

func isSHA2(a *Algorithm) bool { return canonical(a.Name) == "sha"+strconv.Itoa(8*a.Size) }

// OneOf stands for several algorithms where nobody knows yet which one made a digest: what is hashed is read
// once, and hashed by each.
func OneOf(candidates []*Algorithm) *Algorithm {
	if len(candidates) == 1 {
		return candidates[0]
	}
	return &Algorithm{Name: "one of several", Size: candidates[0].Size, oneOf: candidates}
}

// Candidates are the algorithms that a stands for, mostly itself alone.
func (a *Algorithm) Candidates() []*Algorithm {
	if a.oneOf == nil {
		return []*Algorithm{a}
	}
	return a.oneOf
}

// errForbidden is why an algorithm can't be used under a policy.
var errForbidden = language.Error("GODEBUG=fips140=only forbids it; the algorithms of SHA-2 and SHA-3 are allowed",
	"GODEBUG=fips140=only 禁止使用；允许 SHA-2 与 SHA-3 各算法")

// allowed is nil unless the process is held to FIPS 140-3, where the standard library refuses the rest
// in the middle of things.
func (a *Algorithm) allowed() error {
	if fips140.Enforced() && !a.fips {
		return language.Errorf("%s: %w", "%s：%s", a.Name, errForbidden)
	}
	return nil
}
