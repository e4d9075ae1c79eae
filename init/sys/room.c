/* Room on a filesystem. */
#include "sys/room.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/figures.h"
#include "core/mountinfo.h"
#include "sys/file.h"
#include "sys/lines.h"
#include "wire/limits.h"

enum { MOUNTINFO_MOST = 1 << 20, F2FS_MAGIC = (int)0xF2F52010, XFS_MAGIC = 0x58465342 };

int room_open(const char *path)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int room_is_mount(int fd)
{
	struct stat own, above;

	if (fstat(fd, &own) < 0 || fstatat(fd, "..", &above, 0) < 0)
		return -errno;
	return own.st_dev != above.st_dev;
}

/* The number of the mount that fd is on; LIMIT_NONE. */
static uint64_t mount_of(int proc, int fd)
{
	static const char key[] = "mnt_id:\t";
	char path[40] = "self/fdinfo/", digits[16], text[512];
	size_t n = strlen(path), d = sizeof digits;
	const char *at;
	long got;

	do
		digits[--d] = (char)('0' + fd % 10);
	while (fd /= 10);
	memcpy(path + n, digits + d, sizeof digits - d);
	path[n + sizeof digits - d] = '\0';
	got = file_read(proc, path, text, sizeof text);
	if (got <= 0 || (at = strstr(text, key)) == NULL)
		return LIMIT_NONE;
	at += sizeof key - 1;
	return figure_alone(at, strcspn(at, "\n"));
}

int room_is_whole(int fd)
{
	int proc = file_proc(), r = -ENOENT;
	struct mount_line m;
	struct lines l;
	uint64_t id;
	char *line;

	if (proc < 0)
		return proc;
	id = mount_of(proc, fd);
	if (id != LIMIT_NONE && lines_open(&l, proc, "self/mountinfo", MOUNTINFO_MOST) == 0) {
		while ((line = lines_next(&l)))
			if (mountinfo_parse(line, &m) == 0 && m.id == id)
				r = strcmp(m.root, "/") == 0;
		lines_close(&l);
	}
	close(proc);
	return r;
}

/* A list of those known, and not of those known to differ: what is mounted through another is never on it. */
static bool local(const struct statfs *s)
{
	const long kinds[] = {TMPFS_MAGIC, EXT4_SUPER_MAGIC, XFS_MAGIC, BTRFS_SUPER_MAGIC, F2FS_MAGIC};

	for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if ((uint32_t)kinds[i] == (uint32_t)s->f_type)
			return true;
	return false;
}

int room_look(int fd, struct room *r)
{
	struct statfs s;
	uint64_t unit;

	if (fstatfs(fd, &s) < 0)
		return -errno;
	unit = (uint64_t)(s.f_frsize ? s.f_frsize : s.f_bsize);
	r->local = local(&s);
	r->bytes_all = (uint64_t)s.f_blocks * unit;
	r->bytes_used = s.f_blocks > s.f_bfree ? (uint64_t)(s.f_blocks - s.f_bfree) * unit : 0;
	r->inodes_all = s.f_files ? (uint64_t)s.f_files : LIMIT_NONE;
	r->inodes_used = !s.f_files		 ? LIMIT_NONE
			 : s.f_files > s.f_ffree ? (uint64_t)(s.f_files - s.f_ffree)
						 : 0;
	return 0;
}
