/* The writer of the record. Pure. */
#include "core/record.h"

#include "core/json.h"
#include "wire/limits.h"

static const char *how_name(enum how how)
{
	static const char *const names[] = {"unavailable", "lower-bound", "monitored", "exact"};
	return names[how];
}

static void figure(struct json *j, const char *key, const struct figure *f)
{
	json_open_object(j, key);
	json_number(j, "value", f->how == HOW_UNAVAILABLE ? LIMIT_NONE : f->value);
	json_text(j, "how", how_name(f->how));
	json_close_object(j);
}

static void layers(struct json *j, const struct layers *l)
{
	json_open_array(j, "layers");
	for (unsigned i = 0; i < LAYER_END; i++) {
		json_open_object(j, NULL);
		json_text(j, "name", layer_name((enum layer)i));
		json_text(j, "state", layer_state_name((enum layer_state)l->state[i]));
		json_text(j, "how", l->how[i]);
		json_close_object(j);
	}
	json_close_array(j);
}

static void ending(struct json *j, const struct ending *e)
{
	if (e->kind == ENDING_NONE) {
		json_null(j, "exit");
		return;
	}
	json_open_object(j, "exit");
	json_signed(j, e->kind == ENDING_CODE ? "code" : "signal", e->value);
	json_close_object(j);
}

static void cause(struct json *j, const struct cause *c)
{
	json_open_object(j, "cause");
	json_text(j, "verdict", verdict_name(c->verdict));
	json_number(j, "limit", c->limit);
	json_number(j, "observed", c->observed);
	json_text(j, "unit", c->unit);
	json_number(j, "at_ms", c->at_ms);
	json_bool(j, "by_init", c->by_init);
	json_text(j, "proof", c->proof);
	json_close_object(j);
}

static void usage(struct json *j, const struct usage *u)
{
	json_open_object(j, "usage");
	figure(j, "wall_ms", &u->wall_ms);
	figure(j, "cpu_ms", &u->cpu_ms);
	figure(j, "memory_peak", &u->memory_peak);
	figure(j, "processes_peak", &u->processes_peak);
	figure(j, "output_bytes", &u->output_bytes);
	figure(j, "output_files", &u->output_files);
	json_close_object(j);
}

static void logs(struct json *j, const struct log_usage *l)
{
	static const char *const names[] = {"stdout", "stderr"};

	if (!l) {
		json_null(j, "logs");
		return;
	}
	json_open_object(j, "logs");
	for (int i = 0; i < 2; i++) {
		json_open_object(j, names[i]);
		json_number(j, "bytes", l[i].bytes);
		json_number(j, "kept", l[i].kept);
		json_number(j, "dropped", l[i].dropped);
		json_close_object(j);
	}
	json_close_object(j);
}

long record_write(const struct record *r, char *buffer, size_t capacity)
{
	struct json j;

	json_start(&j, buffer, capacity);
	json_open_object(&j, NULL);
	json_text(&j, "run", r->run && r->run[0] ? r->run : NULL);
	json_text(&j, "init", r->version);
	if (r->facts)
		facts_write(&j, "facts", r->facts);
	else
		json_null(&j, "facts");
	layers(&j, r->layers);
	ending(&j, r->ending);
	cause(&j, r->cause);
	usage(&j, r->usage);
	logs(&j, r->logs);
	if (r->denied)
		ledger_write(&j, "denied", r->denied);
	else
		json_null(&j, "denied");
	json_number(&j, "survivors", r->survivors);
	json_open_object(&j, "output");
	json_number(&j, "bytes", r->usage->output_bytes.value);
	json_number(&j, "files", r->usage->output_files.value);
	json_text(&j, "how", how_name(r->usage->output_bytes.how));
	json_close_object(&j);
	if (r->usage->scratch_full)
		json_bool(&j, "scratch_full", true);
	if (!r->authenticated)
		json_bool(&j, "authenticated", false);
	json_close_object(&j);
	return json_finish(&j);
}
