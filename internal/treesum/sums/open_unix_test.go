//go:build unix

package sums

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/digest"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// TestInterruptedAtFIFO: nobody opens the other end, and the context ends.
func TestInterruptedAtFIFO(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	sha256, err := digest.Named("sha256", 0)
	if err != nil {
		t.Fatal(err)
	}
	for name, wait := range map[string]func(context.Context, string) error{
		"open": func(ctx context.Context, fifo string) error {
			_, err := Open(ctx, fifo, os.O_RDONLY)
			return err
		},
		"check": func(ctx context.Context, fifo string) error {
			_, err := Check(ctx, Checking{Manifests: []string{fifo}, Say: func(language.Text) {}})
			return err
		},
		"make": func(ctx context.Context, fifo string) error {
			_, err := Make(ctx, Making{Algorithm: sha256, Output: fifo, Inputs: []string{file},
				Source: treehash.Paths([]string{file}, treehash.Leave), Say: func(language.Text) {}})
			return err
		},
	} {
		fifo := filepath.Join(dir, name) // of its own: a wait that was given up goes on, and would be the other end
		if err := syscall.Mkfifo(fifo, 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if err := wait(ctx, fifo); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
}
