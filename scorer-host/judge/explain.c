/* Words for causes. Pure; every figure named here comes from the record or from the host's own readings. */
#include "judge/explain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/words.h"
#include "wire/units.h"

static void add(struct fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct fault *fault, const char *format, ...)
{
	size_t used = strlen(fault->what);
	va_list args;

	if (used > 0 && used + 2 < sizeof fault->what) {
		memcpy(fault->what + used, "; ", 3);
		used += 2;
	}
	va_start(args, format);
	(void)vsnprintf(fault->what + used, sizeof fault->what - used, format, args);
	va_end(args);
}

/* The limit behind a verdict; OPTION_END when there is none. */
static enum option limit_of(enum verdict v)
{
	static const struct {
		enum verdict verdict;
		enum option option;
	} rows[] = {
	    {VERDICT_WALL_TIME, OPTION_WALL_TIME},
	    {VERDICT_CPU_TIME, OPTION_CPU_TIME},
	    {VERDICT_MEMORY, OPTION_MEMORY},
	    {VERDICT_PROCESSES, OPTION_PROCESSES},
	    {VERDICT_OUTPUT_BYTES, OPTION_OUTPUT_BYTES},
	    {VERDICT_OUTPUT_FILES, OPTION_OUTPUT_FILES},
	    {VERDICT_SCRATCH_BYTES, OPTION_SCRATCH_BYTES},
	    {VERDICT_LOG_BYTES, OPTION_LOG_BYTES},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].verdict == v)
			return rows[i].option;
	return OPTION_END;
}

static void name_limit(struct fault *fault, enum option o, uint64_t value)
{
	(void)snprintf(fault->limit_name, sizeof fault->limit_name, "%s", option_table[o].name);
	if (value != LIMIT_NONE)
		unit_format(option_table[o].unit, value, fault->limit_value);
}

static const char *ended(const struct record *r, char out[128])
{
	char number[WORD];
	const char *signal = word_signal(r->status);

	if (r->signalled)
		(void)snprintf(out, 128, "the main process ended with signal %u%s%s%s after %s", r->status,
		    signal ? " (" : "", signal ? signal : "", signal ? ")" : "",
		    word_ms(r->usage[USAGE_WALL_MS].value, number));
	else
		(void)snprintf(out, 128, "the main process exited with code %u after %s", r->status,
		    word_ms(r->usage[USAGE_WALL_MS].value, number));
	return out;
}

/* The moment behind that word in init's proof, "SIGKILL at 62000 ms"; LIMIT_NONE without. */
static uint64_t moment(const char *proof, const char *word)
{
	const char *at = proof ? strstr(proof, word) : NULL;
	return at ? strtoull(at + strlen(word), NULL, 10) : LIMIT_NONE;
}

/* What init did about it and when, and the first part of its proof: what showed it. */
static void stopped(struct fault *fault, const struct record *r)
{
	uint64_t term = moment(r->proof, "SIGTERM at "), end = moment(r->proof, "SIGKILL at ");
	uint64_t wall = r->usage[USAGE_WALL_MS].value;
	char a[WORD], b[WORD], c[WORD];

	if (term != LIMIT_NONE || end != LIMIT_NONE)
		add(fault, "%s%s%s%s%s, gone by %s", term != LIMIT_NONE ? "SIGTERM at " : "",
		    term != LIMIT_NONE ? word_ms(term, a) : "",
		    term != LIMIT_NONE && end != LIMIT_NONE ? ", " : "",
		    end != LIMIT_NONE ? "SIGKILL at " : "", end != LIMIT_NONE ? word_ms(end, b) : "",
		    word_ms(wall, c));
	if (r->proof && r->proof[0])
		(void)fault_more(fault, "seen by", "%.*s", (int)strcspn(r->proof, ";"), r->proof);
}

static void measured(
    struct fault *fault, const struct record *r, const struct stage *stage, uint64_t cpus, enum verdict v)
{
	const struct observed *o = &stage->observed;
	uint64_t seen = r->verdict == v ? r->observed : LIMIT_NONE;
	uint64_t wall = r->usage[USAGE_WALL_MS].value, cpu = r->usage[USAGE_CPU_MS].value;
	char a[WORD], b[WORD], cores[32];

