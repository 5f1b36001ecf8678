// Package filing files runs by the program beside this one. A program that measures links no database: it starts
// cryptogauge-store, which opens the store before anything is measured, waits without a connection, and files the runs' folders
// in the end. So a store that can't be opened costs no measurement, and a password is asked for once.
//
// The two speak JSON, a line each: a [Request] on standard input, a [Reply] on standard output. What is asked on the
// way, as for a password, is asked on the terminal. The location of the store goes that way too, and stands in no
// list of processes.
package filing

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// Verb is what of the program beside this one answers requests, below its verb store. Users don't type it.
const Verb = "filing"

// Request is to open a store, or to file what is in a folder.
type Request struct {
	Open   string `json:"open,omitempty"` // as --store names it
	Folder string `json:"folder,omitempty"`
}

// Reply says what became of a request.
type Reply struct {
	Store string         `json:"store,omitempty"` // the place that was opened
	Error *language.Text `json:"error,omitempty"`
	// Interrupted says that the user gave up when something was asked.
	Interrupted bool `json:"interrupted,omitempty"`
}

// ErrInterrupted: the user gave up when something was asked.
var ErrInterrupted = errors.New("interrupted")

// Store is an open store, or what is left of it.
type Store struct {
	At      string // where it is, for people
	process *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// Open starts a program and has it open a store.
func Open(program, lang, at string) (*Store, error) {
	s := &Store{process: exec.Command(program, "store", Verb, "--lang", lang)}
	s.process.Stderr = os.Stderr
	in, err := s.process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.in, s.out = in, bufio.NewReader(out)
	if err := s.process.Start(); err != nil {
		return nil, language.Errorf("starting %s: %w", "启动 %s：%s", program, err)
	}
	reply, err := s.ask(Request{Open: at})
	if err != nil {
		s.Close()
		return nil, err
	}
	s.At = reply.Store
	return s, nil
}

// File files the runs in a folder.
func (s *Store) File(folder string) error {
	_, err := s.ask(Request{Folder: folder})
	return err
}

// Close lets the program end.
func (s *Store) Close() {
	s.in.Close()
	_ = s.process.Wait() // what it had to say it has said
}

// errEnded: the program beside this one is no more.
var errEnded = language.Error("the program that files runs has ended", "负责保存运行的程序已退出")

func (s *Store) ask(q Request) (r Reply, err error) {
	line, err := json.Marshal(q)
	if err != nil {
		return r, err
	}
	if _, err := s.in.Write(append(line, '\n')); err != nil {
		return r, errEnded
	}
	line, err = s.out.ReadBytes('\n')
	if err != nil {
		return r, errEnded
	}
	switch err := json.Unmarshal(line, &r); {
	case err != nil:
		return r, errEnded
	case r.Interrupted:
		return r, ErrInterrupted
	case r.Error != nil:
		return r, language.Errorf("%s", "%s", *r.Error)
	}
	return r, nil
}
