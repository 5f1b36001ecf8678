package loop

import (
	"cmp"
	"errors"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// LoopForeign is the loop of an operation that is not written in Go, or calls what
// is not: it is timed as a whole, however it goes through its calls.
const LoopForeign = "foreign"

// Foreign describes an operation whose n calls are made by one function: that of a library
// which is not written in Go, or a package's own loop. What it computes is judged as any
// other's: Out against Want, or by Accept where it is random, and where it opens sealed text
// also by its refusing such as was tampered with.
type Foreign struct {
	Loop  string       // its name; "" is LoopForeign
	Clock result.Clock // "" is the thread's
	Run   func(n int) error
	Out   []byte  // where each call leaves its output, with room for it
	Size  *uint64 // how much of Out the last call wrote; nil: as much as Want has, or all

	Want   []byte             // what must be there
	Tag    int                // how many of its last bytes are an authentication tag
	Accept func([]byte) error // judges it where Want is nil; else only words what is wrong
	Blank  bool               // there is no output, as of a verification: that Run returned nil is all
	Sealed []byte             // what is opened; nil where nothing is
	Tagged int                // how many of its last bytes are the tag
	Open   func([]byte) error // opens other sealed text of the same length; it must refuse
	Pieces int64              // of how many bytes the library says that it makes pieces; 0 where it does not
	Intact func() error       // whether nothing but Out was written; nil where that can't be known
	Close  func() error       // nil where there is nothing to give back
}

func NewForeign(f Foreign) (provider.Operation, error) {
	if f.Run == nil || (f.Want == nil && f.Accept == nil && !f.Blank) || (f.Sealed != nil && f.Open == nil) {
		return nil, errors.New("provider: internal error: a foreign operation that can't run or can't be judged")
	}
	if f.Intact == nil {
		f.Intact = succeed
	}
	if f.Close == nil {
		f.Close = succeed
	}
	o := &foreign{timed{loop: cmp.Or(f.Loop, LoopForeign), run: f.Run, judge: f.judge}, f}
	if f.Sealed != nil {
		o.refuse = f.refuse
	}
	spoil(f.Out, f.Want)
	return o, nil
}

type foreign struct {
	timed
	f Foreign
}

func (o *foreign) Close() error        { return o.f.Close() }
func (o *foreign) Clock() result.Clock { return o.f.Clock }
func (o *foreign) Granularity() int64  { return o.f.Pieces }

func succeed() error { return nil }

func (f Foreign) judge() error {
	defer spoil(f.Out, f.Want)
	if err := f.Intact(); err != nil || f.Blank {
		return err
	}
	size := len(f.Out)
	if f.Want != nil {
		size = len(f.Want)
	}
	if f.Size != nil {
		size = int(*f.Size)
	}
	if size < 0 || size > len(f.Out) {
		return reason.New("wrote-more")
	}
	got := f.Out[:size]
	if f.Want == nil {
		return f.Accept(got)
	}
	err := compare(got, f.Want, f.Tag)
	if err != nil && f.Accept != nil {
		return cmp.Or(f.Accept(got), err)
	}
	return err
}

func (f Foreign) refuse(round int) error {
	defer spoil(f.Out, f.Want) // a failed opening may leave the plaintext behind
	return cmp.Or(refuses(f.Sealed, f.Tagged, round, f.Open), f.Intact())
}
