// Package internal_test holds the import graph of the module as a test.
package internal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cryptogauge/cryptogauge/internal/subject"
)

const module = "github.com/cryptogauge/cryptogauge"

// lattice is the policy: what each package may import, besides the standard
// library, and what its tests may import on top of that and of the package
// itself. Paths are relative to the module; other modules are named as such and
// stand for all of their packages. A package that has no row fails the test, and
// so does a row without a package.
//
// DO NOT ADD AN EDGE TO FIX A BUILD. An edge is a decision about the architecture
// (CONTRIBUTING.md): say there why the room needs the other.
var lattice = []struct{ pkg, imports, tests string }{
	// The wall, and the numbers.
	{"result", "", ""},
	{"stat", "", ""},
	{"internal/reason", "result internal/language", ""}, // why a row lacks or suffers something; written left of the wall, read right of it
	{"internal/language", "", ""},                       // a sentence in English and Chinese, for what stands on either side

	// The vocabulary of both sides: what algorithms are, how the parameters of a case
	// are written and read, and what libraries are called.
	{"internal/algorithm", "", ""},
	{"internal/parameter", "", "result"}, // result: whose canonical strings it writes
	{"internal/subject", "", ""},

	{"internal/abnormal", "result internal/algorithm internal/subject", "internal/parameter"}, // inputs that a judge gives, a worker tries and check counts

	// Left of the wall: cryptography runs, time is taken.
	// arrival: requests at a constant rate are generated where they are served, and
	// the histograms that many goroutines record into must cost them nothing.
	{"internal/provider", "result internal/seeded internal/reason", ""},
	{"internal/loop", "result internal/provider internal/arrival internal/seeded internal/reason", "internal/provider/providertest"}, // providertest: the sizes at which kernels change
	{"internal/provider/providertest", "internal/provider result internal/reason", "internal/loop"},
	{"internal/kernel/chain", "golang.org/x/sys", ""},
	{"internal/kernel/yardstick", "", ""},
	{"internal/clock", "internal/kernel/chain golang.org/x/sys", ""},
	{"internal/machine", "result golang.org/x/sys", ""},
	{"internal/worker", "result internal/provider internal/clock internal/machine golang.org/x/sys internal/reason internal/abnormal", "internal/loop"},
	{"internal/measure", "result stat internal/worker internal/plan internal/reason", "internal/provider"},
	{"internal/reference", "", "github.com/emmansun/gmsm golang.org/x/crypto"},

	// The engine, importable by anyone.
	{"internal/kernel/mutants", "", ""}, // plants bugs and runs the tests
	{"internal/kernel/buffers", "", ""}, // what the ciphers demand of a caller's buffers
	{"internal/kernel/ccm", "", ""},     // CCM without its block cipher
	{"internal/kernel/cpuid", "", ""},   // features of a processor that x/sys doesn't report
	{"internal/kernel/sm4", "internal/kernel/cpuid golang.org/x/sys", ""},
	{"internal/kernel/sm4/gen", "", ""},                                          // writes the assembly
	{"internal/kernel/bound", "internal/kernel/chain internal/kernel/turns", ""}, // what the kernels could be if they didn't wait
	{"internal/kernel/bound/uncouple", "", ""},
	{"internal/kernel/sm4/floor", "internal/kernel/sm4 internal/kernel/bound", ""}, // the kernels with nothing to wait for
	{"internal/kernel/sm4/floor/gen", "internal/kernel/bound/uncouple", ""},        // writes them
	{"internal/kernel/aes/floor", "internal/kernel/aes internal/kernel/bound", ""},
	{"internal/kernel/aes/floor/gen", "internal/kernel/bound/uncouple", ""},
	{"internal/kernel/sm4/taint", "internal/kernel/sm4/taint/leaks", ""}, // runs the engine's Go code under valgrind
	{"internal/kernel/sm4/taint/leaks", "", ""},
	{"internal/kernel/sm4/taint/memcheck", "", ""},
	{"internal/kernel/sm4/taint/subject", "internal/kernel/sm4/taint/leaks internal/kernel/sm4/taint/memcheck sm4", ""},
	{"internal/kernel/sm4/ctlint/leaks", "", ""}, // leaks that the lint must find
	{"internal/kernel/sm4/ctlint", "", "internal/kernel/sm4 internal/kernel/sm4/ctlint/leaks"},
	{"internal/kernel/emit", "", ""},                                                                                            // assembly as text, for generators
	{"internal/kernel/aes", "internal/kernel/buffers golang.org/x/sys", "internal/kernel/aes/leaks internal/kernel/sm4/ctlint"}, // ctlint: the lint is one for all kernels
	{"internal/kernel/aes/gen", "internal/kernel/emit", ""},                                                                     // writes the assembly
	{"internal/kernel/aes/leaks", "", ""},                                                                                       // leaks that the lint must find
	{"aes", "internal/kernel/aes internal/kernel/buffers internal/kernel/ccm", "golang.org/x/sys golang.org/x/crypto github.com/emmansun/gmsm"}, // x/crypto: its XTS judges ours; gmsm: its CCM
	{"aes/aesbench", "aes internal/kernel/chain internal/kernel/turns internal/kernel/bound internal/kernel/aes/floor " +
		"internal/kernel/stopping golang.org/x/crypto", ""}, // x/crypto: the XTS that ours is set beside
	{"sm4", "internal/kernel/sm4 internal/kernel/buffers internal/kernel/ccm github.com/emmansun/gmsm", "golang.org/x/sys"},
	{"internal/kernel/multibuffer", "internal/kernel/cpuid golang.org/x/sys", ""},
	{"internal/kernel/multibuffer/gen", "", ""}, // writes the assembly
	{"multibuffer", "internal/kernel/multibuffer github.com/emmansun/gmsm", "golang.org/x/sys"},
	{"multibuffer/mbbench", "multibuffer internal/kernel/turns internal/kernel/stopping github.com/emmansun/gmsm", ""},
	{"sm4/sm4bench", "sm4 internal/kernel/turns internal/kernel/stopping internal/kernel/bound internal/kernel/sm4/floor github.com/emmansun/gmsm github.com/tjfoc/gmsm " +
		"internal/algorithm internal/library/catalog internal/library/native internal/provider result", ""}, // libraries in C stand in its table, as the laboratory calls them
	{"internal/kernel/turns", "golang.org/x/sys", ""}, // times what the two above set side by side
	{"internal/kernel/stopping", "", ""},              // how long their calls delay the collector

	// One package a library. harness plants what the self-test must find, on top
	// of Go's own; providers lists them all, and gives a worker its bench.
	{"internal/library/isa", "golang.org/x/sys", ""},
	{"internal/library/scratch", "golang.org/x/sys internal/reason", ""},
	{"internal/library/peak", "", ""},
	{"internal/library/password", "result internal/provider internal/library/peak internal/reason", ""},
	{"internal/library/streaming", "result internal/provider internal/clock internal/library/scratch internal/library/peak internal/arrival github.com/klauspost/compress internal/reason", ""},
	// bulkhash needs the clock to see when goroutines began.
	{"internal/library/bulkhash", "result internal/provider internal/loop internal/clock internal/library/scratch internal/library/peak golang.org/x/sys internal/arrival internal/reason", ""},
	// handshake tells the two sides apart by the thread's clock, and reads the wire by cryptobyte of x/crypto.
	{"internal/library/handshake", "result internal/provider internal/loop internal/arrival internal/clock internal/reference internal/reason golang.org/x/crypto", ""},
	{"internal/library/startup", "result internal/provider internal/library/batch internal/reason", ""},
	// service: an HTTP service; its client is a process of its own, which asking is. x/sys: threads are kept to a CPU.
	{"internal/library/service", "result internal/provider internal/loop internal/arrival internal/clock internal/library/handshake internal/reason golang.org/x/sys", "internal/asking internal/judge"},
	// opening: what the client of a service opens and verifies bodies with, each by another library than made it;
	// handshake: which proves signatures of servers, too
	{"internal/library/opening", "internal/library/handshake internal/library/service internal/reference internal/reason aes sm4 github.com/emmansun/gmsm", ""},
	// tlcp: both sides of TLCP by tjfoc's gmtls, which has the certificates of the standard, too
	{"internal/library/tlcp", "internal/provider internal/library/service internal/reason github.com/tjfoc/gmsm", "internal/judge result"},
	{"internal/asking", "internal/library/service internal/library/opening internal/library/tlcp internal/clock internal/traffic", ""},
	{"internal/library/batch", "result internal/provider internal/loop internal/library/bulkhash internal/reason", ""}, // bulkhash: how digests are judged
	// gobinding: what bindings do alike, of tables of what a library offers
	{"internal/library/gobinding", "internal/version result internal/provider internal/loop internal/library/service internal/reason internal/library/password internal/library/startup internal/library/streaming internal/library/batch internal/library/bulkhash", ""},
	{"internal/library/gostd", "result internal/provider internal/loop internal/library/gobinding internal/library/isa internal/library/bulkhash internal/library/handshake internal/library/service internal/seeded internal/reason", ""},
	{"internal/library/xcrypto", "result internal/provider internal/loop internal/library/gobinding internal/library/isa internal/library/streaming golang.org/x/crypto internal/seeded internal/reason internal/library/password", ""},
	{"internal/library/gmsm", "result internal/provider internal/loop internal/library/service internal/library/gobinding internal/library/isa internal/library/batch internal/library/bulkhash github.com/emmansun/gmsm internal/seeded internal/reason", ""},
	{"internal/library/tjfoc", "result internal/provider internal/loop internal/library/service internal/library/tlcp internal/library/gobinding internal/library/isa github.com/tjfoc/gmsm internal/reason", ""},
	{"internal/library/engine", "result internal/provider internal/loop internal/library/service internal/library/gobinding internal/library/batch internal/library/bulkhash sm4 aes multibuffer github.com/emmansun/gmsm internal/reason", ""}, // gmsm: its SM3, for the composite
	{"internal/library/harness", "result internal/provider internal/loop internal/kernel/chain internal/kernel/yardstick internal/library/gobinding internal/library/gostd internal/library/handshake internal/reason", ""},
	// The judge draws what every library is given and holds against the reference what comes out. streaming,
	// bulkhash, handshake: what their cases are of. The modules give quickly what the reference has given once.
	{"internal/judge", "result internal/provider internal/loop internal/reference internal/library/streaming internal/library/batch internal/library/bulkhash internal/library/handshake internal/library/password internal/library/startup internal/library/service internal/seeded internal/reason internal/abnormal " +
		"multibuffer github.com/emmansun/gmsm github.com/zeebo/blake3 golang.org/x/crypto", "internal/provider/providertest"},
	// bench: what a worker offers, of whichever libraries: those of package library, one version of one, or none of Go's
	{"internal/library/bench", "result internal/provider internal/loop internal/worker internal/judge", ""},
	{"internal/library", "result internal/provider internal/loop internal/worker internal/judge internal/library/bench " +
		"internal/library/streaming internal/library/service internal/library/batch internal/library/bulkhash internal/library/handshake internal/library/gostd internal/library/xcrypto internal/library/gmsm internal/library/tjfoc " +
		"internal/library/engine internal/library/harness",
		"internal/abnormal internal/asking internal/reference internal/question internal/reason internal/provider/providertest internal/library/isa internal/clock stat aes sm4 multibuffer github.com/emmansun/gmsm golang.org/x/crypto internal/seeded"}, // question: every case that is planned; clock, stat: the benchmarks that experiment primitives must agree with

	// Libraries in shared objects. The catalog names them and what to install, for the
	// main binary too; everything below native is in the native worker alone.
	{"internal/library/catalog", "internal/reason", ""},
	{"internal/library/native/planted", "internal/library/catalog", ""}, // libraries with faults, for tests
	{"internal/library/native/fence", "internal/provider internal/reason", ""},
	// cbinding: what the three bindings do alike, streams among it
	{"internal/library/native/cbinding", "result internal/provider internal/loop internal/reason internal/seeded internal/library/streaming internal/library/native/call internal/library/native/fence internal/library/native/object", ""},
	{"internal/library/native/object", "github.com/ebitengine/purego internal/reason", ""},
	{"internal/library/native/call", "github.com/ebitengine/purego internal/reason", ""},
	{"internal/library/native/openssl", "result internal/provider internal/loop internal/library/streaming internal/library/native/cbinding internal/library/native/call internal/library/native/fence internal/library/native/object internal/seeded internal/reason", "internal/judge internal/library/catalog internal/library/bench internal/provider/providertest internal/clock internal/library/native/planted"}, // clock: the comparison with openssl speed
	{"internal/library/native/botan", "result internal/provider internal/loop internal/library/streaming internal/library/native/cbinding internal/library/native/call internal/library/native/fence internal/library/native/object internal/seeded internal/reason", "internal/judge internal/library/catalog internal/library/bench internal/provider/providertest internal/library/native/planted"},
	{"internal/library/native/libgcrypt", "result internal/provider internal/loop internal/library/native/cbinding internal/library/native/call internal/library/native/fence internal/library/native/object internal/library/streaming internal/seeded internal/reason", "internal/judge internal/library/catalog internal/provider/providertest internal/library/native/planted"},
	{"internal/library/native/pkcs11", "result internal/provider internal/loop internal/library/native/object internal/reason github.com/miekg/pkcs11", "internal/judge internal/library/catalog"},
	{"internal/library/native", "internal/library/native/pkcs11 result internal/provider internal/loop internal/worker internal/judge internal/library/bench internal/library/native/cbinding internal/library/native/call internal/library/native/object internal/library/native/botan internal/library/native/libgcrypt internal/library/native/openssl internal/reason",
		"internal/measure internal/question internal/suite internal/library internal/library/catalog internal/library/native/planted internal/plan"}, // whole runs over planted libraries
	{"cmd/cryptogauge-native", "internal/worker internal/library/native internal/library/native/pkcs11 golang.org/x/sys", ""},

	// Questions, and what runs them.
	{"internal/arrival", "github.com/HdrHistogram/hdrhistogram-go", ""},
	// traffic: what it measures it says at once, from no run file: a server of the user's is no case. x/sys: a sleep that ends in time.
	{"internal/traffic", "stat internal/arrival internal/clock internal/language internal/layout internal/userfile golang.org/x/sys", ""},
	{"internal/userfile", "internal/language golang.org/x/sys", ""}, // files that a user names, opened without waiting for ever; x/sys: pipes
	{"internal/switches", "", ""},                                     // how CPU features are turned off: what plans ask for, and what reports read an environment as
	{"internal/plan", "result internal/language internal/reason", ""}, // reason: what a plan leaves out is said in a report
	{"internal/plan/plantest", "result internal/plan", ""},
	{"internal/seeded", "result", ""}, // what plans and workers draw alike
	{"internal/suite", "result stat internal/provider internal/measure internal/worker internal/clock internal/machine internal/plan internal/reason internal/language internal/abnormal",
		"internal/library internal/loop internal/question github.com/emmansun/gmsm"}, // whole runs, with real libraries and broken ones
	// selftest reads its samples as reports do, else it would prove something else.
	{"internal/selftest", "result stat internal/measure internal/arrival internal/document internal/plan internal/language internal/reason", "internal/worker"},
	// conformance speaks to a worker as a run does, and asks the laboratory's own for the right outputs.
	{"internal/conformance", "result internal/provider internal/worker internal/language", "internal/clock"},
	// check measures, reads its runs back and words what they say: both sides of the wall.
	{"internal/check", "result stat internal/measure internal/worker internal/machine internal/suite internal/store internal/layout internal/document internal/render internal/plan internal/language internal/abnormal",
		"internal/provider internal/library internal/archive internal/archive/archivetest internal/archive/history internal/document/documenttest internal/web/metrics"}, // archive and below: what becomes of a month of checks
	// doctor judges the machine as a report would, and words shares as reports do.
	{"internal/doctor", "result internal/measure internal/clock internal/machine internal/question internal/suite internal/layout internal/document internal/plan internal/reason internal/language", "stat"},

	// Right of the wall: files are read.
	{"internal/store", "result internal/language", ""},
	// archive: the rows that it files are those of a run's document; a machine's key is that of baselines; a subject of the
	// laboratory, and the side of a comparison, are told by their names. Only cryptogauge-store links it.
	{"internal/archive", "result internal/document internal/language internal/machine internal/parameter internal/store internal/subject internal/userfile github.com/HdrHistogram/hdrhistogram-go github.com/jackc/pgx/v5 github.com/klauspost/compress github.com/pressly/goose/v3 modernc.org/sqlite",
		"internal/archive/archivetest internal/check internal/document/documenttest"}, // check: whose reports are filed
	{"internal/archive/archivetest", "github.com/jackc/pgx/v5", ""}, // a PostgreSQL server for tests
	// filing: speaks to cryptogauge-store, which files what the main binary measures, and links nothing of stores itself.
	{"internal/filing", "internal/language", ""},
	// history: levels are told apart as in a run, by ranks and exact intervals; confidence is a document's.
	{"internal/archive/history", "result stat internal/answer internal/archive internal/document internal/language internal/layout internal/render", ""},
	// metrics: /metrics of serve. What became slower is what history finds.
	{"internal/web/metrics", "internal/archive internal/archive/history github.com/prometheus/client_golang", "result internal/document internal/document/documenttest internal/store"},
	// live: what measures writes it, and what serves pages reads it; neither knows of the other.
	{"internal/live", "internal/language internal/store", ""},
	// web: pages of the store; a report is made of a run file as the verb does, and a plan is decided again. access: who may
	// read them, and what is listened on. In its tests a browser looks at the pages.
	{"internal/web/access", "internal/language internal/userfile", ""},
	{"internal/web", "result internal/archive internal/archive/history internal/decide internal/document internal/language internal/layout internal/live internal/question internal/question/compare internal/render internal/version internal/web/access internal/web/metrics",
		"internal/archive/archivetest internal/document/documenttest github.com/chromedp/chromedp github.com/chromedp/cdproto"},
	{"internal/layout", "internal/language", ""},
	{"internal/document", "result stat internal/layout internal/reason", "internal/document/documenttest"},
	{"internal/document/documenttest", "result", ""}, // runs from planted times, for the tests of all readers
	// result, stat: CSV and the benchmark format print raw samples, the HTML report the machine.
	{"internal/render", "result stat internal/language internal/layout internal/document golang.org/x/text internal/reason", "internal/document/documenttest internal/render/rendertest"},
	{"internal/render/rendertest", "", ""}, // what pages fold away, for the tests of all that draw them
	{"internal/workarounds", "", ""},       // lines of code as text
	{"internal/answer", "result stat internal/layout internal/document internal/reason", ""},
	// render: whether a table fits a terminal is seen when it is drawn.
	{"internal/answer/answertest", "result internal/layout internal/document internal/document/documenttest internal/answer internal/render", ""},

	// The questions: what each measures, and what the reports say of it. A plan is data
	// and imports nothing that measures, so that both may stand in one room.
	// seeded: a plan draws a mix of sizes as the workers do, and states its bytes.
	// switches: an environment that turns CPU features off is planned, and read again.
	{"internal/question/modes", "result internal/plan internal/answer internal/document internal/layout", "internal/answer/answertest internal/plan/plantest"},
	{"internal/question/primitives", "result internal/plan internal/answer internal/document internal/layout internal/algorithm", "internal/answer/answertest internal/plan/plantest"},
	{"internal/question/messages", "result internal/plan internal/answer internal/document internal/layout internal/algorithm internal/parameter internal/seeded", "internal/answer/answertest internal/plan/plantest"},
	{"internal/question/streaming", "result internal/plan internal/answer internal/document internal/layout", "internal/answer/answertest internal/plan/plantest"},
	{"internal/question/concurrency", "result internal/plan internal/answer internal/document internal/layout internal/seeded stat internal/reason internal/language", "internal/answer/answertest internal/plan/plantest"},
	{"internal/question/gc", "result internal/plan internal/answer internal/document internal/layout", "internal/answer/answertest internal/plan/plantest"},
	{"internal/question/rsa", "result internal/plan internal/answer internal/document internal/layout internal/reason", "internal/answer/answertest internal/plan/plantest"},
	{"internal/question/signatures", "result internal/plan internal/answer internal/document internal/layout", "internal/answer/answertest internal/plan/plantest internal/algorithm"},
	{"internal/question/exchange", "result internal/plan internal/answer internal/document internal/layout", "internal/answer/answertest internal/plan/plantest"},
	{"internal/question/envelope", "result internal/plan internal/answer internal/document internal/layout internal/algorithm internal/parameter", "internal/answer/answertest internal/plan/plantest"},
	{"internal/question/handshake", "result internal/plan internal/answer internal/document internal/layout", "internal/answer/answertest internal/plan/plantest"},
	{"internal/question/service", "result internal/plan internal/language internal/answer internal/document internal/layout", "internal/answer/answertest internal/plan/plantest"},
	{"internal/question/boundary", "result internal/plan internal/answer internal/document internal/layout internal/reason", "internal/answer/answertest internal/plan/plantest"},
	{"internal/question/chunking", "result stat internal/plan internal/answer internal/document internal/layout internal/workarounds internal/reason", "internal/answer/answertest internal/plan/plantest internal/document/documenttest"},
	{"internal/question/startup", "result internal/plan internal/answer internal/document internal/layout", "internal/answer/answertest internal/plan/plantest internal/document/documenttest"},
	{"internal/question/password", "result internal/plan internal/language internal/answer internal/document internal/layout", "internal/answer/answertest internal/plan/plantest internal/document/documenttest"},
	{"internal/question/acceleration", "result internal/plan internal/answer internal/document internal/layout internal/switches", "internal/answer/answertest internal/plan/plantest"},
	{"internal/question/offload", "result internal/plan internal/answer internal/document internal/layout internal/reason", "internal/answer/answertest internal/plan/plantest"},
	{"internal/question/batches", "result internal/plan internal/answer internal/document internal/layout", "internal/answer/answertest internal/plan/plantest"},
	{"internal/question/bulkhash", "result internal/plan internal/answer internal/document internal/layout internal/language", "internal/answer/answertest internal/plan/plantest stat"},
	{"internal/question/compare", "result stat internal/plan internal/answer internal/document internal/layout internal/reason", "internal/document/documenttest internal/answer/answertest internal/plan/plantest internal/render"},
	{"internal/question", "internal/plan internal/answer internal/document internal/language", // and those above
		"result stat internal/algorithm internal/layout internal/render internal/reason internal/document/documenttest internal/answer/answertest internal/plan/plantest internal/render/rendertest"}, // reason, documenttest: a run in which everything is wrong

	// side reads what the verb compare takes; who builds it stands elsewhere.
	{"internal/side", "internal/language", ""},

	// decide plans what it needs measured and reads the rows back, as a question does.
	{"internal/decide", "result stat internal/plan internal/answer internal/document internal/layout internal/language github.com/goccy/go-yaml",
		"internal/document/documenttest internal/render"},

	// fleet reads the store of runs, and decides on each machine as the verb plan does on one. request is what the
	// main binary knows of it, which links no store.
	{"internal/fleet/request", "internal/language internal/plan github.com/spf13/cobra", ""},
	{"internal/fleet/price", "internal/language", ""},
	{"internal/fleet", "internal/fleet/price result internal/archive internal/decide internal/plan internal/answer internal/document internal/layout internal/language internal/render",
		"internal/document/documenttest internal/archive/archivetest"},

	// Manifests of files. They measure nothing, and are used as by anybody else what is measured elsewhere.
	{"internal/treesum/manifest", "", ""},
	{"internal/treesum/digest", "internal/language multibuffer github.com/emmansun/gmsm golang.org/x/crypto", ""},
	{"internal/treesum/iouring", "golang.org/x/sys", ""},
	{"internal/treesum/treehash", "internal/language internal/treesum/digest internal/treesum/iouring golang.org/x/sys", "internal/treesum/manifest"}, // x/sys: descriptors of a thread's own, and folders read as they are
	{"internal/treesum/shard", "internal/language", ""},                                                                                               // which names are a run's, and what a part of a manifest is of; whoever makes parts needs it
	{"internal/treesum/sums", "internal/language internal/treesum/digest internal/treesum/manifest internal/treesum/shard internal/treesum/treehash", ""},
	{"internal/treesum/hashing", "internal/command internal/language internal/layout internal/treesum/digest internal/treesum/manifest internal/treesum/shard internal/treesum/sums internal/treesum/treehash github.com/spf13/cobra github.com/spf13/pflag", ""}, // the verb
	// objects: what goes wrong on the way to a store; s3: its interface; s3test: a store in the tests' process
	{"internal/treesum/objects", "internal/language internal/treesum/treehash", "internal/treesum/digest"},
	{"internal/treesum/s3", "internal/language internal/treesum/objects internal/treesum/treehash github.com/minio/minio-go/v7", "internal/treesum/digest internal/treesum/manifest internal/treesum/s3/s3test internal/treesum/sums"},
	{"internal/treesum/s3/s3test", "github.com/johannesboyne/gofakes3", ""},

	// Statements: their language, and what becomes of them. Both name rows as plans do; verify also
	// plans which are measured, as questions do, and reads the run like any report. clock, in its tests
	// alone: the length of the loop that runs around samples, by which it knows a clock. decide: what is
	// stated of a plan is what plan decides.
	{"internal/statement", "result internal/plan internal/language github.com/goccy/go-yaml", ""},
	{"internal/verify", "result stat internal/statement internal/decide internal/plan internal/answer internal/document internal/layout internal/language internal/reason internal/render",
		"internal/question internal/clock internal/document/documenttest internal/plan/plantest"},

	// build makes sides of comparisons by the go command. Of the module's root, which embeds what a
	// worker is built of, it has the sources as text: it imports nothing of them.
	{".", "", ""},
	{"internal/build", ". internal/language", "internal/worker internal/provider result"},

	// gobench serves the benchmarks of a test binary as a worker does its operations: left of the wall.
	{"internal/gobench", "result internal/provider internal/worker internal/clock internal/reason internal/language", ""},

	// gauge makes a user's program a worker. It is for anyone to import, and shows nothing of what it is made of.
	{"gauge", "result internal/algorithm internal/judge internal/language internal/loop internal/parameter internal/provider internal/reason internal/seeded internal/worker", ""},
	{"gauge/examples/agree", "gauge", ""},
	{"gauge/examples/slowwrapper", "gauge", ""},
	{"gauge/examples/stream", "gauge", ""},

	// The programs. command is what they share; version, of this program and of the modules in it, stands on
	// either side of the wall.
	{"internal/version", "", ""},
	{"internal/command", "internal/language github.com/spf13/cobra github.com/spf13/pflag golang.org/x/sys", ""},
	{"internal/command/scripts", "internal/command github.com/rogpeppe/go-internal", ""}, // for the scripts of both
	{"cmd/cryptogauge-store", "internal/archive internal/archive/history internal/command internal/decide internal/document internal/filing internal/fleet internal/fleet/price internal/fleet/request internal/language internal/layout internal/live internal/plan internal/render internal/store internal/treesum/digest internal/treesum/hashing internal/treesum/objects internal/treesum/s3 internal/treesum/treehash internal/userfile internal/version internal/web internal/web/access github.com/spf13/cobra", "result internal/archive/archivetest internal/command/scripts internal/document/documenttest internal/treesum/s3/s3test github.com/rogpeppe/go-internal"},
	// machine: a test says what else the machine does, and main leaves it to be read.
	{"cmd/cryptogauge", "internal/live internal/fleet/request internal/command internal/filing internal/version internal/treesum/hashing internal/asking internal/traffic internal/userfile result internal/provider internal/measure internal/worker internal/machine internal/statement internal/verify internal/library internal/library/catalog internal/library/scratch internal/library/streaming internal/library/bulkhash internal/question internal/question/bulkhash internal/question/compare internal/question/concurrency internal/question/password internal/side internal/build internal/gobench internal/suite internal/check internal/decide internal/selftest internal/conformance internal/doctor internal/plan internal/language internal/reason " +
		"internal/language internal/store internal/layout internal/document internal/render internal/treesum/digest internal/treesum/manifest internal/treesum/treehash internal/treesum/sums github.com/spf13/cobra github.com/spf13/pflag golang.org/x/sys", "internal/loop internal/library/service internal/command/scripts github.com/rogpeppe/go-internal internal/library/native/planted internal/render/rendertest"},
}

