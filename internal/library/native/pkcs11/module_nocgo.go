//go:build linux && (amd64 || arm64) && !cgo

package pkcs11

import (
	"github.com/cryptogauge/cryptogauge/internal/library/native/object"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
)

// Open can't open a module: this program was built without a C compiler.
func Open(*object.Object, Access, provider.Vectors) (provider.Provider, error) {
	return nil, reason.New("pkcs11-no-cgo")
}
