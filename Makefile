# The two commands that matter: `make run` measures and ends with the report's
# path; `make test` runs every test there is.

GO ?= go
BIN := bin/cryptogauge
PYTHON := bin/python
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.1

.PHONY: run libraries build workers test beam check generated mutants bench screens audit bound cross fuzz clean

run: libraries build
	$(BIN) run

# The libraries beyond Go that are measured where they are there. What can't be
# installed is said, and its rows are unsupported.
libraries:
	@sh internal/library/native/install.sh

# The first two are static: they run on musl and in an empty container. The second speaks to
# databases and object stores; the first becomes it where it is asked for that. The third is the
# worker that opens shared objects; with a C compiler it also calls them by cgo, and
# from a loop in C.
build:
	@CGO_ENABLED=0 $(GO) build -trimpath -o $(BIN) ./cmd/cryptogauge
	@CGO_ENABLED=0 $(GO) build -trimpath -o $(BIN)-store ./cmd/cryptogauge-store
	@$(GO) build -trimpath -o $(BIN)-native ./cmd/cryptogauge-native

# The workers in other languages: Maven fetches Bouncy Castle for Java's, and pip cryptography and gmssl for Python's,
# into an environment of its own.
workers:
	mvn -B -q -f workers/java package
	python3 -m venv $(PYTHON)
	$(PYTHON)/bin/pip install -q -r workers/python/requirements.txt

# Of one package's tests; the longest take four minutes on two CPUs, and a machine may be five times over-busy.
# Vet has run before, over everything.
TESTLIMIT ?= 40m

# Tests wait about as long as they compute: of so many packages they run at once.
ATONCE ?= $(shell expr 2 '*' $$(getconf _NPROCESSORS_ONLN))

test: check generated
	$(GO) test -vet=off -p $(ATONCE) -timeout $(TESTLIMIT) ./...
	cd vectors && $(GO) test -vet=off -timeout $(TESTLIMIT) ./...

# The pipeline of Apache Beam, a module of its own: its three hundred dependencies take minutes to build the first time.
beam:
	cd beam && $(GO) mod tidy -diff && $(GO) vet ./... && $(GO) test -vet=off -timeout $(TESTLIMIT) ./...

check:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	  test -z "$$unformatted" || { echo "gofmt would change: $$unformatted"; exit 1; }
	$(GO) vet ./...
	cd vectors && $(GO) vet ./...
	$(GO) mod tidy -diff
	cd vectors && $(GO) mod tidy -diff
	$(GO) run $(STATICCHECK) ./...

# The kernels' assembly is what its generator writes.
generated:
	$(GO) generate ./internal/kernel/...
	@git diff --exit-code --stat -- internal/kernel || { echo "the assembly is not what its generator writes"; exit 1; }

# Planted bugs in the kernels, each of which the tests must find.
mutants:
	$(GO) run ./internal/kernel/mutants

# AES beside crypto/aes in one run, and its worst ratio over all sizes, directions and lengths of keys;
# the engine beside gmsm and tjfoc in one run, what bounds it there, and its worst ratio over all sizes;
# the same modes beside the native libraries present, in the laboratory;
# hashing of many messages beside crypto/md5 and gmsm likewise, and how long its calls hold up the garbage
# collector; hashing of many files beside md5sum (it takes 4 GB of disk for a while); a million rows filed in a
# store, and a history of 10,000 runs, in SQLite and PostgreSQL; then what the laboratory's own parts cost.
bench: build
	$(GO) run ./aes/aesbench
	$(GO) run ./aes/aesbench -sweep
	$(GO) run ./aes/aesbench -stops
	$(GO) run ./aes/aesbench -neighbour
	$(BIN) run modes --algorithms AES-128,AES-256 --modes CBC,CTR,GCM --sizes 16KiB --quiet
	$(GO) run ./sm4/sm4bench
	@$(MAKE) --no-print-directory bound
	$(GO) run ./sm4/sm4bench -sweep
	$(GO) run ./sm4/sm4bench -steps
	$(GO) run ./sm4/sm4bench -stops
	GOMAXPROCS=1 $(GO) run ./sm4/sm4bench -coalesce
	$(BIN) run modes --algorithms SM4 --modes ECB,CBC,CTR,GCM --sizes 16KiB --quiet
	$(GO) run ./multibuffer/mbbench
	$(GO) run ./multibuffer/mbbench -sweep
	$(GO) run ./multibuffer/mbbench -coalesce
	$(GO) run ./multibuffer/mbbench -stops
	$(GO) test -run '^$$' -bench . -benchtime 7x ./internal/treesum/treehash
	$(GO) test -run '^$$' -bench . -benchtime 1x ./internal/archive
	$(GO) test -run '^$$' -bench . ./result ./stat ./internal/arrival ./internal/render

# The readmes' sample screens, in both languages, from one quick run on this machine; only one
# that can be believed is taken.
screens: build
	$(BIN) run --quiet --output bin/screens
	$(GO) test ./cmd/cryptogauge -run TestSampleScreens -sample "$$(ls -d "$$PWD"/bin/screens/*/ | tail -n 1)"

# What published reports claim, and what is true on this machine, which should be idle: ten minutes.
# That statements are contradicted (1) or open (3) is what it is about. The page is replaced only by
# a whole one.
audit: build libraries
	$(BIN) verify statements/published.yaml --budget 9m --quiet --output bin/audit --format markdown > bin/published.md; \
		case $$? in 0|1|3) mv bin/published.md docs/published.md ;; *) exit 1 ;; esac

# What bounds the engine. The kernels with nothing to wait for are generated for it, and not kept.
bound:
	$(GO) generate ./internal/kernel/aes/floor ./internal/kernel/sm4/floor
	$(GO) run -tags floor ./aes/aesbench -bound
	$(GO) run -tags floor ./sm4/sm4bench -bound

# Both architectures, started where qemu-user or the machine can.
cross:
	CGO_ENABLED=0 GOARCH=amd64 $(GO) build -trimpath -o bin/cryptogauge-linux-amd64 ./cmd/cryptogauge
	CGO_ENABLED=0 GOARCH=arm64 $(GO) build -trimpath -o bin/cryptogauge-linux-arm64 ./cmd/cryptogauge

# Each target for about so many seconds; CI takes 5.
FUZZSECONDS ?= 10
fuzz:
	GO="$(GO)" .ci/fuzz $(FUZZSECONDS)

clean:
	rm -rf bin
