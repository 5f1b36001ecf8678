package s3_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/manifest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/objects"
	"github.com/cryptogauge/cryptogauge/internal/treesum/s3"
	"github.com/cryptogauge/cryptogauge/internal/treesum/s3/s3test"
	"github.com/cryptogauge/cryptogauge/internal/treesum/sums"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

const bucket = "planted"

// A store is a server, and what is in it.
type store struct {
	*s3test.Server
	contents map[string][]byte // by the name of an object
}

func start(t testing.TB) *store {
	t.Helper()
	server, err := s3test.Start(bucket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	return &store{server, map[string][]byte{}}
}

func (s *store) put(t testing.TB, key string, size int) {
	t.Helper()
	contents := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte([]byte(fmt.Sprintf("%32d", len(key)+size)))).Read(contents)
	if err := s.Put(bucket, key, contents); err != nil {
		t.Fatal(err)
	}
	s.contents[treehash.Scheme+bucket+"/"+key] = contents
}

// filled is a store of objects of all sizes.
func filled(t testing.TB, n int) *store {
	s := start(t)
	for i := range n {
		size := 37 * i % 9000
		switch i % 50 {
		case 1:
			size = 0
		case 2:
			size = 64<<10 + i%3 - 1
		case 3:
			size = 600<<10 + i
		}
		s.put(t, fmt.Sprintf("data/%d/%04d", i%3, i), size)
	}
	return s
}

