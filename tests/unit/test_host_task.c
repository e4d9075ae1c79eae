/* task.yaml: what is taken, what is refused by which words, and that the keys of the format are known, each by its name. */
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

#include "intake/task_file.h"

#define NAME "name: biopsies\nversion: \"1\"\n"
#define REST \
	"submission: image\ninput:\n  - {path: input, at: /input}\nid: [id]\ntruth: truth/truth.csv\n" \
	"output: {table: predictions.csv}\n"
#define COLUMNS \
	"columns:\n  - {name: p, type: number, min: 0, max: 1}\n  - {name: kind, type: label, labels: [a, " \
	"b]}\n"
#define AUROC "  - {name: AUROC, as: auroc, truth: y, positive: \"1\", from: p}\n"
#define METRICS \
	"metrics:\n" AUROC \
	"  - {name: accuracy, as: accuracy, truth: y, positive: \"1\", from: p, threshold: 0.5}\n" \
	"  - {name: agreement, as: accuracy, truth: z, from: kind}\n"
#define SELFCHECK \
	"selfcheck:\n  - {table: good.csv, expect: [{metric: AUROC, value: \"0.875\"}, {metric: accuracy, " \
	"value: \"0.7\", within: " \
	"\"0.06\"}]}\n" \
	"  - {table: twice.csv, verdict: TABLE_DUPLICATE}\n"
#define GOOD NAME REST COLUMNS METRICS SELFCHECK

static int parse(const char *text, struct task *t, struct fault *f)
{
	memset(f, 0, sizeof *f);
	return task_parse("folder", text, strlen(text), t, f);
}

static void test_whole(void **state)
{
	(void)state;
	struct task t;
	struct fault f;
	if (parse(GOOD "title: A title\ncommand: [/bin/run, \"\", x]\nlimits: {wall-time: 60s, memory: 2GiB, "
		       "cpus: 0.5}\n"
		       "require: [no-network, exact-output]\nsyscalls: none\nscratch: [/tmp, /var/tmp]\nenv: "
		       "[A=1, B_2=x=y]\n"
		       "round: 4\ntell: [verdict, count]\n",
		&t, &f) < 0)
		fail_msg("%s", f.what);
	assert_string_equal(t.folder, "folder");
	assert_string_equal(t.name, "biopsies");
	assert_string_equal(t.version, "1");
	assert_string_equal(t.title, "A title");
	assert_int_equal(t.submission, SUBMISSION_IMAGE);
	assert_string_equal(t.command[0], "/bin/run");
	assert_string_equal(t.command[1], "");
	assert_null(t.command[3]);
	assert_int_equal(t.input_count, 1);
	assert_string_equal(t.input[0].path, "input");
	assert_string_equal(t.input[0].at, "/input");
	assert_int_equal(t.id_count, 1);
	assert_string_equal(t.truth, "truth/truth.csv");
	assert_string_equal(t.output_table, "predictions.csv");
	assert_int_equal(t.column_count, 2);
	assert_true(t.column[0].has_min && t.column[0].has_max && t.column[0].max == 1);
	assert_int_equal(t.column[1].type, COLUMN_LABEL);
	assert_int_equal(t.column[1].label_count, 2);
	assert_int_equal(t.metric_count, 3);
	assert_int_equal(t.metric[0].as, METRIC_AUROC);
	assert_false(t.metric[0].has_threshold);
	assert_true(t.metric[1].has_threshold && t.metric[1].threshold == 0.5);
	assert_int_equal(t.metric[2].column, 1);
	assert_null(t.metric[2].positive);
	assert_int_equal(t.selfcheck_count, 2);
	assert_int_equal(t.selfcheck[0].expect_count, 2);
	assert_string_equal(t.selfcheck[0].expect[1].within, "0.06");
	assert_int_equal(t.selfcheck[1].verdict, VERDICT_TABLE_DUPLICATE);
	assert_int_equal(t.limit[OPTION_WALL_TIME], 60000);
	assert_int_equal(t.limit[OPTION_MEMORY], GIB(2));
	assert_int_equal(t.limit[OPTION_CPUS], 500);
	assert_int_equal(t.limit[OPTION_SCRATCH_BYTES], MIB(128));
	assert_int_equal(t.limit[OPTION_OUTPUT_FILES], 64);
	assert_true(t.limit[OPTION_CPU_TIME] == LIMIT_NONE);
	assert_int_equal(t.require, 1u << REQUIRE_NO_NETWORK | 1u << REQUIRE_EXACT_OUTPUT);
	assert_string_equal(t.syscalls, "none");
	assert_int_equal(t.scratch_count, 2);
	assert_string_equal(t.scratch[1], "/var/tmp");
	assert_int_equal(t.env_count, 2);
	assert_string_equal(t.env[1], "B_2=x=y");
	assert_int_equal(t.round, 4);
	assert_int_equal(t.tell, TELL_VERDICT | TELL_COUNT);
	assert_int_equal(strlen(t.sha256), 64);
	task_free(&t);
}

