/* `verify` against the task, and evidence that is well signed but says what is not so. */
#include "host_verify.h"

/* Another truth, input or task is not the evidence's fault: nothing is recomputed, and the file is named. */
static void recomputed(void **state)
{
	(void)state;
	made_file(&m, "task/", "truth.csv", "id,y\na,1\nb,0\nc,1\nd,0\n");
	assert_int_equal(verify("--task", made_path(&m, "task", ""), NULL, NULL, NULL), 3);
	assert_non_null(
	    strstr(said, "another than the run's: truth.csv: its digest is not the one in task.lock"));
	assert_null(strstr(said, "score.json"));
	made_file(&m, "task/", "truth.csv", MADE_TRUTH);
	made_file(&m, "task/input/", "test.csv", "id\na\nb\n");
	assert_int_equal(verify("--task", made_path(&m, "task", ""), NULL, NULL, NULL), 3);
	assert_non_null(strstr(said, "input/test.csv: its digest"));
	made_file(&m, "task/input/", "test.csv", MADE_INPUT);
	made_file(&m, "task/", "task.yaml", "# changed\n" MADE_TASK);
	assert_int_equal(verify("--task", made_path(&m, "task", ""), NULL, NULL, NULL), 3);
	assert_non_null(strstr(said, "another"));
	made_file(&m, "task/", "task.yaml", MADE_TASK);
	assert_int_equal(verify("--task", made_path(&m, "task", ""), NULL, NULL, NULL), 0);
	assert_int_equal(verify("--task", "/nonexistent", NULL, NULL, NULL), 2);
}

/* The table is there and would score; the run's verdict came from elsewhere, and is left alone. */
static void not_the_tables(void **state)
{
	struct run run = m.run;
	struct fault fault;

	(void)state;
	run.have_score = false;
	fault_set(&run.fault, VERDICT_CANCELLED, "interrupted");
	assert_int_equal(evidence_write(&run, &m.key, &fault), 0);
	assert_int_equal(verify("--task", made_path(&m, "task", ""), NULL, NULL, NULL), 0);
	assert_non_null(strstr(said, "nothing to recompute"));
	/* No candidate at all, a table that was scored by itself: that can be done again. */
	run = m.run;
	run.stage.stage = NULL;
	assert_int_equal(evidence_write(&run, &m.key, &fault), 0);
	assert_int_equal(verify("--task", made_path(&m, "task", ""), NULL, NULL, NULL), 0);
	assert_non_null(strstr(said, "the stored score again"));
	assert_int_equal(evidence_write(&m.run, &m.key, &fault), 0);
}

/* The limit on the table is the run's own. */
static void limit_of_the_run(void **state)
{
	struct run run = m.run;
	struct fault fault;

	(void)state;
	run.have_score = false;
	fault_set(&run.fault, VERDICT_TABLE_TOO_LARGE, "large");
	assert_int_equal(evidence_write(&run, &m.key, &fault), 0);
	assert_int_equal(verify("--task", made_path(&m, "task", ""), NULL, NULL, NULL), 1);
	assert_non_null(strstr(said, "gives SCORED now"));
	assert_int_equal(json_object_set_new(run.stage.limits, "output-bytes", json_string("64KiB")), 0);
	made_file(&m, "runs/" SESSION_RUN "/outputs/", "predictions.csv", "");
	assert_int_equal(
	    truncate(made_path(&m, "runs/" SESSION_RUN "/outputs/", "predictions.csv"), 65537), 0);
	assert_int_equal(evidence_write(&run, &m.key, &fault), 0);
	assert_int_equal(verify("--task", made_path(&m, "task", ""), NULL, NULL, NULL), 0);
	assert_non_null(strstr(said, "the stored verdict again"));
	assert_int_equal(json_object_clear(run.stage.limits), 0);
	made_file(&m, "runs/" SESSION_RUN "/outputs/", "predictions.csv", MADE_TABLE);
	assert_int_equal(evidence_write(&m.run, &m.key, &fault), 0);
	assert_int_equal(plain(), 0);
}

/* Statements that are signed all right, but say what the files do not. */
static void signed_but_wrong(void **state)
{
	struct run run = m.run;
	struct fault fault;

	(void)state;
	run.stage.frames = 9;
	assert_int_equal(evidence_write(&run, &m.key, &fault), 0);
	assert_true(found("transcript.bin"));
	run = m.run;
	run.stage.log[0].kept = 5;
	assert_int_equal(evidence_write(&run, &m.key, &fault), 0);
	assert_true(found("transcript.bin"));
	run = m.run;
	run.stage.record = json_deep_copy(m.run.stage.record);
	assert_int_equal(json_object_set_new(run.stage.record, "survivors", json_integer(1)), 0);
	assert_int_equal(evidence_write(&run, &m.key, &fault), 0);
	assert_true(found("transcript.bin"));
	json_decref(run.stage.record);
	run = m.run;
	run.stage.facts = json_object();
	assert_int_equal(evidence_write(&run, &m.key, &fault), 0);
	assert_true(found("transcript.bin"));
	json_decref(run.stage.facts);
	run = m.run;
	strcpy(run.id, "r-ffffffffffff");
	assert_int_equal(evidence_write(&run, &m.key, &fault), 0);
	assert_true(found("transcript.bin"));
	run = m.run;
	run.have_score = false;
	assert_int_equal(evidence_write(&run, &m.key, &fault), 0);
	assert_true(found("score.json"));
	assert_int_equal(evidence_write(&m.run, &m.key, &fault), 0);
	assert_int_equal(plain(), 0);
}

/* A run without a record: the transcript is cut, and that is stated. */
static void no_record(void **state)
{
	struct run run = m.run;
	struct fault fault;
	int fd = openat(m.run.folder_fd, "transcript.bin", O_RDWR | O_CLOEXEC);
	uint8_t bytes[SESSION_ROOM];
	ssize_t n = pread(fd, bytes, sizeof bytes, 0);

	(void)state;
	assert_true(n > 600);
	assert_int_equal(ftruncate(fd, 600), 0);
	run.stage.record = NULL;
	run.stage.observed.session_whole = false;
	run.have_score = false;
	run.score.verdict = VERDICT_NONE;
	fault_set(&run.fault, VERDICT_RECORD_MISSING, "gone");
	assert_int_equal(evidence_write(&run, &m.key, &fault), 0);
	assert_int_equal(plain(), 0);
	assert_non_null(strstr(said, "RECORD_MISSING"));
	assert_int_equal(verify("--task", made_path(&m, "task", ""), NULL, NULL, NULL), 0);
	assert_non_null(strstr(said, "nothing to recompute: this run ended before its table was read"));
	assert_int_equal(pwrite(fd, bytes, (size_t)n, 0), n);
	assert_int_equal(close(fd), 0);
	assert_int_equal(evidence_write(&m.run, &m.key, &fault), 0);
	assert_int_equal(plain(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(recomputed),
	    cmocka_unit_test(not_the_tables),
	    cmocka_unit_test(limit_of_the_run),
	    cmocka_unit_test(signed_but_wrong),
	    cmocka_unit_test(no_record),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
