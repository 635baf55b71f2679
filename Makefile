# Everything that one does with Proplane. `make` alone lists it.
.DEFAULT_GOAL := help
SHELL := /bin/bash

# Node 24 comes as the npm package `node`, unless the machine has a Node that is new enough.
BIN := node_modules/.bin
INSTALLED := node_modules/.installed
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: help
help: ## list what there is
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## /\1\t/' | awk -F '\t' '{ printf "  make %-10s %s\n", $$1, $$2 }'

# Not `npm ci`: it refuses a lock file that lacks packages for platforms which a registry does not carry.
$(INSTALLED): package.json package-lock.json
	npm install --no-save --no-audit --no-fund --loglevel=error
	@ln -sf ../../cli/proplane.js $(BIN)/proplane
	@touch $(INSTALLED)

.PHONY: install
install: $(INSTALLED) ## install what is needed into node_modules

PAGES := frontend/dist/index.html
$(PAGES): $(INSTALLED) frontend/build-pages.ts $(shell find frontend/pages model)
	@npm run --silent build-pages

.PHONY: pages
pages: $(PAGES) ## build the pages of the frontend into frontend/dist

.PHONY: run
run: install pages ## start everything embedded, over examples/
	@MANIFESTS="$${MANIFESTS-examples/resources/**/*.yaml}" CATALOGUE="$${CATALOGUE-examples/catalogue.yaml}" exec node start/main.ts

.PHONY: test
test: install pages ## the quick tier of the tests: every property, most of them on the embedded pair
	@npm test --silent

.PHONY: test-all
test-all: install pages ## the long tier: what `make test` leaves out, such as faults at every step, leaders, replicas
	@npm run test-all --silent

.PHONY: mutations
mutations: install ## plant faults one by one in a copy of the tree: the tests have to find each
	@npm run --silent mutations

.PHONY: e2e-kind
e2e-kind: install ## the tests on Kubernetes, on a cluster that `kind` makes with a container engine
	@node test/e2e-kind.ts

.PHONY: check
check: install ## types, lint, format, import directions, dead exports, generated files fresh
	@npm run --silent check

.PHONY: format
format: install ## mend what the linter and the formatter can mend
	@npm run --silent format

.PHONY: generate
generate: install ## write the generated files
	@npm run --silent generate

.PHONY: build
build: install ## compile to dist/, for the image and the published command line
	@npm run --silent build

.PHONY: bench
bench: install ## benchmarks, each a ratio to a baseline measured in the same run
	@npm run --silent bench

.PHONY: soak
soak: install ## long and large tests, whose figures are written down
	@npm run --silent soak

.PHONY: clean
clean: ## remove what make made: node_modules, dist, data
	rm -rf node_modules dist frontend/dist data
