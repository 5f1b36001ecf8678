package sums

import (
	"context"
	"os"
)

// Open is os.OpenFile without creation, which ends with the context: a FIFO is open only when its other end
// is, and nobody may ever open that.
func Open(ctx context.Context, path string, flag int) (*os.File, error) {
	type opened struct {
		file *os.File
		err  error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.OpenFile(path, flag, 0)
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		return o.file, o.err
	case <-ctx.Done():
		go func() {
			if o := <-done; o.err == nil {
				o.file.Close()
			}
		}()
		return nil, ctx.Err()
	}
}
