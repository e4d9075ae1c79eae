# Builds the battery's programs, static against musl, into $(OUT)/battery/. Called by tests/battery/run from the top of the tree.
.DEFAULT_GOAL := programs
include build/toolchain.mk

NAMES := ends network writes processes memory output logs oneuid hoard
BIN := $(O)/battery
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes -Wmissing-prototypes \
	-Wpointer-arith -Wcast-qual -Wvla -Wformat=2 -Wundef -Wwrite-strings -Wswitch-enum
CFLAGS_ALL = -std=c11 -D_GNU_SOURCE $(WARNINGS) $(MUSL_CFLAGS) -O1 -fno-optimize-sibling-calls

.PHONY: programs
programs: $(addprefix $(BIN)/,$(NAMES))

$(BIN)/%.o: tests/battery/programs/%.c tests/battery/programs/probe.h tests/battery/programs.mk $(KERNEL_INCLUDE)/.done
	$(Q)mkdir -p $(@D)
	$(Q)$(TARGET_CC) $(CFLAGS_ALL) -c $< -o $@
$(BIN)/%: $(BIN)/%.o $(BIN)/probe.o
	$(Q)$(TARGET_CC) $(MUSL_LDFLAGS) -o $@ $(MUSL_START) $^ $(MUSL_END)
	$(Q)$(BINUTILS)strip $@
.SECONDARY:
