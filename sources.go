// Package cryptogauge holds the sources that a worker of Go libraries is built of, so that a
// copied program builds one with another version of a library, wherever Go is installed.
// Package internal/build extracts them, and nothing else imports this.
package cryptogauge

import "embed"

// Sources are the module's files by their path: go.mod, go.sum, and the packages that the
// bindings of Go libraries and a worker import. A test holds the list to what they import. Of
// internal/library all is there, so that a new binding needs no line.
//
//go:embed go.mod go.sum aes/*.*
//go:embed internal/abnormal/*.* internal/algorithm/*.* internal/arrival/*.* internal/clock/*.* internal/judge/*.*
//go:embed internal/kernel/aes/*.* internal/kernel/buffers/*.* internal/kernel/ccm/*.* internal/kernel/chain/*.* internal/kernel/cpuid/*.* internal/kernel/multibuffer/*.* internal/kernel/sm4/*.*
//go:embed internal/language/*.* internal/loop/*.* internal/machine/*.* internal/parameter/*.*
//go:embed internal/library/*/*.*
//go:embed internal/provider/*.* internal/reason/*.* internal/reference/*.* internal/seeded/*.*
//go:embed internal/subject/*.* internal/version/*.* internal/worker/*.* multibuffer/*.* result/*.* sm4/*.*
var Sources embed.FS
