package hashing

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/manifest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// An Opener opens the store in which objects are.
type Opener func() (treehash.Objects, error)

// namesObjects says whether an argument names objects, or a manifest or list whose beginning does.
func (f *hashFlags) namesObjects(args []string) bool {
	switch {
	case f.merge:
		return false
	case f.check:
		for _, arg := range args {
			if begins(arg, f.manifestNamesObjects) {
				return true
			}
		}
		return false
	case f.filesFrom != "":
		return begins(f.filesFrom, f.listNamesObjects)
	}
	for _, arg := range args {
		if treehash.IsObject([]byte(arg)) {
			return true
		}
	}
	return false
}

// beginning is how much of a file is looked at.
const beginning = 64 << 10

// begins asks something of the beginning of a file, if it is one: what comes from a pipe is read only once.
func begins(path string, ask func(io.Reader) bool) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	return ask(io.LimitReader(file, beginning))
}

func (f *hashFlags) manifestNamesObjects(r io.Reader) bool {
	lines := manifest.NewReader(r, manifest.Form{Zero: f.zero})
	for {
		line, err := lines.Next()
		if err == io.EOF {
			return false
		}
		if err == nil && treehash.IsObject(line.Name) {
			return true
		}
	}
}

func (f *hashFlags) listNamesObjects(r io.Reader) bool {
	names := bufio.NewReader(r)
	end := byte('\n')
	if f.null {
		end = 0
	}
	for {
		name, err := names.ReadBytes(end)
		if treehash.IsObject(name) {
			return true
		} else if err != nil {
			return false
		}
	}
}

// refuseCredentials refuses names that hold what must not be typed: the list of processes shows arguments to all.
func refuseCredentials(args []string) error {
	for _, arg := range args {
		if name, ok := bytes.CutPrefix([]byte(arg), []byte(treehash.Scheme)); ok {
			if bucket, _, _ := bytes.Cut(name, []byte{'/'}); bytes.ContainsAny(bucket, "@:") {
				return language.Error("s3://: a name is s3://bucket/key, without credentials: they come from AWS_ACCESS_KEY_ID and "+
					"AWS_SECRET_ACCESS_KEY, from the shared credentials file, or from the machine's role",
					"s3://：名字的形式为 s3://bucket/key，不含凭据；凭据取自 AWS_ACCESS_KEY_ID 与 AWS_SECRET_ACCESS_KEY、共享凭据文件或本机角色")
			}
		}
	}
	return nil
}

// fileScheme begins the URL of a file (RFC 8089).
const fileScheme = "file://"

// withoutScheme takes URLs of files for the paths that they stand for.
func withoutScheme(args []string) ([]string, error) {
	paths := make([]string, len(args))
	for i, arg := range args {
		rest, isURL := strings.CutPrefix(arg, fileScheme)
		if !isURL {
			paths[i] = arg
			continue
		}
		path, ok := unescape(strings.TrimPrefix(rest, "localhost"))
		if !ok || !strings.HasPrefix(path, "/") {
			return nil, language.Errorf("%q: the URL of a file is file:///path, of this machine, with %%25 for %%",
				"%q：文件 URL 的形式为 file:///path，只能是本机的文件，%% 写作%%25", arg)
		}
		paths[i] = path
	}
	return paths, nil
}

// unescape is percent-encoding taken back (RFC 3986, 2.1).
func unescape(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", false
		}
		high, low := strings.IndexByte(digits, lower(s[i+1])), strings.IndexByte(digits, lower(s[i+2]))
		if high < 0 || low < 0 || high+low == 0 { // no path has a NUL in it
			return "", false
		}
		b.WriteByte(byte(high<<4 | low))
		i += 2
	}
	return b.String(), true
}

const digits = "0123456789abcdef"

func lower(c byte) byte { return c | 0x20 }
