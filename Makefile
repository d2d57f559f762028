# tabiya: everything runs in a virtual environment beside the sources; nothing here installs system packages.
#
#   make demo    show what tabiya does           make bench   measure it
#   make check   style, types, quick tests       make format  sort imports, format the code
#   make test    run all tests                   make fuzz    hunt for crashes (needs clang)
#   make lint    style, types, layers, page      make docs    build the documentation into site/
#   make dist    wheel and sdist into dist/      make clean   remove everything that make built
#   make web     build the page of tabiya serve  make serve   open it on the examples
#   make mutants PACKAGE=formats/pgn             which small mistakes in a package no test notices
#   make soak    try conversions, kills, losses of power and fuzz targets for SOAK_MINUTES (10)
#   make wheels  a wheel per interpreter that is here, tried without a compiler
#   make app     the program for computers without Python, into dist/app
#   make man     man pages into build/man
#   make release-check                           what is missing before the version can be tagged
#   make screenshots                             pictures of the page for the documentation (needs chromium)
#
# PYTHON chooses the interpreter (3.11 or newer), ARGS goes to pytest and screenshots, FUZZ_SECONDS is the time per target,
# MISTAKES and SEED are how many mistakes and which, NEAR=1 judges them by the tests of their package alone.
# PYTHONS are the interpreters of make wheels.

# With it, every worker and every program that a test starts would compile its modules anew, which takes half a minute.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
VENV ?= .venv
ARGS ?=
FUZZ_SECONDS ?= 60
SOAK_MINUTES ?= 10
MISTAKES ?= 20
SEED ?= 1
CLANG ?= $(shell for name in clang clang-20 clang-19 clang-18 clang-17 clang-16 clang-15 clang-14; do \
	command -v $$name && break; done)

PY := $(VENV)/bin/python
PIP := $(PY) -m pip -qq --disable-pip-version-check
JOBS := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
# Tests that start a browser, a server or another process wait a third of their time: one worker more than cores.
WORKERS := $(shell expr $(JOBS) + 1)
KERNELS := $(shell find src -name '*.pyx' -o -name '*.pxd')
SOURCES := $(KERNELS) $(shell find src -name '*.py')
PAGE := src/tabiya/web/page/index.html
PAGE_SOURCES := $(shell find web -name node_modules -prune -o -name pieces.svg -o -type f -print)

.PHONY: build tools demo web serve screenshots check quick-tests test style lint format bench fuzz soak mutants docs man \
	dist dist-check wheels release-check app clean
.DELETE_ON_ERROR:

# Stamps: libraries and tools are renewed when pyproject.toml changes, kernels are compiled again when one of their sources
# does. Cython follows cimports, so only what depends on a changed .pxd is compiled; a changed setup.py compiles all.
$(VENV)/build-group.stamp: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tabiya needs Python 3.11 or newer: make PYTHON=...")'
	@test -x $(PY) || $(PYTHON) -m venv $(VENV)
	@echo "Installing compilers and libraries into $(VENV) ..."
	@$(PIP) install 'pip>=25.1'
	@$(PIP) install --group build
	@touch $@

$(VENV)/kernels.stamp: setup.py $(KERNELS) $(VENV)/build-group.stamp
	@echo "Compiling kernels ..."
	@CYTHON_FORCE_REGEN=$(if $(filter setup.py,$?),1,0) $(PY) setup.py --quiet build_ext --inplace --parallel $(JOBS) \
		$(if $(filter setup.py,$?),--force)
	@touch $@

$(VENV)/package.stamp: pyproject.toml | $(VENV)/kernels.stamp
	@TABIYA_KERNEL=none $(PIP) install --no-build-isolation --editable .
	@touch $@

build: $(VENV)/kernels.stamp $(VENV)/package.stamp

$(VENV)/%-group.stamp: pyproject.toml $(VENV)/build-group.stamp
	@echo "Installing the tools of the group $* ..."
	@$(PIP) install --group $*
	@touch $@

