/* The truth among the inputs: leaks that are no copies are found, and honest inputs raise no alarm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "intake/exposure.h"

enum { ROWS = 20 };

static char folder[] = "/tmp/test_host_exposure.XXXXXX";
static char id[] = "id", y[] = "y", input[] = "input", at[] = "/input", truth[] = "truth/truth.csv",
	    linked[] = "linked";
static char *ids[] = {id};
static struct task_input inputs[] = {{.path = input, .at = at}};
static struct task_metric metrics[] = {{.truth = y}};
static struct task task = {.folder = folder,
    .id = ids,
    .id_count = 1,
    .input = inputs,
    .input_count = 1,
    .truth = truth,
    .metric = metrics,
    .metric_count = 1};

static const char *path(const char *name)
{
	static char text[256];
	(void)snprintf(text, sizeof text, "%s/%s", folder, name);
	return text;
}

/* Class of row i, and a feature that does not follow it. */
static int class_of(int i)
{
	return i * 7 % 5 < 2;
}
static int feature_of(int i)
{
	return i % 2;
}

/* In a row's form: # its number, ! its class, ? a feature, $ its class as a word. */
static void write_row(FILE *f, const char *form, int i)
{
	for (; *form; form++)
		switch (*form) {
		case '#':
			(void)fprintf(f, "%d", i);
			break;
		case '!':
			(void)fprintf(f, "%d", class_of(i));
			break;
		case '?':
			(void)fprintf(f, "%d", feature_of(i));
			break;
		case '$':
			(void)fputs(class_of(i) ? "malignant" : "benign", f);
			break;
		default:
			(void)fputc(*form, f);
		}
}

static void write_rows(const char *name, const char *head, const char *form, int from, int to, int step)
{
	FILE *f = fopen(path(name), "w");
	assert_non_null(f);
	(void)fputs(head, f);
	for (int i = from; i != to; i += step)
		write_row(f, form, i);
	assert_int_equal(fclose(f), 0);
}

static void write_bytes(const char *name, const void *bytes, size_t n)
{
	FILE *f = fopen(path(name), "w");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static void test_leaks(void **state)
{
	(void)state;
	static const struct {
		const char *name, *head, *form, *says;
	} leaks[] = {
	    {"input/copy.bin", "id,y\n", "P#,$\n", "same bytes"},
	    {"input/deep/crlf.csv", "id,y\r\n", "P#,$\r\n", "deep/crlf.csv: column y"},
	    {"input/bom.csv", "\xef\xbb\xbfid,y\n", "P#,$\n", "column y"},
	    {"input/appended.csv", "id,f,diagnosis\n", "P#,?,$\n", "column diagnosis"},
	    {"input/recoded.csv", "id,f,d\n", "P#,?,!\n", "column d goes with the truth's column y"},
	    {"input/renamed.txt", "case,d\n", "P#,!\n", "column d"},
	    {"input/quoted.csv", "\"n\",\"d\",\"id\"\n", "\"#\",\"!\",\"P#\"\n", "column d"},
	};
	for (size_t i = 0; i < sizeof leaks / sizeof *leaks; i++) {
		struct exposure_seen seen;
		struct fault f;
		write_rows(leaks[i].name, leaks[i].head, leaks[i].form, 0, ROWS, 1);
		int r = truth_exposed(&task, &seen, &f);
		assert_int_equal(unlink(path(leaks[i].name)), 0);
		if (r == 0 || f.verdict != VERDICT_TRUTH_EXPOSED || !strstr(f.what, leaks[i].says))
			fail_msg("%s: %d %s", leaks[i].name, r, r ? f.what : "not found");
	}
	/* in another order */
	struct exposure_seen seen;
	struct fault f;
	write_rows("input/turned.csv", "id,d\n", "P#,!\n", ROWS - 1, -1, -1);
	assert_int_equal(truth_exposed(&task, &seen, &f), -1);
	assert_int_equal(unlink(path("input/turned.csv")), 0);
}

static void test_no_alarm(void **state)
{
	(void)state;
	struct exposure_seen seen;
	struct fault f;
	static const unsigned char binary[] = {0x89, 'P', 'N', 'G', 0, 1, 2};
	write_rows("input/test.csv", "id,f,n\n", "P#,?,#\n", 0, ROWS, 1);
	/* other cases, with their labels: a training set */
	write_rows("input/train.csv", "id,f,y\n", "T#,?,$\n", 0, ROWS, 1);
	write_bytes("input/image.png", binary, sizeof binary);
	write_bytes("input/empty", "", 0);
	write_bytes("input/readme.txt", "no table at all\n\"\n", 18);
	assert_int_equal(symlink("/etc/passwd", path("input/link")), 0);
	if (truth_exposed(&task, &seen, &f) < 0)
		fail_msg("%s", f.what);
	assert_int_equal(seen.files, 5);
	assert_int_equal(seen.compared, 3);
	static const char *const names[] = {"input/test.csv", "input/train.csv", "input/image.png",
	    "input/empty", "input/readme.txt", "input/link"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_int_equal(unlink(path(names[i])), 0);
}

static void test_places(void **state)
{
	(void)state;
	struct exposure_seen seen;
	struct fault f;
	/* an input that is a link to a folder with the truth in it */
	assert_int_equal(symlink(".", path("linked")), 0);
	inputs[0].path = linked;
	assert_int_equal(truth_exposed(&task, &seen, &f), -1);
	assert_int_equal(f.verdict, VERDICT_TRUTH_EXPOSED);
	assert_int_equal(unlink(path("linked")), 0);
	assert_int_equal(truth_exposed(&task, &seen, &f), -1);
	assert_int_equal(f.verdict, VERDICT_TASK_INVALID);
	inputs[0].path = truth;
	assert_int_equal(truth_exposed(&task, &seen, &f), -1);
	assert_int_equal(f.verdict, VERDICT_TRUTH_EXPOSED);
	inputs[0].path = input;
	task.truth = linked;
	assert_int_equal(truth_exposed(&task, &seen, &f), -1);
	assert_int_equal(f.verdict, VERDICT_TASK_INVALID);
	task.truth = truth;
}

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(folder) || mkdir(path("input"), 0700) || mkdir(path("input/deep"), 0700) ||
	    mkdir(path("truth"), 0700))
		return -1;
	write_rows("truth/truth.csv", "id,y\n", "P#,$\n", 0, ROWS, 1);
	return 0;
}

static int clean_up(void **state)
{
	(void)state;
	(void)unlink(path("truth/truth.csv"));
	return rmdir(path("truth")) | rmdir(path("input/deep")) | rmdir(path("input")) | rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_leaks),
	    cmocka_unit_test(test_no_alarm),
	    cmocka_unit_test(test_places),
	};
	return cmocka_run_group_tests(tests, set_up, clean_up);
}
