package chunking

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/answer"
	"github.com/cryptogauge/cryptogauge/internal/layout"
)

// versions are what a cipher is in two versions of a library: degraded in the older and healthy in the newer.
type versions struct{ older, newer *pattern }

// mended says from which version on a library no longer works in small pieces, where a run has several versions.
func (c *view) mended() (all []*layout.Answer) {
	var found []versions
	for _, same := range answer.Grouped(c.compared, (*pattern).unversioned) {
		if v, ok := mendedIn(same); ok {
			found = append(found, v)
		}
	}
	for _, of := range answer.Grouped(found, func(v versions) string { return v.older.library() + " " + v.newer.Version }) {
		var said answer.Clauses
		for _, v := range of {
			said.Add(layout.Same(v.older.cipher()), v.older.ways[0].RowIDs[0], v.newer.ways[0].RowIDs[0])
		}
		first := of[0]
		all = append(all, said.Sentence(layout.Choose,
			"%s: take version %s instead of a way around update: in %s update of %s works in small pieces, that of %s does not. Of the versions in this run it is the first that is mended.",
			"%s：请改用 %s 版，而不是绕开 update：处理 %s 时，%s 的 update 在内部切成小块，%s 不再如此。在本次运行的各版本中，它最早修复了此问题。",
			first.older.Library, first.newer.Version, and(said.Parts), first.older.Version, first.newer.Version))
	}
	return all
}

// unversioned is what the patterns of one cipher have in common in all versions of a library.
func (p *pattern) unversioned() string {
	return strings.Join([]string{p.Library, p.CallPath, p.Implementation, p.cipher()}, " ")
}

// mendedIn finds the newest version that is degraded and the first one behind it that certainly is not.
func mendedIn(same []*pattern) (v versions, ok bool) {
	rising := slices.SortedFunc(slices.Values(same), func(a, b *pattern) int { return compareVersions(a.Version, b.Version) })
	for _, p := range rising {
		switch {
		case p.isDegraded():
			v = versions{older: p}
		case v.older != nil && v.newer == nil && p.worst != nil && p.isHealthy() && compareVersions(v.older.Version, p.Version) < 0:
			v.newer = p
		}
	}
	return v, v.newer != nil
}

// compareVersions compares numbers between dots; what no number begins comes first.
func compareVersions(a, b string) int {
	number := func(s string) int {
		n, _ := strconv.Atoi(s[:len(s)-len(strings.TrimLeft(s, "0123456789"))])
		return n
	}
	for a != "" || b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, ".")
		y, b, _ = strings.Cut(b, ".")
		if c := cmp.Compare(number(x), number(y)); c != 0 {
			return c
		}
	}
	return 0
}
