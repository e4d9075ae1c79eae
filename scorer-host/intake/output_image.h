/*
 * The result tree as a filesystem of its own: an image in the run directory, so that every byte and inode that the
 * candidate takes is seen and bounded, deleted-but-open files included. A little larger than what the task grants:
 * init decides at the limit, the kernel's ENOSPC stands behind it.
 */
#ifndef PROCTOR_INTAKE_OUTPUT_IMAGE_H
#define PROCTOR_INTAKE_OUTPUT_IMAGE_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

#include "judge/fault.h"

struct output_image {
	char file[PATH_MAX]; /* the image */
	char at[PATH_MAX];   /* where it is mounted */
	uint64_t size;	     /* of the image */
	int mounted;
};

/* The size of the image for that grant. */
uint64_t output_image_size(uint64_t bytes, uint64_t files);

/*
 * Makes folder/output.img, allocated in full, and mounts it at folder/output, nosuid, nodev, noexec, owned by the
 * candidate's ids; the caller has a private mount namespace. 0, or -1 with INFRA_DISK or ENGINE_FAILED.
 */
int output_image_make(struct output_image *o, const char *folder, uint64_t bytes, uint64_t files, uid_t uid,
    gid_t gid, struct fault *fault);

/* Unmounts and removes the image; the loop device frees itself. Safe on a zeroed or half-made one. 0 or -errno. */
int output_image_drop(struct output_image *o);

#endif
