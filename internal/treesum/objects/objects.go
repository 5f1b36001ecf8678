// Package objects reads what object stores keep, and holds out against what goes wrong on the way: a store that is
// throttling, connections that are reset or fall silent, bodies that end early. What is read is of one version of an
// object, the one that was listed, or it is an error.
package objects

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/cryptogauge/cryptogauge/internal/language"
	"github.com/cryptogauge/cryptogauge/internal/treesum/treehash"
)

// A Client speaks to a store. Its methods are called by many goroutines. Errors are those below, Temporary ones, or
// such as trying again doesn't mend.
type Client interface {
	// List calls found for the objects of a bucket whose keys begin with prefix and are greater than after, in the order
	// of their bytes. What found returns ends it, and is returned.
	List(ctx context.Context, in Range, found func(key string, s treehash.Stamp) error) error

	// Get opens some of an object: of the version that same names, or, where that has only an ETag, of what there
	// is if it still has that ETag. The Stamp is of the whole object.
	Get(ctx context.Context, bucket, key string, span Span, same treehash.Stamp) (Body, treehash.Stamp, error)
}

// A Span is the bytes of an object from one on to before another; a To of 0 is its end.
type Span struct{ From, To int64 }

// A Range is the keys of a bucket that begin with Prefix and are greater than After.
type Range struct{ Bucket, Prefix, After string }

// A Body is what is read of an object.
type Body interface {
	Read(p []byte) (int, error)
	Close() error
}

var (
	ErrGone    error = &known{language.Text{EN: "there is no such object", ZH: "没有该对象"}, fs.ErrNotExist}
	ErrDenied  error = &known{language.Text{EN: "access denied", ZH: "拒绝访问"}, fs.ErrPermission}
	ErrChanged       = language.Error("has changed since it was listed", "列出之后有变化")
)

// known is an error that is also one of the system's.
type known struct {
	text language.Text
	is   error
}

func (k *known) Error() string       { return k.text.EN }
func (k *known) Text() language.Text { return k.text }
func (k *known) Unwrap() error       { return k.is }

// Temporary marks an error that trying again may mend.
func Temporary(err error) error { return &temporary{err} }

type temporary struct{ error }

func (t *temporary) Unwrap() error       { return t.error }
func (t *temporary) Text() language.Text { return language.Of(t.error) }

// Unreached marks a Temporary error that is no answer of the store: there was no connection to it.
func Unreached(err error) error { return Temporary(&unreached{err}) }

type unreached struct{ error }

func (u *unreached) Unwrap() []error     { return []error{u.error, treehash.ErrUnreached} }
func (u *unreached) Text() language.Text { return language.Of(u.error) }

// A Store is the objects of a Client.
type Store struct {
	client Client
	room   chan struct{} // a part may be read ahead for each that it holds
}

// New returns the objects that a client has.
func New(c Client) *Store { return &Store{c, make(chan struct{}, partsAhead)} }

// How often it is tried, and how long is waited in between: twice as long each time, up to a most, of which up to half
// is left to chance, so that those who were refused together don't come again together.
const (
	tries       = 8
	firstPause  = 100 * time.Millisecond
	longestStop = 10 * time.Second
)

// silence is how long a connection may say nothing.
const silence = time.Minute

var errSilent = language.Error("the store has said nothing for a minute", "存储一分钟没有响应")

// A patience is what is left of the tries of one request.
type patience struct{ failures int }

// again waits before the next try, and returns nil; or says why there is none.
func (p *patience) again(ctx context.Context, err error) error {
	var t *temporary
	if ctx.Err() != nil {
		return ctx.Err()
	} else if !errors.As(err, &t) {
		return err
	}
	if p.failures++; p.failures == tries {
		return language.Errorf("%w (tried %d times)", "%s（已尝试 %d 次）", t.error, tries)
	}
	pause := min(firstPause<<(p.failures-1), longestStop)
	select {
	case <-time.After(pause/2 + rand.N(pause/2)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Split is the bucket and the key of a name.
func Split(name string) (bucket, key string, err error) {
	path, ok := strings.CutPrefix(name, treehash.Scheme)
	bucket, key, _ = strings.Cut(path, "/")
	if !ok || bucket == "" {
		return "", "", language.Error("the name of an object is s3://bucket/key", "对象名的形式为 s3://bucket/key")
	}
	return bucket, key, nil
}

var (
	errEnough = errors.New("that is all")
	errOrder  = language.Error("the store doesn't list its objects in the order of their names, which a manifest needs",
		"该存储未按名字的顺序列出对象，而清单需要该顺序")
)

// List is treehash.Objects'.
func (s *Store) List(ctx context.Context, name string, found func(name []byte, s treehash.Stamp) error) error {
	bucket, prefix, err := Split(name)
	if err != nil {
		return err
	}
	l := listing{in: Range{Bucket: bucket, Prefix: prefix}, found: found, name: []byte(treehash.Scheme + bucket + "/")}
	for {
		err := l.resume(ctx, s.client)
		switch {
		case l.ended != nil || errors.Is(err, errEnough):
			return l.ended
		case err == nil:
			return nil
		}
		if err := l.again(ctx, err); err != nil {
			return err
		}
	}
}

// A listing is how far the objects of a bucket are listed.
type listing struct {
	patience
	in    Range
	found func([]byte, treehash.Stamp) error
	name  []byte // begins all names
	ended error  // by who is told
	began bool
}

// resume lists on from where it has come to.
func (l *listing) resume(ctx context.Context, c Client) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	watch := time.AfterFunc(silence, cancel)
	defer watch.Stop()
	err := c.List(ctx, l.in, func(key string, s treehash.Stamp) error {
		watch.Stop() // who is told may take its time
		defer watch.Reset(silence)
		return l.tell(key, s)
	})
	if ctx.Err() != nil {
		return Unreached(errSilent)
	}
	return err
}

func (l *listing) tell(key string, s treehash.Stamp) error {
	if l.began && key <= l.in.After {
		return errOrder
	}
	l.began, l.in.After, l.failures = true, key, 0
	l.ended = l.found(append(l.name, key...), s)
	if l.ended != nil || key == l.in.Prefix && !strings.HasSuffix(key, "/") {
		return errEnough
	}
	return nil
}
