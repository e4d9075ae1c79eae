/*
 * What is mounted and can be written to, with the size of each filesystem. Of several mounts on one point the last is
 * the one that is seen there.
 */
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

#include "seal/look_cgroup.h"
#include "seal/look_parts.h"
#include "sys/lines.h"
#include "wire/limits.h"

enum { MOUNTINFO_MOST = 1 << 20 };

static bool copied(char *to, size_t size, const char *from)
{
	size_t n = strlen(from);
	if (n >= size)
		return false;
	memcpy(to, from, n + 1);
	return true;
}

/* The place of this mount point in the list: the one it had, or a new one; NULL when the list is full. */
static struct fact_mount *place(struct facts *f, const char *at)
{
	for (unsigned i = 0; i < f->mounts; i++)
		if (strcmp(f->mount[i].at, at) == 0)
			return &f->mount[i];
	if (f->mounts == FACT_MOUNTS)
		return NULL;
	return &f->mount[f->mounts++];
}

/* A read-only mount hides an earlier writable one on the same point. */
static void forget(struct facts *f, const char *at)
{
	for (unsigned i = 0; i < f->mounts; i++) {
		if (strcmp(f->mount[i].at, at) != 0)
			continue;
		f->mounts--;
		memmove(&f->mount[i], &f->mount[i + 1], (f->mounts - i) * sizeof f->mount[0]);
		return;
	}
}

static void take(struct facts *f, const struct mount_line *line)
{
	bool root = line->at[1] == '\0';
	bool writable = !list_has(line->options, "ro") && !list_has(line->super, "ro");
	if (!writable && !root) {
		forget(f, line->at);
		return;
	}
	if (strlen(line->at) >= FACT_PATH) {
		f->incomplete = true;
		return;
	}
	struct fact_mount *m = place(f, line->at);
	if (!m) {
		f->incomplete = true;
		return;
	}
	copied(m->at, sizeof m->at, line->at);
	if (!copied(m->type, sizeof m->type, line->type))
		copied(m->type, sizeof m->type, "?");
	m->writable = writable;
	m->nosuid = list_has(line->options, "nosuid");
	m->nodev = list_has(line->options, "nodev");
	m->noexec = list_has(line->options, "noexec");
}

/*
 * Sizes are asked for at the end, once for each point that stayed. False for a device laid over a file, as engines mask
 * what is in /proc: nothing of the filesystem it comes from can be reached there.
 */
static bool measure(struct fact_mount *m)
{
	struct statfs fs;
	struct stat st;
	m->bytes = m->inodes = LIMIT_NONE;
	m->device = 0;
	if (stat(m->at, &st) == 0) {
		if (S_ISCHR(st.st_mode))
			return false;
		m->device = st.st_dev;
	}
	if (statfs(m->at, &fs) < 0)
		return true;
	uint64_t bytes;
	if (!__builtin_mul_overflow((uint64_t)fs.f_blocks, (uint64_t)fs.f_frsize, &bytes))
		m->bytes = bytes;
	if (fs.f_files)
		m->inodes = fs.f_files;
	return true;
}

void look_mounts(struct facts *f, int proc)
{
	struct cgroup_search search;
	cgroup_search_start(&search, f, proc);

	struct lines l;
	if (proc >= 0 && lines_open(&l, proc, "self/mountinfo", MOUNTINFO_MOST) == 0) {
		struct mount_line m;
		char *line;
		while ((line = lines_next(&l))) {
			if (mountinfo_parse(line, &m) < 0) {
				f->incomplete = true;
				continue;
			}
			cgroup_search_mount(&search, f, &m);
			take(f, &m);
		}
		if (!lines_close(&l))
			f->incomplete = true;
	} else {
		f->incomplete = true;
	}
	unsigned kept = 0;
	for (unsigned i = 0; i < f->mounts; i++)
		if (measure(&f->mount[i]) && kept++ != i)
			f->mount[kept - 1] = f->mount[i];
	f->mounts = kept;

	/* Asked of the root itself, so that it is known without /proc, too. */
	struct statfs root;
	f->root_writable = statfs("/", &root) < 0 || !(root.f_flags & ST_RDONLY);
}
