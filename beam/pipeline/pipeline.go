// Package pipeline makes the parts of a manifest as a pipeline of Apache Beam:
//
//	inputs ──list──▶ batches ──reshuffle──▶ hash ──by shard──▶ sort ──▶ a part each
//
// A batch is 64 to 512 files or objects, which are hashed together as cryptogauge hash does. A part is written whole,
// under the name of its shard, and holds the same bytes however often it is written: what a runner does again, since
// a worker died or was slow, changes nothing.
package pipeline

import (
	"os"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/objects"
	"github.com/cryptogauge/cryptogauge/internal/treesum/s3"
	"github.com/cryptogauge/cryptogauge/internal/treesum/shard"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// Beam finds functions and types by their names, on other machines too.
func init() {
	beam.RegisterType(reflect.TypeFor[Batch]())
	beam.RegisterType(reflect.TypeFor[Line]())
	beam.RegisterType(reflect.TypeFor[listing]())
	beam.RegisterType(reflect.TypeFor[hashing]())
	beam.RegisterType(reflect.TypeFor[everyShard]())
	beam.RegisterType(reflect.TypeFor[writing]())
}

// Options say which manifest. They travel to all workers, and hold no credentials: each worker has its own, from where
// the tools of AWS find them.
type Options struct {
	Algorithm string
	Shards    int
	Inputs    []string // paths, and names of objects, as cryptogauge hash --shard takes them
	Output    string   // the folder for the parts, or s3://bucket/prefix/
}

// Validate refuses what no part can be made of.
func (o Options) Validate() error {
	if _, err := digest.Named(o.Algorithm, 0); err != nil {
		return err
	}
	switch {
	case o.Shards < 1 || o.Shards > shard.Most:
		return language.Errorf("--shards %d: there are 1 to %d", "--shards %d：应为 1 至 %d", o.Shards, shard.Most)
	case len(o.Inputs) == 0:
		return language.Error("name the files, folders and objects to hash", "请给出要计算的文件、目录与对象")
	case o.Output == "":
		return language.Error("--output: name the folder for the parts, or s3://bucket/prefix/",
			"--output：请给出存放分片的目录，或 s3://bucket/prefix/")
	}
	return nil
}

// Build adds the pipeline to a scope.
func Build(s beam.Scope, o Options) {
	s = s.Scope("cryptogauge.hash")
	start := beam.Impulse(s)
	batches := beam.Reshuffle(s, beam.ParDo(s, &listing{Inputs: o.Inputs}, start))
	lines := beam.ParDo(s, &hashing{Algorithm: o.Algorithm, Shards: o.Shards}, batches)
	parts := beam.GroupByKey(s, beam.Flatten(s, lines, beam.ParDo(s, &everyShard{Shards: o.Shards}, start)))
	beam.ParDo0(s, &writing{Algorithm: o.Algorithm, Shards: o.Shards, Inputs: o.Inputs, Output: o.Output}, parts)
}

// A Batch is files or objects to be hashed together. Its slices are of one length.
type Batch struct {
	Input    int64 // the number of the input in which they were found
	Names    [][]byte
	Sizes    []int64
	Modified []int64 // ns since 1970
	ETags    []string
	Failed   []string // why an input, or a folder in it, can't be listed; empty of all that is found
}

// A Line is one of a part, or a file that has none.
type Line struct {
	Input  int64
	Name   []byte
	Digest []byte
	Failed bool   // there is no digest, or the file changed while it was read
	Reason string // why
}

// everyShard sees to it that there is a part of each shard, though it have no line.
type everyShard struct{ Shards int }

// ProcessElement is Beam's.
func (e *everyShard) ProcessElement(_ []byte, emit func(int64, Line)) {
	for i := range e.Shards {
		emit(int64(i), Line{})
	}
}

// open opens the store that the environment of a worker names.
func open() (treehash.Objects, *s3.Client, error) {
	client, err := s3.Open(os.Getenv)
	if err != nil {
		return nil, nil, err
	}
	return objects.New(client), client, nil
}
