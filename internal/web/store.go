package web

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive"
)

// source opens the store when it is asked for. One that was away is tried again, so that it comes back by itself; a
// file that another one has taken the place of is opened anew.
type source struct {
	at      archive.Location
	options archive.Options
	now     func() time.Time

	mu     sync.Mutex
	open   *archive.Archive
	file   os.FileInfo // that was opened; nil of a database
	failed error
	again  time.Time // when one that failed is tried again
	asked  bool
}

// retry is how long a store that is away is left alone: many readers ask at once.
const retry = time.Second

// openTime is how long a store that was away may take to open.
const openTime = 3 * time.Second

func (s *source) get(ctx context.Context) (*archive.Archive, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open != nil && s.moved() {
		old := s.open
		s.open, s.failed = nil, nil
		time.AfterFunc(askTime, func() { _ = old.Close() }) // who reads it now may come to an end
	}
	switch {
	case s.open != nil:
		return s.open, nil
	case s.failed != nil && s.now().Before(s.again):
		return nil, s.failed
	}
	s.file = s.stat() // before it is opened: one that is put in its place between is found to be another
	brief, stop := ctx, context.CancelFunc(func() {})
	if s.failed != nil { // it is known to be away: others wait for the answer too
		brief, stop = context.WithTimeout(ctx, openTime)
	}
	defer stop()
	a, err := archive.Open(brief, s.at, s.once())
	if err != nil {
		if ctx.Err() == nil { // else the reader has gone away
			s.failed, s.again = err, s.now().Add(retry)
		}
		return nil, err
	}
	s.open, s.failed = a, nil
	return a, nil
}

// once asks for the password once, and remembers it.
func (s *source) once() archive.Options {
	o := s.options
	if ask := o.Password; ask != nil && !s.asked {
		o.Password = func(database string) (string, error) {
			s.asked = true
			password, err := ask(database)
			s.options.Password = func(string) (string, error) { return password, err }
			return password, err
		}
	}
	return o
}

func (s *source) stat() os.FileInfo {
	if s.at.Engine != archive.SQLite {
		return nil
	}
	info, _ := os.Stat(s.at.Path) // where there is none, there is nothing to open
	return info
}

// moved says whether the file at the store's place is another than was opened, or none.
func (s *source) moved() bool {
	if s.file == nil {
		return false
	}
	now := s.stat()
	return now == nil || !os.SameFile(now, s.file)
}

func (s *source) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open != nil {
		_ = s.open.Close()
		s.open = nil
	}
}

// empty says of an error that the store holds nothing yet.
func empty(err error) bool { return errors.Is(err, archive.ErrNone) }
