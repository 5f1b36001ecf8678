// Package iouring opens many files with one system call, through Linux's io_uring (io_uring(7); Linux 5.6).
//
// It is for who opens files by the hundred thousand: of an open, a good sixth is going into the kernel and
// out of it again, and a ring goes there once for all. It has that one operation and no more; libraries that
// wrap all of io_uring exist for Go, none with a release in years.
//
// A kernel may not have io_uring, or may forbid it (sysctl kernel.io_uring_disabled; the seccomp filters of
// containers do): then New fails, and files are opened one by one.
package iouring
