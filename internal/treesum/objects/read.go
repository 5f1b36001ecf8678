package objects

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// Open is treehash.Objects'.
func (s *Store) Open(ctx context.Context, name string, listed treehash.Stamp) (io.ReadCloser, treehash.Stamp, error) {
	bucket, key, err := Split(name)
	if err != nil {
		return nil, treehash.Stamp{}, err
	}
	r := &reader{ctx: ctx, client: s.client, bucket: bucket, key: key, same: listed}
	if listed.Size >= long {
		r.to = partSize
	}
	if err := r.connect(); err != nil {
		return nil, treehash.Stamp{}, err
	}
	if r.to > 0 {
		return newParts(s, r), r.same, nil
	}
	return r, r.same, nil
}

// A reader reads an object or a span of one, over one connection after the other.
type reader struct {
	patience
	ctx         context.Context
	client      Client
	bucket, key string
	same        treehash.Stamp // what is read; before the first connection, what was listed
	at, to      int64          // to is 0 where that is the object's end
	got         int64          // since the last failure
	failed      error          // the last connection, after what was read of it last
	connection
}

// A connection is one on which an object is read.
type connection struct {
	body   Body
	cancel context.CancelFunc
	watch  *time.Timer // ends it when it falls silent
}

var (
	errShort  = Temporary(language.Error("the store sent less than the object has", "存储发送的内容少于对象的大小"))
	errLonger = language.Error("the store sent more than the object has", "存储发送的内容多于对象的大小")
)

// connect opens the object where the last connection has ended.
func (r *reader) connect() error {
	for {
		err := r.connectOnce()
		if err == nil {
			return nil
		}
		if err = r.again(r.ctx, err); err != nil {
			return err
		}
	}
}

func (r *reader) connectOnce() error {
	ctx, cancel := context.WithCancel(r.ctx)
	watch := time.AfterFunc(silence, cancel)
	body, now, err := r.client.Get(ctx, r.bucket, r.key, Span{r.at, r.to}, r.same)
	if err == nil && !r.accept(now) {
		body.Close()
		err = ErrChanged
	}
	if err != nil {
		if ctx.Err() != nil {
			err = Unreached(errSilent)
		}
		watch.Stop()
		cancel()
		return err
	}
	r.connection = connection{body, cancel, watch}
	return nil
}

// accept says whether an object is the one that was listed. Times are not compared: a listing has them more exactly.
func (r *reader) accept(now treehash.Stamp) bool {
	if r.same == (treehash.Stamp{}) {
		r.same = now
		return true
	}
	if r.same.Size != now.Size || r.same.ETag != now.ETag || r.same.Version != "" && r.same.Version != now.Version {
		return false
	}
	r.same.Version = now.Version
	return true
}

// Read is io.Reader's.
func (r *reader) Read(p []byte) (int, error) {
	for {
		if r.failed != nil {
			r.disconnect()
			r.got = 0
			if err := r.again(r.ctx, r.failed); err != nil {
				return 0, err
			}
			r.failed = nil
		}
		if r.body == nil {
			if err := r.connect(); err != nil {
				return 0, err
			}
		}
		n, err := r.readOnce(p)
		if n > 0 || err != nil || r.failed == nil {
			return n, err
		}
	}
}

// end is where what is read ends.
func (r *reader) end() int64 {
	if r.to > 0 {
		return r.to
	}
	return r.same.Size
}

// enough is how much must be read between two failures, for the later one to be the first again.
const enough = 64 << 10

// readOnce reads on one connection. What is read is told before what goes wrong after it, which is failed.
func (r *reader) readOnce(p []byte) (int, error) {
	r.watch.Reset(silence)
	n, err := r.body.Read(p)
	r.watch.Stop()
	if int64(n) > r.end()-r.at {
		return 0, errLonger
	}
	r.at += int64(n)
	if r.got += int64(n); r.got >= enough {
		r.failures = 0
	}
	switch {
	case err == nil:
	case r.at == r.end(): // whatever the connection has to say now
		return n, io.EOF
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		r.failed = errShort
	default:
		r.failed = Temporary(err)
	}
	return n, nil
}

func (r *reader) disconnect() {
	if r.body != nil {
		r.body.Close()
		r.cancel()
		r.watch.Stop()
		r.connection = connection{}
	}
}

// Close is io.Closer's.
func (r *reader) Close() error {
	r.disconnect()
	return nil
}
