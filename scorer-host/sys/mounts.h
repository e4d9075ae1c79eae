/* Mounts in a namespace of our own (mount_namespaces(7)): nothing here is ever seen by the rest of the host. */
#ifndef PROCTOR_HOST_SYS_MOUNTS_H
#define PROCTOR_HOST_SYS_MOUNTS_H

#include <stdint.h>

/* Leaves the host's mount namespace and makes everything private. 0 or -errno. */
int mounts_private(void);

/* A tmpfs of that size. 0 or -errno. */
int mount_small(const char *at, uint64_t bytes);

/*
 * An overlay (Documentation/filesystems/overlayfs): lower is never written to. All three are open folders, so that no
 * character of a path can be taken for an option. nosuid, nodev. 0 or -errno.
 */
int mount_overlay(int lower, int upper, int work, const char *at);

/* An ext4 device, nosuid, nodev, noexec, noatime. 0 or -errno. */
int mount_ext4(const char *device, const char *at);

/* Takes a mount away, even with its last files open. Not mounted is no error. */
int mount_drop(const char *at);

#endif
