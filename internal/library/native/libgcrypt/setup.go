//go:build linux && (amd64 || arm64)

package libgcrypt

import (
	"errors"
	"runtime"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/library/native/fence"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// openSchedule schedules the key in an open handle, again and again.
func (o on) openSchedule(c result.Case) (provider.Operation, error) {
	v, err := o.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	ecb := result.Case{Algorithm: c.Algorithm, Mode: "ECB"}
	h, err := o.newHandle(ecb, v.Key)
	if err != nil {
		return nil, err
	}
	program := call.Program{h.on("gcry_cipher_setkey", v.Key)}
	return loop.NewForeign(loop.Foreign{
		Run: func(n int) error {
			err := o.run(o.path, program, n)
			runtime.KeepAlive(v)
			return err
		},
		Accept: func([]byte) error {
			if err := o.works(h, v); err != nil {
				return reason.New("scheduled-key", err)
			}
			// Another key, so that only a schedule can make it right again.
			other := make([]byte, len(v.Key))
			err := o.run(call.Purego, call.Program{h.on("gcry_cipher_setkey", other)}, 1)
			runtime.KeepAlive(other)
			return err
		},
		Close: func() error { h.close(); return nil },
	})
}

// works lets a handle encrypt and decrypt the vector's message, and judges both.
func (o on) works(h handle, v *provider.Vector) error {
	for _, d := range []loop.Direction{loop.Encrypt, loop.Decrypt} {
		f := on{o.Library, call.Purego, o.subject}.exchange(h, d, v, manner{})
		op, err := loop.NewForeign(f)
		if err != nil {
			return err
		}
		if err := errors.Join(op.Run(1), op.Check(), op.Close()); err != nil {
			return err
		}
	}
	return nil
}

// maker makes handles, one after the other.
type maker struct {
	on
	c                   result.Case
	v                   *provider.Vector
	cipher, mode        uintptr
	out                 *uint64 // where gcry_cipher_open leaves the handle; 0 where there is none
	open, setKey, close *call.Func
	message             []*call.Func // of a message: what is done with each new handle
	arguments           [][]uintptr  // of these, behind the handle
}

// openConstruct makes an AEAD ready for messages, again and again, and lets it
// seal one where the case wants that.
func (o on) openConstruct(c result.Case) (provider.Operation, error) {
	if c.Parameters != "" {
		return nil, provider.Absent("not-offered", "libgcrypt", c.Name()+" "+c.Operation)
	}
	if o.path.InC() {
		return nil, errLoop
	}
	v, err := o.vectors.Vector(c)
	if err != nil {
		return nil, err
	}
	h, err := o.newHandle(c, v.Key) // which refuses now what it would refuse later
	if err != nil {
		return nil, err
	}
	defer h.close()
	m := &maker{on: o, c: c, v: v, out: new(uint64), open: o.bind("gcry_cipher_open"), setKey: o.bind("gcry_cipher_setkey"), close: o.bind("gcry_cipher_close")}
	m.cipher, m.mode, _ = cipherNumber(c.Algorithm, c.Mode)
	f := loop.Foreign{Run: m.make, Accept: m.judge, Close: m.drop}
	if c.Operation == "new+encrypt" {
		outputs := &fence.Memory{}
		f = loop.Foreign{Want: v.Ciphertext, Tag: tagSize, Out: outputs.Bytes(len(v.Ciphertext)), Run: m.seal,
			Intact: outputs.Check,
			Close:  func() error { return errors.Join(m.drop(), outputs.Close()) }}
		whole := binding.Message{Nonce: v.Nonce, AAD: v.AAD, In: v.Plaintext, Out: f.Out}
		for _, one := range h.message(loop.Encrypt, whole, manner{}) {
			m.message = append(m.message, o.path.Bind(one.Func))
			m.arguments = append(m.arguments, one.Args[:one.N])
		}
	}
	return loop.NewForeign(f)
}

func (o on) bind(function string) *call.Func { return o.path.Bind(o.functions[function]) }

// fresh makes a handle in the place of the one before.
func (m *maker) fresh() error {
	_ = m.drop()
	if code := int32(m.open.Call(call.Word(m.out), m.cipher, m.mode, 0)); code != 0 {
		*m.out = 0
		return m.refused("gcry_cipher_open", code)
	}
	if code := int32(m.setKey.Call(uintptr(*m.out), call.Bytes(m.v.Key), uintptr(len(m.v.Key)))); code != 0 {
		return m.refused("gcry_cipher_setkey", code)
	}
	return nil
}

func (m *maker) drop() error {
	if *m.out != 0 {
		m.close.Call(uintptr(*m.out))
		*m.out = 0
	}
	return nil
}

func (m *maker) make(n int) error {
	for range n {
		if err := m.fresh(); err != nil {
			return err
		}
	}
	return nil
}

// judge proves that the handle made last seals and opens rightly, and drops it.
func (m *maker) judge([]byte) error {
	if *m.out == 0 {
		return reason.New("no-handle")
	}
	defer m.drop()
	err := m.works(handle{Library: m.Library, address: uintptr(*m.out), mode: m.c.Mode, sealing: true}, m.v)
	if err != nil {
		return reason.New("made-last", err)
	}
	return nil
}

func (m *maker) seal(n int) error {
	for range n {
		if err := m.fresh(); err != nil {
			return err
		}
		for i, f := range m.message {
			m.arguments[i][0] = uintptr(*m.out)
			if code := int32(f.Call(m.arguments[i]...)); code != 0 {
				return m.refused("sealing with a new handle", code)
			}
		}
	}
	return m.drop()
}
