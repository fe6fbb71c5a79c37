SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

# Python tools have their own environments, and nothing is installed system-wide. scripts/tools lists each
# tool's version, and the versions and hashes of all packages that it needs.
TOOLS := .local/tools
CHECKOV := .local/checkov
UV := $(TOOLS)/bin/uv
export SAM_CLI_TELEMETRY := 0

PORTAL_CHECKS := functions/portal/checks
# npm writes this file after it has installed all packages.
PORTAL_CHECKS_INSTALLED := $(PORTAL_CHECKS)/node_modules/.package-lock.json
OPENAPI_CHECKS := tests/openapi
OPENAPI_CHECKS_INSTALLED := $(OPENAPI_CHECKS)/node_modules/.package-lock.json
CLIENTS := tests/clients
# The client generators have a separate environment, because the deployment tools may need other versions of
# the same packages.
CLIENT_TOOLS := .local/client-tools
CLIENT_TOOLS_INSTALLED := $(CLIENT_TOOLS)/installed
# The tools for the Python package, and the wheels that its tests install in a new environment.
PYTHON_CLIENT := .local/python-client
PYTHON_CLIENT_INSTALLED := $(PYTHON_CLIENT)/installed
# The tools for the TypeScript package. The tests of generated TypeScript clients use the same packages.
TYPESCRIPT_CLIENT := clients/typescript
TYPESCRIPT_CLIENT_INSTALLED := $(TYPESCRIPT_CLIENT)/node_modules/.package-lock.json
CLIENT_PACKAGES := $(CLIENTS)/typescript/node_modules

# arm64 or x86_64. If it isn't set, `make deploy` builds for the stack's architecture.
ARCHITECTURE ?= arm64
RUST_TARGET = $(if $(filter x86_64,$(ARCHITECTURE)),x86_64,aarch64)-unknown-linux-gnu

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1\t\2/' | expand -t 16

FIRST_BUILD_MINUTES := 10

.PHONY: run
run: ## serve everything on 127.0.0.1:3000; ARGS="--port 3001 --reset --allow-host NAME"
	@[[ -e "$${CARGO_TARGET_DIR:-target}/debug/marquee" ]] || \
	  echo "The first build compiles everything: about $(FIRST_BUILD_MINUTES) minutes on two cores."
	cargo run --bin marquee -- serve $(ARGS)

# `make test` records the functions' database calls here, for `make check-policies`.
RECORDED_CALLS := $(CURDIR)/.local/recorded-calls

.PHONY: test
test: ## run all tests, offline
	rm -rf $(RECORDED_CALLS)
	RECORDED_CALLS=$(RECORDED_CALLS) cargo test --workspace

.PHONY: properties
properties: ## run more cases of the property tests, with a random seed or SEED=7; CASES=5000
	PROPTEST_CASES=$(or $(CASES),5000) $(if $(SEED),PROPTEST_RNG_SEED=$(SEED)) \
	  cargo test --package dataset --package builder --package builder-tests --no-fail-fast

.PHONY: simulate
simulate: ## simulate years of random traffic on an account; STEPS=100000 SEED=7
	SIMULATION_STEPS=$(or $(STEPS),100000) SIMULATION_SEED=$(or $(SEED),1) \
	  cargo test --package marquee-tests --test suite -- --nocapture admission::year

.PHONY: simulate-load
simulate-load: ## simulate an account that gets too many calls; SECONDS_COUNTED=5 SEED=7
	SIMULATION_SECONDS=$(or $(SECONDS_COUNTED),5) SIMULATION_SEED=$(or $(SEED),1) \
	  cargo test --package marquee-tests --bench bench -- overload

.PHONY: kill-storm
kill-storm: ## kill the local service repeatedly under load, and check the stored data; KILLS=20 SEED=7
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
test-browser: $(TOOLS)/playwright.installed $(TOOLS)/exports.installed $(PORTAL_CHECKS_INSTALLED) ## run the browser tests in a headless Chromium; TESTS="-k part_of_a_name test_host_guard.py"
	cargo build --bin marquee
	$(TOOLS)/bin/python3 tests/browser/run.py $(TESTS)

.PHONY: test-clients
test-clients: $(CLIENT_TOOLS_INSTALLED) $(CLIENT_PACKAGES) ## generate clients from openapi.yaml, and run test programs that use them; LANGUAGES=python
	cargo build --bin marquee
	$(CLIENT_TOOLS)/bin/python3 $(CLIENTS)/run.py $(LANGUAGES)

.PHONY: python-client
python-client: $(PYTHON_CLIENT_INSTALLED) ## build the Python package in target/python-client
	$(PYTHON_CLIENT)/bin/python3 clients/python/generate.py
	$(PYTHON_CLIENT)/bin/python3 -m build --no-isolation --outdir target/python-client clients/python

