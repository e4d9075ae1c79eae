/* A hundred processes and one ledger, which none of them found there: no run is lost, none is doubled, one name is run once. */
#include "host_ledger.h"

#include <fcntl.h>

enum { PROCESSES = 100, GOT_IT = 10, SAW_IT_RUN = 11, SAW_IT_DECIDED = 12 };

static struct ledger_found begin(
    struct ledger *l, const struct task *task, const char *run, const char *submission)
{
	struct ledger_start s = ledger_of_run(task, run, submission);
	struct ledger_found found;
	struct fault fault = {0};

	if (ledger_begin(l, &s, &found, &fault) < 0) {
		(void)fprintf(stderr, "%s: %s\n", run, fault.what);
		_exit(1);
	}
	return found;
}

static void end(struct ledger *l, const char *run, enum verdict v)
{
	struct ledger_end e = ledger_end_of(run, v, 1);
	struct fault fault = {0};

	if (ledger_end(l, &e, &fault) != 0) {
		(void)fprintf(stderr, "%s: %s\n", run, fault.what);
		_exit(1);
	}
}

static void one_of_many(const char *home, int gate, unsigned i)
{
	struct task task = ledger_task();
	char own[24], common[24], byte;
	struct ledger_found found;
	struct fault fault = {0};
	struct ledger *l;

	(void)!read(gate, &byte, 1); /* until the last of us is there */
	if (ledger_open(home, LEDGER_WRITE, &l, &fault) < 0) {
		(void)fprintf(stderr, "%s\n", fault.what);
		_exit(1);
	}
	(void)snprintf(own, sizeof own, "r-0%011u", i);
	(void)snprintf(common, sizeof common, "r-1%011u", i);
	if (begin(l, &task, own, NULL).claim != LEDGER_FREE)
		_exit(2);
	found = begin(l, &task, common, "team07/3");
	if (found.claim == LEDGER_FREE)
		end(l, common, VERDICT_SCORED);
	end(l, own, VERDICT_MEMORY);
	ledger_done(l);
	_exit(found.claim == LEDGER_FREE      ? GOT_IT
	      : found.claim == LEDGER_RUNNING ? SAW_IT_RUN
	      : found.claim == LEDGER_DECIDED ? SAW_IT_DECIDED
					      : 3);
}

static void test_a_hundred_at_once(void **state)
{
	unsigned got = 0, saw = 0;
	struct ledger_seen s;
	struct ledger *l;
	char home[64];
	int gate[2];

	(void)state;
	ledger_home(home);
	assert_int_equal(pipe2(gate, O_CLOEXEC), 0);
	for (unsigned i = 0; i < PROCESSES; i++) {
		pid_t pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			(void)close(gate[1]);
			one_of_many(home, gate[0], i);
		}
	}
	(void)close(gate[0]);
	(void)close(gate[1]);
	for (unsigned i = 0; i < PROCESSES; i++) {
		int status;
		assert_true(wait(&status) > 0);
		assert_true(WIFEXITED(status));
		got += WEXITSTATUS(status) == GOT_IT;
		saw += WEXITSTATUS(status) == SAW_IT_RUN || WEXITSTATUS(status) == SAW_IT_DECIDED;
	}
	assert_int_equal(got, 1);
	assert_int_equal(saw, PROCESSES - 1);
	l = ledger_of(home);
	s = ledger_seen_whole(l);
	if (s.findings)
		fail_msg("%s", s.first);
	assert_int_equal(s.rows, PROCESSES + 1);
	assert_int_equal(s.open, 0);
	ledger_done(l);
	(void)remove_tree(home);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_hundred_at_once)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
