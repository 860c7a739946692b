# Targets for people and for CI. `make help` lists them.
GO     ?= go
BIN    := bin/explorer
# With CI set to any value a missing tool is an error, not a reason to skip.
CI     ?=
# The race detector needs a C compiler. Without one the tests run without it,
# except in CI.
CC_FOUND := $(shell command -v "$$($(GO) env CC | cut -d' ' -f1)" 2>/dev/null)
RACE     := $(if $(or $(CC_FOUND),$(CI)),-race,)
# Generated code is compared only in a git checkout, not in an archive.
IN_GIT   := $(shell git rev-parse --is-inside-work-tree 2>/dev/null)

.DEFAULT_GOAL := build
.PHONY: help run build release dev test test-fast storybook unit soak soak-hub fuzz-projects lint modules cross check generate generated golden bench bench-large e2e e2e-firefox e2e-agents test-hub shots browser clean

help: ## list the targets
	@grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

build: ## build bin/explorer
	$(GO) build -trimpath -o $(BIN) ./cmd/explorer

# A release has no symbol table and no debug information and is a quarter smaller. It has no
# HTTP/2 either, which browsers use only with TLS: a proxy in front of it has that. Stack traces of a panic
# contain functions and lines nevertheless. The templates are compiled without inlining: they call
# the same few functions thousands of times, and copies of these took 1.8 MB.
RELEASE_MAX := 40000000
release: ## build bin/release/explorer, stripped, and check its size
	CGO_ENABLED=0 $(GO) build -trimpath -tags nethttpomithttp2 -gcflags=sessiontree/web/components=-l -ldflags="-s -w" -o bin/release/explorer ./cmd/explorer
	@size=$$(wc -c < bin/release/explorer); echo "bin/release/explorer: $$size bytes"; \
	if [ $$size -ge $(RELEASE_MAX) ]; then echo "larger than $(RELEASE_MAX) bytes" >&2; exit 1; fi

run: build ## build, serve your own sessions (or the demo) and open the browser
	./$(BIN) $(ARGS)

# ARGS are those of explorer serve. Go code and templ files restart the server; a page that
# is loaded again has the stylesheets and scripts on disk.
dev: ## serve from this checkout and restart after changes; ARGS=--demo
	@sh .tools/dev.sh $(ARGS)

# The tests of a few packages without the race detector and vet, for the time between two changes.
PKG ?= ./...
test-fast: ## Go tests without the race detector: make test-fast PKG=./internal/web/...
	$(GO) test -short -vet=off $(PKG)

STORYBOOK := .cache/storybook
storybook: ## write all pages and components with canned data to .cache/storybook/index.html
	rm -rf $(STORYBOOK) && mkdir -p $(STORYBOOK)
	$(GO) test -count=1 -run TestStorybook ./web/components -storybook $(CURDIR)/$(STORYBOOK)
	@echo "open $(STORYBOOK)/index.html"

test: generated ## all checks that a change must pass
	$(MAKE) -j3 lint modules cross
	$(MAKE) unit
	$(MAKE) e2e

check: generated lint unit ## the checks that need no browser and no other system

# With -short the race detector has fewer cases of property tests, and not the tests that call
# internal/slowtest. These run again, without it and without -short, in the packages that call it. In CI so
# do all other tests of these packages, and of those with random.Seeds, which has more cases there. There are
# more at once than processors: the linker waits for the disk, and tests for other programs. The packages
# that take longest begin first. Lint runs the test of the language.
UNITPKG = $$($(GO) list ./... | grep -v internal/prose)
SLOWPKG = $$($(GO) list -test -f '{{range .Deps}}{{if or (eq . "sessiontree/internal/slowtest")$(if $(CI), (eq . "sessiontree/internal/testgen/random"))}}{{$$.ImportPath}}{{"\n"}}{{end}}{{end}}' ./... | sed -n 's/\.test$$//p' | sort -u)
# With -trimpath what was compiled in another clone of the same source is used again. With -count=1 results
# are not cached: to store one, go looks at each file that the tests opened, which takes a fifth of the time
# of all tests. Tests have small heaps, which would be collected all the time.
# A program with the race detector sleeps for a second when it ends, unless GORACE says otherwise.
GOTEST = GOGC=300 sh .tools/tmp-in-memory.sh $(GO) test -count=1 -trimpath -vet=off -timeout 30m -p $$(( $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2) + 2 ))
unit: ## Go tests
	$(if $(RACE),CGO_ENABLED=1 GORACE=atexit_sleep_ms=50 $(GOTEST) -race -short ./internal/cli ./internal/web ./internal/session/store $(UNITPKG))
	slow="$$(sh .tools/slow-tests.sh)" && $(GOTEST) $(if $(RACE),$(if $(CI),,-run "$$slow")) ./internal/session/store ./internal/session/export $(if $(RACE),$(SLOWPKG),$(UNITPKG))

