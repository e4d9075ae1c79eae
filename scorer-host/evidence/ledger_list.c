/* What is asked of the ledger: the runs that fit a filter, in the order of their starting. */
#include <stdio.h>
#include <string.h>

#include "evidence/ledger_sql.h"

/* A NULL parameter lets everything through. WHO is all that stands before the slash. */
static const char list[] =
    "SELECT seq, run, folder, engine, host, submission, sha256, task, version, task_sha256, started, ended, "
    "verdict, evidence, ran, again, imported, "
    "(SELECT count(*) FROM run o WHERE o.submission = r.submission AND o.task = r.task AND o.version = "
    "r.version AND o.seq <= r.seq AND o.ran IS NOT 0), "
    "(SELECT json_extract(content, '$.rescores') FROM event e WHERE e.seq = r.seq) FROM run r "
    "WHERE (?1 IS NULL OR substr(run, 1, length(?1)) = ?1) AND (?2 IS NULL OR task = ?2) "
    "AND (?3 IS NULL OR submission = ?3 OR (instr(?3, '/') = 0 AND substr(submission, 1, length(?3) + 1) = "
    "?3 || '/')) "
    "AND (?4 IS NULL OR verdict = ?4) AND (?5 IS NULL OR started >= ?5) AND (?6 = 0 OR NOT closed) "
    "ORDER BY started, seq";

static void fill(sqlite3_stmt *s, struct ledger_row *row)
{
	const char **const text[] = {&row->run, &row->folder, &row->engine, &row->host, &row->submission,
	    &row->sha256, &row->task, &row->version, &row->task_sha256, &row->started, &row->ended,
	    &row->verdict, &row->evidence};
	enum { TEXTS = sizeof text / sizeof *text };

	memset(row, 0, sizeof *row);
	row->seq = (uint64_t)sqlite3_column_int64(s, 0);
	for (int i = 0; i < TEXTS; i++)
		*text[i] = sql_text(s, 1 + i);
	row->ran = sqlite3_column_type(s, TEXTS + 1) == SQLITE_NULL ? -1 : sqlite3_column_int(s, TEXTS + 1);
	row->again = sqlite3_column_int(s, TEXTS + 2) != 0;
	row->imported = sqlite3_column_int(s, TEXTS + 3) != 0;
	row->attempt = (unsigned)sqlite3_column_int(s, TEXTS + 4);
	row->rescores = sql_text(s, TEXTS + 5);
}

int ledger_each(struct ledger *l, const struct ledger_filter *f,
    int (*each)(void *context, const struct ledger_row *row), void *context, struct fault *fault)
{
	static const struct ledger_filter all;
	sqlite3_stmt *rows;
	int r;

	f = f ? f : &all;
	rows = sql_prepare(
	    l, fault, list, "ttttti", f->run, f->task, f->submission, f->verdict, f->since, (int64_t)f->open);
	r = rows ? 0 : -1;
	while (r == 0 && (r = sql_step(l, rows, fault)) == 1) {
		struct ledger_row row;
		fill(rows, &row);
		r = row.run ? each(context, &row) : 0;
	}
	(void)sqlite3_finalize(rows);
	return r;
}
