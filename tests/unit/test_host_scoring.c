/* Tables through the two confined processes: every verdict with row, column and count, and what a confined process may not do. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "intake/scoring.h"
#include "intake/task_file.h"
#include "judge/metric.h"
#include "sys/child.h"

static char folder[] = "/tmp/test_host_scoring.XXXXXX";

static void put(const char *name, const void *bytes, size_t n)
{
	char path[256];
	(void)snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static int table_of(const void *bytes, size_t n)
{
	int fd = memfd_create("table", MFD_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), (ssize_t)n);
	return fd;
}

/* A task by hand: one id, a probability, an integer and a label; truth column y. */
static char *ids[] = {(char[]){"id"}};
static char *labels[] = {(char[]){"cat"}, (char[]){"dog"}};
static struct task_column columns[] = {
    {.name = (char[]){"p"}, .type = COLUMN_NUMBER, .has_min = true, .has_max = true, .min = 0, .max = 1},
    {.name = (char[]){"n"}, .type = COLUMN_INTEGER, .has_min = true, .min = 1},
    {.name = (char[]){"l"}, .type = COLUMN_LABEL, .labels = labels, .label_count = 2},
};
static struct task_metric metrics[] = {
    {.name = (char[]){"AUROC"},
	.as = METRIC_AUROC,
	.column = 0,
	.truth = (char[]){"y"},
	.positive = (char[]){"1"}},
    {.name = (char[]){"accuracy"},
	.as = METRIC_ACCURACY,
	.column = 0,
	.truth = (char[]){"y"},
	.positive = (char[]){"1"},
	.has_threshold = true,
	.threshold = 0.5},
    {.name = (char[]){"agreement"}, .as = METRIC_ACCURACY, .column = 2, .truth = (char[]){"kind"}},
};

static struct task by_hand(void)
{
	struct task t = {.folder = folder,
	    .id = ids,
	    .id_count = 1,
	    .truth = (char[]){"truth.csv"},
	    .output_table = (char[]){"out.csv"},
	    .column = columns,
	    .column_count = 3,
	    .metric = metrics,
	    .metric_count = 3};
	static char truth[] = "truth.csv", out[] = "out.csv";
	t.truth = truth;
	t.output_table = out;
	t.limit[OPTION_OUTPUT_BYTES] = 1 << 16;
	return t;
}

static const char truth_text[] = "site,id,y,kind\nA,a,1,cat\nA,b,0,dog\nB,c,1,dog\nB,d,0,cat\n";

struct table_case {
	const char *bytes;
	size_t length; /* 0: strlen */
	enum verdict verdict;
	uint64_t count;
	const char *says; /* in the operator's text */
};

#define HEAD "id,p,n,l\n"
#define BODY "a,0.9,1,cat\nb,0.1,1,dog\nc,0.8,1,dog\nd,0.2,1,cat\n"
#define BYTES(s) s, sizeof(s) - 1

