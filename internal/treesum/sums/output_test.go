package sums

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/manifest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
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
				if !errors.As(err, &usage) || !strings.HasPrefix(usage.Error(), c.want) {
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

// What somebody may name by mistake is no manifest, however much of it resembles one.
func TestMistaken(t *testing.T) {
	tree(t, 3)
	const md5, sha1, sha256 = "900150983cd24fb0d6963f7d28e17f72", "a9993e364706816aba3e25717850c26c9cd0d89d",
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	for what, text := range map[string]string{
		"script":                      "#!/bin/sh\necho hi\nrm -rf build\n",
		"one command":                 "echo x\n",
		"letter":                      "Dear all,\nsee you\n",
		"source":                      "func main() {\n}\n",
		"list":                        "TODO buy milk\n",
		"words of four, two spaces":   "Dear  all\nmilk  eggs\n",
		"password":                    "Password hunter2\n",
		"table":                       "date amount\n2024 5\n",
		"comment":                     "# only a comment\n",
		"comments, as in fstab":       "# /dev/sda1 / ext4\n#\n\n# swap\n",
		"blank lines":                 "\n\n\n",
		"diary":                       "this is my diary, precious\nwith more text\n",
		"a word of four first":        "abcd efgh\nhello there\nno manifest at all\n",
		"no end of line":              "echo  hi",
		"git log --oneline":           "1a2b3c4 sums: read all lines\n5d6e7f80 digest: name it\n",
		"git log --pretty=oneline":    sha1 + " sums: read all lines\n" + sha1 + " digest: name it\n",
		"git rev-list":                sha1 + "\n" + sha1 + "\n",
		"git ls-remote":               sha1 + "\trefs/heads/main\n",
		"git show-ref":                sha1 + " refs/heads/main\n",
		"git ls-files -s":             "100644 " + sha1 + " 0\tgo.mod\n",
		"go.sum":                      "example.org/m v1.0.0 h1:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=\n",
		"UUIDs":                       "123e4567-e89b-12d3-a456-426614174000  a\n",
		"machine-id":                  md5 + "\n",
		"passwd":                      "root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1::/:/bin/sh\n",
		"xxd":                         "00000000: 2321 2f62 696e 2f73 680a                 #!/bin/sh.\n",
		"hexdump -C":                  "00000000  23 21 2f 62 69 6e 2f 73  68 0a  |#!/bin/sh.|\n0000000a\n",
		"od":                          "0000000 2321 2f62\n0000004\n",
		"CSV of digests":              sha256 + ",a\n" + sha256 + ",b\n",
		"TSV of digests":              sha256 + "\ta\n" + sha256 + "\tb\n",
		"known_hosts":                 "example.org ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHbS\n",
		"known_hosts, hashed":         "|1|kAFQmDzST7DWlj99KOF/cg==|kAFQmDzST7DWlj99KOF/cg== ssh-ed25519 AAAA\n",
		"authorized_keys":             "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHbS me@here\n",
		"CSV":                         "date,amount\n2024-01-01,5\n",
		"INI":                         "[core]\n\tbare = false\n",
		"log":                         "2024-01-01 10:00:00 started\ndeadbeef  request\n",
		"a call":                      "MD5 (name) = hash(name)\nprint(x)\n",
		"tag of a shorter digest":     "SHA256 (a) = " + md5 + "\n",
		"unknown tag":                 "WHIRLPOOL (a) = " + md5 + "\n",
		"long words":                  "internationalizationlocalization  is long\n",
		"a control file of a package": "Files:\n " + md5 + " 5 a.tar\n",
		"manifest, then text":         md5 + "  a\n" + md5 + "  b\nand my notes\n",
		"manifest, then text, no end": md5 + "  a\nand my notes",
		"manifest in a text":          "my notes\n" + md5 + "  a\n",
		"manifest, indented":          "  " + md5 + "  a\n",
		"JSON":                        "{\n  \"name\": \"a\",\n  \"digest\": \"" + md5 + "\"\n}\n",
		"JSON of a log":               `{"name":"server","error":"boom"}` + "\n",
		"JSON of an image":            `{"name":"a","digest":"sha256:` + sha256 + `"}` + "\n",
		"JSON with more":              `{"name":"a","algorithm":"md5","digest":"` + md5 + `","bytes":3,"owner":"me"}` + "\n",
		"JSON of a check":             `{"name":"a","algorithm":"md5","status":"ok"}` + "\n",
		"JSON, then text":             `{"name":"a","algorithm":"md5","digest":"` + md5 + `","bytes":3}` + "\nnotes\n",
		"text with a NUL":             "notes\x00" + md5 + "  a\n",
	} {
		for _, name := range []string{"m", "m.part"} {
			for _, resume := range []string{"", "m", "other"} {
				if name == "m.part" && strings.HasSuffix(what, ", then text, no end") {
					continue // whoever writes it may have been killed there
				}
				refusesMistaken(t, what, name, text, resume)
			}
		}
	}
}

func refusesMistaken(t *testing.T, what, name, text, resume string) {
	t.Helper()
	write(t, name, text)
	m, _, _ := making(t, "sha256", "tree")
	m.Output, m.Resume = "m", resume
	_, err := Make(t.Context(), m)
	var usage *UsageError
	if !errors.As(err, &usage) || !strings.Contains(usage.Error(), "not overwritten") {
		t.Errorf("%s as %s, resuming %q: %v", what, name, resume, err)
	}
	if got, _ := os.ReadFile(name); string(got) != text {
		t.Errorf("%s as %s, resuming %q: overwritten", what, name, resume)
	}
	if left, _ := filepath.Glob("m*"); !slices.Equal(left, []string{name}) {
		t.Errorf("%s as %s, resuming %q: left behind: %v", what, name, resume, left)
	}
	for _, path := range []string{"m", "m.part", "m.state"} {
		os.Remove(path)
	}
}

// Every manifest that this program writes is replaced: where it wrote it, whatever the digests are, and where a
// shell did, whatever is as long as a digest can be expected to be.
func TestReplacedAll(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	tree(t, 3)
	write(t, "tree/new\nline", "x")
	names := digest.Names()
	for size := 1; size < digest.MostBytes; size++ {
		names = append(names, digest.BLAKE2b(size).Name)
	}
	want := lines(t, "md5", manifest.Form{}, "tree")
	for _, name := range names {
		for _, form := range []manifest.Form{{}, tagged, {Zero: true}, {Binary: true}, {Base64: true},
			{Tag: "yes", Zero: true, Base64: true}, {Raw: true}} {
			m, _, _ := making(t, name, "tree")
			m.Form, m.Output = form, "m"
			if form.Tag != "" {
				m.Form.Tag = m.Algorithm.Tag
			}
			if form.Raw { // stands for JSON, which is no form of a line
				m.Form, m.JSON = manifest.Form{}, true
			}
			if _, err := Make(t.Context(), m); err != nil {
				t.Fatalf("%s, %+v: %v", name, form, err)
			}
			size := m.Algorithm.Size
			unpadded := form.Base64 && size%3 == 0 && size != 48
			if size >= 16 && !unpadded || form.Tag != "" || form.Raw {
				os.Remove("m.state")
			}
			replaces(t, name, want)
		}
	}
}

// replaces says whether a manifest m is replaced.
func replaces(t *testing.T, what, want string) {
	t.Helper()
	m, _, _ := making(t, "md5", "tree")
	m.Output = "m"
	before := mustRead(t, "m")
	if _, err := Make(t.Context(), m); err != nil {
		t.Fatalf("%s: %v\n%.200q", what, err, before)
	}
	if got := mustRead(t, "m"); string(got) != want {
		t.Errorf("%s: not replaced: %.200q", what, got)
	}
	os.Remove("m")
	os.Remove("m.state")
}

// So is what other programs write.
func TestReplacedOthers(t *testing.T) {
	tree(t, 3)
	want := lines(t, "md5", manifest.Form{}, "tree")
	for _, command := range []string{"md5sum tree/*/*", "md5sum -b tree/*/*", "md5sum -z tree/*/*", "sha256sum tree/*/*",
		"sha256sum --tag tree/*/*", "b2sum tree/*/*", "b2sum -l 128 tree/*/*", "b2sum -l 24 --tag tree/*/*",
		"cksum -a sm3 tree/*/*", "cksum -a sm3 --untagged tree/*/*", "openssl dgst -sha3-256 tree/*/*"} {
		text, err := exec.Command("sh", "-c", command).Output()
		if err != nil || len(text) == 0 {
			t.Logf("%s: %v", command, err)
			continue
		}
		write(t, "m", string(text))
		replaces(t, command, want)
	}
}

// What this run reads its names or its input from isn't written.
func TestSources(t *testing.T) {
	tree(t, 3)
	for _, path := range []string{"m", "m.part", "m.state"} {
		write(t, path, "")
		in, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		list, _, _ := making(t, "md5", "tree")
		if list.List, err = in.Stat(); err != nil {
			t.Fatal(err)
		}
		stdin, _, _ := making(t, "md5", "-")
		stdin.Inputs, stdin.Stdin = []string{"-"}, in
		for want, m := range map[string]Making{path + ": holds the names": list, "-: is to be hashed": stdin} {
			m.Output = "m"
			_, err := Make(t.Context(), m)
			var usage *UsageError
			if !errors.As(err, &usage) || !strings.HasPrefix(usage.Error(), want) {
				t.Errorf("%s: %v, want %s", path, err, want)
			}
		}
		os.Remove(path)
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
		makeFile(t, "md5", "tree")
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
		m, _ := resuming(t, "md5", "tree")
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
	makeFile(t, "md5", "tree")
	state, _ := os.ReadFile("m.state")
	want, _ := os.ReadFile("m")
	step := 7
	if testing.Short() {
		step = 41
	}
	damaged, refused := regexp.MustCompile(`^m\.state: is damaged \((1 line is|2 lines are) not`), 0
	for at := 0; at < len(state); at += step {
		bad := bytes.Clone(state)
		if bad[at]++; at%2 == 0 {
			bad[at] -= 2
		}
		write(t, "m.state", string(bad))
		m, said := resuming(t, "md5", "tree")
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
	makeFile(t, "sha256", "tree")
	state, _ := os.ReadFile("m.state")
	write(t, "m.state", string(headerOf(named(t, "sm3", 0), stateFormat))+string(state[bytes.IndexByte(state, '\n')+1:]))
	m, _ := resuming(t, "sm3", "tree")
	made, err := Make(t.Context(), m)
	if got, _ := os.ReadFile("m"); err != nil || made.Skipped != 0 || string(got) != want {
		t.Errorf("%v, %d skipped, %s", err, made.Skipped, got)
	}
}

// A state of before there were checksums proves nothing; that is said, and the manifest is made anew.
func TestOldState(t *testing.T) {
	tree(t, 6)
	settle()
	makeFile(t, "md5", "tree")
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
	m, said := resuming(t, "md5", "tree")
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

// A state of before there were objects is relied on, and replaced by one of today.
func TestStateWithoutObjects(t *testing.T) {
	tree(t, 6)
	settle()
	makeFile(t, "md5", "tree")
	state, _ := os.ReadFile("m.state")
	a := named(t, "md5", 0)
	old := string(headerOf(a, stateFormat2))
	for _, line := range strings.SplitAfter(string(state), "\n")[1:7] {
		_, rest, _ := strings.Cut(strings.Replace(strings.TrimSuffix(line, "\n"), " - - ", " ", 1), " ")
		check := checksumOf(a.Name, []byte(rest))
		old += string(check[:]) + " " + rest + "\n"
	}
	manifest, _ := os.Stat("m")
	h := sha256.New()
	io.WriteString(h, old)
	for _, end := range []string{string(endLine(manifest.Size(), h)), ""} { // whole, and killed
		write(t, "m.state", old+end)
		m, said := resuming(t, "md5", "tree")
		if made, err := Make(t.Context(), m); err != nil || made.Skipped != 6 || said.String() != "" {
			t.Errorf("%v, %d skipped, said: %s", err, made.Skipped, said)
		}
		if now, _ := os.ReadFile("m.state"); !bytes.Equal(now, state) {
			t.Errorf("the state is not what a new one is:\n%s\n%s", now, state)
		}
	}
}

// What a store calls contents and versions is one word in a state, whatever it is.
func TestWord(t *testing.T) {
	for _, s := range []string{"", "-", "--", "%2D", "d41d8cd98f00b204e9800998ecf8427e-3", "a b\nc\x00\xff+%", "图"} {
		line := appendWord(nil, s)
		if got, err := word(line); got != s || err != nil || len(line) == 0 || bytes.ContainsAny(line, " \n\r\x00") {
			t.Errorf("%q: %q, read back as %q, %v", s, line, got, err)
		}
	}
}

// Rehash reads what seems unchanged, and tells of what isn't.
func TestRehash(t *testing.T) {
	tree(t, 20)
	settle()
	makeFile(t, "sha256", "tree")
	// A write through mmap that left the stamp as it was: the state holds another digest for it.
	want, _ := os.ReadFile("m")
	lie(t, "m.state", named(t, "sha256", 0).Name)
	m, said := resuming(t, "sha256", "tree")
	if made, err := Make(t.Context(), m); err != nil || made.Skipped != 20 {
		t.Fatalf("%v, %d skipped", err, made.Skipped)
	}
	if got, _ := os.ReadFile("m"); bytes.Equal(got, want) {
		t.Fatal("the lie was not believed; this test shows nothing")
	}
	m.Rehash = true
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
	makeFile(t, "md5", "tree")
	for _, name := range []string{"m", "m.state"} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}
