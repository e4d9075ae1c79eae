/*
 * participant.json can hold no text of the candidate's making: whatever stands in its record, its names, its table and
 * its messages, every string of the document is one of the closed lists, a figure, or a name of the task's or the
 * operator's. Checked by a walk over the whole document, for every verdict and grant, with hostile bytes everywhere.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "evidence/canonical.h"
#include "evidence/view.h"
#include "host_run.h"

enum { ROUNDS = 40 };

static struct made m;
static uint64_t seed = 1;

static uint64_t next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static const char *const pieces[] = {"MARK", "\n  evidence  /", "\"}", "\xff\xfe", "\x1b[2J", "../", "%s%n",
    "wall-time", "SCORED", "1GiB", "sha256:", "r-0123456789ab", "999", "\xe2\x80\xae", "network-denied",
    "\\u0000", "AUROC"};

/* Some of the pieces, always with the mark; cut to fit. */
static void hostile(char *out, size_t room)
{
	out[0] = '\0';
	for (unsigned i = 0, n = (unsigned)(next() % 4); i <= n; i++) {
		const char *piece = i == n ? "MARK" : pieces[next() % (sizeof pieces / sizeof *pieces)];
		if (strlen(out) + strlen(piece) < room)
			strcat(out, piece);
	}
	/* Even a room too small for the mark holds something that is no word of ours. */
	if (!strstr(out, "MARK"))
		(void)snprintf(out, room, "MARK");
}

static json_t *hostile_json(unsigned depth)
{
	char text[128], key[64];
	json_t *value;

	hostile(text, sizeof text);
	switch (depth == 0 ? 0 : next() % 4) {
	case 0:
		return canonical_text(text);
	case 1:
		return json_integer((json_int_t)(next() >> 1));
	case 2:
		value = json_array();
		for (unsigned i = 0; i < 3; i++)
			(void)json_array_append_new(value, hostile_json(depth - 1));
		return value;
	default:
		value = json_object();
		for (unsigned i = 0; i < 3; i++) {
			(void)snprintf(key, sizeof key, "%.50s%u", text, i);
			(void)json_object_set_new(
			    value, key, hostile_json(depth - 1)); /* keys that are no UTF-8 stay away */
		}
		return value;
	}
}

/* A record with the keys that others read, and hostile values under them. */
static json_t *hostile_record(void)
{
	static const char *const keys[] = {"run", "init", "facts", "layers", "exit", "cause", "usage", "logs",
	    "denied", "survivors", "output", "verdict", "notes", "participant", "limit", "metrics"};
	json_t *record = json_object();

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		(void)json_object_set_new(record, keys[i], hostile_json(3));
	return record;
}

static bool one_of(const char *text, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(text, list[i]) == 0)
			return true;
	return false;
}

static bool closed_word(const char *text)
{
	static const char *const words[] = {"urn:proctor:participant:1", "network-denied", "bom", "survivors",
	    "log-truncated", "refused-files", "scratch-full"};
	char value[32];
	uint64_t number;
	size_t digits = strspn(text, "0123456789");

	if (one_of(text, words, sizeof words / sizeof *words) || verdict_from_name(text) != VERDICT_NONE)
		return true;
	for (unsigned o = 0; o < OPTION_END; o++) {
		if (!(option_table[o].where & ON_TASK))
			continue;
		if (strcmp(text, option_table[o].name) == 0)
			return true;
		if (unit_parse(option_table[o].unit, text, &number) == 0 &&
		    strcmp(unit_format(option_table[o].unit, number, value), text) == 0)
			return true;
	}
	/* A decade, 10-99. */
	return digits > 0 && text[digits] == '-' &&
	       strspn(text + digits + 1, "9") == strlen(text + digits + 1);
}

/* What the organiser and the operator wrote. */
static bool ours(const char *text, const struct run *run)
{
	const struct task *t = run->task;

	if (run->submission && strcmp(text, run->submission) == 0)
		return true;
	if (t &&
	    (strcmp(text, t->name) == 0 || strcmp(text, t->version) == 0 || strcmp(text, t->sha256) == 0))
		return true;
	for (size_t i = 0; t && i < t->metric_count; i++)
		if (strcmp(text, t->metric[i].name) == 0)
			return true;
	return false;
}

/* "", r- and hex digits, or sha256: and hex digits. */
static bool digits(const char *text)
{
	const char *at = strncmp(text, "sha256:", 7) == 0 ? text + 7
			 : strncmp(text, "r-", 2) == 0	  ? text + 2
							  : text;
	return (at > text || !*text) && strspn(at, "0123456789abcdef") == strlen(at);
}