static const struct table_case cases[] = {
    /* accepted */
    {HEAD BODY, 0, VERDICT_SCORED, 0, ""},
    {HEAD "a,0.9,1,cat\r\nb,0.1,1,dog\r\nc,0.8,1,dog\r\nd,0.2,1,cat", 0, VERDICT_SCORED, 0, ""},
    {"l,n,p,id\ncat,1,1e-1,\"d\"\n\"dog\",+2,.5,c\ndog,3,5.E-1,b\ncat,4,1,a\n", 0, VERDICT_SCORED, 0, ""},
    {"\xef\xbb\xbf" HEAD BODY, 0, VERDICT_SCORED, 0, ""},
    /* format */
    {"", 0, VERDICT_TABLE_FORMAT, 1, "empty"},
    {"\xef\xbb\xbf", 0, VERDICT_TABLE_FORMAT, 1, "empty"},
    {"\n" HEAD BODY, 0, VERDICT_TABLE_FORMAT, 1, "row 1"},
    {HEAD BODY "\n", 0, VERDICT_TABLE_FORMAT, 1, "row 6"},
    {HEAD BODY "\r\n", 0, VERDICT_TABLE_FORMAT, 1, "row 6"},
    {HEAD "a,0.9,1,cat,x\nb,0.1,1,dog,x\n", 0, VERDICT_TABLE_FORMAT, 2, "more fields"},
    {HEAD "a,0.9,1\n" BODY, 0, VERDICT_TABLE_FORMAT, 1, "fewer fields"},
    {BYTES(HEAD "a,0.9,1,c\0t\n"), VERDICT_TABLE_FORMAT, 1, "row 2, field 4: a NUL"},
    {BYTES(HEAD "a,0.9,1,\"c\0t\"\n"), VERDICT_TABLE_FORMAT, 1, "row 2, field 4: a NUL"},
    {HEAD "a,0.9,1,cat\rb,0.1,1,dog\n", 0, VERDICT_TABLE_FORMAT, 1, "carriage return"},
    {HEAD BODY "e,1,1,cat\r", 0, VERDICT_TABLE_FORMAT, 1, "carriage return"},
    {HEAD "a,0.9,1,c\"at\n", 0, VERDICT_TABLE_FORMAT, 1, "quote inside"},
    {HEAD "a,0.9,1,\"cat\"s\n", 0, VERDICT_TABLE_FORMAT, 1, "closing quote"},
    {HEAD "a,0.9,1,\"cat\n", 0, VERDICT_TABLE_FORMAT, 1, "never closed"},
    {HEAD "a,0.9,1,\"cat\"\"", 0, VERDICT_TABLE_FORMAT, 1, "never closed"},
    {"id,\"p,n,l\n", 0, VERDICT_TABLE_FORMAT, 1, "row 1, field 2"},
    /* a fault of form in the last row beats every other fault before it */
    {HEAD "a,0.9,1,cat\na,0.9,1,cat\nzz,9,1,cat\nb,0.1\n", 0, VERDICT_TABLE_FORMAT, 1, "row 5"},
    {"id,p,n,m\na,1,1\n", 0, VERDICT_TABLE_FORMAT, 1, "row 2"},
    /* columns */
    {"id,p,n\na,1,1\n", 0, VERDICT_TABLE_COLUMNS, 1, "column l"},
    {"id,p,n,l,extra\na,1,1,cat,1\n", 0, VERDICT_TABLE_COLUMNS, 1, "extra"},
    {"id,p,n,l,p\na,1,1,cat,1\n", 0, VERDICT_TABLE_COLUMNS, 1, "twice"},
    {"ID,P,n,l\na,1,1,cat\n", 0, VERDICT_TABLE_COLUMNS, 4, "(4 columns at fault"},
    {"id, p,n,l\na,1,1,cat\n", 0, VERDICT_TABLE_COLUMNS, 2, "\" p\""},
    {"\xef\xbb\xbf\xef\xbb\xbf" HEAD BODY, 0, VERDICT_TABLE_COLUMNS, 2, "\\xef\\xbb\\xbfid"},
    /* ids */
    {HEAD BODY "a,0.9,1,cat\nb,0.9,1,cat\nzz,0.1,1,cat\n", 0, VERDICT_TABLE_DUPLICATE, 2,
	"row 6 has the id of row 2, \"a\""},
    {HEAD "x,9,1,cat\nx,1,1,cat\n", 0, VERDICT_TABLE_DUPLICATE, 1, "row 3 has the id of row 2"},
    {HEAD BODY "\"zz\",0.9,1,cat\n", 0, VERDICT_TABLE_UNKNOWN, 1, "row 6"},
    {HEAD "a ,0.9,1,cat\nb,0.1,1,dog\n", 0, VERDICT_TABLE_UNKNOWN, 1, "\"a \" in row 2"},
    {HEAD "a,0.9,1,cat\nd,7,1,dog\n", 0, VERDICT_TABLE_MISSING, 2, "row 3 of truth.csv"},
    {HEAD, 0, VERDICT_TABLE_MISSING, 4, "out.csv; first: \"a\", row 2 of truth.csv"},
    /* values */
    {HEAD "a,0.9,1,cat\nb,0,5,1,dog\n", 0, VERDICT_TABLE_FORMAT, 1, "more fields"},
    {HEAD "a,0.9,1,cat\nb,\"0,5\",1,dog\nc,nan,1,dog\nd,1.5,1,cat\n", 0, VERDICT_TABLE_VALUE, 3,
	"row 3, column p: \"0,5\""},
    {HEAD "a,inf,1,cat\nb,0,1,dog\nc,0,1,dog\nd,0,1,cat\n", 0, VERDICT_TABLE_VALUE, 1, "not a finite"},
    {HEAD "a,1e999,1,cat\nb,0,1,dog\nc,0,1,dog\nd,0,1,cat\n", 0, VERDICT_TABLE_VALUE, 1, "not a finite"},
    {HEAD "a,0x1,1,cat\nb,0,1,dog\nc,0,1,dog\nd,0,1,cat\n", 0, VERDICT_TABLE_VALUE, 1, "not a finite"},
    {HEAD "a, 1,1,cat\nb,0,1,dog\nc,0,1,dog\nd,0,1,cat\n", 0, VERDICT_TABLE_VALUE, 1, "not a finite"},
    {HEAD "a,,1,cat\nb,0,1,dog\nc,0,1,dog\nd,0,1,cat\n", 0, VERDICT_TABLE_VALUE, 1, "empty"},
    {HEAD "a,-0.1,1,cat\nb,0,1,dog\nc,0,1,dog\nd,0,1,cat\n", 0, VERDICT_TABLE_VALUE, 1, "below"},
    {HEAD "a,1,1.0,cat\nb,0,1,dog\nc,0,1,dog\nd,0,1,cat\n", 0, VERDICT_TABLE_VALUE, 1, "column n"},
    {HEAD "a,1,0,cat\nb,0,1,dog\nc,0,1,dog\nd,0,1,cat\n", 0, VERDICT_TABLE_VALUE, 1, "below"},
    {HEAD "a,1,9007199254740993,cat\nb,0,1,dog\nc,0,1,dog\nd,0,1,cat\n", 0, VERDICT_TABLE_VALUE, 1,
	"whole number"},
    {HEAD "a,1,1,cow\nb,0,1,dog\nc,0,1,dog\nd,0,1,cat\n", 0, VERDICT_TABLE_VALUE, 1, "labels"},
};

