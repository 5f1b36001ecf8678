package worker

import (
	"fmt"
	"os"
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/provider"
)

// The user's data (provider.Own) are an open file that workers inherit, so that they are the same bytes for all of
// them however long a run goes on, stand in no line of the protocol, and are gone with the run. A worker is told the
// path by which it opens that descriptor, and says which data it read: who says nothing draws its own.

// descriptor is the path of an open file's descriptor in a process.
func descriptor(fd int) string {
	if runtime.GOOS == "linux" {
		return fmt.Sprintf("/proc/self/fd/%d", fd)
	}
	return fmt.Sprintf("/dev/fd/%d", fd)
}

// firstInherited is the descriptor of the first of a command's files.
const firstInherited = 3

// open reads the data and holds them against what was said of them; nil where there are none.
func (s *ownFile) open() (*provider.Own, error) {
	if s == nil {
		return nil, nil
	}
	f, err := os.Open(s.Path)
	if err != nil {
		return nil, newFault(Failed, "sample-unread", err)
	}
	own, err := provider.ReadOwn(f)
	if err != nil {
		return nil, newFault(Failed, "sample-unread", err)
	}
	if own.OwnData != s.OwnData {
		return nil, newFault(Failed, "sample-other")
	}
	return own, nil
}

// fileOf is what a worker is told of the user's data.
func (p *Process) fileOf(own *provider.Own) *ownFile {
	if own == nil {
		return nil
	}
	path := p.own
	if path == "" { // a worker of this process
		path = descriptor(int(own.File.Fd()))
	}
	return &ownFile{Path: path, OwnData: own.OwnData}
}
