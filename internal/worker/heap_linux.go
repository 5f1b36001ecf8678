package worker

import (
	"reflect"

	"golang.org/x/sys/unix"
)

// populate has the kernel give the memory of the heap around what is allocated next, as far as there is heap within so
// many bytes. It returns false where the kernel can't, as before Linux 5.14.
func populate(bytes uintptr) bool {
	next := reflect.New(reflect.TypeFor[[1 << 10]byte]()).Pointer() // which is never of a stack
	given := false
	for from := next&^(bytes-1) - bytes; from <= next+bytes; from += bytes {
		_, _, errno := unix.Syscall(unix.SYS_MADVISE, from, bytes, unix.MADV_POPULATE_WRITE)
		given = given || errno == 0
	}
	return given
}
