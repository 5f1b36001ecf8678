package asking

import (
	"slices"
	_ "unsafe" // for linkname
)

// Of TLS 1.3 crypto/tls offers all three cipher suites, AES-128-GCM or ChaCha20-Poly1305 first, and a server takes
// its own first among them: Config.CipherSuites is of earlier versions, and AES-256-GCM is never chosen. A client
// that offers one alone leaves its server no choice. What a client offers stands in two variables, which crypto/tls
// keeps for programs that name them so (go.dev/issue/67401). Only this process has other lists: the server that is
// measured is as it always is.

//go:linkname defaultCipherSuitesTLS13 crypto/tls.defaultCipherSuitesTLS13
var defaultCipherSuitesTLS13 []uint16

//go:linkname defaultCipherSuitesTLS13NoAES crypto/tls.defaultCipherSuitesTLS13NoAES
var defaultCipherSuitesTLS13NoAES []uint16

// offered are the lists before they were changed.
var offered = [2][]uint16{slices.Clone(defaultCipherSuitesTLS13), slices.Clone(defaultCipherSuitesTLS13NoAES)}

// offer has connections that are made from now on offer one suite; 0: all.
func offer(suite uint16) {
	for i, list := range []*[]uint16{&defaultCipherSuitesTLS13, &defaultCipherSuitesTLS13NoAES} {
		want := offered[i]
		if suite != 0 {
			want = []uint16{suite}
		}
		if !slices.Equal(*list, want) {
			*list = want
		}
	}
}
