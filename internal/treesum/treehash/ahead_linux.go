//go:build amd64 || arm64

package treehash

import (
	"golang.org/x/sys/unix"

	"github.com/cryptogauge/cryptogauge/internal/treesum/iouring"
)

// An ahead is files of a batch that a worker has open before it comes to them. Where the kernel opens 64 at
// a call, and closes them at another, a file of 4 KiB takes a sixth less time than by calls of its own
// (BenchmarkSmallFiles shows both). It is only for a thread whose descriptors are its own:
// others can't run out of them.
type ahead struct {
	ring   *iouring.Ring // nil where there is none, or no longer
	first  int           // the entry that files[0] is for
	files  []iouring.File
	memory [mostAhead]iouring.File
}

// mostAhead is how many files are opened at once, and fewAhead how few aren't.
const (
	mostAhead = 64
	fewAhead  = 8
)

// prepare is called on the worker's thread.
func (a *ahead) prepare() {
	a.ring, _ = iouring.New(mostAhead) // where that is forbidden it only goes slower
}

// end gives back all there is.
func (a *ahead) end() {
	a.close()
	a.stop()
}

func (a *ahead) stop() {
	if a.ring != nil {
		a.ring.Close()
		a.ring = nil
	}
}

// file is the one opened for entry i, and false where there is none: what is wrong with it is found out by
// opening it again.
func (a *ahead) file(i int) (file, bool) {
	if i < a.first || i >= a.first+len(a.files) || a.files[i-a.first].FD < 0 {
		return nothing, false
	}
	return file(a.files[i-a.first].FD), true
}

// close closes the files: those with descriptors next to each other together.
func (a *ahead) close() {
	for i := 0; i < len(a.files); {
		first, last := a.files[i].FD, a.files[i].FD
		for i++; i < len(a.files) && first >= 0 && a.files[i].FD == last+1; i++ {
			last++
		}
		switch {
		case first < 0:
		case first == last || unix.CloseRange(uint(first), uint(last), 0) != nil:
			for fd := first; fd <= last; fd++ {
				unix.Close(fd)
			}
		}
	}
	a.first, a.files = 0, a.files[:0]
}

// openAhead opens entry i and those after it in the same folder, if there are enough, and none of them is
// open yet.
func (w *worker) openAhead(b *batch, i int) {
	a := &w.ahead
	if a.ring == nil || i < a.first+len(a.files) {
		return
	}
	a.close()
	flags := b.entries[i].flags()
	files := a.memory[:0]
	for j := i; j < len(b.entries) && len(files) < mostAhead; j++ {
		e := &b.entries[j]
		if g := b.gave(j); e.done.Load() || !w.isQuick(b, j) || e.flags() != flags || g != nil && g.Stamp.Proves() {
			break // what may be known already, or needs no opening, is left alone
		}
		files = append(files, iouring.File{Path: b.names[e.base : e.end+1]})
	}
	a.first, a.files = i, files
	if len(files) < fewAhead {
		a.files = files[:0]
		return
	}
	err := a.ring.Open(w.place.dir, flags|unix.O_CLOEXEC, files)
	for _, f := range files {
		if f.FD == -int(unix.EMFILE) || f.FD == -int(unix.ENFILE) || f.FD == -int(unix.EINVAL) {
			err = unix.Errno(-f.FD) // one by one needs fewer descriptors, and an old kernel
		}
	}
	if err != nil {
		a.close()
		a.stop()
	}
}
