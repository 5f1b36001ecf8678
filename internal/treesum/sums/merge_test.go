package sums

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/manifest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/shard"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// makePart makes part K of N under the name part.K.
func makePart(t testing.TB, form manifest.Form, s shard.Shard, algorithm string, paths ...string) (*Made, error) {
	t.Helper()
	m, _, _ := making(t, algorithm, paths...)
	m.Output, m.Form, m.Inputs = fmt.Sprintf("part.%d", s.Index), form, paths
	m.Part = &shard.Part{Shard: s, Algorithm: algorithm, Inputs: paths}
	return Make(t.Context(), m)
}

func makeParts(t testing.TB, form manifest.Form, of int, algorithm string, paths ...string) (parts []string) {
	t.Helper()
	for i := range of {
		if _, err := makePart(t, form, shard.Shard{Index: i, Of: of}, algorithm, paths...); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, fmt.Sprintf("part.%d", i))
	}
	return parts
}

// merged merges parts, given in another order than theirs.
func merged(t testing.TB, parts []string) (*Made, string, *told, error) {
	t.Helper()
	var out bytes.Buffer
	var said told
	turned := append(append([]string{}, parts[len(parts)/2:]...), parts[:len(parts)/2]...)
	made, err := Merge(t.Context(), Merging{Parts: turned, Out: &out, Say: said.say})
	return made, out.String(), &said, err
}

// hostileTree is a folder of hostile names, and two files beside it.
func hostileTree(t *testing.T) {
	t.Chdir(t.TempDir())
	for i, name := range hostile {
		for _, folder := range []string{"tree", "tree/new\nfolder", "tree/-d", `tree/b\s/a`, "tree-b"} {
			write(t, filepath.Join(folder, name), strings.Repeat("x", i*100))
		}
	}
	write(t, "one", "1")
	write(t, "two", "2")
}

// However many shards there are, and whatever is named, parts become what a run without shards makes.
func TestMerge(t *testing.T) {
	hostileTree(t)
	given := [][]string{
		{"two", "tree-b", "one", "tree"}, {"tree"}, {"tree/"}, {"tree", "tree/-d", "one", "one"}, {"tree/-d", "tree"}, {"one"}, {"./tree", "tree"},
	}
	if testing.Short() {
		given = given[:1]
	}
	for _, inputs := range given {
		for form, of := range map[manifest.Form]int{{}: 16, {Tag: "MD5"}: 3, {Zero: true}: 2, {Base64: true}: 1, {Binary: true}: 5} {
			plain, want, _ := making(t, "md5", inputs...)
			plain.Form = form
			if _, err := Make(t.Context(), plain); err != nil {
				t.Fatal(err)
			}
			parts := makeParts(t, form, of, "md5", inputs...)
			made, got, said, err := merged(t, parts)
			if err != nil || got != want.String() || made.Lines != int64(bytes.Count(want.Bytes(), []byte{form.End()})) || said.String() != "" {
				t.Errorf("%q in %d shards, %+v: %v %s\ngot  %q\nwant %q", inputs, of, form, err, said, got, want)
			}
			for _, part := range parts {
				os.Remove(part)
				os.Remove(part + stateSuffix)
			}
		}
	}
}

// md5sum accepts a part: it passes over comments.
func TestPartAgainstCoreutils(t *testing.T) {
	hostileTree(t)
	for _, part := range makeParts(t, manifest.Form{}, 3, "md5", "tree", "one") {
		if out, err := exec.Command("md5sum", "--check", "--strict", "--warn", "--quiet", part).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", part, err, out)
		}
	}
}

