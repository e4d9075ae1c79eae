/*
 * Takes in the result tree as what it is: hostile. Only regular files with one name, opened without following
 * anything, are copied and hashed through the same descriptor into the run directory; all else is listed as refused.
 */
#ifndef PROCTOR_INTAKE_OUTPUT_H
#define PROCTOR_INTAKE_OUTPUT_H

#include <stdint.h>

#include "judge/fault.h"
#include "judge/run.h"

enum {
	OUTPUT_DEPTH = 16,
	OUTPUT_REFUSED_MAX = 1000,
	/* Bytes that names and digests of what was taken, and the list of what was refused, may take in the statement. */
	OUTPUT_PATHS = 8 << 20,
	OUTPUT_REFUSED_PATHS = 256 << 10
};

struct output {
	struct refused
	    *refused; /* at most OUTPUT_REFUSED_MAX and OUTPUT_REFUSED_PATHS; freed by output_free */
	size_t refused_count;
	uint64_t refused_all; /* how many there were */
	uint64_t bytes,
	    files;	/* what the tree takes: allocated bytes, and every inode, once, but the top's */
	uint64_t taken; /* files copied */
	const char *table_kind; /* why the table was refused; NULL when it was not, or when there is none */
	int table;		/* the private copy of the table, open for reading; -1 without */
};

/*
 * tree: the result tree, open; the container is gone. into: an existing empty folder of the run directory. table: the
 * table's name. Copies at most `bytes` in all, with names of OUTPUT_PATHS in the statement, and looks at no more than
 * `files` entries and a margin. 0 with out->table open; or -1 with OUTPUT_MISSING, OUTPUT_NOT_REGULAR (a symlink, folder, FIFO, socket or device), OUTPUT_UNSAFE (a
 * second hard link, a name or a size that is not taken), INFRA_DISK, or SCORER_FAULT. *out is filled on every path.
 */
int output_take(int tree, int into, const char *table, uint64_t bytes, uint64_t files, struct output *out,
    struct fault *fault);

void output_free(struct output *out);

#endif