static void walk(json_t *value, const struct run *run, unsigned depth)
{
	static const char *const keys[] = {"schema", "run", "submission", "image", "task", "name", "version",
	    "sha256", "method", "verdict", "count", "limit", "value", "ci", "metrics", "notes"};
	json_t *item;
	const char *key;
	size_t i;

	assert_true(depth < 5);
	if (json_is_string(value)) {
		const char *text = json_string_value(value);
		if (!closed_word(text) && !ours(text, run) && !digits(text))
			fail_msg("\"%s\" is no word of ours (%s)", text, verdict_name(run->fault.verdict));
	}
	if (json_is_real(value))
		assert_true(isfinite(json_real_value(value)));
	json_array_foreach(value, i, item) walk(item, run, depth + 1);
	json_object_foreach(value, key, item)
	{
		if (!one_of(key, keys, sizeof keys / sizeof *keys))
			fail_msg("\"%s\" is no key of the participant's", key);
		walk(item, run, depth + 1);
	}
}

static void spoil(struct run *run, struct refused *refused, char *path, size_t room)
{
	struct fault *f = &run->fault;
	char label[32], text[256];

	hostile(f->what, sizeof f->what);
	hostile(f->hint, sizeof f->hint);
	hostile(label, sizeof label);
	hostile(text, sizeof text);
	(void)fault_more(f, label, "%s", text);
	/* No filler of ours writes such a limit; should one ever, it stays inside. */
	if (next() % 2) {
		hostile(f->limit_name, sizeof f->limit_name);
		hostile(f->limit_value, sizeof f->limit_value);
	} else {
		strcpy(f->limit_name, next() % 2 ? "memory" : "syscalls");
		if (next() % 2)
			hostile(f->limit_value, sizeof f->limit_value);
		else
			strcpy(f->limit_value, "1024MiB");
	}
	if (next() % 2)
		hostile(run->id, sizeof run->id);
	if (next() % 2)
		hostile(run->submission_sha256, sizeof run->submission_sha256);
	hostile(run->started, sizeof run->started);
	hostile(run->host, sizeof run->host);
	hostile(run->stage.crosscheck, sizeof run->stage.crosscheck);
	hostile(run->stage.init_sha256, sizeof run->stage.init_sha256);
	hostile(run->score.table_sha256, sizeof run->score.table_sha256);
	run->score.fault = *f;
	/* The groups' names are the truth's, and still none of the participant's. */
	for (size_t i = 0; i < 8; i++)
		hostile(run->score.group[i].name, sizeof run->score.group[i].name);
	run->score.metric[0].groups = 8;
	run->score.metric[0].why = next() % 2;
	run->score.metric[0].resamples = next() % 2 ? 1000 : 0;
	run->score.metric[0].low = 0.25;
	run->score.metric[0].high = 0.75;
	hostile(path, room);
	*refused = (struct refused){path, "fifo"};
	run->stage.refused = refused;
	run->stage.refused_count = 1;
	run->stage.init_version = run->stage.engine_version = path;
	run->notes = (unsigned)next() & 63;
	f->count = next() >> (next() % 64);
}

static void no_text_of_the_candidate(void **state)
{
	struct task task = m.task;
	unsigned limits = 0, counts = 0, metrics = 0;

	(void)state;
	for (unsigned v = VERDICT_NONE; v < VERDICT_END; v++)
		for (unsigned i = 0; i < ROUNDS; i++) {
			struct run *run = malloc(sizeof *run);
			struct refused refused;
			char path[256], *text;
			json_t *root;
			size_t n;

			assert_non_null(run);
			*run = m.run;
			task.tell = (unsigned)next() & TELL_ALL;
			task.round = (int)(next() % 19) - 1;
			run->task = i % 8 == 7 ? NULL : &task;
			run->fault.verdict = (enum verdict)v;
			spoil(run, &refused, path, sizeof path);
			run->stage.record = hostile_record();
			run->stage.facts = hostile_json(3);
			root = participant_json(run);
			assert_non_null(root);
			walk(root, run, 0);
			limits += json_object_get(root, "limit") != NULL;
			counts += json_object_get(root, "count") != NULL;
			metrics += json_array_size(json_object_get(root, "metrics")) > 0;
			text = canonical_encode(root, &n);
			assert_non_null(text);
			assert_null(strstr(text, "MARK"));
			assert_null(strchr(text, '\x1b'));
			free(text);
			json_decref(root);
			json_decref(run->stage.record);
			json_decref(run->stage.facts);
			free(run);
		}
	/* It is not empty that it is safe. */
	assert_true(limits > 0 && counts > 0 && metrics > 0);
}

static void a_limit_is_told_in_one_spelling(void **state)
{
	struct run run = m.run;
	json_t *root;

	(void)state;
	fault_set(&run.fault, VERDICT_MEMORY, "limit");
	strcpy(run.fault.limit_name, "memory");
	strcpy(run.fault.limit_value, "1024MiB");
	root = participant_json(&run);
	assert_string_equal(
	    json_string_value(json_object_get(json_object_get(root, "limit"), "value")), "1GiB");
	json_decref(root);
}

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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_text_of_the_candidate),
	    cmocka_unit_test(a_limit_is_told_in_one_spelling),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
