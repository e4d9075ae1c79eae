/*
 * The one neutral description of a container that every engine turns into its own argv or bundle, and the small
 * interface of an engine. create, start and delete are separate so that counters outlive the candidate. No shell.
 */
#ifndef PROCTOR_ENGINE_LAUNCH_H
#define PROCTOR_ENGINE_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "judge/fault.h"

enum mount_kind {
	MOUNT_BIND,  /* source is a host path */
	MOUNT_TMPFS, /* sized scratch, mode 1777 */
};

struct launch_mount {
	enum mount_kind kind;
	const char *source; /* MOUNT_BIND */
	const char *at;	    /* absolute path in the container */
	bool writable;
	bool executable;
	uint64_t bytes; /* MOUNT_TMPFS */
};

/* The run's control group, made by the caller: engines that can are to join it and set the limits in it. */
struct launch_cgroup {
	int version;	  /* 1 or 2 */
	const char *path; /* below each controller's mount point, with a leading '/' */
	const char *
	    memory; /* host folder of the memory controller, for init to read; on version 2 the whole group */
	const char *cpu;	  /* host folder of cpuacct, or "" */
	const char *pids, *quota; /* of pids and of cpu, or "" */
	bool swap;		  /* memory and swap together can be limited */
};

struct launch {
	const char *id;	    /* the run's id; names the container */
	const char *work;   /* a private folder for the engine's files (bundle, state), made by the caller */
	const char *rootfs; /* a prepared root: never the submission's own folder */
	const char *const *argv;	  /* what init is started with: carriers only */
	const struct launch_mount *mount; /* in the order of mounting */
	size_t mount_count;
	uint64_t memory, processes, cpus;   /* bytes, count, thousandths; LIMIT_NONE for none */
	const struct launch_cgroup *cgroup; /* NULL without */
};

struct engine {
	const char *name; /* for --engine */
	/* Writes the version ("1.1.5"). -1 with ENGINE_FAILED when the engine is not there or not fit. */
	int (*probe)(char version[32], struct fault *fault);
	/* Makes the container, init not yet started. *pid is init's pid on the host. argv_out: the command line that was
	 * used, NULL-terminated; it and its words are the caller's to free. */
	int (*create)(const struct launch *l, pid_t *pid, char ***argv_out, struct fault *fault);
	int (*start)(const struct launch *l, struct fault *fault);
	/* Sends a signal to init. Not there any more is no error. */
	int (*kill)(const struct launch *l, int signal, struct fault *fault);
	/* Removes the container whatever its state; id and work are all that it needs. Not there is no error. */
	int (*remove)(const struct launch *l, struct fault *fault);
};

extern const struct engine engine_runc;

/* The engine of that name; NULL if none. */
const struct engine *engine_find(const char *name);

#endif