static void test_tables(void **state)
{
	(void)state;
	struct task task = by_hand();
	put("truth.csv", truth_text, sizeof truth_text - 1);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct table_case *c = &cases[i];
		struct score s;
		int fd = table_of(c->bytes, c->length ? c->length : strlen(c->bytes));
		int r = score_table(&task, fd, &s);
		close(fd);
		if (r || s.verdict != c->verdict || s.fault.count != c->count ||
		    !strstr(s.fault.what, c->says))
			fail_msg("case %zu: got %d %s count %llu: %s", i, r, verdict_name(s.verdict),
			    (unsigned long long)s.fault.count, s.fault.what);
	}
}

static void test_scores(void **state)
{
	(void)state;
	struct task task = by_hand();
	struct score s;
	put("truth.csv", truth_text, sizeof truth_text - 1);
	int fd =
	    table_of("\xef\xbb\xbf" HEAD "d,0.5,1,dog\nc,0.5,1,dog\na,0.9,1,cat\nb,0.1,1,dog\n", 3 + 9 + 48);
	assert_int_equal(score_table(&task, fd, &s), 0);
	close(fd);
	assert_int_equal(s.verdict, VERDICT_SCORED);
	assert_int_equal(s.rows, 4);
	assert_true(s.bom);
	assert_int_equal(strlen(s.table_sha256), 64);
	assert_int_equal(strlen(s.truth_sha256), 64);
	/* positives 0.9 0.5 against 0.1 0.5: 3.5 of 4 pairs */
	assert_true(s.metric[0].value == 0.875);
	assert_true(s.metric[1].value == 0.75);
	assert_true(s.metric[2].value == 0.75);
	assert_int_equal(s.metric[0].n, 4);
}

