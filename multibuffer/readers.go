package multibuffer

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"math/bits"

	"github.com/emmansun/gmsm/sm3"

	kernel "github.com/cryptogauge/cryptogauge/internal/kernel/multibuffer"
)

// bufferSize is what is read of each message at a time.
const bufferSize = 16 << 10

// ReadMD5 is [Hasher.ReadMD5] by the fastest implementation. Read the package's security note.
func ReadMD5(digests [][md5.Size]byte, errs []error, readers []io.Reader) {
	fastest.ReadMD5(digests, errs, readers)
}

// ReadSM3 is [Hasher.ReadSM3] by the fastest implementation.
func ReadSM3(digests [][sm3.Size]byte, errs []error, readers []io.Reader) {
	fastest.ReadSM3(digests, errs, readers)
}

// ReadSHA256 is [Hasher.ReadSHA256] by the fastest implementation.
func ReadSHA256(digests [][sha256.Size]byte, errs []error, readers []io.Reader) {
	fastest.ReadSHA256(digests, errs, readers)
}

// ReadSHA1 is [Hasher.ReadSHA1] by the fastest implementation. Read the package's security note.
func ReadSHA1(digests [][sha1.Size]byte, errs []error, readers []io.Reader) {
	fastest.ReadSHA1(digests, errs, readers)
}

// ReadMD5 hashes what comes from readers until io.EOF: digests[i] is the digest of all of readers[i], or
// errs[i] is the error that ended it, and its digest is zero. All readers are read in step, up to 64 of
// them at a time, so one that waits lets the others wait. A call allocates 16 KiB for each of these.
//
// Only io.EOF itself ends a message, with bytes or without, as for io.Copy. Every other error of a reader
// is its errs[i], io.ErrUnexpectedEOF among them, and bytes that came with it don't count. A reader that
// returns no byte and no error 100 times in a row is ended by io.ErrNoProgress, and one that says it has
// read less than no byte or more than there is room for, by an error that says so. The digests are zeroed
// first, so readers must not read from their memory.
//
// It panics if there are fewer digests or errors than readers. Read the package's security note.
func (h Hasher) ReadMD5(digests [][md5.Size]byte, errs []error, readers []io.Reader) {
	read(h, kernel.MD5, flatten(digests), len(digests), errs, readers)
}

// ReadSM3 is ReadMD5 for SM3.
func (h Hasher) ReadSM3(digests [][sm3.Size]byte, errs []error, readers []io.Reader) {
	read(h, kernel.SM3, flatten(digests), len(digests), errs, readers)
}

// ReadSHA256 is ReadMD5 for SHA-256.
func (h Hasher) ReadSHA256(digests [][sha256.Size]byte, errs []error, readers []io.Reader) {
	read(h, kernel.SHA256, flatten(digests), len(digests), errs, readers)
}

// ReadSHA1 is ReadMD5 for SHA-1.
func (h Hasher) ReadSHA1(digests [][sha1.Size]byte, errs []error, readers []io.Reader) {
	read(h, kernel.SHA1, flatten(digests), len(digests), errs, readers)
}

func read(h Hasher, f kernel.Hash, digests []byte, n int, errs []error, readers []io.Reader) {
	enough(n, len(readers))
	if len(errs) < len(readers) {
		panic("multibuffer: fewer errors than readers")
	}
	clear(digests[:len(readers)*4*f.Words()])
	clear(errs[:len(readers)])
	h = h.forFew(f, len(readers))
	b := reading{kernel: h.kernel, hash: f, size: 4 * f.Words(), digests: digests, errs: errs, readers: readers}
	if !h.tries(f, len(readers)) {
		b.readSerial()
		return
	}
	lanes := min(h.kernel.Lanes(f), len(readers))
	b.buffers = make([]byte, lanes*bufferStride)
	for i := range b.end {
		b.end[i] = math.MaxUint64
	}
	for b.active < lanes && b.begin(b.active) {
		b.active++
	}
	b.run()
}

// bufferStride is where the next lane's buffer begins: not a power of two, since 64 such addresses share
// few lines of a cache.
const bufferStride = bufferSize + 64

// goesOn is a length that no buffer has: the message's end isn't in sight.
const goesOn = 1 << 62

// A reading is the state of one run over readers. Lane i works on reader at[i] until end[i], which is
// the end of its buffer or of its message; clock and end count blocks.
type reading struct {
	kernel  kernel.Kernel
	hash    kernel.Hash
	size    int
	digests []byte
	errs    []error
	readers []io.Reader
	next    int // the first reader that hasn't been begun
	clock   uint64
	active  int
	at      [kernel.MaxLanes]int
	end     [kernel.MaxLanes]uint64
	lanes   kernel.Lanes
	buffers []byte
}

func (b *reading) buffer(lane int) []byte { return b.buffers[lane*bufferStride:][:bufferSize] }