// manifest is what a manifest of all but some objects must be.
func (s *store) manifest(without ...string) string {
	var names []string
	for name := range s.contents {
		if !slices.Contains(without, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var text []byte
	for _, name := range names {
		sum := md5.Sum(s.contents[name])
		text = manifest.Form{}.Append(text, []byte(name), sum[:])
	}
	return string(text)
}

// A told is what the user was told.
type told struct {
	mu    sync.Mutex
	lines []string
}

func (s *told) say(t language.Text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, t.EN)
}

// making is a manifest of names in a store.
func (s *store) making(t testing.TB, names ...string) (sums.Making, *bytes.Buffer, *told) {
	t.Helper()
	client, err := s3.Open(s.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range s.Environment() { // the client's chain of credentials looks there itself
		key, value, _ := strings.Cut(pair, "=")
		if tt, ok := t.(interface{ Setenv(key, value string) }); ok {
			tt.Setenv(key, value)
		}
	}
	a, err := digest.Named("md5", 0)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	var said told
	return sums.Making{Algorithm: a, Source: treehash.Paths(names, treehash.Leave), Objects: objects.New(client), Out: &out, Say: said.say}, &out, &said
}

const all = treehash.Scheme + bucket + "/"

// hashed makes a manifest of all objects.
func (s *store) hashed(t testing.TB) (*sums.Made, string, *told) {
	t.Helper()
	m, out, said := s.making(t, all)
	made, err := sums.Make(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	return made, out.String(), said
}

func (s *store) holds(t testing.TB) {
	t.Helper()
	if made, got, said := s.hashed(t); got != s.manifest() || made.Failed != 0 || len(said.lines) != 0 {
		t.Errorf("%+v, said %q\ngot  %s\nwant %s", made, said.lines, got, s.manifest())
	}
}

func TestHash(t *testing.T) { filled(t, 300).holds(t) }

// Long objects are read by parts, of which some are cut off.
func TestLong(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	s := start(t)
	s.put(t, "long", 40<<20+5)
	s.put(t, "longer", 50<<20)
	s.put(t, "short", 5)
	before := s.Requests.Load()
	s.holds(t)
	if requests := s.Requests.Load() - before; requests != 1+6+7+1 { // a listing, and a part of 8 MiB each
		t.Errorf("%d requests", requests)
	}
	s.Break(s3test.Cut(1<<20, 5))
	s.holds(t)
}

// Whatever bytes a key has that S3 allows and this server keeps.
func TestNames(t *testing.T) {
	s := start(t)
	for i, key := range []string{"a b", "a+b", "a%20b", "ü", "图片/照片", `b\s`, "?x=y&z#f", "a//b", "a/../b", "a/./b", "'\"`$(x)", "~", "*", strings.Repeat("l", 1000), "new\nline", "c\rr", "tab\t"} {
		s.put(t, "names/"+key, i*10)
	}
	s.holds(t)
	made, got, _ := s.hashed(t)
	if made.Failed != 0 || !strings.Contains(got, `names/new\nline`) {
		t.Errorf("%+v\n%s", made, got)
	}
}

// A server that encodes keys in listings is understood: that is how keys come that XML has no characters for.
func TestEncodedNames(t *testing.T) {
	s := start(t)
	s.Break(func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
		switch {
		case r.URL.Query().Get("list-type") == "2" && r.URL.Query().Get("encoding-type") == "url":
			fmt.Fprint(w, `<?xml version="1.0"?><ListBucketResult><Name>planted</Name><KeyCount>2</KeyCount><MaxKeys>1000</MaxKeys><EncodingType>url</EncodingType>`+
				`<Contents><Key>a%01b%0A</Key><ETag>&quot;e&quot;</ETag><Size>3</Size></Contents>`+
				`<Contents><Key>b%00</Key><ETag>&quot;e&quot;</ETag><Size>3</Size></Contents></ListBucketResult>`)
		case r.URL.Path == "/planted/a\x01b\n":
			w.Header().Set("ETag", `"e"`)
			w.Header().Set("Last-Modified", "Mon, 02 Jan 2006 15:04:05 GMT")
			fmt.Fprint(w, "abc")
		default:
			s3test.Refuse(w, http.StatusNotFound, "NoSuchKey")
		}
	})
	m, out, said := s.making(t, all)
	made, err := sums.Make(t.Context(), m)
	want := `\900150983cd24fb0d6963f7d28e17f72  s3://planted/a` + "\x01" + `b\n` + "\n"
	if err != nil || out.String() != want || made.Failed != 1 || len(said.lines) != 1 || said.lines[0] != `"s3://planted/b\x00": its name has a NUL, which no line of a manifest can have` {
		t.Errorf("%v %+v %q, said %q", err, made, out, said.lines)
	}
}

// The ETag of an object that was uploaded in parts is no digest of it.
func TestMultipart(t *testing.T) {
	s := start(t)
	core, err := minio.NewCore(strings.TrimPrefix(s.URL, "http://"), &minio.Options{Creds: credentials.NewStaticV4(s3test.AccessKey, s3test.SecretKey, ""), Region: "us-east-1"})
	if err != nil {
		t.Fatal(err)
	}
	contents := bytes.Repeat([]byte("part"), 3<<20)
	id, err := core.NewMultipartUpload(t.Context(), bucket, "parts", minio.PutObjectOptions{})
	var parts []minio.CompletePart
	for part := range slices.Chunk(contents, 5<<20) {
		if err == nil {
			var done minio.ObjectPart
			done, err = core.PutObjectPart(t.Context(), bucket, "parts", id, len(parts)+1, bytes.NewReader(part), int64(len(part)), minio.PutObjectPartOptions{DisableContentSha256: true})
			parts = append(parts, minio.CompletePart{PartNumber: done.PartNumber, ETag: done.ETag})
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	info, err := core.CompleteMultipartUpload(t.Context(), bucket, "parts", id, parts, minio.PutObjectOptions{})
	if err != nil || !strings.HasSuffix(info.ETag, "-3") {
		t.Fatalf("%v, ETag %s: not uploaded in parts", err, info.ETag)
	}
	s.contents[all+"parts"] = contents
	s.holds(t)
}

func TestThrottled(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	s := filled(t, 120)
	s.Break(s3test.Throttled(2))
	s.holds(t)
}

func TestCut(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	s := filled(t, 120)
	for _, after := range []int{0, 1, 5000, 100 << 10} {
		s.Break(s3test.Cut(after, 2))
		s.holds(t)
	}
}

// What changes, vanishes or is denied has no line, and is told of in one; the others have theirs. Nothing of what a
// server says in words is repeated, nor a key.
func TestFaults(t *testing.T) {
	s := filled(t, 120)
	changed, grown, gone, denied, long := "/planted/data/1/0010", "/planted/data/2/0011", "/planted/data/0/0012", "/planted/data/1/0013", "/planted/data/2/0053"
	var once sync.Map
	s.Break(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		_, again := once.LoadOrStore(r.URL.Path, true)
		key := strings.TrimPrefix(r.URL.Path, "/planted/")
		before := s.contents[all+key]
		switch path := r.URL.Path; {
		case path == changed && !again:
			_ = s.Put(bucket, key, bytes.Repeat([]byte{'x'}, len(before)))
		case path == grown && !again:
			_ = s.Put(bucket, key, append(bytes.Clone(before), 'x'))
		case path == gone && !again:
			_ = s.Remove(bucket, key)
		case path == denied:
			s3test.Refuse(w, http.StatusForbidden, "AccessDenied")
			return
		case path == long && !again: // while it is read
			s3test.Cut(300<<10, 1)(w, r, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				defer func() { _ = s.Put(bucket, key, bytes.Repeat([]byte{'x'}, len(before))) }()
				next.ServeHTTP(w, r)
			}))
			return
		}
		next.ServeHTTP(w, r)
	})
	made, got, said := s.hashed(t)
	name := func(path string) string { return treehash.Scheme + strings.TrimPrefix(path, "/") }
	if want := s.manifest(name(changed), name(grown), name(gone), name(denied), name(long)); got != want || made.Failed != 5 {
		t.Errorf("%+v\ngot  %s\nwant %s", made, got, want)
	}
	slices.Sort(said.lines)
	want := []string{
		name(gone) + ": there is no such object", name(changed) + ": has changed since it was listed", name(denied) + ": access denied",
		name(grown) + ": has changed since it was listed", name(long) + ": has changed since it was listed",
	}
	if slices.Sort(want); !slices.Equal(said.lines, want) {
		t.Errorf("said %q\nwant %q", said.lines, want)
	}
}

// A name that stands for nothing, and a store that can't be listed.
func TestNothing(t *testing.T) {
	s := filled(t, 5)
	for name, want := range map[string]string{
		all + "none":        "there is no such object, and none whose name begins so",
		"s3://elsewhere/":   "there is no such bucket",
		"s3://Not_A_Bucket": "there is no such bucket",
	} {
		m, out, said := s.making(t, name)
		if made, err := sums.Make(t.Context(), m); err != nil || made.Failed != 1 || out.Len() > 0 || len(said.lines) != 1 || said.lines[0] != name+": "+want {
			t.Errorf("%s: %v, %+v, said %q", name, err, made, said.lines)
		}
	}
	s.Break(func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		s3test.Refuse(w, http.StatusTeapot, "Tea pot")
	})
	m, _, said := s.making(t, all)
	if made, err := sums.Make(t.Context(), m); err != nil || made.Failed != 1 || said.lines[0] != all+": the store says Teapot (418)" {
		t.Errorf("%v, %+v, said %q", err, made, said.lines)
	}
}

