/*
 * The one table of options: name, unit, least, most, default, help, and where each may be written. It yields init's
 * command-line parser and --help, the ticket grammar, the task file's `limits:` keys, scorer-host's --limit, and the
 * check of the man page. Defaults and ranges are DESIGN section 12's.
 */
#ifndef PROCTOR_WIRE_LIMITS_H
#define PROCTOR_WIRE_LIMITS_H

#include <stdint.h>

#include "wire/units.h"

/* Where an option may be written. */
enum {
	ON_ARGV = 1,   /* proctor-init's command line */
	ON_TICKET = 2, /* the ticket */
	ON_TASK = 4,   /* `limits:` of a task, and scorer-host --limit */
	ON_MANY = 8    /* may be given more than once */
};

enum value_kind {
	VALUE_NUMBER, /* a number in the option's unit, within its range */
	VALUE_TEXT    /* a word or a path, checked by whoever plans with it */
};

/* No limit, as a default and as a value of struct plan and struct task. */
#define LIMIT_NONE UINT64_MAX
/* The most that the host can give; ranges say so where the table cannot know. */
#define LIMIT_HOST ((uint64_t)INT64_MAX)

#define KIB(n) ((uint64_t)(n) << 10)
#define MIB(n) ((uint64_t)(n) << 20)
#define GIB(n) ((uint64_t)(n) << 30)
#define TIB(n) ((uint64_t)(n) << 40)
#define EIB(n) ((uint64_t)(n) << 60)
#define DAYS(n) ((uint64_t)(n)*86400000)

#define CARRIED (ON_ARGV | ON_TICKET)
#define LIMITING (ON_ARGV | ON_TICKET | ON_TASK)

/* X(enum name, option name, kind, unit, least, most, default, where, value in --help, help).
 * The defaults are those of a task; in plain use init limits only what its command line names. */
