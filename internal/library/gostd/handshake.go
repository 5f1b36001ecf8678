package gostd

import (
	"crypto/fips140"
	"os"
	"strings"

	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/result"
)

// allowedHandshake says which handshakes a policy forbids. crypto/tls itself would
// leave out the groups, and the handshake would fail with an alert that says less.
func allowedHandshake(c result.Case) error {
	exchange, _, _ := strings.Cut(c.Mode, "+")
	switch {
	case fips140.Enforced() && exchange == "X25519":
		return provider.Unsupported("fips-algorithm", "X25519")
	case fips140.Enabled() && exchange == "X25519":
		return provider.Unsupported("fips-tls")
	case exchange == "X25519MLKEM768" && setting("tlsmlkem") == "0":
		return provider.Unsupported("tlsmlkem")
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

func handshakeConstantTime() result.ConstantTime { return reason.Timing("unknown", "handshake-parts") }