static void test_defaults(void **state)
{
	(void)state;
	struct task t;
	struct fault f;
	if (parse("---\n" GOOD, &t, &f) < 0)
		fail_msg("%s", f.what);
	for (unsigned o = 0; o < OPTION_END; o++)
		if ((option_table[o].where & ON_TASK) && o != OPTION_SCRATCH_BYTES)
			assert_true(t.limit[o] == option_table[o].preset);
	assert_int_equal(t.limit[OPTION_SCRATCH_BYTES], MIB(64));
	assert_string_equal(t.syscalls, "ml");
	assert_int_equal(t.scratch_count, 2);
	assert_string_equal(t.scratch[1], "/dev/shm");
	assert_int_equal(t.round, -1);
	assert_int_equal(t.tell, TELL_ALL);
	assert_null(t.command);
	assert_null(t.title);
	task_free(&t);
}

struct refusal {
	const char *text, *says;
};

/* The words that must be in the message: the key's path, and what is wrong with it. */
static const struct refusal refusals[] = {
    {"", "empty"},
    {"just words\n", "expected keys"},
    {GOOD "surprise: 1\n", "no key \"surprise\" (line 19)"},
    {NAME REST "columns:\n  - {name: p, typ: number}\n" METRICS SELFCHECK,
	"columns[1] has no key \"typ\" (line 10)"},
    {GOOD "limits: {wall-tiem: 60s}\n", "limits has no key \"wall-tiem\" (line 19)"},
    {GOOD "limits: {uid: 7}\n", "limits has no key \"uid\""},
    {GOOD "name: again\n", "name (line 19): the key is written twice"},
    {GOOD "title: [a]\n", "title (line 19): expected one value"},
    {GOOD "command: /bin/run\n", "command (line 19): expected a list"},
    {GOOD "limits: none\n", "limits (line 19): expected keys"},
    {"name: &n a\nversion: *n\n", "aliases"},
    {GOOD "---\nname: second\n", "line 19: a second document"},
    {GOOD "title: \"a\\0b\"\n", "line 19: an escaped NUL"},
    {GOOD "title: \"a\\x00b\"\n", "an escaped NUL"},
    {"%YAML 1.2\n---\n" GOOD, "directive"},
    {GOOD "title: \"unfinished\n", "line 20: not YAML"},
    {GOOD "limits:\n\tmemory: 1GiB\n", "line 20: not YAML: found character that cannot start any token"},
    {GOOD "title: a\xff\n", "line 19: not YAML"},
    {GOOD "require: [no-caps\n", "line 20: not YAML"},
    {NAME REST COLUMNS "metrics:\n" AUROC "  - {name: x, as: auroc, truth: y, from: p}\n" SELFCHECK,
	"metrics[2].positive (line 14): missing"},
    {NAME REST COLUMNS "metrics:\n" AUROC "  - name: x\n    as: auroc\n    truth: [y]\n" SELFCHECK,
	"metrics[2].truth (line 16): expected one value"},
    /* names */
    {"version: \"1\"\n" REST COLUMNS METRICS SELFCHECK, "name"},
    {"name: Not A Slug\nversion: 1\n" REST COLUMNS METRICS SELFCHECK,
	"name (line 1): \"Not A Slug\": expected a short name"},
    {"name: a\n" REST COLUMNS METRICS SELFCHECK, "version"},
    {"name: a\nversion: ../x\n" REST COLUMNS METRICS SELFCHECK, "version"},
    {GOOD "image: debian\n", "image"},
    {GOOD "round: -1\n", "round"},
    {GOOD "round: 1x\n", "round"},
    {GOOD "tell: [metrics]\n", "tell"},
    {GOOD "tell: [verdict, logs]\n", "tell"},
    /* limits */
    {GOOD "limits: {wall-time: 60}\n", "limits.wall-time (line 19): \"60\": expected a time"},
    {GOOD "limits: {wall-time: 1x}\n", "limits.wall-time"},
    {GOOD "limits: {wall-time: 8d}\n", "must lie between 100ms and 7d"},
    {GOOD "limits: {memory: 32MiB}\n", "at least 64MiB"},
    {GOOD "limits: {memory: 1e3}\n", "limits.memory"},
    {GOOD "limits: {cpus: \"0,5\"}\n", "limits.cpus"},
    {GOOD "limits: {processes: nan}\n", "limits.processes"},
    {GOOD "limits: {memory: 1GiB, scratch-bytes: 512MiB}\n",
	"2 scratch trees of 512MiB do not fit into memory 1GiB"},
    {GOOD "require: [trust]\n", "require"},
    {GOOD "require: [no-caps, no-caps]\n", "twice"},
    {GOOD "syscalls: everything\n", "syscalls"},
    /* places */
    {NAME "submission: image\nid: [id]\ntruth: t.csv\noutput: {table: o.csv}\n" COLUMNS METRICS SELFCHECK,
	"input"},
#define PLACES(inputs, truth, output, more) \
	NAME "submission: image\nid: [id]\ninput: [" inputs "]\ntruth: " truth "\noutput: {" output \
	     "}\n" COLUMNS METRICS SELFCHECK more
#define IN(at) PLACES("{path: input, at: " at "}", "t.csv", "table: o.csv", "")
    {IN("input"), "input[1].at"},
    {IN("/"), "input[1].at"},
    {IN("/input/"), "input[1].at"},
    {IN("/input/../etc"), "input[1].at"},
    {IN("/./input"), "input[1].at"},
    {IN("//input"), "input[1].at"},
    {IN("/proc/x"), "input[1].at"},
    {IN("/sys"), "input[1].at"},
    {IN("/dev/shm"), "input[1].at"},
    {IN("/.proctor"), "input[1].at"},
    {IN("/output/in"), "input[1].at"},
    {IN("/tmp/in"), "scratch"},
    {IN("\"/in\\nput\""), "input[1].at"},
    {PLACES("{path: a, at: /input}, {path: b, at: /input/b}", "t.csv", "table: o.csv", ""), "input[2].at"},
    {PLACES("{path: a, at: /input}, {path: b, at: /input}", "t.csv", "table: o.csv", ""), "input[2].at"},
    {PLACES("{path: data, at: /input}", "data/t.csv", "table: o.csv", ""),
	"truth (line 6): \"data/t.csv\": lies in an input"},
    {PLACES("{path: a, at: /input}", "t.csv", "table: ../o.csv", ""), "output.table"},
    {PLACES("{path: a, at: /input}", "t.csv", "table: /o.csv", ""), "output.table"},
    {PLACES("{path: a, at: /input}", "t.csv", "table: ..", ""), "output.table"},
    {PLACES("{path: a, at: /input}", "t.csv", "", ""), "output"},
    {GOOD "scratch: [tmp]\n", "scratch"},
    {GOOD "scratch: [/]\n", "scratch"},
    {GOOD "scratch: [/dev]\n", "scratch"},
    {GOOD "scratch: [/tmp, /tmp/a]\n", "scratch"},
    {GOOD "scratch: [/input/x]\n", "scratch"},
    {GOOD "env: [A]\n", "env"},
    {GOOD "env: [=a]\n", "env"},
    {GOOD "env: [1A=a]\n", "env"},
    {GOOD "env: [A=1, A=2]\n", "twice"},
/* columns and metrics */
#define WITH(columns, metrics) NAME REST "columns: [" columns "]\nmetrics: [" metrics "]\n" SELFCHECK
#define P "{name: p, type: number}"
#define M "{name: AUROC, as: auroc, truth: y, positive: \"1\", from: p}"
#define A "{name: accuracy, as: accuracy, truth: y, positive: \"1\", from: p, threshold: 0.5}"
    {WITH("{name: p, type: real}", M), "columns[1].type"},
    {WITH("{type: number}", M), "columns[1].name"},
    {WITH("{name: id, type: number}", M), "columns[1].name"},
    {WITH(P ", " P, M), "columns[2].name"},
    {WITH("{name: p, type: number, min: 1x}", M), "columns[1].min"},
    {WITH("{name: p, type: number, min: nan}", M), "columns[1].min"},
    {WITH("{name: p, type: number, max: 1e999}", M), "columns[1].max"},
    {WITH("{name: p, type: number, min: 1, max: 0}", M), "columns[1].max"},
    {WITH("{name: p, type: number, labels: [a]}", M), "columns[1].labels"},
    {WITH("{name: p, type: label, min: 0}", M), "columns[1].min"},
    {WITH("{name: p, type: label, labels: [a, a]}", M), "columns[1].labels"},
    {WITH("{name: p, type: label}", M), "metrics[1].from"},
    {WITH(P, "{name: x, as: auroc, truth: y, positive: a, from: q}"), "metrics[1].from"},
    {WITH(P, "{name: x, as: auroc, truth: y, from: p}"), "metrics[1].positive"},
    {WITH(P, "{name: x, as: auroc, positive: a, from: p}"), "metrics[1].truth"},
    {WITH(P, "{name: x, as: auroc, truth: id, positive: a, from: p}"), "metrics[1].truth"},
    {WITH(P, "{name: x, as: auroc, truth: y, positive: a, from: p, threshold: 1}"), "metrics[1].threshold"},
    {WITH(P, "{name: x, as: accuracy, truth: y, positive: a, from: p}"), "metrics[1].threshold"},
    {WITH(P, M ", " M), "metrics[2].name"},
/* families, sums, missing values */
#define F "{name: f, of: [a, b], type: number, min: 0, max: 1, sum: 1}"
#define L "{name: l, type: label, labels: [a, b]}"
    {WITH("{name: p, type: number, of: [a]}", M), "columns[1].of"},
    {WITH("{name: p, type: number, of: [a, a]}", M), "columns[1].of"},
    {WITH("{name: p, type: number, of: [p, a]}", M), "columns[1].of"},
    {WITH("{name: p, type: number, of: [id, a]}", M), "columns[1].of"},
    {WITH(F ", {name: b, type: number}", M), "columns[2].name"},
    {WITH("{name: p, type: number, sum: 1}", M), "columns[1].sum"},
    {WITH("{name: p, type: number, of: [a, b], within: 1}", M), "columns[1].within"},
    {WITH("{name: p, type: number, of: [a, b], sum: 1, within: -1}", M), "columns[1].within"},
    {WITH("{name: p, type: label, of: [a, b], sum: 1}", M), "columns[1].sum"},
    {WITH("{name: p, type: number, of: [a, b], sum: 1, missing: 0}", M), "columns[1].missing"},
    {WITH("{name: p, type: number, min: 1, missing: 0}", M), "columns[1].missing"},
    {WITH("{name: p, type: integer, missing: 0.5}", M), "columns[1].missing"},
    {WITH("{name: p, type: integer, min: 0.1, max: 0.9}", M), "columns[1].max"},
    {WITH("{name: l, type: label, labels: [a, b], missing: c}", M), "columns[1].missing"},
    /* every kind of metric and what it needs */
    {WITH(P, "{name: x, as: area, truth: y, from: p}"), "metrics[1].as"},
    {WITH(P ", " L, "{name: x, as: auroc, truth: y, positive: a, from: l}"), "metrics[1].from"},
    {WITH(F, "{name: x, as: mae, truth: y, from: f}"), "metrics[1].from"},
    {WITH(P, "{name: x, as: top-k, k: 1, truth: y, from: p}"), "metrics[1].from"},
    {WITH(F, "{name: x, as: top-k, truth: y, from: f}"), "metrics[1].k"},
    {WITH(F, "{name: x, as: top-k, k: 3, truth: y, from: f}"), "metrics[1].k"},
    {WITH(F, "{name: x, as: top-k, k: 0, truth: y, from: f}"), "metrics[1].k"},
    {WITH(P, "{name: x, as: mae, truth: y, from: p, k: 1}"), "metrics[1].k"},
    {WITH(P, "{name: x, as: mae, from: p}"), "metrics[1].truth"},
    {WITH(P, "{name: x, as: mean, truth: y, from: p}"), "metrics[1].truth"},
    {WITH(P, "{name: x, as: mae, truth: y, from: p, event: e}"), "metrics[1].event"},
    {WITH(P, "{name: x, as: concordance, truth: y, from: p}"), "metrics[1].event"},
    {WITH(P, "{name: x, as: concordance, truth: y, event: id, from: p}"), "metrics[1].event"},
    {WITH(P, "{name: x, as: mae, truth: y, from: p, average: macro}"), "metrics[1].average"},
    {WITH(F, "{name: x, as: auroc, truth: y, from: f, average: micro}"), "metrics[1].average"},
    {WITH(L, "{name: x, as: f1, truth: y, from: l}"), "metrics[1].average"},
    {WITH(L, "{name: x, as: f1, truth: y, from: l, average: ovo-macro, positive: a}"), "metrics[1].average"},
    {WITH(L, "{name: x, as: f1, truth: y, from: l, average: binary}"), "metrics[1].positive"},
    {WITH(L, "{name: x, as: f1, truth: y, from: l, average: macro, positive: a}"), "metrics[1].positive"},
    {WITH(L, "{name: x, as: specificity, truth: y, from: l}"), "metrics[1].positive"},
    {WITH(L, "{name: x, as: mcc, truth: y, from: l, positive: a}"), "metrics[1].positive"},
    {WITH(P, "{name: x, as: mcc, truth: y, from: p, positive: a}"), "metrics[1].threshold"},
    {WITH(L, "{name: x, as: mcc, truth: y, from: l, weights: linear}"), "metrics[1].weights"},
    {WITH(L, "{name: x, as: kappa, truth: y, from: l, weights: cubic}"), "metrics[1].weights"},
    {WITH("{name: l, type: label}", "{name: x, as: kappa, truth: y, from: l, weights: linear}"),
	"metrics[1].weights"},
    {WITH(P, "{name: x, as: brier, truth: y, positive: a, from: p}"), "metrics[1].from"},
    {WITH(
	 "{name: f, type: number, of: [a, b], min: 0, max: 1}", "{name: x, as: log-loss, truth: y, from: f}"),
	"metrics[1].from"},
    {WITH(P, "{name: x, as: rmsle, truth: y, from: p}"), "metrics[1].from"},
    {WITH(P, "{name: x, as: ndcg@k, k: 3, truth: y, from: p}"), "metrics[1].of"},
    {WITH(P, "{name: x, as: mae, truth: y, from: p, of: q}"), "metrics[1].of"},
    {WITH(P, "{name: x, as: pass@k, k: 1, from: p, of: p}"), "metrics[1].of"},
    {WITH(P ", {name: n, type: integer, max: 9}", "{name: x, as: pass@k, k: 1, from: p, of: n}"),
	"metrics[1].from"},
    {WITH(P, "{name: x, as: mean, from: p, better: more}"), "metrics[1].better"},
    {WITH(P, "{name: x, as: mae, truth: y, from: p, better: higher}"), "metrics[1].better"},
    {WITH(P, "{name: x, as: mean, from: p, ci: 100}"), "metrics[1].ci"},
    {WITH(P, "{name: x, as: mean, from: p, ci: 0.95}"), "metrics[1].ci"},
    {WITH(P, "{name: x, as: mean, from: p, min-group: 2}"), "metrics[1].min-group"},
    {WITH(P, "{name: x, as: mean, from: p, take: worst}"), "metrics[1].take"},
    {WITH(P, "{name: x, as: mean, from: p, by: h, take: best}"), "metrics[1].take"},
    {WITH(P, "{name: x, as: mean, from: p, by: h, min-group: 0}"), "metrics[1].min-group"},
    {WITH(P, "{name: x, as: mean, from: p, by: h, take: mean, ci: 95}"), "metrics[1].ci"},
    {WITH(P, "{name: x, as: mae, truth: y, from: p, by: y}"), "metrics[1].by"},
    {NAME REST "columns: [" P "]\nmetrics: []\n" SELFCHECK, "metrics"},
    /* self-check */
    {NAME REST COLUMNS METRICS, "selfcheck"},
#define SELF(item) NAME REST COLUMNS METRICS "selfcheck: [" item "]\n"
    {SELF("{table: a.csv}"), "selfcheck[1]"},
    {SELF("{verdict: TABLE_FORMAT}"), "selfcheck[1]"},
    {SELF("{table: a.csv, verdict: SCORED}"), "selfcheck[1].verdict"},
    {SELF("{table: a.csv, verdict: NONSENSE}"), "selfcheck[1].verdict"},
    {SELF("{table: a.csv, expect: [{metric: F1, value: \"1\"}]}"), "selfcheck[1].expect[1].metric"},
    {SELF("{table: a.csv, expect: [{metric: AUROC, value: 1e-1}]}"), "selfcheck[1].expect[1].value"},
    {SELF("{table: a.csv, expect: [{metric: AUROC, value: \"1\", within: -1}]}"),
	"selfcheck[1].expect[1].within"},
    /* keys of the format that this build cannot honour */
    {"method: sealed-execution@1.0.0\n" GOOD, "cannot honour yet: method"},
    {NAME "submission: files\nimage: r@sha256:00\ninput: [{path: a, at: /input}]\nid: [id]\ntruth: "
	  "t.csv\noutput: "
	  "{table: o.csv}\n" COLUMNS METRICS SELFCHECK,
	"submission: files, image"},
    {PLACES("{path: a, at: /input}", "t.csv", "files: [\"m/{case}.gz\"]", ""), "output.files"},
    {GOOD "scorer: {image: r, table: c.csv, command: [a], limits: {memory: 1GiB}}\n", "scorer"},
    {GOOD "board: {take: last, attempts: 1}\n", "board"},
    {GOOD "limits: {gpus: 1}\n", "limits.gpus"},
    {SELF(
	 "{submission: s, expect: [{metric: AUROC, value: \"1\"}]}, {files: f, verdict: OUTPUT_NOT_REGULAR}"),
	"selfcheck[1].submission, selfcheck[2].files"},
};

