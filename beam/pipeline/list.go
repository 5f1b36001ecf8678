package pipeline

import (
	"context"
	"os"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// listing finds what there is, and makes batches of it.
type listing struct {
	Inputs []string

	objects treehash.Objects
}

// Setup is Beam's.
func (l *listing) Setup() (err error) {
	l.objects, _, err = open()
	return err
}

// ProcessElement is Beam's.
func (l *listing) ProcessElement(ctx context.Context, _ []byte, emit func(Batch)) error {
	for i, input := range l.Inputs {
		b := batching{Batch: Batch{Input: int64(i)}, emit: emit}
		if treehash.IsObject([]byte(input)) {
			l.list(ctx, input, &b)
		} else {
			b.path(input)
		}
		b.flush()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

var errNoObject = language.Error("there is no such object, and none whose name begins so", "没有该对象，也没有名字以此开头的对象")

func (l *listing) list(ctx context.Context, name string, b *batching) {
	found := false
	err := l.objects.List(ctx, name, func(name []byte, s treehash.Stamp) error {
		found = true
		b.add(string(name), s)
		return ctx.Err()
	})
	if err == nil && !found {
		err = errNoObject
	}
	if err != nil {
		b.fail(name, err)
	}
}

// So many are in a batch: most, or few where they have enough bytes, or fewer where each is large.
const (
	most        = 512
	few         = 64
	enoughBytes = 256 << 20
	mostBytes   = 16 << 30
)

// batching gathers a batch, and emits it when it is full.
type batching struct {
	Batch
	bytes int64
	emit  func(Batch)
}

func (b *batching) add(name string, s treehash.Stamp) {
	b.Names = append(b.Names, []byte(name))
	b.Sizes, b.Modified = append(b.Sizes, s.Size), append(b.Modified, s.Modified)
	b.ETags, b.Failed = append(b.ETags, s.ETag), append(b.Failed, "")
	b.bytes += s.Size
	if n := len(b.Names); n >= most || n >= few && b.bytes >= enoughBytes || b.bytes >= mostBytes {
		b.flush()
	}
}

func (b *batching) fail(name string, err error) {
	b.add(name, treehash.Stamp{})
	if n := len(b.Failed); n > 0 {
		b.Failed[n-1] = err.Error()
	}
}

func (b *batching) flush() {
	if len(b.Names) > 0 {
		b.emit(b.Batch)
	}
	b.Batch, b.bytes = Batch{Input: b.Input}, 0
}

// path finds a file, or the regular files below a folder, as treehash.Paths does; their order doesn't matter here.
func (b *batching) path(path string) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		b.fail(path, withoutPath(err))
	case info.Mode().IsRegular():
		b.add(path, treehash.Stamp{Size: info.Size()})
	case !info.IsDir():
		b.fail(path, language.Error("is no regular file", "不是普通文件"))
	default:
		if path[len(path)-1] != '/' {
			path += "/"
		}
		b.folder(path)
	}
}

// folder finds the regular files below a folder, whose path ends in a slash. Links are left out.
func (b *batching) folder(path string) {
	entries, err := os.ReadDir(path)
	if err != nil {
		b.fail(path[:len(path)-1], withoutPath(err))
		return
	}
	for _, e := range entries {
		switch {
		case e.IsDir():
			b.folder(path + e.Name() + "/")
		case e.Type().IsRegular():
			size := int64(0)
			if info, err := e.Info(); err == nil {
				size = info.Size()
			}
			b.add(path+e.Name(), treehash.Stamp{Size: size})
		}
	}
}

// withoutPath is an error without the path in it.
func withoutPath(err error) error {
	if p, ok := err.(*os.PathError); ok {
		return p.Err
	}
	return err
}
