package gostd

import (
	"crypto/fips140"
	"os"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

// allowedHandshake says which handshakes a policy forbids. crypto/tls itself would
// leave out the groups, and the handshake would fail with an alert that says less.
func allowedHandshake(c result.Case) error {
	exchange, _, _ := strings.Cut(c.Mode, "+")
	switch {
	case fips140.Enforced() && exchange == "X25519":
		return provider.Unsupported("GODEBUG=fips140=only: X25519 is not an approved algorithm")
	case fips140.Enabled() && exchange == "X25519":
		return provider.Unsupported("GODEBUG=fips140=on: crypto/tls does not offer X25519 by itself")
	case exchange == "X25519MLKEM768" && setting("tlsmlkem") == "0":
		return provider.Unsupported("GODEBUG=tlsmlkem=0: key exchanges with ML-KEM are turned off")
	}
	return nil
}

// setting is the value of a GODEBUG setting; the last one counts.
func setting(name string) (value string) {
	for _, s := range strings.Split(os.Getenv("GODEBUG"), ",") {
		if v, ok := strings.CutPrefix(s, name+"="); ok {
			value = v
		}
	}
	return value
}

var handshakeConstantTime = result.ConstantTime{Value: "unknown", Basis: "a handshake is parsing and many primitives; those with secrets are constant-time by their authors' documentation"}
