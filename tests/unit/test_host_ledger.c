/* The ledger's decisions, what it lists, and that no change of it goes unseen. */
#include "host_ledger.h"

struct fixture {
	char home[64];
	struct ledger *l;
	struct task task;
};

static int up(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	ledger_home(f->home);
	f->task = ledger_task();
	f->l = ledger_of(f->home);
	*state = f;
	return 0;
}

static int down(void **state)
{
	struct fixture *f = *state;
	ledger_done(f->l);
	(void)remove_tree(f->home);
	free(f);
	return 0;
}

static enum ledger_claim begin(struct fixture *f, const char *run, const char *submission, bool again)
{
	struct ledger_start s = ledger_of_run(&f->task, run, submission);
	struct ledger_found found;
	struct fault fault = {0};

	s.again = again;
	assert_int_equal(ledger_begin(f->l, &s, &found, &fault), 0);
	return found.claim;
}

static void end(struct fixture *f, const char *run, enum verdict v, int ran)
{
	struct ledger_end e = ledger_end_of(run, v, ran);
	struct fault fault = {0};
	assert_int_equal(ledger_end(f->l, &e, &fault), 0);
}

static struct ledger_found look(struct fixture *f, const char *submission, struct fault *fault)
{
	struct ledger_start s = ledger_of_run(&f->task, "r-ffffffffffff", submission);
	struct ledger_found found;
	assert_int_equal(ledger_look(f->l, &s, &found, fault), 0);
	return found;
}

static void test_decided_once(void **state)
{
	struct fixture *f = *state;
	struct fault fault = {0};
	struct ledger_found found;

	assert_int_equal(begin(f, "r-000000000001", "team07/3", false), LEDGER_FREE);
	assert_int_equal(begin(f, "r-000000000002", "team07/3", false), LEDGER_RUNNING);
	assert_int_equal(begin(f, "r-000000000002", "team07/3", true), LEDGER_RUNNING);
	end(f, "r-000000000001", VERDICT_SCORED, 1);
	found = look(f, "team07/3", &fault);
	assert_int_equal(found.claim, LEDGER_DECIDED);
	assert_string_equal(found.run, "r-000000000001");
	assert_string_equal(found.folder, "/var/lib/proctor/runs/x");
	assert_int_equal(found.verdict, VERDICT_SCORED);
	assert_int_equal(found.attempts, 1);
	assert_int_equal(begin(f, "r-000000000002", "team07/3", false), LEDGER_DECIDED);
	assert_int_equal(begin(f, "r-000000000003", "team07/4", false), LEDGER_FREE);
	assert_int_equal(begin(f, "r-000000000004", "team07/3", true), LEDGER_FREE);
	/* A repetition that came to nothing does not undo the decision. */
	end(f, "r-000000000004", VERDICT_CANCELLED, 1);
	found = look(f, "team07/3", &fault);
	assert_int_equal(found.claim, LEDGER_DECIDED);
	assert_string_equal(found.run, "r-000000000001");
	assert_int_equal(found.attempts, 2);
	assert_int_equal(ledger_seen_whole(f->l).findings, 0);
}

static void test_every_verdict_decides_or_not(void **state)
{
	struct fixture *f = *state;

	for (int v = VERDICT_SCORED; v < VERDICT_END; v++) {
		enum verdict_class class = verdict_class((enum verdict)v);
		bool decides = class == CLASS_SCORED || class == CLASS_SUBMISSION;
		struct fault fault = {0};
		char run[24], who[24];

		(void)snprintf(run, sizeof run, "r-%012d", v);
		(void)snprintf(who, sizeof who, "all/%d", v);
		assert_int_equal(begin(f, run, who, false), LEDGER_FREE);
		end(f, run, (enum verdict)v, 1);
		assert_int_equal(look(f, who, &fault).claim, decides ? LEDGER_DECIDED : LEDGER_FREE);
	}
}

static void test_without_a_name_nothing_is_kept_from_running(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(begin(f, "r-000000000001", NULL, false), LEDGER_FREE);
	end(f, "r-000000000001", VERDICT_SCORED, 1);
	assert_int_equal(begin(f, "r-000000000002", NULL, false), LEDGER_FREE);
}

