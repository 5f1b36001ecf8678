package loop

import (
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// Helper is a library's one-call function that schedules the key, and often pads,
// inside the call, and returns a buffer of its own.
type Helper struct {
	Call   func(in []byte) ([]byte, error)
	Before func() error // called once a Run, before its loop, to set what the library keeps in globals; may be nil
	In     []byte
	Want   []byte
	Tag    int // how many bytes at the end of Want are a tag

	// Open opens a sealed text where the helper is an authenticated one, and
	// returns the library's error alone. With it, Check proves that tampered
	// forms of Sealed, whose last SealedTag bytes are the tag, are refused.
	Open      func(sealed []byte) error
	Sealed    []byte
	SealedTag int
}

// NewHelper is the operation of a helper.
func NewHelper(h Helper) provider.Operation {
	return &helper{output: output{want: h.Want, tag: h.Tag}, h: h}
}

type helper struct {
	output
	h      Helper
	checks int
}

func (o *helper) Run(n int) error {
	if o.h.Before != nil {
		if err := o.h.Before(); err != nil {
			return err
		}
	}
	o.ran = n > 0
	for range n {
		got, err := o.h.Call(o.h.In)
		if err != nil {
			return err
		}
		o.got = got
	}
	return nil
}

// Check names everything that is wrong in one sentence, since a helper that
// computes a wrong tag and does not verify one is two findings.
func (o *helper) Check() error {
	wrong := o.check()
	if o.h.Open == nil || wrong == errNotRun {
		return wrong
	}
	o.checks++
	opens := refuses(o.h.Sealed, o.h.SealedTag, o.checks-1, o.h.Open)
	if wrong != nil && opens != nil {
		return reason.New("and", wrong, opens)
	}
	if wrong == nil {
		return opens
	}
	return wrong
}

func (o *helper) Close() error { return nil }
func (o *helper) Loop() string { return LoopHelper }
