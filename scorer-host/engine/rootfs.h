/*
 * Prepares the root that an engine gets: an overlay over the submission's folder, which is never touched, with the
 * mount points laid in. A symlink at or in a mount point is refused: an engine that follows it would create files
 * wherever the submission likes.
 */
#ifndef PROCTOR_ENGINE_ROOTFS_H
#define PROCTOR_ENGINE_ROOTFS_H

#include "engine/launch.h"

/*
 * folder: the submission's root. work: an existing empty folder for the overlay's own parts. The overlay is mounted at
 * work/root, in a private mount namespace that the caller made. 0, or -1 with IMAGE_REFUSED or ENGINE_FAILED.
 */
int rootfs_prepare(const char *folder, const char *work, const struct launch_mount *mount, size_t count,
    struct fault *fault);

/* Takes the overlay away again. 0 or -errno. */
int rootfs_drop(const char *work);

/*
 * Lays one mount point into the folder: its parents as folders, itself as a folder or an empty file. What the image has
 * there of folders becomes root's: 0755, the last one `mode`. 0, or -1 with IMAGE_REFUSED or ENGINE_FAILED.
 */
int rootfs_mount_point(int root, const char *at, bool folder, mode_t mode, struct fault *fault);

#endif