static void test_refusals(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		struct task t;
		struct fault f;
		if (parse(refusals[i].text, &t, &f) == 0) {
			task_free(&t);
			fail_msg("refusal %zu was taken: %s", i, refusals[i].says);
		}
		if (f.verdict != VERDICT_TASK_INVALID || !strstr(f.what, refusals[i].says))
			fail_msg("refusal %zu: expected \"%s\" in: %s", i, refusals[i].says, f.what);
		/* A value that was written has a line; the scratch tree /tmp is a default. */
		if (strstr(f.what, ": \"") && !strstr(f.what, "(line ") && !strstr(f.what, "\"/tmp\""))
			fail_msg("refusal %zu has no line: %s", i, f.what);
		assert_null(t.memory);
	}
}

static void test_size_and_nul(void **state)
{
	(void)state;
	struct task t;
	struct fault f;
	size_t n = (256 << 10) + 1;
	char *text = malloc(n);
	assert_non_null(text);
	memset(text, '\n', n);
	memcpy(text, GOOD, sizeof GOOD - 1);
	assert_int_equal(task_parse("x", text, n, &t, &f), -1);
	assert_non_null(strstr(f.what, "256KiB"));
	assert_int_equal(task_parse("x", text, n - 1, &t, &f), 0);
	task_free(&t);
	text[sizeof GOOD + 3] = '\0';
	assert_int_equal(task_parse("x", text, n - 1, &t, &f), -1);
	assert_non_null(strstr(f.what, "NUL"));
	free(text);
}

