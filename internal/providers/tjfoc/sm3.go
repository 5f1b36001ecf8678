package tjfoc

import (
	"crypto/hmac"

	"github.com/tjfoc/gmsm/sm3"

	"github.com/cryptogauge/cryptogauge/provider"
	"github.com/cryptogauge/cryptogauge/result"
)

func offersHash(c result.Case) error {
	operation := "hash"
	if c.Algorithm == "HMAC-SM3" {
		operation = "mac"
	}
	if c.Operation == operation && c.Mode == "" && c.Parameters == "" {
		return nil
	}
	return provider.Absent("of tjfoc's gmsm the operation of %s is %s, not %s", c.Algorithm, operation, c.Operation)
}

// openHash opens SM3 alone, or under the standard library's HMAC.
func openHash(c result.Case, v *provider.Vector) (provider.Operation, error) {
	if c.Algorithm == "HMAC-SM3" {
		return provider.NewHash(hmac.New(sm3.New, v.Key), v), nil
	}
	return provider.NewHash(sm3.New(), v), nil
}

var hashConstantTime = result.ConstantTime{Value: "yes", Basis: "SM3 is additions, rotations and logic, without tables or branches on its input"}

func hashNote(c result.Case) string {
	if c.Operation == "mac" {
		return "crypto/hmac around the library's SM3; the key is set before"
	}
	return ""
}

func isHash(c result.Case) bool { return c.Algorithm == "SM3" || c.Algorithm == "HMAC-SM3" }
