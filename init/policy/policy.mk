# What the top Makefile needs to know of the syscall policy: the generator's sources, and the blob of the other
# architecture, whose programs the tests run by simulation (they hold no code, so no cross compiler is needed).

POLICY_GEN_SRC := $(sort $(wildcard init/policy/gen/*.c)) init/wire/profile.c init/policy/simulate.c

POLICY_OTHER := $(OUT)/$(filter-out $(ARCH),x86_64 aarch64)/gen/policy_blob_tests
$(POLICY_OTHER).c: $(OUT)/host/policy-gen
	$(say) GEN $@
	$(Q)mkdir -p $(@D)
	$(Q)$(OUT)/host/policy-gen $(filter-out $(ARCH),x86_64 aarch64) >$@.new
	$(Q)mv $@.new $@

define policy_test
$(OUT)/$(1)/gen/policy_blob_other.o: $(POLICY_OTHER).c
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(CC) $$(BASE_CFLAGS) $(2) -iquote init -c $$< -o $$@
$(patsubst tests/%.c,$(OUT)/$(1)/%,$(wildcard tests/unit/test_init_policy_*.c)): $(OUT)/$(1)/gen/policy_blob_other.o
endef
$(eval $(call policy_test,test,-O1 -g))
$(eval $(call policy_test,asan,$$(SANITIZE)))