// ofLibrary is what a package of a library under test may import that has no row of its
// own; besides, one module, which is the library. Package library lists them all.
const ofLibrary = "result internal/provider internal/loop internal/reason internal/library/isa internal/library/gobinding " +
	"internal/library/streaming internal/library/bulkhash internal/library/handshake"

// isLibrary says whether a package without a row is one of a library under test.
// measured are the modules of the Go libraries under test.
func measured() (modules []string) {
	for _, l := range subject.Bound() {
		if l.Module != "" {
			modules = append(modules, l.Module)
		}
	}
	return modules
}

func isLibrary(pkg string) bool { return path.Dir(pkg) == "internal/library" }

// vocabulary is for either side of the wall, and in no row of its own: whoever says
// SM4 or reads chunk=65536 needs it. Who must not has a rule.
var vocabulary = []string{"internal/algorithm", "internal/parameter", "internal/subject"}

// rules are the edges that must never be, whatever the lattice says. Rules look
// at files that are built into programs, not at tests.
var rules = []rule{
	{
		from:  []string{"internal/layout", "internal/document", "internal/render", "internal/answer", "internal/question", "internal/store", "internal/archive", "internal/web", "internal/statement", "internal/verify"},
		never: []string{"internal/provider", "internal/loop", "internal/worker", "internal/measure", "internal/library", "internal/judge", "internal/clock", "internal/suite", "github.com/emmansun/gmsm", "github.com/tjfoc/gmsm", "github.com/minio/md5-simd", "github.com/zeebo/blake3", "golang.org/x/crypto"},
		why:   "readers need no library under test and no timing: a report is made anywhere, from the run file alone",
	},
	{
		from:  []string{"internal/provider", "internal/loop", "internal/worker", "internal/measure", "internal/library", "internal/judge", "internal/plan", "internal/suite", "internal/machine"},
		never: []string{"internal/layout", "internal/document", "internal/render", "internal/answer", "internal/question", "internal/store", "internal/archive", "internal/web"},
		why:   "what is measured must not depend on how it is shown: the halves meet only in package result",
	},
	{
		from:  []string{"result", "internal/provider", "internal/loop"},
		never: []string{"sm4", "aes", "multibuffer", "seal", "internal/kernel"},
		why:   "the engine does not know it is measured, nor does the measuring know it from other libraries",
	},
	{
		// sm4bench: a program, which stands the engine beside libraries in C by the laboratory's bindings, and would stay here.
		from: []string{"sm4", "aes", "multibuffer", "seal", "internal/kernel"}, except: []string{"sm4/sm4bench"},
		never: []string{"result", "stat", "internal/provider", "internal/loop", "internal/worker", "internal/measure", "internal/library", "internal/judge"},
		why:   "the engine does not know it is measured, and is light enough to become a module of its own",
	},
	{
		from:   []string{"result", "stat", "sm4", "aes", "multibuffer", "seal", "internal/kernel", "internal/reference", "internal/treesum", "internal/machine", "internal/clock"},
		except: []string{"sm4/sm4bench"}, // what libraries in C are asked for are cases
		never:  vocabulary,
		why:    "cases are the laboratory's: the engine, the judge's reference and manifests have words of their own",
	},
	{
		// digest: files are hashed by what multibuffer leaves to gmsm, and by BLAKE2b, which std lacks.
		// judge: what a library gives counts only where its digest is the reference's.
		except: []string{"internal/library", "internal/judge", "sm4", "aes", "multibuffer", "seal", "internal/treesum/digest"}, direct: true,
		never: measured(),
		why:   "a library under test is a provider's business, else it is measured and relied on at once",
	},
	{
		except: []string{"internal/library/native"},
		never:  []string{"C", "github.com/ebitengine/purego", "plugin"}, direct: true,
		why: "C and shared objects stay behind the native worker: the main binary is static",
	},
	{
		from:  []string{"cmd/cryptogauge", "internal/worker", "internal/library", "gauge"},
		never: []string{"internal/archive", "internal/web", "internal/objects", "modernc.org/sqlite", "github.com/jackc/pgx", "github.com/pressly/goose", "github.com/prometheus/client_golang", "github.com/minio/minio-go"},
		why:   "the main binary is every worker, too, and starts in less than these take to initialise: they are cryptogauge-store's",
	},
	{
		from: []string{"cmd/cryptogauge"}, never: []string{"internal/library/native"},
		why: "the main binary is static, and native libraries have a worker of their own",
	},
	{
		from: []string{"internal/reference"}, never: []string{"crypto", "hash"}, direct: true,
		why: "the judge is independent of what it judges",
	},
	{
		// handshake: crypto/tls speaks over a net.Conn, and what TCP adds is measured over
		// 127.0.0.1; it listens nowhere else, and no longer than it measures. loop: so does the
		// service whose handlers do the steps of a plan. traffic: it sends to the URL that the user gives,
		// and asking to the service that is measured. s3test: a store for tests, on 127.0.0.1. archive: the
		// database that the user names by a URL.
		except: []string{"internal/web", "internal/library/handshake", "internal/library/service", "internal/library/tlcp", "internal/loop", "internal/traffic", "internal/asking", "internal/treesum/s3/s3test", "internal/archive"}, never: []string{"net", "net/http"}, direct: true,
		why: "nothing here needs a network; reports work offline",
	},
	{
		// planted: it starts the C compiler, archivetest a database, in tests alone. build: it starts the go command and git. gobench: a
		// process is a sample, in a worker. scripts: it runs what the scripts of tests say. filing: it starts cryptogauge-store.
		except: []string{"internal/worker", "internal/filing", "internal/command/scripts", "internal/build", "internal/gobench", "internal/kernel/mutants", "internal/kernel/sm4/taint", "internal/library/native/planted", "internal/archive/archivetest"}, never: []string{"os/exec"}, direct: true,
		why: "the program's processes are started, ended and waited for in one place",
	},
	{
		except: []string{"internal/build"}, never: []string{"."}, direct: true,
		why: "the sources of a worker are three megabytes of text, which only who builds one needs",
	},
	{
		except: []string{"internal/provider/providertest", "internal/library/native/planted", "internal/answer/answertest", "internal/archive/archivetest"}, never: []string{"testing"}, direct: true,
		why: "testing registers its flags in every program that imports it",
	},
}

