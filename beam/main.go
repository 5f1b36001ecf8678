// Command beam makes the parts of a manifest by Apache Beam, as cryptogauge hash --shard makes them one by one:
//
//	beam --algorithm sha256 --shards 16 --output parts s3://bucket/prefix/
//	cryptogauge hash --merge parts/part-* --output manifest
//
// Without --runner it runs here, on Prism. README.md says how it runs on Flink, Spark and Dataflow.
package main

import (
	"context"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/cryptogauge/cryptogauge/beam/pipeline"
	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

var (
	algorithm = flag.String("algorithm", "sha256", "as cryptogauge hash -a")
	shards    = flag.Int("shards", 16, "how many parts; each is held in the memory of one worker, to be sorted")
	output    = flag.String("output", "", "folder for the parts, which all workers see, or s3://bucket/prefix/")
)

// Exit codes, as cryptogauge has them.
const (
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	flag.Parse()
	beam.Init()
	inputs, err := named(flag.Args())
	options := pipeline.Options{Algorithm: *algorithm, Shards: *shards, Inputs: inputs, Output: *output}
	if err == nil {
		err = options.Validate()
	}
	if err != nil {
		end(exitUsage, err)
	}
	p := beam.NewPipeline()
	pipeline.Build(p.Root(), options)
	if err := beamx.Run(context.Background(), p); err != nil {
		end(exitFailed, err)
	}
}

func end(code int, err error) {
	fmt.Fprintln(os.Stderr, "beam:", language.Of(err).In(language.OfSession()))
	os.Exit(code)
}

// named takes arguments for paths and names of objects: URLs of files, and patterns, which a shell may have left.
func named(args []string) (inputs []string, err error) {
	for _, arg := range args {
		if name, ok := strings.CutPrefix(arg, treehash.Scheme); ok {
			if bucket, _, _ := strings.Cut(name, "/"); strings.ContainsAny(bucket, "@:") {
				return nil, language.Error("a name is s3://bucket/key, without credentials", "名字的形式为 s3://bucket/key，不含凭据")
			}
			inputs = append(inputs, arg)
			continue
		}
		path := arg
		if rest, ok := strings.CutPrefix(arg, "file://"); ok {
			if path, err = url.PathUnescape(rest); err != nil || !strings.HasPrefix(path, "/") {
				return nil, language.Errorf("%q: the URL of a file is file:///path", "%q：文件 URL 的形式为 file:///path", arg)
			}
		}
		found, err := filepath.Glob(path)
		if err != nil || len(found) == 0 {
			found = []string{path}
		}
		inputs = append(inputs, found...)
	}
	return inputs, nil
}
