package plan

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/result"
)

// AlgorithmNames are what a case's algorithm is called, alone and with its mode
// ("AES-256-GCM", "SM4-CBC+HMAC-SM3"): what reports print as an algorithm can be typed as
// one, whatever stands between the parts. Of envelopes and handshakes reports print the
// mode, which names what they are made of, and leave out what most envelopes encrypt with.
func AlgorithmNames(c result.Case) (names []string) {
	names = append(names, c.Algorithm)
	if c.Mode == "" {
		return names
	}
	names = append(names, c.Name())
	envelope := c.Algorithm == algorithm.Envelope
	if strings.Contains(c.Mode, "+") && (envelope || c.Algorithm == algorithm.TLS13) {
		names = append(names, c.Mode)
	}
	if wrap, ok := strings.CutSuffix(c.Mode, "+"+algorithm.AES256GCM); ok && envelope {
		names = append(names, wrap)
	}
	return names
}

// calls says whether one of the names is a word, however that is written.
func calls(names []string, word string) bool {
	word = Bare(word)
	return slices.ContainsFunc(names, func(name string) bool { return Bare(name) == word })
}

// Bare is a name in small letters, without what stands between its parts.
func Bare(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("-+ _/", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// Validate says which word of a selection names nothing in any of the
// experiments, and what it could have been.
func (s Selection) Validate(es []Experiment) error {
	var algorithms, called, modes, operations []string
	for _, e := range es {
		for _, c := range e.Cases {
			algorithms, called = append(algorithms, c.Algorithm), append(called, AlgorithmNames(c)...)
			modes, operations = append(modes, c.Mode), append(operations, c.Operation)
		}
	}
	for _, check := range []struct {
		what                language.Text
		asked, known, close []string
		is                  func(names []string, word string) bool
	}{
		{language.Text{EN: "algorithm", ZH: "算法"}, s.Algorithms, algorithms, called, calls},
		{language.Text{EN: "mode", ZH: "模式"}, s.Modes, modes, modes, keeps},
		{language.Text{EN: "operation", ZH: "操作"}, s.Operations, operations, operations, keeps},
	} {
		for _, word := range check.asked {
			brings := func(e Experiment) bool { return e.Own } // of which not all is known before workers are asked
			if Bare(word) != "" && check.is(check.close, word) || slices.ContainsFunc(es, brings) {
				continue
			}
			return language.Errorf("unknown %s %q; %s", "未知的%s %q；%s",
				check.what, word, CouldBe(word, distinct(check.close), distinct(check.known)))
		}
	}
	return nil
}

func distinct(words []string) (out []string) {
	for _, w := range words {
		if w != "" && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// CouldBe says what a word that names nothing could have been: the nearest of some names, or else any that is known.
func CouldBe(word string, names, known []string) language.Text {
	if near := Nearest(word, names); len(near) > 0 {
		return language.Say("nearest: %s", "最接近的有：%s", strings.Join(near, ", "))
	}
	return language.Say("there are: %s", "可选的有：%s", strings.Join(known, ", "))
}

// Nearest are the names, three at most, that differ from a word by a slip of the
// fingers: in a third of its letters at most.
func Nearest(word string, names []string) (near []string) {
	w := Bare(word)
	far := func(name string) int { return slips(w, Bare(name)) }
	for _, name := range names {
		if apart := len(w) - len(Bare(name)); 3*max(apart, -apart) <= len(w) && 3*far(name) <= len(w) {
			near = append(near, name)
		}
	}
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(far(a), far(b)) })
	return near[:min(len(near), 3)]
}

// slips counts letters that are missing, too many, wrong, or changed places with the
// next (the Levenshtein distance with transpositions).
func slips(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
