/*
 * The candidate's ids for access to files, and for nothing else (setfsuid(2), setfsgid(2)): its folders and its
 * /proc/PID/fd open as they would for itself, while signals, priorities and scheduling still see init's own ids.
 */
#ifndef PROCTOR_SYS_FSIDS_H
#define PROCTOR_SYS_FSIDS_H

#include <stdbool.h>
#include <stdint.h>

/* Negative ids: init's own are the candidate's, nothing is changed. */
struct fsids {
	int64_t uid, gid;
};

/* Both, or none: false when the kernel refuses. */
bool fsids_borrow(const struct fsids *ids);

/* Back to the effective ids; the process is non-dumpable again, which every change of ids may undo. */
void fsids_return(const struct fsids *ids);

#endif