// Of a hundred thousand objects each has its line.
func TestManyObjects(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	const n = 100_000
	s := start(t)
	for i := range n {
		s.put(t, fmt.Sprintf("%06d", i), i%50)
	}
	s.holds(t)
}

// What is known by ETag and size is not read again; what has changed is.
func TestResume(t *testing.T) {
	t.Chdir(t.TempDir())
	s := filled(t, 200)
	resume := func() (*sums.Made, string, *told, int64) {
		m, _, said := s.making(t, all)
		m.Output, m.Resume = "m", "m"
		before := s.Requests.Load()
		made, err := sums.Make(t.Context(), m)
		text, readErr := os.ReadFile("m")
		if err != nil || readErr != nil {
			t.Fatal(err, readErr)
		}
		return made, string(text), said, s.Requests.Load() - before
	}
	if made, got, _, _ := resume(); got != s.manifest() || made.Skipped != 0 {
		t.Errorf("%+v", made)
	}
	if made, got, said, requests := resume(); got != s.manifest() || made.Skipped != 200 || requests > 2 || len(said.lines) > 0 {
		t.Errorf("%+v, %d requests, said %q", made, requests, said.lines)
	}
	s.put(t, "data/1/0001", 4)
	s.put(t, "data/2/0203", 5)
	if made, got, _, requests := resume(); got != s.manifest() || made.Skipped != 199 || requests > 4 {
		t.Errorf("%+v, %d requests", made, requests)
	}
	state, err := os.ReadFile("m.state")
	if sum := fmt.Sprintf(" %x - s3://planted/data/1/0001\n", md5.Sum(s.contents[all+"data/1/0001"])); err != nil || !strings.Contains(string(state), sum) {
		t.Errorf("%v: no %q in the state:\n%.300s", err, sum, state)
	}
}

// A run that is given up when a store falls silent goes on from what it had, and the manifest is the plain one.
func TestResumeInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	t.Chdir(t.TempDir())
	s := filled(t, 2000)
	ctx, cancel := context.WithCancel(t.Context())
	var reads counter
	s.Break(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if s3test.IsRead(r) && reads.next() > 1500 {
			cancel()
			<-r.Context().Done()
			return
		}
		next.ServeHTTP(w, r)
	})
	m, _, _ := s.making(t, all)
	m.Output = "m"
	if _, err := sums.Make(ctx, m); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	s.Break(nil)
	m, _, said := s.making(t, all)
	m.Output, m.Resume = "m", "m"
	made, err := sums.Make(t.Context(), m)
	if got, _ := os.ReadFile("m"); err != nil || string(got) != s.manifest() || made.Skipped < 100 || len(said.lines) != 0 {
		t.Errorf("%v, %+v, said %q", err, made, said.lines)
	}
}

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) next() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n
}

