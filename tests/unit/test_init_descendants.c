/* The living descendants of a process: children of children, of threads, and more than fit. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "sys/descendants.h"
#include "sys/file.h"

/* A chain of `depth` more processes, each the child of the one before; the last says through `ready` that all are there. */
static void chain(int depth, int ready)
{
	while (depth > 0 && fork() == 0)
		depth--;
	if (depth == 0 && write(ready, "", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

/* A process of its own, so that other tests' children do not count: 0 is success. */
static int family_of_five(void)
{
	pid_t found[16];
	int ready[2], proc = file_proc();
	bool whole;
	char byte;
	size_t n;

	if (proc < 0 || pipe(ready) < 0)
		return 1;
	if (descendants(proc, found, 16, &whole) != 0 || !whole)
		return 2;
	for (int i = 0; i < 2; i++)
		if (fork() == 0)
			chain(i + 1, ready[1]);
	for (int i = 0; i < 2; i++)
		if (read(ready[0], &byte, 1) != 1)
			return 3;
	n = descendants(proc, found, 16, &whole);
	if (n != 5 || !whole)
		return 4;
	if (descendants(proc, found, 3, &whole) != 3 || whole)
		return 5;
	n = descendants(proc, found, 16, &whole);
	while (n-- > 0)
		kill(found[n], SIGKILL);
	return 0;
}

static void all_generations(void **state)
{
	int status;
	pid_t child = fork();

	(void)state;
	if (child == 0)
		_exit(family_of_five());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(all_generations)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
