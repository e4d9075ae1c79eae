/* Mounts in a namespace of our own. */
#include "sys/mounts.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <unistd.h>

/*
 * In a chroot "/" is no mount, and neither we nor an engine can set its propagation. A recursive copy of it is made the
 * root then, hung onto /proc: that is a mount, so it can be made private first and nothing reaches the host's namespace.
 */
static int root_becomes_mount(void)
{
	char here[PATH_MAX];

	if (!getcwd(here, sizeof here) || mount(NULL, "/proc", NULL, MS_PRIVATE, NULL) < 0 ||
	    mount("/", "/proc", NULL, MS_BIND | MS_REC, NULL) < 0 || chdir("/proc") < 0 || chroot(".") < 0 ||
	    chdir(here) < 0)
		return -errno;
	return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ? -errno : 0;
}

int mounts_private(void)
{
	if (unshare(CLONE_NEWNS) < 0)
		return -errno;
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0)
		return 0;
	return errno == EINVAL ? root_becomes_mount() : -errno;
}

int mount_small(const char *at, uint64_t bytes)
{
	char options[64];
	(void)snprintf(options, sizeof options, "size=%" PRIu64 ",nr_inodes=1024,mode=0755", bytes);
	return mount("tmpfs", at, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, options) < 0 ? -errno : 0;
}

int mount_overlay(int lower, int upper, int work, const char *at)
{
	char options[160];
	(void)snprintf(options, sizeof options,
	    "lowerdir=/proc/self/fd/%d,upperdir=/proc/self/fd/%d,workdir=/proc/self/fd/%d", lower, upper,
	    work);
	return mount("overlay", at, "overlay", MS_NOSUID | MS_NODEV, options) < 0 ? -errno : 0;
}

int mount_ext4(const char *device, const char *at)
{
	unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME;
	return mount(device, at, "ext4", flags, "errors=continue") < 0 ? -errno : 0;
}

int mount_drop(const char *at)
{
	if (umount2(at, UMOUNT_NOFOLLOW) == 0 || errno == EINVAL || errno == ENOENT)
		return 0;
	return umount2(at, MNT_DETACH | UMOUNT_NOFOLLOW) < 0 ? -errno : 0;
}
