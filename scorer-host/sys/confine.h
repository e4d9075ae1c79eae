/*
 * The last thing a process does before it looks at hostile bytes: it keeps its memory and its processor, and nothing
 * else. No descriptor is left open; of the system calls only memory without execution, and the exit (seccomp(2)).
 */
#ifndef PROCTOR_SYS_CONFINE_H
#define PROCTOR_SYS_CONFINE_H

#include <stdint.h>

struct confinement {
	uint64_t memory;      /* bytes of address space beyond what is mapped now */
	uint64_t cpu_seconds; /* then SIGXCPU */
};

/*
 * Confines the calling process for good: closes every descriptor, sets the limits, no core, not dumpable,
 * no_new_privs, the filter. Any other call kills it with SIGSYS. 0 or -errno; after an error the process must exit.
 */
int confine(const struct confinement *c);

#endif
