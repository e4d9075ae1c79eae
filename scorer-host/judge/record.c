/*
 * Reads init's record out of JSON, strictly. The bytes came under the run's key, but a reader that forgives is a reader
 * that somebody will find a use for: an unknown key, a missing one, another type or a number out of range is refused.
 */
#include "judge/record.h"

#include <string.h>

#include "judge/run.h"
#include "wire/frame.h"
#include "wire/limits.h"

json_t *payload_parse(const void *bytes, size_t n, struct fault *fault)
{
	json_error_t error;
	json_t *root = json_loadb(bytes, n, JSON_REJECT_DUPLICATES, &error);

	if (!root)
		fault_set(fault, VERDICT_RECORD_INVALID, "what init sent is not JSON: %s (byte %d)",
		    error.text, error.position);
	else if (!json_is_object(root)) {
		fault_set(fault, VERDICT_RECORD_INVALID, "what init sent is JSON, but no object");
		json_decref(root);
		root = NULL;
	}
	return root;
}

static int invalid(struct fault *fault, const char *where, const char *key, const char *expected)
{
	(void)fault_set(fault, VERDICT_RECORD_INVALID, "the record's %s%s%s is not %s", where,
	    *where ? "." : "", key, expected);
	return -1;
}

/* Exactly these keys: as many as named, and each of the named ones there. */
static int keys(
    const json_t *object, const char *where, const char *const *names, size_t count, struct fault *fault)
{
	if (!json_is_object(object))
		return fault_set(fault, VERDICT_RECORD_INVALID, "the record's %s is no object", where);
	for (size_t i = 0; i < count; i++)
		if (!json_object_get(object, names[i]))
			return fault_set(
			    fault, VERDICT_RECORD_INVALID, "the record's %s has no %s", where, names[i]);
	if (json_object_size(object) != count)
		return fault_set(
		    fault, VERDICT_RECORD_INVALID, "the record's %s has a key that is not known", where);
	return 0;
}
#define KEYS(object, where, fault, ...) \
	keys(object, where, (const char *const[]){__VA_ARGS__}, \
	    sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *), fault)

static int number(const json_t *object, const char *where, const char *key, bool nullable, uint64_t *out,
    struct fault *fault)
{
	const json_t *v = json_object_get(object, key);

	*out = LIMIT_NONE;
	if (nullable && json_is_null(v))
		return 0;
	if (!json_is_integer(v) || json_integer_value(v) < 0)
		return invalid(fault, where, key, nullable ? "a count or null" : "a count");
	*out = (uint64_t)json_integer_value(v);
	return 0;
}

static int text(const json_t *object, const char *where, const char *key, bool nullable, size_t most,
    const char **out, struct fault *fault)
{
	const json_t *v = json_object_get(object, key);

	*out = NULL;
	if (nullable && json_is_null(v))
		return 0;
	if (!json_is_string(v) || json_string_length(v) > most)
		return invalid(fault, where, key, "a short text");
	*out = json_string_value(v);
	return 0;
}

const char *how_name(enum how how)
{
	static const char *const names[] = {"unavailable", "lower-bound", "monitored", "exact"};
	return (unsigned)how < sizeof names / sizeof *names ? names[how] : names[0];
}

static int how_read(const json_t *object, const char *where, enum how *out, struct fault *fault)
{
	const char *name;

	if (text(object, where, "how", false, 16, &name, fault) < 0)
		return -1;
	for (int h = HOW_UNAVAILABLE; h <= HOW_EXACT; h++)
		if (strcmp(name, how_name((enum how)h)) == 0) {
			*out = (enum how)h;
			return 0;
		}
	return invalid(fault, where, "how", "a word of the protocol");
}

static int layers(const json_t *array, enum layer_state state[LAYER_END], struct fault *fault)
{
	if (!json_is_array(array) || json_array_size(array) != LAYER_END)
		return fault_set(fault, VERDICT_RECORD_INVALID,
		    "the record's layers are not the %d known ones", LAYER_END);
	for (unsigned l = 0; l < LAYER_END; l++) {
		const json_t *row = json_array_get(array, l);
		const char *name, *word, *how;
		unsigned s = STATE_OFF;
		if (KEYS(row, "layers", fault, "name", "state", "how") < 0 ||
		    text(row, "layers", "name", false, 32, &name, fault) < 0 ||
		    text(row, "layers", "state", false, 32, &word, fault) < 0 ||
		    text(row, "layers", "how", true, 256, &how, fault) < 0)
			return -1;
		if (strcmp(name, layer_name((enum layer)l)) != 0)
			return invalid(fault, "layers", name, "at its place");
		while (s <= STATE_ENFORCED && strcmp(word, layer_state_name((enum layer_state)s)) != 0)
			s++;
		if (s > STATE_ENFORCED)
			return invalid(fault, "layers", name, "in a state of the protocol");
		state[l] = (enum layer_state)s;
	}
	return 0;
}

