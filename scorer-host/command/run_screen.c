/* The block on stdout: verdict first, what it means in numbers, what the participant is told, where the evidence lies. */
#include <inttypes.h>
#include <string.h>

#include "command/run.h"
#include "command/tell.h"
#include "evidence/evidence.h"
#include "judge/metric.h"
#include "judge/record.h"

enum { NAME = TELL_LABEL };

static void line(FILE *out, const char *name, const char *text)
{
	tell_line(out, name, text);
}

/* Which group it is; its name comes from the truth, and is shown as far as it is plain. */
static void group(FILE *out, const char *by, const struct score_group *g)
{
	(void)fprintf(out, "   (%s ", by);
	for (const unsigned char *p = (const unsigned char *)g->name; *p; p++)
		(void)(*p < 0x20 || *p >= 0x7f ? fprintf(out, "\\x%02x", *p) : fputc(*p, out));
	(void)fprintf(out, ", %" PRIu64 " rows)", g->n);
}

static void metrics(const struct run *run, FILE *out)
{
	const struct task *t = run->task;
	size_t width = NAME - 2;

	for (size_t i = 0; i < t->metric_count; i++)
		width = strlen(t->metric[i].name) > width ? strlen(t->metric[i].name) : width;
	for (size_t i = 0; run->have_score && i < t->metric_count && i < SCORE_METRICS; i++) {
		const struct score_metric *m = &run->score.metric[i];
		if (m->why)
			(void)fprintf(out, "  %-*s  undefined: %s\n", (int)width, t->metric[i].name,
			    metric_why_text(m->why));
		else
			(void)fprintf(out, "  %-*s  %.4f", (int)width, t->metric[i].name, m->value);
		if (!m->why && m->resamples)
			(void)fprintf(out, "   (%g %% %.4f–%.4f)", t->metric[i].ci, m->low, m->high);
		if (!m->why && t->metric[i].take == TAKE_WORST && m->worst < SCORE_GROUPS)
			group(out, t->metric[i].by, &run->score.group[m->worst]);
		if (!m->why)
			(void)fputc('\n', out);
	}
}

/* "; state: a, b" for the layers of that state. Their number. */
static size_t layers_of(
    const struct record *r, enum layer_state state, const char *name, char *text, size_t room)
{
	size_t count = 0, n = strlen(text);

	for (unsigned layer = 0; layer < LAYER_END; layer++)
		if (r->layer[layer] == state) {
			n += (size_t)snprintf(text + n, room - n, "%s%s%s%s", count ? ", " : "; ",
			    count ? "" : name, count ? "" : ": ", layer_name((enum layer)layer));
			count++;
		}
	return count;
}

/* How many layers hold, and by name only those that do not, or not in full. `show` lists all. */
static void sealed(const struct run *run, FILE *out)
{
	struct record record;
	struct fault fault;
	char weaker[1024] = "", text[1200];
	size_t weak, asked;

	if (!run->stage.record || record_read(run->stage.record, &record, &fault) < 0)
		return;
	weak = layers_of(&record, STATE_BEST_EFFORT, "best-effort", weaker, sizeof weaker);
	weak += layers_of(&record, STATE_UNAVAILABLE, "unavailable", weaker, sizeof weaker);
	asked = LAYER_END - layers_of(&record, STATE_OFF, "off", weaker, sizeof weaker);
	if (weak > 0)
		(void)snprintf(text, sizeof text, "%zu of %zu layers%s", asked - weak, asked, weaker);
	else
		(void)snprintf(text, sizeof text, "all %zu layers%s", asked, weaker);
	line(out, "sealed", text);
}

/* Where the candidate's words are, never what they are. */
static void logs(const struct run *run, FILE *out)
{
	static const char *const names[] = {"stdout", "stderr"};

	if (run->stage.log[0].kept + run->stage.log[1].kept == 0)
		line(out, "logs", "it wrote nothing to stdout or stderr");
	for (size_t i = 0; i < 2; i++)
		if (run->stage.log[i].kept > 0)
			(void)fprintf(out, "  %-*s%s/logs/%s (%" PRIu64 " byte%s)\n", NAME, "logs",
			    run->folder, names[i], run->stage.log[i].kept,
			    run->stage.log[i].kept == 1 ? "" : "s");
}

static void denied(const struct run *run, FILE *out)
{
	const json_t *list = json_object_get(run->stage.record, "denied"), *item;
	size_t i;

	json_array_foreach(list, i, item)
	{
		const char *call = json_string_value(json_object_get(item, "call"));
		const char *arg = json_string_value(json_object_get(item, "arg"));
		uint64_t count = (uint64_t)json_integer_value(json_object_get(item, "count"));
		uint64_t first = (uint64_t)json_integer_value(json_object_get(item, "first_ms"));
		if (call && strncmp(call, "socket", 6) == 0)
			(void)fprintf(out,
			    "  %-*snetwork-denied: %s(%s) refused %" PRIu64 " time%s, first at %" PRIu64
			    ".%" PRIu64 "s\n",
			    NAME, "note", call, arg ? arg : "", count, count == 1 ? "" : "s", first / 1000,
			    first / 100 % 10);
	}
}

