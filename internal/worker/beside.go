package worker

import (
	"io"
	"os/exec"
	"sync"
	"time"
)

// Beside starts a process that works with this one over a pipe, its standard input and output. It stays in
// this process's group, and so is killed with it; closing the pipe ends it.
func Beside(c Command) (io.ReadWriteCloser, error) {
	cmd, in, out, err := c.piped()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	return &beside{out, in, cmd}, nil
}

type beside struct {
	io.Reader
	io.WriteCloser
	cmd *exec.Cmd
}

// Close waits for the end of the process, which the end of its input brings about, or else its death.
func (b *beside) Close() error {
	const grace = 2 * time.Second
	err := b.WriteCloser.Close()
	defer time.AfterFunc(grace, func() { _ = b.cmd.Process.Kill() }).Stop()
	_ = b.cmd.Wait() // it was told to end, and how it does so matters to nobody
	return err
}

// Shared starts a process for the first who asks, and gives it to all others until the last has closed it.
func Shared(start func() (io.ReadWriteCloser, error)) func() (io.ReadWriteCloser, error) {
	var s shared
	return func() (io.ReadWriteCloser, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.users == 0 {
			var err error
			if s.ReadWriteCloser, err = start(); err != nil {
				return nil, err
			}
		}
		s.users++
		return &s, nil
	}
}

type shared struct {
	io.ReadWriteCloser
	mu    sync.Mutex
	users int
}

func (s *shared) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users--; s.users > 0 {
		return nil
	}
	return s.ReadWriteCloser.Close()
}
