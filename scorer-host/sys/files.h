/* Small file work: whole files, folders, and copies between open descriptors. Nothing here follows a link it should not. */
#ifndef PROCTOR_HOST_SYS_FILES_H
#define PROCTOR_HOST_SYS_FILES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Opens a path that must stay beneath the folder and pass through no symlink, no magic link and no mount point
 * (openat2(2); component by component where the kernel has none). flags as for openat; O_CLOEXEC and O_NOFOLLOW are
 * added. The descriptor, or -errno: -ELOOP or -EXDEV where the path leads astray.
 */
int open_beneath(int folder, const char *path, int flags, mode_t mode);

/* The same across mount points. */
int open_beneath_mounts(int folder, const char *path, int flags, mode_t mode);

/* Writes a new file (O_EXCL) with that content. 0 or -errno. */
int file_write(int folder, const char *name, const void *bytes, size_t n, mode_t mode);

/* Reads a file of at most room - 1 bytes and NUL-terminates. The length, -EFBIG when it is longer, or -errno. */
ssize_t file_read(int folder, const char *name, char *buffer, size_t room);

/* Writes all of it at the descriptor's position. 0 or -errno. */
int write_all(int fd, const void *bytes, size_t n);

/* Removes what lies below the folder, on its own filesystem only, links never followed; then the folder. 0 or -errno. */
int folder_remove(int parent, const char *name);

/* Makes the folder and its parents, mode 0700 each. Being there is no error. */
int folder_make_all(const char *path);

#endif
