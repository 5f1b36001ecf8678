package treehash

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// Where the fields of struct linux_dirent64 lie: getdents64(2).
const (
	direntLength = 16
	direntType   = 18
	direntName   = 19
)

// read lists a folder, named without a NUL. A folder that is found in another, and not given by the user,
// must be no link to one.
func (l *listing) read(path []byte, from origin, links Links, shared *descriptors) (id fileID, err error) {
	l.reset()
	flags := unix.O_DIRECTORY
	if from == inTree {
		flags |= unix.O_NOFOLLOW
	}
	var fd int
	release, err := shared.take(func() (err error) {
		fd, err = openPath(append(append([]byte(nil), path...), 0), flags)
		return err
	})
	if err != nil {
		return id, err
	}
	defer release()
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return id, err
	}
	for {
		n, err := unix.Getdents(fd, l.buffer[:])
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return id, err
		case n <= 0:
			return fileID{uint64(st.Dev), st.Ino}, nil
		}
		for rest := l.buffer[:n]; len(rest) > direntName; {
			entry := rest[:binary.NativeEndian.Uint16(rest[direntLength:])]
			rest = rest[len(entry):]
			name := entry[direntName:]
			if end := bytes.IndexByte(name, 0); end > 0 {
				l.add(fd, name[:end], entry[direntType], links)
			}
		}
	}
}

// add takes one name.
func (l *listing) add(dir int, name []byte, dirent uint8, links Links) {
	if name[0] == '.' && (len(name) == 1 || len(name) == 2 && name[1] == '.') {
		return
	}
	switch dirent {
	case unix.DT_REG:
		l.append(name, regular)
	case unix.DT_DIR:
		l.append(name, folder)
	case unix.DT_LNK, unix.DT_UNKNOWN:
		l.append(name, l.look(dir, name, links))
	default:
		l.append(name, special)
	}
}

// look asks what a name is, where the folder doesn't tell, and where a link leads that is followed.
func (l *listing) look(dir int, name []byte, links Links) sort {
	flags := unix.AT_SYMLINK_NOFOLLOW
	if links == Follow {
		flags = 0
	}
	var st unix.Stat_t
	if err := unix.Fstatat(dir, string(name), &st, flags); err != nil {
		return regular // opening it will say what is wrong
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return regular
	case unix.S_IFDIR:
		return folder
	case unix.S_IFLNK:
		return link
	}
	return special
}
