/* A home for ledgers in tests, and the runs that are entered in it. For test programs only. */
#ifndef PROCTOR_TEST_HOST_LEDGER_H
#define PROCTOR_TEST_HOST_LEDGER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "evidence/ledger_sql.h"
#include "host_run.h"

static char ledger_name[] = "breast-cancer", ledger_version[] = "1", ledger_word[] = "/model/predict";
static char *ledger_command[] = {ledger_word, NULL};

/* A home in memory where there is such a place, for its many syncs; for remove_tree. */
static inline void ledger_home(char home[64])
{
	strcpy(home,
	    access("/dev/shm", W_OK) == 0 ? "/dev/shm/proctor-ledger-XXXXXX" : "/tmp/proctor-ledger-XXXXXX");
	assert_non_null(mkdtemp(home));
}

static inline struct ledger *ledger_of(const char *home)
{
	struct fault fault = {0};
	struct ledger *l = NULL;
	if (ledger_open(home, LEDGER_WRITE, &l, &fault) < 0)
		(void)fprintf(stderr, "%s\n", fault.what);
	assert_non_null(l);
	return l;
}

static inline struct task ledger_task(void)
{
	struct task task = {.name = ledger_name, .version = ledger_version};
	memset(task.sha256, 'c', 64);
	return task;
}

static inline struct ledger_start ledger_of_run(
    const struct task *task, const char *run, const char *submission)
{
	return (struct ledger_start){.run = run,
	    .folder = "/var/lib/proctor/runs/x",
	    .engine = "runc",
	    .started = "2026-09-30T17:00:00.000Z",
	    .host = "eval1",
	    .submission = submission,
	    .sha256 = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	    .command = ledger_command,
	    .task = task};
}

static inline struct ledger_end ledger_end_of(const char *run, enum verdict verdict, int ran)
{
	return (struct ledger_end){.run = run,
	    .verdict = verdict,
	    .ran = ran,
	    .ended = "2026-09-30T17:00:04.000Z",
	    .evidence = "",
	    .by = "run"};
}

struct ledger_seen {
	unsigned findings, rows, open;
	char first[1024], run[24], verdict[32];
};

static inline void ledger_find_one(void *context, const char *what)
{
	struct ledger_seen *s = context;
	if (s->findings++ == 0)
		(void)snprintf(s->first, sizeof s->first, "%s", what);
}

static inline int ledger_see_row(void *context, const struct ledger_row *row)
{
	struct ledger_seen *s = context;
	s->rows++;
	s->open += row->verdict == NULL;
	(void)snprintf(s->run, sizeof s->run, "%s", row->run);
	(void)snprintf(s->verdict, sizeof s->verdict, "%s", row->verdict ? row->verdict : "");
	return 0;
}

/* The chain as a verification sees it, and all rows. */
static inline struct ledger_seen ledger_seen_whole(struct ledger *l)
{
	struct ledger_seen s = {0};
	struct fault fault = {0};
	uint64_t events, runs;

	assert_int_equal(ledger_verify(l, ledger_find_one, &s, &events, &runs, &fault), 0);
	assert_int_equal(ledger_each(l, NULL, ledger_see_row, &s, &fault), 0);
	assert_int_equal(runs, s.rows);
	return s;
}

#endif
