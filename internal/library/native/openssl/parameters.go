//go:build linux && (amd64 || arm64)

package openssl

import (
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/cryptogauge/cryptogauge/internal/library/native/binding"
	"github.com/cryptogauge/cryptogauge/internal/library/native/call"
)

// parameters builds an array of OSSL_PARAM(3), whose elements are
//
//	const char *key; unsigned int data_type; void *data; size_t data_size; size_t return_size;
type parameters struct {
	*binding.Session
	array []byte
}

// Data types of openssl/core.h.
const (
	paramUnsigned = 2
	paramText     = 4
	paramBytes    = 5
)

func newParameters(s *binding.Session) *parameters { return &parameters{Session: s} }

func (p *parameters) add(key string, kind, size int, data []byte) *parameters {
	for _, word := range []uintptr{p.Text(key), uintptr(kind), p.Bytes(data), uintptr(size), 0} { // the kind and padding
		p.array = binary.NativeEndian.AppendUint64(p.array, uint64(word))
	}
	return p
}

func (p *parameters) text(key, value string) *parameters {
	return p.add(key, paramText, len(value), binding.CString(value))
}

func (p *parameters) bytes(key string, value []byte) *parameters {
	return p.add(key, paramBytes, len(value), value)
}

// number adds a number, in the machine's order of bytes.
func (p *parameters) number(key string, n *big.Int) *parameters {
	data := n.Bytes()
	slices.Reverse(data) // both platforms are little-endian
	return p.add(key, paramUnsigned, len(data), data)
}

// end closes the array and returns its address.
func (p *parameters) end() uintptr {
	const element = 40
	p.array = append(p.array, make([]byte, element)...)
	p.Keep(p.array)
	return call.Bytes(p.array)
}
