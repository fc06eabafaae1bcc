# The two commands of the README, `make verify` and `make test`, and what else a developer runs.
# Each makes the virtual environment when there is none and builds what has changed.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml setup.py $(shell find ext -name '*.p*' -o -name '*.h')

.PHONY: verify serve test bench debug soak clean

verify: $(VENV)/built  ## Rule on every case of the rule book, then explain one real game.
	$(BIN)/xiangqi verify
	@echo
	@echo "The end of a tournament game of 2023: who had to change, and why?"
	@echo
	$(BIN)/xiangqi judge --case V14a --explain

serve: $(VENV)/built  ## Enter or paste games in the browser, have them ruled, play on.
	$(BIN)/xiangqi serve

test: $(VENV)/built-for-tests  ## Run all tests, linters and type checks.
	$(BIN)/python -m pytest

bench: $(VENV)/built-for-bench  ## Measure beside the peers that are installed.
	$(BIN)/python -m bench

# The same tests on a build with all assertions, in a copy of the tree.
debug: build/debug-tree
	$(MAKE) -C build/debug-tree test MEIHUA_DEBUG=1 VENV=.venv

# For so many minutes, on such a build: random cycles, damaged input, self-play, slow positions.
MINUTES ?= 60
SOAK := cd build/debug-tree && .venv/bin/python -m
FOR := --count 1000000000 --seed $$(date +%s) --seconds $$(( $(MINUTES) * 15 ))
soak: build/debug-tree
	$(MAKE) -C build/debug-tree .venv/built-for-bench .venv/built-for-tests MEIHUA_DEBUG=1 VENV=.venv
	$(SOAK) tests.fuzz.cycles $(FOR)
	$(SOAK) tests.fuzz.inputs $(FOR)
	$(SOAK) tests.fuzz.selfplay $(FOR)
	$(SOAK) tests.fuzz.first_iteration $(FOR)

.PHONY: build/debug-tree
build/debug-tree:
	rm -rf $@
	mkdir -p $@
	git ls-files -z --cached --others --exclude-standard | xargs -0 tar -cf - | tar -xf - -C $@

$(BIN)/python:
	@sh .ci/missing "$(PYTHON)"
	@echo "Making a virtual environment in $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)

# What is needed is fetched once, and again only when pyproject.toml asks for something new; to build
# needs no network.
$(VENV)/fetched: $(BIN)/python pyproject.toml
	@echo "Fetching what Meihua needs, 12 MB at most ..."
	@sh .ci/fetch $(BIN)/python
	@touch $@

$(VENV)/built: $(VENV)/fetched $(SOURCES)
	@echo "Compiling the core, which takes about a minute ..."
	@sh .ci/build $(BIN)/python
	@touch $@

$(VENV)/built-for-tests: $(VENV)/built
	@echo "Fetching what the tests need, 150 MB at most ..."
	@sh .ci/fetch $(BIN)/python test
	@touch $@

$(VENV)/built-for-bench: $(VENV)/built
	@echo "Fetching what the benches need, 40 MB at most ..."
	@sh .ci/fetch $(BIN)/python bench
	@touch $@

export MEIHUA_DEBUG

clean:
	rm -rf build $(VENV) bench/*.so *.egg-info
	find xiangqi/core -name '*.so' -delete
