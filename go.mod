module github.com/cryptogauge/cryptogauge

go 1.26.0

require (
	github.com/HdrHistogram/hdrhistogram-go v1.4.0 // percentiles of latency without sorting a million values
	github.com/ebitengine/purego v0.11.3 // shared objects without a C compiler, in the native worker
	github.com/emmansun/gmsm v0.44.0 // a library under test, and the second judge of long messages
	github.com/goccy/go-yaml v1.19.2 // files that people write, with line and column in errors
	github.com/klauspost/compress v1.20.3 // zstd before encryption: what Go programs compress with
	github.com/miekg/pkcs11 v1.1.2 // tokens, in the native worker: how Go programs call PKCS#11 modules
	github.com/minio/md5-simd v1.1.2 // a library under test: MD5 in lanes, for many MD5s
	github.com/rogpeppe/go-internal v1.16.0 // tests: testscript, in which the command line is specified
	github.com/spf13/cobra v1.10.2 // verbs, flags and completions for three shells
	github.com/spf13/pflag v1.0.9 // the flags that cobra's verbs have
	github.com/tjfoc/gmsm v1.4.1 // a library under test
	github.com/zeebo/blake3 v0.2.4 // a library under test: BLAKE3, what could stand in MD5's place
	golang.org/x/crypto v0.58.0 // a library under test: ChaCha20-Poly1305; BLAKE2b for manifests
	golang.org/x/sys v0.49.0 // clocks, pinning, cycle counters, CPU features: not in std
	golang.org/x/text v0.43.0 // which characters are wide, so that Chinese text aligns
)

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/klauspost/cpuid/v2 v2.0.12 // indirect
	golang.org/x/tools v0.51.0 // indirect
)
