/* A run directory made up for tests, and small helpers around files and programs. For test programs only. */
#ifndef PROCTOR_TEST_HOST_RUN_H
#define PROCTOR_TEST_HOST_RUN_H

#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/files.h"

extern char **environ;

/* Runs a program of the PATH with its output thrown away; its exit status, or -1. The last argument is NULL. */
static inline int program(const char *name, ...)
{
	const char *argv[24] = {name};
	posix_spawn_file_actions_t actions;
	va_list args;
	pid_t pid;
	int status, n = 1, r;

	va_start(args, name);
	while (n < 23 && (argv[n] = va_arg(args, const char *)) != NULL)
		n++;
	va_end(args);
	if (posix_spawn_file_actions_init(&actions) != 0 ||
	    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) != 0 ||
	    posix_spawn_file_actions_adddup2(&actions, 1, 2) != 0)
		return -1;
	r = posix_spawnp(&pid, name, &actions, NULL, (char *const *)(uintptr_t)argv, environ);
	(void)posix_spawn_file_actions_destroy(&actions);
	if (r != 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static inline void write_bytes(const char *path, const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write_all(fd, bytes, n) < 0 || close(fd) < 0)
		abort();
}

/* Removes a folder that mkdtemp made, and all below it. */
static inline int remove_tree(const char *path)
{
	return folder_remove(AT_FDCWD, path);
}

#endif
