package provider

import (
	"bytes"
	"errors"
	"fmt"
)

// output is the buffer that an operation's calls write, and what it must hold.
type output struct {
	got   []byte // what the last call left
	want  []byte // according to the judge; shared, never written
	tag   int    // how many bytes at the end of want are an authentication tag
	blank bool   // the operation has no output (an empty one): only that it ran is judged
	ran   bool   // since the last check
}

// newOutput returns an output for want with room for size bytes, spoiled, so
// that an operation that does nothing can't pass by luck.
func newOutput(want []byte, size int) output {
	o := output{got: make([]byte, len(want), max(size, len(want))), want: want}
	o.spoil()
	return o
}

// drawn is an output that differs from call to call, so that there is none to
// compare it with: the judge accepts it or says what is wrong.
type drawn struct {
	got    []byte // what the last call left
	accept func(got []byte) error
	blank  bool // the operation has no output: only that it ran is judged
	ran    bool // since the last check
}

func (o *drawn) noOutput() { o.blank = true }

// check judges what the last Run left, and lets go of it.
func (o *drawn) check() error {
	if !o.ran {
		return errNotRun
	}
	got := o.got
	o.ran, o.got = false, nil
	if o.blank {
		return nil
	}
	return o.accept(got)
}

var errNotRun = errors.New("there is no output to check: nothing ran since the last check")

// check judges what the last Run left, and spoils it whatever the judgement is.
func (o *output) check() error {
	if !o.ran {
		return errNotRun
	}
	o.ran = false
	if o.blank {
		return nil
	}
	defer o.spoil()
	return compare(o.got, o.want, o.tag)
}

// spoil makes every byte wrong.
func (o *output) spoil() {
	for i := range o.got {
		o.got[i] = 0
		if i < len(o.want) {
			o.got[i] = ^o.want[i]
		}
	}
}

// compare says in a sentence where got is not want, of which the last tag bytes
// are an authentication tag.
func compare(got, want []byte, tag int) error {
	if bytes.Equal(got, want) {
		return nil
	}
	if len(got) != len(want) {
		return fmt.Errorf("the output is %d bytes long and should be %d", len(got), len(want))
	}
	body := len(want) - tag
	at := firstDifference(got, want)
	switch {
	case tag == 0:
		return fmt.Errorf("the output is wrong from byte %d on (%#02x, should be %#02x)", at, got[at], want[at])
	case at >= body:
		return fmt.Errorf("the tag is wrong from byte %d of the output on (tag byte %d); the body is right", at, at-body)
	case bytes.Equal(got[body:], want[body:]):
		return fmt.Errorf("the body is wrong from byte %d on; the tag is right", at)
	default:
		return fmt.Errorf("the body is wrong from byte %d on, and the tag is wrong", at)
	}
}

func firstDifference(a, b []byte) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return len(a)
}
