package bulkhash

import (
	"crypto/md5"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/scratch"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

type FileShape struct {
	Bytes  int64 // of the file
	Buffer parameter.Reading
	Chunk  int64 // that is read, or given to the hash, at a time
}

const copyChunk = 32 << 10

func FileShapeOf(c result.Case) (FileShape, error) {
	s := FileShape{Bytes: c.Bytes, Buffer: parameter.Buffer.In(c.Parameters), Chunk: parameter.Chunk.In(c.Parameters)}
	switch {
	case c.Operation != algorithm.HashFile || c.Mode != "" || s.Buffer == "" ||
		!parameter.Are(c.Parameters, parameter.Buffer, parameter.Chunk):
		return FileShape{}, provider.Absent("parameters", algorithm.HashFile, "buffer=BUFFER,chunk=BYTES", c.Parameters)
	case s.Chunk < parameter.MinChunk || s.Chunk > parameter.MaxChunk:
		return FileShape{}, provider.Unsupported("chunk-bytes", s.Chunk, parameter.MinChunk, parameter.MaxChunk)
	case s.Buffer == parameter.OnStack && onStack[s.Chunk] == nil:
		return FileShape{}, provider.Unsupported("stack-buffer", s.Chunk, StackChunks())
	case s.Buffer == parameter.CopyLoop && s.Chunk != copyChunk:
		return FileShape{}, provider.Unsupported("io-copy", copyChunk, s.Chunk)
	case c.Bytes < 1:
		return FileShape{}, provider.Unsupported("file-bytes", c.Bytes)
	}
	return s, nil
}

// FileMaterial is the case of whose vector a file has its content and its digest.
func FileMaterial(c result.Case) (result.Case, error) {
	if _, err := FileShapeOf(c); err != nil {
		return c, err
	}
	return result.Case{Algorithm: c.Algorithm, Operation: algorithm.Hash, Bytes: c.Bytes}, nil
}

// OpenFile prepares the MD5 of a file. The algorithm is the caller's to judge.
func OpenFile(c result.Case, vs provider.Vectors, shared *Shared) (provider.Operation, error) {
	s, err := FileShapeOf(c)
	if err != nil {
		return nil, err
	}
	v, err := vs.Vector(c)
	if err != nil {
		return nil, err
	}
	dir := provider.SettingOf(vs).Dir
	if dir == "" { // one that the user named was looked at before anything was measured
		if err := scratch.Room(dir, s.Bytes); err != nil {
			return nil, provider.Refused(err)
		}
	}
	opened, err := shared.open(v, dir)
	if err != nil {
		return nil, err
	}
	o := &fileHash{FileShape: s, file: opened.file}
	o.pool.New = func() any { b := make([]byte, s.Chunk); return &b }
	return loop.NewForeign(loop.Foreign{Loop: "bulk-hash", Clock: result.WallClock,
		Run: o.run, Out: o.digest[:], Want: v.Digest,
		Accept: func(wrong []byte) error {
			return reason.New("file-digest", fmt.Sprintf("%x", wrong), fmt.Sprintf("%x", v.Digest))
		},
		Close: func() error { return shared.release(v) }})
}

func FileNote(c result.Case, vs provider.Vectors) string {
	if _, err := FileShapeOf(c); err != nil {
		return ""
	}
	return "the file lies in the page cache (warm), " + scratch.FileSystem(provider.SettingOf(vs).Dir) +
		"; opened before, read from its beginning in each call"
}

// RoomFor is how many bytes a directory must have for the file of a case; the cases
// of one size share it within a process.
func RoomFor(c result.Case) int64 {
	if s, err := FileShapeOf(c); err == nil {
		return s.Bytes
	}
	return 0
}

type fileHash struct {
	FileShape
	file   *os.File
	pool   sync.Pool
	digest [md5.Size]byte
}

func (o *fileHash) run(n int) error {
	for range n {
		if err := o.once(); err != nil {
			return reason.New("reading-file", scratch.Bare(err))
		}
	}
	return nil
}

func (o *fileHash) once() (err error) {
	switch o.Buffer {
	case parameter.OnStack:
		o.digest, err = onStack[o.Chunk](o.file, o.Bytes)
	case parameter.PerFile:
		o.digest, err = through(o.file, o.Bytes, make([]byte, o.Chunk))
	case parameter.FromPool:
		b := o.pool.Get().(*[]byte)
		o.digest, err = through(o.file, o.Bytes, *b)
		o.pool.Put(b)
	case parameter.CopyLoop:
		o.digest, err = copied(o.file, o.Bytes)
	case parameter.MemoryMap:
		o.digest, err = mapped(o.file, o.Bytes, o.Chunk)
	}
	return err
}

// through hashes a file by a buffer, which does not escape: md5.New and ReadAt are
// called directly.
func through(f *os.File, size int64, buffer []byte) (digest [md5.Size]byte, err error) {
	h := md5.New()
	for at := int64(0); at < size; {
		chunk := buffer[:min(int64(len(buffer)), size-at)]
		if _, err := f.ReadAt(chunk, at); err != nil {
			return digest, err
		}
		h.Write(chunk)
		at += int64(len(chunk))
	}
	h.Sum(digest[:0])
	return digest, nil
}

// onStack is through, by an array on the stack, whose size must be known when the
// program is compiled. The compiler puts variables of more than 128 KiB on the heap
// whatever is done with them (cmd/compile/internal/ir, MaxStackVarSize). The function
// that has one is not inlined, or one frame would hold the arrays of all.
var onStack = map[int64]func(*os.File, int64) ([md5.Size]byte, error){
	4 << 10: stacked[[4 << 10]byte], 16 << 10: stacked[[16 << 10]byte],
	64 << 10: stacked[[64 << 10]byte], 128 << 10: stacked[[128 << 10]byte],
}

func StackChunks() []int64 { return slices.Sorted(maps.Keys(onStack)) }

//go:noinline
func stacked[A [4 << 10]byte | [16 << 10]byte | [64 << 10]byte | [128 << 10]byte](
	f *os.File, size int64) ([md5.Size]byte, error) {
	var buffer A
	return through(f, size, unsafe.Slice((*byte)(unsafe.Pointer(&buffer)), len(buffer)))
}

// copied is what most programs do. Operations share the file, so it is not the file's
// own place that is moved; the reads are the same.
func copied(f *os.File, size int64) (digest [md5.Size]byte, err error) {
	h := md5.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, size)); err != nil {
		return digest, err
	}
	h.Sum(digest[:0])
	return digest, nil
}
