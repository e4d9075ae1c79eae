/*
 * scorer-host show RUN: one run, for the operator, the participant or the public. The participant's view is
 * participant.json and nothing else. The public's comes with an approved evaluation method, and without one is empty.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command/command.h"
#include "command/show.h"
#include "evidence/canonical.h"

static const char usage[] =
    "usage: scorer-host show RUN [--as operator|participant|public] [--home DIR] [--json]\n\n"
    "Tells one run again. RUN is its id, the beginning of it, or its directory.\n\n"
    "  --as operator     all that the evidence holds (the default)\n"
    "  --as participant  what its participant may see, and not a byte more\n"
    "  --as public       what a board may print\n"
    "  --home DIR        $PROCTOR_HOME, else /var/lib/proctor\n"
    "  --json            one JSON object\n\n"
    "exit status: 0, 1 the evidence does not hold, 2 usage, 3 the ledger cannot be read\n";

struct show_options {
	const char *run, *home;
	enum audience as;
	bool json;
};

static int wrong(const char *word, const char *what)
{
	(void)fprintf(stderr, "scorer-host show: %s %s; scorer-host show --help says more\n", word, what);
	return 2;
}

static int arguments(int argc, char **argv, struct show_options *o)
{
	static const char *const audiences[] = {"operator", "participant", "public"};

	for (int i = 1; i < argc; i++) {
		const char *word = argv[i];
		if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
			(void)fputs(usage, stdout);
			return 0;
		}
		if (strcmp(word, "--json") == 0) {
			o->json = true;
		} else if (strcmp(word, "--as") == 0 || strcmp(word, "--home") == 0) {
			unsigned k = 0;
			if (++i == argc)
				return wrong(word, "wants a value");
			if (word[2] == 'h') {
				o->home = argv[i];
				continue;
			}
			while (k < 3 && strcmp(argv[i], audiences[k]) != 0)
				k++;
			if (k == 3)
				return wrong(argv[i], "is none of operator, participant, public");
			o->as = (enum audience)k;
		} else if (word[0] == '-' || o->run) {
			return wrong(word, "is not known, or one too many");
		} else {
			o->run = word;
		}
	}
	if (o->run && *o->run)
		return -1;
	return wrong("RUN", "is missing");
}

struct search {
	struct shown *w;
	const char *folder; /* only the run in it */
	unsigned found;
};

static int candidate(void *context, const struct ledger_row *row)
{
	struct search *f = context;
	struct shown *w = f->w;

	if (f->folder && (!row->folder || strcmp(row->folder, f->folder) != 0))
		return 0;
	f->found++;
	w->known = true;
	w->closed = row->verdict != NULL;
	w->again = row->again;
	w->imported = row->imported;
	w->attempt = row->attempt;
	(void)snprintf(w->run, sizeof w->run, "%s", row->run);
	(void)snprintf(w->folder, sizeof w->folder, "%s", row->folder ? row->folder : "");
	(void)snprintf(w->submission, sizeof w->submission, "%s", row->submission ? row->submission : "");
	(void)snprintf(
	    w->task, sizeof w->task, "%s %s", row->task ? row->task : "-", row->version ? row->version : "");
	(void)snprintf(w->started, sizeof w->started, "%s", row->started ? row->started : "");
	return 0;
}

int show_find(const char *run, const char *home, struct ledger *l, struct shown *w, struct fault *fault)
{
	struct search f = {.w = w};
	struct ledger_filter by_id = {.run = run}, any = {0};
	char folder[PATH_MAX];
	struct stat st;

	memset(w, 0, sizeof *w);
	if (strchr(run, '/') || (stat(run, &st) == 0 && S_ISDIR(st.st_mode))) {
		if (!realpath(run, folder))
			return fault_set(fault, VERDICT_NONE, "%s: there is no such run directory", run);
		f.folder = folder;
		if (l && ledger_each(l, &any, candidate, &f, fault) < 0)
			return -1;
		(void)snprintf(w->folder, sizeof w->folder, "%s", folder);
		return 0;
	}
	if (l && ledger_each(l, &by_id, candidate, &f, fault) < 0)
		return -1;
	if (f.found == 1)
		return 0;
	(void)fault_set(fault, VERDICT_NONE, f.found ? "%s begins %u runs' ids" : "%s is no run of this home",
	    run, f.found);
	return fault_hint(fault, "scorer-host runs --home %s lists them", home);
}