static int ended(const json_t *exit, struct record *r, struct fault *fault)
{
	uint64_t status;

	if (json_is_null(exit))
		return 0;
	if (json_object_get(exit, "code")) {
		if (KEYS(exit, "exit", fault, "code") < 0 ||
		    number(exit, "exit", "code", false, &status, fault) < 0)
			return -1;
		r->exited = true;
	} else {
		if (KEYS(exit, "exit", fault, "signal") < 0 ||
		    number(exit, "exit", "signal", false, &status, fault) < 0)
			return -1;
		r->signalled = true;
	}
	if (status > (r->exited ? 255 : 64) || (r->signalled && status == 0))
		return invalid(fault, "exit", r->exited ? "code" : "signal", "in range");
	r->status = (unsigned)status;
	return 0;
}

/* What init may say at all, and whether it must be its own decision. */
static bool init_may_say(enum verdict v, bool by_init)
{
	/* NOLINTNEXTLINE: everything else is not init's to say */
	switch ((int)v) {
	case VERDICT_NONE:
	case VERDICT_EXEC_NOT_FOUND:
	case VERDICT_EXEC_DENIED:
	case VERDICT_EXIT_NONZERO:
	case VERDICT_SIGNALED:
	case VERDICT_MEMORY:
	case VERDICT_PROCESSES:
	case VERDICT_REQUIRE_UNMET:
	case VERDICT_INIT_FAULT:
	case VERDICT_CANCELLED:
		return true;
	case VERDICT_WALL_TIME:
	case VERDICT_CPU_TIME:
	case VERDICT_OUTPUT_BYTES:
	case VERDICT_OUTPUT_FILES:
	case VERDICT_SCRATCH_BYTES:
	case VERDICT_LOG_BYTES:
	case VERDICT_FORBIDDEN_SYSCALL:
		return by_init;
	default:
		return false;
	}
}

static int cause(const json_t *object, struct record *r, struct fault *fault)
{
	const char *verdict;
	const json_t *by_init;

	if (KEYS(object, "cause", fault, "verdict", "limit", "observed", "unit", "at_ms", "by_init",
		"proof") < 0 ||
	    text(object, "cause", "verdict", true, 32, &verdict, fault) < 0 ||
	    number(object, "cause", "limit", true, &r->limit, fault) < 0 ||
	    number(object, "cause", "observed", true, &r->observed, fault) < 0 ||
	    text(object, "cause", "unit", true, 8, &r->unit, fault) < 0 ||
	    number(object, "cause", "at_ms", true, &r->at_ms, fault) < 0 ||
	    text(object, "cause", "proof", true, 512, &r->proof, fault) < 0)
		return -1;
	by_init = json_object_get(object, "by_init");
	if (!json_is_boolean(by_init))
		return invalid(fault, "cause", "by_init", "true or false");
	r->by_init = json_is_true(by_init);
	r->verdict = verdict ? verdict_from_name(verdict) : VERDICT_NONE;
	if ((verdict && r->verdict == VERDICT_NONE) || !init_may_say(r->verdict, r->by_init))
		return invalid(fault, "cause", "verdict", "one that init may give");
	if ((r->verdict == VERDICT_NONE && !(r->exited && r->status == 0)) ||
	    (r->verdict == VERDICT_EXIT_NONZERO && !(r->exited && r->status != 0)) ||
	    (r->verdict == VERDICT_SIGNALED && !r->signalled))
		return invalid(fault, "cause", "verdict", "what its exit says");
	return 0;
}

static int figures(const json_t *usage, const json_t *logs, struct record *r, struct fault *fault)
{
	static const char *const names[USAGE_END] = {
	    "wall_ms", "cpu_ms", "memory_peak", "processes_peak", "output_bytes", "output_files"};
	static const char *const streams[2] = {"stdout", "stderr"};

	if (keys(usage, "usage", names, USAGE_END, fault) < 0 || keys(logs, "logs", streams, 2, fault) < 0)
		return -1;
	for (int u = 0; u < USAGE_END; u++) {
		const json_t *row = json_object_get(usage, names[u]);
		if (KEYS(row, names[u], fault, "value", "how") < 0 ||
		    number(row, names[u], "value", true, &r->usage[u].value, fault) < 0 ||
		    how_read(row, names[u], &r->usage[u].how, fault) < 0)
			return -1;
		if ((r->usage[u].value == LIMIT_NONE) != (r->usage[u].how == HOW_UNAVAILABLE))
			return invalid(fault, names[u], "value", "what its how says");
	}
	for (int s = 0; s < 2; s++) {
		const json_t *row = json_object_get(logs, streams[s]);
		if (KEYS(row, streams[s], fault, "bytes", "kept", "dropped") < 0 ||
		    number(row, streams[s], "bytes", false, &r->log[s].bytes, fault) < 0 ||
		    number(row, streams[s], "kept", false, &r->log[s].kept, fault) < 0 ||
		    number(row, streams[s], "dropped", false, &r->log[s].dropped, fault) < 0)
			return -1;
		if (r->log[s].kept > r->log[s].bytes || r->log[s].bytes - r->log[s].kept != r->log[s].dropped)
			return invalid(fault, streams[s], "bytes", "kept and dropped together");
	}
	return 0;
}

