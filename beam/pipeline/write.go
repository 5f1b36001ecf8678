package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/manifest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/s3"
	"github.com/cryptogauge/cryptogauge/internal/treesum/shard"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// writing writes parts.
type writing struct {
	Algorithm string
	Shards    int
	Inputs    []string
	Output    string

	name  string // of the algorithm, as manifests have it
	store *s3.Client
}

// Setup is Beam's.
func (w *writing) Setup() error {
	a, err := digest.Named(w.Algorithm, 0)
	if err != nil {
		return err
	}
	w.name = a.Name
	if treehash.IsObject([]byte(w.Output)) {
		_, w.store, err = open()
		return err
	}
	return os.MkdirAll(w.Output, 0o777)
}

// ProcessElement is Beam's.
func (w *writing) ProcessElement(ctx context.Context, index int64, next func(*Line) bool) error {
	var lines []Line
	for l := (Line{}); next(&l); l = (Line{}) {
		if len(l.Name) > 0 { // else of everyShard
			lines = append(lines, l)
		}
	}
	p := shard.Part{Shard: shard.Shard{Index: int(index), Of: w.Shards}, Algorithm: w.name, Inputs: w.Inputs}
	return w.write(ctx, Name(p.Shard), text(p, lines))
}

// Name is the file name of a part.
func Name(s shard.Shard) string { return fmt.Sprintf("part-%05d-of-%05d", s.Index, s.Of) }

// text is a part: its lines in their order, whatever the order in which they came.
func text(p shard.Part, lines []Line) []byte {
	slices.SortFunc(lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(a.Input, b.Input), bytes.Compare(a.Name, b.Name))
	})
	text := append([]byte(p.Comment()), '\n')
	var end shard.End
	for _, l := range lines {
		if l.Failed {
			end.Failed++
			text = fmt.Appendf(text, "# %s: %s\n", strconv.Quote(string(l.Name)), strconv.Quote(l.Reason))
		}
		if len(l.Digest) > 0 {
			end.Lines++
			text = manifest.Form{}.Append(text, l.Name, l.Digest)
		}
	}
	return append(append(text, end.Comment()...), '\n')
}

// write puts a part where it belongs, whole or not at all.
func (w *writing) write(ctx context.Context, name string, text []byte) error {
	if w.store != nil {
		bucket, prefix, _ := strings.Cut(strings.TrimPrefix(w.Output, treehash.Scheme), "/")
		return w.store.Put(ctx, bucket, prefix+name, text)
	}
	f, err := os.CreateTemp(w.Output, "."+name+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(w.Output, name))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