static void test_unattributed_failures_are_held(void **state)
{
	static const enum verdict some[] = {VERDICT_RECORD_MISSING, VERDICT_RECORD_INVALID,
	    VERDICT_RECORD_MISMATCH, VERDICT_ENGINE_FAILED, VERDICT_INFRA_DISK, VERDICT_SCORER_FAULT};
	struct fixture *f = *state;
	struct fault fault = {0};
	char run[24], who[24];
	unsigned n = 0;

	for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
		(void)snprintf(who, sizeof who, "held/%zu", i);
		/* Before the candidate started it cannot have been its doing, however often. */
		for (int k = 0; k < 3; k++) {
			(void)snprintf(run, sizeof run, "r-%012u", ++n);
			assert_int_equal(begin(f, run, who, false), LEDGER_FREE);
			end(f, run, some[i], 0);
		}
		assert_int_equal(look(f, who, &fault).attempts, 0);
		for (int k = 0; k < 2; k++) {
			(void)snprintf(run, sizeof run, "r-%012u", ++n);
			assert_int_equal(begin(f, run, who, false), LEDGER_FREE);
			end(f, run, some[i], 1);
		}
		(void)snprintf(run, sizeof run, "r-%012u", ++n);
		assert_int_equal(begin(f, run, who, false), LEDGER_HELD);
		assert_int_equal(look(f, who, &fault).attempts, 2);
		assert_int_equal(look(f, who, &fault).unattributed, 2);
		assert_int_equal(begin(f, run, who, true), LEDGER_FREE);
		end(f, run, VERDICT_MEMORY, 1);
		assert_int_equal(look(f, who, &fault).claim, LEDGER_DECIDED);
	}
	assert_false(ledger_unattributed(VERDICT_CANCELLED, 1));
	assert_false(ledger_unattributed(VERDICT_INFRA_SCORER_LOST, -1));
	assert_false(ledger_unattributed(VERDICT_RECORD_MISSING, -1));
}

static void test_a_name_is_one_submission(void **state)
{
	struct fixture *f = *state;
	char other_word[] = "/model/other", *other[] = {other_word, NULL};
	struct ledger_start s = ledger_of_run(&f->task, "r-000000000002", "team07/3");
	struct ledger_found found;
	struct task raised = f->task;
	char version[] = "2";
	struct fault fault = {0};

	assert_int_equal(begin(f, "r-000000000001", "team07/3", false), LEDGER_FREE);
	end(f, "r-000000000001", VERDICT_INFRA_SCORER_LOST, -1);

	s.sha256 = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
	s.again = true; /* not even then */
	assert_int_equal(ledger_begin(f->l, &s, &found, &fault), 0);
	assert_int_equal(found.claim, LEDGER_REFUSED);
	assert_int_equal(fault.verdict, VERDICT_NONE);
	assert_non_null(strstr(fault.what, "other bytes in r-000000000001"));

	s = ledger_of_run(&f->task, "r-000000000002", "team07/3");
	s.command = other;
	assert_int_equal(ledger_look(f->l, &s, &found, &fault), 0);
	assert_int_equal(found.claim, LEDGER_REFUSED);
	assert_int_equal(fault.verdict, VERDICT_NONE);

	raised.sha256[0] = 'd';
	s = ledger_of_run(&raised, "r-000000000002", "team07/3");
	assert_int_equal(ledger_look(f->l, &s, &found, &fault), 0);
	assert_int_equal(found.claim, LEDGER_REFUSED);
	assert_int_equal(fault.verdict, VERDICT_TASK_INVALID);

	raised.version = version;
	assert_int_equal(ledger_look(f->l, &s, &found, &fault), 0);
	assert_int_equal(found.claim, LEDGER_FREE);
}

