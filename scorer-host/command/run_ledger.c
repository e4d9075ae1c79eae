/* The hooks that put a run into the ledger. */
#include "command/run_ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "command/home.h"
#include "evidence/canonical.h"
#include "evidence/evidence.h"
#include "evidence/statement.h"
#include "evidence/stored.h"
#include "sys/clock.h"
#include "sys/digest.h"

enum { LOOK_AGAIN_MS = 1000, CLOSING_TRIES = 3 };

static struct ledger_start start_of(const struct running *g, const char *engine)
{
	return (struct ledger_start){.run = g->run.id,
	    .folder = g->folder,
	    .engine = engine,
	    .started = g->run.started,
	    .host = g->run.host,
	    .submission = g->run.submission,
	    .rescores = g->run.rescores[0] ? g->run.rescores : NULL,
	    .sha256 = g->run.submission_sha256[0] ? g->run.submission_sha256 : NULL,
	    .command = g->run.stage.command,
	    .task = &g->task,
	    .again = g->options.again};
}

static bool goes_on(const struct running *g)
{
	return g->earlier.claim == LEDGER_FREE || g->earlier.claim == LEDGER_RUNNING;
}

/* The digest of what is submitted now. False when it cannot be had: preflight will say why. */
static bool submitted(struct running *g)
{
	char where[256], path[PATH_MAX];
	struct listing now;

	if (!realpath(g->options.rootfs, path) || listing_take(path, "", NULL, true, LISTING_CONTENT,
						      g->task.limit[OPTION_IMAGE_BYTES], &now, where) < 0)
		return false;
	memcpy(g->run.submission_sha256, now.sha256, sizeof g->run.submission_sha256);
	return true;
}

int run_known(struct running *g)
{
	struct ledger_start s;
	struct ledger *l;
	int r;

	if (!g->run.submission)
		return 0;
	if (ledger_open(home_path(g->options.home), LEDGER_READ, &l, &g->run.fault) < 0)
		return -1;
	if (!l)
		return 0;
	/* Hashing what was submitted may take its time: only for a name that is known. */
	s = start_of(g, "");
	r = ledger_look(l, &s, &g->earlier, &g->run.fault);
	if (r == 0 && g->earlier.run[0]) {
		bool there = submitted(g);
		s = start_of(g, "");
		if (there)
			r = ledger_look(l, &s, &g->earlier, &g->run.fault);
		else
			g->earlier.claim = LEDGER_FREE;
	}
	ledger_done(l);
	return r == 0 && goes_on(g) ? 0 : -1;
}

/*
 * Until the other run's mark is unlinked, or its holder dies, or the operator interrupts. Both are seen by inotify; where
 * that is not to be had, and for what came between, it is looked at again every second.
 */
static void await(const struct running *g, const char *run)
{
	char path[PATH_MAX];
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	struct pollfd p[2] = {{g->signals, POLLIN, 0}, {watch, POLLIN, 0}};

	(void)snprintf(path, sizeof path, "%.4000s/active/%s", g->home, run);
	if (watch >= 0)
		(void)inotify_add_watch(watch, path, IN_DELETE_SELF | IN_ATTRIB | IN_CLOSE_WRITE);
	if (home_alive(g->home, run))
		(void)poll(p, watch >= 0 ? 2 : 1, LOOK_AGAIN_MS);
	if (watch >= 0)
		(void)close(watch);
}

int run_claim(struct running *g)
{
	struct ledger_start s = start_of(g, g->engine->name);
	struct fault *f = &g->run.fault;
	char waiting[sizeof g->earlier.run] = "";
	unsigned tries = 0;

	for (;;) {
		struct ledger *l;
		int r = ledger_open(g->home, LEDGER_WRITE, &l, f);
		if (r == 0)
			r = ledger_begin(l, &s, &g->earlier, f);
		ledger_done(l);
		if (r < 0)
			return -1;
		if (g->earlier.claim != LEDGER_RUNNING)
			break;
		if (strcmp(waiting, g->earlier.run) != 0)
			(void)fprintf(stderr, "scorer-host: %s is under way in %s; waiting for its result\n",
			    g->run.submission, g->earlier.run);
		memcpy(waiting, g->earlier.run, sizeof waiting);
		await(g, g->earlier.run);
		if (run_interrupted(g))
			return fault_set(f, VERDICT_CANCELLED, "interrupted by the operator");
		if (home_alive(g->home, g->earlier.run))
			continue;
		if (tries++ == CLOSING_TRIES)
			return fault_set(f, VERDICT_ENGINE_FAILED,
			    "%s was left by a killed scorer and cannot be closed", g->earlier.run);
		run_recover(g);
	}
	if (g->earlier.claim != LEDGER_FREE)
		return -1;
	g->entered = true;
	if (g->options.again)
		(void)snprintf(g->run.repeats, sizeof g->run.repeats, "%s", g->earlier.run);
	return 0;
}

