/* Memory taken in every way that a container's limit has to count. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

enum { PIECE = 1 << 20 };

static void hog(void)
{
	for (;;) {
		void *piece = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (piece == MAP_FAILED)
			_exit(103);
		memset(piece, 1, PIECE);
	}
}

static int itself(int argc, char **argv)
{
	(void)argc, (void)argv;
	good_table();
	hog();
	return 99;
}

/* The child is killed, the main process hides it behind a good table and status 0. */
static int child(int argc, char **argv)
{
	(void)argc, (void)argv;
	int status;
	pid_t p = fork();
	if (p == 0)
		hog();
	if (waitpid(p, &status, 0) != p)
		return 1;
	say("child signal %d", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	good_table();
	return 0;
}

/* Tries to look less worthy of being killed than init. */
static int unkillable(int argc, char **argv)
{
	(void)argc, (void)argv;
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (fd >= 0)
		deny("oom-score", write(fd, "-1000", 5));
	for (int i = 0; i < 3; i++)
		if (fork() == 0)
			hog();
	hog();
	return 99;
}

static int memfd(int argc, char **argv)
{
	(void)argc, (void)argv;
	static char piece[PIECE];
	int fd = (int)syscall(SYS_memfd_create, "m", 0L);
	memset(piece, 1, sizeof piece);
	while (fd >= 0 && write(fd, piece, sizeof piece) > 0)
		;
	return 103;
}

/* System V segments outlive their maker: killing processes alone frees nothing. */
static int segments(int argc, char **argv)
{
	(void)argc, (void)argv;
	for (;;) {
		int id = shmget(IPC_PRIVATE, PIECE, IPC_CREAT | 0600);
		void *at = id < 0 ? NULL : shmat(id, NULL, 0);
		if (at == NULL || (intptr_t)at == -1) {
			deny("segment", -1);
			good_table();
			return 0;
		}
		memset(at, 1, PIECE);
		if (fork() == 0)
			wait_forever();
		shmdt(at);
	}
}

static int fill(const char *folder)
{
	static char piece[PIECE];
	char path[64];
	memset(piece, 1, sizeof piece);
	snprintf(path, sizeof path, "%s/fill", folder);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	while (fd >= 0 && write(fd, piece, sizeof piece) > 0)
		;
	deny(folder, -1);
	return fd;
}

/* Full scratch is an error that the candidate sees, and no more. */
static int scratch(int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		if (fill(argv[i]) < 0)
			return 1;
	good_table();
	return 0;
}

/* All scratch full, then memory: the sum must leave room for init. */
static int everything(int argc, char **argv)
{
	if (scratch(argc, argv) != 0)
		return 1;
	for (int i = 0; i < 8; i++)
		if (fork() == 0)
			hog();
	hog();
	return 99;
}

int main(int argc, char **argv)
{
	static const struct action actions[] = {
	    {"itself", itself},
	    {"child", child},
	    {"unkillable", unkillable},
	    {"memfd", memfd},
	    {"segments", segments},
	    {"scratch", scratch},
	    {"everything", everything},
	};
	return act(actions, sizeof actions / sizeof *actions, argc, argv);
}
