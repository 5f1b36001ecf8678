package s3_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/cryptogauge/cryptogauge/internal/treesum/objects"
	"github.com/cryptogauge/cryptogauge/internal/treesum/s3"
	"github.com/cryptogauge/cryptogauge/internal/treesum/s3/s3test"
	"github.com/cryptogauge/cryptogauge/internal/treesum/sums"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// A gateway is a store that is somebody else's program: versitygw, over a folder.
type gateway struct {
	environment []string
	core        *minio.Core
}

func (g *gateway) getenv(name string) string {
	for _, pair := range g.environment {
		if key, value, _ := strings.Cut(pair, "="); key == name {
			return value
		}
	}
	return ""
}

// startGateway starts one, which ends with the test.
func startGateway(t *testing.T) *gateway {
	t.Helper()
	program, err := exec.LookPath("versitygw")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("versitygw is not installed, and must be here")
		}
		t.Skip("versitygw is not installed: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := listener.Addr().String()
	listener.Close()
	cmd := exec.CommandContext(t.Context(), program, "--port", host, "--quiet", "posix", t.TempDir())
	cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+s3test.AccessKey, "ROOT_SECRET_KEY="+s3test.SecretKey)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	g := &gateway{environment: []string{"AWS_ENDPOINT_URL_S3=http://" + host, "AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=" + s3test.AccessKey,
		"AWS_SECRET_ACCESS_KEY=" + s3test.SecretKey, "AWS_EC2_METADATA_DISABLED=true"}}
	for _, pair := range g.environment {
		name, value, _ := strings.Cut(pair, "=")
		t.Setenv(name, value)
	}
	g.core, err = minio.NewCore(host, &minio.Options{Creds: credentials.NewStaticV4(s3test.AccessKey, s3test.SecretKey, ""), Region: "us-east-1", MaxRetries: 1})
	if err != nil {
		t.Fatal(err)
	}
	for begun := time.Now(); ; time.Sleep(50 * time.Millisecond) { // until it answers
		if err = g.core.MakeBucket(t.Context(), bucket, minio.MakeBucketOptions{}); err == nil {
			return g
		}
		if time.Since(begun) > time.Minute {
			t.Fatal(err)
		}
	}
}

// What holds of the store in this process holds of another's: names, order, digests, resuming, and changes.
func TestGateway(t *testing.T) {
	g := startGateway(t)
	t.Chdir(t.TempDir())
	client, err := s3.Open(g.getenv)
	if err != nil {
		t.Fatal(err)
	}
	s := &store{contents: map[string][]byte{}}
	put := func(key string, contents []byte) {
		t.Helper()
		if err := client.Put(t.Context(), bucket, key, contents); err != nil {
			t.Fatalf("%q: %v", key, err)
		}
		s.contents[all+key] = contents
	}
	for i := range 1500 {
		put(fmt.Sprintf("data/%d/%04d", i%3, i), []byte(strings.Repeat("x", i*i%9000)))
	}
	put("long", []byte(strings.Repeat("long", 1<<20)))
	// Other control characters it doesn't list as they are.
	for i, key := range []string{"a b", "a+b", "a%20b", "ü", "图片/照片", "?x=y&z#f", "new\nline", "c\rr", "tab\t", "data-b/1", "'\"`$(x)"} {
		put("names/"+key, []byte(strings.Repeat("n", i)))
	}
	resume := func() *sums.Made {
		t.Helper()
		var said told
		m, _, _ := (&store{Server: new(s3test.Server)}).making(t, all)
		m.Objects, m.Output, m.Resume, m.Say = objects.New(client), "m", "m", said.say
		made, err := sums.Make(t.Context(), m)
		text, readErr := os.ReadFile("m")
		if err != nil || readErr != nil || string(text) != s.manifest() || made.Failed != 0 {
			t.Fatalf("%v, %v, %+v, said %q\n%s", err, readErr, made, said.lines, firstDifference(string(text), s.manifest()))
		}
		return made
	}
	if made := resume(); made.Skipped != 0 {
		t.Errorf("%+v", made)
	}
	put("data/1/0001", []byte("other"))
	if made := resume(); made.Skipped != made.Lines-1 {
		t.Errorf("%+v", made)
	}
	// One that has changed since it was listed is refused by the store: by its ETag.
	listed := treehash.Stamp{Size: 5, ETag: "d41d8cd98f00b204e9800998ecf8427e"}
	if _, _, err := objects.New(client).Open(t.Context(), all+"data/1/0001", listed); err == nil || err.Error() != objects.ErrChanged.Error() {
		t.Error(err)
	}
}

// firstDifference is the first line that differs.
func firstDifference(got, want string) string {
	for i, line := range strings.Split(want, "\n") {
		if other := strings.Split(got, "\n"); i >= len(other) || other[i] != line {
			return fmt.Sprintf("line %d: got %q, want %q", i+1, strings.Join(other[min(i, len(other)):min(i+1, len(other))], ""), line)
		}
	}
	return ""
}
