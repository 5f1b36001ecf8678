//go:build linux && (amd64 || arm64)

package botan

import (
	"errors"
	"slices"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/seeded"
	"github.com/cryptogauge/cryptogauge/result"
)

// composite is CBC with PKCS #7 padding, and then HMAC over IV and ciphertext.
// Opening computes the tag and compares it before it decrypts anything.
//
//	int botan_constant_time_compare(const uint8_t *x, const uint8_t *y, size_t len)
type composite struct {
	*session
	*cipher
	mac      uintptr
	computed []byte
}

func (o on) openComposite(c result.Case, v *provider.Vector) (provider.Operation, error) {
	if _, rest := seeded.MixOf(c); rest != parameter.PKCS7Padding {
		return nil, provider.Absent("parameters", c.Name(), parameter.PKCS7Padding, rest)
	}
	m := mode{algorithm: c.Algorithm, mode: "CBC", name: c.Algorithm + "/CBC/PKCS7"}
	var err error
	if m.direction, err = loop.DirectionOf(c.Operation); err != nil {
		return nil, err
	}
	k, err := o.newCipher(o.path, m, v.Key)
	if err != nil {
		return nil, err
	}
	name, _ := hashName(strings.TrimPrefix(c.Mode, "CBC+"))
	s := o.session()
	s.Own(k.close)
	x := &composite{session: s, cipher: k, computed: s.Room(32)} // SHA-256's and SM3's
	x.mac = s.object("botan_mac_init", "botan_mac_destroy", s.Text(name), 0)
	s.do("botan_mac_set_key", x.mac, s.Bytes(v.MACKey), uintptr(len(v.MACKey)))
	w := binding.WorkOf(v, m.direction, &s.Outputs, 0)
	f := loop.Foreign{Out: w.Out, Want: w.Want}
	p := x.program(w)
	if m.direction == loop.Encrypt {
		f.Tag = len(x.computed)
		return s.operation(c.Name(), p, f)
	}
	last := w.Messages[len(w.Messages)-1]
	f.Sealed, f.Tagged = last.In, len(x.computed)
	last.In, last.Out = slices.Clone(last.In), s.Room(len(last.Out))
	open := x.program(binding.Work{Messages: []binding.Message{last}, Sequence: []int{0}})
	f.Open = func(tampered []byte) error {
		copy(last.In, tampered)
		return s.run(open, 1)
	}
	return s.operation(c.Name(), p, f)
}

// program does the work's messages in order.
func (x *composite) program(w binding.Work) call.Program {
	x.session.Keep(w)
	programs := make([]call.Program, len(w.Messages))
	for i, m := range w.Messages {
		programs[i] = x.message(m)
	}
	return inOrder(programs, w.Sequence)
}

func (x *composite) message(m binding.Message) call.Program {
	tag := len(x.computed)
	if x.direction == loop.Encrypt {
		body := m.Out[:len(m.Out)-tag]
		return append(x.crypt(m.Nonce, m.In, body), x.sum(m.Nonce, body, m.Out[len(body):])...)
	}
	body := m.In[:len(m.In)-tag]
	p := append(x.sum(m.Nonce, body, x.computed),
		x.step("botan_constant_time_compare", call.Bytes(x.computed), call.Bytes(m.In[len(body):]), uintptr(tag)))
	return append(p, x.crypt(m.Nonce, body, m.Out)...)
}

func (x *composite) crypt(iv, in, out []byte) call.Program {
	if x.session.Err != nil {
		return nil
	}
	p, err := x.plan(binding.Message{Nonce: iv, In: in, Out: out}, handing{0, byUpdate})
	x.session.Err = errors.Join(x.session.Err, err)
	return p
}

func (x *composite) sum(iv, body, out []byte) call.Program {
	return call.Program{
		x.step("botan_mac_update", x.mac, call.Bytes(iv), uintptr(len(iv))),
		x.step("botan_mac_update", x.mac, call.Bytes(body), uintptr(len(body))),
		x.step("botan_mac_final", x.mac, call.Bytes(out)),
	}
}
