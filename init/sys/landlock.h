/*
 * Landlock (landlock(7)) by its raw system calls. The kernel headers of the oldest supported build machine know ABI 2
 * only, so the numbers stand here; they are those of include/uapi/linux/landlock.h in Linux 6.12.
 */
#ifndef PROCTOR_SYS_LANDLOCK_H
#define PROCTOR_SYS_LANDLOCK_H

#include <stdint.h>

/* LANDLOCK_ACCESS_FS_… that change something; reading and executing are left to the file system's own modes. */
#define LANDLOCK_WRITE_FILE (UINT64_C(1) << 1)
#define LANDLOCK_REMOVE_DIR (UINT64_C(1) << 4)
#define LANDLOCK_REMOVE_FILE (UINT64_C(1) << 5)
#define LANDLOCK_MAKE_CHAR (UINT64_C(1) << 6)
#define LANDLOCK_MAKE_DIR (UINT64_C(1) << 7)
#define LANDLOCK_MAKE_REG (UINT64_C(1) << 8)
#define LANDLOCK_MAKE_SOCK (UINT64_C(1) << 9)
#define LANDLOCK_MAKE_FIFO (UINT64_C(1) << 10)
#define LANDLOCK_MAKE_BLOCK (UINT64_C(1) << 11)
#define LANDLOCK_MAKE_SYM (UINT64_C(1) << 12)
#define LANDLOCK_REFER (UINT64_C(1) << 13)     /* ABI 2; before it, every rename between folders is refused */
#define LANDLOCK_TRUNCATE (UINT64_C(1) << 14)  /* ABI 3 */
#define LANDLOCK_IOCTL_DEV (UINT64_C(1) << 15) /* ABI 5 */

/* LANDLOCK_ACCESS_NET_…, ABI 4. */
#define LANDLOCK_BIND_TCP (UINT64_C(1) << 0)
#define LANDLOCK_CONNECT_TCP (UINT64_C(1) << 1)

/* LANDLOCK_SCOPE_…, ABI 6. */
#define LANDLOCK_SCOPED_ABSTRACT_UNIX (UINT64_C(1) << 0)
#define LANDLOCK_SCOPED_SIGNAL (UINT64_C(1) << 1)

enum {
	LANDLOCK_ABI_REFER = 2,
	LANDLOCK_ABI_TRUNCATE = 3,
	LANDLOCK_ABI_NET = 4,
	LANDLOCK_ABI_IOCTL = 5,
	LANDLOCK_ABI_SCOPE = 6
};

/* struct landlock_ruleset_attr as of ABI 6; older kernels accept it while what they do not know is 0. */
struct landlock_ruleset {
	uint64_t fs, net, scoped;
};

/* The kernel's ABI, or -errno: -ENOSYS not built in, -EOPNOTSUPP not enabled, -EPERM withheld by a filter. */
int landlock_abi(void);

/* A ruleset that handles these rights. The descriptor (close-on-exec) or -errno. */
int landlock_create(const struct landlock_ruleset *r);

/* Grants the rights beneath the file or folder that fd (O_PATH is enough) is open on. 0 or -errno. */
int landlock_beneath(int ruleset, int fd, uint64_t rights);

/* Puts the ruleset on this process for good. Needs no_new_privs. 0 or -errno. */
int landlock_restrict(int ruleset);

#endif
