package treehash

// A Feed takes files from a source.
type Feed struct {
	run    *run
	batch  *batch
	paused bool
}

// List feeds a file of which something is known, whatever it is. A name that is Stdin is standard input.
func (f *Feed) List(name []byte, g Given) error {
	from := listed
	switch {
	case string(name) == Stdin:
		from = input
	case IsObject(name) && f.run.Objects == nil:
		return f.put(name, from, g, func(e *entry) { e.fail(errNoStore) })
	case IsObject(name):
		from = object
	}
	return f.put(name, from, g, nil)
}

// Found feeds what somebody else has found: a file in a folder, or an object as it was listed.
func (f *Feed) Found(name []byte, s Stamp) error {
	if IsObject(name) {
		return f.object(name, s)
	}
	return f.add(name, inTree)
}

// Pause says that the source is going to wait for somebody else, so that what it has fed so far is begun.
func (f *Feed) Pause() {
	f.flush()
	f.paused = true
	f.run.queue.pause()
}

// isOthers says whether a file is another job's.
func (f *Feed) isOthers(name []byte) bool { return f.run.Mine != nil && !f.run.Mine(name) }

// add feeds a file.
func (f *Feed) add(name []byte, from origin) error {
	if f.isOthers(name) {
		return nil
	}
	if err := f.open(); err != nil {
		return err
	}
	var g Given
	if f.run.Known != nil && from != input {
		var err error
		if g, err = f.run.known(name); err != nil {
			return err
		}
	}
	return f.put(name, from, g, nil)
}

// fail feeds what can't be read, so that this is told in its turn.
func (f *Feed) fail(name []byte, err error) error {
	return f.put(name, inTree, Given{}, func(e *entry) { e.fail(err) })
}

// leaveOut feeds what isn't to be read.
func (f *Feed) leaveOut(name []byte) error {
	if f.isOthers(name) {
		return nil
	}
	return f.put(name, inTree, Given{}, func(e *entry) { e.finish(func(r *Result) { r.LeftOut = true }) })
}

// open sees to it that there is a batch with room in it.
func (f *Feed) open() error {
	if f.paused {
		f.paused = false
		f.run.queue.resume()
	}
	if f.batch == nil {
		if f.batch = f.run.queue.batch(); f.batch == nil {
			return errStopped
		}
	}
	return nil
}

// few is what a batch has at least where a worker waits for it.
const few = 32

// put feeds one entry, of which set, if it isn't nil, knows more.
func (f *Feed) put(name []byte, from origin, g Given, set func(*entry)) error {
	if err := f.open(); err != nil {
		return err
	}
	b := f.batch
	e := b.add(name, from)
	if g != (Given{}) || len(b.given) > 0 {
		b.give(g)
	}
	if set != nil {
		set(e)
	}
	if !e.done.Load() {
		b.open++
		b.objects = b.objects || from == object
	}
	if b.full() || len(b.entries)%few == 0 && f.run.queue.idle() {
		f.flush()
	}
	return nil
}

// flush hands over what was fed.
func (f *Feed) flush() {
	if b := f.batch; b != nil && len(b.entries) > 0 {
		f.batch = nil
		f.run.queue.put(b)
		f.run.wake() // for what is done already
	}
}
