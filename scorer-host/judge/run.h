/*
 * All that is known of one run, as plain data: filled step by step by command/run.c, weighed by judge/crosscheck.c,
 * written down by evidence/. Strings are owned by the filler and outlive the run; JSON values are jansson's.
 */
#ifndef PROCTOR_JUDGE_RUN_H
#define PROCTOR_JUDGE_RUN_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "judge/fault.h"
#include "judge/score.h"
#include "judge/task.h"

/* What the host saw itself, with its own eyes and clock. */
struct observed {
	bool created;	     /* the engine made the container */
	bool greeted;	     /* an authentic HELLO came from the container's PID 1 */
	bool ticketed;	     /* the ticket was sent: from here on the candidate may have run */
	bool peer_verified;  /* pid, namespace and executable of the peer were checked */
	bool session_whole;  /* RECORD and BYE came under the chain */
	bool session_broken; /* something else than the protocol came */
	bool deadline_hit;   /* the host's own deadline passed and it killed the container */
	bool cancelled;	     /* the operator interrupted */
	bool gone;	     /* after the run the container and its processes are verified gone */
	bool init_intact;    /* the private copy of init has its digest before and after */
	uint64_t wall_ms;    /* ticket sent to container ended, on the host's BOOTTIME clock */
	int engine_status;   /* exit status of the container as the kernel or engine says; -1 unknown */
	/* Own reading of the run's cgroup before it was removed; LIMIT_NONE where it could not be read. */
	uint64_t memory_peak, memory_limit_hits, oom_kills, cpu_ms, processes_peak, processes_limit_hits;
	uint64_t output_bytes, output_files; /* own walk of the output tree */
};

struct refused {
	char *path; /* relative to the output tree, bytes as found */
	const char *
	    kind; /* "symlink", "fifo", "socket", "device", "directory", "hard-link", "name", "large", "other" */
};

struct log_kept {
	uint64_t bytes, kept, dropped;
};

struct layer_seen {
	const char *name, *state, *how;
};

/* One sealed container of the run. */
struct stage {
	const char *stage; /* "candidate"; NULL: nothing was run, a table was scored */
	const char *run;   /* the run's id, which the record must carry */
	json_t *image;	   /* null for a rootfs folder, or {manifest, …} */
	char **command;	   /* as in the ticket; NULL-terminated */
	const char *engine_name, *engine_version;
	char **engine_argv;
	const char *cpuset; /* NULL: not pinned */
	const char *init_version;
	char init_sha256[65];
	json_t *mounts;	 /* [{at, sha256, mode, unchanged_after}] */
	json_t *limits;	 /* {name: "value"} */
	json_t *require; /* [name] */
	json_t *facts;	 /* HELLO's payload, parsed; null when none came */
	json_t *record;	 /* RECORD's payload, parsed; null when none came */
	struct observed observed;
	char crosscheck[256];	/* "agree", or what contradicts what */
	struct log_kept log[2]; /* stdout, stderr */
	struct refused *refused;
	size_t refused_count;
	uint64_t frames;
};

enum {
	NOTE_NETWORK_DENIED = 1,
	NOTE_BOM = 2,
	NOTE_SURVIVORS = 4,
	NOTE_LOG_TRUNCATED = 8,
	NOTE_REFUSED_FILES = 16,
	NOTE_SCRATCH_FULL = 32
};

struct run {
	char id[24];		/* "r-" and 12 hex digits, opaque */
	const char *submission; /* WHO/N, or NULL */
	char repeats[24];	/* the run that --again repeats, or "" */
	char rescores[24];	/* the run whose stored table is scored again by a corrected task, or "" */
	char submission_sha256
	    [65]; /* digest of what was submitted: the rootfs listing or the image manifest */
	char started[32], ended[32]; /* RFC 3339 UTC with milliseconds */
	uint64_t elapsed_ms;	     /* of the whole run, for the screen */
	char host[65];
	const struct task *task;
	struct fault
	    fault; /* verdict (SCORED too) and everything to say about it; the one decision of the run */
	bool have_score;
	struct score score;
	struct stage stage;
	size_t selfcheck_items;
	char selfcheck_passed[32]; /* when, or "" */
	unsigned notes;		   /* NOTE_ bits */
	char *folder;		   /* the run directory's path as told to people */
	int folder_fd;
};

#endif