static void notes(const struct run *run, FILE *out)
{
	char text[256];
	uint64_t survivors = (uint64_t)json_integer_value(json_object_get(run->stage.record, "survivors"));

	if (run->notes & NOTE_NETWORK_DENIED)
		denied(run, out);
	if (run->notes & NOTE_BOM)
		line(out, "note", "bom: the table begins with a UTF-8 byte order mark");
	if (run->notes & NOTE_SURVIVORS) {
		(void)snprintf(text, sizeof text,
		    "survivors: %" PRIu64 " process%s left when the main one ended, and killed", survivors,
		    survivors == 1 ? " was" : "es were");
		line(out, "note", text);
	}
	if (run->notes & NOTE_LOG_TRUNCATED) {
		(void)snprintf(text, sizeof text,
		    "log-truncated: %" PRIu64 " bytes of stdout and %" PRIu64 " of stderr were dropped",
		    run->stage.log[0].dropped, run->stage.log[1].dropped);
		line(out, "note", text);
	}
	if (run->notes & NOTE_REFUSED_FILES) {
		const struct refused *first = &run->stage.refused[0];
		(void)fprintf(out, "  %-*srefused-files: %zu in /output, the first: ", NAME, "note",
		    run->stage.refused_count);
		for (const unsigned char *p = (const unsigned char *)first->path; *p; p++)
			(void)(*p < 0x20 || *p >= 0x7f ? fprintf(out, "\\x%02x", *p) : fputc(*p, out));
		(void)fprintf(out, " (%s)\n", first->kind);
	}
	if (run->notes & NOTE_SCRATCH_FULL)
		line(out, "note", "scratch-full: a scratch tree was full");
}

/* Exactly what participant.json says, in one line. */
static void told(const struct run *run, FILE *out)
{
	json_t *view = participant_json(run);
	const char *verdict = json_string_value(json_object_get(view, "verdict"));
	const json_t *limit = json_object_get(view, "limit");
	const char *name = json_string_value(json_object_get(limit, "name"));
	const char *value = json_string_value(json_object_get(limit, "value"));
	const char *count = json_string_value(json_object_get(view, "count"));

	if (verdict_class(run->fault.verdict) != CLASS_SUBMISSION)
		(void)fputs(
		    "  participant is told: not evaluated yet, not your fault, attempt not counted\n", out);
	else if (verdict)
		(void)fprintf(out, "  participant is told: %s%s%s%s%s%s%s\n", verdict, name ? ", limit " : "",
		    name ? name : "", name && value ? " " : "", name && value ? value : "",
		    count ? ", count " : "", count ? count : "");
	json_decref(view);
}

static void head(const struct running *g, FILE *out)
{
	const struct run *run = &g->run;
	const char *verdict = verdict_name(run->fault.verdict);
	bool infrastructure = verdict_class(run->fault.verdict) == CLASS_INFRASTRUCTURE;

	(void)fprintf(out, "%s   %s", verdict,
	    run->submission ? run->submission
	    : g->begun	    ? run->id
	    : g->table	    ? g->table
	    : g->loaded	    ? g->task.name
			    : g->options.task);
	if (!g->begun && run->score.verdict == VERDICT_NONE) {
		(void)fprintf(out, "   nothing was run%s\n", infrastructure ? ", attempt not counted" : "");
		return;
	}
	if (infrastructure && run->fault.verdict != VERDICT_CANCELLED) {
		(void)fprintf(out, "   at %02" PRIu64 ":%02" PRIu64 " of the run%s\n",
		    run->elapsed_ms / 60000, run->elapsed_ms / 1000 % 60,
		    g->held ? "" : "; attempt not counted");
		return;
	}
	(void)fprintf(out, "   %s %s   %" PRIu64 ".%" PRIu64 "s\n", g->task.name, g->task.version,
	    run->elapsed_ms / 1000, run->elapsed_ms / 100 % 10);
}

void run_screen(const struct running *g, FILE *out)
{
	const struct run *run = &g->run;

	head(g, out);
	if (run->fault.verdict == VERDICT_SCORED)
		metrics(run, out);
	tell_fault(out, &run->fault);
	if (run->fault.verdict == VERDICT_SCORED)
		sealed(run, out);
	notes(run, out);
	if (g->was[0])
		line(out, "rescores", g->was);
	if (run->fault.verdict != VERDICT_SCORED && g->begun)
		told(run, out);
	tell_hint(out, &run->fault);
	if (g->held)
		line(out, "held", "the second such failure: nothing of it runs again without --again");
	if (g->begun) {
		if (run->fault.verdict != VERDICT_SCORED && run->stage.observed.ticketed)
			logs(run, out);
		if (run->fault.verdict == VERDICT_SCORED)
			line(out, "method",
			    "none: the score is provisional, no reviewed method stands behind it");
		line(out, "evidence", run->folder);
	}
}
