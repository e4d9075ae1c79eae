/*
 * What may be required for the candidate, and the layers of confinement with how well each took effect. The words are
 * shared by the task file, the ticket, the record and the evidence.
 */
#ifndef PROCTOR_WIRE_REQUIRE_H
#define PROCTOR_WIRE_REQUIRE_H

#include <stddef.h>

/* Who can decide whether a requirement holds. */
enum { BY_INIT = 1, BY_HOST = 2 };

#define REQUIREMENTS(X) \
	X(IMAGE_DIGEST, "image-digest", BY_HOST) \
	X(GPU, "gpu", BY_HOST) \
	X(SEPARATE_UID, "separate-uid", BY_INIT) \
	X(NO_CAPS, "no-caps", BY_INIT) \
	X(NO_NEW_PRIVS, "no-new-privs", BY_INIT) \
	X(LANDLOCK, "landlock", BY_INIT) \
	X(SECCOMP, "seccomp", BY_INIT) \
	X(PID_NAMESPACE, "pid-namespace", BY_INIT) \
	X(NO_NETWORK, "no-network", BY_INIT | BY_HOST) \
	X(READ_ONLY_ROOT, "read-only-root", BY_INIT | BY_HOST) \
	X(EXACT_OUTPUT, "exact-output", BY_INIT | BY_HOST) \
	X(EXACT_MEMORY, "exact-memory", BY_INIT | BY_HOST) \
	X(EXACT_CPU, "exact-cpu", BY_INIT | BY_HOST)

enum requirement {
#define X(id, name, by) REQUIRE_##id,
	REQUIREMENTS(X)
#undef X
	    REQUIRE_END
};

/* The layers, in the order in which the record lists them. */
#define LAYERS(X) \
	X(NETWORK, "network") \
	X(FILES, "files") \
	X(PRIVILEGES, "privileges") \
	X(SYSCALLS, "syscalls") \
	X(DESCRIPTORS, "descriptors") \
	X(RLIMITS, "rlimits") \
	X(CORE, "core") \
	X(OOM_SCORE, "oom-score") \
	X(MEMORY, "memory") \
	X(CPU_TIME, "cpu-time") \
	X(CPUS, "cpus") \
	X(PROCESSES, "processes") \
	X(OUTPUT, "output") \
	X(SCRATCH, "scratch") \
	X(LOGS, "logs")

enum layer {
#define X(id, name) LAYER_##id,
	LAYERS(X)
#undef X
	    LAYER_END
};

/* How far a layer took effect. */
enum layer_state {
	STATE_OFF,	   /* not asked for */
	STATE_UNAVAILABLE, /* asked for, but the kernel or the engine refused */
	STATE_BEST_EFFORT, /* in force, with gaps that are documented */
	STATE_BY_ENGINE,   /* in force, by somebody else's hand, and seen by init */
	STATE_ENFORCED	   /* in force, by init, re-read */
};

const char *requirement_name(enum requirement r); /* NULL outside the table */
unsigned requirement_by(enum requirement r);	  /* BY_INIT | BY_HOST */

/* The requirement of that name (len bytes); REQUIRE_END if none. */
enum requirement requirement_find(const char *name, size_t len);

const char *layer_name(enum layer l); /* NULL outside the table */
const char *layer_state_name(
    enum layer_state s); /* "off", "unavailable", "best-effort", "by-engine", "enforced" */

#endif