// rule forbids edges from packages to packages; a path stands for what is below
// it as well. An empty from is every package.
type rule struct {
	from, except, never []string
	direct              bool // only the packages' own imports, not what these import in turn
	why                 string
}

func under(path string, roots []string) bool {
	return slices.ContainsFunc(roots, func(root string) bool { return path == root || strings.HasPrefix(path, root+"/") })
}

// graph holds, by package, what its files import; packages of this module by
// their path in it.
type graph map[string]map[string]bool

// breaches says which edges of g the rule forbids.
func (r rule) breaches(g graph) (found []string) {
	for _, pkg := range slices.Sorted(maps.Keys(g)) {
		if len(r.from) > 0 && !under(pkg, r.from) || under(pkg, r.except) {
			continue
		}
		for _, way := range g.ways(pkg, r.direct) {
			if under(way[len(way)-1], r.never) {
				found = append(found, fmt.Sprintf("%s: never, since %s", strings.Join(way, " imports "), r.why))
			}
		}
	}
	return found
}

// ways returns the shortest way to everything that a package imports.
func (g graph) ways(pkg string, direct bool) (ways [][]string) {
	seen, queue := map[string]bool{pkg: true}, [][]string{{pkg}}
	for ; len(queue) > 0; queue = queue[1:] {
		way := queue[0]
		for _, next := range slices.Sorted(maps.Keys(g[way[len(way)-1]])) {
			if !seen[next] {
				seen[next] = true
				longer := append(slices.Clone(way), next)
				ways = append(ways, longer)
				if !direct {
					queue = append(queue, longer)
				}
			}
		}
	}
	return ways
}

