/*
 * A process that opens a new ledger, begins a run and closes it is killed at every statement of SQL, as it begins and as
 * it ends, and before every system call with which SQLite locks, writes, cuts or removes a file. Each time the ledger
 * that is left must open, chain, say once at most that the run was begun, and let it be closed.
 */
#include "host_ledger.h"

#include <fcntl.h>
#include <signal.h>

static unsigned countdown; /* in the child: the point at which it dies */

static void point(void)
{
	if (--countdown == 0)
		(void)raise(SIGKILL);
}

static ssize_t dying_write(int fd, const void *bytes, size_t n, off_t at)
{
	point();
	return pwrite(fd, bytes, n, at);
}

static int dying_truncate(int fd, off_t length)
{
	point();
	return ftruncate(fd, length);
}

static int dying_unlink(const char *path)
{
	point();
	return unlink(path);
}

static int dying_fcntl(int fd, int command, ...)
{
	va_list args;
	void *argument;

	va_start(args, command);
	argument = va_arg(args, void *);
	va_end(args);
	point();
	return fcntl(fd, command, argument);
}

static int traced(unsigned what, void *context, void *statement, void *text)
{
	(void)what;
	(void)context;
	(void)statement;
	(void)text;
	point();
	return 0;
}

/* SQLite calls this for every connection that is opened. */
static int trace(sqlite3 *db, char **error, const struct sqlite3_api_routines *api)
{
	(void)error;
	(void)api;
	return sqlite3_trace_v2(db, SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE, traced, NULL);
}

static void arm(void)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
	const struct {
		const char *name;
		sqlite3_syscall_ptr to;
	} calls[] = {{"pwrite", (sqlite3_syscall_ptr)dying_write},
	    {"pwrite64", (sqlite3_syscall_ptr)dying_write},
	    {"ftruncate", (sqlite3_syscall_ptr)dying_truncate}, {"unlink", (sqlite3_syscall_ptr)dying_unlink},
	    {"fcntl", (sqlite3_syscall_ptr)dying_fcntl}};

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (vfs->xSetSystemCall(vfs, calls[i].name, calls[i].to) != SQLITE_OK)
			_exit(4);
	if (sqlite3_auto_extension((void (*)(void))trace) != SQLITE_OK)
		_exit(5);
}

static void life(const char *home, const struct task *task)
{
	struct ledger_start s = ledger_of_run(task, "r-00000000000a", "team07/3");
	struct ledger_end e = ledger_end_of("r-00000000000a", VERDICT_SCORED, 1);
	struct ledger_found found;
	struct fault fault = {0};
	struct ledger *l;

	if (ledger_open(home, LEDGER_WRITE, &l, &fault) < 0 || ledger_begin(l, &s, &found, &fault) < 0 ||
	    found.claim != LEDGER_FREE || ledger_end(l, &e, &fault) != 0)
		_exit(6);
	ledger_done(l);
}

static void holds(struct ledger *l, unsigned point_number, unsigned rows, unsigned open)
{
	struct ledger_seen s = ledger_seen_whole(l);
	if (s.findings > 0)
		fail_msg("point %u: %s", point_number, s.first);
	if (s.rows > rows || s.open > open)
		fail_msg("point %u: %u runs, %u of them open", point_number, s.rows, s.open);
}

/* What the next start does. Returns whether the run was decided before its process was killed. */
static bool recover(const char *home, const struct task *task, unsigned point_number)
{
	struct ledger_start s = ledger_of_run(task, "r-00000000000b", "team07/3");
	struct ledger_end lost = ledger_end_of("r-00000000000a", VERDICT_INFRA_SCORER_LOST, -1);
	struct ledger_found found;
	struct fault fault = {0};
	struct ledger *l;

	/* Who only asks finds a ledger or none, but never half of one. */
	assert_int_equal(ledger_open(home, LEDGER_READ, &l, &fault), 0);
	if (l)
		holds(l, point_number, 1, 1);
	ledger_done(l);
	l = ledger_of(home);
	holds(l, point_number, 1, 1);
	assert_true(ledger_end(l, &lost, &fault) >= 0);
	holds(l, point_number, 1, 0);
	assert_int_equal(ledger_begin(l, &s, &found, &fault), 0);
	assert_true(found.claim == LEDGER_FREE || found.claim == LEDGER_DECIDED);
	holds(l, point_number, 2, 1);
	ledger_done(l);
	return found.claim == LEDGER_DECIDED;
}

static void test_killed_at_every_point(void **state)
{
	struct task task = ledger_task();
	unsigned n = 0, undecided = 0, decided = 0;
	int status;

	(void)state;
	do {
		char home[64];
		pid_t pid;
		ledger_home(home);
		n++;
		pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			arm();
			countdown = n;
			life(home, &task);
			_exit(0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
		if (recover(home, &task, n))
			decided++;
		else
			undecided++;
		(void)remove_tree(home);
	} while (WIFSIGNALED(status));
	print_message("%u points: %u before the run was decided, %u after\n", n - 1, undecided, decided - 1);
	/* Statements and calls there must have been, on both sides of the decision. */
	assert_true(undecided > 50);
	assert_true(decided > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_killed_at_every_point)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