.PHONY: test-python-client
test-python-client: $(PYTHON_CLIENT_INSTALLED) ## build the Python package, and test it and its documents
	cargo build --bin marquee
	$(PYTHON_CLIENT)/bin/python3 clients/python/check.py $(PYTHON_CLIENT)/wheels

.PHONY: typescript-client
typescript-client: $(PYTHON_CLIENT_INSTALLED) $(TYPESCRIPT_CLIENT_INSTALLED) ## build the TypeScript package in target/typescript-client
	$(PYTHON_CLIENT)/bin/python3 $(TYPESCRIPT_CLIENT)/build.py target/typescript-client

.PHONY: test-typescript-client
test-typescript-client: $(PYTHON_CLIENT_INSTALLED) $(TYPESCRIPT_CLIENT_INSTALLED) ## build the TypeScript package, and test it, its README, and its example
	cargo build --bin marquee
	$(PYTHON_CLIENT)/bin/python3 $(TYPESCRIPT_CLIENT)/check.py

.PHONY: schemathesis
schemathesis: $(TOOLS)/schemathesis.installed ## test the service against openapi.yaml; CALLS=100000 SEED=7 EXAMPLES=100 ORGANIZATIONS=30
	cargo build --bin marquee
	$(TOOLS)/bin/python3 tests/schemathesis/run.py $(if $(CALLS),--calls $(CALLS)) $(if $(SEED),--seed $(SEED)) \
	  $(if $(EXAMPLES),--examples $(EXAMPLES)) $(if $(ORGANIZATIONS),--organizations $(ORGANIZATIONS))

.PHONY: test-deploy
test-deploy: $(TOOLS)/sam.installed ## test the deployment scripts with fake AWS services, and the template
	cargo build --bin marquee
	$(TOOLS)/bin/python3 -m unittest discover --start-directory tests/deploy

.PHONY: pictures
pictures: $(TOOLS)/playwright.installed $(TOOLS)/pillow.installed ## take README's screenshot again
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
check-dependencies: $(TOOLS)/cargo-deny.installed ## check the licenses, versions, and sources of all crates
	cargo fetch --locked --quiet
	$(TOOLS)/bin/cargo-deny --offline --locked check -D unmatched-skip -D unnecessary-skip licenses bans sources

.PHONY: check-advisories
check-advisories: $(TOOLS)/cargo-deny.installed ## check all crates against RustSec's advisories (from GitHub)
	$(TOOLS)/bin/cargo-deny --locked check advisories

.PHONY: check-prose
check-prose: ## search comments, messages, and documents for wording that readers stumble over
	scripts/check-prose

.PHONY: check-secrets
check-secrets: $(TOOLS)/detect-secrets.installed ## search the files for secrets; HISTORY=1 searches all commits
	$(TOOLS)/bin/python3 scripts/secrets-scan $(if $(HISTORY),history)

.PHONY: check-template
check-template: $(CHECKOV)/checkov.installed ## check template.yaml with Checkov, offline
	$(CHECKOV)/bin/checkov --config-file tests/deploy/checkov.yaml

.PHONY: check-policies
check-policies: $(TOOLS)/sam.installed ## compare the functions' policies with the calls that `make test` recorded
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
validate: $(TOOLS)/sam.installed ## validate template.yaml, and find circular references, offline
	$(TOOLS)/bin/sam validate --lint
	$(TOOLS)/bin/python3 scripts/template-cycles

.PHONY: build
build: $(TOOLS)/sam.installed $(TOOLS)/cargo-lambda.installed rust-target ## build the functions for Lambda; ARCHITECTURE=x86_64
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" sam build --parameter-overrides Architecture=$(ARCHITECTURE)

.PHONY: deploy
deploy: region $(TOOLS)/sam.installed ## create or update the stack, optionally with a release; RELEASE=DIR PARAMETERS="Name=value" STACK=NAME
	$(WITHOUT_AWS) cargo build --bin marquee
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" python3 scripts/deploy

.PHONY: rollback
rollback: region $(TOOLS)/sam.installed ## return to the stack's previous release; STACK=NAME
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" python3 scripts/deploy rollback

.PHONY: destroy
destroy: region $(TOOLS)/sam.installed ## delete the stack, and list what remains; STACK=NAME CONFIRM=NAME
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" python3 scripts/deploy destroy

.PHONY: sam-local
sam-local: $(TOOLS)/sam.installed $(TOOLS)/cargo-lambda.installed ## run one function in its container; EVENT=FILE [ASSET=id]
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" python3 scripts/lambda-local \
	  invoke "$(EVENT)" $(if $(ASSET),--asset "$(ASSET)")

.PHONY: sam-local-each
sam-local-each: $(TOOLS)/sam.installed $(TOOLS)/cargo-lambda.installed ## run one event per function in containers, and compare the responses; FUNCTION=name
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" python3 scripts/lambda-local each $(FUNCTION)