// No credential is in anything that a run leaves behind or says, whatever the server answers.
func TestCredentials(t *testing.T) {
	t.Chdir(t.TempDir())
	s := filled(t, 60)
	var authorized atomic.Bool
	s.Break(func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if strings.Contains(r.Header.Get("Authorization"), s3test.AccessKey) {
			authorized.Store(true)
		}
		for _, status := range []int{400, 401, 403, 404, 412, 416, 418, 501} {
			if strings.HasSuffix(r.URL.Path, fmt.Sprintf("%d", status%100)) {
				s3test.Refuse(w, status, s3test.SecretKey)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
	m, _, said := s.making(t, all)
	m.Output = "m"
	if made, err := sums.Make(t.Context(), m); err != nil || made.Failed < 5 {
		t.Fatal(made, err)
	}
	texts := said.lines
	files, _ := filepath.Glob("*")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if !authorized.Load() || len(files) != 2 {
		t.Errorf("authorized %v, left %q", authorized.Load(), files)
	}
	for _, text := range texts {
		for _, secret := range []string{s3test.AccessKey, s3test.SecretKey, "planted/secret"} {
			if strings.Contains(text, secret) {
				t.Errorf("%q is in %.200q", secret, text)
			}
		}
	}
}

// What the environment says of the store, and what is refused without being repeated.
func TestOpen(t *testing.T) {
	for _, c := range []struct {
		env  []string
		fail string
	}{
		{nil, ""},
		{[]string{"AWS_ENDPOINT_URL=http://localhost:9000/"}, ""},
		{[]string{"AWS_ENDPOINT_URL_S3=HTTPS://minio.example"}, ""},
		{[]string{"AWS_ENDPOINT_URL_S3=http://user:secret@localhost"}, "AWS_ENDPOINT_URL_S3: it must be http://host:port or https://host:port, and nothing else"},
		{[]string{"AWS_ENDPOINT_URL=localhost:9000"}, "AWS_ENDPOINT_URL: it must be"},
		{[]string{"AWS_ENDPOINT_URL=http://localhost/path"}, "AWS_ENDPOINT_URL: it must be"},
		{[]string{"AWS_ENDPOINT_URL=ftp://localhost"}, "AWS_ENDPOINT_URL: it must be"},
	} {
		_, err := s3.Open(func(name string) string {
			for _, pair := range c.env {
				if key, value, _ := strings.Cut(pair, "="); key == name {
					return value
				}
			}
			return ""
		})
		if (err != nil) != (c.fail != "") || err != nil && (!strings.HasPrefix(err.Error(), c.fail) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%q: %v", c.env, err)
		}
	}
}

// An error code that says that something else isn't there is told of, with whose credentials they were.
func TestUnknownUser(t *testing.T) {
	s := filled(t, 1)
	s.Break(func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		s3test.Refuse(w, http.StatusNotFound, "XAdminUserNotFound")
	})
	m, _, _ := s.making(t, all)
	const want = "the store says XAdminUserNotFound (404); the credentials are those of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
	err := m.Objects.List(t.Context(), all, nil)
	if err == nil || err.Error() != want || errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, _, err = m.Objects.Open(t.Context(), all+"data/0/0000", treehash.Stamp{}); err == nil || err.Error() != want || errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// A refusal by another code than the plain one says which, and whose credentials they were.
func TestWrongCredentials(t *testing.T) {
	s := filled(t, 1)
	s.Break(func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		s3test.Refuse(w, http.StatusForbidden, "InvalidAccessKeyId")
	})
	m, _, _ := s.making(t, all)
	const want = "access denied: the store says InvalidAccessKeyId (403); the credentials are those of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
	if err := m.Objects.List(t.Context(), all, nil); !errors.Is(err, fs.ErrPermission) || err.Error() != want {
		t.Error(err)
	}
}

// Without credentials that is what is said.
func TestDenied(t *testing.T) {
	s := filled(t, 1)
	s.Break(func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		s3test.Refuse(w, http.StatusForbidden, "AccessDenied")
	})
	for _, c := range []struct{ key, want string }{
		{s3test.AccessKey, "access denied; the credentials are those of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"},
		{"", "access denied: no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"},
	} {
		m, _, _ := s.making(t, all)
		t.Setenv("AWS_ACCESS_KEY_ID", c.key)
		t.Setenv("HOME", t.TempDir())
		err := m.Objects.List(t.Context(), all, nil)
		if !errors.Is(err, fs.ErrPermission) || err.Error() != c.want {
			t.Errorf("%q: %v", c.key, err)
		}
	}
}
