package sums

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/treesum/shard"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// A mortal is a store of objects, of which there is no connection for those from a number on.
type mortal struct {
	dies     int
	opened   atomic.Int64
	progress *treehash.Progress
}

// A batch of a job has at most so many objects. Those of a batch are hashed once all of them have been read, or refused.
const batch = 256

// A mortal has so many objects, and has died where only so many of them are left. Half of the living are more than two
// batches: wherever batches end, a batch of objects has been hashed before the first that has a lost one in it.
const (
	stored = 2000
	living = 1200
)

func (*mortal) List(_ context.Context, _ string, found func([]byte, treehash.Stamp) error) error {
	for i := range stored {
		if err := found(fmt.Appendf(nil, "s3://b/%04d", i), treehash.Stamp{Size: 1, ETag: "e"}); err != nil {
			return err
		}
	}
	return nil
}

func (m *mortal) Open(_ context.Context, name string, s treehash.Stamp) (io.ReadCloser, treehash.Stamp, error) {
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "s3://b/")); err != nil || n >= m.dies {
		for m.progress.Files.Load() < batch { // what was read is hashed before long
			time.Sleep(time.Millisecond)
		}
		return nil, s, fmt.Errorf("refused: %w", treehash.ErrUnreached)
	}
	m.opened.Add(1)
	return io.NopCloser(strings.NewReader("x")), s, nil
}

// What was hashed before a store died isn't hashed again by --resume, of a whole manifest and of a shard.
func TestResumeAfterAway(t *testing.T) {
	for _, part := range []*shard.Part{nil, {Shard: shard.Shard{Index: 1, Of: 2}, Algorithm: "md5", Inputs: []string{"s3://b/"}}} {
		t.Chdir(t.TempDir())
		want, text, _ := making(t, "md5", "s3://b/")
		want.Objects, want.Part = &mortal{dies: stored}, part
		if _, err := Make(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		store := &mortal{dies: living, progress: new(treehash.Progress)}
		m, _, said := making(t, "md5", "s3://b/")
		m.Objects, m.Part, m.Output, m.Progress = store, part, "m", store.progress
		first, err := Make(t.Context(), m)
		if !errors.Is(err, treehash.ErrUnreached) || !first.Partial || first.State != "m" {
			t.Fatalf("%v, %+v, %s", err, first, said)
		}
		before := store.opened.Load()
		store.dies = stored
		m, _, said = making(t, "md5", "s3://b/")
		m.Objects, m.Part, m.Output, m.Resume = store, part, "m", "m"
		made, err := Make(t.Context(), m)
		if got, _ := os.ReadFile("m"); err != nil || said.String() != "" || !bytes.Equal(got, text.Bytes()) {
			t.Errorf("%v, %s, %d bytes, want %d", err, said, len(got), text.Len())
		}
		if opened := store.opened.Load() - before; opened != made.Lines-made.Skipped || made.Skipped < max(batch, first.Lines) {
			t.Errorf("%d were opened for %d lines, %d skipped", opened, made.Lines, made.Skipped)
		}
	}
}
