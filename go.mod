module github.com/cryptogauge/cryptogauge

go 1.26.0

require (
	github.com/HdrHistogram/hdrhistogram-go v1.4.0 // percentiles of latency without sorting a million values
	github.com/chromedp/cdproto v0.159.0 // tests: what a browser is told
	github.com/chromedp/chromedp v0.22.0 // tests: the pages of serve in a browser
	github.com/ebitengine/purego v0.11.3 // shared objects without a C compiler, in the native worker
	github.com/emmansun/gmsm v0.44.0 // a library under test, and the second judge of long messages
	github.com/goccy/go-yaml v1.19.2 // files that people write, with line and column in errors
	github.com/jackc/pgx/v5 v5.12.0 // PostgreSQL: a store that many machines share, filled by COPY
	github.com/johannesboyne/gofakes3 v1.2.0 // tests: an object store in this process
	github.com/klauspost/compress v1.20.3 // zstd before encryption: what Go programs compress with
	github.com/miekg/pkcs11 v1.1.2 // tokens, in the native worker: how Go programs call PKCS#11 modules
	github.com/minio/md5-simd v1.1.2 // a library under test: MD5 in lanes, for many MD5s
	github.com/minio/minio-go/v7 v7.4.1 // object stores: signatures, credentials and listings of S3, in cryptogauge-store
	github.com/pressly/goose/v3 v3.29.0 // migrations of the store's schema
	github.com/prometheus/client_golang v1.25.0 // /metrics of serve: Prometheus' text format and OpenMetrics, in cryptogauge-store
	github.com/rogpeppe/go-internal v1.16.0 // tests: testscript, in which the command line is specified
	github.com/spf13/cobra v1.10.2 // verbs, flags and completions for three shells
	github.com/spf13/pflag v1.0.10 // the flags that cobra's verbs have
	github.com/tjfoc/gmsm v1.4.1 // a library under test
	github.com/zeebo/blake3 v0.2.4 // a library under test: BLAKE3, what could stand in MD5's place
	golang.org/x/crypto v0.58.0 // a library under test: ChaCha20-Poly1305; BLAKE2b for manifests
	golang.org/x/sys v0.49.0 // clocks, pinning, cycle counters, CPU features: not in std
	golang.org/x/text v0.43.0 // which characters are wide, so that Chinese text aligns
	modernc.org/sqlite v1.60.1 // SQLite without C: a store in one file
)

require (
	github.com/beorn7/perks v1.0.1 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/dustin/go-humanize v1.1.0 // indirect
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	github.com/jackc/puddle/v2 v2.2.3 // indirect
	github.com/klauspost/cpuid/v2 v2.4.0 // indirect
	github.com/klauspost/crc32 v1.3.0 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/mfridman/interpolate v0.0.2 // indirect
	github.com/minio/crc64nvme v1.1.1 // indirect
	github.com/munnerz/goautoneg v0.0.0-20191010083416-a7dc8b61c822 // indirect
	github.com/ncruces/go-strftime v1.1.0 // indirect
	github.com/philhofer/fwd v1.2.0 // indirect
	github.com/prometheus/client_model v0.6.3 // indirect
	github.com/prometheus/common v0.72.0 // indirect
	github.com/prometheus/procfs v0.22.0 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	github.com/rs/xid v1.6.0 // indirect
	github.com/ryszard/goskiplist v0.0.0-20150312221310-2dfbae5fcf46 // indirect
	github.com/sethvargo/go-retry v0.5.0 // indirect
	github.com/tinylib/msgp v1.6.4 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	go.shabbyrobe.org/gocovmerge v0.0.0-20230507111327-fa4f82cfbf4d // indirect
	go.uber.org/multierr v1.11.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/net v0.61.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
	gopkg.in/ini.v1 v1.67.3 // indirect
	modernc.org/libc v1.78.0 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
)