// readGraph parses the imports of every Go file of the module, whatever platform
// or tag it is for.
func readGraph(t *testing.T) (program, tests graph) {
	t.Helper()
	program, tests = graph{}, graph{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return skipFolder(path, d.Name())
		case !strings.HasSuffix(path, ".go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(path), ".."+string(filepath.Separator)))
		if pkg == ".." {
			pkg = "." // the module's root
		}
		of := program
		if strings.HasSuffix(path, "_test.go") {
			of = tests
		}
		if of[pkg] == nil {
			of[pkg] = map[string]bool{}
		}
		for _, spec := range f.Imports {
			imported := strings.Trim(spec.Path.Value, "`\"")
			if imported == module {
				imported += "/."
			}
			of[pkg][strings.TrimPrefix(imported, module+"/")] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(program) < 10 {
		t.Fatalf("only %d packages were found", len(program))
	}
	return program, tests
}

// skipFolder leaves out what is not of this module, as the go command does.
func skipFolder(path, name string) error {
	if path == ".." {
		return nil
	}
	if name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return fs.SkipDir
	}
	if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

// standard says whether an import path is of the standard library.
func standard(path string, program graph) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && program[path] == nil
}

func TestLattice(t *testing.T) {
	program, tests := readGraph(t)
	rows, libraries, questions := map[string]bool{}, []string(nil), []string(nil)
	for _, row := range lattice {
		rows[row.pkg] = true
		if path.Dir(row.pkg) == "internal/question" {
			questions = append(questions, row.pkg)
		}
	}
	for pkg := range program {
		if rows[pkg] || !isLibrary(pkg) {
			continue
		}
		rows[pkg], libraries = true, append(libraries, pkg)
		own := modulesOf(program[pkg], readModules(t))
		if len(own) > 1 {
			t.Errorf("%s imports %v: a library under test is one module; give it a row that says why it needs more", pkg, own)
		}
		allowed := slices.Concat(strings.Fields(ofLibrary), vocabulary, own)
		check(t, pkg, program[pkg], allowed, program)
		check(t, pkg+"'s tests", tests[pkg], append(allowed, pkg), program)
	}
	clear(rows)
	for _, row := range lattice {
		if rows[row.pkg] {
			t.Errorf("%s has two rows", row.pkg)
		}
		rows[row.pkg] = true
		if program[row.pkg] == nil {
			t.Errorf("%s has a row and no files", row.pkg)
		}
		imports := append(strings.Fields(row.imports), vocabulary...)
		switch row.pkg {
		case "internal/library":
			imports = append(imports, libraries...)
		case "internal/question":
			imports = append(imports, questions...)
		}
		check(t, row.pkg, program[row.pkg], imports, program)
		check(t, row.pkg+"'s tests", tests[row.pkg], append(append(imports, row.pkg), strings.Fields(row.tests)...), program)
	}
	for pkg := range program {
		if !rows[pkg] && !isLibrary(pkg) {
			t.Errorf("%s is not in the lattice: give it a row that says what it may import", pkg)
		}
	}
}

// check holds imports against those allowed. A package of this module must be
// allowed by its own path; another module allows all of its packages.
func check(t *testing.T, who string, imports map[string]bool, allowed []string, program graph) {
	t.Helper()
	for _, path := range slices.Sorted(maps.Keys(imports)) {
		switch {
		case standard(path, program), slices.Contains(allowed, path):
		case program[path] == nil && under(path, allowed):
		default:
			t.Errorf("%s may not import %s", who, path)
		}
	}
}

func TestForbiddenEdges(t *testing.T) {
	program, _ := readGraph(t)
	for _, r := range rules {
		for _, breach := range r.breaches(program) {
			t.Error(breach)
		}
	}
}

// Each rule must find what it forbids, directly and, where it looks so far, behind
// another package.
func TestRulesBite(t *testing.T) {
	for _, r := range rules {
		from := append(slices.Clone(r.from), "internal/anything")[0]
		for _, never := range r.never {
			g := graph{from: {never: true}}
			if got := r.breaches(g); len(got) != 1 || !strings.Contains(got[0], r.why) {
				t.Errorf("%s imports %s: %v", from, never, got)
			}
			behind := graph{from: {"between": true}, "between": {never + "/below": true}}
			found := slices.ContainsFunc(r.breaches(behind), func(s string) bool { return strings.HasPrefix(s, from) })
			if found == r.direct {
				t.Errorf("%s imports between imports %s: found %v, direct %v", from, never, found, r.direct)
			}
			for _, pkg := range r.except {
				if got := r.breaches(graph{pkg: {never: true}}); len(got) != 0 {
					t.Errorf("%s is excepted: %v", pkg, got)
				}
			}
		}
	}
}

// readModules are the direct dependencies that go.mod names. Each earns its place by a
// reason, which stands behind it.
func readModules(t *testing.T) map[string]string {
	t.Helper()
	b, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	modules := map[string]string{}
	for line := range strings.Lines(string(b)) {
		required, reason, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "require ")), "//")
		if of := strings.Fields(required); len(of) == 2 && strings.HasPrefix(of[1], "v") && !strings.Contains(reason, "indirect") {
			modules[of[0]] = strings.TrimSpace(reason)
		}
	}
	return modules
}

