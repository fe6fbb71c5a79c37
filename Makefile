SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

# Python tools live in an environment of their own; nothing is installed system-wide.
TOOLS := .local/tools
SAM_VERSION := 1.170.0
CARGO_LAMBDA_VERSION := 1.9.2
PLAYWRIGHT_VERSION := 1.65.2
PILLOW_VERSION := 13.0.0
SAM_INSTALLED := $(TOOLS)/aws-sam-cli-$(SAM_VERSION)
CARGO_LAMBDA_INSTALLED := $(TOOLS)/cargo-lambda-$(CARGO_LAMBDA_VERSION)
PLAYWRIGHT_INSTALLED := $(TOOLS)/playwright-$(PLAYWRIGHT_VERSION)
PILLOW_INSTALLED := $(TOOLS)/pillow-$(PILLOW_VERSION)
export SAM_CLI_TELEMETRY := 0

PORTAL_CHECKS := functions/portal/checks
# npm writes this file at the end of an installation.
PORTAL_CHECKS_INSTALLED := $(PORTAL_CHECKS)/node_modules/.package-lock.json
OPENAPI_CHECKS := tests/openapi
OPENAPI_CHECKS_INSTALLED := $(OPENAPI_CHECKS)/node_modules/.package-lock.json

# arm64 or x86_64. `make deploy` builds for the stack's unless it is told.
ARCHITECTURE ?= arm64
RUST_TARGET = $(if $(filter x86_64,$(ARCHITECTURE)),x86_64,aarch64)-unknown-linux-gnu

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1\t\2/' | expand -t 16

FIRST_BUILD_MINUTES := 4

.PHONY: run
run: ## serve everything on 127.0.0.1:3000; ARGS="--port 3001 --fresh --allow-host NAME"
	@[[ -e "$${CARGO_TARGET_DIR:-target}/debug/marquee" ]] || \
	  echo "The first build compiles everything: about $(FIRST_BUILD_MINUTES) minutes on two cores."
	cargo run --bin marquee -- serve $(ARGS)

.PHONY: test
test: ## run every test, offline
	cargo test --workspace

.PHONY: properties
properties: ## more cases of the tests with random input, by chance or SEED=7; CASES=5000
	PROPTEST_CASES=$(or $(CASES),5000) $(if $(SEED),PROPTEST_RNG_SEED=$(SEED)) \
	  cargo test --package dataset --package builder --no-fail-fast

.PHONY: simulate
simulate: ## simulate years of random traffic on an account; STEPS=100000 SEED=7
	SIMULATION_STEPS=$(or $(STEPS),100000) SIMULATION_SEED=$(or $(SEED),1) \
	  cargo test --package marquee-tests --test suite -- --nocapture admission::year

.PHONY: fuzz
fuzz: ## give what parses mutations of its corpora; TARGET=places, or all two at a time; EACH=5 seconds, SEED=1
	FUZZ_SECONDS=$(or $(EACH),5) FUZZ_SEED=$(or $(SEED),1) \
	  cargo test --package marquee-tests --test fuzz -- --nocapture --test-threads 2 \
	  $(if $(TARGET),--exact $(TARGET))

.PHONY: test-browser
test-browser: $(PLAYWRIGHT_INSTALLED) $(PORTAL_CHECKS_INSTALLED) ## in a headless Chromium; TESTS="-k part_of_a_name test_doors.py"
	cargo build --bin marquee
	$(TOOLS)/bin/python3 tests/browser/run.py $(TESTS)

.PHONY: test-deploy
test-deploy: $(SAM_INSTALLED) ## a deployment's steps against stand-ins, and the template that it deploys
	cargo build --bin marquee
	$(TOOLS)/bin/python3 -m unittest discover --start-directory tests/deploy

.PHONY: pictures
pictures: $(PLAYWRIGHT_INSTALLED) $(PILLOW_INSTALLED) ## take the pictures of the portal in docs/pictures anew
	cargo build --bin marquee
	$(TOOLS)/bin/python3 scripts/portal-pictures

.PHONY: check
check: ## format, lints and documentation, warnings denied
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

.PHONY: check-portal
check-portal: $(PORTAL_CHECKS_INSTALLED) ## the types of the portal's modules, with openapi.yaml's
	cd $(PORTAL_CHECKS) && node versions.mjs && node openapi-types.mjs && node_modules/.bin/tsc --project .

