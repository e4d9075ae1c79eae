/* Bytes put where a count of the result tree does not see them at once, and trees that are honest but look odd. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

enum { PIECE = 1 << 20, FLAGS = O_RDWR | O_CREAT | O_CLOEXEC };

static char piece[PIECE];

static void fill(int fd, long bytes)
{
	memset(piece, 'x', sizeof piece);
	for (long n; bytes > 0; bytes -= n) {
		n = write(fd, piece, bytes < PIECE ? (size_t)bytes : (size_t)PIECE);
		if (n <= 0)
			_exit(102);
	}
}

/* A file of one piece that has lost its name. */
static int nameless(void)
{
	int fd = open("/output/nameless", FLAGS, 0600);
	if (fd < 0 || unlink("/output/nameless") < 0)
		_exit(103);
	fill(fd, PIECE);
	return fd;
}

/* One file, as fast as it goes. */
static int fast(int argc, char **argv)
{
	(void)argc, (void)argv;
	int fd = open("/output/big", FLAGS, 0600);
	memset(piece, 'x', sizeof piece);
	while (write(fd, piece, 65536) > 0)
		;
	wait_forever();
}

/* Too much, and gone before anybody can look. */
static int burst(int argc, char **argv)
{
	fill(open("/output/big", FLAGS, 0600), number(argc, argv, 0, 8 * PIECE));
	return 0;
}

static int deleted(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (;;)
		nameless();
	return 99;
}

static int temporary(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (;;)
		fill(open("/output", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600), PIECE);
	return 99;
}

/* The main process ends well while its child holds what it wrote. */
static int left_behind(int argc, char **argv)
{
	(void)argc, (void)argv;
	int gate[2];
	char byte;
	if (pipe(gate) < 0)
		return 1;
	if (fork() == 0) {
		for (int i = 0; i < 8; i++)
			nameless();
		if (write(gate[1], "r", 1) != 1)
			_exit(1);
		wait_forever();
	}
	return read(gate[0], &byte, 1) != 1;
}

static int undumpable(int argc, char **argv)
{
	prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L);
	return deleted(argc, argv);
}

static void *hoard(void *unused)
{
	(void)unused;
	for (;;)
		nameless();
	return NULL;
}

static int dead_leader(int argc, char **argv)
{
	(void)argc, (void)argv;
	pthread_t t;
	if (pthread_create(&t, NULL, hoard, NULL) != 0)
		return 1;
	syscall(SYS_exit, 0L);
	return 99;
}

static void *hoard_apart(void *unused)
{
	if (unshare(CLONE_FILES) < 0)
		_exit(104);
	return hoard(unused);
}

/* A thread with descriptors of its own, behind a leader that has none of them. */
static int own_table(int argc, char **argv)
{
	(void)argc, (void)argv;
	pthread_t t;
	if (pthread_create(&t, NULL, hoard_apart, NULL) != 0)
		return 1;
	wait_forever();
}

static int mapped(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (;;) {
		int fd = nameless();
		char *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (at == MAP_FAILED)
			return 1;
		close(fd);
	}
}

/* Each descriptor lies in a socket's queue and in no process. */
static int in_flight(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (;;) {
		int pair[2], fd = nameless();
		char byte = 0;
		struct iovec one = {&byte, 1};
		union {
			char space[CMSG_SPACE(sizeof fd)];
			struct cmsghdr align;
		} control = {{0}};
		struct msghdr message = {.msg_iov = &one,
		    .msg_iovlen = 1,
		    .msg_control = &control,
		    .msg_controllen = sizeof control};
		struct cmsghdr *c = CMSG_FIRSTHDR(&message);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof fd);
		memcpy(CMSG_DATA(c), &fd, sizeof fd);
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0 || sendmsg(pair[0], &message, 0) != 1)
			return 1;
		close(pair[0]);
		close(fd);
	}
}

/* The names are in a folder that nobody may enter any more, its maker included. */
static int closed_folder(int argc, char **argv)
{
	(void)argc, (void)argv;
	int fd[64];
	if (mkdir("/output/closed", 0700) < 0)
		return 1;
	for (int i = 0; i < 64; i++) {
		char path[64];
		snprintf(path, sizeof path, "/output/closed/%d", i);
		fd[i] = open(path, FLAGS, 0600);
	}
	if (chmod("/output/closed", 0) < 0 || chmod("/output", 0) < 0)
		return 2;
	for (int i = 0; i < 64; i++) {
		fill(fd[i], PIECE);
		close(fd[i]);
	}
	wait_forever();
}

/* A hole in a closed folder, and the end: it costs no block, and whoever copies it pays in full. */
static int closed_hole(int argc, char **argv)
{
	(void)argc, (void)argv;
	int fd;
	if (mkdir("/output/closed", 0700) < 0 || (fd = open("/output/closed/hole", FLAGS, 0600)) < 0 ||
	    ftruncate(fd, 8L * PIECE) < 0)
		return 1;
	return chmod("/output/closed", 0) < 0;
}

static int hole(int argc, char **argv)
{
	if (ftruncate(open("/output/hole", FLAGS, 0600), number(argc, argv, 0, 8L * PIECE)) < 0)
		return 1;
	wait_forever();
}

