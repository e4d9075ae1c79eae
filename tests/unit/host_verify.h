/* A run directory as `run` leaves it, and `verify` called on it with what it prints caught. */
#ifndef PROCTOR_TESTS_HOST_VERIFY_H
#define PROCTOR_TESTS_HOST_VERIFY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sys/mman.h>

#include "command/command.h"
#include "evidence/check.h"
#include "host_run.h"
#include "intake/output.h"

static struct made m;
static char *said; /* what the last `verify` printed */

static int setup(void **state)
{
	struct fault fault;
	(void)state;
	if (made_start(&m) < 0 || evidence_write(&m.run, &m.key, &fault) < 0)
		return -1;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	free(said);
	made_end(&m);
	return 0;
}

/* Runs the command with its standard output caught. */
static int verify(const char *a, const char *b, const char *c, const char *d, const char *e)
{
	const char *const words[8] = {"verify", m.folder, a, b, c, d, e};
	char *argv[8];
	int argc = 2, caught = memfd_create("said", MFD_CLOEXEC), kept = dup(1), status;
	ssize_t n;

	memcpy(argv, words, sizeof argv);
	while (argv[argc])
		argc++;
	assert_true(caught >= 0 && kept >= 0);
	(void)fflush(stdout);
	assert_int_equal(dup2(caught, 1), 1);
	status = command_verify(argc, argv);
	(void)fflush(stdout);
	assert_int_equal(dup2(kept, 1), 1);
	(void)close(kept);
	free(said);
	said = calloc(1, 65536);
	assert_non_null(said);
	n = pread(caught, said, 65535, 0);
	(void)close(caught);
	assert_true(n >= 0);
	return status;
}

static int plain(void)
{
	return verify(NULL, NULL, NULL, NULL, NULL);
}

/* True when the check fails and a finding names the file. */
static bool found(const char *name)
{
	struct signing_key key;
	struct fault fault;
	static struct check c;
	bool named = false;

	assert_int_equal(key_load_public(made_path(&m, "", "operator.pub"), &key, &fault), 0);
	assert_int_equal(check_run(m.run.folder_fd, &key, &c, &fault), 0);
	for (size_t i = 0; i < c.findings && i < FINDINGS; i++)
		named = named || strcmp(c.finding[i].file, name) == 0;
	check_free(&c);
	return named;
}

#endif
