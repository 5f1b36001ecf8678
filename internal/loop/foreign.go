package loop

import (
	"errors"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// LoopForeign is the loop of an operation that is not written in Go, or calls what
// is not: it is timed as a whole, however it goes through its calls.
const LoopForeign = "foreign"

// Foreign describes an operation whose n calls are made behind one function. What
// it computes is judged as any other's: Out against Want, or by Accept where it
// is random, and where it opens sealed text also by its refusing such as was
// tampered with.
type Foreign struct {
	Run  func(n int) error
	Out  []byte     // where each call leaves its output, with room for it
	Size func() int // how much of Out the last call wrote; nil: as much as Want has, or all

	Want   []byte             // what must be there
	Tag    int                // how many of its last bytes are an authentication tag
	Accept func([]byte) error // judges it where Want is nil
	Blank  bool               // there is no output, as of a verification: that Run returned nil is all
	Sealed []byte             // what is opened; nil where nothing is
	Tagged int                // how many of its last bytes are the tag
	Open   func([]byte) error // opens other sealed text of the same length; it must refuse
	Pieces int64              // of how many bytes the library says that it makes pieces; 0 where it does not
	Intact func() error       // whether nothing but Out was written; nil where that can't be known
	Close  func() error       // nil where there is nothing to give back
}

// NewForeign returns the operation.
func NewForeign(f Foreign) (provider.Operation, error) {
	if f.Run == nil || (f.Want == nil && f.Accept == nil && !f.Blank) || (f.Sealed != nil && f.Open == nil) {
		return nil, errors.New("provider: internal error: a foreign operation that can't run or can't be judged")
	}
	o := &foreign{Foreign: f}
	o.spoil()
	return o, nil
}

type foreign struct {
	Foreign
	ran    bool
	checks int
}

func (o *foreign) Run(n int) error {
	o.ran = n > 0
	return o.Foreign.Run(n)
}

// Check judges what the last Run left, and spoils it.
func (o *foreign) Check() error {
	if !o.ran {
		return errNotRun
	}
	o.ran = false
	if err := o.intact(); err != nil {
		return err
	}
	err := o.judge()
	o.spoil()
	if err != nil || o.Sealed == nil {
		return err
	}
	defer o.spoil() // a failed opening may leave the plaintext behind
	o.checks++
	if err := refuses(o.Sealed, o.Tagged, o.checks-1, o.Open); err != nil {
		return err
	}
	return o.intact()
}

func (o *foreign) intact() error {
	if o.Intact == nil {
		return nil
	}
	return o.Intact()
}

func (o *foreign) judge() error {
	if o.Blank {
		return nil
	}
	size := len(o.Out)
	if o.Want != nil {
		size = len(o.Want)
	}
	if o.Size != nil {
		size = o.Size()
	}
	if size < 0 || size > len(o.Out) {
		return reason.New("wrote-more")
	}
	if o.Want == nil {
		return o.Accept(o.Out[:size])
	}
	return compare(o.Out[:size], o.Want, o.Tag)
}

// spoil makes every byte wrong.
func (o *foreign) spoil() {
	for i := range o.Out {
		o.Out[i] = 0
		if i < len(o.Want) {
			o.Out[i] = ^o.Want[i]
		}
	}
}

func (o *foreign) Close() error {
	if o.Foreign.Close == nil {
		return nil
	}
	return o.Foreign.Close()
}

func (o *foreign) Loop() string { return LoopForeign }

func (o *foreign) Granularity() int64 { return o.Pieces }
