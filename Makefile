# Two commands for everyone: `make demo`, `make test`. One more for contributors: `make check`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
# WORKERS=1 runs the tests in one process, one after another.
WORKERS ?= auto
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup --no-loadscope-reorder
LOCKS := requirements/runtime.txt requirements/dev.txt

ifdef UV
CREATE = $(UV) venv --quiet --python $(PYTHON) $(VENV)
INSTALL = $(UV) pip install --quiet --python $(BIN)/python --compile-bytecode
else
CREATE = $(PYTHON) -m venv $(VENV)
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif

.PHONY: demo test test-database collect check chaos coverage-table full perf lock clean
.DEFAULT_GOAL := demo

demo: $(VENV)/runtime.stamp
	@$(BIN)/understudy demo --fresh --format text

test: $(VENV)/dev.stamp
	@$(PYTEST)

# The tests that a database may decide, on the one that UNDERSTUDY_TEST_DATABASE_URL names.
test-database: $(VENV)/dev.stamp
	@: "$${UNDERSTUDY_TEST_DATABASE_URL:?is not set: postgres://user@host:5432/name}"
	@$(PYTEST)

# Finds every test, and thereby compiles them once: of several processes each would do it all.
collect: $(VENV)/dev.stamp
	@found="$$($(BIN)/python -m pytest --collect-only -qq)" || { echo "$$found"; exit 1; }; \
	  echo "$$found" | awk -F ': ' '{ tests += $$2 } END { print tests " tests in " NR " files" }'

# Six checks that know nothing of each other: `make --jobs 2 check` runs two at a time.
CHECKS := check-types check-style check-floors check-migrations check-schema check-docs
.PHONY: $(CHECKS)
check: $(CHECKS)

check-types: $(VENV)/dev.stamp
	$(BIN)/mypy

check-style: $(VENV)/dev.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

check-floors: $(VENV)/dev.stamp
	$(BIN)/lint-imports

check-migrations: $(VENV)/dev.stamp
	$(BIN)/python manage.py makemigrations --check --dry-run

check-schema: $(VENV)/dev.stamp
	$(BIN)/python manage.py spectacular --validate --fail-on-warn --file /dev/null

check-docs: $(VENV)/dev.stamp
	$(BIN)/python -m understudy_site.docs --check

# The tests that kill, fill the disk and start two at once, ROUNDS times each: a kill meets another
# moment every time.
ROUNDS ?= 10
CHAOS = \
  tests/flows/test_crash_and_resume.py tests/flows/test_workers.py tests/flows/test_two_hosts.py \
  tests/flows/test_build_interrupted.py tests/flows/test_authoring_killed.py \
  tests/benchmarks/mirror/test_processes.py tests/benchmarks/services/test_regenerating_killed.py \
  tests/benchmarks/artifacts/test_writers.py tests/benchmarks/artifacts/test_claim.py \
  tests/benchmarks/artifacts/test_refusals_of_the_disk.py tests/benchmarks/intake/test_partial.py \
  tests/benchmarks/intake/test_surroundings.py tests/runs/broker/test_embedded.py \
  tests/runs/executor/test_slices.py tests/runs/services/test_regrading_disk.py \
  tests/site/test_disk_that_refuses.py tests/site/test_jobs.py
chaos: $(VENV)/dev.stamp
	@UNDERSTUDY_TEST_ROUNDS=$(ROUNDS) $(PYTEST) $(CHAOS)

# How much of each room the tests reach, in lines and branches; TESTS names some of them only.
TESTS ?= tests
coverage-table: $(VENV)/dev.stamp
	@rm -rf build/coverage && mkdir -p build/coverage
	@$(BIN)/coverage run -m pytest -n $(WORKERS) --dist loadgroup --no-loadscope-reorder $(TESTS)
	@$(BIN)/coverage combine --quiet && $(BIN)/coverage json --quiet
	@$(BIN)/python -m tests.coverage_table build/coverage/report.json

# What a nightly runs (`.ci/run full` starts what it needs): on every Python from 3.11 to 3.13 that is
# found, all tests on both databases with the long forms; then the checks, the kills and the speed.
# The small local model is in .venv alone: coverage-table runs the test that hears it.
PYTHONS ?= $(shell for version in 3.11 3.12 3.13; do \
  for python in python$$version $$HOME/.pyenv/versions/$$version.*/bin/python; do \
  $$python -c "" 2>/dev/null && command -v $$python && break; done; done)
LONG = UNDERSTUDY_TEST_MUTATED_INPUTS=100000 WORKERS=$(WORKERS)
full:
	@: "$${UNDERSTUDY_TEST_POSTGRES_URL:?is not set: postgres://user@host:5432/name}"
	@for python in $(PYTHONS); do \
	  venv=build/full/$$($$python -c "import sys; print('%d.%d' % sys.version_info[:2])"); \
	  echo "== $$python, in $$venv" >&2; \
	  unset UNDERSTUDY_TEST_LOCAL_MODEL; \
	  UNDERSTUDY_TEST_DATABASE_URL="$$UNDERSTUDY_TEST_POSTGRES_URL" \
	    $(MAKE) --no-print-directory VENV=$$venv PYTHON=$$python test-database && \
	  $(LONG) $(MAKE) --no-print-directory VENV=$$venv PYTHON=$$python test || exit 1; \
	done
	@$(MAKE) --no-print-directory check chaos coverage-table perf

perf: $(VENV)/dev.stamp
	@for script in tests/perf/*.py; do $(BIN)/python $$script || exit 1; done

OLD = import sys; sys.version_info < (3, 11) and sys.exit("understudy needs Python 3.11 to 3.13, and \
$(PYTHON) is %d.%d: make demo PYTHON=python3.12" % sys.version_info[:2])

$(BIN)/python:
	@$(CREATE)
	@$(BIN)/python -c '$(OLD)' || { rm -rf $(VENV); exit 1; }

$(VENV)/runtime.stamp: pyproject.toml requirements/runtime.txt | $(BIN)/python
	@echo "setting up $(VENV) (once) ..."
	@$(INSTALL) --require-hashes -r requirements/runtime.txt
	@$(INSTALL) --no-deps -e .
	@touch $@

$(VENV)/dev.stamp: pyproject.toml requirements/dev.txt | $(BIN)/python
	@echo "setting up $(VENV) with the development tools (once) ..."
	@$(INSTALL) --require-hashes -r requirements/dev.txt
	@$(INSTALL) --no-deps -e .
	@touch $@ $(VENV)/runtime.stamp

# The locks hold for Python 3.11 to 3.13 and name no index.
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-header pyproject.toml --extra embedded --extra postgres --extra yaml --extra otlp -o requirements/runtime.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-header pyproject.toml --group dev --extra embedded --extra postgres --extra yaml --extra otlp -o requirements/dev.txt

clean:
	rm -rf $(VENV) build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
