package handshake

import (
	"encoding/binary"
	"fmt"

	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// negotiated is what a ServerHello says, read off the wire and not out of the
// library: what both sides agreed on in the clear.
type negotiated struct {
	version, suite, group uint16
	preShared             bool // a ticket was accepted
}

// Numbers of RFC 8446 §4 and §5.1, and of the extensions of §4.2.
const (
	recordHandshake   = 22
	messageServer     = 2
	extensionVersions = 43
	extensionKeyShare = 51
	extensionTicket   = 41 // pre_shared_key
)

// readServerHello reads the first record that a server wrote.
func readServerHello(wire []byte) (n negotiated, err error) {
	if len(wire) < 5 || wire[0] != recordHandshake {
		return n, reason.New("wire-record")
	}
	length := int(binary.BigEndian.Uint16(wire[3:]))
	if len(wire) < 5+length || length < 4 || wire[5] != messageServer {
		return n, reason.New("wire-hello")
	}
	body := fields(wire[9 : 5+length])
	body.take(2 + 32) // version as of TLS 1.2, random
	body.vector(1)    // session id, echoed
	suite, extensions := body.take(2), fields(nil)
	body.take(1) // compression
	extensions = body.vector(2)
	if len(suite) < 2 || extensions == nil {
		return n, reason.New("hello-short")
	}
	n.suite = binary.BigEndian.Uint16(suite)
	for len(extensions) > 0 {
		kind, value := extensions.take(2), extensions.vector(2)
		if len(kind) < 2 || value == nil {
			return n, reason.New("extension-short")
		}
		switch k := binary.BigEndian.Uint16(kind); {
		case k == extensionTicket:
			n.preShared = true
		case len(value) < 2: // what says nothing of these
		case k == extensionVersions:
			n.version = binary.BigEndian.Uint16(value)
		case k == extensionKeyShare:
			n.group = binary.BigEndian.Uint16(value)
		}
	}
	return n, nil
}

// fields is a message that is read from its beginning. What is not there reads as nil.
type fields []byte

func (f *fields) take(n int) []byte {
	if len(*f) < n {
		*f = nil
		return nil
	}
	taken := (*f)[:n:n]
	*f = (*f)[n:]
	return taken
}

// vector reads a length of so many bytes, and what is that long.
func (f *fields) vector(size int) fields {
	length := f.take(size)
	if length == nil {
		return nil
	}
	n := 0
	for _, b := range length {
		n = n<<8 | int(b)
	}
	if len(*f) < n {
		*f = nil
		return nil
	}
	if n == 0 {
		return fields{}
	}
	return f.take(n)
}

// holds compares what was negotiated with what was asked for.
func (n negotiated) holds(s Shape, suite uint16) error {
	const tls13 = 0x0304
	switch {
	case n.version != tls13:
		return reason.New("wire-version", fmt.Sprintf("%#04x", n.version))
	case n.group != uint16(s.Group):
		return reason.New("wire-group", n.group, uint16(s.Group))
	case n.suite != suite:
		return reason.New("wire-suite", fmt.Sprintf("%#04x", n.suite), fmt.Sprintf("%#04x", suite))
	case n.preShared && !s.Resumed:
		return reason.New("wire-resumed")
	case !n.preShared && s.Resumed:
		return reason.New("wire-full")
	}
	return nil
}