# DURATION is how long the agents write. ARGS are further flags of e2e/soak.
DURATION ?= 10m
soak: build ## 20 growing sessions, 500 lines/s, 200 browsers, 10 minutes: checks memory, sockets and content
	$(GO) run ./e2e/soak -explorer ./$(BIN) -duration $(DURATION) $(ARGS)

# PROJECTS is the number of random projects of each format; a normal test uses 100 at most, in CI.
PROJECTS ?= 2000
fuzz-projects: ## test random projects of every format for an hour or two
	PROJECTS=$(PROJECTS) $(GO) test -timeout 4h -count=1 -run 'Random|LiveIsCold|lineByLine' ./internal/session/... ./internal/web

# The linters are a module of their own, so that go.mod of the program lists what it needs.
# Building them takes minutes, once.
LINTERS := .cache/tools
$(LINTERS)/built: .tools/go.mod .tools/go.sum .tools/typecheck/main.go
	cd .tools && $(GO) build -o ../$(LINTERS)/ tool ./typecheck
	@touch $@

lint: $(LINTERS)/built ## gofmt, golangci-lint, unreachable functions, the language and the shape of the source
	@bad="$$(gofmt -l cmd internal web e2e)"; if [ -n "$$bad" ]; then echo "not gofmt'ed:"; echo "$$bad"; exit 1; fi
	$(LINTERS)/golangci-lint run --build-tags e2e,e2eagents,e2efirefox,hub ./...
	sh .tools/deadcode.sh $(LINTERS)/deadcode
	$(GO) test ./internal/prose

modules: ## modules match their checksums, none is retracted, and with govulncheck none has a known vulnerability
	$(GO) mod verify
	@sh internal/licenses/modules.sh "$(GO)"
	@if command -v govulncheck >/dev/null 2>&1; then govulncheck ./cmd/explorer; else echo "modules: no govulncheck here, known holes were not looked for"; fi

# In CI, vet checks the assembly for the processor that nothing else is built for.
cross: $(LINTERS)/built ## the program and its tests are valid for other systems
	$(LINTERS)/typecheck windows darwin
	$(if $(CI),GOARCH=arm64 $(GO) vet ./internal/session/search)

generate: ## regenerate templ code, the bundles of scripts and stylesheets and the demo sessions
	$(GO) tool templ generate -path web/components
	$(GO) generate ./...

generated: ## generated code is up to date
	$(GO) tool templ generate -path web/components
	$(GO) generate ./web/static ./internal/licenses
ifeq ($(IN_GIT),true)
	git diff --exit-code -- '*_templ.go' web/static/page/bundle.js web/static/bundle web/components/icon_shapes.go internal/licenses/NOTICE
	@new="$$(git ls-files --others --exclude-standard -- '*_templ.go' web/static/bundle)"; if [ -n "$$new" ]; then echo "not committed:"; echo "$$new"; exit 1; fi
endif

golden: ## rewrite the golden files after an intended change; check the diff
	$(GO) test $$(grep -rlE --include='*_test.go' 'flag.Bool\("update"|CompareGolden\(' cmd internal web | xargs -n1 dirname | sort -u | sed 's|^|./|') -update

browser:
	@sh e2e/chromium.sh >/dev/null

# Every wait in the tests has its own deadline, so that a failure is reported with its
# artifacts. The timeout of go test is only for a defect of the harness.
e2e: build browser ## test the built program in a real Chromium
	export CHROMIUM="$$(sh e2e/chromium.sh)" EXPLORER="$(CURDIR)/$(BIN)" GO="$(GO)" && \
	$(GO) test $(if $(CI),-count=1) -tags e2e -timeout 60m ./e2e/harness && \
	sh e2e/parts.sh

