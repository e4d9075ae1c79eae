/* Capabilities and no_new_privs of this process (capabilities(7), PR_SET_NO_NEW_PRIVS(2const)). */
#ifndef PROCTOR_SYS_CAPS_H
#define PROCTOR_SYS_CAPS_H

#include <stdbool.h>
#include <stdint.h>

struct caps {
	uint64_t effective, permitted, inheritable;
};

/* 0 or -errno. */
int caps_get(struct caps *c);
int caps_set(const struct caps *c);

/* The bounding set; a capability that the kernel does not know is not in it. 0, or -errno when it cannot be asked. */
int caps_bounding(uint64_t *set);

/*
 * Takes every capability out of the bounding set that is in it. 0, or -errno of the first that stayed; -EBADE when it is
 * there after the kernel took it.
 */
int caps_bounding_clear(void);

/* Empties the ambient set. 0 or -errno (-EINVAL before Linux 4.3). */
int caps_ambient_clear(void);

/* Sets no_new_privs. 0 or -errno. */
int caps_no_new_privs(void);

/* Whether it is set; -errno where the kernel has none. */
int caps_has_no_new_privs(void);

#endif
