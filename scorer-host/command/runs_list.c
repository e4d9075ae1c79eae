/* The list of runs and their count, for people and for programs. */
#include <inttypes.h>
#include <string.h>

#include "command/runs.h"
#include "evidence/canonical.h"

struct listing {
	const struct runs_options *o;
	unsigned total, verdict[VERDICT_END], running, lost;
	json_t *list;
	int failed;
};

/* "SCORED"; what is not closed is running, or its scorer was killed and the next start will close it. */
static const char *state(struct listing *c, const struct ledger_row *row)
{
	if (row->verdict)
		return row->verdict;
	return home_alive(c->o->home, row->run) ? "running" : "lost";
}

static void add(struct listing *c, const struct ledger_row *row, const char *how)
{
	json_t *one = json_object(), *task = json_object();
	enum verdict v = row->verdict ? verdict_from_name(row->verdict) : VERDICT_NONE;

	canonical_put(task, "name", canonical_text(row->task), &c->failed);
	canonical_put(task, "version", canonical_text(row->version), &c->failed);
	canonical_put(task, "sha256", canonical_text(row->task_sha256), &c->failed);
	canonical_put(one, "run", canonical_text(row->run), &c->failed);
	canonical_put(one, "submission", canonical_text(row->submission), &c->failed);
	canonical_put(one, "sha256", canonical_text(row->sha256), &c->failed);
	canonical_put(one, "attempt", row->attempt ? json_integer(row->attempt) : json_null(), &c->failed);
	canonical_put(one, "again", json_boolean(row->again), &c->failed);
	canonical_put(one, "rescores", canonical_text(row->rescores), &c->failed);
	canonical_put(one, "task", task, &c->failed);
	canonical_put(one, "state", json_string(row->verdict ? "closed" : how), &c->failed);
	canonical_put(one, "verdict", canonical_text(row->verdict), &c->failed);
	canonical_put(one, "class",
	    v == VERDICT_NONE ? json_null() : json_string(verdict_class_name(verdict_class(v))), &c->failed);
	canonical_put(
	    one, "exit", v == VERDICT_NONE ? json_null() : json_integer(verdict_exit(v)), &c->failed);
	canonical_put(one, "ran", row->ran < 0 ? json_null() : json_boolean(row->ran), &c->failed);
	canonical_put(one, "started", canonical_text(row->started), &c->failed);
	canonical_put(one, "ended", canonical_text(row->ended), &c->failed);
	canonical_put(one, "host", canonical_text(row->host), &c->failed);
	canonical_put(one, "imported", json_boolean(row->imported), &c->failed);
	canonical_put(one, "evidence", canonical_text(row->folder), &c->failed);
	if (json_array_append_new(c->list, one) < 0)
		c->failed = 1;
}

/* A field and blanks up to its width; two at least. */
static void field(const char *text, int width)
{
	int n = text ? (int)strlen(text) : 1;
	home_print(stdout, text);
	(void)printf("%*s", n + 2 > width ? 2 : width - n, "");
}

static int row(void *context, const struct ledger_row *r)
{
	struct listing *c = context;
	const char *how = state(c, r);
	enum verdict v = r->verdict ? verdict_from_name(r->verdict) : VERDICT_NONE;
	char task[160];

	if (v != VERDICT_NONE)
		c->verdict[v]++;
	else if (strcmp(how, "running") == 0)
		c->running++;
	else
		c->lost++;
	c->total++;
	if (c->o->count)
		return 0;
	if (c->o->json) {
		add(c, r, how);
		return 0;
	}
	if (c->total == 1)
		(void)printf("%-16s%-22s%-20s%-16s%s\n", "RUN", "STARTED", "VERDICT", "SUBMISSION", "TASK");
	(void)snprintf(task, sizeof task, "%.19sZ", r->started ? r->started : "");
	field(r->run, 16);
	field(task, 22);
	field(how, 20);
	field(r->submission, 16);
	(void)snprintf(task, sizeof task, "%s %s", r->task ? r->task : "-", r->version ? r->version : "");
	home_print(stdout, task);
	(void)printf("%s%s", r->again ? "   again" : "", r->imported ? "   imported" : "");
	if (r->rescores) {
		(void)printf("   rescores ");
		home_print(stdout, r->rescores);
	}
	(void)printf("\n");
	return 0;
}

static void sum_part(unsigned n, const char *name, unsigned *parts)
{
	if (n > 0)
		(void)printf("%s%u %s", (*parts)++ ? ", " : ": ", n, name);
}

static void sum(const struct listing *c)
{
	unsigned parts = 0;

	(void)printf("%u run%s", c->total, c->total == 1 ? "" : "s");
	for (int v = VERDICT_NONE + 1; v < VERDICT_END; v++)
		sum_part(c->verdict[v], verdict_name((enum verdict)v), &parts);
	sum_part(c->running, "running", &parts);
	sum_part(c->lost, "lost (closed by the next `run`)", &parts);
	(void)printf("\n");
}

static int print_json(struct listing *c)
{
	json_t *root = json_object(), *verdicts = json_object();
	size_t n;
	char *text;

	for (int v = VERDICT_NONE + 1; v < VERDICT_END; v++)
		if (c->verdict[v])
			canonical_put(
			    verdicts, verdict_name((enum verdict)v), json_integer(c->verdict[v]), &c->failed);
	canonical_put(root, "schema", json_string("urn:proctor:runs:1"), &c->failed);
	canonical_put(root, "home", canonical_text(c->o->home), &c->failed);
	canonical_put(root, "count", json_integer(c->total), &c->failed);
	canonical_put(root, "running", json_integer(c->running), &c->failed);
	canonical_put(root, "lost", json_integer(c->lost), &c->failed);
	canonical_put(root, "verdicts", verdicts, &c->failed);
	canonical_put(root, "runs", c->o->count ? json_null() : json_incref(c->list), &c->failed);
	text = c->failed ? NULL : canonical_encode(root, &n);
	(void)fputs(text ? text : "{}\n", stdout);
	free(text);
	json_decref(root);
	return c->failed ? 3 : 0;
}

int runs_list(const struct runs_options *o, struct ledger *l)
{
	struct listing c = {.o = o, .list = json_array()};
	struct fault fault;
	int r = l ? ledger_each(l, &o->filter, row, &c, &fault) : 0;

	if (r < 0)
		r = home_complain("runs", &fault);
	else if (o->json)
		r = print_json(&c);
	else
		sum(&c);
	json_decref(c.list);
	return r;
}