// Each way in which parts don't make a manifest is one line, and nothing is written.
func TestMergeRefuses(t *testing.T) {
	tree(t, 200)
	write(t, "other/a", "")
	parts := makeParts(t, manifest.Form{}, 3, "md5", "tree")
	change := func(part string, old, new string) func() {
		return func() {
			text, err := os.ReadFile(part)
			if err != nil || !bytes.Contains(text, []byte(old)) {
				t.Fatalf("%v: no %q in %s", err, old, part)
			}
			write(t, part, strings.Replace(string(text), old, new, 1))
		}
	}
	text, err := os.ReadFile("part.1")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	end := lines[len(lines)-2]
	for _, c := range []struct {
		wrong string
		do    func()
		parts []string
		want  string
	}{
		{"missing", nil, []string{"part.2", "part.0"}, "1 of 3 shards is missing: 1"},
		{"two missing", nil, []string{"part.2"}, "2 of 3 shards are missing: 0, 1"},
		{"a digit", change("part.1", lines[5], turned(lines[5])), parts, "part.1: was changed after it was made: it is not what the digest in its last line says; make it again"},
		{"twice", nil, []string{"part.0", "part.1", "part.2", "part.1"}, "part.1 and part.1: both are shard 1/3; leave one out"},
		{"no part", func() { write(t, "part.1", string(text[len(lines[0]):])) }, parts, "part.1: is no part of a manifest"},
		{"empty", func() { write(t, "part.1", "") }, parts, "part.1: is no part of a manifest"},
		{"nothing", func() { os.Remove("part.1") }, parts, "part.1: no such file or directory"},
		{"a folder", nil, []string{"tree", "part.0"}, "tree: is no regular file; parts are read twice"},
		{"other number", change("part.1", "1/3", "1/4"), parts, "part.0 is one of 3 shards, and part.1 one of 4"},
		{"other algorithm", change("part.1", "=md5", "=sm3"), parts, "part.0 is by md5, and part.1 by sm3"},
		{"other input", change("part.1", `input="tree"`, `input="other"`), parts, "part.0 and part.1 are not of the same files and folders"},
		{"cut", func() { write(t, "part.1", strings.TrimSuffix(string(text), end)) }, parts, "part.1: is not whole: its last line is missing"},
		{"cut in a line", func() { write(t, "part.1", string(text[:len(text)/2])) }, parts, "part.1: line "},
		{"a line less", change("part.1", lines[5], ""), parts, fmt.Sprintf("part.1: has %d lines, and its end says %d; make it again", len(lines)-4, len(lines)-3)},
		{"a line twice", change("part.1", lines[5], lines[5]+lines[5]), parts, "part.1: line 7 is out of order, or in none of the inputs"},
		{"exchanged", change("part.1", lines[5]+lines[6], lines[6]+lines[5]), parts, "part.1: line 7 is out of order"},
		{"another's line", change("part.1", lines[5], lines[5][:34]+nameOf("tree/x", 2)+"\n"), parts, "part.1: line 6 belongs to shard "},
		{"elsewhere", change("part.1", lines[5], lines[5][:34]+nameOf("elsewhere", 1)+"\n"), parts, "part.1: line 6 is out of order, or in none of the inputs"},
		{"no line", change("part.1", lines[5], "junk\n"), parts, "part.1: line 6 is none of a manifest by md5"},
		{"other digest", change("part.1", lines[5], "00"+lines[5]), parts, "part.1: line 6 is none of a manifest by md5"},
		{"other form", change("part.1", lines[5], strings.Replace(lines[5], "  ", " *", 1)), parts, "part.1: line 6 is in another form than those of part.0"},
		{"behind the end", change("part.1", end, end+lines[5]), parts, " stands behind the part's end"},
		{"two ends", change("part.1", end, end+end), parts, "part.1: something stands behind its end"},
	} {
		if c.do != nil {
			c.do()
		}
		var out bytes.Buffer
		_, err := Merge(t.Context(), Merging{Parts: c.parts, Output: "merged", Out: &out, Say: func(language.Text) {}})
		var usage *UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", c.wrong, err, c.want)
		}
		if left, _ := filepath.Glob("merged*"); left != nil || out.Len() > 0 {
			t.Errorf("%s: left %q, wrote %q", c.wrong, left, out.String())
		}
		write(t, "part.1", string(text))
	}
}

// turned is a line of which one digit of the digest is another.
func turned(line string) string {
	if line[0] == '0' {
		return "1" + line[1:]
	}
	return "0" + line[1:]
}

