package treehash

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"

	"github.com/cryptogauge/cryptogauge/internal/language"
)

// A Source feeds the files that are to be hashed, in the order in which their results are wanted.
type Source func(*Feed) error

// Links says what becomes of symbolic links in folders. What the user names is always followed.
type Links int

const (
	Leave  Links = iota // they are left out, as by find
	Follow              // as by find -L
)

// An origin says how a file came to be wanted.
type origin uint8

const (
	inTree origin = iota // found in a folder: to be a regular file, and no link unless links are followed
	linked               // as inTree, where links are followed
	given                // named by the user, and a regular file, or nothing
	listed               // named by the user
	stream               // what may keep a reader waiting: a FIFO, a device
	input                // standard input
	object               // in a store
)

// Stdin is the name of standard input.
const Stdin = "-"

// Paths is a Source of files and folders. A folder stands for all regular files below it, in the order of
// the bytes of their paths. Stdin stands for standard input.
func Paths(paths []string, links Links) Source {
	return func(f *Feed) error {
		for _, path := range paths {
			if path == Stdin {
				if err := f.add([]byte(path), input); err != nil {
					return err
				}
				continue
			}
			if err := f.path([]byte(path), links); err != nil {
				return err
			}
		}
		return nil
	}
}

// Names is a Source of the paths that r holds, each ended by the byte end.
func Names(r io.Reader, end byte, links Links) Source {
	return func(f *Feed) error {
		names := bufio.NewReaderSize(r, 64<<10)
		for line := int64(1); ; line++ {
			if names.Buffered() == 0 {
				f.Pause() // who sends names slowly sees results in between
			}
			name, err := readName(names, end)
			if err != nil && (err != io.EOF || len(name) == 0) {
				if err == io.EOF {
					return nil
				}
				return language.Errorf("reading names: %w", "读取文件名：%s", err)
			}
			name = bytes.TrimSuffix(name, []byte{end})
			if len(name) == 0 {
				err = f.fail(nil, language.Errorf("name %d of the list is empty", "列表中第 %d 个文件名为空", line))
			} else if bytes.IndexByte(name, 0) >= 0 {
				err = f.fail(name, language.Error("no name has a NUL in it; is the list one for -0?", "文件名中不能有 NUL；该列表是否应使用 -0？"))
			} else {
				err = f.path(name, links)
			}
			if err != nil {
				return err
			}
		}
	}
}

// longestName is more than any system call takes.
const longestName = 1 << 20

func readName(names *bufio.Reader, end byte) (name []byte, err error) {
	name, err = names.ReadSlice(end)
	if !errors.Is(err, bufio.ErrBufferFull) {
		return name, err
	}
	var long []byte
	for {
		long = append(long, name...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return long, err
		}
		if len(long) > longestName {
			return nil, language.Error("a name is longer than a mebibyte", "有文件名超过 1 MiB")
		}
		name, err = names.ReadSlice(end)
	}
}

// path feeds what a path names: a file, a folder's tree, or objects.
func (f *Feed) path(path []byte, links Links) error {
	if IsObject(path) {
		return f.objects(path)
	}
	info, err := os.Stat(string(path))
	switch {
	case err != nil || info.Mode().IsRegular():
		return f.add(path, given) // opening it will say what is wrong
	case !info.IsDir():
		return f.add(path, stream)
	}
	w := walker{feed: f, links: links}
	if path[len(path)-1] != '/' {
		path = append(bytes.Clone(path), '/')
	}
	return w.walk(path, given)
}

// A walker feeds the files of a tree.
type walker struct {
	feed   *Feed
	links  Links
	above  []fileID   // the folders that lead here
	unused []*listing // to be used again
}

func loop(levels int) error {
	if levels == 1 {
		return language.Error("a loop: it is the folder 1 level up", "循环：它就是上一级目录")
	}
	return language.Errorf("a loop: it is the folder %d levels up", "循环：它就是上 %d 级的目录", levels)
}

// walk feeds the files below a folder, whose path ends in a slash.
func (w *walker) walk(path []byte, from origin) error {
	l := w.take()
	defer w.give(l)
	id, err := l.read(path, from, w.links, &w.feed.run.shared)
	if err != nil {
		return w.feed.fail(path[:len(path)-1], err)
	}
	for depth, above := range w.above {
		if above == id && id != (fileID{}) {
			return w.feed.fail(path[:len(path)-1], loop(len(w.above)-depth))
		}
	}
	w.above = append(w.above, id)
	defer func() { w.above = w.above[:len(w.above)-1] }()
	l.order()
	path = path[:len(path):len(path)]
	from = inTree
	if w.links == Follow {
		from = linked
	}
	for _, i := range l.items {
		switch below := append(path, l.name(i)...); i.sort {
		case regular:
			err = w.feed.add(below, from)
		case folder:
			err = w.walk(below, from)
		case special:
			err = w.feed.leaveOut(below)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) take() *listing {
	if n := len(w.unused); n > 0 {
		l := w.unused[n-1]
		w.unused = w.unused[:n-1]
		return l
	}
	return new(listing)
}

func (w *walker) give(l *listing) { w.unused = append(w.unused, l) }
