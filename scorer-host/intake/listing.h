/*
 * The content of a file or folder as a list of digests in the form that `sha256sum -c` reads, in a fixed order: what
 * task.lock holds of the assets, and what names a submitted folder. Links are never followed.
 */
#ifndef PROCTOR_INTAKE_LISTING_H
#define PROCTOR_INTAKE_LISTING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "judge/fault.h"

enum { LISTING_DEPTH = 128 };

struct listing {
	char sha256[65];       /* of a file's bytes; of a folder, of its list */
	char signature[65];    /* of names, sizes, inodes and times: changes when anything was written to */
	uint64_t files, bytes; /* regular files, and their sizes */
	bool readable;	       /* by a user who owns nothing: every file o+r, every folder o+rx */
	char unreadable[256];  /* the first one that is not, relative to the top */
};

enum listing_depth {
	LISTING_CONTENT, /* digests of all that is there */
	LISTING_LOOK	 /* names, sizes and times only: sha256 stays "" */
};

/*
 * Lists what lies at path. lines: where "HEX  NAME" lines go, NAME being prefix for a file and prefix/RELATIVE in a
 * folder; NULL for none. whole: the list covers modes, owners and links too, as for a root filesystem, and nothing of
 * it goes to lines. most: bytes beyond which it fails. 0, or -errno with the place in *where: -EFBIG above most, -ELOOP
 * when nested too deep, -EINVAL for a name with a line break or a backslash where lines are asked for.
 */
int listing_take(const char *path, const char *prefix, FILE *lines, bool whole, enum listing_depth depth,
    uint64_t most, struct listing *out, char where[256]);

#endif
