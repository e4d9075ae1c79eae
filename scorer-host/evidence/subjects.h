/* What lies in a run directory: every file with its digest, sorted by name, and whatever should not be there. */
#ifndef PROCTOR_EVIDENCE_SUBJECTS_H
#define PROCTOR_EVIDENCE_SUBJECTS_H

#include <stddef.h>
#include <stdint.h>

enum subject_kind {
	SUBJECT_FILE,
	SUBJECT_FOLDER,	   /* a folder without any file below it */
	SUBJECT_IRREGULAR, /* a link, a device, a mount point, too deep */
	SUBJECT_UNREADABLE
};

struct subject {
	char *name; /* relative path, bytes as found */
	enum subject_kind kind;
	uint64_t bytes;
	char sha256[65];
	int error; /* SUBJECT_UNREADABLE: errno */
};

struct subjects {
	struct subject *list;
	size_t count;
};

/* Walks and hashes. Links are never followed, other filesystems never entered. 0 or -errno; free in either case. */
int subjects_walk(int folder, struct subjects *s);

/* The subject of that name, or NULL. */
const struct subject *subjects_find(const struct subjects *s, const char *name);

void subjects_free(struct subjects *s);

#endif
