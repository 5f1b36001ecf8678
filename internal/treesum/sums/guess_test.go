package sums

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/manifest"
)

// lines are a manifest's of files by an algorithm.
func lines(t *testing.T, algorithm string, form manifest.Form, paths ...string) string {
	t.Helper()
	m, out, _ := making(t, algorithm, paths...)
	m.Form = form
	if form.Tag != "" {
		m.Form.Tag = m.Algorithm.Tag
	}
	if _, err := Make(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var tagged = manifest.Form{Tag: "yes"}

// checkSaying checks a manifest and returns what is printed and what is said.
func checkSaying(t *testing.T, text string, change func(*Checking)) (*Checked, string, string) {
	t.Helper()
	write(t, "manifest", text)
	var out bytes.Buffer
	var s told
	c := Checking{Manifests: []string{"manifest"}, Out: &out, Say: s.say}
	if change != nil {
		change(&c)
	}
	checked, err := Check(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return checked, out.String(), s.String()
}

func named(t *testing.T, name string, bits int) *digest.Algorithm {
	t.Helper()
	a, err := digest.Named(name, bits)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Lines that don't name their algorithm: it is the one by which the first file that is right is right.
func TestGuess(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	tree(t, 300)
	for _, algorithm := range append(digest.Names(), "blake2b-256", "blake2b-128", "blake2b-136") {
		a := named(t, algorithm, 0)
		for _, form := range []manifest.Form{{}, {Base64: true}, {Binary: true}} {
			text := lines(t, algorithm, form, "tree")
			missing := strings.Replace(strings.SplitAfter(text, "\n")[0], "tree", "gone", 1)
			checked, _, said := checkSaying(t, missing+text, func(c *Checking) { c.IgnoreMissing = true })
			wantSaid := "manifest: the lines name no algorithm; their digests are by " + a.Tag + " (-a " + a.Name + ")"
			if algorithm == "md5" || algorithm == "sha1" || algorithm == "blake2b-136" {
				wantSaid = "" // nothing else is as long
			}
			if !checked.Fine || checked.Right != 300 || said != wantSaid {
				t.Errorf("%s, %+v: %+v\n%s\nwant\n%s", algorithm, form, checked, said, wantSaid)
			}
			if _, _, said := checkSaying(t, text, func(c *Checking) { c.Quiet = true }); said != "" {
				t.Errorf("%s, quiet: %s", algorithm, said)
			}
		}
	}
}

// The first files are others, and one that is right decides; what is right by another algorithm then is not.
func TestGuessLate(t *testing.T) {
	tree(t, 60)
	text := lines(t, "sm3", manifest.Form{}, "tree")
	all := strings.SplitAfter(text, "\n")
	for i := range 20 {
		all[i] = strings.Repeat("0", 64) + all[i][64:]
	}
	all[59] = lines(t, "sha256", manifest.Form{}, strings.TrimSpace(all[59][66:]))
	checked, _, said := checkSaying(t, strings.Join(all, ""), nil)
	if checked.Right != 39 || checked.Failed != 21 || !strings.Contains(said, "their digests are by SM3") {
		t.Errorf("%+v\n%s", checked, said)
	}
	checked, out, said := checkSaying(t, strings.Join(all[:20], ""), func(c *Checking) { c.JSON = true })
	if checked.Failed != 20 || checked.Fine || !strings.Contains(said, "no file has its digest by sha256, sm3, sha3-256, blake2b-256; if the digests are of something else") {
		t.Errorf("%+v\n%s", checked, said)
	}
	if !strings.HasPrefix(out, `{"name":"`) || strings.Contains(out, "algorithm") {
		t.Errorf("nobody knows the algorithm, and it is said: %.80s", out)
	}
}

// Each line with a tag is of its own algorithm, in the order of the lines; an explicit algorithm decides.
func TestCheckTags(t *testing.T) {
	tree(t, 50)
	var all []string
	for _, algorithm := range append(digest.Names(), "blake2b-8", "blake2b-256") {
		all = append(all, strings.SplitAfter(strings.TrimSuffix(lines(t, algorithm, tagged, "tree"), "\n"), "\n")...)
		all[len(all)-1] += "\n"
	}
	var mixed strings.Builder // by file, then by algorithm
	for i := range 50 {
		for j := i; j < len(all); j += 50 {
			mixed.WriteString(all[j])
		}
	}
	checked, out, said := checkSaying(t, mixed.String(), func(c *Checking) { c.Strict = true })
	if !checked.Fine || checked.Right != int64(len(all)) || said != "" || !strings.HasPrefix(out, "tree/0/00000: OK\ntree/0/00000: OK\n") {
		t.Errorf("%+v, want %d\n%s", checked, len(all), said)
	}
	wrong := strings.Replace(mixed.String(), "SHA3-512 (tree/1/00008) = ", "SHA3-512 (tree/1/00008) = 0", 1)
	wrong = strings.Replace(wrong, "SM3 (tree/1/00001) = ", "SHA256 (tree/1/00001) = ", 1)
	if checked, _, _ := checkSaying(t, wrong, nil); checked.Failed != 1 || checked.Misformatted != 1 || checked.Right != int64(len(all)-2) {
		t.Errorf("two lines were changed: %+v", checked)
	}
	checked, _, said = checkSaying(t, mixed.String(), func(c *Checking) { c.Algorithm = named(t, "sm3", 0) })
	if checked.Right != 50 || checked.Misformatted != int64(len(all)-50) || !strings.Contains(said, "manifest: line 1 is tagged MD5, and -a says sm3; without -a each line is checked by its tag") {
		t.Errorf("%+v\n%s", checked, said)
	}
	checked, _, _ = checkSaying(t, mixed.String(), func(c *Checking) { c.Algorithm, c.AnyLength = named(t, "blake2b", 0), true })
	if checked.Right != 150 {
		t.Errorf("BLAKE2b of any length: %+v", checked)
	}
	checked, _, _ = checkSaying(t, lines(t, "blake2b-160", manifest.Form{}, "tree"), func(c *Checking) { c.Algorithm, c.AnyLength = named(t, "blake2b", 0), true })
	if checked.Right != 50 {
		t.Errorf("BLAKE2b of 160 bits by the length of its digits: %+v", checked)
	}
}

// Without a tag the state says it, unless the manifest was written since; -a decides, and what contradicts is told.
func TestCheckState(t *testing.T) {
	tree(t, 5)
	settle()
	makeFile(t, "sm3", "tree")
	check := func(a *digest.Algorithm) (*Checked, string) {
		var s told
		checked, err := Check(t.Context(), Checking{Manifests: []string{"m"}, Algorithm: a, Out: io.Discard, Say: s.say})
		if err != nil {
			t.Fatal(err)
		}
		return checked, s.String()
	}
	if checked, said := check(nil); !checked.Fine || said != "" {
		t.Errorf("%+v, %s", checked, said)
	}
	if checked, said := check(named(t, "sha256", 0)); checked.Failed != 5 || !strings.HasPrefix(said, "m.state says sm3, and -a says sha256; -a decides\n") {
		t.Errorf("%+v, %s", checked, said)
	}
	write(t, "m", lines(t, "sha256", manifest.Form{}, "tree"))
	if checked, said := check(nil); checked.Right != 0 || !strings.Contains(said, "by sm3, which the state beside it names") {
		late := time.Now().Add(time.Hour) // the clock of the file system goes in steps
		if err := os.Chtimes("m", late, late); err != nil {
			t.Fatal(err)
		}
		if checked, said = check(nil); !checked.Fine || said != "m: the lines name no algorithm; their digests are by SHA256 (-a sha256)" {
			t.Errorf("of a manifest that was written after its state: %+v, %s", checked, said)
		}
	}
}

// A manifest that comes line by line is checked as it comes.
func TestGuessPipe(t *testing.T) {
	tree(t, 200)
	text := lines(t, "sm3", manifest.Form{}, "tree")
	r, w := io.Pipe()
	go func() {
		for _, line := range strings.SplitAfter(text, "\n") {
			fmt.Fprint(w, line)
		}
		w.Close()
	}()
	var s told
	checked, err := Check(t.Context(), Checking{Manifests: []string{"-"}, Stdin: r, Out: io.Discard, Say: s.say})
	if err != nil || checked.Right != 200 || !checked.Fine {
		t.Errorf("%+v, %v, %s", checked, err, &s)
	}
}
