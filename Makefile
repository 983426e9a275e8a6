# Front of the CMake build: `make` builds build/wirespeed, `make run` and `make test` also install what is missing.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
MAKEFLAGS += --no-print-directory
export CMAKE_BUILD_PARALLEL_LEVEL = $(JOBS)

.PHONY: all configure run test test-all install clean

all: configure
	@cmake --build build --target wirespeed

configure:
	@cmake --preset release >/dev/null

# Arguments: make run ARGS="list --here"
run:
	@scripts/install-deps build
	@$(MAKE) all
	@build/wirespeed $(ARGS)

test:
	@scripts/install-deps build test
	@$(MAKE) configure
	@cmake --build build
	@scripts/run-tests build fast

# What takes minutes: sanitizers, the other compiler, fuzzers; each is one CTest test with the label "slow".
test-all:
	@scripts/install-deps build test
	@$(MAKE) configure
	@cmake --build build
	@scripts/run-tests build slow

install: all
	@cmake --install build --prefix $(PREFIX)

clean:
	rm -rf build build-dev build-asan build-tsan build-gcc build-clang build-fuzz