// modulesOf are those that a package imports.
func modulesOf(imports map[string]bool, modules map[string]string) (used []string) {
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		if slices.ContainsFunc(slices.Collect(maps.Keys(imports)), func(path string) bool { return under(path, []string{name}) }) {
			used = append(used, name)
		}
	}
	return used
}

// TestDirectDependencies: every module that go.mod requires has a reason, and is used.
func TestDirectDependencies(t *testing.T) {
	modules := readModules(t)
	if len(modules) == 0 {
		t.Fatal("no module is read from go.mod")
	}
	program, tests := readGraph(t)
	used := map[string]bool{}
	for _, g := range []graph{program, tests} {
		for _, imports := range g {
			for _, name := range modulesOf(imports, modules) {
				used[name] = true
			}
		}
	}
	for name, why := range modules {
		if why == "" {
			t.Errorf("go.mod requires %s without a reason: write one behind it, as // a library under test: …", name)
		}
		if !used[name] {
			t.Errorf("go.mod requires %s (%s) and nobody imports it", name, why)
		}
	}
}

// listed is what the go command says of a package.
type listed struct {
	ImportPath, Name string
	Standard         bool
	CgoFiles         []string
	Incomplete       bool
	Error            *struct{ Err string }
}

func list(t *testing.T, env ...string) (pkgs []listed) {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-deps", "-json=ImportPath,Name,Standard,CgoFiles,Incomplete,Error", module+"/cmd/cryptogauge")
	cmd.Dir, cmd.Env = "..", append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

// The main binary is static: without cgo it is complete on every platform it is
// built for, and with cgo no package but the standard library's has C in it.
func TestMainBinaryNeedsNoC(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not here:", err)
	}
	for _, platform := range []string{"linux/amd64", "linux/arm64", "darwin/arm64"} {
		goos, goarch, _ := strings.Cut(platform, "/")
		for _, cgo := range []string{"0", "1"} {
			for _, p := range list(t, "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED="+cgo) {
				switch {
				case p.Incomplete || p.Error != nil:
					t.Errorf("%s, CGO_ENABLED=%s: %s can't be built: %v", platform, cgo, p.ImportPath, p.Error)
				case !p.Standard && len(p.CgoFiles) > 0:
					t.Errorf("%s: %s needs C (%s)", platform, p.ImportPath, strings.Join(p.CgoFiles, " "))
				case under(p.ImportPath, []string{"github.com/ebitengine/purego", module + "/internal/library/native"}):
					t.Errorf("%s: the main binary holds %s", platform, p.ImportPath)
				}
			}
		}
	}
}