// A part of an earlier version, whose end has no digest, is merged.
func TestMergeWithoutDigest(t *testing.T) {
	tree(t, 100)
	parts := makeParts(t, manifest.Form{}, 2, "md5", "tree")
	_, want, _, err := merged(t, parts)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile("part.1")
	without, _, found := strings.Cut(string(text), " digest=")
	write(t, "part.1", without+"\n")
	if _, got, _, err := merged(t, parts); err != nil || got != want || !found {
		t.Errorf("%v, %d bytes, want %d, found %v", err, len(got), len(want), found)
	}
}

// nameOf is a name of shard i of 3.
func nameOf(begin string, i int) string {
	for n := 0; ; n++ {
		if name := fmt.Sprintf("%s%d", begin, n); shard.Number([]byte(name), 3) == i {
			return name
		}
	}
}

// A merged manifest in a file is as one that was made there, and what stands in its place is held to the same rules.
func TestMergeIntoFile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	tree(t, 300)
	makeFile(t, "sm3", "tree")
	want, _ := os.ReadFile("m")
	parts := makeParts(t, manifest.Form{}, 4, "sm3", "tree")
	var said told
	merge := func(output string) error {
		_, err := Merge(t.Context(), Merging{Parts: parts, Output: output, Say: said.say})
		return err
	}
	for range 2 { // the second replaces the first
		if err := merge("merged"); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile("merged"); !bytes.Equal(got, want) {
			t.Errorf("got %d bytes, want %d", len(got), len(want))
		}
	}
	if left, _ := filepath.Glob("*.part"); left != nil {
		t.Errorf("left %q", left)
	}
	if a := stateAlgorithm("merged" + stateSuffix); a == nil || a.Name != "sm3" {
		t.Errorf("the state names %v", a)
	}
	write(t, "letter", "dear all\n")
	for output, want := range map[string]string{
		"part.0": "part.0: is one of the parts; name another file", "letter": "letter: is no manifest, and is not overwritten",
	} {
		if err := merge(output); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", output, err)
		}
	}
	if said.String() != "" {
		t.Error(said.String())
	}
}

// The first run of a shard that is to be resumed when it is lost has nothing to remark; one without the state of an
// earlier run has.
func TestPartFirstRun(t *testing.T) {
	tree(t, 20)
	for _, want := range []string{"", "part.0.state: no earlier state; everything is read"} {
		m, _, said := making(t, "md5", "tree")
		m.Output, m.Resume, m.Part = "part.0", "part.0", &shard.Part{Shard: shard.Shard{Index: 0, Of: 2}, Algorithm: "md5", Inputs: []string{"tree"}}
		if _, err := Make(t.Context(), m); err != nil || strings.TrimSpace(said.String()) != want {
			t.Errorf("%v, said %q, want %q", err, said, want)
		}
		os.Remove("part.0.state")
	}
}

// A part is replaced only by the same shard's.
func TestPartReplaced(t *testing.T) {
	tree(t, 50)
	first := shard.Shard{Index: 0, Of: 3}
	for range 2 {
		if _, err := makePart(t, manifest.Form{}, first, "md5", "tree"); err != nil {
			t.Fatal(err)
		}
	}
	before, _ := os.ReadFile("part.0")
	_, err := makePart(t, manifest.Form{}, shard.Shard{Index: 0, Of: 4}, "md5", "tree")
	if err == nil || err.Error() != "part.0: is shard 0/3, and this run makes shard 0/4; name another file" {
		t.Error(err)
	}
	m, _, _ := making(t, "md5", "tree")
	m.Output = "part.0"
	if _, err := Make(t.Context(), m); err == nil || err.Error() != "part.0: is shard 0/3, and this run makes a whole manifest; name another file" {
		t.Error(err)
	}
	if after, _ := os.ReadFile("part.0"); !bytes.Equal(before, after) {
		t.Error("it was changed")
	}
	makeFile(t, "md5", "tree")
	if err := os.Rename("m", "part.0"); err != nil {
		t.Fatal(err)
	}
	if _, err := makePart(t, manifest.Form{}, first, "md5", "tree"); err == nil || err.Error() != "part.0: is a whole manifest, and this run makes shard 0/3; name another file" {
		t.Error(err)
	}
}

