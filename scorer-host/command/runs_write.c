/* The two ways to ask for more than a list: entering run directories, and verifying the ledger. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command/runs.h"
#include "evidence/canonical.h"

static int print(json_t *root, int failed, int status)
{
	size_t n;
	char *text = failed ? NULL : canonical_encode(root, &n);

	(void)fputs(text ? text : "{}\n", stdout);
	if (!text || fflush(stdout) != 0)
		status = status ? status : 3;
	free(text);
	json_decref(root);
	return status;
}

static const char *const outcomes[] = {"refused", "known", "entered"};

static void told(
    const struct runs_options *o, const char *run, int r, const struct fault *fault, json_t *list)
{
	json_t *one;
	int failed = 0;

	if (!o->json) {
		(void)printf("%-8s ", outcomes[r + 1]);
		home_print(stdout, r < 0 ? fault->what : run);
		(void)printf("\n");
		return;
	}
	one = json_object();
	canonical_put(one, "path", canonical_text(run), &failed);
	canonical_put(one, "outcome", json_string(outcomes[r + 1]), &failed);
	canonical_put(one, "why", r < 0 ? canonical_text(fault->what) : json_null(), &failed);
	(void)json_array_append_new(list, one);
}

int runs_import(const struct runs_options *o)
{
	struct signing_key key;
	struct fault fault = {0};
	struct ledger *l = NULL;
	json_t *list = json_array(), *root;
	char hint[sizeof fault.hint] = "";
	unsigned counts[3] = {0};
	int r = o->key ? key_load_public(o->key, &key, &fault) : home_public_key(o->home, &key, &fault),
	    failed = 0;

	if (r == 1) {
		(void)fault_set(&fault, VERDICT_NONE, "%s has no " OPERATOR_PUBLIC, o->home);
		(void)fault_hint(&fault, "name the key that the runs were signed with: --key FILE");
		r = -1;
	}
	if (r == 0)
		r = ledger_open(o->home, LEDGER_WRITE, &l, &fault);
	for (char **run = o->import; r == 0 && *run; run++) {
		int one = ledger_import(l, *run, &key, &fault);
		counts[one + 1]++;
		told(o, *run, one, &fault, list);
		if (one < 0)
			(void)snprintf(hint, sizeof hint, "%s", fault.hint);
		/* Of a run, go on with the next; of the ledger itself, there is no next. */
		if (one < 0 && fault.verdict != VERDICT_NONE)
			r = -1;
	}
	ledger_done(l);
	if (r < 0) {
		json_decref(list);
		return home_complain("runs", &fault);
	}
	r = counts[0] > 0 ? 1 : 0;
	if (o->json) {
		root = json_object();
		canonical_put(root, "schema", json_string("urn:proctor:import:1"), &failed);
		canonical_put(root, "exit", json_integer(r), &failed);
		canonical_put(root, "runs", list, &failed);
		return print(root, failed, r);
	}
	json_decref(list);
	(void)printf("%u entered, %u known already, %u refused\n", counts[2], counts[1], counts[0]);
	if (hint[0])
		(void)printf("  %s\n", hint);
	return fflush(stdout) != 0 ? 3 : r;
}

enum { FINDINGS_SHOWN = 64 };

struct findings {
	unsigned count;
	json_t *list;
};

static void find(void *context, const char *what)
{
	struct findings *f = context;
	if (f->count++ < FINDINGS_SHOWN)
		(void)json_array_append_new(f->list, canonical_text(what));
}

int runs_verify(const struct runs_options *o, struct ledger *l)
{
	struct findings f = {0, json_array()};
	struct fault fault;
	uint64_t events = 0, runs = 0;
	const json_t *what;
	json_t *root;
	int failed = 0, status;
	size_t i;

	if (!l) {
		json_decref(f.list);
		(void)fault_set(&fault, VERDICT_ENGINE_FAILED, "%s has no " LEDGER_FILE, o->home);
		return home_complain("runs", &fault);
	}
	if (ledger_verify(l, find, &f, &events, &runs, &fault) < 0 ||
	    ledger_verify_folders(l, o->home, find, &f, &fault) < 0) {
		json_decref(f.list);
		return home_complain("runs", &fault);
	}
	status = f.count ? 1 : 0;
	if (o->json) {
		root = json_object();
		canonical_put(root, "schema", json_string("urn:proctor:ledger:1"), &failed);
		canonical_put(root, "exit", json_integer(status), &failed);
		canonical_put(root, "events", canonical_count(events), &failed);
		canonical_put(root, "runs", canonical_count(runs), &failed);
		canonical_put(root, "findings", f.list, &failed);
		return print(root, failed, status);
	}
	(void)printf("%s   %s   %" PRIu64 " events of %" PRIu64 " runs\n", status ? "BROKEN" : "HOLDS",
	    LEDGER_FILE, events, runs);
	json_array_foreach(f.list, i, what)
	{
		(void)printf("  ! ");
		home_print(stdout, json_string_value(what));
		(void)printf("\n");
	}
	if (f.count > FINDINGS_SHOWN)
		(void)printf("  ! and %u more\n", f.count - FINDINGS_SHOWN);
	json_decref(f.list);
	return status;
}
