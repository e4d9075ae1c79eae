/*
 * Names and numbers of system calls, as the table of this build knows them: for --allow and --deny, and for messages.
 * Only what the table classifies has a name here; a newer call is answered ENOSYS whatever a list says.
 */
#ifndef PROCTOR_POLICY_NUMBERS_H
#define PROCTOR_POLICY_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

struct policy_arch;

/* The number of the call whose name is the `length` bytes at `name`; -ENOENT where the table has no such call. */
int policy_number(const char *name, size_t length);

/* The name of call `number`, constant and NUL-terminated; NULL where the table has none. */
const char *policy_call_name(int number);

/* Whether the child itself still calls `number` after the filter is loaded: such a call must never be denied. */
bool policy_needed(int number);

/* The same for any architecture whose blob is linked in. */
int policy_number_on(const struct policy_arch *arch, const char *name, size_t length);
const char *policy_call_name_on(const struct policy_arch *arch, int number);
bool policy_needed_on(const struct policy_arch *arch, int number);

#endif
