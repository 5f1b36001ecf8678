package document

import (
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/result"
)

// Who is the subject as people tell it from the others of the run, but for kernel
// and environment: its library; where that is called in several ways, the way, for
// all but the everyday one ("openssl/c-loop"); where there are several versions, the
// version ("openssl-3.0.19").
func (r *Row) Who() string {
	if r.who == "" {
		return r.Library
	}
	return r.who
}

func (b *builder) nameSubjects() {
	versions, paths := map[string][]string{}, map[string][]string{}
	add := func(m map[string][]string, k, v string) {
		if !slices.Contains(m[k], v) {
			m[k] = append(m[k], v)
		}
	}
	for i := range b.doc.Rows {
		r := &b.doc.Rows[i]
		if r.CallPath == "go" {
			continue // built in, of one version
		}
		if r.Status != result.Unsupported || r.Version != "" { // one that is not here has none
			add(versions, r.Library, r.Version)
		}
		add(paths, r.Library, r.CallPath)
	}
	for i := range b.doc.Rows {
		r := &b.doc.Rows[i]
		r.who = r.Library
		if r.CallPath == "go" || r.CallPath == "" {
			continue
		}
		if len(versions[r.Library]) > 1 && r.Version != "" {
			r.who += "-" + r.Version
		}
		if r.CallPath != everydayOf(paths[r.Library]) {
			r.who += "/" + r.CallPath
		}
	}
}

// everydayOf is the way in which a Go program would call a library, of those in the
// run: linked by cgo, else without a C compiler.
func everydayOf(paths []string) string {
	for _, way := range []string{"cgo", "purego"} {
		if slices.Contains(paths, way) {
			return way
		}
	}
	return strings.Join(paths, "")
}
