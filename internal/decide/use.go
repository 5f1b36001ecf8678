package decide

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/plan"
	"github.com/cryptogauge/cryptogauge/result"
)

// ParseUse reads what runs today as people say it, the library and the name that reports print:
// "tjfoc/SM4-CBC". It returns one for each of the needs that it meets.
func ParseUse(text string, needs []Need) (map[Need]*Use, error) {
	library, name, _ := strings.Cut(text, "/")
	if library == "" || name == "" {
		return nil, language.Errorf("%q: give library and algorithm, e.g. tjfoc/SM4-CBC", "%q：请给出密码库与算法，例如 tjfoc/SM4-CBC", text)
	}
	library, err := named(language.Text{EN: "library", ZH: "密码库"}, library, libraries)
	if err != nil {
		return nil, err
	}
	found := map[Need]*Use{}
	for _, need := range needs {
		if u, ok := need.called(name); ok {
			u.Library = library
			found[need] = &u
		}
	}
	if len(found) == 0 {
		return nil, nothingCalled(name, needs)
	}
	return found, nil
}

// called is what a name says to be in use for a need.
func (n Need) called(name string) (Use, bool) {
	for _, u := range n.uses() {
		if slices.ContainsFunc(u.names(), func(known string) bool { return plan.Bare(known) == plan.Bare(name) }) {
			return u, true
		}
	}
	return Use{}, false
}

// nothingCalled says why a name meets none of the needs: it is another need's, leaves something
// open, or is none.
func nothingCalled(name string, needs []Need) error {
	var others []string
	for _, need := range Needs {
		if _, ok := need.called(name); ok {
			others = append(others, "--"+string(need))
		}
	}
	if len(others) > 0 {
		return language.Errorf("%s goes with %s: add that", "%s 应与 %s 同用：请加上", name,
			language.Text{EN: strings.Join(others, " or "), ZH: strings.Join(others, " 或 ")})
	}
	if len(needs) == 0 {
		needs = Needs
	}
	for _, among := range [][]Need{needs, Needs} {
		open := slices.DeleteFunc(calledFor(among), func(known string) bool { return !strings.HasPrefix(plan.Bare(known), plan.Bare(name)) })
		if len(open) > 0 {
			return language.Errorf("%s says too little; there are: %s", "%s 不够明确；可选的有：%s", name, strings.Join(open, ", "))
		}
	}
	return unknown(language.Text{EN: "algorithm", ZH: "算法"}, name, calledFor(needs))
}

// calledFor are the shortest names of what may run today for needs, each once.
func calledFor(needs []Need) (names []string) {
	for _, need := range needs {
		for _, u := range need.uses() {
			if name := u.names()[0]; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// uses are what may run today for a need, whoever does it.
func (n Need) uses() (all []Use) {
	for _, a := range algorithm.All() {
		for operation, need := range needOf {
			if need != n {
				continue
			}
			for _, mode := range modesOf(a, operation) {
				all = append(all, Use{Algorithm: a.Name, Mode: mode, Operation: operation})
			}
		}
	}
	return all
}

// kindOf is the kind of what does an operation, where the algorithm's key pair does not decide.
var kindOf = map[string][]algorithm.Kind{
	algorithm.Encrypt: {algorithm.BlockCipher, algorithm.KeyStream, algorithm.AEAD}, algorithm.Decrypt: {algorithm.BlockCipher, algorithm.KeyStream, algorithm.AEAD},
	algorithm.Hash: {algorithm.HashFunction}, algorithm.MAC: {algorithm.KeyedHash}, algorithm.Seal: {algorithm.Hybrid}, algorithm.Handshake: {algorithm.Protocol},
}

// modesOf are the modes in which an algorithm does an operation of a need; the empty one where it
// has none, and no mode where it does not do it.
func modesOf(a algorithm.Algorithm, operation string) (modes []string) {
	kinds, known := kindOf[operation]
	switch {
	case !known:
		for _, use := range a.Uses {
			if slices.Contains(use.Operations, operation) && len(use.Modes) == 0 {
				modes = append(modes, plan.Modeless...)
			} else if slices.Contains(use.Operations, operation) {
				modes = append(modes, use.Modes...)
			}
		}
		return modes
	case !slices.Contains(kinds, a.Kind):
		return nil
	case a.Kind == algorithm.BlockCipher:
		return slices.DeleteFunc(algorithm.Modes(), func(mode string) bool {
			return strings.Contains(mode, "+") && mode != algorithm.Composite(a.Name)
		})
	case a.Kind == algorithm.Hybrid || a.Kind == algorithm.Protocol:
		for _, c := range needOf[operation].composed() {
			modes = append(modes, c.Mode)
		}
		return modes
	}
	return plan.Modeless
}

// names are what people call it, the shortest first: with its mode, where it has one.
func (u Use) names() []string {
	c := u.of()
	names := plan.AlgorithmNames(c)
	if c.Mode != "" {
		names = names[1:] // the algorithm alone leaves the mode open
	}
	if padded, _, hashed := strings.Cut(c.Name(), "-SHA-"); hashed && algorithm.RSABits(c.Algorithm) > 0 {
		names = append(names, padded)
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	return names
}

// Offered refuses a workload that says of a library what it does not offer, among the trials that
// could be measured.
func (w *Workload) Offered(trials []result.Trial) error {
	for i := range w.Steps {
		s := &w.Steps[i]
		if s.Use == nil {
			continue
		}
		c, by := s.over(s.Use.of()).main(), []string{}
		for _, t := range trials {
			if t.Case == c && !slices.Contains(by, t.Subject.Library) {
				by = append(by, t.Subject.Library)
			}
		}
		switch name := s.Use.names()[0]; {
		case slices.Contains(by, s.Use.Library):
		case len(by) == 0:
			return language.Errorf("step %q: %s %s of %s is not offered here, nor by another library; see cryptogauge list",
				"步骤 %q：此处没有 %[4]s 的 %[2]s %[3]s，其他密码库也没有；见 cryptogauge list", s.Name, name, s.Use.Operation, s.Use.Library)
		default:
			return language.Errorf("step %q: %s %s of %s is not offered here; it is by %s",
				"步骤 %q：此处没有 %[4]s 的 %[2]s %[3]s；有此项的密码库：%[5]s", s.Name, name, s.Use.Operation, s.Use.Library, strings.Join(by, ", "))
		}
	}
	return nil
}
