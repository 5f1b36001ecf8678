package sums

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/treesum/shard"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// A mortal is a store of a thousand objects, which dies when some were read.
type mortal struct {
	mu     sync.Mutex
	left   int // how many can be read yet
	opened int

	progress *treehash.Progress
}

// batch is fewer objects than are read before it dies, all of which are hashed before what follows them is.
const batch = 256

func (*mortal) List(_ context.Context, _ string, found func([]byte, treehash.Stamp) error) error {
	for i := range 1000 {
		if err := found(fmt.Appendf(nil, "s3://b/%04d", i), treehash.Stamp{Size: 1, ETag: "e"}); err != nil {
			return err
		}
	}
	return nil
}

func (m *mortal) Open(_ context.Context, _ string, s treehash.Stamp) (io.ReadCloser, treehash.Stamp, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left == 0 {
		for m.progress.Files.Load() < batch { // what was read is hashed before long
			time.Sleep(time.Millisecond)
		}
		return nil, s, fmt.Errorf("refused: %w", treehash.ErrUnreached)
	}
	m.left--
	m.opened++
	return io.NopCloser(strings.NewReader("x")), s, nil
}

// What was hashed before a store died isn't hashed again by --resume, of a whole manifest and of a shard.
func TestResumeAfterAway(t *testing.T) {
	for _, part := range []*shard.Part{nil, {Shard: shard.Shard{Index: 1, Of: 2}, Algorithm: "md5", Inputs: []string{"s3://b/"}}} {
		t.Chdir(t.TempDir())
		want, text, _ := making(t, "md5", "s3://b/")
		want.Objects, want.Part = &mortal{left: 1000}, part
		if _, err := Make(t.Context(), want); err != nil {
			t.Fatal(err)
		}
		store := &mortal{left: 400, progress: new(treehash.Progress)}
		m, _, said := making(t, "md5", "s3://b/")
		m.Objects, m.Part, m.Output, m.Progress = store, part, "m", store.progress
		first, err := Make(t.Context(), m)
		if !errors.Is(err, treehash.ErrUnreached) || !first.Partial || first.State != "m" || store.opened != 400 {
			t.Fatalf("%v, %+v, %d were opened, %s", err, first, store.opened, said)
		}
		store.left = 1000
		m, _, said = making(t, "md5", "s3://b/")
		m.Objects, m.Part, m.Output, m.Resume = store, part, "m", "m"
		made, err := Make(t.Context(), m)
		if got, _ := os.ReadFile("m"); err != nil || said.String() != "" || !bytes.Equal(got, text.Bytes()) {
			t.Errorf("%v, %s, %d bytes, want %d", err, said, len(got), text.Len())
		}
		if int64(store.opened) != 400+made.Lines-made.Skipped || made.Skipped < max(batch, first.Lines) {
			t.Errorf("%d were opened for %d lines, %d skipped", store.opened, made.Lines, made.Skipped)
		}
	}
}
