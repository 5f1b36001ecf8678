package sums

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/manifest"
	"github.com/cryptogauge/cryptogauge/internal/treehash"
)

// stand is all that stands in a folder: names, and what is in files and links.
func stand(t *testing.T, folder string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text := ""
		switch path := filepath.Join(folder, e.Name()); {
		case e.Type().IsRegular():
			contents, _ := os.ReadFile(path)
			text = string(contents)
		case e.Type()&os.ModeSymlink != 0:
			text, _ = os.Readlink(path)
		}
		all = append(all, e.Name()+" "+e.Type().String()+" "+text)
	}
	return all
}

// What is nobody's manifest is refused, and neither it nor anything beside it is touched.
func TestRefused(t *testing.T) {
	const precious = "precious\n"
	for _, c := range []struct {
		what, want string
		make       func(t *testing.T)
	}{
		{"a file", "m: is no manifest, and is not overwritten", func(t *testing.T) { write(t, "m", precious) }},
		{"a file without lines", "m: is no manifest", func(t *testing.T) { write(t, "m", "precious") }},
		{"a binary", "m: is no manifest", func(t *testing.T) { write(t, "m", "\x7fELF\x00\x01\x00\x00") }},
		{"JSON", "m: is no manifest", func(t *testing.T) { write(t, "m", `{"name":"package"}`+"\n") }},
		{"JSON without an end", "m: is no manifest", func(t *testing.T) { write(t, "m", `{"name":"a","digest":"00"`) }},
		{"a digest too long", "m: is no manifest", func(t *testing.T) { write(t, "m", strings.Repeat("00", 65)+"  x\n") }},
		{"a part", "m.part: is no manifest", func(t *testing.T) { write(t, "m.part", precious) }},
		{"a state", "m.state: is no state of a manifest", func(t *testing.T) { write(t, "m.state", precious) }},
		{"a state's part", "m.state.part: is no state of a manifest", func(t *testing.T) { write(t, "m.state.part", "p") }},
		{"a link", "m: is a symbolic link", func(t *testing.T) { link(t, "victim", "m") }},
		{"a link to a manifest", "m: is a symbolic link", func(t *testing.T) {
			write(t, "other", "900150983cd24fb0d6963f7d28e17f72  a\n")
			link(t, "other", "m")
		}},
		{"a link to nothing", "m: is a symbolic link", func(t *testing.T) { link(t, "nothing", "m") }},
		{"a part's link", "m.part: is a symbolic link", func(t *testing.T) { link(t, "victim", "m.part") }},
		{"a part's link to nothing", "m.part: is a symbolic link", func(t *testing.T) { link(t, "nothing", "m.part") }},
		{"a state's link", "m.state: is a symbolic link", func(t *testing.T) { link(t, "victim", "m.state") }},
		{"a state's part's link", "m.state.part: is a symbolic link", func(t *testing.T) { link(t, "victim", "m.state.part") }},
		{"a part with two names", "m.part: has more than one name", func(t *testing.T) {
			if err := os.Link("victim", "m.part"); err != nil {
				t.Skip(err)
			}
		}},
		{"a folder", "m: is a directory", func(t *testing.T) { write(t, "m/x", "") }},
		{"a part's folder", "m.part: is a directory", func(t *testing.T) { write(t, "m.part/x", "") }},
		{"a state's folder", "m.state: is no regular file", func(t *testing.T) { write(t, "m.state/x", "") }},
		{"an input", "a: is to be hashed, and this run would write it", func(t *testing.T) { write(t, "a", "x"); hard(t, "a", "m") }},
		{"an input that is a state", "a: is to be hashed", func(t *testing.T) { write(t, "a", "x"); hard(t, "a", "m.state") }},
		{"an input that is a link", "a: is to be hashed", func(t *testing.T) { write(t, "m", ""); link(t, "m", "a") }},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write(t, "victim", "900150983cd24fb0d6963f7d28e17f72  a\n")
			c.make(t)
			before := stand(t, ".")
			for _, resume := range []string{"", "m"} {
				if resume != "" && strings.Contains(c.what, "state") {
					continue // refused as well, in the words of who wants to read it
				}
				m, _, _ := making(t, "md5", "a")
				m.Output, m.Resume, m.Inputs = "m", resume, []string{"a"}
				_, err := Make(t.Context(), m)
				var usage *UsageError
				if !errors.As(err, &usage) || !strings.HasPrefix(usage.Text, c.want) {
					t.Errorf("got %v, want %s", err, c.want)
				}
				if after := stand(t, "."); !slices.Equal(before, after) {
					t.Errorf("it was touched:\n%q\n%q", before, after)
				}
			}
		})
	}
}

