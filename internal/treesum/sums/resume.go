package sums

import (
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/manifest"
)

// A Resumed is how a manifest was made that is to be resumed.
type Resumed struct {
	Algorithm *digest.Algorithm // nil where nothing tells
	Remark    language.Text     // that it was guessed; empty where it wasn't
	Lines     bool              // it has some, and Form and JSON are theirs
	Form      manifest.Form
	JSON      bool
}

// LookResumed looks at a manifest that is to be resumed: its state names the algorithm, or else its lines do, or the
// length of their digests. One that contradicts what the user has named, unless that is nil, is refused. What is no
// manifest is left to Make to refuse.
func LookResumed(path string, named *digest.Algorithm) (r Resumed, err error) {
	at := resolved(path)
	for _, suffix := range []string{"", partSuffix} {
		if r.Algorithm == nil {
			r.Algorithm = stateAlgorithm(at + stateSuffix + suffix)
		}
	}
	s := lookEither(expected{state: r.Algorithm, named: named, torn: true}, at)
	r.Lines, r.Form, r.JSON = s.first.size > 0, s.first.form, s.json
	switch {
	case s.mixed:
		return r, usage("%s: has digests by several algorithms, and cannot be resumed; make a manifest of each with --output",
			"%s：其中有多种算法的摘要，无法继续；请用 --output 为每种算法各生成一个清单",
			Quote([]byte(path)))
	case !r.Lines:
		return r, nil
	case r.Algorithm != nil:
		if s.first.size != r.Algorithm.Size || s.first.by != nil && s.first.by != r.Algorithm {
			return r, usage("%s: is not by %s, which the state beside it names; remove %s to read every file again",
				"%s：其摘要不是旁边的状态文件所注明的 %s；删除 %s 即可重新读取每个文件",
				Quote([]byte(path)), r.Algorithm.Name, Quote([]byte(at+stateSuffix)))
		}
		return r, nil // Make refuses another than the state's
	case s.first.by != nil:
		r.Algorithm = s.first.by
	case named != nil && named.Size == s.first.size:
		r.Algorithm = named
	default:
		r.guess(path, s.first.size)
	}
	if named != nil && named != r.Algorithm {
		return r, usage("%s: has digests of %d bits%s, and -a says %s; leave -a out, or name another file with --output",
			"%s：摘要为 %d 位%s，而 -a 指定 %s；请去掉 -a，或用 --output 另取文件名",
			Quote([]byte(path)), 8*s.first.size, byWhat(s.first.by), named.Name)
	}
	return r, nil
}

func byWhat(a *digest.Algorithm) language.Text {
	if a == nil {
		return language.Text{}
	}
	return language.Say(" by %s", "（%s）", a.Name)
}

// lookEither looks at a manifest, or at what a run that was killed has left of one.
func lookEither(e expected, at string) (s standing) {
	for _, path := range []string{at, at + partSuffix} {
		f, err := openStanding(path)
		if f == nil || err != nil {
			continue
		}
		s, err = e.look(f)
		f.Close()
		if err == nil && s.lines > 0 {
			return s
		}
	}
	return standing{}
}

// guess takes the likeliest algorithm of those with digests of a size.
func (r *Resumed) guess(path string, size int) {
	fitting := digest.Fitting(size)
	if len(fitting) == 0 {
		return
	}
	r.Algorithm = fitting[0]
	if !ambiguous(digest.OneOf(fitting)) {
		return
	}
	var others []string
	for _, a := range fitting[1:] {
		others = append(others, a.Name)
	}
	r.Remark = about([]byte(path), language.Say("nothing names the algorithm of its digests; %s is taken, and -a names another (%s)",
		"其摘要的算法未注明；按 %s 处理，可用 -a 指定其他算法（%s）", r.Algorithm.Name, strings.Join(others, ", ")))
}
