//go:build dragonfly || openbsd || solaris

package treehash

import "syscall"

func statusTime(st *syscall.Stat_t) int64 { return syscall.TimespecToNsec(st.Ctim) }
