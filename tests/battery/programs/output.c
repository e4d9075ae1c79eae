/* Results that are too large, too many, hidden, or no regular files. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "probe.h"

#define TABLE "/output/predictions.csv"

static int endless(int fd)
{
	static char piece[65536];
	memset(piece, 'x', sizeof piece);
	while (write(fd, piece, sizeof piece) > 0)
		;
	deny("write", -1);
	return 1;
}

/* A full disk is no news to it: it goes on until somebody ends it. */
static int bytes(int argc, char **argv)
{
	(void)argc, (void)argv;
	endless(open("/output/big", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	wait_forever();
}

static int deleted(int argc, char **argv)
{
	(void)argc, (void)argv;
	int fd = open("/output/big", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	unlink("/output/big");
	good_table();
	endless(fd);
	wait_forever();
}

static int preallocate(int argc, char **argv)
{
	long size = number(argc, argv, 0, 1L << 30);
	int fd = open("/output/big", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	deny("fallocate", fallocate(fd, 0, 0, size));
	wait_forever();
}

/* A hole costs no block, but whoever copies it pays in full. */
static int sparse(int argc, char **argv)
{
	long size = number(argc, argv, 0, 1L << 40);
	good_table();
	return truncate(TABLE, size) < 0;
}

static int sparse_beside(int argc, char **argv)
{
	int fd = open("/output/other", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	good_table();
	return ftruncate(fd, number(argc, argv, 0, 1L << 30)) < 0;
}

static int files(int argc, char **argv)
{
	long count = number(argc, argv, 0, 1000000);
	char path[64];
	good_table();
	for (long i = 0; i < count; i++) {
		snprintf(path, sizeof path, "/output/f%ld", i);
		int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		if (fd < 0) {
			deny("create", -1);
			wait_forever();
		}
		close(fd);
	}
	return 0;
}

static int file_size(int argc, char **argv)
{
	(void)argc, (void)argv;
	return endless(open("/tmp/big", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

/* TARGET: what the table's name leads to. */
static int link_symbolic(int argc, char **argv)
{
	return argc < 1 || symlink(argv[0], TABLE) < 0;
}

static int link_hard(int argc, char **argv)
{
	(void)argc, (void)argv;
	good_table();
	return link(TABLE, "/output/second") < 0;
}

static int pipe_named(int argc, char **argv)
{
	(void)argc, (void)argv;
	return mkfifo(TABLE, 0666) < 0;
}

static int folder(int argc, char **argv)
{
	(void)argc, (void)argv;
	return mkdir(TABLE, 0777) < 0;
}

static int local_socket(int argc, char **argv)
{
	(void)argc, (void)argv;
	struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = TABLE};
	return bind(socket(AF_UNIX, SOCK_STREAM, 0), (const struct sockaddr *)&name, sizeof name) < 0;
}

/* A good table nobody may read, in a folder nobody may enter, beside names that are none. */
static int unreadable(int argc, char **argv)
{
	(void)argc, (void)argv;
	good_table();
	if (mkdir("/output/closed", 0700) < 0 || mkfifo("/output/closed/pipe", 0600) < 0 ||
	    symlink("/etc/passwd", "/output/closed/link") < 0 || mkdir("/output/new\nline", 0700) < 0)
		return 1;
	return chmod("/output/closed", 0) < 0 || chmod(TABLE, 0) < 0 || chmod("/output", 0) < 0;
}

static int deep(int argc, char **argv)
{
	(void)argc, (void)argv;
	good_table();
	if (chdir("/output") < 0)
		return 1;
	for (int i = 0; i < 40; i++)
		if (mkdir("d", 0777) < 0 || chdir("d") < 0)
			return 2;
	return 0;
}

/* FILE: copied to the table's place, byte for byte. */
static int put(int argc, char **argv)
{
	char piece[4096];
	int from = open(argc < 1 ? "" : argv[0], O_RDONLY | O_CLOEXEC);
	int to = open(TABLE, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (from < 0 || to < 0)
		return 1;
	for (ssize_t n; (n = read(from, piece, sizeof piece)) != 0;)
		if (n < 0 || write(to, piece, (size_t)n) != n)
			return 2;
	return 0;
}

int main(int argc, char **argv)
{
	static const struct action actions[] = {
	    {"bytes", bytes},
	    {"deleted", deleted},
	    {"preallocate", preallocate},
	    {"sparse", sparse},
	    {"sparse-beside", sparse_beside},
	    {"files", files},
	    {"file-size", file_size},
	    {"symlink", link_symbolic},
	    {"hard-link", link_hard},
	    {"fifo", pipe_named},
	    {"folder", folder},
	    {"socket", local_socket},
	    {"unreadable", unreadable},
	    {"deep", deep},
	    {"put", put},
	};
	return act(actions, sizeof actions / sizeof *actions, argc, argv);
}