static void test_closing_twice_changes_nothing(void **state)
{
	struct fixture *f = *state;
	struct ledger_end e = ledger_end_of("r-000000000001", VERDICT_SCORED, 1);
	struct ledger_seen s;
	struct fault fault = {0};

	assert_int_equal(ledger_end(f->l, &e, &fault), 1);
	(void)begin(f, "r-000000000001", NULL, false);
	assert_int_equal(ledger_end(f->l, &e, &fault), 0);
	e.verdict = VERDICT_INFRA_SCORER_LOST;
	assert_int_equal(ledger_end(f->l, &e, &fault), 1);
	s = ledger_seen_whole(f->l);
	assert_int_equal(s.rows, 1);
	assert_string_equal(s.verdict, "SCORED");
	assert_int_equal(s.findings, 0);
}

static unsigned count(struct fixture *f, struct ledger_filter filter)
{
	struct ledger_seen s = {0};
	struct fault fault = {0};
	assert_int_equal(ledger_each(f->l, &filter, ledger_see_row, &s, &fault), 0);
	return s.rows;
}

static void test_filters(void **state)
{
	struct fixture *f = *state;

	(void)begin(f, "r-00000000000a", "team07/3", false);
	end(f, "r-00000000000a", VERDICT_SCORED, 1);
	(void)begin(f, "r-00000000000b", "team07/4", false);
	end(f, "r-00000000000b", VERDICT_MEMORY, 1);
	(void)begin(f, "r-0000000000c0", "team070/1", false);
	(void)begin(f, "r-0000000000c1", NULL, false);
	assert_int_equal(count(f, (struct ledger_filter){0}), 4);
	assert_int_equal(count(f, (struct ledger_filter){.submission = "team07"}), 2);
	assert_int_equal(count(f, (struct ledger_filter){.submission = "team07/4"}), 1);
	assert_int_equal(count(f, (struct ledger_filter){.submission = "team07/"}), 0);
	assert_int_equal(count(f, (struct ledger_filter){.verdict = "MEMORY"}), 1);
	assert_int_equal(count(f, (struct ledger_filter){.task = "breast-cancer"}), 4);
	assert_int_equal(count(f, (struct ledger_filter){.task = "breast"}), 0);
	assert_int_equal(count(f, (struct ledger_filter){.since = "2026-09-30"}), 4);
	assert_int_equal(count(f, (struct ledger_filter){.since = "2026-09-30T17:00:01"}), 0);
	assert_int_equal(count(f, (struct ledger_filter){.run = "r-0000000000c"}), 2);
	assert_int_equal(count(f, (struct ledger_filter){.run = "%"}), 0);
	assert_int_equal(count(f, (struct ledger_filter){.open = true}), 2);
	assert_int_equal(count(f, (struct ledger_filter){.open = true, .submission = "team070"}), 1);
}

/* Does that to the file behind the ledger's back, and gives what a verification then says. */
static struct ledger_seen tampered(struct fixture *f, const char *sql)
{
	struct ledger_seen s = {0};
	struct fault fault = {0};
	uint64_t events, runs;
	int r;

