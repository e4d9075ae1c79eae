/*
 * What was seen of the world before the seal: the facts of HELLO and of the record. Filled by seal/look.c, judged by
 * core, written by facts_write. Plain data in fixed room; a list that did not fit says so.
 */
#ifndef PROCTOR_CORE_FACTS_H
#define PROCTOR_CORE_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/json.h"

enum {
	FACT_PATH = 128,
	FACT_FILE = 256,
	FACT_MOUNTS = 48,
	FACT_INTERFACES = 16,
	FACT_DEVICES = 48,
	FACT_SOCKETS = 8
};

struct fact_mount {
	char at[FACT_PATH];
	char type[24];
	bool writable, nosuid, nodev, noexec;
	uint64_t bytes;	 /* size of the filesystem; LIMIT_NONE when statfs failed */
	uint64_t inodes; /* LIMIT_NONE when the filesystem has no count */
	uint64_t device; /* st_dev, to tell one filesystem from another */
};

/*
 * Where a figure of the own cgroup can be read; "" when it cannot. Absolute paths of files that were opened once. The
 * root of a hierarchy is nobody's own cgroup and counts as unreadable.
 */
struct fact_cgroup {
	int version;		 /* 0 none seen, 1, 2 */
	char path[FACT_FILE];	 /* own path as /proc/self/cgroup says */
	char memory[FACT_FILE];	 /* v1 memory.usage_in_bytes, v2 memory.current */
	char peak[FACT_FILE];	 /* v1 memory.max_usage_in_bytes, v2 memory.peak */
	char limit[FACT_FILE];	 /* v1 memory.limit_in_bytes, v2 memory.max */
	char oom[FACT_FILE];	 /* v1 memory.oom_control, v2 memory.events.local */
	char failcnt[FACT_FILE]; /* v1 memory.failcnt; v2 "" (the same events file counts `max` and `oom`) */
	char cpu[FACT_FILE];	 /* v1 cpuacct.usage (ns), v2 cpu.stat (usage_usec) */
	char pids[FACT_FILE];	 /* pids.current */
	char pids_peak[FACT_FILE];
	char pids_events[FACT_FILE]; /* version 2 with local counts: pids.events.local */
	uint64_t memory_limit;	     /* LIMIT_NONE when unlimited or unreadable */
	uint64_t pids_limit;	     /* likewise */
	uint64_t cpus;		     /* thousandths of a core by quota; 0 for none */
	/* True when init was the only process in it: the figures are the run's and nobody else's. */
	bool memory_alone, cpu_alone;
};

struct facts {
	bool pid1;
	bool pid_namespace; /* init is PID 1 of a namespace of its own (not the machine's first) */
	uint32_t uid, gid;  /* effective */
	uint64_t caps_effective, caps_bounding;
	bool no_new_privs;
	int seccomp; /* 0 none, 1 strict, 2 filter: what the engine put on already */
	bool root_writable;
	struct fact_mount mount[FACT_MOUNTS]; /* the writable ones, and / */
	unsigned mounts;
	char interface[FACT_INTERFACES][16];
	unsigned interfaces;
	unsigned routes;    /* IPv4 and IPv6 routes that do not lead to lo */
	bool network_known; /* interfaces and routes above are all there are */
	char device[FACT_DEVICES][32];
	unsigned devices;
	char socket[FACT_SOCKETS][FACT_PATH]; /* engine sockets in sight */
	unsigned sockets;
	struct fact_cgroup cgroup;
	bool core_pattern_piped;
	int landlock_abi; /* 0: none */
	char kernel[64];
	bool incomplete; /* a list above did not fit, or something could not be read */
};

/* Writes the facts as one object under key (NULL at the top), in the order of DESIGN section 12. */
void facts_write(struct json *j, const char *key, const struct facts *f);

#endif
