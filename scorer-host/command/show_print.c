/* The screens of show. What they print comes from the evidence, where names and texts may be hostile. */
#include <inttypes.h>
#include <string.h>

#include "command/show.h"
#include "evidence/view.h"
#include "judge/record.h"
#include "judge/words.h"
#include "wire/limits.h"

enum { NAME = 10 };

static void line(const char *name, const char *text)
{
	(void)printf("  %-*s", NAME, name);
	home_print(stdout, text);
	(void)printf("\n");
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static void metrics(const json_t *list, int decimals)
{
	size_t width = NAME - 2, i;
	const json_t *metric;

	json_array_foreach(list, i, metric)
	{
		const char *name = text_of(metric, "name");
		width = name && strlen(name) > width ? strlen(name) : width;
	}
	json_array_foreach(list, i, metric)
	{
		const char *name = text_of(metric, "name"), *why = text_of(metric, "undefined");
		const json_t *value = json_object_get(metric, "value");
		(void)printf("  ");
		home_print(stdout, name);
		(void)printf("%*s", (int)(width - (name ? strlen(name) : 1)) + 2, "");
		if (json_is_number(value))
			(void)printf("%.*f\n", decimals, json_number_value(value));
		else
			(void)printf("undefined%s%s\n", why ? ": " : "", why ? why : "");
	}
}

static void sealed(const struct stored *s)
{
	static const char *const order[] = {"enforced", "by-engine", "best-effort", "unavailable"};
	const json_t *layers = json_object_get(stored_stage(s), "layers"), *layer;
	bool begun = false;
	size_t i;

	for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
		unsigned n = 0;
		json_array_foreach(layers, i, layer)
		{
			const char *state = text_of(layer, "state");
			if (!state || strcmp(state, order[k]) != 0)
				continue;
			if (n++ == 0 && !begun)
				(void)printf("  %-*s", NAME, "sealed");
			else
				(void)printf("%s", n == 1 ? " · " : ", ");
			begun = true;
			home_print(stdout, text_of(layer, "name"));
		}
		if (n > 0)
			(void)printf(": %s", order[k]);
	}
	if (begun)
		(void)printf("\n");
}

static void usage_line(const struct stored *s)
{
	const json_t *observed = json_object_get(stored_stage(s), "observed");
	const json_t *wall = json_object_get(observed, "wall_ms"), *cpu = json_object_get(observed, "cpu_ms"),
		     *memory = json_object_get(observed, "memory_peak");
	char a[WORD], b[WORD], c[WORD];

	if (!json_is_integer(wall))
		return;
	(void)printf("  %-*swall %s, cpu %s, memory %s\n", NAME, "used",
	    word_ms((uint64_t)json_integer_value(wall), a),
	    word_ms(json_is_integer(cpu) ? (uint64_t)json_integer_value(cpu) : LIMIT_NONE, b),
	    word_size(json_is_integer(memory) ? (uint64_t)json_integer_value(memory) : LIMIT_NONE, c));
}

static void logs(const struct stored *s, const char *folder)
{
	const json_t *list = json_object_get(stored_stage(s), "logs"), *log;
	size_t i;

	json_array_foreach(list, i, log)
	{
		json_int_t bytes = json_integer_value(json_object_get(log, "bytes"));
		if (bytes == 0)
			continue;
		(void)printf("  %-*s", NAME, "log");
		home_print(stdout, folder);
		(void)printf("/logs/");
		home_print(stdout, text_of(log, "stream"));
		(void)printf("   %" JSON_INTEGER_FORMAT " bytes\n", bytes);
	}
}

/* One line of what the participant sees. */
static void told(const struct stored *s)
{
	const json_t *view = s->participant, *limit = json_object_get(view, "limit");
	const char *parts[] = {text_of(view, "verdict"), limit ? ", limit " : NULL, text_of(limit, "name"),
	    limit ? " " : NULL, text_of(limit, "value"), text_of(view, "count") ? ", count " : NULL,
	    text_of(view, "count")};
	enum verdict_class class = verdict_class(s->verdict);

	(void)printf("  participant is told: ");
	if (class != CLASS_SUBMISSION && class != CLASS_SCORED) {
		(void)printf(NOT_EVALUATED "\n");
		return;
	}
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (parts[i])
			home_print(stdout, parts[i]);
	(void)printf("\n");
}

