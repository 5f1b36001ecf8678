package treehash

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A place is a worker's: its thread, and the folder that the files are in which it opens one after the
// other.
type place struct {
	folder []byte // with its slash
	dir    int    // that folder, or nothing
	local  bool   // its file system is of this machine
	stat   unix.Stat_t
}

const nothing = -1

// settle gives the thread descriptors of its own. Threads that share theirs wait for each other whenever
// one of them opens or closes a file, and count the users of every folder that they look a name up in.
// Where that is forbidden it only goes slower, and settle returns false.
func (p *place) settle() bool {
	p.dir = nothing
	runtime.LockOSThread() // for good: the thread ends with the goroutine
	return unix.Unshare(unix.CLONE_FILES) == nil
}

func (p *place) leave() { p.exit() }

func (p *place) exit() {
	if p.dir != nothing {
		unix.Close(p.dir)
	}
	p.dir, p.folder = nothing, p.folder[:0]
}

// near is how many files of a folder make opening it worth it.
const near = 3

// enter opens the folder of entry i, if it is that of those that follow too.
func (p *place) enter(b *batch, i int) {
	folder := b.folder(&b.entries[i])
	if p.dir != nothing && bytes.Equal(folder, p.folder) {
		return
	}
	p.exit()
	last := i + near - 1
	if len(folder) == 0 || len(folder) < longestPath/2 && (last >= len(b.entries) || !bytes.Equal(folder, b.folder(&b.entries[last]))) {
		return
	}
	p.folder = append(append(p.folder[:0], folder...), 0)
	dir, err := openPath(p.folder, unix.O_PATH|unix.O_DIRECTORY)
	p.folder = p.folder[:len(folder)]
	if err != nil {
		return // opening the file will say what is wrong
	}
	p.dir = dir
	var st unix.Statfs_t
	p.local = unix.Fstatfs(dir, &st) == nil && localSystem(int64(st.Type))
}

// localSystem says whether a file system of this magic number keeps its files on this machine, with times
// by its clock, and doesn't keep anybody waiting for long.
func localSystem(magic int64) bool {
	switch uint32(magic) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.F2FS_SUPER_MAGIC, unix.OVERLAYFS_SUPER_MAGIC:
		return true
	}
	return false
}

// longestPath is PATH_MAX, with its NUL.
const longestPath = 4096

// atimeDenied says that a file turned up whose owner is somebody else, so that the time of its last access
// can't be left as it is.
var atimeDenied atomic.Bool

// openPath opens a path that ends in NUL. One that is longer than system calls take is opened step by
// step.
func openPath(path []byte, flags int) (int, error) {
	dir := unix.AT_FDCWD
	for len(path) > longestPath {
		end := bytes.LastIndexByte(path[:longestPath-1], '/')
		if end <= 0 {
			break
		}
		step := append(bytes.Clone(path[:end]), 0)
		next, err := openAt(dir, step, unix.O_PATH|unix.O_DIRECTORY)
		if dir != unix.AT_FDCWD {
			unix.Close(dir)
		}
		if err != nil {
			return nothing, err
		}
		dir = next
		path = bytes.TrimLeft(path[end:], "/")
	}
	fd, err := openAt(dir, path, flags)
	if dir != unix.AT_FDCWD {
		unix.Close(dir)
	}
	return fd, err
}

// openAt opens a path that ends in NUL.
func openAt(dir int, path []byte, flags int) (int, error) {
	for {
		fd, _, e := unix.Syscall6(unix.SYS_OPENAT, uintptr(dir), uintptr(unsafe.Pointer(&path[0])), uintptr(flags|unix.O_CLOEXEC|unix.O_LARGEFILE), 0, 0, 0)
		switch {
		case e == 0:
			return int(fd), nil
		case e == unix.EPERM && flags&unix.O_NOATIME != 0:
			atimeDenied.Store(true)
			flags &^= unix.O_NOATIME
		case e != unix.EINTR:
			return nothing, e
		}
	}
}

// where is the folder and the path by which an entry is opened.
func (p *place) where(b *batch, e *entry) (dir int, path []byte) {
	if p.dir != nothing && e.base < e.end && bytes.Equal(p.folder, b.folder(e)) {
		return p.dir, b.names[e.base : e.end+1]
	}
	return unix.AT_FDCWD, b.path(e)
}

// flags are those to open an entry with. A FIFO that has taken the place of a file keeps nobody waiting.
func (e *entry) flags() int {
	flags := unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOCTTY
	if !atimeDenied.Load() {
		flags |= unix.O_NOATIME
	}
	if e.from == inTree {
		flags |= unix.O_NOFOLLOW
	}
	return flags
}

// open opens the file of an entry.
func (p *place) open(b *batch, e *entry) (file, error) {
	dir, path := p.where(b, e)
	var fd int
	var err error
	if dir == unix.AT_FDCWD {
		fd, err = openPath(path, e.flags())
	} else {
		fd, err = openAt(dir, path, e.flags())
	}
	if err == unix.ELOOP && e.from == inTree {
		err = errLink
	}
	return file(fd), err
}

// openAlone opens an entry that may be of any folder.
func (p *place) openAlone(b *batch, e *entry) (file, error) {
	fd, err := openPath(b.path(e), e.flags())
	return file(fd), err
}

// look looks at the file of an entry without opening it.
func (p *place) look(b *batch, e *entry) (found, error) {
	dir, path := p.where(b, e)
	flags := 0
	if e.from == inTree {
		flags = unix.AT_SYMLINK_NOFOLLOW
	}
	var st unix.Stat_t
	err := unix.Fstatat(dir, string(path[:len(path)-1]), &st, flags)
	return foundIn(&st), err
}

func foundIn(st *unix.Stat_t) found {
	f := found{
		stamp: Stamp{Size: st.Size, Modified: st.Mtim.Nano(), Status: st.Ctim.Nano(), Inode: st.Ino},
		id:    fileID{uint64(st.Dev), st.Ino},
		sort:  special,
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		f.sort = regular
	case unix.S_IFDIR:
		f.sort = folder
	}
	return f
}

// idOf is the identity of a file that results are written into.
func idOf(info os.FileInfo) fileID {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return fileID{uint64(st.Dev), st.Ino}
	}
	return fileID{}
}

// A file is a descriptor, good on the thread that opened it.
type file int

func (f file) close() { unix.Close(int(f)) }

func (f file) look() (found, error) {
	var st unix.Stat_t
	err := unix.Fstat(int(f), &st)
	return foundIn(&st), err
}

func (f file) readAt(p []byte, from int64) (n int, err error) {
	for {
		n, err = unix.Pread(int(f), p, from)
		switch {
		case err == unix.EINTR:
		case err == nil && n == 0:
			return 0, io.EOF
		default:
			return max(n, 0), err
		}
	}
}

// inOrder tells the kernel that a file will be read from its beginning to its end.
func (f file) inOrder() { _ = unix.Fadvise(int(f), 0, 0, unix.FADV_SEQUENTIAL) }

// openShared opens a file for any goroutine.
func openShared(path []byte) (*os.File, error) {
	fd, err := openPath(path, unix.O_RDONLY|unix.O_NOCTTY)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), string(path[:len(path)-1])), nil
}

// inOrder is file's method for files that are shared.
func inOrder(f *os.File) { file(f.Fd()).inOrder() }

func lookShared(f *os.File) (found, error) { return file(f.Fd()).look() }
