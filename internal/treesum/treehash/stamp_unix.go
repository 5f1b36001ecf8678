//go:build darwin || dragonfly || freebsd || netbsd || openbsd || solaris

package treehash

import (
	"io/fs"
	"syscall"
)

func stampOf(info fs.FileInfo) Stamp {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Stamp{}
	}
	return Stamp{Size: info.Size(), Modified: info.ModTime().UnixNano(), Status: statusTime(st), Inode: uint64(st.Ino)}
}

func idOf(info fs.FileInfo) fileID {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fileID{}
	}
	return fileID{uint64(st.Dev), uint64(st.Ino)}
}
