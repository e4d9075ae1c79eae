/* Looking around on the live kernel, in namespaces of known content; and the readers it is made of. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "seal/look.h"
#include "sys/caps.h"
#include "sys/dir.h"
#include "sys/file.h"
#include "sys/lines.h"
#include "wire/limits.h"

/* The child's facts come back through shared memory. */
static struct facts *f;

static const struct fact_mount *mount_at(const char *at)
{
	for (unsigned i = 0; i < f->mounts; i++)
		if (strcmp(f->mount[i].at, at) == 0)
			return &f->mount[i];
	return NULL;
}

/* The same where it has to be. */
static const struct fact_mount *seen_at(const char *at)
{
	const struct fact_mount *m = mount_at(at);
	assert_non_null(m);
	if (!m)
		abort(); /* compilers do not know that the assertion above leaves */
	return m;
}

static bool has_device(const char *name)
{
	for (unsigned i = 0; i < f->devices; i++)
		if (strcmp(f->device[i], name) == 0)
			return true;
	return false;
}

static int set_up(void **state)
{
	(void)state;
	f = mmap(NULL, sizeof *f, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return f == MAP_FAILED ? -1 : 0;
}

static int tear_down(void **state)
{
	(void)state;
	return munmap(f, sizeof *f);
}

/* Looks around in new namespaces, as the first process of a new pid namespace when flags say so. */
static void look_in(int flags, int (*prepare)(void))
{
	if (geteuid() != 0)
		skip();
	memset(f, 0xa5, sizeof *f);
	pid_t outer = fork();
	if (outer == 0) {
		if (unshare(flags | CLONE_NEWNS) < 0 ||
		    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
			_exit(1);
		pid_t inner = fork();
		if (inner == 0) {
			if (flags & CLONE_NEWPID && mount("proc", "/proc", "proc", 0, NULL) < 0)
				_exit(2);
			if (prepare && prepare() < 0)
				_exit(3);
			look_around(f);
			_exit(0);
		}
		int status;
		if (inner < 0 || waitpid(inner, &status, 0) != inner)
			_exit(4);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 5);
	}
	int status;
	assert_int_equal(waitpid(outer, &status, 0), outer);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void here(void **state)
{
	(void)state;
	look_around(f);
	assert_false(f->pid1);
	assert_false(f->pid_namespace);
	assert_int_equal(f->uid, geteuid());
	assert_int_equal(f->gid, getegid());
	assert_non_null(mount_at("/"));
	assert_true(f->interfaces > 0);
	assert_true(strlen(f->kernel) > 3);
	struct caps caps;
	assert_int_equal(caps_get(&caps), 0);
	assert_int_equal(f->caps_effective, caps.effective);
}

static void own_namespaces(void **state)
{
	(void)state;
	look_in(CLONE_NEWPID | CLONE_NEWNET, NULL);
	assert_true(f->pid1);
	assert_true(f->pid_namespace);
	assert_true(f->network_known);
	assert_int_equal(f->routes, 0);
	assert_true(f->interfaces > 0);
	for (unsigned i = 0; i < f->interfaces; i++)
		assert_string_not_equal(f->interface[i], "eth0");
}

static int sealed_world(void)
{
	if (mount("none", "/mnt", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=1m,nr_inodes=50") < 0 ||
	    mkdir("/mnt/with space", 0755) < 0 ||
	    mount("none", "/mnt/with space", "tmpfs", 0, "size=64k") < 0 || mkdir("/mnt/hidden", 0755) < 0 ||
	    mount("none", "/mnt/hidden", "tmpfs", 0, NULL) < 0 ||
	    mount("none", "/mnt/hidden", "tmpfs", MS_RDONLY, NULL) < 0 ||
	    mount("none", "/dev", "tmpfs", 0, NULL) < 0 || mount("none", "/run", "tmpfs", 0, NULL) < 0 ||
	    mount("none", "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL) < 0)
		return -1;
	if (mknod("/dev/null", S_IFCHR | 0666, makedev(1, 3)) < 0 ||
	    mknod("/dev/fuse", S_IFCHR | 0666, makedev(10, 229)) < 0 || mkdir("/dev/net", 0755) < 0 ||
	    mknod("/dev/net/tun", S_IFCHR | 0666, makedev(10, 200)) < 0 || mkdir("/dev/pts", 0755) < 0 ||
	    mknod("/dev/pts/0", S_IFCHR | 0666, makedev(136, 0)) < 0 || symlink("null", "/dev/alias") < 0)
		return -1;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "/run/docker.sock"};
	if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) < 0)
		return -1;
	/* A file masked as engines do it, and one laid over another. */
	if (mount("/dev/null", "/proc/version", NULL, MS_BIND, NULL) < 0 ||
	    close(open("/mnt/file", O_WRONLY | O_CREAT | O_CLOEXEC, 0644)) < 0 ||
	    mount("/mnt/file", "/proc/cmdline", NULL, MS_BIND, NULL) < 0)
		return -1;
	return caps_no_new_privs();
}

static void known_world(void **state)
{
	(void)state;
	look_in(CLONE_NEWPID | CLONE_NEWNET, sealed_world);
	assert_false(f->root_writable);
	assert_false(seen_at("/")->writable);
	const struct fact_mount *m = seen_at("/mnt");
	assert_string_equal(m->type, "tmpfs");
	assert_true(m->writable && m->nosuid && m->nodev && m->noexec);
	assert_int_equal(m->bytes, 1 << 20);
	assert_int_equal(m->inodes, 50);
	m = seen_at("/mnt/with space");
	assert_true(m->writable && !m->nosuid && !m->noexec);
	assert_int_equal(m->bytes, 65536);
	assert_null(mount_at("/mnt/hidden"));
	assert_null(mount_at("/proc/version"));
	m = seen_at("/proc/cmdline");
	assert_int_equal(m->bytes, 1 << 20);

	assert_true(f->no_new_privs);
	assert_int_equal(f->sockets, 1);
	assert_string_equal(f->socket[0], "/run/docker.sock");
	assert_int_equal(f->devices, 2);
	assert_true(has_device("fuse") && has_device("net/tun"));
	assert_false(f->incomplete);
}

/* A folder that an image calls /proc: nothing in it is believed, and what it hides is not taken for absent. */
static int forged_proc(void)
{
	if (mount("none", "/proc", "tmpfs", 0, NULL) < 0 || mkdir("/proc/self", 0755) < 0 ||
	    mkdir("/proc/self/net", 0755) < 0)
		return -1;
	int fd = open("/proc/self/net/dev", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	static const char text[] = "a\nb\n    lo: 0 0\n";
	return fd < 0 || write(fd, text, sizeof text - 1) < 0 ? -1 : 0;
}

static void forged(void **state)
{
	(void)state;
	look_in(0, forged_proc);
	assert_true(f->incomplete);
	assert_false(f->network_known);
	assert_int_equal(f->interfaces, 0);
	assert_int_equal(f->cgroup.version, 0);
	assert_int_equal(f->mounts, 0);
}

static int many_things(void)
{
	char name[64];
	if (mount("none", "/mnt", "tmpfs", 0, NULL) < 0 || mount("none", "/dev", "tmpfs", 0, NULL) < 0)
		return -1;
	for (unsigned i = 0; i < FACT_MOUNTS + 5; i++) {
		snprintf(name, sizeof name, "/mnt/%u", i);
		if (mkdir(name, 0755) < 0 || mount("none", name, "tmpfs", 0, NULL) < 0)
			return -1;
	}
	for (unsigned i = 0; i < FACT_DEVICES + 5; i++) {
		snprintf(name, sizeof name, "/dev/thing%u", i);
		if (mknod(name, S_IFCHR | 0600, makedev(10, 229)) < 0)
			return -1;
	}
	return 0;
}

static void too_much(void **state)
{
	(void)state;
	look_in(CLONE_NEWNET, many_things);
	assert_int_equal(f->mounts, FACT_MOUNTS);
	assert_int_equal(f->devices, FACT_DEVICES);
	assert_true(f->incomplete);
	assert_true(f->network_known);
}

/* Whatever is named can be read, and alone on a machine full of processes is nobody but a container's init. */
static void cgroups(void **state)
{
	(void)state;
	memset(f, 0, sizeof *f);
	f->uid = 77;
	int r = look_cgroup(f);
	assert_int_equal(f->uid, 77);
	assert_int_equal(r, f->cgroup.version ? 0 : -ENOENT);
	const char *const file[] = {f->cgroup.memory, f->cgroup.peak, f->cgroup.limit, f->cgroup.oom,
	    f->cgroup.failcnt, f->cgroup.cpu};
	char text[4096];
	for (size_t i = 0; i < sizeof file / sizeof *file; i++)
		if (file[i][0])
			assert_true(file_read(AT_FDCWD, file[i], text, sizeof text) > 0);
	struct facts *other = calloc(1, sizeof *other);
	assert_non_null(other);
	look_around(other);
	assert_string_equal(other->cgroup.memory, f->cgroup.memory);
	assert_string_equal(other->cgroup.cpu, f->cgroup.cpu);
	assert_int_equal(other->cgroup.memory_limit, f->cgroup.memory_limit);
	free(other);
}

/* ---- the readers ---- */

static char *file_with(const char *bytes, size_t n)
{
	static char path[64];
	int fd = memfd_create("lines", MFD_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), (ssize_t)n);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return path;
}

static struct lines l;

static void lines_end(void **state)
{
	(void)state;
	static const char text[] = "one\n\nthree\nlast without newline";
	assert_int_equal(lines_open(&l, AT_FDCWD, file_with(text, sizeof text - 1), 1 << 20), 0);
	assert_string_equal(lines_next(&l), "one");
	assert_string_equal(lines_next(&l), "");
	assert_string_equal(lines_next(&l), "three");
	assert_string_equal(lines_next(&l), "last without newline");
	assert_null(lines_next(&l));
	assert_null(lines_next(&l));
	assert_true(lines_close(&l));
	assert_int_equal(lines_open(&l, AT_FDCWD, "/no/such/file", 1), -ENOENT);
}

/* Lines around the size of the buffer: the longest that fits is whole, a longer one is left out and counted. */
static void long_lines(void **state)
{
	(void)state;
	static char text[5 * LINES_BUFFER];
	static const size_t lengths[] = {LINES_BUFFER - 2, LINES_BUFFER - 1, LINES_BUFFER, 3 * LINES_BUFFER};
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		bool fits = lengths[i] < LINES_BUFFER - 1;
		size_t n = 0;
		memcpy(text, "before\n", 7);
		n += 7;
		memset(text + n, 'x', lengths[i]);
		n += lengths[i];
		memcpy(text + n, "\nafter\n", 7);
		n += 7;
		assert_int_equal(lines_open(&l, AT_FDCWD, file_with(text, n), 1 << 20), 0);
		assert_string_equal(lines_next(&l), "before");
		if (fits)
			assert_int_equal(strlen(lines_next(&l)), lengths[i]);
		assert_string_equal(lines_next(&l), "after");
		assert_null(lines_next(&l));
		assert_int_equal(l.cut, fits ? 0 : 1);
		assert_int_equal(lines_close(&l), fits);
	}
}

static void lines_bounded(void **state)
{
	(void)state;
	static const char text[] = "one\ntwo\nthree\n";
	assert_int_equal(lines_open(&l, AT_FDCWD, file_with(text, sizeof text - 1), 6), 0);
	assert_string_equal(lines_next(&l), "one");
	while (lines_next(&l))
		;
	assert_false(lines_close(&l));
}

static void small_files(void **state)
{
	(void)state;
	char buffer[8];
	assert_int_equal(file_read(AT_FDCWD, file_with("1234567", 7), buffer, sizeof buffer), 7);
	assert_string_equal(buffer, "1234567");
	assert_int_equal(file_read(AT_FDCWD, file_with("123456789", 9), buffer, sizeof buffer), 7);
	assert_int_equal(file_read(AT_FDCWD, file_with("", 0), buffer, sizeof buffer), 0);
	assert_string_equal(buffer, "");
	assert_int_equal(file_read(AT_FDCWD, "/", buffer, sizeof buffer), -EISDIR);
	assert_int_equal(file_write(AT_FDCWD, "/no/such/file", "x"), -ENOENT);
}

static void folders(void **state)
{
	(void)state;
	char at[] = "/tmp/proctor-look-XXXXXX", name[64];
	assert_non_null(mkdtemp(at));
	enum { FILES = 300 };
	for (unsigned i = 0; i < FILES; i++) {
		snprintf(name, sizeof name, "%s/..%u-and-a-longer-name", at, i);
		int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		assert_true(fd >= 0);
		close(fd);
	}
	static struct dir d;
	unsigned seen = 0;
	unsigned char type;
	const char *entry;
	assert_int_equal(dir_open(&d, AT_FDCWD, at), 0);
	while ((entry = dir_next(&d, &type))) {
		assert_int_equal(strncmp(entry, "..", 2), 0);
		assert_int_equal(unlinkat(d.fd, entry, 0), 0);
		seen++;
	}
	assert_int_equal(dir_close(&d), 0);
	assert_int_equal(seen, FILES);
	assert_int_equal(rmdir(at), 0);
	assert_int_equal(symlink("/", at), 0);
	assert_int_equal(dir_open(&d, AT_FDCWD, at), -ENOTDIR);
	assert_int_equal(unlink(at), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(here),
	    cmocka_unit_test(own_namespaces),
	    cmocka_unit_test(known_world),
	    cmocka_unit_test(forged),
	    cmocka_unit_test(too_much),
	    cmocka_unit_test(cgroups),
	    cmocka_unit_test(lines_end),
	    cmocka_unit_test(long_lines),
	    cmocka_unit_test(lines_bounded),
	    cmocka_unit_test(small_files),
	    cmocka_unit_test(folders),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
