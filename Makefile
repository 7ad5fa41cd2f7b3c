# remora. `make run` and `make test` set up what is missing by themselves.

GO       ?= go
FUZZTIME ?= 30s
VERSION  := $(shell git describe --tags --always --dirty 2>/dev/null || echo development)
LDFLAGS  := -X main.version=$(VERSION)

.PHONY: help run test build install setup bench fuzz lint golden fixtures docs clean

help: ## list what there is
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install libpcap's headers if they are missing
	@sh scripts/setup.sh

run: build ## build and open the bundled capture
	./remora fixtures/demo.pcapng

build: setup ## build ./remora
	$(GO) build -ldflags '$(LDFLAGS)' -o remora .

install: setup ## install remora to Go's bin folder
	$(GO) install -ldflags '$(LDFLAGS)' .

test: setup ## run every test, live capture included where the privilege is there
	$(GO) vet ./...
	$(GO) test ./...

bench: build ## measure beside tshark, tcpdump and dumpcap, where they are installed
	$(GO) run ./bench

fuzz: setup ## run every fuzz target for FUZZTIME each
	@for pkg in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "$$pkg $$target"; $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg || exit 1; \
		done; \
	done

lint: setup ## check format, vet and the linters
	@test -z "$$(gofmt -l .)" || { echo 'not formatted:'; gofmt -l .; exit 1; }
	$(GO) vet ./...
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...

golden: setup ## write the golden files and the README's tables anew
	$(GO) test ./fixtures ./ui/... -run 'Golden|Screen' -update
	$(MAKE) docs

fixtures: setup ## make the captures anew (needs root and network namespaces)
	$(GO) run ./fixtures/make

docs: setup ## write the README's tables anew
	$(GO) test . -run TestReadmeTables -update

clean: ## remove what was built
	rm -f remora
