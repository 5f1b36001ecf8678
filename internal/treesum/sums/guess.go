package sums

import (
	"fmt"
	"os"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// A guess is what is known of the algorithm of lines that don't name it: what the state beside the manifest says,
// or else the one of those with digests of this size by which a file is what the manifest says. The first such
// file decides for all lines with digests of the size.
type guess struct {
	state        *digest.Algorithm
	known, found map[int]*digest.Algorithm // by size; found are those of the job at work
	wrong        map[int]int64             // files that none of the candidates fits
	room         int
}

// mostTried is how many files are hashed by all candidates before their results are looked at.
const mostTried = 4096

// askState asks the state of a manifest, unless the manifest was written since by something else.
func (k *checker) askState(path string) {
	m, err := os.Stat(path)
	if err != nil {
		return
	}
	s, err := os.Stat(path + stateSuffix)
	if err != nil || s.ModTime().Before(m.ModTime()) {
		return
	}
	k.state = stateAlgorithm(path + stateSuffix)
	if k.state != nil && k.Algorithm != nil && !k.wants(k.state) {
		name := Quote([]byte(path + stateSuffix))
		k.Say(language.Text{EN: fmt.Sprintf("%s says %s, and -a says %s; -a decides", name, k.state.Name, k.Algorithm.Name),
			ZH: fmt.Sprintf("%s 注明 %s，而 -a 指定 %s；以 -a 为准", name, k.state.Name, k.Algorithm.Name)})
	}
}

// of is what lines with digests of a size are to be checked by; nil if there is nothing.
func (g *guess) of(size int) *digest.Algorithm {
	if g.state != nil && g.state.Size == size {
		return g.state
	}
	if a := g.known[size]; a != nil {
		return a
	}
	if fitting := digest.Fitting(size); len(fitting) > 0 {
		return digest.OneOf(fitting)
	}
	return nil
}

// more is how many lines without a known algorithm the next job takes: one, then twice as many each time.
func (g *guess) more() int {
	g.room = min(max(1, 2*g.room), mostTried)
	return g.room
}

// ambiguous says whether an algorithm stands for several that people mean. A short BLAKE2b is always possible, and
// hardly anybody means it where there is another.
func ambiguous(a *digest.Algorithm) bool { return len(a.Candidates()) > 2 }

// right says whether a file is what the manifest says.
func (k *checker) right(r *treehash.Result) bool {
	right := r.Digest == r.Given.Digest
	candidates := r.Given.Algorithm.Candidates()
	if len(candidates) == 1 {
		return right
	}
	size := r.Given.Algorithm.Size
	switch {
	case !right:
		if k.wrong == nil {
			k.wrong = map[int]int64{}
		}
		k.wrong[size]++
	case k.found[size] != nil:
		right = k.found[size] == r.By
	default:
		if k.found == nil {
			k.found = map[int]*digest.Algorithm{}
		}
		k.found[size] = r.By
		if !k.Quiet && (ambiguous(r.Given.Algorithm) || r.By != candidates[0]) {
			k.remark(language.Say("the lines name no algorithm; their digests are by %s (-a %s)", "各行未注明算法；其摘要为 %s（-a %s）",
				r.By.Tag, r.By.Name))
		}
	}
	return right
}

// learn takes over what a job has found.
func (g *guess) learn() {
	if g.known == nil {
		g.known = map[int]*digest.Algorithm{}
	}
	for size, a := range g.found {
		g.known[size] = a
	}
}

// doubt says in the end where perhaps not the files are wrong but the algorithm is.
func (k *checker) doubt() {
	for size := range digest.MostBytes + 1 {
		fitting := digest.Fitting(size)
		if k.wrong[size] == 0 || k.known[size] != nil || !ambiguous(digest.OneOf(fitting)) {
			continue
		}
		var tried []string
		for _, a := range fitting {
			tried = append(tried, a.Name)
		}
		k.remark(language.Say("no file has its digest by %s; if the digests are of something else, name it with -a",
			"没有文件的摘要与 %s 相符；若为其他算法，请用 -a 指定", strings.Join(tried, ", ")))
	}
	if k.state != nil && k.Algorithm == nil && k.Right == 0 && k.Failed > 0 {
		k.remark(language.Say("no file has its digest by %s, which the state beside it names; if the digests are of something else, name it with -a",
			"没有文件的摘要与旁边的状态文件所注明的 %s 相符；若为其他算法，请用 -a 指定", k.state.Name))
	}
}
