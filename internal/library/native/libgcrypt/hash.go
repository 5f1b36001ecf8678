//go:build linux && (amd64 || arm64)

package libgcrypt

import (
	"errors"
	"runtime"
	"unsafe"

	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/fence"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// openHash makes a handle whose state is reset for each message, which is written
// and its digest read, under a key or not.
func (o on) openHash(c result.Case) (provider.Operation, error) {
	v, err := o.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	if number, ok := macNumber(c.Algorithm); ok {
		return o.openMAC(c, number, v)
	}
	number, _ := hashNumber(c.Algorithm)
	out := new(uint64)
	if code := int32(o.call("gcry_md_open", call.Word(out), number, 0)); code != 0 {
		return nil, provider.Unsupported("version-has-no-since", "libgcrypt", o.version, c.Algorithm, o.refused("gcry_md_open", code))
	}
	md := uintptr(*out)
	f := loop.Foreign{Want: v.Digest, Out: make([]byte, len(v.Digest)), Close: func() error { o.call("gcry_md_close", md); return nil }}
	f.Run, err = o.digest(md, v.Plaintext, f.Out)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return loop.NewForeign(f)
}

// digest hashes the message. The digest stands in the handle, at the same place
// each time, and is copied from there: in Go, or in the loop in C by memcpy.
func (o on) digest(md uintptr, in, out []byte) (func(n int) error, error) {
	program := call.Program{
		call.New(o.functions["gcry_md_reset"], call.Any, md),
		call.New(o.functions["gcry_md_write"], call.Any, md, call.Bytes(in), uintptr(len(in))),
		call.New(o.functions["gcry_md_read"], call.Any, md, 0),
	}
	if err := call.Purego.Run(program, 1); err != nil {
		return nil, err
	}
	place := program[len(program)-1].Result
	if place == 0 {
		return nil, reason.New("gcry-no-digest")
	}
	if o.path.InC() {
		program = append(program, call.New(o.functions["memcpy"], call.Any, call.Bytes(out), place, uintptr(len(out))))
		return func(n int) error {
			err := o.run(o.path, program, n)
			runtime.KeepAlive(in)
			runtime.KeepAlive(out)
			return err
		}, nil
	}
	read := &program[len(program)-1]
	return func(n int) error {
		for range n {
			if err := o.path.Run(program, 1); err != nil {
				return err
			}
			copy(out, unsafe.Slice(*(**byte)(unsafe.Pointer(&read.Result)), len(out)))
		}
		runtime.KeepAlive(in)
		return nil
	}, nil
}

// openMAC sets the key before, as the hash is keyed in every library.
func (o on) openMAC(c result.Case, number uintptr, v *provider.Vector) (provider.Operation, error) {
	out := new(uint64)
	if code := int32(o.call("gcry_mac_open", call.Word(out), number, 0, 0)); code != 0 {
		return nil, provider.Unsupported("version-has-no-since", "libgcrypt", o.version, c.Algorithm, o.refused("gcry_mac_open", code))
	}
	mac, size := uintptr(*out), new(uint64)
	outputs := &fence.Memory{}
	f := loop.Foreign{Want: v.Digest, Out: outputs.Bytes(len(v.Digest)), Intact: outputs.Check,
		Close: func() error { o.call("gcry_mac_close", mac); return outputs.Close() }}
	want := uint64(len(f.Out))
	program := call.Program{
		o.newCall("gcry_mac_ctl", mac, ctlReset, 0, 0),
		o.newCall("gcry_mac_write", mac, call.Bytes(v.Plaintext), uintptr(len(v.Plaintext))),
		o.newCall("gcry_mac_read", mac, call.Bytes(f.Out), call.Word(size)).Setting(size, want).Expecting(size, want),
	}
	kept := f.Out
	f.Run = func(n int) error {
		err := o.run(o.path, program, n)
		runtime.KeepAlive(v)
		runtime.KeepAlive(kept)
		runtime.KeepAlive(size)
		return err
	}
	if code := int32(o.call("gcry_mac_setkey", mac, call.Bytes(v.Key), uintptr(len(v.Key)))); code != 0 {
		return nil, errors.Join(o.refused("gcry_mac_setkey", code), f.Close())
	}
	return loop.NewForeign(f)
}
