package worker

import (
	"errors"
	"io"
	"testing"
)

// countedCloses counts how often it is closed.
type countedCloses struct {
	io.Reader
	io.Writer
	closed *int
}

func (c countedCloses) Close() error { *c.closed++; return nil }

// TestShared: one start for all who overlap, one end, and a new start after it.
func TestShared(t *testing.T) {
	started, closed := 0, 0
	failing := errors.New("none left")
	var err error
	share := Shared(func() (io.ReadWriteCloser, error) {
		started++
		return countedCloses{closed: &closed}, err
	})
	var pipes [3]io.ReadWriteCloser
	for i := range pipes {
		if pipes[i], err = share(); err != nil {
			t.Fatal(err)
		}
	}
	for i, p := range pipes {
		if started != 1 || closed != 0 {
			t.Errorf("%d of 3 have closed: %d started, %d ended", i, started, closed)
		}
		p.Close()
	}
	if again, err := share(); err != nil || started != 2 || closed != 1 {
		t.Errorf("%v, %v: %d started, %d ended", again, err, started, closed)
	} else {
		again.Close()
	}
	err = failing
	if _, got := share(); got != failing {
		t.Errorf("%v", got)
	}
}
