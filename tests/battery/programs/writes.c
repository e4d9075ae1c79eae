/* Writes where nothing may be written, in every way there is, and where it may; then looks at its own confinement. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probe.h"

static long write_byte(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0666);
	if (fd < 0)
		return -1;
	long r = write(fd, "1", 1);
	int error = errno;
	close(fd);
	errno = error;
	return r;
}

static int outside(int argc, char **argv)
{
	(void)argc, (void)argv;
	static const char *const folders[] = {"/", "/input", "/proc", "/dev", "/sys", "/.proctor", "/etc",
	    "/battery", "/sys/fs/cgroup", "/sys/fs/cgroup/memory", "/run", "/var", "/root", "/proc/1/root",
	    "/proc/self/root/etc"};
	static const char *const files[] = {"/input/hello.txt", "/etc/passwd", "/battery/writes",
	    "/.proctor/init", "/proc/1/oom_score_adj", "/proc/1/mem", "/proc/1/exe", "/proc/1/environ",
	    "/proc/self/oom_score_adj", "/proc/self/oom_adj", "/proc/self/setgroups", "/proc/self/uid_map",
	    "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger",
	    "/proc/self/exe", "/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory.max",
	    "/sys/fs/cgroup/cgroup.procs", "/dev/mem", "/dev/kmsg", "/dev/loop0", "/dev/sda"};
	static const char *const inside[] = {"/output/extra", "/tmp/extra", "/dev/shm/extra"};
	char what[128], path[96];

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		snprintf(path, sizeof path, "%s/made", folders[i]);
		snprintf(what, sizeof what, "create-in %s", folders[i]);
		deny(what, write_byte(path, O_WRONLY | O_CREAT));
		snprintf(what, sizeof what, "mkdir-in %s", folders[i]);
		deny(what, mkdir(path, 0777));
		snprintf(what, sizeof what, "symlink-in %s", folders[i]);
		deny(what, symlink("/output", path));
		snprintf(what, sizeof what, "tmpfile-in %s", folders[i]);
		deny(what, write_byte(folders[i], O_WRONLY | O_TMPFILE));
		snprintf(what, sizeof what, "chmod %s", folders[i]);
		deny(what, chmod(folders[i], 0777));
	}
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		snprintf(what, sizeof what, "write %s", files[i]);
		deny(what, write_byte(files[i], O_WRONLY));
		snprintf(what, sizeof what, "truncate %s", files[i]);
		deny(what, truncate(files[i], 0));
		snprintf(what, sizeof what, "unlink %s", files[i]);
		deny(what, unlink(files[i]));
		snprintf(what, sizeof what, "rename %s", files[i]);
		deny(what, rename(files[i], "/output/taken"));
		snprintf(what, sizeof what, "link %s", files[i]);
		deny(what, link(files[i], "/output/taken"));
	}
	deny("mount", mount("none", "/tmp", "tmpfs", 0, NULL));
	deny("remount", mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL));
	deny("umount", umount2("/input", MNT_DETACH));
	deny("chroot", chroot("/output"));
	deny("mknod", mknod("/output/sda", S_IFBLK | 0666, 0x800));
	deny("unshare", unshare(CLONE_NEWUSER));
	deny("unshare-high-word", syscall(SYS_unshare, 1L << 32 | CLONE_NEWUSER | CLONE_NEWNS));
	deny("clone-newuser", syscall(SYS_clone, (long)CLONE_NEWUSER, 0L, 0L, 0L, 0L));
	deny("clone3", syscall(SYS_clone3, NULL, 0L));
	for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
		snprintf(what, sizeof what, "create %s", inside[i]);
		allow(what, write_byte(inside[i], O_WRONLY | O_CREAT));
	}
	allow("write /dev/null", write_byte("/dev/null", O_WRONLY));
	allow("write /dev/stdout", write_byte("/dev/stdout", O_WRONLY));
	allow("read /input/hello.txt", open("/input/hello.txt", O_RDONLY | O_CLOEXEC));
	good_table();
	return 0;
}

static void cat(const char *path)
{
	char text[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	if (n < 0) {
		say("unreadable %s", path);
		return;
	}
	text[n] = 0;
	for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
		say("%s", line);
	close(fd);
}

/* What the seal left: read back from inside, a line each. */
static int look(int argc, char **argv)
{
	(void)argc, (void)argv;
	static const struct {
		const char *name;
		int which;
	} limits[] = {{"core", RLIMIT_CORE}, {"nofile", RLIMIT_NOFILE}, {"fsize", RLIMIT_FSIZE},
	    {"stack", RLIMIT_STACK}};
	cat("/proc/self/status");
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		struct rlimit l;
		getrlimit(limits[i].which, &l);
		say("rlimit %s %llu %llu", limits[i].name, (unsigned long long)l.rlim_cur,
		    (unsigned long long)l.rlim_max);
	}
	struct rlimit more = {1 << 20, 1 << 20};
	deny("raise-nofile", setrlimit(RLIMIT_NOFILE, &more));
	deny("setuid-0", setuid(0));
	deny("setgid-0", setgid(0));
	gid_t group = 0;
	deny("setgroups", syscall(SYS_setgroups, 1L, &group));
	char folder[256];
	say("cwd %s", getcwd(folder, sizeof folder) ? folder : "?");
	say("session %d", getsid(0) == getpid());
	struct stat s;
	for (int fd = 0; fd < 256; fd++)
		if (fstat(fd, &s) == 0)
			say("fd %d %o", fd, s.st_mode & S_IFMT);
	for (char **e = environ; *e != NULL; e++)
		say("env %s", *e);
	DIR *d = opendir("/.proctor");
	for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
		say("door %s", e->d_name);
	good_table();
	return 0;
}

static int open_files(int argc, char **argv)
{
	(void)argc, (void)argv;
	int n = 0;
	while (open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0)
		n++;
	int error = errno;
	say("opened %d", n);
	errno = error;
	deny("one-more", open("/dev/null", O_RDONLY | O_CLOEXEC));
	return error == EMFILE ? 0 : 1;
}

int main(int argc, char **argv)
{
	static const struct action actions[] = {
	    {"outside", outside}, {"look", look}, {"open-files", open_files}};
	return act(actions, sizeof actions / sizeof *actions, argc, argv);
}