static int print_json(json_t *value)
{
	size_t n;
	char *text = canonical_encode(value, &n);

	(void)fputs(text ? text : "{}\n", stdout);
	json_decref(value);
	free(text);
	return text ? 0 : 3;
}

/* Without evidence there is only what the ledger was told at the start. */
static int unfinished(const struct show_options *o, const struct shown *w)
{
	const char *state = w->closed ? "closed without evidence"
			    : home_alive(o->home, w->run)
				? "running"
				: "lost: its scorer was killed, the next `run` closes it";

	if (o->as != AS_OPERATOR)
		return o->json ? print_json(json_object()) : puts("not evaluated yet") == EOF;
	if (o->json)
		return print_json(json_pack("{s:s, s:s, s:s?, s:n, s:s, s:s}", "schema", "urn:proctor:run:1",
		    "run", w->run, "submission", w->submission[0] ? w->submission : NULL, "verdict",
		    "evidence", w->folder, "operator", state));
	home_print(stdout, w->run);
	(void)printf("   ");
	home_print(stdout, w->submission[0] ? w->submission : "-");
	(void)printf("   ");
	home_print(stdout, w->task);
	(void)printf("   %s\n  started   %s\n  folder    ", state, w->started);
	home_print(stdout, w->folder);
	(void)printf("\n");
	return 0;
}

/* participant.json; where the fault is not the participant's, not even the verdict in it. */
static json_t *for_participant(const struct stored *s)
{
	static const char *const who[] = {"schema", "run", "submission"};
	enum verdict_class class = verdict_class(s->verdict);
	json_t *view;
	int failed = 0;

	if (class == CLASS_SCORED || class == CLASS_SUBMISSION)
		return json_incref(s->participant);
	view = json_object();
	for (size_t i = 0; i < sizeof who / sizeof *who; i++) {
		json_t *value = json_object_get(s->participant, who[i]);
		canonical_put(view, who[i], value ? json_incref(value) : json_null(), &failed);
	}
	canonical_put(view, "verdict", json_null(), &failed);
	canonical_put(view, "told", json_string(NOT_EVALUATED), &failed);
	return view;
}

static int tell(const struct show_options *o, const struct shown *w, const struct stored *s)
{
	switch (o->as) {
	case AS_OPERATOR:
		if (o->json)
			return print_json(stored_json(s, w->folder));
		show_operator(w, s);
		return 0;
	case AS_PARTICIPANT:
		if (o->json)
			return print_json(for_participant(s));
		show_participant(s);
		return 0;
	case AS_PUBLIC:
		if (o->json)
			return print_json(json_object());
		(void)puts("nothing: without an approved evaluation method a run is provisional");
		return 0;
	}
	return 2;
}

int command_show(int argc, char **argv)
{
	struct show_options o = {0};
	struct signing_key key;
	struct shown *w = calloc(1, sizeof *w);
	struct stored stored = {0};
	struct fault fault = {0};
	struct ledger *l = NULL;
	int status = w ? arguments(argc, argv, &o) : 3, keyed;

	if (status >= 0) {
		free(w);
		return status;
	}
	o.home = home_path(o.home);
	if (ledger_open(o.home, LEDGER_READ, &l, &fault) < 0 || show_find(o.run, o.home, l, w, &fault) < 0 ||
	    (keyed = home_public_key(o.home, &key, &fault)) < 0) {
		status = home_complain("show", &fault);
	} else if (w->known && !w->closed) {
		status = unfinished(&o, w);
	} else {
		/* What came from another home was signed by another key; --import has checked it. */
		w->key = keyed == 0 && !w->imported;
		if (stored_read(w->folder, w->key ? &key : NULL, &stored, &fault) == 0)
			status = tell(&o, w, &stored);
		else
			status = home_complain("show", &fault) > 0;
	}
	stored_free(&stored);
	ledger_done(l);
	free(w);
	if (fflush(stdout) != 0 && status == 0)
		status = 3;
	return status;
}