static int denials(const json_t *array, struct record *r, struct fault *fault)
{
	size_t i;
	const json_t *row;

	if (json_is_null(array))
		return 0;
	if (!json_is_array(array) || json_array_size(array) > RECORD_DENIALS)
		return fault_set(fault, VERDICT_RECORD_INVALID,
		    "the record's denied is no list of at most %d", RECORD_DENIALS);
	r->denials_counted = true;
	json_array_foreach(array, i, row)
	{
		const char *call, *arg;
		uint64_t count, first;
		if (KEYS(row, "denied", fault, "call", "arg", "count", "first_ms") < 0 ||
		    text(row, "denied", "call", false, 64, &call, fault) < 0 ||
		    text(row, "denied", "arg", true, 64, &arg, fault) < 0 ||
		    number(row, "denied", "count", false, &count, fault) < 0 ||
		    number(row, "denied", "first_ms", false, &first, fault) < 0)
			return -1;
		/* Saturating: two counters at their end must not add up to a small one. */
		if (strcmp(call, "socket") == 0)
			r->network_denials =
			    count > LIMIT_HOST - r->network_denials ? LIMIT_HOST : r->network_denials + count;
	}
	return 0;
}

static int output(const json_t *object, struct record *r, struct fault *fault)
{
	uint64_t bytes, files;
	if (KEYS(object, "output", fault, "bytes", "files", "how") < 0 ||
	    number(object, "output", "bytes", true, &bytes, fault) < 0 ||
	    number(object, "output", "files", true, &files, fault) < 0 ||
	    how_read(object, "output", &r->output_how, fault) < 0)
		return -1;
	if ((r->usage[USAGE_OUTPUT_BYTES].how != HOW_UNAVAILABLE &&
		bytes != r->usage[USAGE_OUTPUT_BYTES].value) ||
	    (r->usage[USAGE_OUTPUT_FILES].how != HOW_UNAVAILABLE &&
		files != r->usage[USAGE_OUTPUT_FILES].value))
		return invalid(fault, "", "output", "what its usage says");
	return 0;
}

int record_read(const json_t *root, struct record *r, struct fault *fault)
{
	const json_t *full = json_object_get(root, "scratch_full");

	memset(r, 0, sizeof *r);
	/* The one key that is there only when it has something to say. */
	if (full && !json_is_true(full))
		return invalid(fault, "", "scratch_full", "true");
	r->scratch_full = full != NULL;
	if ((full ? KEYS(root, "", fault, "run", "init", "facts", "layers", "exit", "cause", "usage", "logs",
			"denied", "survivors", "output", "scratch_full")
		  : KEYS(root, "", fault, "run", "init", "facts", "layers", "exit", "cause", "usage", "logs",
			"denied", "survivors", "output")) < 0)
		return -1;
	r->facts = json_object_get(root, "facts");
	if (!json_is_object(r->facts))
		return invalid(fault, "", "facts", "an object");
	if (text(root, "", "run", false, RUN_ID_MAX, &r->run, fault) < 0 ||
	    text(root, "", "init", false, 64, &r->init, fault) < 0 ||
	    layers(json_object_get(root, "layers"), r->layer, fault) < 0 ||
	    ended(json_object_get(root, "exit"), r, fault) < 0 ||
	    cause(json_object_get(root, "cause"), r, fault) < 0 ||
	    figures(json_object_get(root, "usage"), json_object_get(root, "logs"), r, fault) < 0 ||
	    denials(json_object_get(root, "denied"), r, fault) < 0 ||
	    number(root, "", "survivors", false, &r->survivors, fault) < 0)
		return -1;
	return output(json_object_get(root, "output"), r, fault);
}

unsigned record_notes(const struct record *r)
{
	unsigned notes = 0;
	if (r->network_denials > 0)
		notes |= NOTE_NETWORK_DENIED;
	if (r->survivors > 0)
		notes |= NOTE_SURVIVORS;
	if (r->log[0].dropped > 0 || r->log[1].dropped > 0)
		notes |= NOTE_LOG_TRUNCATED;
	if (r->scratch_full)
		notes |= NOTE_SCRATCH_FULL;
	return notes;
}