static void test_bounds(void **state)
{
	(void)state;
	struct task task = by_hand();
	struct score s;
	put("truth.csv", truth_text, sizeof truth_text - 1);
	size_t n = (1 << 21) + 64;
	char *big = malloc(n);
	assert_non_null(big);
	memset(big, 'x', n);
	memcpy(big, HEAD, 9);
	int fd = table_of(big, n);
	assert_int_equal(score_table(&task, fd, &s), 0);
	assert_int_equal(s.verdict, VERDICT_TABLE_TOO_LARGE);
	assert_string_equal(s.fault.limit_name, "output-bytes");
	task.limit[OPTION_OUTPUT_BYTES] = 1 << 30;
	assert_int_equal(score_table(&task, fd, &s), 0);
	close(fd);
	assert_int_equal(s.verdict, VERDICT_TABLE_FORMAT);
	assert_non_null(strstr(s.fault.what, "longer than 1MiB"));
	/* a field of 64KiB in a row that is short enough */
	memcpy(big + 9 + (1 << 16), ",1,1,cat\n", 9);
	fd = table_of(big, 9 + (1 << 16) + 9);
	assert_int_equal(score_table(&task, fd, &s), 0);
	close(fd);
	free(big);
	assert_int_equal(s.verdict, VERDICT_TABLE_FORMAT);
	assert_non_null(strstr(s.fault.what, "longer than 64KiB"));
}

/* Rows beyond every proportion to the truth: refused by the reader, or by the judge when the truth has long rows. */
static void test_rows_in_proportion(void **state)
{
	static const char row[] = "zzz,1,1,cat\n";
	enum { ROWS = 1000200, LINE = sizeof row - 1, LONG = 60000 };
	struct task task = by_hand();
	struct score s;
	size_t n = strlen(HEAD) + (size_t)ROWS * LINE;
	char *big = malloc(n), *truth = malloc(LONG + 64);
	int fd;

	(void)state;
	assert_non_null(big);
	assert_non_null(truth);
	task.limit[OPTION_OUTPUT_BYTES] = 1 << 30;
	memcpy(big, HEAD, strlen(HEAD));
	for (size_t i = 0; i < ROWS; i++)
		memcpy(big + strlen(HEAD) + i * LINE, row, LINE);
	put("truth.csv", "id,y,kind\na,1,cat\n", 18);
	fd = table_of(big, n);
	assert_int_equal(score_table(&task, fd, &s), 0);
	assert_int_equal(s.verdict, VERDICT_TABLE_TOO_LARGE);
	assert_non_null(strstr(s.fault.what, "more rows than a table for this truth may have"));
	/* One long id: by its size the truth could have thousands of rows. */
	memcpy(truth, "id,y,kind\n", 10);
	memset(truth + 10, 'a', LONG);
	memcpy(truth + 10 + LONG, ",1,cat\n", 7);
	put("truth.csv", truth, 10 + LONG + 7);
	assert_int_equal(score_table(&task, fd, &s), 0);
	assert_int_equal(s.verdict, VERDICT_TABLE_TOO_LARGE);
	assert_non_null(strstr(s.fault.what, "1000200 rows; for a truth of 1 it may have 1000016"));
	close(fd);
	/* As many as it may have are told what they are. */
	fd = table_of(big, strlen(HEAD) + (size_t)1000016 * LINE);
	assert_int_equal(score_table(&task, fd, &s), 0);
	assert_int_equal(s.verdict, VERDICT_TABLE_DUPLICATE);
	close(fd);
	free(big);
	free(truth);
}

static void expect_truth_fault(const char *truth, const char *says)
{
	struct task task = by_hand();
	struct score s;
	put("truth.csv", truth, strlen(truth));
	int fd = table_of(HEAD BODY, strlen(HEAD BODY));
	assert_int_equal(score_table(&task, fd, &s), -1);
	close(fd);
	assert_int_equal(s.verdict, VERDICT_TASK_INVALID);
	assert_int_equal(s.fault.verdict, VERDICT_TASK_INVALID);
	assert_non_null(strstr(s.fault.what, says));
}

