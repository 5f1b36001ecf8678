// Package gauge lets cryptogauge measure operations of your own: a wrapper, an implementation, a path
// through several calls. A program whose main function is one call of [Main] is a worker of cryptogauge:
//
//	cryptogauge run own --worker ./mybench                  # its own operations
//	cryptogauge run modes --worker ./mybench                # those that have the laboratory's names, beside its libraries
//	cryptogauge compare git:main:./cmd/mybench ./cmd/mybench
//	cryptogauge selftest --worker ./mybench
//
// It takes its turns with the built-in libraries, block by block and round by round, on the same clocks;
// times are CPU time per call of [Call.Run], in nanoseconds, and allocations are counted as theirs are.
// Around a call of yours there is one indirect function call, some 2 ns.
//
// # What is right
//
// Where an operation has the laboratory's name, such as SM4, CBC, encrypt, its [Input] is what every library
// gets, and its output is held against the reference implementation. Any other is held against [Op.Expect],
// which may be a second implementation ([Op.Output]), or judged by [Call.Verify]. What has none of these is
// shown as unchecked and never ranked above what has one. A wrong output has no figure.
//
// # What goes wrong
//
// An error or a panic of Prepare, Run or Verify costs the case that it happened in; the others go on. What is
// printed to os.Stdout goes to standard error while a worker is served, since the protocol has standard output.
package gauge

import (
	"bytes"
	"io"
)

// Op is an operation, in one or several sizes.
type Op struct {
	Library string // whose it is; "" is the program's name
	Version string // "" is that of the program's module, or "devel"

	Algorithm string // such as "SM4"; any name
	Mode      string // such as "GCM"; may be ""
	Operation string // such as "encrypt"; "" is "call"

	// Sizes are bytes a call, from which a throughput is computed. None: a call without a size.
	Sizes []int
	// Goroutines are numbers of goroutines that make calls at once, each with a Call of its own; a sample is
	// the wall time of all. None: one goroutine, on the CPU time of its thread.
	Goroutines []int

	// Prepare gets calls of one size ready. What it takes is in no figure. It is called once for each
	// goroutine, and again in each process that the laboratory starts.
	Prepare func(Input) (Call, error)

	// Expect is the output that the same input must have. It is called once a Prepare, and not timed.
	Expect func(Input) ([]byte, error)
}

// Input is what an operation works on: the same for the same seed, case and size in every program. It is
// shared: copy what you change.
type Input struct {
	Size int
	// Data are Size bytes: a plaintext, or what is hashed. Of the laboratory's own decryptions it is the
	// ciphertext, with padding and tag where the mode has them.
	Data []byte
	// Key, Nonce (or IV) and AAD are as the laboratory's case has them, so AAD may be nil. Where the case is not
	// one of the laboratory's, Key has 32 bytes and Nonce 16, of which you take what you need.
	Key, Nonce, AAD []byte
}

// Call is an operation that is ready.
type Call struct {
	// Run is one call. It is called again and again, from one goroutine, and must do the same each time.
	Run func() error
	// Output is what the last Run left: the buffer itself and no copy, since it is overwritten after each
	// check, so that an output of before can't pass. Without it nothing is compared.
	Output func() []byte
	// Verify judges the last Run where its output is not always the same, as a signature's is.
	Verify func() error
	// Close gives back what Prepare took.
	Close func() error
}

// Output is what one call of the operation leaves: for the Expect of another that must agree with it.
func (o Op) Output(in Input) (output []byte, err error) {
	c, err := o.Prepare(in)
	if err != nil {
		return nil, err
	}
	if c.Close != nil {
		defer c.Close()
	}
	if c.Output == nil || c.Run == nil {
		return nil, errNoOutput
	}
	if err := c.Run(); err != nil {
		return nil, err
	}
	return bytes.Clone(c.Output()), nil
}

// Stream is the Prepare of an operation that copies a stream: each call of what open returns reads
// [Input.Data] from src to its end and writes to dst. What it writes is the output.
func Stream(open func(Input) (func(dst io.Writer, src io.Reader) error, error)) func(Input) (Call, error) {
	return func(in Input) (Call, error) {
		pass, err := open(in)
		if err != nil {
			return Call{}, err
		}
		var dst bytes.Buffer
		src := bytes.NewReader(in.Data)
		return Call{
			Run: func() error {
				dst.Reset()
				src.Reset(in.Data)
				// As streams come: neither end offers to copy by itself.
				return pass(struct{ io.Writer }{&dst}, struct{ io.Reader }{src})
			},
			Output: dst.Bytes,
		}, nil
	}
}