tools: build $(VENV)/dev-group.stamp

demo: build
	@$(PY) demo/run.py

# Where Node.js or the packages of npm cannot be had, this says so and leaves no page; everything else works without.
$(PAGE): $(PAGE_SOURCES) src/tabiya/chess/svg.py scripts/web_page.py | build
	@$(PY) -m scripts.web_page build

web: $(PAGE)

serve: tools web
	@$(VENV)/bin/tabiya serve examples

screenshots: tools web
	@$(PY) -m scripts.screenshots $(ARGS)

# What to run before every commit: the style and the quick tests at the same time.
check: tools
	@$(MAKE) --no-print-directory -j2 style quick-tests

quick-tests: tools
	@$(PY) -m pytest -q $(ARGS) @tests/quick.txt

test: tools web
	@$(PY) -m scripts.web_page test
	@$(PY) -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

style: tools
	@$(VENV)/bin/ruff check
	@$(VENV)/bin/ruff format --check
	@PATH="$(VENV)/bin:$$PATH" cython-lint src bench
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports

format: $(VENV)/dev-group.stamp
	@$(VENV)/bin/ruff check --fix-only
	@$(VENV)/bin/ruff format

lint: style
	@$(PY) -m scripts.web_types check
	@$(PY) -m scripts.web_page check

bench: tools $(VENV)/bench-group.stamp
	@$(PY) bench/run.py

docs: tools $(VENV)/docs-group.stamp
	@$(VENV)/bin/zensical build --config-file mkdocs.yml --strict --clean

# A second build of the whole package, instrumented for the fuzzer, in its own directory; see fuzz/README.md.
build/fuzz/package.stamp: setup.py $(SOURCES) $(VENV)/build-group.stamp
	@test -n "$(CLANG)" || { echo "make fuzz needs clang; see fuzz/README.md"; exit 1; }
	@echo "Compiling kernels with clang and its sanitizers ..."
	@TABIYA_SANITIZE=1 CC=$(CLANG) $(PY) setup.py --quiet build --parallel $(JOBS) \
		--build-base build/fuzz --build-lib build/fuzz/lib $(if $(filter setup.py,$?),--force)
	@touch $@

fuzz: tools $(VENV)/fuzz-group.stamp build/fuzz/package.stamp
	@for target in fuzz/fuzz_*.py; do PYTHON=$(PY) fuzz/run $$target -max_total_time=$(FUZZ_SECONDS) || exit 1; done

# Where there is no clang, everything else is tried.
soak: tools $(if $(CLANG),$(VENV)/fuzz-group.stamp build/fuzz/package.stamp)
	@$(PY) -m scripts.soak --minutes $(SOAK_MINUTES)

mutants: tools
	@test -n "$(PACKAGE)" || { echo "which package? make mutants PACKAGE=formats/pgn"; exit 1; }
	@$(PY) -m scripts.mutants $(PACKAGE) --mistakes $(MISTAKES) --seed $(SEED) --jobs $(JOBS) $(if $(NEAR),--near)

dist: $(VENV)/dev-group.stamp web
	@$(PY) -m build

dist-check: $(VENV)/dev-group.stamp web
	@$(PY) scripts/check_dist.py

wheels: tools web
	@$(PY) -m scripts.wheels $(PYTHONS)

release-check: tools dist-check
	@$(PY) -m scripts.release_check

app: tools web $(VENV)/app-group.stamp
	@$(PY) -m scripts.app

man: build
	@$(PY) -m scripts.man_pages build/man

clean:
	rm -rf $(VENV) build dist site crashes *.egg-info src/*.egg-info web/node_modules src/tabiya/web/page
	rm -f web/src/board/pieces.svg
	rm -rf .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name '__pycache__' -prune -exec rm -rf {} +
	find src \( -name '*.so' -o -name '*.pyd' \) -delete
