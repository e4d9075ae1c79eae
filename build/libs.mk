# The pinned libraries, compiled from build/out/src without their own build systems: neither needs one.
#   build/out/<arch>/lib   libbearssl.a with musl, for proctor-init
#   build/out/host/lib     libseccomp.a with the host's C library, for the policy generator and unit tests. It stays out
#                          of proctor-init: even its name look-up drags a heap in, and the generator writes the names
# A make of its own, since the sources exist only after build/setup.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
include build/toolchain.mk

SRC := $(OUT)/src
H := $(OUT)/host
AR := $(BINUTILS)ar

BEARSSL_SOURCES := $(sort $(wildcard $(SRC)/bearssl/src/*.c $(SRC)/bearssl/src/*/*.c))
SECCOMP_SOURCES := $(sort $(filter-out %/arch-syscall-dump.c,$(wildcard $(SRC)/libseccomp/src/*.c)))
ifeq ($(and $(BEARSSL_SOURCES),$(SECCOMP_SOURCES)),)
$(error no library sources in $(SRC): run build/setup first)
endif

# The libraries are not ours to warn about. No seeding from RDRAND or the container's /dev/urandom: init injects
# what getrandom(2) gave.
COMMON := -w -std=gnu99 $(REPRODUCIBLE)
BEARSSL_CFLAGS := -I$(SRC)/bearssl/inc -I$(SRC)/bearssl/src -DBR_RDRAND=0 -DBR_USE_URANDOM=0
SECCOMP_CFLAGS := -I$(SRC)/libseccomp/include -I$(SRC)/libseccomp/src -I$(SRC) -D_GNU_SOURCE

MUSL := $(if $(BINUTILS),$(O)/musl/lib/libc.a)

all: $(O)/lib/libbearssl.a $(H)/lib/libseccomp.a $(O)/include/.done $(H)/include/.done

objects = $(patsubst $(SRC)/%.c,$(1)/obj/%.o,$(2))
archive = $(say) AR $@ && mkdir -p $(@D) && rm -f $@ && $(AR) crsD $@ $^

$(O)/lib/libbearssl.a: $(call objects,$(O),$(BEARSSL_SOURCES))
	$(archive)
$(H)/lib/libseccomp.a: AR := ar
$(H)/lib/libseccomp.a: $(call objects,$(H),$(SECCOMP_SOURCES))
	$(archive)

$(O)/obj/bearssl/%.o: $(SRC)/bearssl/%.c build/toolchain.mk build/libs.mk | $(KERNEL_INCLUDE)/.done $(MUSL)
	$(Q)mkdir -p $(@D)
	$(Q)$(TARGET_CC) $(COMMON) $(MUSL_CFLAGS) $(BEARSSL_CFLAGS) -c $< -o $@
$(H)/obj/libseccomp/%.o: $(SRC)/libseccomp/%.c build/libs.mk | $(SRC)/configure.h
	$(Q)mkdir -p $(@D)
	$(Q)gcc $(COMMON) -O2 -fPIC $(SECCOMP_CFLAGS) -c $< -o $@

# Only for a foreign architecture; ours takes Debian's musl-dev.
$(O)/musl/lib/libc.a: $(SRC)/musl/VERSION build/toolchain.mk build/libs.mk
	$(say) MUSL $@
	$(Q)mkdir -p $(O)/obj/musl
	$(Q)cd $(O)/obj/musl && $(CURDIR)/$(SRC)/musl/configure --target=$(ARCH) --disable-shared \
		--prefix=$(CURDIR)/$(O)/musl CC=$(TARGET_CC) CFLAGS='-Os -w $(REPRODUCIBLE)' >configure.log
	$(Q)$(MAKE) --no-print-directory -s -C $(O)/obj/musl CC=$(TARGET_CC) AR=$(BINUTILS)ar \
		RANLIB=$(BINUTILS)ranlib install-headers install-libs >$(O)/obj/musl/make.log 2>&1

# All that libseccomp's configure would have found out.
$(SRC)/configure.h:
	$(Q)printf '#define HAVE_LINUX_SECCOMP_H 1\n' >$@

$(O)/include/.done: $(wildcard $(SRC)/bearssl/inc/*.h)
$(H)/include/.done: $(wildcard $(SRC)/bearssl/inc/*.h $(SRC)/libseccomp/include/*.h)
$(O)/include/.done $(H)/include/.done:
	$(Q)mkdir -p $(@D)
	$(Q)cp -p $^ $(@D)
	$(Q)touch $@
