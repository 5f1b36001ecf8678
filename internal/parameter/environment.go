package parameter

import (
	"math"
	"slices"
	"strings"
)

// Variables of the environment that change what libraries do. Those of a worker stand
// in its subject, separated by spaces; those of a whole run in its header.
const (
	GODEBUG          = "GODEBUG" // several settings, separated by commas; the last of a name counts
	GOMEMLIMIT       = "GOMEMLIMIT"
	DisableGFNI      = "DISABLE_GFNI" // gmsm's
	DisableSM4NI     = "DISABLE_SM4NI"
	DisableSM3NI     = "DISABLE_SM3NI"
	ForceSM4AESNI    = "FORCE_SM4BLOCK_AESNI"
	OpenSSLx86       = "OPENSSL_ia32cap" // OPENSSL_ia32cap(3); set and empty means something too
	OpenSSLARM       = "OPENSSL_armcap"
	OpenSSLConfig    = "OPENSSL_CONF"
	BotanClearCPUID  = "BOTAN_CLEAR_CPUID"
	DisableHWF       = "CRYPTOGAUGE_GCRYPT_DISABLE_HWF" // the worker's, for libgcrypt's GCRYCTL_DISABLE_HWF
	LibraryPreloaded = "LD_PRELOAD"
	LibraryPath      = "LD_LIBRARY_PATH"
)

var (
	GOGC       = Number[int]{name{"GOGC", " "}, 1, math.MaxInt32}
	GOMAXPROCS = Number[int]{name{"GOMAXPROCS", " "}, 1, math.MaxInt32}
)

// side is the side of a comparison on which a worker is, in the environment of its subjects. It is the
// laboratory's own: no worker is started with it or hears of it.
var side = name{"side", " "}

// Side is the side of a subject by its environment, "A" for the first; empty outside comparisons.
func Side(environment string) string {
	s, _ := side.value(environment)
	return s
}

// WithSide is an environment on a side.
func WithSide(environment, s string) string {
	if s == "" {
		return environment
	}
	return strings.TrimSpace(environment + " " + side.text + "=" + s)
}

// WithoutSide is what a worker of the environment is started with.
func WithoutSide(environment string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(environment), func(v string) bool { return side.Has(v) }), " ")
}

// UsualGOGC is Go's own (package runtime/debug, SetGCPercent).
const UsualGOGC = 100

// Variables lists what a run's header records and a baseline is compared by.
func Variables() []string {
	return []string{GODEBUG, GOGC.Name(), GOMEMLIMIT, GOMAXPROCS.Name(), DisableGFNI, DisableSM4NI, ForceSM4AESNI,
		OpenSSLx86, OpenSSLARM, OpenSSLConfig, BotanClearCPUID, DisableHWF, LibraryPreloaded, LibraryPath}
}

const (
	CustomRandom = "cryptocustomrand" // 1: crypto reads the stream that it is given
	NoMLKEM      = "tlsmlkem"         // 0: crypto/tls does not offer ML-KEM

	// WithoutAES is the environment in which crypto/aes and gmsm do not find the CPU's
	// AES instructions, on amd64 and arm64: both crypto/internal/fips140deps/cpu and
	// gmsm's internal/deps/cpu read it. Go's GCM then multiplies without carry-less
	// multiplication too, since one kernel does both.
	WithoutAES = GODEBUG + "=cpu.aes=off"
	// RepeatableDraws is the one in which the same seed draws the same RSA keys.
	RepeatableDraws = GODEBUG + "=" + CustomRandom + "=1"
)

// Setting is a setting in a value of GODEBUG, the last of its name; empty where it is
// not set.
func Setting(godebug, name string) (value string) {
	for s := range strings.SplitSeq(godebug, ",") {
		if v, ok := strings.CutPrefix(s, name+"="); ok {
			value = v
		}
	}
	return value
}
