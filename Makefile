# make play: the games. make serve: the same in the browser. make test: the tests. Needs Python 3.11+ and make; uses uv when it is there.
VENV := .venv
BIN := $(VENV)/bin
MARK := $(VENV)/.installed

# The first Python that is new enough.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
NPM := $(shell command -v npm 2>/dev/null)
NODE := node_modules
UV := $(shell command -v uv 2>/dev/null)
INSTALL := $(if $(UV),$(UV) pip install -q --python $(BIN)/python,$(BIN)/python -m pip install -q --disable-pip-version-check)

.PHONY: play serve test test-slow coverage spiel baselines baselines-test jax learned check check-js api-types format bench bench-agents bench-rollouts bench-lab fairness docs screenshots site clean

play: $(MARK)-play
	@$(BIN)/pentagrid || test $$? -eq 130

serve: $(MARK)-web
	@$(BIN)/pentagrid serve

test: $(MARK)-test
	$(BIN)/python -m pytest -n auto -m "not slow and not alone"
	$(BIN)/python -m pytest -m "alone and not slow"

test-slow: $(MARK)-test
	$(BIN)/python -m pytest -n auto -m slow

# Without the tests of what a bare process loads: one that is measured loads more.
coverage: $(MARK)-test
	$(BIN)/python -m pytest -n auto --timeout 600 --ignore tests/test_layers.py --cov --cov-report term-missing $(ARGS)

spiel: $(MARK)-test
	$(INSTALL) -e ".[spiel]"

# What needs torch. Installed by pip, which finds the build of it that has no CUDA.
baselines-test: $(MARK)-baselines
	$(BIN)/python -m pytest tests/test_baselines.py

# The games in JAX, tested beside pgx, and what learns there.
jax: $(MARK)-test
	$(INSTALL) -e ".[train]" pgx
	$(BIN)/python -m pytest -n 2 tests/test_jax.py tests/test_jax_oracle.py tests/test_train.py

# The policies that ship as the player `learned`, trained anew.
learned: $(MARK)-test
	$(INSTALL) -e ".[train]"
	$(BIN)/python docs/learned.py

baselines: $(MARK)-baselines
	$(BIN)/python docs/baselines.py

check: $(MARK)-check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/mypy --config-file tests/mypy.ini tests benchmarks docs types
	$(if $(NPM),@$(MAKE) --no-print-directory check-js,@echo "The scripts are not checked: npm is not here (make check-js).")

check-js: $(MARK)-web $(NODE)/.package-lock.json
	$(BIN)/python types/make.py --check
	$(NODE)/.bin/tsc
	$(NODE)/.bin/eslint --max-warnings 0 .

api-types: $(MARK)-web
	$(BIN)/python types/make.py

format: $(MARK)-check
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(MARK)-play
	$(BIN)/python benchmarks/play.py
	$(BIN)/python benchmarks/solve.py
	$(BIN)/python benchmarks/startup_app.py
	$(BIN)/python benchmarks/key_lag.py

bench-agents: $(MARK)-test
	$(BIN)/python benchmarks/agents.py
	$(BIN)/python benchmarks/dataset_rows.py

# Compares with pgx where that is installed: .venv/bin/python -m pip install pgx jax
bench-rollouts: $(MARK)-test
	$(BIN)/python benchmarks/rollouts.py

bench-lab: $(MARK)-play
	$(BIN)/python benchmarks/census.py
	$(BIN)/python benchmarks/puzzles.py

fairness: $(MARK)-test
	$(BIN)/python docs/fairness.py $(ARGS)

docs: $(MARK)-play
	$(BIN)/python docs/make.py

screenshots: $(MARK)-test
	$(BIN)/python docs/screenshots.py

site: $(MARK)-site
	$(BIN)/python docs/website.py

clean:
	rm -rf $(VENV) $(NODE) build dist site .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Pentagrid needs Python 3.11 or newer; name one: make PYTHON=/path/to/python3 ..." >&2; exit 1; }
	$(if $(UV),$(UV) venv -q --python $(PYTHON) $(VENV),$(PYTHON) -m venv $(VENV))

$(MARK)-play: pyproject.toml | $(BIN)/python
	$(INSTALL) -e ".[tui]"
	@touch $@

$(MARK)-web: pyproject.toml | $(BIN)/python
	$(INSTALL) -e ".[web]"
	@touch $@

$(MARK)-test: pyproject.toml | $(BIN)/python
	$(INSTALL) -e ".[test]"
	@touch $@ $(MARK)-play $(MARK)-web

$(MARK)-baselines: $(MARK)-test
	$(if $(UV),$(UV) pip install -q --python $(BIN)/python pip)
	$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[baselines]"
	@touch $@

$(MARK)-check: pyproject.toml | $(BIN)/python
	$(INSTALL) -e ".[check]"
	@touch $@ $(MARK)-play

$(MARK)-site: pyproject.toml | $(BIN)/python
	$(INSTALL) -e ".[site]"
	@touch $@

$(NODE)/.package-lock.json: package.json package-lock.json
	@test -n "$(NPM)" || { echo "The scripts are checked by Node.js; install it with npm." >&2; exit 1; }
	npm ci --loglevel=error
	@touch $@
