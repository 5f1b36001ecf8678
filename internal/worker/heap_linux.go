package worker

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// populate has the kernel give the memory of the heap around what is allocated next, as far as there is heap within so
// many bytes. It returns false where the kernel can't, as before Linux 5.14.
func populate(bytes uintptr) bool {
	lies := uintptr(unsafe.Pointer(new([1 << 10]byte))) &^ (bytes - 1)
	given := false
	for _, from := range []uintptr{lies - bytes, lies, lies + bytes} {
		_, _, errno := unix.Syscall(unix.SYS_MADVISE, from, bytes, unix.MADV_POPULATE_WRITE)
		given = given || errno == 0
	}
	return given
}
