package sums

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
)

// A Total is how much there is to hash.
type Total struct{ Files, Bytes int64 }

// Survey finds out how much there is below paths. It is no more than about right: links are not followed,
// and what can't be read isn't counted.
func Survey(ctx context.Context, paths []string) (t Total) {
	for _, path := range paths {
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
	return t
}

func (t *Total) add(info os.FileInfo) {
	t.Files++
	t.Bytes += info.Size()
}
