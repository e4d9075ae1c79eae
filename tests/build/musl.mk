# Links one program the way proctor-init is linked, with flags that tests of the assertions add.
.DEFAULT_GOAL := program
include build/toolchain.mk
.PHONY: program
program:
	@$(TARGET_CC) $(MUSL_CFLAGS) $(MUSL_LDFLAGS) $(EXTRA) -o $(OUTPUT) $(MUSL_START) $(SOURCE) $(MUSL_END)
