/* SQLite as the ledger uses it. Each busy wait ends after BUSY_MS; a broken file is said to be one, never repaired. */
#include "evidence/ledger_sql.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "sys/clock.h"

enum { BUSY_MS = 20000, RETRY_MS = 10, SCHEMA_VERSION = 1 };

int sql_fault(const struct ledger *l, const char *what, struct fault *fault)
{
	int code = l->db ? sqlite3_extended_errcode(l->db) : SQLITE_NOMEM, primary = code & 0xff;
	int os = l->db ? sqlite3_system_errno(l->db) : 0;
	bool full = primary == SQLITE_FULL || (primary == SQLITE_IOERR && (os == ENOSPC || os == EDQUOT));
	bool broken = primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB || primary == SQLITE_CONSTRAINT ||
		      primary == SQLITE_ERROR;

	fault_set(fault,
	    full     ? VERDICT_INFRA_DISK
	    : broken ? VERDICT_SCORER_FAULT
		     : VERDICT_ENGINE_FAILED,
	    "%s: %s: %s", l->path, what, l->db ? sqlite3_errmsg(l->db) : "out of memory");
	if (full)
		return fault_hint(fault, "free space, then type the same command again");
	if (broken)
		return fault_hint(fault, "scorer-host runs --verify says what is wrong with it");
	return -1;
}

int sql_run(struct ledger *l, const char *sql, struct fault *fault)
{
	return sqlite3_exec(l->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : sql_fault(l, "write", fault);
}

sqlite3_stmt *sql_prepare(struct ledger *l, struct fault *fault, const char *sql, const char *letters, ...)
{
	sqlite3_stmt *statement = NULL;
	va_list args;
	int r = sqlite3_prepare_v2(l->db, sql, -1, &statement, NULL);

	va_start(args, letters);
	for (int i = 1; r == SQLITE_OK && letters[i - 1]; i++)
		r = letters[i - 1] == 't'
			? sqlite3_bind_text(statement, i, va_arg(args, const char *), -1, SQLITE_STATIC)
			: sqlite3_bind_int64(statement, i, va_arg(args, int64_t));
	va_end(args);
	if (r == SQLITE_OK)
		return statement;
	(void)sql_fault(l, "query", fault);
	(void)sqlite3_finalize(statement);
	return NULL;
}

int sql_step(struct ledger *l, sqlite3_stmt *statement, struct fault *fault)
{
	int r = sqlite3_step(statement);
	return r == SQLITE_ROW ? 1 : r == SQLITE_DONE ? 0 : sql_fault(l, "query", fault);
}

const char *sql_text(sqlite3_stmt *statement, int column)
{
	return (const char *)sqlite3_column_text(statement, column);
}

int sql_begin(struct ledger *l, struct fault *fault)
{
	return sql_run(l, "BEGIN IMMEDIATE", fault);
}

int sql_end(struct ledger *l, int result, struct fault *fault)
{
	if (result >= 0 && sql_run(l, "COMMIT", fault) == 0)
		return result;
	/* After some errors SQLite has rolled back by itself; then this fails, and nothing is lost. */
	(void)sqlite3_exec(l->db, "ROLLBACK", NULL, NULL, NULL);
	return -1;
}

/* One whole number, or -1. */
static int number(struct ledger *l, const char *sql, struct fault *fault)
{
	sqlite3_stmt *statement = sql_prepare(l, fault, sql, "");
	int r = statement ? sql_step(l, statement, fault) : -1;

	if (r == 1)
		r = sqlite3_column_int(statement, 0);
	(void)sqlite3_finalize(statement);
	return r;
}

/* Changing to WAL wants the file alone, and SQLite does not always wait for that itself. */
static int to_wal(struct ledger *l, struct fault *fault)
{
	uint64_t until = clock_ms() + BUSY_MS;
	int r;

	while ((r = sql_run(l, "PRAGMA journal_mode = WAL", fault)) < 0 &&
	       (sqlite3_errcode(l->db) == SQLITE_BUSY || sqlite3_errcode(l->db) == SQLITE_LOCKED) &&
	       clock_ms() < until)
		(void)poll(NULL, 0, RETRY_MS);
	return r;
}

static int make_schema(struct ledger *l, struct fault *fault)
{
	int r = to_wal(l, fault), version;

	if (r < 0 || sql_begin(l, fault) < 0)
		return -1;
	version = number(l, "PRAGMA user_version", fault);
	r = version < 0 ? -1 : 0;
	if (version == 0) { /* somebody else may have made it meanwhile */
		for (unsigned i = 0; r == 0 && i < ledger_schema_count; i++)
			r = sql_run(l, ledger_schema[i].sql, fault);
		if (r == 0)
			r = sql_run(l, "PRAGMA user_version = 1", fault);
	}
	return sql_end(l, r, fault);
}

/* 1 when it may be used, 0 when there is nothing in it yet: whoever made it was killed over it. */
static int prepare(struct ledger *l, enum ledger_access access, struct fault *fault)
{
	int version;

	(void)sqlite3_extended_result_codes(l->db, 1);
	(void)sqlite3_busy_timeout(l->db, BUSY_MS);
	(void)sqlite3_db_config(l->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	version = number(l, "PRAGMA user_version", fault);
	if (version == 0 && access == LEDGER_WRITE && make_schema(l, fault) == 0)
		version = SCHEMA_VERSION;
	else if (version == 0 && access == LEDGER_WRITE)
		return -1;
	if (version > SCHEMA_VERSION)
		return fault_set(fault, VERDICT_ENGINE_FAILED,
		    "%s was written by a newer Proctor (schema %d, this build knows %d)", l->path, version,
		    SCHEMA_VERSION);
	/* A row that was written is there after a power cut too. */
	if (version <= 0)
		return version;
	return sql_run(l, "PRAGMA synchronous = FULL", fault) < 0 ? -1 : 1;
}

int ledger_open(const char *home, enum ledger_access access, struct ledger **ledger, struct fault *fault)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW |
		    (access == LEDGER_WRITE ? SQLITE_OPEN_CREATE : 0);
	struct ledger *l = calloc(1, sizeof *l);
	char folder[PATH_MAX];
	int r;

	*ledger = NULL;
	if (!l)
		return fault_set(fault, VERDICT_SCORER_FAULT, "no memory for the ledger");
	/* SQLite refuses a link anywhere in the path; those of the home's own path are the operator's. */
	if (!realpath(home, folder) ||
	    snprintf(l->path, sizeof l->path, "%s/" LEDGER_FILE, folder) >= (int)sizeof l->path) {
		r = access == LEDGER_READ && errno == ENOENT
			? 0
			: fault_set(fault, VERDICT_ENGINE_FAILED, "%s: %s", home, strerror(errno));
		free(l);
		return r;
	}
	if (access == LEDGER_READ && faccessat(AT_FDCWD, l->path, F_OK, AT_SYMLINK_NOFOLLOW) < 0 &&
	    errno == ENOENT) {
		free(l);
		return 0;
	}
	r = sqlite3_open_v2(l->path, &l->db, flags, NULL) == SQLITE_OK ? 0 : sql_fault(l, "open", fault);
	if (r == 0)
		r = prepare(l, access, fault);
	if (r <= 0) {
		ledger_done(l);
		return r;
	}
	*ledger = l;
	return 0;
}

void ledger_done(struct ledger *l)
{
	if (l) {
		(void)sqlite3_close(l->db);
		free(l);
	}
}
