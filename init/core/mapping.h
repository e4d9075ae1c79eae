/*
 * Lines of /proc/PID/maps (proc_pid_maps(5)) and the count of descriptors in flight in /proc/PID/fdinfo, as far as they
 * tell of files without a name. The text is the candidate's to shape: any path, any byte. Pure.
 */
#ifndef PROCTOR_CORE_MAPPING_H
#define PROCTOR_CORE_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapping {
	uint64_t device; /* major << 32 | minor */
	uint64_t inode;
	uint64_t reach;	  /* the last byte of the file that is mapped, plus one */
	bool nameless;	  /* its last name was taken away; a name that only looks so is not told apart */
	const char *path; /* "" for none; points into the line */
};

/* Takes a line (without newline) apart, changing it. 0, or -EBADMSG. */
int mapping_parse(char *line, struct mapping *m);

/* How many descriptors wait in a socket's queue: fdinfo's scm_fds; 0 when it has no such line. */
uint64_t mapping_in_flight(const char *text, size_t n);

#endif