static void head(const char *verdict, const char *submission, const json_t *task)
{
	home_print(stdout, verdict);
	(void)printf("   ");
	home_print(stdout, submission);
	if (json_is_object(task)) {
		(void)printf("   ");
		home_print(stdout, text_of(task, "name"));
		(void)printf(" ");
		home_print(stdout, text_of(task, "version"));
	}
	(void)printf("\n");
}

void show_operator(const struct shown *w, const struct stored *s)
{
	const json_t *predicate = json_object_get(s->statement, "predicate");
	const char *submission = stored_text(s, "run", "submission"), *id = stored_text(s, "run", "id"),
		   *what = stored_text(s, "verdict", "operator");
	json_t *notes = view_notes(stored_notes(s));
	size_t i;

	head(verdict_name(s->verdict), submission ? submission : id, json_object_get(predicate, "task"));
	if (s->verdict == VERDICT_SCORED)
		metrics(json_object_get(s->score, "metrics"), 4);
	if (what && *what) {
		(void)printf("  ");
		home_print(stdout, what);
		(void)printf("\n");
	}
	sealed(s);
	for (i = 0; i < json_array_size(notes); i++)
		line("note", json_string_value(json_array_get(notes, i)));
	json_decref(notes);
	if (s->verdict != VERDICT_SCORED)
		told(s);
	line("run", id);
	if (stored_text(s, "run", "rescores"))
		line("rescores", stored_text(s, "run", "rescores"));
	line("started", stored_text(s, "run", "started"));
	line("ended", stored_text(s, "run", "ended"));
	if (w->attempt)
		(void)printf("  %-*s%u of this submission%s\n", NAME, "attempt", w->attempt,
		    w->again ? ", repeated by --again" : "");
	usage_line(s);
	logs(s, w->folder);
	(void)printf("  %-*s", NAME, "evidence");
	home_print(stdout, w->folder);
	(void)printf("%s\n", w->key ? "   signed by this home's key" : "   signature not looked at");
}

void show_participant(const struct stored *s)
{
	const json_t *view = s->participant, *list = json_object_get(view, "notes");
	enum verdict_class class = verdict_class(s->verdict);
	const char *verdict = text_of(view, "verdict"), *submission = text_of(view, "submission");
	const json_t *limit = json_object_get(view, "limit"), *metric;
	size_t i;

	if (class != CLASS_SUBMISSION && class != CLASS_SCORED) {
		home_print(stdout, submission ? submission : text_of(view, "run"));
		(void)printf("   " NOT_EVALUATED "\n");
		return;
	}
	head(verdict ? verdict : "evaluated", submission ? submission : text_of(view, "run"),
	    json_object_get(view, "task"));
	json_array_foreach(json_object_get(view, "metrics"), i, metric)
	{
		const char *name = text_of(metric, "name");
		(void)printf("  ");
		home_print(stdout, name);
		(void)printf("%*s", name && strlen(name) < NAME ? NAME - (int)strlen(name) : 2, "");
		/* Rounded already: the fewest digits that read back. */
		if (json_is_number(json_object_get(metric, "value")))
			(void)printf("%.15g\n", json_number_value(json_object_get(metric, "value")));
		else
			(void)printf("undefined\n");
	}
	if (limit) {
		(void)printf("  limit     ");
		home_print(stdout, text_of(limit, "name"));
		(void)printf(" ");
		home_print(stdout, text_of(limit, "value"));
		(void)printf("\n");
	}
	if (text_of(view, "count"))
		line("count", text_of(view, "count"));
	for (i = 0; i < json_array_size(list); i++)
		line("note", json_string_value(json_array_get(list, i)));
}
