//go:build linux && (amd64 || arm64)

package openssl

import (
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
	array []uint64 // five words an element
}

// Data types of openssl/core.h.
const (
	paramUnsigned = 2
	paramText     = 4
	paramBytes    = 5
)

func newParameters(s *binding.Session) *parameters { return &parameters{Session: s} }

func (p *parameters) add(key string, kind uint64, size int, data []byte) *parameters {
	p.array = append(p.array, uint64(p.Text(key)), kind, uint64(p.Bytes(data)), uint64(size), 0)
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
	p.array = append(p.array, make([]uint64, 5)...)
	p.Keep(p.array)
	return call.Word(&p.array[0])
}
