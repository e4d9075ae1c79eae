/* What init itself is and may do, asked of the kernel by calls where there is one: cheaper than /proc, and never absent. */
#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "seal/look_parts.h"
#include "sys/caps.h"
#include "sys/file.h"
#include "sys/landlock.h"
#include "sys/seccomp.h"

/*
 * Process 1 of a namespace of its own. The machine's first namespace has a fixed inode (PROC_PID_INIT_INO of the
 * kernel's include/linux/proc_ns.h), and its process 2 is the kernel's thread daemon: either sign is enough to doubt,
 * the absence of process 2 proves.
 */
static bool own_namespace(int proc)
{
	static const char first[] = "pid:[4026531836]";
	if (getpid() != 1)
		return false;
	if (kill(2, 0) < 0 && errno == ESRCH)
		return true;
	char link[sizeof first + 8];
	ssize_t n = proc < 0 ? -1 : readlinkat(proc, "self/ns/pid", link, sizeof link);
	return n > 0 && ((size_t)n != sizeof first - 1 || memcmp(link, first, (size_t)n) != 0);
}

void look_process(struct facts *f, int proc)
{
	f->pid1 = getpid() == 1;
	f->pid_namespace = own_namespace(proc);
	f->uid = geteuid();
	f->gid = getegid();

	struct caps caps;
	if (caps_get(&caps) == 0)
		f->caps_effective = caps.effective;
	else
		f->incomplete = true;
	if (caps_bounding(&f->caps_bounding) < 0)
		f->incomplete = true;
	f->no_new_privs = caps_has_no_new_privs() == 1;
	f->seccomp = seccomp_mode();

	/* A kernel without the file starts no helpers. */
	char pattern[2];
	long n = proc < 0 ? proc : file_read(proc, "sys/kernel/core_pattern", pattern, sizeof pattern);
	if (n > 0)
		f->core_pattern_piped = pattern[0] == '|';
	else if (n != -ENOENT)
		f->incomplete = true;

	int abi = landlock_abi();
	f->landlock_abi = abi > 0 ? abi : 0;

	struct utsname name;
	if (uname(&name) == 0) {
		size_t length = strnlen(name.release, sizeof f->kernel - 1);
		memcpy(f->kernel, name.release, length);
		f->kernel[length] = '\0';
	}
}