# Most tests save screenshots of what they show, so all of them run.
shots: ## write screenshots of every page and state to e2e/shots
	SHOTS="$(CURDIR)/e2e/shots" $(MAKE) e2e

e2e-firefox: build ## test the built program in a real Firefox, in two minutes at most
	FIREFOX="$$(sh e2e/firefox/firefox.sh)" && export FIREFOX && \
	EXPLORER="$(CURDIR)/$(BIN)" $(GO) test -tags e2efirefox -count=1 -timeout 10m ./e2e/firefox

e2e-agents: build browser ## test with real agents: pi writes while a browser shows it; pi and oh-my-pi open changed files
	@sh e2e/agents/pi/install.sh .cache/agents/pi; rc=$$?; \
	if [ $$rc -eq 3 ] && [ -z "$(CI)" ]; then echo "NOT CHECKED: pi"; exit 0; fi; \
	[ $$rc -eq 0 ] || exit $$rc; \
	export CHROMIUM="$$(sh e2e/chromium.sh)" EXPLORER="$(CURDIR)/$(BIN)" PI_HOME="$(CURDIR)/.cache/agents/pi"; \
	$(GO) test -tags e2eagents -count=1 -timeout 30m -v ./e2e/agents/pi && \
	$(GO) test -tags e2eagents -count=1 -timeout 5m -v -run RealPi ./internal/session/store
	@sh e2e/agents/omp/install.sh .cache/agents/omp; rc=$$?; \
	if [ $$rc -eq 3 ]; then echo "NOT CHECKED: oh-my-pi"; exit 0; fi; \
	[ $$rc -eq 0 ] || exit $$rc; \
	export EXPLORER="$(CURDIR)/$(BIN)" OMP_HOME="$(CURDIR)/.cache/agents/omp"; \
	$(GO) test -tags e2eagents -count=1 -timeout 10m -v ./e2e/agents/omp

# The S3 server of the tests is a module of its own, as the linters are. Building it takes two
# minutes, once.
S3_SERVER := .cache/hub/versitygw
$(S3_SERVER): .tools/hub/go.mod .tools/hub/go.sum
	cd .tools/hub && $(GO) build -o ../../$(dir $(S3_SERVER)) tool
	@touch $@

# HUBPKG are the packages with tests that need these servers.
HUBPKG := ./internal/session/archive/postgres/...
test-hub: build $(S3_SERVER) ## test the store of a hub with a real PostgreSQL and a real S3 server; TESTARGS="-run X"
	PG_BIN="$$(sh internal/session/archive/postgres/pgtest/postgres.sh)" && \
	export PG_BIN VERSITYGW="$(CURDIR)/$(S3_SERVER)" EXPLORER="$(CURDIR)/$(BIN)" && \
	$(GO) test -tags hub -count=1 -timeout 10m $(HUBPKG) $(TESTARGS) && \
	$(GO) test -tags "hub e2e" -count=1 -timeout 30m ./e2e -run TestHub_Database

soak-hub: build $(S3_SERVER) ## 4 agents write for 10 minutes while hubs, PostgreSQL, S3 and pushing explorers are killed: every byte is stored once
	PG_BIN="$$(sh internal/session/archive/postgres/pgtest/postgres.sh)" && \
	export PG_BIN VERSITYGW="$(CURDIR)/$(S3_SERVER)" EXPLORER="$(CURDIR)/$(BIN)" HUB_SOAK=$(DURATION) && \
	$(GO) test -tags "hub e2e" -count=1 -timeout 60m -v ./e2e -run 'TestHub_Killed|TestHub_DatabaseKilled'

bench: build browser ## measure and print the table of ARCHITECTURE.md
	CHROMIUM="$$(sh e2e/chromium.sh)" $(GO) run ./e2e/bench -explorer ./$(BIN) -cache .cache/bench $(ARGS)

bench-large: ## measure with 10 GB in 20,000 sessions, which are made first and deleted at the end
	$(MAKE) bench ARGS="-only large"

clean: ## remove built and cached files
	rm -rf bin .cache e2e/shots e2e/failures
