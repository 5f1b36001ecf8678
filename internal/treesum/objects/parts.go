package objects

import (
	"bytes"
	"context"
	"io"
)

// An object of so many bytes is read by parts, since many stores send one at a time slower than it is hashed. So many
// parts are read ahead at once, of all objects; where there is no room for one, it is read when its turn comes.
const (
	long       = 4 * partSize
	partSize   = 8 << 20
	partsAhead = 8
	mostAhead  = 4 // of one object
)

// A parts reads an object by parts.
type parts struct {
	store   *Store
	first   *reader // of its first part; what is common to all is taken from it
	cancel  context.CancelFunc
	current io.ReadCloser
	at      int64 // where the part after current begins
	ahead   []*aheadPart
	next    int64 // where the part after those begins
}

func newParts(s *Store, first *reader) *parts {
	p := &parts{store: s, first: first, current: first, at: first.to, next: first.to}
	first.ctx, p.cancel = context.WithCancel(first.ctx)
	return p
}

// An aheadPart is a part that is read before its turn.
type aheadPart struct {
	done     chan struct{}
	contents []byte
	err      error
}

// Read is io.Reader's.
func (p *parts) Read(to []byte) (int, error) {
	for {
		if err := p.open(); err != nil {
			return 0, err
		}
		n, err := p.current.Read(to)
		if err == io.EOF {
			p.current.Close()
			p.current, err = nil, nil
			if p.at == p.size() {
				err = io.EOF
			}
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

func (p *parts) size() int64 { return p.first.same.Size }

// part is the reader of the part that begins there.
func (p *parts) part(at int64) *reader {
	f := p.first
	return &reader{ctx: f.ctx, client: f.client, bucket: f.bucket, key: f.key, same: f.same, at: at, to: min(at+partSize, p.size())}
}

// open sees to it that there is a part to read, and that those after it are on their way.
func (p *parts) open() error {
	if p.current == nil {
		part := p.part(p.at)
		if p.at == p.size() {
			return io.EOF
		}
		p.at = part.to
		p.current = part
		if len(p.ahead) > 0 {
			a := p.ahead[0]
			p.ahead = p.ahead[1:]
			<-a.done
			if a.err != nil {
				<-p.store.room
				return a.err
			}
			p.current = &held{bytes.NewReader(a.contents), p.store}
		}
	}
	for p.next = max(p.next, p.at); p.next < p.size() && len(p.ahead) < mostAhead; {
		select {
		case p.store.room <- struct{}{}:
		default:
			return nil
		}
		part := p.part(p.next)
		a := &aheadPart{done: make(chan struct{})}
		p.ahead, p.next = append(p.ahead, a), part.to
		go a.read(part)
	}
	return nil
}

func (a *aheadPart) read(r *reader) {
	defer close(a.done)
	defer r.Close()
	a.contents = make([]byte, r.to-r.at)
	_, a.err = io.ReadFull(r, a.contents)
}

// held is a part that was read ahead. It gives its room back when it is closed.
type held struct {
	io.Reader
	store *Store
}

func (h *held) Close() error {
	<-h.store.room
	return nil
}

// Close is io.Closer's.
func (p *parts) Close() error {
	p.cancel()
	if p.current != nil {
		p.current.Close()
	}
	for _, a := range p.ahead {
		<-a.done
		<-p.store.room
	}
	p.current, p.ahead = nil, nil
	return nil
}
