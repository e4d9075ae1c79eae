# How proctor-init and its libraries are compiled and linked against musl for $(ARCH), and which compiler that needs.
# Debian's musl-gcc is not used: with -static-pie it silently makes a dynamic program, and clang with a musl triple
# silently links glibc. Every path is given by hand instead, and build/assert looks at what came out.

BUILD_ARCH := $(shell uname -m)
ARCH ?= $(BUILD_ARCH)
OUT := build/out
O := $(OUT)/$(ARCH)

ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(ARCH),$(BUILD_ARCH))
TARGET_CC := $(CC)
BINUTILS :=
MUSL_LIB := /usr/lib/$(ARCH)-linux-musl
MUSL_INCLUDE := /usr/include/$(ARCH)-linux-musl
KERNEL_HEADERS := /usr/include
KERNEL_ASM := /usr/include/$(ARCH)-linux-gnu/asm
else
# Debian has no musl for a foreign architecture that installs beside ours; build/libs.mk makes it from the pinned source.
TARGET_CC := $(ARCH)-linux-gnu-gcc
BINUTILS := $(ARCH)-linux-gnu-
MUSL_LIB := $(O)/musl/lib
MUSL_INCLUDE := $(O)/musl/include
KERNEL_HEADERS := /usr/$(ARCH)-linux-gnu/include
KERNEL_ASM := $(KERNEL_HEADERS)/asm
endif
KERNEL_INCLUDE := $(O)/kernel

# The compiler's own headers and start files; recursive, because a fresh machine has no compiler while this is read.
CC_INCLUDE = $(dir $(shell $(TARGET_CC) -print-file-name=include/stddef.h))
CC_BEGIN = $(shell $(TARGET_CC) -print-file-name=crtbeginS.o)
CC_END = $(shell $(TARGET_CC) -print-file-name=crtendS.o)
CC_RUNTIME = $(shell $(TARGET_CC) -print-libgcc-file-name)

# -idirafter /usr/include would leak glibc's headers, so three links hold the kernel's.
MUSL_CFLAGS = -nostdinc -isystem $(MUSL_INCLUDE) -isystem $(CC_INCLUDE) -isystem $(KERNEL_INCLUDE) \
	-Os -fPIE -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables -fno-unwind-tables \
	-fno-math-errno -fno-ident
MUSL_LDFLAGS = -nostdlib -static-pie -Wl,--gc-sections,--build-id=none,--fatal-warnings \
	-Wl,-z,relro,-z,now,-z,noexecstack,-z,text
MUSL_START = $(MUSL_LIB)/rcrt1.o $(MUSL_LIB)/crti.o $(CC_BEGIN)
MUSL_END = $(MUSL_LIB)/libc.a $(CC_RUNTIME) $(CC_END) $(MUSL_LIB)/crtn.o

REPRODUCIBLE = -ffile-prefix-map=$(CURDIR)=.

ifeq ($(V),1)
Q :=
say = @:
else
Q := @
say = @printf '  %-6s %s\n'
endif

$(KERNEL_INCLUDE)/.done:
	$(Q)mkdir -p $(@D)
	$(Q)ln -sfn $(KERNEL_HEADERS)/linux $(@D)/linux
	$(Q)ln -sfn $(KERNEL_HEADERS)/asm-generic $(@D)/asm-generic
	$(Q)ln -sfn $(KERNEL_ASM) $(@D)/asm
	$(Q)touch $@
