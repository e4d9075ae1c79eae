/* Looking around: every topic once, over one descriptor of /proc. Reads only; never fails. */
#include "seal/look.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "seal/look_cgroup.h"
#include "seal/look_parts.h"
#include "sys/file.h"
#include "sys/lines.h"

enum { MOUNTINFO_MOST = 1 << 20 };

int look_around(struct facts *f)
{
	memset(f, 0, sizeof *f);
	int proc = file_proc();
	if (proc < 0)
		f->incomplete = true;
	look_process(f, proc);
	look_mounts(f, proc);
	look_network(f, proc);
	look_devices(f);
	if (proc >= 0)
		close(proc);
	return f->incomplete;
}

int look_cgroup(struct facts *f)
{
	struct cgroup_search search;
	struct lines l;

	int proc = file_proc();
	cgroup_search_start(&search, f, proc);
	if (proc < 0)
		return -ENOENT;
	if (lines_open(&l, proc, "self/mountinfo", MOUNTINFO_MOST) == 0) {
		struct mount_line m;
		char *line;
		while ((line = lines_next(&l)))
			if (mountinfo_parse(line, &m) == 0)
				cgroup_search_mount(&search, f, &m);
		lines_close(&l);
	}
	close(proc);
	return f->cgroup.version ? 0 : -ENOENT;
}