	ledger_done(f->l);
	f->l = ledger_of(f->home);
	(void)sqlite3_db_config(f->l->db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	assert_int_equal(sqlite3_exec(f->l->db,
			     "BEGIN; DROP TRIGGER event_kept; DROP TRIGGER event_fixed; PRAGMA "
			     "writable_schema = ON",
			     NULL, NULL, NULL),
	    SQLITE_OK);
	r = sqlite3_exec(f->l->db, sql, NULL, NULL, NULL);
	if (r != SQLITE_OK)
		(void)fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(f->l->db));
	assert_int_equal(r, SQLITE_OK);
	for (unsigned i = 0; i < ledger_schema_count; i++)
		if (strstr(ledger_schema[i].sql, "TRIGGER"))
			assert_int_equal(
			    sqlite3_exec(f->l->db, ledger_schema[i].sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_exec(f->l->db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
	ledger_done(f->l);
	f->l = ledger_of(f->home);
	assert_int_equal(ledger_verify(f->l, ledger_find_one, &s, &events, &runs, &fault), 0);
	return s;
}

static void test_no_change_goes_unseen(void **state)
{
	static const struct {
		const char *sql, *says;
	} cases[] = {
	    {"UPDATE event SET content = replace(content, 'MEMORY', 'SCORED') WHERE seq = 4",
		"event 4 was changed"},
	    {"UPDATE event SET content = content || ' ' WHERE seq = 2", "event 2 was changed"},
	    {"UPDATE event SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE seq = 3",
		"event 3 was changed"},
	    {"DELETE FROM event WHERE seq = 2", "event 3 comes where 2 is due"},
	    {"DELETE FROM event WHERE seq = 1", "event 2 comes where 1 is due"},
	    {"UPDATE event SET prev = hash WHERE seq = 2", "event 2 does not hold the hash"},
	    {"UPDATE event SET seq = seq + 10 WHERE seq = 4", "event 14 comes where 4 is due"},
	    {"UPDATE sqlite_schema SET sql = replace(sql, 'verdict', 'started') WHERE name = 'run'",
		"the definition of run was changed"},
	    {"CREATE TABLE more (a)", "more is not part of a ledger"},
	    {"DROP VIEW run", "the ledger's definition is incomplete"},
	    {"DROP INDEX event_born", "the ledger's definition is incomplete"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fixture *f = *state;
		struct ledger_seen s;

		(void)begin(f, "r-000000000001", "team07/3", false);
		end(f, "r-000000000001", VERDICT_SCORED, 1);
		(void)begin(f, "r-000000000002", "team07/4", false);
		end(f, "r-000000000002", VERDICT_MEMORY, 1);
		s = ledger_seen_whole(f->l);
		assert_int_equal(s.findings, 0);
		s = tampered(f, cases[i].sql);
		assert_true(s.findings > 0);
		if (!strstr(s.first, cases[i].says))
			fail_msg("%s: found \"%s\"", cases[i].sql, s.first);
		(void)down(state);
		(void)up(state);
	}
}

/* Whoever computes the hashes again still cannot close what was never begun, or begin twice. */
static void test_the_order_of_events_is_checked(void **state)
{
	struct fixture *f = *state;
	struct ledger_seen s = {0};
	struct fault fault = {0};
	uint64_t events, runs;

	(void)begin(f, "r-000000000001", NULL, false);
	assert_int_equal(
	    ledger_append(f->l, json_pack("{s:s, s:s}", "event", "closed", "run", "r-00000000000f"), &fault),
	    0);
	assert_int_equal(ledger_verify(f->l, ledger_find_one, &s, &events, &runs, &fault), 0);
	assert_int_equal(s.findings, 1);
	assert_string_equal(s.first, "event 2 closes r-00000000000f, which was not open");
	/* The database itself refuses a second beginning. */
	assert_int_equal(ledger_append(f->l,
			     json_pack("{s:s, s:s}", "event", "imported", "run", "r-000000000001"), &fault),
	    -1);
	assert_int_equal(fault.verdict, VERDICT_SCORER_FAULT);
}

static void test_updates_and_deletions_are_refused(void **state)
{
	struct fixture *f = *state;
	(void)begin(f, "r-000000000001", NULL, false);
	assert_int_equal(sqlite3_exec(f->l->db, "UPDATE event SET content = '{}'", NULL, NULL, NULL),
	    SQLITE_CONSTRAINT_TRIGGER);
	assert_int_equal(
	    sqlite3_exec(f->l->db, "DELETE FROM event", NULL, NULL, NULL), SQLITE_CONSTRAINT_TRIGGER);
}

/* A full disk is told as one, and what was there before is still whole. */
static void test_no_room(void **state)
{
	struct fixture *f = *state;
	struct ledger_end e = ledger_end_of("r-000000000000", VERDICT_SCORED, 1);
	struct ledger_seen s;
	struct fault fault = {0};
	unsigned n = 0;
	int r = 0;

	(void)begin(f, "r-000000000000", NULL, false);
	assert_int_equal(sql_run(f->l, "PRAGMA max_page_count = 12", &fault), 0);
	while (r == 0 && n < 1000) {
		char run[24];
		struct ledger_start start = ledger_of_run(&f->task, run, NULL);
		struct ledger_found found;
		(void)snprintf(run, sizeof run, "r-%012u", ++n);
		r = ledger_begin(f->l, &start, &found, &fault);
	}
	assert_int_equal(r, -1);
	assert_int_equal(fault.verdict, VERDICT_INFRA_DISK);
	s = ledger_seen_whole(f->l);
	assert_int_equal(s.findings, 0);
	assert_int_equal(s.rows, n);
	assert_int_equal(sql_run(f->l, "PRAGMA max_page_count = 1000", &fault), 0);
	assert_int_equal(ledger_end(f->l, &e, &fault), 0);
	assert_int_equal(ledger_seen_whole(f->l).findings, 0);
}

/* Somebody holds the ledger: the wait for it ends, and is told as something that passes. */
static void test_busy(void **state)
{
	struct fixture *f = *state;
	struct ledger *other = ledger_of(f->home);
	struct ledger_start s = ledger_of_run(&f->task, "r-000000000001", NULL);
	struct ledger_found found;
	struct fault fault = {0};

	assert_int_equal(sql_begin(other, &fault), 0);
	assert_int_equal(sqlite3_busy_timeout(f->l->db, 0), SQLITE_OK);
	assert_int_equal(ledger_begin(f->l, &s, &found, &fault), -1);
	assert_int_equal(fault.verdict, VERDICT_ENGINE_FAILED);
	assert_int_equal(verdict_exit(fault.verdict), 3);
	assert_int_equal(sql_end(other, 0, &fault), 0);
	assert_int_equal(ledger_begin(f->l, &s, &found, &fault), 0);
	ledger_done(other);
}

static void test_what_is_no_ledger(void **state)
{
	struct fault fault = {0};
	struct ledger *l = NULL;
	char home[64], path[128];

	(void)state;
	ledger_home(home);
	assert_int_equal(ledger_open(home, LEDGER_READ, &l, &fault), 0);
	assert_null(l);
	assert_int_equal(ledger_open("/nowhere/at/all", LEDGER_READ, &l, &fault), 0);
	assert_null(l);
	(void)snprintf(path, sizeof path, "%s/" LEDGER_FILE, home);
	write_bytes(path, "this is no database, and it is long enough to be told from one\n", 63);
	assert_int_equal(ledger_open(home, LEDGER_WRITE, &l, &fault), -1);
	assert_int_equal(fault.verdict, VERDICT_SCORER_FAULT);
	assert_int_equal(unlink(path), 0);
	/* A link would let another file be written. */
	assert_int_equal(symlink("elsewhere", path), 0);
	assert_int_equal(ledger_open(home, LEDGER_WRITE, &l, &fault), -1);
	assert_int_equal(unlink(path), 0);
	l = ledger_of(home);
	assert_int_equal(sql_run(l, "PRAGMA user_version = 2", &fault), 0);
	ledger_done(l);
	assert_int_equal(ledger_open(home, LEDGER_WRITE, &l, &fault), -1);
	assert_non_null(strstr(fault.what, "newer Proctor"));
	(void)remove_tree(home);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_decided_once, up, down),
	    cmocka_unit_test_setup_teardown(test_every_verdict_decides_or_not, up, down),
	    cmocka_unit_test_setup_teardown(test_without_a_name_nothing_is_kept_from_running, up, down),
	    cmocka_unit_test_setup_teardown(test_unattributed_failures_are_held, up, down),
	    cmocka_unit_test_setup_teardown(test_a_name_is_one_submission, up, down),
	    cmocka_unit_test_setup_teardown(test_closing_twice_changes_nothing, up, down),
	    cmocka_unit_test_setup_teardown(test_filters, up, down),
	    cmocka_unit_test_setup_teardown(test_no_change_goes_unseen, up, down),
	    cmocka_unit_test_setup_teardown(test_the_order_of_events_is_checked, up, down),
	    cmocka_unit_test_setup_teardown(test_updates_and_deletions_are_refused, up, down),
	    cmocka_unit_test_setup_teardown(test_no_room, up, down),
	    cmocka_unit_test_setup_teardown(test_busy, up, down),
	    cmocka_unit_test(test_what_is_no_ledger),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
