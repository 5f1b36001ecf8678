//go:build linux && (amd64 || arm64)

package openssl

import (
	"github.com/cryptogauge/cryptogauge/result"
)

type cpu struct{}

func (l *Library) examine() cpu { return cpu{} }

// Implementation: OpenSSL tells which CPU features it has seen, not what it runs.
func (on) Implementation(result.Case) string { return "unknown" }

func (on) ConstantTime(result.Case) result.ConstantTime {
	return result.ConstantTime{Value: "unknown", Basis: "the kernel is chosen inside the library"}
}

func (on) Note(result.Case) string { return "" }
