package iouring

import (
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What linux/io_uring.h calls the same in capitals.
const (
	setupSingleIssuer = 1 << 12 // Linux 6.0
	setupDeferTaskrun = 1 << 13 // 6.1
	enterGetEvents    = 1 << 0
	featSingleMmap    = 1 << 0
	featNoDrop        = 1 << 1
	featRWCurPos      = 1 << 3 // of the release that can open files
	offsetRings       = 0
	offsetEntries     = 0x10000000
	opOpenAt          = 18
)

// offsets are struct io_sqring_offsets and struct io_cqring_offsets: where in the memory shared with the
// kernel the parts of a queue are.
type (
	submissionOffsets struct {
		head, tail, mask, entries, flags, dropped, array, _ uint32
		_                                                   uint64
	}
	completionOffsets struct {
		head, tail, mask, entries, overflow, events, flags, _ uint32
		_                                                     uint64
	}
)

// parameters is struct io_uring_params.
type parameters struct {
	submissions, completions, flags, cpu, idle, features, queue uint32
	_                                                           [3]uint32
	submission                                                  submissionOffsets
	completion                                                  completionOffsets
}

// A request is struct io_uring_sqe.
type request struct {
	op, flags uint8
	priority  uint16
	fd        int32
	offset    uint64
	address   uint64
	length    uint32 // of OPENAT: the mode
	openFlags uint32
	user      uint64
	_         [3]uint64
}

// An event is struct io_uring_cqe.
type event struct {
	user   uint64
	result int32
	flags  uint32
}

// A Ring belongs to the thread that made it. Only that one may use it.
type Ring struct {
	fd               int
	rings, requested []byte // memory shared with the kernel

	tail     *uint32 // of the requests
	mask     uint32
	array    []uint32
	requests []request

	head, last *uint32 // of the events
	eventMask  uint32
	events     []event

	open []File // that the kernel works on: keeps their paths where they are
}

var errOld = errors.New("this kernel's io_uring doesn't open files")

// New makes a ring for up to so many files at once, a power of two. The caller stays on its thread
// (runtime.LockOSThread) as long as it has the ring, and the descriptors it opens are that thread's.
func New(files int) (*Ring, error) {
	p := parameters{flags: setupSingleIssuer | setupDeferTaskrun}
	fd, errno := setup(files, &p)
	if errno == unix.EINVAL {
		p = parameters{}
		fd, errno = setup(files, &p)
	}
	if errno != 0 {
		return nil, fmt.Errorf("io_uring_setup: %w", errno)
	}
	r := &Ring{fd: fd}
	if p.features&(featSingleMmap|featNoDrop|featRWCurPos) != featSingleMmap|featNoDrop|featRWCurPos {
		r.Close()
		return nil, errOld
	}
	if err := r.share(&p); err != nil {
		r.Close()
		return nil, fmt.Errorf("sharing memory with io_uring: %w", err)
	}
	return r, nil
}

func setup(files int, p *parameters) (fd int, errno unix.Errno) {
	r, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, uintptr(files), uintptr(unsafe.Pointer(p)), 0)
	return int(r), errno
}

func (r *Ring) share(p *parameters) (err error) {
	size := max(uintptr(p.submission.array)+4*uintptr(p.submissions), uintptr(p.completion.events)+unsafe.Sizeof(event{})*uintptr(p.completions))
	if r.rings, err = unix.Mmap(r.fd, offsetRings, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE); err != nil {
		return err
	}
	entries := unsafe.Sizeof(request{}) * uintptr(p.submissions)
	if r.requested, err = unix.Mmap(r.fd, offsetEntries, int(entries), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE); err != nil {
		return err
	}
	word := func(at uint32) *uint32 { return (*uint32)(unsafe.Pointer(&r.rings[at])) }
	r.tail, r.mask = word(p.submission.tail), *word(p.submission.mask)
	r.array = unsafe.Slice(word(p.submission.array), p.submissions)
	r.requests = unsafe.Slice((*request)(unsafe.Pointer(&r.requested[0])), p.submissions)
	r.head, r.last, r.eventMask = word(p.completion.head), word(p.completion.tail), *word(p.completion.mask)
	r.events = unsafe.Slice((*event)(unsafe.Pointer(&r.rings[p.completion.events])), p.completions)
	return nil
}

// A File is one to open.
type File struct {
	Path []byte // ended by NUL
	FD   int    // what Open found: a descriptor, or an error's number (unix.Errno), negated
}

// Open opens files by paths from the folder dir, with the same flags, and returns when all are opened or
// failed. At most as many as New was told. If it returns an error no more can be opened with the ring; the
// files that were opened until then have their descriptors.
func (r *Ring) Open(dir, flags int, files []File) error {
	if len(files) > len(r.requests) {
		return fmt.Errorf("%d files at once; the ring takes %d", len(files), len(r.requests))
	}
	tail := atomic.LoadUint32(r.tail)
	for i := range files {
		at := (tail + uint32(i)) & r.mask
		r.requests[at] = request{op: opOpenAt, fd: int32(dir), address: uint64(uintptr(unsafe.Pointer(&files[i].Path[0]))), openFlags: uint32(flags), user: uint64(i)}
		r.array[at] = at
		files[i].FD = -int(unix.ECANCELED)
	}
	atomic.StoreUint32(r.tail, tail+uint32(len(files)))
	r.open = files
	defer func() { r.open = nil }()
	return r.enter(files)
}

// enter lets the kernel work, and waits until it has done all.
func (r *Ring) enter(files []File) error {
	for begun, done := 0, 0; done < len(files); {
		// A signal may end the wait; what was begun goes on.
		n, _, errno := unix.Syscall6(unix.SYS_IO_URING_ENTER, uintptr(r.fd), uintptr(len(files)-begun), uintptr(len(files)-done), enterGetEvents, 0, 0)
		if errno == 0 {
			begun += int(n)
		} else if errno != unix.EINTR && errno != unix.EAGAIN {
			return fmt.Errorf("io_uring_enter: %w", errno)
		}
		done += r.reap(files)
	}
	return nil
}

// reap takes what is done.
func (r *Ring) reap(files []File) (n int) {
	head, last := *r.head, atomic.LoadUint32(r.last)
	for ; head != last; head++ {
		e := &r.events[head&r.eventMask]
		files[e.user].FD = int(e.result)
		n++
	}
	atomic.StoreUint32(r.head, head)
	return n
}

// Close ends the ring. The files that it opened stay open.
func (r *Ring) Close() {
	for _, memory := range [][]byte{r.rings, r.requested} {
		if memory != nil {
			_ = unix.Munmap(memory)
		}
	}
	unix.Close(r.fd)
}
