/* Prepares the root that an engine gets. */
#include "engine/rootfs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "sys/files.h"
#include "sys/mounts.h"

/* Room for folders and empty files only. */
enum { UPPER_BYTES = 4 << 20 };

static int refused(struct fault *fault, const char *at, int error)
{
	switch (error) {
	case ELOOP:
	case EXDEV:
		return fault_set(
		    fault, VERDICT_IMAGE_REFUSED, "the image has a symlink at or in the mount point %s", at);
	case ENOTDIR:
	case EEXIST:
	case EISDIR:
		return fault_set(fault, VERDICT_IMAGE_REFUSED,
		    "the image has something else than was expected at or in the mount point %s", at);
	default:
		return fault_set(fault, VERDICT_ENGINE_FAILED, "mount point %s: %s", at, strerror(error));
	}
}

/*
 * The image's owner, mode and access list are the submitter's word: init, without DAC capabilities, and the candidate
 * have to get through and onto every mount point. runc gives a tmpfs the mode of the folder that it covers.
 */
static int settle(int folder, mode_t mode)
{
	if (fchown(folder, 0, 0) < 0 || fchmod(folder, mode) < 0)
		return -errno;
	if (fremovexattr(folder, "system.posix_acl_access") < 0 && errno != ENODATA && errno != ENOTSUP)
		return -errno;
	return 0;
}

/* One component: opened, or made first where it is missing. A folder is ours afterwards, with that mode. */
static int step(int parent, const char *name, bool folder, mode_t mode)
{
	int flags = folder ? O_RDONLY | O_DIRECTORY : O_PATH;
	int fd = open_beneath(parent, name, flags, 0);
	struct stat st = {0};

	if (fd == -ENOENT && folder) {
		if (mkdirat(parent, name, 0700) < 0)
			return -errno;
		fd = open_beneath(parent, name, flags, 0);
	} else if (fd == -ENOENT) {
		int r = file_write(parent, name, "", 0, mode);
		if (r < 0)
			return r;
		fd = open_beneath(parent, name, flags, 0);
	}
	if (fd == -ENOTDIR && fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode))
		return -ELOOP;
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0 || (folder ? !S_ISDIR(st.st_mode) : !S_ISREG(st.st_mode))) {
		(void)close(fd);
		return S_ISLNK(st.st_mode) ? -ELOOP : -EEXIST;
	}
	if (folder) {
		int r = settle(fd, mode);
		if (r < 0) {
			(void)close(fd);
			return r;
		}
	}
	return fd;
}

int rootfs_mount_point(int root, const char *at, bool folder, mode_t mode, struct fault *fault)
{
	const char *rest = at + strspn(at, "/");
	int parent = fcntl(root, F_DUPFD_CLOEXEC, 3);

	if (parent < 0)
		return refused(fault, at, errno);
	while (*rest) {
		char name[NAME_MAX + 1];
		size_t n = strcspn(rest, "/");
		bool last;
		int next;
		if (n > NAME_MAX) {
			(void)close(parent);
			return refused(fault, at, ENAMETOOLONG);
		}
		memcpy(name, rest, n);
		name[n] = '\0';
		rest += n + strspn(rest + n, "/");
		last = *rest == '\0';
		next = step(parent, name, !last || folder, last ? mode : 0755);
		(void)close(parent);
		if (next < 0)
			return refused(fault, at, -next);
		parent = next;
	}
	(void)close(parent);
	return 0;
}

/* Mount points that lie in another mount of ours are made by the engine in there, where no image has a say. */
static bool covered(const char *at, const struct launch_mount *mount, size_t count)
{
	static const char *const always[] = {"/proc", "/dev", "/sys"};
	for (size_t i = 0; i < count + 3; i++) {
		const char *over = i < 3 ? always[i] : mount[i - 3].at;
		size_t n = strlen(over);
		if (strncmp(at, over, n) == 0 && at[n] == '/')
			return true;
	}
	return false;
}

static int lay(int root, const struct launch_mount *mount, size_t count, struct fault *fault)
{
	if (rootfs_mount_point(root, "/proc", true, 0555, fault) < 0 ||
	    rootfs_mount_point(root, "/dev", true, 0755, fault) < 0 ||
	    rootfs_mount_point(root, "/sys", true, 0555, fault) < 0)
		return -1;
	for (size_t i = 0; i < count; i++) {
		const struct launch_mount *m = &mount[i];
		struct stat st;
		bool folder = m->kind == MOUNT_TMPFS;
		if (m->kind == MOUNT_BIND) {
			if (stat(m->source, &st) < 0)
				return fault_set(
				    fault, VERDICT_ENGINE_FAILED, "%s: %s", m->source, strerror(errno));
			folder = S_ISDIR(st.st_mode);
		}
		if (covered(m->at, mount, count))
			continue;
		if (rootfs_mount_point(root, m->at, folder,
			m->kind == MOUNT_TMPFS ? 01777
			: folder	       ? 0755
					       : 0644,
			fault) < 0)
			return -1;
	}
	return 0;
}

static int opened(const char *work, const char *name, int make)
{
	char path[PATH_MAX];
	int fd;
	if (snprintf(path, sizeof path, "%s/%s", work, name) >= (int)sizeof path)
		return -ENAMETOOLONG;
	if (make && mkdir(path, 0755) < 0 && errno != EEXIST)
		return -errno;
	if (make && chmod(path, 0755) < 0)
		return -errno;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int overlay(const char *folder, const char *work, const char *at, struct fault *fault)
{
	char small[PATH_MAX];
	int lower = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), upper = -1, inner = -1, r;

	if (lower < 0)
		return fault_set(
		    fault, VERDICT_ENGINE_FAILED, "root filesystem %s: %s", folder, strerror(errno));
	(void)snprintf(small, sizeof small, "%s/layer", work);
	r = mkdir(small, 0700) < 0 ? -errno : mount_small(small, UPPER_BYTES);
	if (r == 0 && (upper = opened(small, "upper", 1)) < 0)
		r = upper;
	if (r == 0 && (inner = opened(small, "work", 1)) < 0)
		r = inner;
	if (r == 0)
		r = mkdir(at, 0755) < 0 ? -errno : mount_overlay(lower, upper, inner, at);
	(void)close(lower);
	if (upper >= 0)
		(void)close(upper);
	if (inner >= 0)
		(void)close(inner);
	if (r == 0)
		return 0;
	(void)fault_set(fault, VERDICT_ENGINE_FAILED, "overlay over %s: %s", folder, strerror(-r));
	return fault_hint(
	    fault, "the kernel needs overlayfs, and the folder a filesystem that it takes as a lower layer");
}

int rootfs_prepare(
    const char *folder, const char *work, const struct launch_mount *mount, size_t count, struct fault *fault)
{
	char at[PATH_MAX];
	int root, r;

	if (snprintf(at, sizeof at, "%s/root", work) >= (int)sizeof at - 16)
		return fault_set(fault, VERDICT_ENGINE_FAILED, "%s: the path is too long", work);
	if (overlay(folder, work, at, fault) < 0)
		return -1;
	root = open(at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return fault_set(fault, VERDICT_ENGINE_FAILED, "%s: %s", at, strerror(errno));
	r = lay(root, mount, count, fault);
	(void)close(root);
	return r;
}

int rootfs_drop(const char *work)
{
	char path[PATH_MAX];
	int r, r2;
	(void)snprintf(path, sizeof path, "%s/root", work);
	r = mount_drop(path);
	(void)snprintf(path, sizeof path, "%s/layer", work);
	r2 = mount_drop(path);
	return r < 0 ? r : r2;
}
