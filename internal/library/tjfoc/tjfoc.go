// Package tjfoc measures github.com/tjfoc/gmsm twice over: its SM4 block cipher
// in the modes of crypto/cipher, with SM3 and SM2, and its own helpers, one call each.
package tjfoc

import (
	"crypto/fips140"

	"github.com/tjfoc/gmsm/sm3"
	"github.com/tjfoc/gmsm/sm4"

	"github.com/cryptogauge/cryptogauge/internal/algorithm"
	"github.com/cryptogauge/cryptogauge/internal/library/gobinding"
	"github.com/cryptogauge/cryptogauge/internal/library/service"
	"github.com/cryptogauge/cryptogauge/internal/library/tlcp"
	"github.com/cryptogauge/cryptogauge/internal/loop"
	"github.com/cryptogauge/cryptogauge/internal/parameter"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// Providers lists what the library offers: the block cipher, then the helpers.
func Providers(v provider.Vectors) []provider.Provider {
	library := gobinding.Go(subject.Tjfoc, "github.com/tjfoc/gmsm")
	helping := library
	helping.Implementation = "helpers"
	return []provider.Provider{
		gobinding.New(library, v, gobinding.SM3(sm3.New, generic), sm2Keys(), services(),
			gobinding.Texts(algorithm.SM4, gobinding.Approved, gobinding.NewBlock(sm4.NewCipher).Blocks()).
				By(gobinding.Always("generic tables"), sboxTable),
			blockCipher()),
		gobinding.New(helping, v, helpers()),
	}
}

var (
	generic   = gobinding.Always("generic") // there is one kernel, in Go, on every machine
	sboxTable = gobinding.Always(reason.Timing("no", "sbox-table-go"))
)

// services are those of net/http over connections that the library's gmtls secures.
func services() gobinding.Offer {
	allowed := func(c result.Case) error {
		switch {
		case fips140.Enforced():
			return provider.Unsupported("fips-sm2-sm4")
		case parameter.Connections.In(c.Parameters) == parameter.ResumedOnes:
			return provider.Unsupported("gmtls-resumes")
		}
		return nil
	}
	o := gobinding.Services(service.Maker{Library: subject.Tjfoc, Allowed: allowed, Secure: tlcp.Secure}, algorithm.ByTLCP)
	o.Kernel = gobinding.Always("gmtls")
	return o
}

// blockCipher has no streams; and of scenarios what garbage costs: what a mode gives away
// is asked of the libraries with modes of their own. The library's ECB pads and schedules
// the key in the call, so a loop over blocks stands for it.
func blockCipher() gobinding.Offer {
	const singles = "crypto/cipher's generic mode around the library's single blocks, " +
		"which one goroutine at a time may use"
	notes := gobinding.Notes{
		algorithm.OneBlock: "one goroutine at a time may use the library's cipher",
		algorithm.ECB:      "one call of the block cipher for each block",
		algorithm.CBC:      singles, algorithm.CFB: singles, algorithm.OFB: singles,
		algorithm.CTR: singles, algorithm.GCM: singles,
	}
	const tables = "generic tables"
	bc := loop.BlockCipher{New: sm4.NewCipher, Hash: sm3.New, MAC: algorithm.HMACSM3, Allowed: gobinding.Approved}
	o := gobinding.BlockCipher(bc, "sm4.NewCipher", notes, algorithm.SM4)
	o.Open = bc.Open
	o.OpenScenario = func(c result.Case, v provider.Vectors) (provider.Scenario, error) {
		if c == provider.Plain(c) {
			return nil, provider.Absent("not-offered", subject.Tjfoc, c.Operation)
		}
		return bc.OpenScenario(c, v)
	}
	return o.By(func(c result.Case) string {
		switch c.Mode {
		case algorithm.ECB:
			return tables + " block-loop"
		case algorithm.CBCHMACSM3:
			return tables + ", sm3 generic"
		}
		return tables
	}, sboxTable)
}