.PHONY: check-openapi
check-openapi: $(OPENAPI_CHECKS_INSTALLED) ## openapi.yaml under the linters Redocly and Spectral, without a warning
	cd $(OPENAPI_CHECKS) && REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
	  node_modules/.bin/redocly lint --config redocly.yaml ../../openapi.yaml
	cd $(OPENAPI_CHECKS) && \
	  node_modules/.bin/spectral lint --ruleset spectral.yaml --fail-severity hint ../../openapi.yaml

.PHONY: fmt
fmt: ## format the code
	cargo fmt --all

.PHONY: validate
validate: $(SAM_INSTALLED) ## check template.yaml, and that no resources wait for each other, offline
	$(TOOLS)/bin/sam validate --lint
	$(TOOLS)/bin/python3 scripts/template-cycles

.PHONY: build
build: $(SAM_INSTALLED) $(CARGO_LAMBDA_INSTALLED) rust-target ## build for the cloud, for an ARCHITECTURE
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" sam build --parameter-overrides Architecture=$(ARCHITECTURE)

.PHONY: deploy
deploy: $(SAM_INSTALLED) ## create or update the stack, with a release; RELEASE=DIR PARAMETERS="Name=value" STACK=NAME
	cargo build --bin marquee
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" python3 scripts/deploy

.PHONY: rollback
rollback: $(SAM_INSTALLED) ## go back to the stack's previous release; STACK=NAME
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" python3 scripts/deploy rollback

.PHONY: destroy
destroy: $(SAM_INSTALLED) ## delete the stack, and say what is left of it; STACK=NAME CONFIRM=NAME
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" python3 scripts/deploy destroy

.PHONY: sam-local
sam-local: $(SAM_INSTALLED) $(CARGO_LAMBDA_INSTALLED) ## one function in its container; EVENT=FILE [ASSET=id]
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" python3 scripts/lambda-local \
	  invoke "$(EVENT)" $(if $(ASSET),--asset "$(ASSET)")

.PHONY: watch
watch: $(CARGO_LAMBDA_INSTALLED) ## the functions on 127.0.0.1:9000, rebuilt on change, against `make run`
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" python3 scripts/lambda-local watch

.PHONY: bench
bench: ## measure speed and database operations, optimized; takes about ten minutes
	cargo bench --package marquee-tests

.PHONY: sizes
sizes: ## measure each function as it is deployed: its size, its start and its memory
	cargo bench --package marquee-tests -- sizes

.PHONY: clean
clean: ## remove what was built; the data in .local/data stays
	cargo clean
	rm -rf .aws-sam .local/sam-local

.PHONY: rust-target
rust-target:
	if command -v rustup >/dev/null; then rustup target add $(RUST_TARGET); \
	else echo "no rustup: the Rust target $(RUST_TARGET) must be installed already"; fi

$(TOOLS)/bin/python3:
	python3 -m venv $(TOOLS) || { \
	  echo "python3 with its venv module is needed (on Debian: apt-get install python3-venv)" >&2; exit 1; }

$(SAM_INSTALLED): | $(TOOLS)/bin/python3
	$(TOOLS)/bin/python3 -m pip install --quiet aws-sam-cli==$(SAM_VERSION)
	touch $@

$(CARGO_LAMBDA_INSTALLED): | $(TOOLS)/bin/python3
	$(TOOLS)/bin/python3 -m pip install --quiet cargo-lambda==$(CARGO_LAMBDA_VERSION)
	touch $@

# The driver alone: the browser is Debian's.
$(PLAYWRIGHT_INSTALLED): | $(TOOLS)/bin/python3
	$(TOOLS)/bin/python3 -m pip install --quiet playwright==$(PLAYWRIGHT_VERSION)
	touch $@

$(PILLOW_INSTALLED): | $(TOOLS)/bin/python3
	$(TOOLS)/bin/python3 -m pip install --quiet pillow==$(PILLOW_VERSION)
	touch $@

# No script of a package runs: its .npmrc says so.
$(PORTAL_CHECKS_INSTALLED) $(OPENAPI_CHECKS_INSTALLED): %/node_modules/.package-lock.json: %/package-lock.json
	cd $* && npm ci --silent
	touch $@
