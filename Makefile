# The two commands that matter: `make run` measures and ends with the report's
# path; `make test` runs every test there is.

GO ?= go
BIN := bin/cryptogauge
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.1

.PHONY: run build test check vectors bench cross fuzz clean

run: build
	$(BIN) run

# Static: runs on musl and in an empty container.
build:
	CGO_ENABLED=0 $(GO) build -trimpath -o $(BIN) ./cmd/cryptogauge

test: check
	$(GO) test ./...
	cd vectors && $(GO) test ./...

check:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	  test -z "$$unformatted" || { echo "gofmt would change: $$unformatted"; exit 1; }
	$(GO) vet ./...
	cd vectors && $(GO) vet ./...
	$(GO) mod tidy -diff
	cd vectors && $(GO) mod tidy -diff
	$(GO) run $(STATICCHECK) ./...

# The harness's own costs and the statistics' speed, beside the libraries' own benchmarks.
bench: build
	$(GO) test -run '^$$' -bench . ./result ./stat ./internal/arrival ./internal/report
	$(BIN) selftest

# Both architectures, started where qemu-user or the machine can.
cross:
	CGO_ENABLED=0 GOARCH=amd64 $(GO) build -trimpath -o bin/cryptogauge-linux-amd64 ./cmd/cryptogauge
	CGO_ENABLED=0 GOARCH=arm64 $(GO) build -trimpath -o bin/cryptogauge-linux-arm64 ./cmd/cryptogauge

# FUZZTIME each; CI takes 10 s.
FUZZTIME ?= 10s
fuzz:
	@set -e; for pkg in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "$$pkg $$target"; $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg; \
	  done; done

clean:
	rm -rf bin