	/* NOLINTNEXTLINE: only limits have something measured */
	switch ((int)v) {
	case VERDICT_WALL_TIME:
		/* In between, a busy host or a small share of a core says as much as the candidate does. */
		(void)fault_more(fault, "it used", "%s of CPU on %s core%s in %s%s", word_ms(cpu, a),
		    unit_format(UNIT_MILLI, cpus, cores), cpus == 1000 ? "" : "s", word_ms(wall, b),
		    wall == LIMIT_NONE || cpu == LIMIT_NONE ? ""
		    : cpu / 3 >= wall / 4		    ? ": it was computing, not waiting"
		    : cpu <= wall / 10			    ? ": it was waiting, not computing"
							    : "");
		break;
	case VERDICT_CPU_TIME:
		(void)fault_more(fault, "it used", "%s of CPU (the run's own counter: %s) in %s",
		    word_ms(seen == LIMIT_NONE ? cpu : seen, a), word_ms(o->cpu_ms, b),
		    word_ms(wall, (char[WORD]){0}));
		break;
	case VERDICT_MEMORY:
		add(fault, "it held %s", word_size(seen, a));
		break;
	case VERDICT_OUTPUT_BYTES:
		add(fault, "the output held %s when it was stopped",
		    word_size(seen == LIMIT_NONE ? o->output_bytes : seen, a));
		break;
	case VERDICT_SCRATCH_BYTES:
		add(fault, "a scratch folder held %s when it was stopped", word_size(seen, a));
		break;
	case VERDICT_LOG_BYTES:
		add(fault, "a stream had %s", word_size(seen, a));
		break;
	case VERDICT_OUTPUT_FILES:
		add(fault, "there were %llu files in the output",
		    (unsigned long long)(seen == LIMIT_NONE ? o->output_files : seen));
		break;
	case VERDICT_PROCESSES:
		if (seen != LIMIT_NONE)
			add(fault, "there were %llu processes", (unsigned long long)seen);
		if (o->processes_limit_hits != LIMIT_NONE && o->processes_limit_hits > 0)
			add(fault, "the run's own counter: %llu forks refused",
			    (unsigned long long)o->processes_limit_hits);
		break;
	default:
		break;
	}
}

int explain_cause(const struct record *r, const struct stage *stage, const struct task *task, enum verdict v,
    struct fault *fault)
{
	enum option o = limit_of(v);
	const char *program = stage->command && stage->command[0] ? stage->command[0] : "the command";
	char text[128];

	fault_set(fault, v, "%s", "");
	if (o != OPTION_END) {
		uint64_t limit = r->verdict == v && r->limit != LIMIT_NONE ? r->limit : task->limit[o];
		name_limit(fault, o, task->limit[o] != LIMIT_NONE ? task->limit[o] : limit);
		add(fault, "limit %s", fault->limit_value);
		stopped(fault, r);
		measured(fault, r, stage, task->limit[OPTION_CPUS], v);
	} else if (v == VERDICT_EXEC_NOT_FOUND) {
		add(fault, "%s is not in the container", program);
		fault_hint(fault, "the command is the one after --, else the task's command:; an image's own "
				  "CMD and ENTRYPOINT are not known here");
	} else if (v == VERDICT_EXEC_DENIED) {
		add(fault, "%s is there, but cannot be executed", program);
		fault_hint(fault, "is it executable for every user, for this platform, with its interpreter "
				  "in the container?");
	} else if (v == VERDICT_EXIT_NONZERO || v == VERDICT_SIGNALED) {
		add(fault, "%s", ended(r, text));
	} else if (v == VERDICT_CANCELLED) {
		add(fault, "the container was stopped from outside");
	}
	if (o == OPTION_END && r->verdict == v && r->proof && r->proof[0] && v != VERDICT_EXIT_NONZERO &&
	    v != VERDICT_SIGNALED)
		add(fault, "%s", r->proof);
	return -1;
}

int explain_oom(
    const struct record *r, const struct stage *stage, const struct task *task, struct fault *fault)
{
	const struct observed *o = &stage->observed;
	char peak[WORD], text[128];

	fault_set(fault, VERDICT_MEMORY, "%s", "");
	name_limit(fault, OPTION_MEMORY, task->limit[OPTION_MEMORY]);
	add(fault, "limit %s", fault->limit_value);
	add(fault,
	    "the kernel's OOM killer fired %llu time%s in this container, at its own limit (hit %llu times)",
	    (unsigned long long)o->oom_kills, o->oom_kills == 1 ? "" : "s",
	    (unsigned long long)o->memory_limit_hits);
	add(fault, "peak %s", word_size(o->memory_peak, peak));
	if (!r)
		(void)fault_more(fault, "", "no record: %s", stage->crosscheck);
	else if (r->signalled || r->exited)
		(void)fault_more(fault, "", "%s", ended(r, text));
	return -1;
}

int explain_deadline(const struct stage *stage, const struct task *task, struct fault *fault)
{
	char lived[WORD];

	fault_set(fault, VERDICT_WALL_TIME, "%s", "");
	name_limit(fault, OPTION_WALL_TIME, task->limit[OPTION_WALL_TIME]);
	add(fault, "limit %s", fault->limit_value);
	add(fault,
	    "the host's own deadline passed behind it, and the container was killed; it was gone after %s",
	    word_ms(stage->observed.wall_ms, lived));
	(void)fault_more(fault, "", "no record: %s", stage->crosscheck);
	return -1;
}
