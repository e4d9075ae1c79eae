/* The result tree as a filesystem of its own. */
#include "intake/output_image.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "sys/loop.h"
#include "sys/mounts.h"
#include "sys/program.h"

enum { INODE = 256, SMALL_BLOCK = 1024, LARGE_BLOCK = 4096, MARGIN_FILES = 80, MKFS_MS = 120000 };

static uint64_t inodes(uint64_t files)
{
	return files + MARGIN_FILES; /* ext4 keeps 11 for itself; the rest stands behind init's decision */
}

/* ext4 has at most one inode for each block, so many files need room of their own. */
uint64_t output_image_size(uint64_t bytes, uint64_t files)
{
	uint64_t size = bytes + bytes / 8 + (1 << 20) + inodes(files) * (INODE + SMALL_BLOCK);
	return (size + LARGE_BLOCK - 1) / LARGE_BLOCK * LARGE_BLOCK;
}

static int format(const struct output_image *o, uint64_t files, uid_t uid, gid_t gid, struct fault *fault)
{
	char mkfs[PATH_MAX], block[16], count[32], owner[96], said[512], inode[16];
	const char *const argv[] = {mkfs, "-q", "-F", "-m", "0", "-b", block, "-I", inode, "-N", count, "-O",
	    "^has_journal,^resize_inode,metadata_csum", "-E", owner, o->file, NULL};
	int r = program_find("mkfs.ext4", mkfs, sizeof mkfs);

	if (r < 0) {
		(void)fault_set(fault, VERDICT_ENGINE_FAILED, "mkfs.ext4: no such program");
		return fault_hint(fault, "install it (Debian: apt-get install e2fsprogs)");
	}
	(void)snprintf(block, sizeof block, "%d", o->size < (512U << 20) ? SMALL_BLOCK : LARGE_BLOCK);
	(void)snprintf(inode, sizeof inode, "%d", INODE);
	(void)snprintf(count, sizeof count, "%" PRIu64, inodes(files));
	(void)snprintf(owner, sizeof owner, "root_owner=%u:%u,lazy_itable_init=1,nodiscard", (unsigned)uid,
	    (unsigned)gid);
	r = program_run(argv, MKFS_MS, said, sizeof said);
	if (r != 0)
		return fault_set(
		    fault, VERDICT_ENGINE_FAILED, "mkfs.ext4 %s: %s", o->file, r < 0 ? strerror(-r) : said);
	return 0;
}

static int attach(struct output_image *o, int image, struct fault *fault)
{
	char device[32], lost[PATH_MAX];
	int loop = loop_attach(image, device), r;

	if (loop < 0) {
		(void)fault_set(
		    fault, VERDICT_ENGINE_FAILED, "no loop device for %s: %s", o->file, strerror(-loop));
		return fault_hint(fault, "the kernel needs the loop module and /dev/loop-control");
	}
	r = mount_ext4(device, o->at);
	(void)close(loop);
	if (r < 0)
		return fault_set(fault, VERDICT_ENGINE_FAILED, "mounting %s: %s", o->file, strerror(-r));
	o->mounted = 1;
	if (snprintf(lost, sizeof lost, "%s/lost+found", o->at) >= (int)sizeof lost ||
	    (rmdir(lost) < 0 && errno != ENOENT) || chmod(o->at, 0755) < 0)
		return fault_set(fault, VERDICT_ENGINE_FAILED, "%s: %s", o->at, strerror(errno));
	return 0;
}

/* What the task grants must be there: a candidate within its budget never meets ENOSPC. */
static int suffices(const struct output_image *o, uint64_t bytes, uint64_t files, struct fault *fault)
{
	struct statvfs v;
	if (statvfs(o->at, &v) < 0)
		return fault_set(fault, VERDICT_ENGINE_FAILED, "%s: %s", o->at, strerror(errno));
	if ((uint64_t)v.f_bavail * v.f_frsize < bytes || v.f_ffree < files)
		return fault_set(fault, VERDICT_ENGINE_FAILED,
		    "the output filesystem holds %" PRIu64 " bytes and %" PRIu64
		    " files, less than the task grants",
		    (uint64_t)v.f_bavail * v.f_frsize, (uint64_t)v.f_ffree);
	return 0;
}

int output_image_make(struct output_image *o, const char *folder, uint64_t bytes, uint64_t files, uid_t uid,
    gid_t gid, struct fault *fault)
{
	int image, r;

	memset(o, 0, sizeof *o);
	o->size = output_image_size(bytes, files);
	if (snprintf(o->at, sizeof o->at, "%s/output", folder) >= (int)sizeof o->at ||
	    snprintf(o->file, sizeof o->file, "%s/output.img", folder) >= (int)sizeof o->file) {
		memset(o, 0, sizeof *o);
		return fault_set(fault, VERDICT_ENGINE_FAILED, "%s: the path is too long", folder);
	}
	image = open(o->file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (image < 0 || mkdir(o->at, 0700) < 0) {
		r = fault_set(fault, errno == ENOSPC ? VERDICT_INFRA_DISK : VERDICT_ENGINE_FAILED, "%s: %s",
		    image < 0 ? o->file : o->at, strerror(errno));
		if (image >= 0)
			(void)close(image);
		return r;
	}
	/* Allocated now, so that a full disk is found before the candidate runs and cannot be caused by it. */
	r = fallocate(image, 0, 0, (off_t)o->size) < 0 ? errno : 0;
	if (r == EOPNOTSUPP || r == ENOSYS)
		r = ftruncate(image, (off_t)o->size) < 0 ? errno : 0;
	if (r)
		r = fault_set(fault, r == ENOSPC || r == EDQUOT ? VERDICT_INFRA_DISK : VERDICT_ENGINE_FAILED,
		    "%s: %" PRIu64 " bytes: %s", o->file, o->size, strerror(r));
	if (r == 0)
		r = format(o, files, uid, gid, fault);
	if (r == 0)
		r = attach(o, image, fault);
	(void)close(image);
	return r < 0 ? r : suffices(o, bytes, files, fault);
}

int output_image_drop(struct output_image *o)
{
	int r = 0;
	if (o->mounted)
		r = mount_drop(o->at);
	if (o->at[0] && rmdir(o->at) < 0 && errno != ENOENT && r == 0)
		r = -errno;
	if (o->file[0] && unlink(o->file) < 0 && errno != ENOENT && r == 0)
		r = -errno;
	memset(o, 0, sizeof *o);
	return r;
}
