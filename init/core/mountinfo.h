/*
 * Lines of /proc/PID/mountinfo (proc_pid_mountinfo(5)) and /proc/PID/cgroup (cgroups(7)), taken apart in place, and the
 * path that leads from a cgroup mount to the own cgroup. Mount points and cgroup names are other people's words: any
 * byte may come, and a line that does not read as the manual says is refused whole.
 */
#ifndef PROCTOR_CORE_MOUNTINFO_H
#define PROCTOR_CORE_MOUNTINFO_H

#include <stdbool.h>
#include <stddef.h>

/* Points into the parsed line, escapes undone; lives as long as the line. */
struct mount_line {
	unsigned id;	     /* statx(2)'s stx_mnt_id, fdinfo's mnt_id */
	const char *root;    /* what of the filesystem is mounted */
	const char *at;	     /* mount point */
	const char *options; /* of the mount, comma-separated */
	const char *type;
	const char *super; /* options of the filesystem, comma-separated; "" when there are none */
};

/* Takes the line (without newline) apart, changing it. 0, or -EBADMSG. */
int mountinfo_parse(char *line, struct mount_line *m);

struct cgroup_line {
	unsigned id;		 /* 0: version 2 */
	const char *controllers; /* comma-separated; "" for version 2 */
	const char *path;
};

/* Takes the line (without newline) apart, changing it. 0, or -EBADMSG. */
int cgroup_parse(char *line, struct cgroup_line *c);

/* True when `word` stands in the comma-separated list. */
bool list_has(const char *list, const char *word);

/*
 * The folder of cgroup `own` where `root` of its hierarchy is mounted at `at`, into out. 0; -ENOENT when own is not
 * beneath root, or either leads out of the own cgroup namespace; -ENAMETOOLONG.
 */
int cgroup_folder(char *out, size_t size, const char *at, const char *root, const char *own);

/* Joins a folder and a name with one slash. 0 or -ENAMETOOLONG. */
int path_join(char *out, size_t size, const char *folder, const char *name);

#endif
