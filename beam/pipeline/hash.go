package pipeline

import (
	"bytes"
	"context"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/shard"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// hashing hashes a batch by all CPUs and lanes, and gives each line to its shard.
type hashing struct {
	Algorithm string
	Shards    int

	by      *digest.Algorithm
	objects treehash.Objects
}

// Setup is Beam's.
func (h *hashing) Setup() (err error) {
	if h.by, err = digest.Named(h.Algorithm, 0); err != nil {
		return err
	}
	h.objects, _, err = open()
	return err
}

var errChanged = language.Error("changed while it was read; its digest is of no state that it was in",
	"读取期间有变化；所得摘要不对应它的任何一个状态")

// ProcessElement is Beam's.
func (h *hashing) ProcessElement(ctx context.Context, b Batch, emit func(int64, Line)) error {
	tell := func(l Line) {
		l.Input = b.Input
		emit(int64(shard.Number(l.Name, h.Shards)), l)
	}
	for i, name := range b.Names {
		if b.Failed[i] != "" {
			tell(Line{Name: name, Failed: true, Reason: b.Failed[i]})
		}
	}
	return treehash.Run(ctx, treehash.Job{Algorithm: h.by, Objects: h.objects, Source: b.source, Emit: func(r *treehash.Result) error {
		l := Line{Name: bytes.Clone(r.Name)}
		switch {
		case r.Err != nil:
			l.Failed, l.Reason = true, r.Err.Error()
		case r.Changed:
			l.Failed, l.Reason = true, errChanged.Error()
			fallthrough
		default:
			l.Digest = bytes.Clone(r.Digest[:h.by.Size])
		}
		tell(l)
		return nil
	}})
}

// source feeds what was found.
func (b Batch) source(f *treehash.Feed) error {
	for i, name := range b.Names {
		if b.Failed[i] != "" {
			continue
		}
		s := treehash.Stamp{Size: b.Sizes[i], Modified: b.Modified[i], ETag: b.ETags[i]}
		if err := f.Found(name, s); err != nil {
			return err
		}
	}
	return nil
}
