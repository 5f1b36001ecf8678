package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/objects"
	"github.com/cryptogauge/cryptogauge/internal/treesum/s3"
	"github.com/cryptogauge/cryptogauge/internal/treesum/s3/s3test"
	"github.com/cryptogauge/cryptogauge/internal/treesum/shard"
	"github.com/cryptogauge/cryptogauge/internal/treesum/sums"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

func TestMain(m *testing.M) {
	beam.Init()
	os.Exit(m.Run())
}

const bucket = "planted"

// planted is a store, and the environment in which a worker finds it.
func planted(t testing.TB, n int) *s3test.Server {
	t.Helper()
	server, err := s3test.Start(bucket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	for i := range n {
		if err := server.Put(bucket, fmt.Sprintf("data/%d/%04d\n", i%3, i), bytes.Repeat([]byte(fmt.Sprint(i)), i*i%900)); err != nil {
			t.Fatal(err)
		}
	}
	for _, pair := range server.Environment() {
		name, value, _ := strings.Cut(pair, "=")
		if tt, ok := t.(interface{ Setenv(key, value string) }); ok {
			tt.Setenv(name, value)
		}
	}
	return server
}

// tree is a folder of n files in the current one, which becomes the test's own.
func tree(t testing.TB, n, size int) {
	t.Helper()
	if tt, ok := t.(interface{ Chdir(string) }); ok {
		tt.Chdir(t.TempDir())
	}
	contents := make([]byte, size)
	for i := range n {
		path := fmt.Sprintf("tree/%d/%05d", i%7, i)
		if i%1000 == 9 {
			path += "\\new\nline \xff"
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		copy(contents, path)
		if err := os.WriteFile(path, contents[:max(0, size-i%2)], 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// run makes parts on Prism, and returns them.
func run(t testing.TB, o Options) []string {
	t.Helper()
	if err := o.Validate(); err != nil {
		t.Fatal(err)
	}
	p := beam.NewPipeline()
	Build(p.Root(), o)
	if _, err := prism.Execute(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	parts, err := filepath.Glob(o.Output + "/*")
	if err != nil || len(parts) != o.Shards {
		t.Fatalf("%d parts, %v", len(parts), err)
	}
	return parts
}

// merged is what parts are merged to.
func merged(t testing.TB, parts []string) (string, *sums.Made) {
	t.Helper()
	var out bytes.Buffer
	made, err := sums.Merge(t.Context(), sums.Merging{Parts: parts, Out: &out, Say: func(language.Text) {}})
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), made
}

// plain is what one run makes.
func plain(t testing.TB, o Options) (string, *sums.Made) {
	t.Helper()
	client, err := s3.Open(os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	a, err := digest.Named(o.Algorithm, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	made, err := sums.Make(t.Context(), sums.Making{Algorithm: a, Source: treehash.Paths(o.Inputs, treehash.Leave), Objects: objects.New(client),
		Out: &out, Say: func(language.Text) {}})
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), made
}

// However many parts there are, they are merged to what one run makes.
func TestParts(t *testing.T) {
	tree(t, 3000, 1000)
	planted(t, 700)
	if err := os.Symlink("00000", "tree/0/link"); err != nil {
		t.Fatal(err)
	}
	for i, o := range []Options{
		{Algorithm: "md5", Shards: 3, Inputs: []string{"tree"}},
		{Algorithm: "sm3", Shards: 1, Inputs: []string{"s3://planted/data/"}},
		{Algorithm: "SHA-256", Shards: 40, Inputs: []string{"tree/3/", "s3://planted", "tree", "tree/1/00001"}},
		{Algorithm: "sha512", Shards: 5, Inputs: []string{"tree/1/00001"}}, // of which most have no line
	} {
		o.Output = fmt.Sprintf("parts%d", i)
		want, _ := plain(t, o)
		if got, made := merged(t, run(t, o)); got != want || made.Failed != 0 || want == "" {
			t.Errorf("%+v: %d bytes, want %d; %+v", o, len(got), len(want), made)
		}
	}
}

// What is done again leaves the same parts, and what can't be read is counted in them.
func TestAgain(t *testing.T) {
	tree(t, 500, 100)
	server := planted(t, 300)
	denied := "/planted/data/1/0010\n"
	server.Break(func(w http.ResponseWriter, r *http.Request, store http.Handler) {
		if r.URL.Path == denied {
			s3test.Refuse(w, http.StatusForbidden, "AccessDenied")
			return
		}
		store.ServeHTTP(w, r)
	})
	o := Options{Algorithm: "md5", Shards: 4, Inputs: []string{"tree", "gone", "s3://planted/", "s3://elsewhere/"}, Output: "parts"}
	read := func(parts []string) (texts []string) {
		for _, part := range parts {
			text, err := os.ReadFile(part)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(text))
		}
		return texts
	}
	first := run(t, o)
	texts := read(first)
	if second := read(run(t, o)); !slices.Equal(texts, second) {
		t.Error("the parts are others the second time")
	}
	want, wantMade := plain(t, o)
	got, made := merged(t, first)
	if got != want || made.Failed != wantMade.Failed || made.Failed != 3 {
		t.Errorf("%d bytes, want %d; %+v, want %+v", len(got), len(want), made, wantMade)
	}
	all := strings.Join(texts, "")
	for _, line := range []string{
		`# "s3://planted/data/1/0010\n": "access denied"` + "\n", `# "gone": "no such file or directory"` + "\n", `# "s3://elsewhere/": "there is no such bucket"` + "\n",
	} {
		if strings.Count(all, line) != 1 {
			t.Errorf("%q is there %d times", line, strings.Count(all, line))
		}
	}
	if strings.Contains(all, s3test.SecretKey) || strings.Contains(all, s3test.AccessKey) {
		t.Error("there is a credential in the parts")
	}
}

// A part doesn't depend on the order in which lines come.
func TestOrder(t *testing.T) {
	p := shard.Part{Shard: shard.Whole, Algorithm: "md5", Inputs: []string{"a"}}
	var lines []Line
	for i := range 100 {
		lines = append(lines, Line{Input: int64(i % 3), Name: fmt.Appendf(nil, "%02d", i), Digest: []byte{byte(i)}, Failed: i%10 == 0})
	}
	want := text(p, lines)
	random := rand.New(rand.NewPCG(7, 7))
	for range 10 {
		random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		if got := text(p, lines); !bytes.Equal(got, want) {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	}
}

// Parts may be objects, too.
func TestPartsInStore(t *testing.T) {
	tree(t, 100, 10)
	server := planted(t, 0)
	o := Options{Algorithm: "md5", Shards: 3, Inputs: []string{"tree"}, Output: "s3://planted/parts/"}
	p := beam.NewPipeline()
	Build(p.Root(), o)
	if _, err := prism.Execute(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	client, err := s3.Open(server.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	store := objects.New(client)
	err = store.List(t.Context(), "s3://planted/parts/", func(name []byte, s treehash.Stamp) error {
		in, _, err := store.Open(t.Context(), string(name), s)
		if err != nil {
			return err
		}
		defer in.Close()
		var text bytes.Buffer
		if _, err := text.ReadFrom(in); err != nil {
			return err
		}
		part := filepath.Base(string(name))
		parts = append(parts, part)
		return os.WriteFile(part, text.Bytes(), 0o644)
	})
	want, _ := plain(t, o)
	if got, _ := merged(t, parts); err != nil || got != want {
		t.Errorf("%v, %d bytes, want %d", err, len(got), len(want))
	}
}

// A batch is of 64 to 512, unless there are no more, or few have very many bytes.
func TestBatches(t *testing.T) {
	for size, want := range map[int64]int{0: most, 100 << 10: most, 4 << 20: few, 1 << 30: 16} {
		var counts []int
		b := batching{emit: func(b Batch) { counts = append(counts, len(b.Names)) }}
		for range 2*want + 1 {
			b.add("name", treehash.Stamp{Size: size})
		}
		b.flush()
		b.flush()
		if !slices.Equal(counts, []int{want, want, 1}) {
			t.Errorf("of %d bytes each: %d", size, counts)
		}
	}
}

func TestValidate(t *testing.T) {
	good := Options{Algorithm: "md5", Shards: 1, Inputs: []string{"a"}, Output: "parts"}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for _, change := range []func(*Options){
		func(o *Options) { o.Algorithm = "md4" }, func(o *Options) { o.Shards = 0 }, func(o *Options) { o.Shards = shard.Most + 1 },
		func(o *Options) { o.Inputs = nil }, func(o *Options) { o.Output = "" },
	} {
		o := good
		if change(&o); o.Validate() == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}

// BenchmarkAgainstPlain reports what the pipeline takes on Prism beside one run of its own, for ten thousand files of
// 4 KiB and 64 of 16 MiB: seconds more, and how many times as long.
func BenchmarkAgainstPlain(b *testing.B) {
	for _, c := range []struct {
		name    string
		n, size int
	}{{"10000x4KiB", 10_000, 4 << 10}, {"64x16MiB", 64, 16 << 20}} {
		b.Run(c.name, func(b *testing.B) {
			b.Chdir(b.TempDir())
			tree(b, c.n, c.size)
			o := Options{Algorithm: "md5", Shards: 4, Inputs: []string{"tree"}, Output: "parts"}
			var alone, piped time.Duration
			for b.Loop() {
				begun := time.Now()
				want, _ := plain(b, o)
				alone += time.Since(begun)
				begun = time.Now()
				parts := run(b, o)
				piped += time.Since(begun)
				if got, _ := merged(b, parts); got != want {
					b.Fatal("the manifests differ")
				}
			}
			b.ReportMetric((piped-alone).Seconds()/float64(b.N), "s-more")
			b.ReportMetric(piped.Seconds()/alone.Seconds(), "times")
		})
	}
}

// A context that has ended ends the listing.
func TestListingEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l := listing{Inputs: []string{"gone", "gone"}}
	n := 0
	if err := l.ProcessElement(ctx, nil, func(Batch) { n++ }); !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("%v after %d batches", err, n)
	}
}