func (b *reading) digest(reader int) []byte { return b.digests[reader*b.size:][:b.size] }

// begin puts the next reader into a lane, or the one after if that has nothing but an error. It returns
// false when there is none.
func (b *reading) begin(lane int) bool {
	for b.next < len(b.readers) {
		i := b.next
		b.next++
		b.at[lane] = i
		b.lanes.Begin(b.kernel, b.hash, lane, &b.buffer(lane)[0], 0, 0)
		if b.fill(lane) {
			return true
		}
	}
	return false
}

// fill reads the next bytes of a lane's message. It returns false if that fails.
func (b *reading) fill(lane int) bool {
	buffer := b.buffer(lane)
	n, err := readFull(b.readers[b.at[lane]], buffer)
	b.lanes.Born[lane] = b.clock * kernel.BlockSize
	switch err {
	case nil:
		b.lanes.Len[lane] = goesOn
		b.end[lane] = b.clock + bufferSize/kernel.BlockSize
	case io.EOF:
		b.lanes.Len[lane] = uint64(n)
		b.end[lane] = b.clock + kernel.Blocks(uint64(n))
	default:
		b.errs[b.at[lane]] = err
		return false
	}
	return true
}

// readFull reads until the buffer is full or the reader returns an error, which it returns as it is:
// io.ReadFull would name the end in the middle of a buffer as a reader does that was cut short.
func readFull(r io.Reader, buffer []byte) (n int, err error) {
	for n < len(buffer) && err == nil {
		var more int
		more, err = readSome(r, buffer[n:])
		n += more
	}
	return n, err
}

// emptyReads is how often in a row a reader may return neither a byte nor an error, as in package bufio.
const emptyReads = 100

// readSome reads at least a byte, or returns an error.
func readSome(r io.Reader, buffer []byte) (n int, err error) {
	for range emptyReads {
		n, err := r.Read(buffer)
		if n < 0 || n > len(buffer) {
			return 0, fmt.Errorf("multibuffer: %T.Read returned %d bytes for a buffer of %d", r, n, len(buffer))
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

func (b *reading) run() {
	least := costs[b.kernel][b.hash].least
	b.lanes.Mirror(b.kernel, b.active)
	for b.active > 0 {
		first, ended := b.kernel.Earliest(&b.end, b.active)
		// A message whose padding has begun can't be handed over.
		if b.active < least && first-b.clock > 2 && b.handOver() {
			return
		}
		for b.clock < first {
			steps := min(first-b.clock, b.hash.MaxBlocks())
			b.kernel.Advance(b.hash, &b.lanes, b.active, b.clock*kernel.BlockSize, int(steps))
			b.clock += steps
		}
		b.settle(ended)
		if b.active > 0 {
			b.lanes.Mirror(b.kernel, b.active)
		}
	}
}

// settle reads on where a buffer has ended, and takes the digest where a message has. Lanes without a
// reader are filled from the last one.
func (b *reading) settle(ended uint64) {
	for ended != 0 {
		lane := bits.Len64(ended) - 1
		ended &^= 1 << lane
		if b.lanes.Len[lane] == goesOn {
			b.lanes.Before[lane] += bufferSize
			if b.fill(lane) {
				continue
			}
		} else {
			b.lanes.Digest(b.kernel, b.hash, lane, b.digest(b.at[lane]))
		}
		if b.begin(lane) {
			continue
		}
		b.active--
		if last := b.active; lane != last {
			b.move(lane, last)
		}
		b.end[b.active] = math.MaxUint64
	}
}

// move makes lane to what lane from is. What from has left of its buffer is copied.
func (b *reading) move(to, from int) {
	copy(b.buffer(to), b.buffer(from))
	b.at[to], b.end[to] = b.at[from], b.end[from]
	b.lanes.Move(b.kernel, b.hash, to, from)
	b.lanes.Start[to] = &b.buffer(to)[0]
}

// handOver lets the serial library finish the readers in lanes. It returns false if that can't.
func (b *reading) handOver() bool {
	s := successorFor(b.hash)
	defer s.giveBack(b.hash)
	if !s.able {
		return false
	}
	for lane := range b.active {
		i := b.at[lane]
		done := b.clock*kernel.BlockSize - b.lanes.Born[lane]
		s.takeOver(b.kernel, b.hash, &b.lanes, lane, b.lanes.Before[lane]+done)
		s.write(b.buffer(lane)[done:min(b.lanes.Len[lane], bufferSize)])
		if b.lanes.Len[lane] != goesOn {
			s.sum(b.digest(i))
			continue
		}
		b.errs[i] = s.readAll(b.digest(i), b.readers[i])
	}
	return true
}

// readSerial reads one after the other.
func (b *reading) readSerial() {
	s := successorFor(b.hash)
	defer s.giveBack(b.hash)
	for i, r := range b.readers {
		b.errs[i] = s.readAll(b.digest(i), r)
	}
}