// A part without a line is replaced, too, though nothing but its first line says what it is.
func TestEmptyPartReplaced(t *testing.T) {
	tree(t, 1)
	for range 2 {
		makeParts(t, manifest.Form{}, 8, "md5", "tree")
	}
	if _, text, _, err := merged(t, makeParts(t, manifest.Form{}, 8, "md5", "tree")); err != nil || strings.Count(text, "\n") != 1 {
		t.Errorf("%v: %q", err, text)
	}
}

// A shard that was interrupted is refused, and merged when it was gone on with. It reads only its own files again.
func mergeInterrupted(t *testing.T) {
	plain, want, _ := making(t, "md5", "tree")
	if _, err := Make(t.Context(), plain); err != nil {
		t.Fatal(err)
	}
	parts := makeParts(t, manifest.Form{}, 3, "md5", "tree")
	os.Remove("part.1")
	os.Remove("part.1.state")
	s := shard.Shard{Index: 1, Of: 3}
	m, _, _ := making(t, "md5", "tree")
	m.Output, m.Resume, m.Part = "part.1", "part.1", &shard.Part{Shard: s, Algorithm: "md5", Inputs: []string{"tree"}}
	whole := m.Source
	m.Source = func(f *treehash.Feed) error { // fails behind the files
		if err := whole(f); err != nil {
			return err
		}
		return errors.New("planted")
	}
	if made, err := Make(t.Context(), m); err == nil || made.Lines < 500 {
		t.Fatalf("%+v, %v", made, err)
	}
	if _, _, _, err := merged(t, parts); err == nil || err.Error() != "part.1: is not whole: its last line is missing; finish it with --resume" {
		t.Error(err)
	}
	m.Source = whole
	made, err := Make(t.Context(), m)
	if err != nil || made.Skipped != made.Lines {
		t.Errorf("%+v, %v", made, err)
	}
	if _, text, _, err := merged(t, parts); err != nil || text != want.String() {
		t.Errorf("%v: %d bytes, want %d", err, len(text), want.Len())
	}
}

// A part of a manifest that there is whole is made of its state.
func TestPartFromWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	tree(t, 500)
	settle()
	makeFile(t, "md5", "tree")
	m, _, said := making(t, "md5", "tree")
	m.Output, m.Resume, m.Part = "part.1", "m", &shard.Part{Shard: shard.Shard{Index: 1, Of: 3}, Algorithm: "md5", Inputs: []string{"tree"}}
	if made, err := Make(t.Context(), m); err != nil || made.Skipped != made.Lines || made.Lines < 100 || made.Lines > 250 {
		t.Errorf("%+v, %v, %s", made, err, said)
	}
}

// What a shard couldn't read is told again when its part is merged.
func TestMergeFailed(t *testing.T) {
	tree(t, 20)
	paths := []string{"gone", "tree", "away"}
	plain, want, _ := making(t, "md5", paths...)
	plainMade, err := Make(t.Context(), plain)
	if err != nil || plainMade.Failed != 2 {
		t.Fatal(plainMade, err)
	}
	made, text, said, err := merged(t, makeParts(t, manifest.Form{}, 3, "md5", paths...))
	if err != nil || made.Failed != 2 || text != want.String() || !strings.Contains(said.String(), "could not be read, or changed meanwhile, when it was made") {
		t.Errorf("%+v, %v, %s", made, err, said)
	}
}

// Names that are too many for a first line are refused before anything is written.
func TestPartOfTooMany(t *testing.T) {
	tree(t, 1)
	var paths []string
	for i := range 4000 {
		paths = append(paths, fmt.Sprintf("tree/%d", i))
	}
	if _, err := makePart(t, manifest.Form{}, shard.Shard{Index: 0, Of: 2}, "md5", paths...); err == nil || !strings.Contains(err.Error(), "4000 names are too many") {
		t.Error(err)
	}
	if left, _ := filepath.Glob("part*"); left != nil {
		t.Errorf("left %q", left)
	}
}