static int through_map(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (long i = 0;; i++) {
		char path[64];
		snprintf(path, sizeof path, "/output/map%ld", i);
		int fd = open(path, FLAGS, 0600);
		if (fd < 0 || ftruncate(fd, PIECE) < 0)
			return 1;
		char *at = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (at == MAP_FAILED)
			return 2;
		memset(at, 1, PIECE);
		munmap(at, PIECE);
		close(fd);
	}
}

/* Files that are never where a walk comes by, while they grow. */
static int dodge(int argc, char **argv)
{
	(void)argc, (void)argv;
	enum { FOLDERS = 64, MOVERS = 2 };
	char from[64], to[64];
	for (int i = 0; i < FOLDERS; i++) {
		snprintf(to, sizeof to, "/output/f%02d", i);
		if (mkdir(to, 0700) < 0)
			return 1;
	}
	for (int m = 0; m < MOVERS; m++) {
		snprintf(from, sizeof from, "/output/f00/m%d", m);
		int fd = open(from, FLAGS, 0600);
		if (fork() == 0)
			for (int i = 1;; i++) {
				snprintf(to, sizeof to, "/output/f%02d/m%d", (i * 37) % FOLDERS, m);
				if (rename(from, to) == 0)
					memcpy(from, to, sizeof from);
			}
		if (fork() == 0)
			for (;;) {
				fill(fd, 65536);
				usleep(1000);
			}
	}
	wait_forever();
}

/* FILES small ones, then as fast as it goes. */
static int many(int argc, char **argv)
{
	long files = number(argc, argv, 0, 1000);
	char path[64];
	for (long i = 0; i < files; i++) {
		if (i % 1000 == 0) {
			snprintf(path, sizeof path, "/output/d%ld", i / 1000);
			if (mkdir(path, 0700) < 0)
				return 1;
		}
		snprintf(path, sizeof path, "/output/d%ld/%ld", i / 1000, i);
		int fd = open(path, FLAGS, 0600);
		if (fd < 0)
			return 2;
		close(fd);
	}
	say("made");
	if (argc > 1)
		wait_forever();
	return fast(argc, argv);
}

/* LEVELS folders, one in the other, and bytes in the last. */
static int deep(int argc, char **argv)
{
	long levels = number(argc, argv, 0, 3000);
	if (chdir("/output") < 0)
		return 1;
	for (long i = 0; i < levels; i++)
		if (mkdir("d", 0700) < 0 || chdir("d") < 0)
			return 2;
	for (long i = 0;; i++) {
		char name[32];
		snprintf(name, sizeof name, "%ld", i);
		int fd = open(name, FLAGS, 0600);
		fill(fd, PIECE);
		close(fd);
	}
}

static int names(int argc, char **argv)
{
	(void)argc, (void)argv;
	char path[64];
	for (long i = 0;; i++) {
		snprintf(path, sizeof path, "/output/n%ld", i);
		if (symlink("/", path) < 0)
			return 1;
	}
}

/* ---- honest ones: none of this passes a budget of four pieces ---- */

static int breathing(int argc, char **argv)
{
	(void)argc, (void)argv;
	int fd = open("/output/breath", FLAGS, 0600);
	for (int i = 0; i < 200; i++) {
		fill(fd, 3L * PIECE);
		if (ftruncate(fd, 0) < 0 || lseek(fd, 0, SEEK_SET) != 0)
			return 1;
	}
	fill(fd, PIECE);
	return 0;
}

static int linked(int argc, char **argv)
{
	(void)argc, (void)argv;
	char path[64];
	fill(open("/output/one", FLAGS, 0600), 3L * PIECE);
	for (int i = 0; i < 50; i++) {
		snprintf(path, sizeof path, "/output/also%d", i);
		if (link("/output/one", path) < 0)
			return 1;
	}
	return 0;
}

static int allocate(int argc, char **argv)
{
	(void)argc, (void)argv;
	int fd = open("/output/ahead", FLAGS, 0600);
	deny("fallocate", fallocate(fd, 0, 0, PIECE));
	return 0;
}

/* Works for a while beside a neighbour who fills the same filesystem. MILLISECONDS */
static int modest(int argc, char **argv)
{
	int fd = open("/output/modest", FLAGS, 0600);
	for (long i = number(argc, argv, 0, 500); i > 0; i--) {
		fill(fd, 1024);
		usleep(1000);
	}
	return 0;
}

static int other_tree(int argc, char **argv)
{
	if (argc < 1)
		return 1;
	int fd = open(argv[0], FLAGS, 0600);
	if (fd < 0)
		return 2;
	for (;;)
		fill(fd, 65536);
}

int main(int argc, char **argv)
{
	static const struct action actions[] = {
	    {"fast", fast},
	    {"burst", burst},
	    {"deleted", deleted},
	    {"temporary", temporary},
	    {"left-behind", left_behind},
	    {"undumpable", undumpable},
	    {"dead-leader", dead_leader},
	    {"own-table", own_table},
	    {"mapped", mapped},
	    {"in-flight", in_flight},
	    {"closed-folder", closed_folder},
	    {"closed-hole", closed_hole},
	    {"hole", hole},
	    {"through-map", through_map},
	    {"dodge", dodge},
	    {"many", many},
	    {"deep", deep},
	    {"names", names},
	    {"breathing", breathing},
	    {"linked", linked},
	    {"allocate", allocate},
	    {"modest", modest},
	    {"other-tree", other_tree},
	};
	return act(actions, sizeof actions / sizeof *actions, argc, argv);
}
