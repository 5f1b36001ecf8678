package loop

import "github.com/cryptogauge/cryptogauge/internal/provider"

// AgreeFunc computes the secret that the vector's key shares with its peer, into
// a buffer of the library's own.
type AgreeFunc func() ([]byte, error)

// NewAgree agrees on a secret with a peer whose public key was decoded, and
// checked as the library does, outside the loop.
func NewAgree(agree AgreeFunc, v *provider.Vector) provider.Operation {
	return &agreement{output: newOutput(v.Secret, 0), agree: agree}
}

type agreement struct {
	output
	agree AgreeFunc
}

func (o *agreement) Run(n int) error {
	o.ran = n > 0
	for range n {
		got, err := o.agree()
		if err != nil {
			return err
		}
		o.got = got
	}
	return nil
}

func (o *agreement) Check() error { return o.check() }
func (o *agreement) Close() error { return nil }
func (o *agreement) Loop() string { return LoopAgree }