func link(t *testing.T, to, from string) {
	t.Helper()
	if err := os.Symlink(to, from); err != nil {
		t.Skip(err)
	}
}

func hard(t *testing.T, to, from string) {
	t.Helper()
	if err := os.Link(to, from); err != nil {
		t.Skip(err)
	}
}

// What an earlier run or md5sum has made is replaced, in whatever form; an empty file, too.
func TestReplaced(t *testing.T) {
	tree(t, 3)
	texts := []string{"", "# by hand\n\n900150983cd24fb0d6963f7d28e17f72  a\n"}
	for _, form := range []manifest.Form{{}, tagged, {Zero: true}, {Base64: true}, {Tag: "yes", Zero: true, Base64: true}, {Binary: true}} {
		texts = append(texts, lines(t, "sha3-384", form, "tree"))
	}
	m, out, _ := making(t, "md5", "tree", "gone")
	m.JSON = true
	if _, err := Make(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	texts = append(texts, out.String())
	want := lines(t, "md5", manifest.Form{}, "tree")
	for _, text := range texts {
		write(t, "m", text)
		m, _, _ := making(t, "md5", "tree")
		m.Output = "m"
		if _, err := Make(t.Context(), m); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if got, _ := os.ReadFile("m"); string(got) != want {
			t.Errorf("%q was not replaced", text)
		}
	}
}

// Somebody else's file that turns up in the manifest's place stays, and so does what was made.
func TestMeanwhile(t *testing.T) {
	tree(t, 3)
	want := lines(t, "md5", manifest.Form{}, "tree")
	m, _, _ := making(t, "md5")
	m.Output = "m"
	m.Source = func(f *treehash.Feed) error {
		write(t, "m", "precious\n")
		return treehash.Paths([]string{"tree"}, treehash.Leave)(f)
	}
	made, err := Make(t.Context(), m)
	var output *OutputError
	if !errors.As(err, &output) || made.File != "m.part" {
		t.Errorf("%v, in %s", err, made.File)
	}
	foreign, _ := os.ReadFile("m")
	if part, _ := os.ReadFile("m.part"); string(foreign) != "precious\n" || string(part) != want {
		t.Errorf("m is %q, and m.part %q", foreign, part)
	}
}

// A manifest in the tree that it is of is left out with what stands beside it, and that is said.
func TestLeftOut(t *testing.T) {
	tree(t, 3)
	settle()
	want := lines(t, "md5", manifest.Form{}, "tree")
	for _, resume := range []string{"", "", "tree/SUMS"} {
		m, _, said := making(t, "md5", "tree")
		m.Output, m.Resume = "tree/SUMS", resume
		made, err := Make(t.Context(), m)
		if got, _ := os.ReadFile("tree/SUMS"); err != nil || string(got) != want || made.Lines != 3 {
			t.Errorf("%v, %q", err, got)
		}
		if said.String() != "tree/SUMS: left out, and what stands beside it: this run writes it" {
			t.Errorf("said: %s", said)
		}
	}
}

// What a run leaves behind that was killed is gone on from: lines that are whole, and what is known.
func TestKilled(t *testing.T) {
	tree(t, 100)
	settle()
	want := lines(t, "md5", manifest.Form{}, "tree")
	for _, c := range []struct {
		what          string
		part, records int // of the lines of a whole one
		whole         bool
	}{{"early", 10, 12, false}, {"nothing yet", 0, 0, false}, {"late", 99, 99, false}, {"beside a whole one", 30, 40, true}} {
		for _, name := range []string{"m", "m.state", "m.part", "m.state.part"} {
			os.Remove(name)
		}
		m, _, _ := making(t, "md5", "tree")
		m.Output = "m"
		if _, err := Make(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		whole, _ := os.ReadFile("m")
		state, _ := os.ReadFile("m.state")
		torn := "900150983cd2"
		if c.part == 0 {
			torn = ""
		}
		write(t, "m.part", cut(whole, c.part)+torn)
		write(t, "m.state.part", cut(state, c.records+1)+"9001 5098")
		os.Remove("m.state")
		if !c.whole {
			os.Remove("m")
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		m.Resume = "m"
		made, err := Make(ctx, m)
		if err == nil || made.Kept != int64(c.part) && !c.whole {
			t.Errorf("%s: %v, %d lines were kept, want %d", c.what, err, made.Kept, c.part)
		}
		if got, _ := os.ReadFile("m"); string(got) != cut(whole, c.part) && !c.whole || c.whole && string(got) != want {
			t.Errorf("%s: what was there is %q", c.what, got)
		}
		made, err = Make(t.Context(), m)
		if err != nil || made.Skipped != int64(c.records) {
			t.Errorf("%s: %v, %d files were not read again, want %d", c.what, err, made.Skipped, c.records)
		}
		if got, _ := os.ReadFile("m"); string(got) != want {
			t.Errorf("%s: another manifest in the end", c.what)
		}
		if left, _ := filepath.Glob("m*"); !slices.Equal(left, []string{"m", "m.state"}) {
			t.Errorf("%s: left behind: %v", c.what, left)
		}
	}
}

// cut is the first lines of a text.
func cut(text []byte, lines int) string {
	return string(bytes.Join(bytes.SplitAfter(text, []byte{'\n'})[:lines], nil))
}

// A state of which anything was changed proves no wrong digest, and that it was changed is said.
func TestDamagedState(t *testing.T) {
	tree(t, 6)
	settle()
	m, _, _ := making(t, "md5", "tree")
	m.Output = "m"
	if _, err := Make(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	state, _ := os.ReadFile("m.state")
	want, _ := os.ReadFile("m")
	step := 7
	if testing.Short() {
		step = 41
	}
	damaged, refused := regexp.MustCompile(`^m\.state: is damaged \([12] lines`), 0
	for at := 0; at < len(state); at += step {
		bad := bytes.Clone(state)
		if bad[at]++; at%2 == 0 {
			bad[at] -= 2
		}
		write(t, "m.state", string(bad))
		m, _, said := making(t, "md5", "tree")
		m.Output, m.Resume = "m", "m"
		made, err := Make(t.Context(), m)
		var usage *UsageError
		switch got, _ := os.ReadFile("m"); {
		case !bytes.Equal(got, want):
			t.Fatalf("byte %d: another manifest:\n%s", at, got)
		case errors.As(err, &usage) && at < bytes.IndexByte(state, '\n')+1:
			refused++
		case at == len(state)-1 && err == nil && made.Skipped == 6: // the last line has no end, as if the run had been killed there
		case err != nil || made.Skipped < 4 || !damaged.MatchString(said.String()):
			t.Errorf("byte %d of %d: %v, %d skipped, said: %s", at, len(state), err, made.Skipped, said)
		}
	}
	if refused == 0 {
		t.Error("the header was never damaged")
	}
}

// Lines of a state under another algorithm's name prove nothing.
func TestStateOfAnother(t *testing.T) {
	tree(t, 6)
	settle()
	want := lines(t, "sm3", manifest.Form{}, "tree")
	m, _, _ := making(t, "sha256", "tree")
	m.Output = "m"
	if _, err := Make(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	state, _ := os.ReadFile("m.state")
	write(t, "m.state", string(headerOf(named(t, "sm3", 0)))+string(state[bytes.IndexByte(state, '\n')+1:]))
	m, _, _ = making(t, "sm3", "tree")
	m.Output, m.Resume = "m", "m"
	made, err := Make(t.Context(), m)
	if got, _ := os.ReadFile("m"); err != nil || made.Skipped != 0 || string(got) != want {
		t.Errorf("%v, %d skipped, %s", err, made.Skipped, got)
	}
}

// A state of before there were checksums proves nothing; that is said, and the manifest is made anew.
func TestOldState(t *testing.T) {
	tree(t, 6)
	settle()
	m, _, _ := making(t, "md5", "tree")
	m.Output = "m"
	if _, err := Make(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	state, _ := os.ReadFile("m.state")
	var old strings.Builder
	old.WriteString(`{"state":"cryptogauge.hash/1","algorithm":"md5"}` + "\n")
	records := bytes.SplitAfter(state, []byte{'\n'})[1:]
	for _, line := range records[:6] {
		old.Write(line[17:])
	}
	old.WriteString("end\n")
	write(t, "m.state", strings.Replace(old.String(), "\n0", "\nf", 1))
	want, _ := os.ReadFile("m")
	m, _, said := making(t, "md5", "tree")
	m.Output, m.Resume = "m", "m"
	made, err := Make(t.Context(), m)
	if got, _ := os.ReadFile("m"); err != nil || made.Skipped != 0 || !bytes.Equal(got, want) {
		t.Errorf("%v, %d skipped", err, made.Skipped)
	}
	if said.String() != "m.state: is of an earlier version and has no checksums; every file is read" {
		t.Errorf("said: %s", said)
	}
	if now, _ := os.ReadFile("m.state"); !bytes.Equal(now, state) {
		t.Errorf("the state is not what a new one is:\n%s\n%s", now, state)
	}
}

// Rehash reads what seems unchanged, and tells of what isn't.
func TestRehash(t *testing.T) {
	tree(t, 20)
	settle()
	m, _, _ := making(t, "sha256", "tree")
	m.Output = "m"
	if _, err := Make(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	// A write through mmap that left the stamp as it was: the state holds another digest for it.
	want, _ := os.ReadFile("m")
	lie(t, "m.state", named(t, "sha256", 0).Name)
	m.Resume = "m"
	if made, err := Make(t.Context(), m); err != nil || made.Skipped != 20 {
		t.Fatalf("%v, %d skipped", err, made.Skipped)
	}
	if got, _ := os.ReadFile("m"); bytes.Equal(got, want) {
		t.Fatal("the lie was not believed; this test shows nothing")
	}
	m, _, said := making(t, "sha256", "tree")
	m.Output, m.Resume, m.Rehash = "m", "m", true
	made, err := Make(t.Context(), m)
	if got, _ := os.ReadFile("m"); err != nil || made.Skipped != 0 || !bytes.Equal(got, want) {
		t.Errorf("%v, %d skipped, %s", err, made.Skipped, got)
	}
	if got := said.String(); got != "tree/0/00000: its contents are others than before, and its size and times are not" {
		t.Errorf("said: %s", got)
	}
}

// lie changes the digest in the first record of a state, with its checksum.
func lie(t *testing.T, path, algorithm string) {
	t.Helper()
	state, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := bytes.SplitAfter(state, []byte{'\n'})
	line := all[1][17 : len(all[1])-1]
	digest, err := hex.DecodeString(string(line[:64]))
	if err != nil {
		t.Fatal(err)
	}
	digest[0]++
	hex.Encode(line, digest)
	check := checksumOf(algorithm, line)
	copy(all[1], check[:])
	write(t, path, string(bytes.Join(all[:len(all)-2], nil)))
	if err := seal(path, int64(len(mustRead(t, strings.TrimSuffix(path, stateSuffix))))); err != nil {
		t.Fatal(err)
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A manifest and its state are no more open to others than the manifest was.
func TestMode(t *testing.T) {
	tree(t, 3)
	write(t, "m", "")
	if err := os.Chmod("m", 0o600); err != nil {
		t.Fatal(err)
	}
	m, _, _ := making(t, "md5", "tree")
	m.Output = "m"
	if _, err := Make(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"m", "m.state"} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}