static void write_file(const char *folder, const char *name, const char *text)
{
	char path[256];
	(void)snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void test_selfcheck(void **state)
{
	(void)state;
	char folder[] = "/tmp/test_host_task.XXXXXX";
	const char *files[] = {"task.yaml", "good.csv", "twice.csv", "truth/truth.csv"};
	struct task t;
	struct fault f;
	size_t items = 0;
	char path[256];

	assert_non_null(mkdtemp(folder));
	(void)snprintf(path, sizeof path, "%s/truth", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	write_file(folder, "task.yaml", GOOD);
	write_file(folder, "truth/truth.csv", "id,y,z\n1,1,a\n2,1,a\n3,0,b\n4,0,b\n");
	write_file(folder, "good.csv", "id,p,kind\n1,0.9,a\n2,0.5,a\n3,0.5,b\n4,0.1,b\n");
	write_file(folder, "twice.csv", "id,p,kind\n1,0.9,a\n1,0.5,a\n3,0.5,b\n4,0.1,b\n");
	if (task_load(folder, &t, &f) < 0)
		fail_msg("%s", f.what);
	if (task_selfcheck(&t, &items, &f) < 0)
		fail_msg("%s", f.what);
	assert_int_equal(items, 2);

	write_file(folder, "good.csv", "id,p,kind\n1,0.9,a\n2,0.4,a\n3,0.5,b\n4,0.1,b\n");
	assert_int_equal(task_selfcheck(&t, &items, &f), -1);
	assert_int_equal(f.verdict, VERDICT_SELFCHECK_FAILED);
	assert_string_equal(f.what, "good.csv: AUROC expected 0.875, got 0.750");
	assert_non_null(strstr(f.more, "good.csv: accuracy expected 0.7 within 0.06, got 0.500"));
	assert_int_equal(items, 1);

	write_file(folder, "good.csv", "id,p,kind\n1,0.9,a\n2,0.5,a\n3,0.5,b\n4,0.1,b\n");
	write_file(folder, "twice.csv", "id,p,kind\n1,0.9,a\n2,0.5,a\n3,0.5,b\n");
	assert_int_equal(task_selfcheck(&t, &items, &f), -1);
	assert_int_equal(f.verdict, VERDICT_SELFCHECK_FAILED);
	assert_non_null(strstr(f.what, "expected TABLE_DUPLICATE, got TABLE_MISSING"));
	assert_int_equal(items, 1);

	write_file(folder, "truth/truth.csv", "id,y\n1,1\n");
	assert_int_equal(task_selfcheck(&t, &items, &f), -1);
	assert_int_equal(f.verdict, VERDICT_TASK_INVALID);
	task_free(&t);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		(void)snprintf(path, sizeof path, "%s/%s", folder, files[i]);
		assert_int_equal(unlink(path), 0);
	}
	assert_int_equal(task_load(folder, &t, &f), -1);
	assert_int_equal(f.verdict, VERDICT_TASK_INVALID);
	(void)snprintf(path, sizeof path, "%s/truth", folder);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(rmdir(folder), 0);
	assert_int_equal(task_load(folder, &t, &f), -1);
	assert_int_equal(f.verdict, VERDICT_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_whole),
	    cmocka_unit_test(test_defaults),
	    cmocka_unit_test(test_refusals),
	    cmocka_unit_test(test_size_and_nul),
	    cmocka_unit_test(test_selfcheck),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