static void test_truth_faults(void **state)
{
	(void)state;
	expect_truth_fault("", "empty");
	expect_truth_fault("id,y,kind\na,1\n", "fewer fields");
	expect_truth_fault("id,z,kind\na,1,cat\n", "column y");
	expect_truth_fault("id,y,kind\na,1,cat\na,1,cat\n", "row 3 has the id of row 2");
	expect_truth_fault("id,y,kind\na,,cat\n", "empty");
	struct task task = by_hand();
	struct score s;
	static char gone[] = "nowhere.csv";
	task.truth = gone;
	int fd = table_of(HEAD BODY, strlen(HEAD BODY));
	assert_int_equal(score_table(&task, fd, &s), -1);
	assert_int_equal(s.verdict, VERDICT_TASK_INVALID);
	close(fd);
}

static void test_undefined(void **state)
{
	(void)state;
	struct task task = by_hand();
	struct score s;
	const char *one = "id,y,kind\na,1,cat\nb,1,dog\nc,1,dog\nd,1,cat\n";
	put("truth.csv", one, strlen(one));
	int fd = table_of(HEAD BODY, strlen(HEAD BODY));
	assert_int_equal(score_table(&task, fd, &s), 0);
	close(fd);
	assert_int_equal(s.verdict, VERDICT_METRIC_UNDEFINED);
	assert_int_not_equal(s.metric[0].why, WHY_DEFINED);
	assert_int_equal(s.metric[1].why, WHY_DEFINED);
	assert_non_null(strstr(s.fault.what, "AUROC"));
}

/* What a confined process tries. Whatever it returns, it got through. */
static int try_open(void *argument)
{
	(void)argument;
	return open("/etc/hostname", O_RDONLY) >= 0 ? 1 : 2;
}
static int try_socket(void *argument)
{
	(void)argument;
	return socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 1 : 2;
}
static int try_write(void *argument)
{
	(void)argument;
	return write(1, "x", 1) == 1 ? 1 : 2;
}
static int try_exec(void *argument)
{
	(void)argument;
	return mprotect(argument, 1, PROT_READ | PROT_EXEC) == 0 ? 1 : 2;
}
static int try_map(void *argument)
{
	(void)argument;
	return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED ? 1
													 : 2;
}
static int try_fork(void *argument)
{
	(void)argument;
	return fork() >= 0 ? 1 : 2;
}
static int compute(void *argument)
{
	(void)argument;
	void *p = malloc(1 << 20);
	memset(p, 1, 1 << 20);
	free(p);
	return 7;
}
static int forever(void *argument)
{
	volatile int *running = argument;
	while (*running)
		;
	return 0;
}

static void test_confinement(void **state)
{
	(void)state;
	int (*const forbidden[])(void *) = {try_open, try_socket, try_write, try_exec, try_map, try_fork};
	struct child_end end;
	int running = 1;
	struct child_work w = {.confinement = {.memory = 64 << 20, .cpu_seconds = 60}, .deadline_ms = 60000};
	for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
		w.work = forbidden[i];
		assert_int_equal(child_run(&w, &end), 0);
		assert_int_equal(end.error, 0);
		assert_int_equal(end.signal, SIGSYS);
	}
	w.work = compute;
	assert_int_equal(child_run(&w, &end), 0);
	assert_int_equal(end.signal, 0);
	assert_int_equal(end.status, 7);
	w.work = forever;
	w.argument = &running;
	w.deadline_ms = 50;
	assert_int_equal(child_run(&w, &end), 0);
	assert_true(end.late);
	assert_int_equal(end.signal, SIGKILL);
	w.deadline_ms = 60000;
	w.confinement.cpu_seconds = 1;
	assert_int_equal(child_run(&w, &end), 0);
	assert_false(end.late);
	assert_int_equal(end.signal, SIGXCPU);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char path[256];
	(void)state;
	(void)snprintf(path, sizeof path, "%s/truth.csv", folder);
	(void)unlink(path);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_tables),
	    cmocka_unit_test(test_scores),
	    cmocka_unit_test(test_bounds),
	    cmocka_unit_test(test_rows_in_proportion),
	    cmocka_unit_test(test_truth_faults),
	    cmocka_unit_test(test_undefined),
	    cmocka_unit_test(test_confinement),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
