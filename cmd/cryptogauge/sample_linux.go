package main

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// memoryFile makes a file that no folder has.
func memoryFile(name string, content []byte) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("keeping the %s in memory: %w", name, err)
	}
	f := os.NewFile(uintptr(fd), name)
	_, err = f.Write(content)
	return f, err
}

// unchanging makes such a file that nobody can write to any more, whoever inherits it.
func unchanging(content []byte) (*os.File, error) {
	f, err := memoryFile("sample", content)
	if err != nil {
		return nil, err
	}
	if _, err = unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_WRITE|unix.F_SEAL_GROW|unix.F_SEAL_SHRINK|unix.F_SEAL_SEAL); err != nil {
		return nil, fmt.Errorf("sealing the sample: %w", err)
	}
	return f, nil
}
