//go:build linux && (amd64 || arm64)

package openssl

import (
	"github.com/cryptogauge/cryptogauge/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

func (o on) openExchange(c result.Case, v *provider.Vector) (provider.Operation, error) {
	return nil, provider.Absent("not yet")
}