#define OPTIONS(X) \
	X(WALL_TIME, "wall-time", VALUE_NUMBER, UNIT_TIME, 100, DAYS(7), 600000, LIMITING, "TIME", \
	    "end the tree after this much time, clock steps aside") \
	X(CPU_TIME, "cpu-time", VALUE_NUMBER, UNIT_TIME, 100, DAYS(365), LIMIT_NONE, LIMITING, "TIME", \
	    "end the tree after this much CPU time in all") \
	X(MEMORY, "memory", VALUE_NUMBER, UNIT_SIZE, MIB(64), LIMIT_HOST, GIB(1), LIMITING, "SIZE", \
	    "the tree's memory limit") \
	X(PROCESSES, "processes", VALUE_NUMBER, UNIT_COUNT, 1, 32768, 256, LIMITING, "N", \
	    "most processes and threads at once") \
	X(CPUS, "cpus", VALUE_NUMBER, UNIT_MILLI, 100, LIMIT_HOST, 1000, ON_TASK, "N", \
	    "cores, set by the host") \
	X(GPUS, "gpus", VALUE_NUMBER, UNIT_COUNT, 0, LIMIT_HOST, 0, ON_TASK, "N", "GPUs, set by the host") \
	X(OPEN_FILES, "open-files", VALUE_NUMBER, UNIT_COUNT, 16, LIMIT_HOST, 1024, LIMITING, "N", \
	    "most open files of one process") \
	X(FILE_SIZE, "file-size", VALUE_NUMBER, UNIT_SIZE, KIB(4), LIMIT_HOST, LIMIT_NONE, LIMITING, "SIZE", \
	    "largest single file") \
	X(STACK, "stack", VALUE_NUMBER, UNIT_SIZE, KIB(64), GIB(1), MIB(8), LIMITING, "SIZE", \
	    "stack of one process") \
	X(OUTPUT_BYTES, "output-bytes", VALUE_NUMBER, UNIT_SIZE, KIB(64), TIB(1), MIB(64), LIMITING, "SIZE", \
	    "budget of the --output tree") \
	X(OUTPUT_FILES, "output-files", VALUE_NUMBER, UNIT_COUNT, 1, 1000000, 64, LIMITING, "N", \
	    "most files in the --output tree") \
	X(SCRATCH_BYTES, "scratch-bytes", VALUE_NUMBER, UNIT_SIZE, KIB(64), LIMIT_HOST, LIMIT_NONE, \
	    LIMITING, "SIZE", "budget of each --scratch tree (a task's default is memory/16)") \
	X(LOG_BYTES, "log-bytes", VALUE_NUMBER, UNIT_SIZE, KIB(4), GIB(1), MIB(1), LIMITING, "SIZE", \
	    "kept of each stream, head and tail") \
	X(IMAGE_BYTES, "image-bytes", VALUE_NUMBER, UNIT_SIZE, MIB(1), TIB(1), GIB(20), ON_TASK, "SIZE", \
	    "largest image, checked by the host") \
	X(GRACE, "grace", VALUE_NUMBER, UNIT_TIME, 0, 60000, 2000, LIMITING, "TIME", "SIGTERM to SIGKILL") \
	X(UID, "uid", VALUE_NUMBER, UNIT_COUNT, 1, 4294967294, LIMIT_NONE, CARRIED, "N", \
	    "the candidate's uid") \
	X(GID, "gid", VALUE_NUMBER, UNIT_COUNT, 1, 4294967294, LIMIT_NONE, CARRIED, "N", \
	    "the candidate's gid") \
	X(OUTPUT, "output", VALUE_TEXT, UNIT_COUNT, 0, 0, 0, CARRIED, "PATH", "the result tree") \
	X(SCRATCH, "scratch", VALUE_TEXT, UNIT_COUNT, 0, 0, 0, CARRIED | ON_MANY, "PATH", \
	    "another writable tree; repeat for more") \
	X(LOG_OVER, "log-over", VALUE_TEXT, UNIT_COUNT, 0, 0, 0, CARRIED, "drop|kill", \
	    "when a stream passes --log-bytes (drop)") \
	X(SYSCALLS, "syscalls", VALUE_TEXT, UNIT_COUNT, 0, 0, 0, CARRIED, "PROFILE", \
	    "strict, ml (default), ml-multi, gpu or none") \
	X(ALLOW, "allow", VALUE_TEXT, UNIT_COUNT, 0, 0, 0, CARRIED, "NAME,...", \
	    "syscalls to allow all the same") \
	X(DENY, "deny", VALUE_TEXT, UNIT_COUNT, 0, 0, 0, CARRIED, "NAME,...", \
	    "syscalls to refuse all the same") \
	X(NETWORK, "network", VALUE_TEXT, UNIT_COUNT, 0, 0, 0, CARRIED, "none|loopback", "socket families") \
	X(ENV, "env", VALUE_TEXT, UNIT_COUNT, 0, 0, 0, CARRIED | ON_MANY, "K=V", "set a variable") \
	X(KEEP_ENV, "keep-env", VALUE_TEXT, UNIT_COUNT, 0, 0, 0, CARRIED, "K,...", "pass variables on") \
	X(WORKDIR, "workdir", VALUE_TEXT, UNIT_COUNT, 0, 0, 0, CARRIED, "PATH", "chdir after the drop") \
	X(UMASK, "umask", VALUE_NUMBER, UNIT_OCTAL, 0, 0777, 022, CARRIED, "MODE", "file mode mask") \
	X(REQUIRE, "require", VALUE_TEXT, UNIT_COUNT, 0, 0, 0, CARRIED, "FACT,...", \
	    "facts that must hold or nothing runs") \
	X(TICKET, "ticket", VALUE_TEXT, UNIT_COUNT, 0, 0, 0, ON_ARGV, "CARRIER", \
	    "where the ticket comes from") \
	X(REPORT, "report", VALUE_TEXT, UNIT_COUNT, 0, 0, 0, ON_ARGV, "CARRIER", "where frames go") \
	X(RECORD, "record", VALUE_TEXT, UNIT_COUNT, 0, 0, 0, ON_ARGV, "WHERE", \
	    "plain use: fd:N, file:PATH or stderr") \
	X(RUN, "run", VALUE_TEXT, UNIT_COUNT, 0, 0, 0, ON_TICKET, "ID", "the run's id") \
	X(KEY, "key", VALUE_TEXT, UNIT_COUNT, 0, 0, 0, ON_TICKET, "HEX", "the run's key, 64 hex digits")

enum option {
#define X(id, name, kind, unit, min, max, def, where, value, help) OPTION_##id,
	OPTIONS(X)
#undef X
	    OPTION_END
};

struct option_row {
	const char *name;
	enum value_kind kind;
	enum unit unit;
	uint64_t min, max;
	uint64_t preset; /* the task's default; LIMIT_NONE for none */
	unsigned where;
	const char *value; /* the word for the value in --help */
	const char *help;
};

/* The table, indexed by enum option. */
extern const struct option_row option_table[OPTION_END];

/* The option of that name (len bytes, no leading dashes) that may be written in `where`; OPTION_END if none. */
enum option option_find(const char *name, size_t len, unsigned where);

/* Parses and range-checks a number option's value. 0, -EINVAL (malformed) or -ERANGE (outside min..max). */
int option_number(enum option o, const char *text, uint64_t *value);

#endif