/* SHA-256 of the envelope, or "" without one. */
static void evidence_of(const char *folder, char hex[DIGEST_HEX])
{
	char path[PATH_MAX + 32];
	int fd;

	(void)snprintf(path, sizeof path, "%s/" ENVELOPE_FILE, folder);
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || digest_fd(fd, hex, NULL) < 0)
		hex[0] = '\0';
	if (fd >= 0)
		(void)close(fd);
}

static int end(struct running *g, const struct ledger_end *e)
{
	struct fault fault = {0};
	struct ledger *l;
	int r = ledger_open(g->home, LEDGER_WRITE, &l, &fault);

	if (r == 0)
		r = ledger_end(l, e, &fault);
	ledger_done(l);
	if (r < 0)
		(void)fprintf(stderr,
		    "scorer-host: %s could not be closed in the ledger: %s; the next start does it\n", e->run,
		    fault.what);
	return r < 0 ? -1 : 0;
}

int run_close(struct running *g)
{
	enum verdict v = g->run.fault.verdict;
	int ran = g->run.stage.observed.ticketed;
	char evidence[DIGEST_HEX] = "", ended[32];
	struct ledger_end e = {
	    .run = g->run.id, .verdict = v, .ran = ran, .ended = ended, .evidence = evidence, .by = "run"};

	if (!g->entered)
		return 0;
	if (g->run.ended[0])
		memcpy(ended, g->run.ended, sizeof ended);
	else
		clock_utc(ended);
	if (g->begun)
		evidence_of(g->folder, evidence);
	/* One such failure may be tried again; a second one is the operator's to look at. */
	g->held = g->run.submission && ledger_unattributed(v, ran) && g->earlier.unattributed > 0;
	return end(g, &e);
}

int run_close_lost(struct running *g, const char *run, const char *folder, bool sealed)
{
	char evidence[DIGEST_HEX] = "", ended[32];
	struct ledger_end e = {.run = run,
	    .verdict = VERDICT_INFRA_SCORER_LOST,
	    .ran = sealed ? -1 : 0,
	    .ended = ended,
	    .evidence = evidence,
	    .by = "recovery"};
	struct stored s;
	struct fault fault;
	const char *id, *when;

	clock_utc(ended);
	if (stored_read(folder, &g->key, &s, &fault) == 0 && (id = stored_text(&s, "run", "id")) &&
	    strcmp(id, run) == 0) {
		evidence_of(folder, evidence);
		e.verdict = s.verdict;
		if ((when = stored_text(&s, "run", "ended")))
			(void)snprintf(ended, sizeof ended, "%s", when);
		if (sealed && s.verdict != VERDICT_INFRA_SCORER_LOST)
			e.ran = json_is_integer(
			    json_object_get(json_object_get(stored_stage(&s), "observed"), "wall_ms"));
	}
	stored_free(&s);
	return end(g, &e);
}

static json_t *earlier_json(struct running *g, int status, const char *why)
{
	struct signing_key key;
	struct stored s;
	struct fault fault;
	char home[PATH_MAX];
	bool keyed = realpath(home_path(g->options.home), home) && home_public_key(home, &key, &fault) == 0;
	json_t *o = NULL;

	if (stored_read(g->earlier.folder, keyed ? &key : NULL, &s, &fault) == 0)
		o = stored_json(&s, g->earlier.folder);
	stored_free(&s);
	if (!o) {
		/* Its directory was moved or purged: what the ledger knows is still an answer. */
		(void)snprintf(g->run.id, sizeof g->run.id, "%s", g->earlier.run);
		g->run.fault.verdict = g->earlier.verdict;
		g->run.folder = g->earlier.folder;
		o = run_json(&g->run);
		(void)json_object_set_new(o, "operator", json_string(fault.what));
	}
	(void)json_object_set_new(o, "exit", json_integer(status));
	(void)json_object_set_new(o, "retry", json_false());
	if (why)
		(void)json_object_set_new(o, "operator", json_string(why));
	return o;
}

int run_tell_earlier(struct running *g)
{
	const struct ledger_found *e = &g->earlier;
	bool held = e->claim == LEDGER_HELD;
	int status = held ? verdict_exit(VERDICT_SCORER_FAULT) : verdict_exit(e->verdict);
	char why[256] = "";
	json_t *o;

	if (held)
		(void)snprintf(why, sizeof why,
		    "held: %u attempts ended in failures that nobody can tell from the candidate's own doing",
		    e->unattributed);
	if (g->options.json) {
		o = earlier_json(g, status, held ? why : NULL);
		if (canonical_print(o, stdout) < 0)
			status = status ? status : 3;
		json_decref(o);
	} else if (held) {
		(void)printf("%s   %s   nothing was run\n  %s\n"
			     "  look at it with  scorer-host show %s ; then the same command with --again\n",
		    verdict_name(e->verdict), g->run.submission, why, e->run);
	} else {
		(void)printf(
		    "%s   %s   ", verdict_name(e->verdict), g->run.submission ? g->run.submission : e->run);
		(void)printf(g->stands ? "%s (%s)\n" : "already decided%s in %s (use --again to repeat)\n",
		    g->stands ? g->stands : "", e->run);
	}
	return status;
}
