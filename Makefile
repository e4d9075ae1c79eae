# Proctor. `make help` lists the targets; README.md says what they are for.
# Sources, tests and pages are found by wildcard; build/toolchain.mk holds what is particular to musl.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
MAKEFLAGS += -j$(shell nproc)
ifneq ($(filter clean,$(MAKECMDGOALS)),)
.NOTPARALLEL: # `make clean all` means first the one, then the other
endif
include build/toolchain.mk
-include init/policy/policy.mk

PREFIX ?= /usr/local
DESTDIR ?=
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
COMPDIR ?= $(PREFIX)/share/bash-completion/completions
FUZZ_SECONDS ?= 60
T ?=

VERSION := $(shell cat build/version)
BUILD_FILES := Makefile build/toolchain.mk build/version
CLANG := clang

# ---- sources ----

INIT_ROOMS := wire core policy sys seal watch report
HOST_ROOMS := judge sys intake engine evidence command
WIRE_SRC := $(sort $(wildcard init/wire/*.c))
INIT_SRC := $(sort $(foreach room,$(INIT_ROOMS),$(wildcard init/$(room)/*.c)))
HOST_SRC := $(sort $(foreach room,$(HOST_ROOMS),$(wildcard scorer-host/$(room)/*.c)))
POLICY_GEN_SRC ?= $(sort $(wildcard init/policy/gen/*.c))
UNIT_SRC := $(sort $(wildcard tests/unit/test_*.c))
FUZZ_SRC := $(sort $(wildcard tests/fuzz/fuzz_*.c))
HOST_FUZZ := $(if $(FUZZ_SRC),$(shell grep -lE '^.include "(judge|intake|engine|evidence|command)/' $(FUZZ_SRC)))
MAN_PAGES := $(sort $(wildcard init/man/*.[1-9] scorer-host/man/*.[1-9]))

# ---- flags ----

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wpointer-arith -Wcast-qual -Wvla -Wformat=2 -Wundef -Wwrite-strings \
	-Wswitch-enum -Wnull-dereference -Wold-style-definition
LANGUAGE := -std=c11 -D_GNU_SOURCE $(WARNINGS)
BASE_CFLAGS := $(LANGUAGE) -DPROCTOR_VERSION='"$(VERSION)"' $(REPRODUCIBLE) -MMD -MP
HARDENED := -fstack-protector-strong
HOST_CFLAGS := -isystem /usr/include/bearssl -O2 -g -fPIE -D_FORTIFY_SOURCE=2 -fstack-clash-protection $(HARDENED)
HOST_LDFLAGS := -pie -Wl,-z,relro,-z,now,-z,noexecstack,--build-id=none,--as-needed
HOST_LIBS := -ljansson -lcyaml -lyaml -lseccomp -lcrypto -lbearssl -lsqlite3 -lm
SANITIZE := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined

# Each room names its neighbours as "room/header.h"; host code has its own sys/ and sees only wire/ of init.
IS_HOST := scorer-host/% tests/unit/test_host_% tests/reference/% $(HOST_FUZZ)
quotes = $(if $(filter $(IS_HOST),$(1)),-iquote scorer-host) -iquote init

.PHONY: all help demo check battery fuzz bench lint asan install clean tests fuzzers \
	print-init-cflags

all: $(O)/proctor-init $(if $(filter $(BUILD_ARCH),$(ARCH)),$(O)/scorer-host)

help:
	@printf '%s\n' \
	'make            build $(O)/proctor-init and scorer-host (installs what is missing first)' \
	'make demo       run the example submission and a hostile one, sealed and scored' \
	'make check      every test; make check T=name only those whose name contains it' \
	'make battery    the hostile programs in real containers' \
	'make fuzz       every fuzzer for FUZZ_SECONDS ($(FUZZ_SECONDS)) each' \
	'make bench      size, start-up and memory beside tini, dumb-init and catatonit' \
	'make lint       warnings as errors under gcc and clang, static analysis, format, floors' \
	'make asan       the unit tests under the address and undefined behaviour sanitizers' \
	'make install    programs, man pages and completion below $$DESTDIR$$PREFIX' \
	'make clean      remove all products; the pinned sources stay' \
	'' \
	'Variables: ARCH ($(ARCH)), CC ($(CC)), PREFIX ($(PREFIX)), DESTDIR, V=1 shows every command.'

# ---- set-up ----

$(OUT)/ready-%: build/setup build/packages build/sources.lock
	$(Q)build/setup $*
	$(Q)touch $@

LIBS := $(O)/lib/ready
$(LIBS): $(OUT)/ready-build $(if $(BINUTILS),$(OUT)/ready-$(ARCH)) build/libs.mk build/toolchain.mk
	$(Q)$(MAKE) --no-print-directory -f build/libs.mk ARCH=$(ARCH) CC=$(CC)
	$(Q)touch $@

# ---- proctor-init ----

INIT_OBJ := $(patsubst %.c,$(O)/init-obj/%.o,$(INIT_SRC) $(wildcard init/*.c)) \
	$(if $(POLICY_GEN_SRC),$(O)/init-obj/gen/policy_blob.o)
INIT_CFLAGS = $(MUSL_CFLAGS) -isystem $(O)/include $(HARDENED)

$(O)/init-obj/%.o: %.c $(LIBS) $(BUILD_FILES)
	$(say) CC $<
	$(Q)mkdir -p $(@D)
	$(Q)$(TARGET_CC) $(BASE_CFLAGS) $(INIT_CFLAGS) -iquote init -c $< -o $@
$(O)/init-obj/gen/%.o: $(O)/gen/%.c $(LIBS) $(BUILD_FILES)
	$(say) CC $<
	$(Q)mkdir -p $(@D)
	$(Q)$(TARGET_CC) $(BASE_CFLAGS) $(INIT_CFLAGS) -iquote init -c $< -o $@

$(O)/proctor-init.unstripped: $(INIT_OBJ)
	$(say) LD $@
	$(Q)$(TARGET_CC) $(MUSL_LDFLAGS) -o $@.new $(MUSL_START) $(INIT_OBJ) $(O)/lib/libbearssl.a $(MUSL_END)
	$(Q)mv $@.new $@
$(O)/proctor-init: $(O)/proctor-init.unstripped build/assert
	$(say) STRIP $@
	$(Q)$(BINUTILS)strip -s -R .comment -o $@.new $<
	$(Q)NM=$(BINUTILS)nm READELF=$(BINUTILS)readelf build/assert $@.new $<
	$(Q)mv $@.new $@

# The policy generator runs on the build machine; it fails when a rule does not make it into the program.
POLICY_GEN := $(OUT)/host/policy-gen
POLICY_GEN_OBJ := $(patsubst %.c,$(OUT)/host/gen-obj/%.o,$(POLICY_GEN_SRC))
$(OUT)/host/gen-obj/%.o: %.c $(LIBS) $(BUILD_FILES)
	$(say) HOSTCC $<
	$(Q)mkdir -p $(@D)
	$(Q)gcc $(BASE_CFLAGS) -O1 -g -iquote init -isystem $(OUT)/host/include -c $< -o $@
$(POLICY_GEN): $(POLICY_GEN_OBJ)
	$(say) HOSTLD $@
	$(Q)gcc -o $@ $^ $(OUT)/host/lib/libseccomp.a
$(OUT)/%/gen/policy_blob.c: $(POLICY_GEN)
	$(say) GEN $@
	$(Q)mkdir -p $(@D)
	$(Q)$(POLICY_GEN) $* >$@.new
	$(Q)mv $@.new $@

# ---- scorer-host ----

HOST_OBJ := $(patsubst %.c,$(O)/host-obj/%.o,$(WIRE_SRC) $(HOST_SRC) $(wildcard scorer-host/main.c))
$(O)/host-obj/%.o: %.c $(LIBS) $(BUILD_FILES)
	$(say) CC $<
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(BASE_CFLAGS) $(HOST_CFLAGS) $(call quotes,$<) -c $< -o $@
$(O)/scorer-host: $(HOST_OBJ)
	$(say) LD $@
	$(Q)$(CC) $(HOST_LDFLAGS) -o $@.new $(HOST_OBJ) $(HOST_LIBS)
	$(Q)mv $@.new $@

# ---- the same sources compiled for tests: plain, with sanitizers, for libFuzzer ----

# In: name, compiler, flags. Objects in build/out/<name>, and of them the archives that tests are linked with.
define variant
$(OUT)/$(1)/%.o: %.c $(LIBS) $(BUILD_FILES) | $(OUT)/ready-check
	$$(say) $(1) $$<
	$$(Q)mkdir -p $$(@D)
	$$(Q)$(2) $(BASE_CFLAGS) $(3) $$(call quotes,$$<) -isystem $(OUT)/host/include -c $$< -o $$@
$(OUT)/$(1)/gen/policy_%.o: $(OUT)/%/gen/policy_blob.c $(LIBS) $(BUILD_FILES)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$(2) $(BASE_CFLAGS) $(3) -iquote init -c $$< -o $$@
$(OUT)/$(1)/libwire.a: $(patsubst %.c,$(OUT)/$(1)/%.o,$(WIRE_SRC))
$(OUT)/$(1)/libinit.a: $(patsubst %.c,$(OUT)/$(1)/%.o,$(INIT_SRC)) $(if $(POLICY_GEN_SRC),$(OUT)/$(1)/gen/policy_$(BUILD_ARCH).o)
$(OUT)/$(1)/libhost.a: $(patsubst %.c,$(OUT)/$(1)/%.o,$(HOST_SRC) $(WIRE_SRC))
$(OUT)/$(1)/lib%.a:
	$$(Q)mkdir -p $$(@D)
	$$(Q)rm -f $$@ && ar crsD $$@ $$^
$(OUT)/$(1)/unit/test_wire_%: $(OUT)/$(1)/tests/unit/test_wire_%.o $(OUT)/$(1)/libwire.a
	$$(Q)mkdir -p $$(@D)
	$$(Q)$(2) $(3) -o $$@ $$^ -lcmocka -lbearssl -lm
$(OUT)/$(1)/unit/test_init_%: $(OUT)/$(1)/tests/unit/test_init_%.o $(OUT)/$(1)/libinit.a
	$$(Q)mkdir -p $$(@D)
	$$(Q)$(2) $(3) -o $$@ $$^ $(OUT)/host/lib/libseccomp.a -lcmocka -lbearssl -lm
$(OUT)/$(1)/unit/test_host_%: $(OUT)/$(1)/tests/unit/test_host_%.o $(OUT)/$(1)/libhost.a
	$$(Q)mkdir -p $$(@D)
	$$(Q)$(2) $(3) -o $$@ $$^ -lcmocka $(HOST_LIBS)
$(OUT)/$(1)/reference/driver: $(OUT)/$(1)/tests/reference/driver.o $(OUT)/$(1)/libhost.a
	$$(Q)mkdir -p $$(@D)
	$$(Q)$(2) $(3) -o $$@ $$^ $(HOST_LIBS)
endef
$(eval $(call variant,test,$(CC),-O1 -g))
$(eval $(call variant,asan,$(CC),$(SANITIZE)))
$(eval $(call variant,fuzz,$(CLANG),$(SANITIZE) -fsanitize=fuzzer-no-link))

fuzz_libs = $(if $(filter $(HOST_FUZZ),tests/fuzz/$(1).c),$(2)/libhost.a $(HOST_LIBS),$(2)/libinit.a $(OUT)/host/lib/libseccomp.a -lbearssl -lm)
$(OUT)/fuzz/fuzz_%: $(OUT)/fuzz/tests/fuzz/fuzz_%.o $(OUT)/fuzz/libinit.a $(OUT)/fuzz/libhost.a
	$(Q)$(CLANG) $(SANITIZE) -fsanitize=fuzzer -o $@ $< $(call fuzz_libs,fuzz_$*,$(OUT)/fuzz)
$(OUT)/asan/fuzz/fuzz_%: $(OUT)/asan/tests/fuzz/fuzz_%.o $(OUT)/asan/build/replay.o $(OUT)/asan/libinit.a $(OUT)/asan/libhost.a
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(SANITIZE) -o $@ $< $(OUT)/asan/build/replay.o $(call fuzz_libs,fuzz_$*,$(OUT)/asan)

# ---- tests ----

# With T, only what its name can reach is built.
wanted = $(if $(T),$(strip $(foreach name,$(1),$(if $(findstring $(T),$(name)),$(name)))),$(1))
UNIT := $(patsubst tests/%.c,%,$(UNIT_SRC))
ASAN_UNIT := $(call wanted,$(patsubst unit/%,asan/%,$(UNIT)))
FUZZERS := $(notdir $(basename $(FUZZ_SRC)))
DRIVERS := $(if $(call wanted,reference/test_reference),$(OUT)/test/reference/driver)
REPLAYED := $(call wanted,$(addprefix fuzz/,$(FUZZERS)))
tests: $(addprefix $(OUT)/test/,$(call wanted,$(UNIT))) $(patsubst asan/%,$(OUT)/asan/unit/%,$(ASAN_UNIT)) \
	$(addprefix $(OUT)/asan/,$(REPLAYED)) $(DRIVERS)
fuzzers: $(addprefix $(OUT)/fuzz/,$(FUZZERS))

export PROCTOR_INIT := $(CURDIR)/$(O)/proctor-init
export SCORER_HOST := $(CURDIR)/$(O)/scorer-host
export PROCTOR_OUT := $(CURDIR)/$(OUT)
READY_ALL := $(OUT)/ready-build $(OUT)/ready-run $(OUT)/ready-check

check: $(READY_ALL) all tests
	$(Q)build/run-tests $(T)

asan: $(READY_ALL) $(patsubst %,$(OUT)/asan/%,$(UNIT)) $(addprefix $(OUT)/asan/fuzz/,$(FUZZERS))
	$(Q)build/run-tests --only asan $(T)

battery: $(READY_ALL) all
	$(Q)env -u MAKEFLAGS tests/battery/run $(T)

demo: $(OUT)/ready-build $(OUT)/ready-run all
	$(Q)tests/demo/run

fuzz: $(READY_ALL) fuzzers
	$(Q)FUZZ_SECONDS=$(FUZZ_SECONDS) build/fuzz $(FUZZERS)

bench: $(READY_ALL) all $(OUT)/test/reference/driver $(addprefix $(OUT)/bench/,startup true-static denied)
	$(Q)tests/bench/run
	$(Q)tests/bench/tables
	$(Q)PROCTOR_REFERENCE=long tests/reference/test_reference
$(OUT)/bench/startup: tests/bench/startup.c $(LIBS) $(BUILD_FILES)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(BASE_CFLAGS) -O2 -o $@ $<
$(OUT)/bench/true-static: tests/bench/true.c $(LIBS) $(BUILD_FILES)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(BASE_CFLAGS) $(MUSL_CFLAGS) $(MUSL_LDFLAGS) -o $@ $(MUSL_START) $< $(MUSL_END)
$(OUT)/bench/denied: tests/bench/denied.c $(LIBS) $(BUILD_FILES)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(BASE_CFLAGS) $(MUSL_CFLAGS) $(MUSL_LDFLAGS) -o $@ $(MUSL_START) $< $(MUSL_END)

lint: $(READY_ALL) all
	$(Q)MAKE='$(MAKE)' O=$(O) OUT=$(OUT) T=$(T) LANGUAGE='$(LANGUAGE)' HOST_FUZZ='$(HOST_FUZZ)' build/lint
print-init-cflags: # for build/lint, which compiles with more than one compiler
	@echo $(INIT_CFLAGS) -iquote init

install: all
	$(Q)install -D -m 0755 $(O)/scorer-host $(DESTDIR)$(BINDIR)/scorer-host
	$(Q)install -D -m 0755 $(O)/proctor-init $(DESTDIR)$(BINDIR)/proctor-init
	$(Q)set -e; for page in $(MAN_PAGES); do \
		install -D -m 0644 "$$page" "$(DESTDIR)$(MANDIR)/man$${page##*.}/$${page##*/}"; done
	$(Q)install -D -m 0644 scorer-host/command/completion.bash $(DESTDIR)$(COMPDIR)/scorer-host

# The pinned sources and the tree of tests/stacks stay: a clean tree still builds and tests without a network.
clean:
	rm -rf $(filter-out $(OUT)/src $(OUT)/ready-% $(OUT)/stacks-rootfs,$(wildcard $(OUT)/*))

-include $(shell find $(O)/init-obj $(O)/host-obj $(addprefix $(OUT)/,host test asan fuzz bench) -type f -name '*.d' 2>/dev/null)
