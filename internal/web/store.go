package web

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/archive"
	"github.com/cryptogauge/cryptogauge/internal/language"
)

// source opens the store when it is asked for. One that was away is tried again, so that it comes back by itself; a
// file that another one has taken the place of, or that was written over, is opened anew. A store that was open once and is
// there no more is away, and not one that nobody has filled yet.
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
	had    bool // it was open once
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
	if s.had && empty(err) {
		err = language.Errorf("the store %s is gone: it was read before, and there is none now", "存储 %s 已不存在：此前曾可读取，现在该处没有存储", s.at)
	}
	if err != nil {
		if ctx.Err() == nil { // else the reader has gone away
			s.failed, s.again = err, s.now().Add(retry)
		}
		return nil, err
	}
	s.open, s.failed, s.had = a, nil, true
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

// moved says whether the file at the store's place is another than was opened, or none, or no database any more: a reader
// would go on telling what it remembers.
func (s *source) moved() bool {
	if s.file == nil {
		return false
	}
	if now := s.stat(); now == nil || !os.SameFile(now, s.file) {
		return true
	}
	f, err := os.Open(s.at.Path)
	if err != nil {
		return true
	}
	defer f.Close()
	begins := make([]byte, len(sqliteMagic))
	_, err = io.ReadFull(f, begins)
	return err != nil || string(begins) != sqliteMagic
}

// sqliteMagic begins every database of SQLite (its file format, 1.3.1).
const sqliteMagic = "SQLite format 3\x00"

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
