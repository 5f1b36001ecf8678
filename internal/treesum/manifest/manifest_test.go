package manifest

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"
)

const abc = "900150983cd24fb0d6963f7d28e17f72" // MD5 of "abc", RFC 1321, A.5

const abc64 = "kAFQmDzST7DWlj99KOF/cg=="

func digestOf(t testing.TB, digits string) []byte {
	t.Helper()
	d, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// What md5sum of coreutils 9.1 prints.
func TestAppend(t *testing.T) {
	for _, c := range []struct{ name, gnu, tagged, zero string }{
		{"a", abc + "  a\n", "MD5 (a) = " + abc + "\n", abc + "  a\x00"},
		{"-dash ", abc + "  -dash \n", "MD5 (-dash ) = " + abc + "\n", abc + "  -dash \x00"},
		{"new\nline", `\` + abc + `  new\nline` + "\n", `\MD5 (new\nline) = ` + abc + "\n", abc + "  new\nline\x00"},
		{"c\rr", `\` + abc + `  c\rr` + "\n", `\MD5 (c\rr) = ` + abc + "\n", abc + "  c\rr\x00"},
		{`b\s`, `\` + abc + `  b\\s` + "\n", `\MD5 (b\\s) = ` + abc + "\n", abc + `  b\s` + "\x00"},
		{"\xff\xfe", abc + "  \xff\xfe\n", "MD5 (\xff\xfe) = " + abc + "\n", abc + "  \xff\xfe\x00"},
	} {
		d := digestOf(t, abc)
		for form, want := range map[Form]string{{}: c.gnu, {Tag: "MD5"}: c.tagged, {Zero: true}: c.zero} {
			if got := form.Append(nil, []byte(c.name), d); string(got) != want {
				t.Errorf("%+v %q: %q, want %q", form, c.name, got, want)
			}
		}
	}
}

// What md5sum --binary prints, and cksum --base64 and --raw of coreutils 9.2.
func TestAppendForms(t *testing.T) {
	for form, want := range map[Form]string{
		{Binary: true}:               `\` + abc + ` *n\nl` + "\n",
		{Base64: true}:               `\kAFQmDzST7DWlj99KOF/cg==  n\nl` + "\n",
		{Base64: true, Tag: "MD5"}:   `\MD5 (n\nl) = kAFQmDzST7DWlj99KOF/cg==` + "\n",
		{Base64: true, Zero: true}:   "kAFQmDzST7DWlj99KOF/cg==  n\nl\x00",
		{Binary: true, Tag: "MD5"}:   `\MD5 (n\nl) = ` + abc + "\n",
		{Binary: true, Base64: true}: `\kAFQmDzST7DWlj99KOF/cg== *n\nl` + "\n",
		{Raw: true}:                  string(digestOf(t, abc)),
	} {
		if got := string(form.Append(nil, []byte("n\nl"), digestOf(t, abc))); got != want {
			t.Errorf("%+v: %q, want %q", form, got, want)
		}
	}
}

// What md5sum --check of coreutils 9.1 takes, and what it doesn't; "" is a line that doesn't parse.
func TestNext(t *testing.T) {
	for _, c := range []struct{ text, names string }{
		{abc + "  a\n", "a"},
		{abc + " *a\n", "a"},
		{abc + "  a", "a"},
		{abc + "  a\r\n", "a"},
		{"# comment\n\n" + abc + "  a\n", "a"},
		{" \t" + abc + "  a\n", "a"},
		{strings.ToUpper(abc) + "  a\n", "a"},
		{abc + " a\n", "a"},
		{abc + "\ta\n", "a"},
		{abc + " a\n" + abc + "  b\n", "a| b"}, // one space: decided by the first line
		{abc + "  a\n" + abc + " b\n", "a|"},
		{abc + "   a \n", " a "},
		{abc + "  \n", " "},
		{abc + " \n", ""},
		{abc + "\n", ""},
		{abc + "0  a\n", ""},
		{"junk\n" + abc + "  a\n", "|a"},
		{"MD5 (a) = " + abc + "\n", "a"},
		{"MD5(a)= " + abc + "\n", "a"},
		{"MD5 (a) =" + abc + "\n", "a"},
		{"MD5 (a) b) = x) = " + abc + "\n", "a) b) = x"},
		{"MD5 (a) - " + abc + "\n", ""},
		{"MD5 (a) = " + abc + " \n", ""},
		{"MD5 a = " + abc + "\n", ""},
		{"MD5 (a = " + abc + "\n", ""},
		{"MD5\n", ""},
		{`\` + abc + `  new\nline` + "\n", "new\nline"},
		{`\` + abc + `  c\rr` + "\n", "c\rr"},
		{`\` + abc + `  a\xb` + "\n", ""},
		{`\` + abc + `  a\` + "\n", ""},
		{abc + `  a\nb` + "\n", `a\nb`},
		{`\MD5 (a\\b) = ` + abc + "\n", `a\b`},
		{abc + "  a\x00b\n", ""},
		{abc64 + "  a\n", "a"},
		{"x" + abc[1:] + "  a\n", ""}, // a spoilt digit makes it no base64
		{abc64 + " *a\n", "a"},
		{"MD5 (a) = " + abc64 + "\n", "a"},
		{`\` + abc64 + `  n\nl` + "\n", "n\nl"},
		{abc64[:23] + "  a\n", ""},
		{abc64[:21] + "h==  a\n", ""}, // bits that count for nothing
		{"MD5 (a) = " + abc64[:10] + "\r" + abc64[10:] + "\n", ""},
		{"MD5  (a) = " + abc + "\n", ""},
		{"MD5\t(a) = " + abc + "\n", ""},
		{abc + "  " + strings.Repeat("n", longest) + "\n" + abc + "  b\n", "|b"},
		{abc + "  " + strings.Repeat("n", 100<<10) + "\n", strings.Repeat("n", 100<<10)},
	} {
		r := NewReader(strings.NewReader(c.text), Form{})
		var names []string
		for {
			line, err := r.Next()
			if err == io.EOF {
				break
			}
			if err == nil && !bytes.Equal(line.Digest, digestOf(t, abc)) && len(line.Digest) == md5.Size {
				t.Errorf("%.80q: digest %x", c.text, line.Digest)
			}
			if err == nil && len(line.Digest) != md5.Size {
				err = ErrFormat // the caller's to see
			}
			if err != nil && !errors.Is(err, ErrFormat) {
				t.Fatalf("%.80q: %v", c.text, err)
			}
			if err != nil {
				line.Name = nil
			}
			names = append(names, string(line.Name))
		}
		if got := strings.Join(names, "|"); got != c.names {
			t.Errorf("%.80q: %.80q, want %.80q", c.text, got, c.names)
		}
	}
}

func TestLineNumbers(t *testing.T) {
	r := NewReader(strings.NewReader("# one\n\n"+abc+"  a\njunk\n"+abc+"  b"), Form{})
	for _, want := range []int64{3, 4, 5} {
		_, err := r.Next()
		if r.Line() != want || (err != nil) != (want == 4) {
			t.Errorf("line %d, %v; want %d", r.Line(), err, want)
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// A reader that fails, fails; what stands before isn't taken for a line.
func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	r := NewReader(io.MultiReader(strings.NewReader(abc+"  a\n"+abc+"  b"), errReader{broken}), Form{})
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

// Whatever is written is read back, in every form.
func FuzzRoundTrip(f *testing.F) {
	for _, name := range []string{"a", "", " ", "new\nline", "c\r", `\`, ") = ", "#", "*", "-", "\xff", "MD5 (x) = y"} {
		f.Add([]byte(name))
	}
	f.Fuzz(func(t *testing.T, name []byte) {
		if len(name) == 0 || len(name) > 1<<16 || bytes.IndexByte(name, 0) >= 0 {
			return
		}
		d := digestOf(t, abc)
		for _, form := range []Form{{}, {Tag: "MD5"}, {Zero: true}, {Tag: "BLAKE2b", Zero: true}, {Base64: true}, {Tag: "SHA3-256", Base64: true}, {Binary: true, Base64: true}} {
			text := form.Append(form.Append(nil, name, d), []byte("next"), d)
			r := NewReader(bytes.NewReader(text), form)
			line, err := r.Next()
			if err != nil || !bytes.Equal(line.Name, name) || !bytes.Equal(line.Digest, d) || line.Tag != form.Tag {
				t.Fatalf("%+v %q: read as %q %q %x, %v", form, name, line.Tag, line.Name, line.Digest, err)
			}
			if line, err = r.Next(); err != nil || string(line.Name) != "next" {
				t.Fatalf("%+v %q: then %q, %v", form, name, line.Name, err)
			}
		}
	})
}

// Nothing that is read makes the reader fail otherwise than by ErrFormat, and what parses is written and
// read back as the same.
func FuzzNext(f *testing.F) {
	f.Add([]byte(abc+"  a\nMD5 (b) = "+abc+"\n\\"+abc+"  n\\nl\n"), false)
	f.Add([]byte(abc+" a\n#\n\n"+abc+"  b\r\n"), false)
	f.Add([]byte(abc+"  a\x00"), true)
	f.Fuzz(func(t *testing.T, text []byte, zero bool) {
		form := Form{Zero: zero}
		r := NewReader(bytes.NewReader(text), form)
		for n := int64(0); ; {
			line, err := r.Next()
			if err == io.EOF {
				return
			}
			if r.Line() <= n {
				t.Fatalf("line %d after line %d", r.Line(), n)
			}
			n = r.Line()
			if errors.Is(err, ErrFormat) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if bytes.IndexByte(line.Name, 0) >= 0 {
				t.Fatalf("the name %q can't be one", line.Name)
			}
			form.Tag = line.Tag
			again, err := NewReader(bytes.NewReader(form.Append(nil, line.Name, line.Digest)), form).Next()
			if len(line.Name) > 0 && (err != nil || !bytes.Equal(again.Name, line.Name) || !bytes.Equal(again.Digest, line.Digest)) {
				t.Fatalf("%q %x is read back as %q %x, %v", line.Name, line.Digest, again.Name, again.Digest, err)
			}
		}
	})
}
