/*
 * Landlock: nothing may be changed but beneath the output, the scratch trees and a few devices; /proc least of all. Runs
 * as the candidate, after its capabilities are gone. Pipes, sockets and memory files have no path and are not concerned,
 * so that /dev/stdout opens as before.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "seal/steps.h"
#include "sys/dir.h"
#include "sys/file.h"
#include "sys/landlock.h"
#include "wire/profile.h"
#include "wire/require.h"

/* Rights that make sense on something that is not a folder. */
#define FILE_RIGHTS (LANDLOCK_WRITE_FILE | LANDLOCK_TRUNCATE | LANDLOCK_IOCTL_DEV)

/* What a tree of the candidate's may see happen: no devices in it, made or commanded. */
#define TREE_RIGHTS \
	(LANDLOCK_WRITE_FILE | LANDLOCK_TRUNCATE | LANDLOCK_REFER | LANDLOCK_REMOVE_DIR | \
	    LANDLOCK_REMOVE_FILE | LANDLOCK_MAKE_DIR | LANDLOCK_MAKE_REG | LANDLOCK_MAKE_SYM | \
	    LANDLOCK_MAKE_SOCK | LANDLOCK_MAKE_FIFO)

#define ALL_RIGHTS (TREE_RIGHTS | LANDLOCK_IOCTL_DEV | LANDLOCK_MAKE_CHAR | LANDLOCK_MAKE_BLOCK)

static const char *const devices[] = {
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
};

static struct landlock_ruleset ruleset_for(int abi, const struct plan *plan)
{
	struct landlock_ruleset r = {.fs = ALL_RIGHTS};
	if (abi < LANDLOCK_ABI_REFER)
		r.fs &= ~LANDLOCK_REFER;
	if (abi < LANDLOCK_ABI_TRUNCATE)
		r.fs &= ~LANDLOCK_TRUNCATE;
	if (abi < LANDLOCK_ABI_IOCTL)
		r.fs &= ~LANDLOCK_IOCTL_DEV;
	if (abi >= LANDLOCK_ABI_NET && plan->network == NETWORK_NONE)
		r.net = LANDLOCK_BIND_TCP | LANDLOCK_CONNECT_TCP;
	if (abi >= LANDLOCK_ABI_SCOPE)
		r.scoped = LANDLOCK_SCOPED_ABSTRACT_UNIX | LANDLOCK_SCOPED_SIGNAL;
	return r;
}

static int grant(int ruleset, const char *path, uint64_t rights)
{
	int fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	struct stat st;
	int r = fstat(fd, &st) < 0 ? -errno : 0;
	if (r == 0 && !S_ISDIR(st.st_mode))
		rights &= FILE_RIGHTS;
	if (r == 0)
		r = landlock_beneath(ruleset, fd, rights);
	close(fd);
	return r;
}

/* Entries of /dev that GPU drivers serve: NVIDIA's (numbered, -uvm, ctl, -caps/), DRM's folder, AMD's compute node. */
static bool is_gpu(const char *name)
{
	return strncmp(name, "nvidia", 6) == 0 || strcmp(name, "dri") == 0 || strcmp(name, "kfd") == 0;
}

/* One such entry, if it is a device or a folder of them and no link to something else. */
static int grant_gpu(int ruleset, int dev, const char *name, uint64_t rights)
{
	int fd = openat(dev, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT || errno == EACCES ? 0 : -errno;
	struct stat st;
	int r = fstat(fd, &st) < 0 ? -errno : 0;
	if (r == 0 && (S_ISCHR(st.st_mode) || S_ISDIR(st.st_mode)))
		r = landlock_beneath(ruleset, fd, rights);
	close(fd);
	return r;
}

/* An image may bring its own /dev, with as many entries as it likes; what comes later cannot be used. */
enum { ENTRIES_MOST = 4096 };

static int grant_gpus(int ruleset, uint64_t rights)
{
	struct dir d;
	unsigned char type;
	const char *name;
	int r = dir_open(&d, AT_FDCWD, "/dev");
	if (r < 0)
		return r == -ENOENT || r == -EACCES ? 0 : r;
	for (unsigned i = 0; i < ENTRIES_MOST && r == 0 && (name = dir_next(&d, &type)); i++)
		if (is_gpu(name))
			r = grant_gpu(ruleset, d.fd, name, rights);
	int ended = dir_close(&d);
	return r < 0 ? r : ended;
}

static int grant_all(int ruleset, const struct plan *plan, uint64_t handled)
{
	int r = 0;
	if (plan->text[OPTION_OUTPUT])
		r = grant(ruleset, plan->text[OPTION_OUTPUT], TREE_RIGHTS & handled);
	for (unsigned i = 0; i < plan->scratches && r == 0; i++)
		r = grant(ruleset, plan->scratch[i], TREE_RIGHTS & handled);
	/* A device that is not there needs no rule. */
	for (size_t i = 0; i < sizeof devices / sizeof *devices && r == 0; i++) {
		r = grant(ruleset, devices[i], FILE_RIGHTS & handled);
		if (r == -ENOENT || r == -EACCES)
			r = 0;
	}
	if (r == 0 && plan->profile == POLICY_GPU)
		r = grant_gpus(ruleset, FILE_RIGHTS & handled);
	return r;
}

/* Opens a file for writing that everybody may write to by its mode (proc_pid_timerslack_ns(5)): open and errno. */
static int probe(void)
{
	int fd = open("/proc/self/timerslack_ns", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

int step_landlock(struct sealing *s)
{
	const struct plan *plan = s->plan;
	if (!plan->text[OPTION_OUTPUT] && plan->scratches == 0)
		return STATE_OFF;

	int abi = landlock_abi();
	if (abi < 0)
		return seal_unavailable(-abi) ? STATE_UNAVAILABLE : abi;
	struct landlock_ruleset want = ruleset_for(abi, plan);
	int ruleset = landlock_create(&want);
	if (ruleset < 0)
		return seal_unavailable(-ruleset) ? STATE_UNAVAILABLE : ruleset;

	int r = grant_all(ruleset, plan, want.fs);
	if (r < 0) {
		close(ruleset);
		return r;
	}
	int before = probe();
	r = landlock_restrict(ruleset);
	close(ruleset);
	if (r < 0)
		return seal_unavailable(-r) ? STATE_UNAVAILABLE : r;
	/* The kernel does not say what holds; so something that went before must not go now. */
	if (before == 0 && probe() != -EACCES)
		return -EBADE;
	/* Before this ABI a file outside could still be cut short, as far as its mode lets the candidate. */
	return abi >= LANDLOCK_ABI_TRUNCATE ? STATE_ENFORCED : STATE_BEST_EFFORT;
}
