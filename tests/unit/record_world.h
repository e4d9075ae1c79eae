/* The clean run of wire_session.h as the cross-check sees it, for tests that spoil one thing of it. For test programs only. */
#ifndef PROCTOR_TEST_RECORD_WORLD_H
#define PROCTOR_TEST_RECORD_WORLD_H

#include "judge/crosscheck.h"
#include "judge/record.h"
#include "wire_session.h"

struct world {
	struct task task;
	struct stage stage;
	char *command[2];
	char name[16];
};

/* The clean run of wire_session.h: exit 0 after 4.1 s. */
static inline void clean(struct world *w)
{
	struct fault fault;

	memset(w, 0, sizeof *w);
	strcpy(w->name, "/bin/model");
	w->command[0] = w->name;
	for (unsigned o = 0; o < OPTION_END; o++)
		w->task.limit[o] = option_table[o].preset;
	w->task.limit[OPTION_WALL_TIME] = 60000;
	w->stage.run = SESSION_RUN;
	w->stage.command = w->command;
	w->stage.facts = payload_parse(SESSION_FACTS, sizeof SESSION_FACTS - 1, &fault);
	w->stage.record = payload_parse(SESSION_RECORD, sizeof SESSION_RECORD - 1, &fault);
	w->stage.log[0] = (struct log_kept){6, 6, 0};
	w->stage.log[1] = (struct log_kept){3, 2, 1};
	w->stage.observed = (struct observed){.created = true,
	    .greeted = true,
	    .ticketed = true,
	    .peer_verified = true,
	    .session_whole = true,
	    .gone = true,
	    .init_intact = true,
	    .wall_ms = 4160,
	    .engine_status = 0,
	    .memory_peak = 41943040,
	    .memory_limit_hits = 0,
	    .oom_kills = 0,
	    .cpu_ms = 3910,
	    .processes_peak = 4,
	    .output_bytes = 4096,
	    .output_files = 1};
}

static inline void done(struct world *w)
{
	json_decref(w->stage.facts);
	json_decref(w->stage.record);
}

/* Sets a member of the record by a path such as "cause.verdict" to a JSON text. */
static inline void set(struct world *w, const char *path, const char *text)
{
	json_t *at = w->stage.record, *value = json_loads(text, JSON_DECODE_ANY, NULL);
	char part[64];
	const char *dot;

	if (!value)
		abort();
	while ((dot = strchr(path, '.')) != NULL) {
		(void)snprintf(part, sizeof part, "%.*s", (int)(dot - path), path);
		at = json_object_get(at, part);
		path = dot + 1;
	}
	if (json_object_set_new(at, path, value) < 0)
		abort();
}

#endif
