# One command for everything, the same on a laptop and in CI. `make help` lists them.
SHELL := /bin/bash
PYTHON ?= python3.11
VENV ?= .venv
BIN := $(VENV)/bin
# Wheels are kept outside the tree so that a second clone installs in a minute; the folder may be absent or read-only.
export PIP_DISABLE_PIP_VERSION_CHECK = 1
export PYTHONUNBUFFERED = 1

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

# The stamps make a second run start in seconds.
$(VENV)/.base: pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 is needed: set PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing the platform and the training engine (about two minutes the first time) ..."
	@$(BIN)/pip install --quiet hatchling==1.33.0 editables==0.6
	@$(BIN)/pip install --quiet --no-build-isolation --editable ".[web,engine]"
	@command -v node >/dev/null && node -e 'const [a,b]=process.versions.node.split(".");process.exit(a>20||(a==20&&b>=19)?0:1)' \
		|| $(BIN)/pip install --quiet --no-build-isolation --editable ".[frontend]"
	@touch $@

$(VENV)/.dev: $(VENV)/.base
	@$(BIN)/pip install --quiet --no-build-isolation --editable ".[web,engine,ncnn,dev]"
	@touch $@

.PHONY: install
install: $(VENV)/.dev frontend ## Install everything that development needs

FRONTEND_SOURCES := $(shell find frontend docs -type f -not -path '*/node_modules/*' -not -path '*/dist/*' 2>/dev/null)
frontend/dist/index.html: $(VENV)/.base $(FRONTEND_SOURCES)
	@$(BIN)/python manage.py build_frontend

exporters/_javascript/built/built.json: frontend/dist/index.html
	@$(BIN)/python manage.py npm run --silent build:sdk

.PHONY: frontend
frontend: frontend/dist/index.html exporters/_javascript/built/built.json ## Build the web app

.PHONY: demo
demo: $(VENV)/.base frontend ## Start the platform and walk from pictures to an answered API; stays up
	@exec $(BIN)/python manage.py up --demo

.PHONY: up
up: $(VENV)/.base frontend ## Start the platform without the walk
	@exec $(BIN)/python manage.py up

.PHONY: doctor
doctor: $(VENV)/.base ## Name what is missing or wrong, with its cure
	@$(BIN)/python manage.py doctor

.PHONY: test
test: $(VENV)/.dev frontend ## Run every test: architecture, contracts, packages, journeys, browser
	@$(BIN)/python -m tests

# The commit or branch that a change is compared with.
SINCE ?= main

# mypy reads what its last run left in .mypy_cache: seconds. The first run in a clone takes about a minute.
.PHONY: check
check: $(VENV)/.dev frontend/node_modules/.package-lock.json ## Check a change in two minutes: style, types, arrows and the tests near to it
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m tests.support.imported_names
	$(BIN)/lint-imports
	$(BIN)/python -m tests --since $(SINCE)

.PHONY: lint
lint: $(VENV)/.dev frontend/node_modules/.package-lock.json ## Check style, types, arrows and spelling
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(BIN)/python -m tests.support.imported_names
	$(BIN)/codespell automl engine exporters runtime labeling platform client tests benchmarks docs frontend/src *.md
	$(BIN)/python manage.py npm run lint

frontend/node_modules/.package-lock.json: frontend/package-lock.json | $(VENV)/.base
	@$(BIN)/python manage.py npm ci

.PHONY: format
format: $(VENV)/.dev frontend/node_modules/.package-lock.json ## Put the code into its shape
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .
	$(BIN)/python manage.py npm run format

.PHONY: openapi
openapi: $(VENV)/.dev ## Write the OpenAPI document and the TypeScript client
	$(BIN)/python manage.py export_openapi
	$(BIN)/python manage.py npm run api

.PHONY: bench
bench: $(VENV)/.dev ## Measure the claims: one JSON line each, ratios against a baseline of the same run
	$(BIN)/python -m benchmarks

.PHONY: screenshots
screenshots: $(VENV)/.dev frontend ## Take the pictures of the README in a real browser
	$(BIN)/python -m tests.e2e.screenshots