.PHONY: watch
watch: $(TOOLS)/cargo-lambda.installed ## run the functions on 127.0.0.1:9000, rebuilt on change, with the database of `make run`
	PATH="$(CURDIR)/$(TOOLS)/bin:$$PATH" python3 scripts/lambda-local watch

.PHONY: bench
bench: ## measure speed and database operations, optimized, in about ten minutes
	cargo bench --package marquee-tests --bench bench

.PHONY: sizes
sizes: ## measure each function as deployed: size, cold start, and memory
	cargo bench --package marquee-tests --bench bench -- sizes

.PHONY: dist
dist: ## make an archive of the optimized program for this platform, with a checksum, in target/dist
	python3 scripts/dist target/dist

.PHONY: clean
clean: ## remove build output; keep the data in .local/data
	cargo clean
	rm -rf .aws-sam .local/sam-local

.PHONY: installed
installed: $(TOOLS)/cargo-deny.installed $(TOOLS)/detect-secrets.installed $(TOOLS)/sam.installed $(CHECKOV)/checkov.installed \
  $(PORTAL_CHECKS_INSTALLED) $(OPENAPI_CHECKS_INSTALLED) $(TOOLS)/schemathesis.installed $(TOOLS)/playwright.installed $(TOOLS)/exports.installed \
  $(CLIENT_TOOLS_INSTALLED) $(CLIENT_PACKAGES) $(PYTHON_CLIENT_INSTALLED) $(TYPESCRIPT_CLIENT_INSTALLED)

# Listed before the tools in prerequisites, so that a missing region is reported before they are installed.
.PHONY: region
region:
	python3 scripts/deploy/region.py

.PHONY: requirements
requirements: $(UV) ## update the packages in scripts/tools after changing the version of a tool
	$(TOOLS)/bin/python3 scripts/tools/compile.py

.PHONY: rust-target
rust-target:
	if command -v rustup >/dev/null; then rustup target add $(RUST_TARGET); \
	else echo "rustup not found: the Rust target $(RUST_TARGET) must already be installed"; fi

# Installing and compiling run third-party code, so their environment contains neither AWS credentials nor the
# address and the token for requesting a GitHub job's identity token.
WITHOUT_AWS := env $$(compgen -e | sed -nE 's/^(AWS|ACTIONS_ID_TOKEN)_/-u &/p')

# pip installs uv in the first environment, and the Python package's tests use pip in the second.
$(TOOLS)/bin/python3 $(PYTHON_CLIENT)/bin/python3: %/bin/python3:
	python3 -m venv $* || { \
	  echo "python3 with the venv module is required (on Debian: apt-get install python3-venv)" >&2; exit 1; }

$(UV): scripts/tools/uv.txt | $(TOOLS)/bin/python3
	$(WITHOUT_AWS) $(TOOLS)/bin/python3 -m pip install --quiet --no-deps --require-hashes --requirement $<
	touch --no-create $@

$(CHECKOV)/bin/python3 $(CLIENT_TOOLS)/bin/python3: %/bin/python3: | $(UV)
	$(UV) venv --quiet --clear --python $(TOOLS)/bin/python3 $*

# The requirements files list all dependencies.
INSTALL = $(WITHOUT_AWS) $(UV) pip install --quiet --no-deps --require-hashes --requirement $< \
  --python $(@D)/bin/python3

$(TOOLS)/%.installed: scripts/tools/%.txt | $(UV)
	$(INSTALL)
	touch $@

$(CHECKOV)/%.installed: scripts/tools/%.txt | $(UV) $(CHECKOV)/bin/python3
	$(INSTALL)
	touch $@

$(CLIENT_TOOLS_INSTALLED): $(CLIENTS)/python/requirements.txt | $(UV) $(CLIENT_TOOLS)/bin/python3
	$(INSTALL)
	touch $@

$(PYTHON_CLIENT_INSTALLED): scripts/tools/python-client.txt | $(UV) $(PYTHON_CLIENT)/bin/python3
	rm -rf $(PYTHON_CLIENT)/wheels
	$(WITHOUT_AWS) $(PYTHON_CLIENT)/bin/python3 -m pip download --quiet --no-deps --only-binary :all: \
	  --require-hashes --requirement $< --dest $(PYTHON_CLIENT)/wheels
	$(INSTALL) --no-index --find-links $(PYTHON_CLIENT)/wheels
	touch $@

# .npmrc disables the packages' install scripts.
$(PORTAL_CHECKS_INSTALLED) $(OPENAPI_CHECKS_INSTALLED) $(TYPESCRIPT_CLIENT_INSTALLED): %/node_modules/.package-lock.json: %/package-lock.json
	cd $* && npm ci --silent
	touch $@

$(CLIENT_PACKAGES): | $(TYPESCRIPT_CLIENT_INSTALLED)
	ln -sfn ../../../$(TYPESCRIPT_CLIENT)/node_modules $@
