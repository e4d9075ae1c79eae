/* What the evidence says and to whom: score.json the same for the same table, the participant's view by allow-list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <sys/mount.h>

#include "evidence/canonical.h"
#include "evidence/view.h"
#include "host_run.h"

static struct made m;

static int setup(void **state)
{
	(void)state;
	return made_start(&m);
}

static int teardown(void **state)
{
	(void)state;
	made_end(&m);
	return 0;
}

static char *encoded(json_t *value)
{
	size_t n;
	char *text = canonical_encode(value, &n);
	json_decref(value);
	assert_non_null(text);
	assert_int_equal(strlen(text), n);
	return text;
}

/* The value of a file of the run directory, which must be in its one encoding. */
static json_t *file_json(const char *name)
{
	static char bytes[1 << 20];
	ssize_t n = file_read(m.run.folder_fd, name, bytes, sizeof bytes);
	json_t *value;

	assert_true(n > 0);
	value = canonical_decode(bytes, (size_t)n);
	assert_non_null(value);
	return value;
}

static void score_is_the_same(void **state)
{
	char *a = encoded(score_json(&m.task, &m.run.score)), *b;
	struct score again;
	int fd = openat(m.run.folder_fd, "outputs/predictions.csv", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(score_table(&m.task, fd, &again), 0);
	assert_int_equal(close(fd), 0);
	b = encoded(score_json(&m.task, &again));
	assert_string_equal(a, b);
	assert_non_null(strstr(a, "\"value\": 0.75"));
	assert_non_null(strstr(a, "urn:proctor:score:1"));
	assert_null(strstr(a, SESSION_RUN));
	assert_null(strstr(a, "2026"));
	free(a);
	free(b);
}

static void participant_sees_what_is_told(void **state)
{
	struct run run = m.run;
	struct task task = m.task;
	char *text;

	(void)state;
	run.task = &task;
	run.score.metric[0].value = 0.74312509134;
	run.notes = NOTE_NETWORK_DENIED | NOTE_BOM;
	task.tell = TELL_ALL;
	text = encoded(participant_json(&run));
	assert_non_null(strstr(text, "\"verdict\": \"SCORED\""));
	assert_non_null(strstr(text, "\"value\": 0.7431\n"));
	assert_non_null(strstr(text, "\"network-denied\",\n    \"bom\""));
	free(text);
	task.tell = TELL_VERDICT;
	text = encoded(participant_json(&run));
	assert_null(strstr(text, "0.74"));
	assert_null(strstr(text, "network"));
	assert_non_null(strstr(text, "\"metrics\": []"));
	free(text);
	task.tell = 0;
	text = encoded(participant_json(&run));
	assert_null(strstr(text, "SCORED"));
	free(text);
}

/* Nothing of what the operator reads reaches the participant, whatever the verdict and whatever is told. */
static void participant_never_sees(void **state)
{
	struct run run = m.run;
	struct task task = m.task;

	(void)state;
	run.task = &task;
	task.tell = TELL_ALL;
	for (unsigned v = VERDICT_SCORED; v < VERDICT_END; v++) {
		char *text;
		enum verdict_class class = verdict_class((enum verdict)v);
		fault_set(&run.fault, (enum verdict)v, "secret text from row 17");
		fault_hint(&run.fault, "secret hint");
		run.fault.count = 17;
		strcpy(run.fault.limit_name, "memory");
		strcpy(run.fault.limit_value, "1GiB");
		text = encoded(participant_json(&run));
		assert_null(strstr(text, "secret"));
		assert_null(strstr(text, "17"));
		assert_null(strstr(text, "4100"));
		assert_null(strstr(text, "41943040"));
		assert_null(strstr(text, "eval1"));
		assert_null(strstr(text, m.home));
		assert_non_null(strstr(text, verdict_name((enum verdict)v)));
		if (class == CLASS_SUBMISSION) {
			assert_non_null(strstr(text, "\"count\": \"10-99\""));
			assert_non_null(strstr(text, "\"value\": \"1GiB\""));
			assert_non_null(strstr(text, "\"metrics\": []"));
		} else if (class != CLASS_SCORED) {
			assert_null(strstr(text, "count"));
			assert_null(strstr(text, "1GiB"));
			assert_null(strstr(text, "metrics"));
			assert_null(strstr(text, "notes"));
		}
		free(text);
	}
}

static void rounding(void **state)
{
	(void)state;
	assert_true(view_round(0.99345, 4) == 0.9935 || view_round(0.99345, 4) == 0.9934);
	assert_true(view_round(0.125, 2) == 0.12); /* exact tie: to even */
	assert_true(view_round(2.5, 0) == 2);
	assert_true(view_round(1e300, 4) == 1e300);
	assert_false(signbit(view_round(-0.00001, 4)));
	assert_true(view_round(0.123456789, -1) == 0.123456789);
}

static void program_sees(void **state)
{
	static const char *const keys[] = {"schema", "run", "submission", "exit", "verdict", "class", "cause",
	    "task", "metrics", "layers", "usage", "notes", "participant", "evidence", "retry", "operator"};
	struct run run = m.run, none = {0};
	json_t *root = run_json(&run);
	const char *key;
	json_t *value;
	size_t i = 0;

	(void)state;
	json_object_foreach(root, key, value)
	{
		assert_true(i < sizeof keys / sizeof *keys);
		assert_string_equal(key, keys[i++]);
	}
	assert_int_equal(i, sizeof keys / sizeof *keys);
	assert_int_equal(json_integer_value(json_object_get(root, "exit")), 0);
	assert_int_equal(json_array_size(json_object_get(root, "layers")), LAYER_END);
	assert_true(json_is_false(json_object_get(root, "retry")));
	json_decref(root);
	fault_set(&run.fault, VERDICT_ENGINE_FAILED, "no \xff socket");
	root = run_json(&run);
	assert_int_equal(json_integer_value(json_object_get(root, "exit")), 3);
	assert_true(json_is_true(json_object_get(root, "retry")));
	assert_string_equal(json_string_value(json_object_get(root, "operator")), "no \\xff socket");
	assert_int_equal(json_array_size(json_object_get(root, "metrics")), 0);
	json_decref(root);
	root = run_json(&none);
	assert_int_equal(json_integer_value(json_object_get(root, "exit")), 2);
	assert_true(json_is_null(json_object_get(root, "task")));
	json_decref(root);
}

/* Keys and order of examples of the format: a reader may rely on them. */
static void statement(void **state)
{
	static const char *const top[] = {"_type", "subject", "predicateType", "predicate"};
	static const char *const predicate[] = {
	    "run", "verdict", "task", "method", "stages", "selfcheck", "transcript"};
	static const char *const stage[] = {"stage", "image", "command", "engine", "init", "mounts", "limits",
	    "require", "facts", "layers", "record", "observed", "crosscheck", "denied", "survivors", "logs",
	    "refused"};
	static const char *const subjects[] = {"submission", "logs/stderr", "logs/stdout",
	    "outputs/predictions.csv", "participant.json", "score.json", "task.lock", "task.yaml",
	    "transcript.bin"};
	struct fault fault;
	json_t *root, *part, *value;
	const char *key;
	size_t i = 0;

	(void)state;
	assert_int_equal(evidence_reserve(m.run.folder_fd, &fault), 0);
	assert_int_equal(evidence_write(&m.run, &m.key, &fault), 0);
	root = file_json("audit.json");
	json_object_foreach(root, key, value) assert_string_equal(key, top[i++]);
	part = json_object_get(root, "predicate");
	i = 0;
	json_object_foreach(part, key, value) assert_string_equal(key, predicate[i++]);
	assert_int_equal(i, 7);
	part = json_object_get(part, "stages");
	assert_int_equal(json_array_size(part), 2);
	i = 0;
	json_object_foreach(json_array_get(part, 0), key, value) assert_string_equal(key, stage[i++]);
	assert_int_equal(i, 17);
	part = json_array_get(json_object_get(json_array_get(part, 0), "refused"), 0);
	assert_string_equal(json_string_value(json_object_get(part, "path")), "tmp\\xff.lock");
	part = json_object_get(root, "subject");
	assert_int_equal(json_array_size(part), sizeof subjects / sizeof *subjects);
	json_array_foreach(part, i, value)
	    assert_string_equal(json_string_value(json_object_get(value, "name")), subjects[i]);
	json_decref(root);
	assert_int_equal(faccessat(m.run.folder_fd, EVIDENCE_RESERVE, F_OK, 0), -1);
	/* A second call replaces what the first one wrote. */
	assert_int_equal(evidence_write(&m.run, &m.key, &fault), 0);
	json_decref(file_json("audit.json"));
	json_decref(file_json("audit.dsse.json"));
	json_decref(file_json("score.json"));
	json_decref(file_json("participant.json"));
}

static void nothing_odd_is_stated(void **state)
{
	struct fault fault;

	(void)state;
	assert_int_equal(symlinkat("/etc/passwd", m.run.folder_fd, "outputs/link"), 0);
	assert_int_equal(evidence_write(&m.run, &m.key, &fault), -1);
	assert_int_equal(fault.verdict, VERDICT_SCORER_FAULT);
	assert_non_null(strstr(fault.what, "outputs/link"));
	assert_int_equal(unlinkat(m.run.folder_fd, "outputs/link", 0), 0);
}

/* On a full disk the reserve is what the evidence is written into. */
static void full_disk(void **state)
{
	char at[] = "/tmp/proctor-full-XXXXXX", big[4096] = {0};
	struct run run = m.run;
	struct fault fault;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(at));
	if (unshare(CLONE_NEWNS) < 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", at, "tmpfs", MS_NOSUID | MS_NODEV, "size=25m,mode=700") < 0) {
		(void)rmdir(at);
		skip();
	}
	run.folder_fd = open(at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(evidence_reserve(run.folder_fd, &fault), 0);
	fd = openat(run.folder_fd, "fill", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	while (write(fd, big, sizeof big) > 0)
		;
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(close(fd), 0);
	fault_set(&run.fault, VERDICT_INFRA_DISK, "full");
	run.have_score = false;
	assert_int_equal(evidence_write(&run, &m.key, &fault), 0);
	assert_int_equal(faccessat(run.folder_fd, "audit.dsse.json", F_OK, 0), 0);
	assert_int_equal(close(run.folder_fd), 0);
	assert_int_equal(umount2(at, MNT_DETACH), 0);
	assert_int_equal(rmdir(at), 0);
}

static void encoding(void **state)
{
	static const char *const bad[] = {"{}", "{\n  \"a\": 1.0\n}", "{\n  \"a\": 1.00\n}\n",
	    "{\n  \"a\": 1,\n  \"a\": 1\n}\n", "{\n  \"a\": \"\xc3\xb6\"\n}\n", "{\n\t\"a\": 1\n}\n",
	    "{\n  \"a\": 0.10000000000000001\n}\n"};
	static const char good[] = "{\n  \"a\": 0.1,\n  \"b\": \"\\u00F6\"\n}\n";
	json_t *value;
	char *text;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_null(canonical_decode(bad[i], strlen(bad[i])));
	value = canonical_decode(good, sizeof good - 1);
	assert_non_null(value);
	json_decref(value);
	value = json_pack("[f, f, f]", 0.1, 1.0 / 3, 5e-324);
	text = encoded(value);
	assert_null(canonical_decode(text, strlen(text) - 1));
	value = canonical_decode(text, strlen(text));
	assert_true(json_real_value(json_array_get(value, 1)) == 1.0 / 3);
	json_decref(value);
	free(text);
	/* Each real by itself has the fewest digits, whatever stands beside it; strings stay what they are. */
	value = json_pack("[f, f, f, f, f, f, f, f, i, s]", 0.867, 1.0 / 3, 5e-324, 1e22, -0.0, 1.0, 1e-7,
	    123456.5, 7, "1.10 \"2.50\" \\");
	text = encoded(value);
	assert_string_equal(text,
	    "[\n  0.867,\n  0.3333333333333333,\n  5e-324,\n  1e22,\n  -0.0,\n  1.0,\n  1e-7,\n"
	    "  123456.5,\n  7,\n  \"1.10 \\\"2.50\\\" \\\\\"\n]\n");
	value = canonical_decode(text, strlen(text));
	assert_non_null(value);
	json_decref(value);
	free(text);
	value = canonical_name("a\\b\n\xff");
	assert_string_equal(json_string_value(value), "a\\x5cb\\x0a\\xff");
	json_decref(value);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(score_is_the_same),
	    cmocka_unit_test(participant_sees_what_is_told),
	    cmocka_unit_test(participant_never_sees),
	    cmocka_unit_test(rounding),
	    cmocka_unit_test(program_sees),
	    cmocka_unit_test(statement),
	    cmocka_unit_test(nothing_odd_is_stated),
	    cmocka_unit_test(full_disk),
	    cmocka_unit_test(encoding),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
