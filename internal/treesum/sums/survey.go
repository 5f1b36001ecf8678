package sums

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// A Total is how much there is to hash.
type Total struct{ Files, Bytes int64 }

// Survey finds out how much there is in the inputs of a manifest. It is no more than about right: links are not followed,
// of what is shared out each shard has as much, and what can't be read isn't counted.
func Survey(ctx context.Context, m Making) (t Total) {
	for _, path := range m.Inputs {
		if treehash.IsObject([]byte(path)) && m.Objects != nil {
			_ = m.Objects.List(ctx, path, func(_ []byte, s treehash.Stamp) error {
				t.Files++
				t.Bytes += s.Size
				return ctx.Err()
			})
			continue
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				if info, err := d.Info(); err == nil {
					t.add(info)
				}
			}
			return ctx.Err()
		})
	}
	if m.Part != nil {
		t.Files, t.Bytes = t.Files/int64(m.Part.Of), t.Bytes/int64(m.Part.Of)
	}
	return t
}

func (t *Total) add(info os.FileInfo) {
	t.Files++
	t.Bytes += info.Size()
}
